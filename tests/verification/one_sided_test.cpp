// Ropes and struts: free flight while slack, never longer (shorter) than L, and a force on one side only.

#include "tests/jointed.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(one_sided)

namespace {

constexpr double kStep = 0.005, kMass = 2, kLength = 1;  // [s], [kg], [m]
constexpr double kForce = kTenSolved * kMass / kStep;

JointDescription tie(const char* side, Vec3 particle) {
  JointDescription j = joint_at("distance", "tie", "p", "world", particle);
  j.anchor_b = {};
  j.length = kLength;
  j.side = side;
  return j;
}

World particle_on(const char* side, Vec3 position, Vec3 velocity = {}) {
  World w;
  w.particles = {free_particle("p", kMass, position, velocity)};
  w.joints = {tie(side, position)};
  return w;
}

const char* const kFunctions[] = {"fischer_burmeister", "minimum_map"};
std::string options(const char* function) {
  return kExactSteps + "-geometric_stiffness exact -ncp_function " + function;
}

/// How hard the tie pulls the particle outwards [N]; a rope's is never positive.
double outwards(const Frame& f) { return dot(f.joints[0].force, normalized(f.particles[0].position)); }

}  // namespace

BOOST_AUTO_TEST_CASE(a_rope_lets_fall_and_then_holds) {
  for (const char* function : kFunctions)
    for (const bool world_is_a : {false, true}) {
      const ScopedOptions scoped(options(function));
      const Vec3 start{0.4, 0, 0};
      World w = particle_on("rope", start);
      if (world_is_a) {
        std::swap(w.joints[0].a, w.joints[0].b);
        std::swap(w.joints[0].anchor_a, w.joints[0].anchor_b);
      }
      const double sign = world_is_a ? -1 : 1;
      Model model(w, kStep);
      bool slack = true;
      int taut = 0, tight = 0;
      run(model, 400, [&](const StepReport& r) {
        BOOST_TEST(!r.failed);
        const Frame f = model.frame();
        const double distance = norm(f.particles[0].position);
        BOOST_TEST(distance <= kLength + kStep * kTenSolved);
        BOOST_TEST(sign * outwards(f) <= kForce);
        const double n = r.step;
        const Vec3 falling = start - Vec3{0, 0, kGravity * kStep * kStep * n * (n + 1) / 2};
        if (norm(falling) > kLength) slack = false;
        if (slack) {
          BOOST_TEST(norm(f.particles[0].position - falling) <= kTenSolved);
          BOOST_TEST(norm(f.joints[0].force) <= kForce);
        } else {
          ++taut;
          tight += std::fabs(distance - kLength) <= kStep * kTenSolved;
        }
      });
      BOOST_TEST(!slack);
      // Caught without rebound, it swings below the anchor with too little energy to get slack.
      BOOST_TEST(tight == taut);
    }
}

BOOST_AUTO_TEST_CASE(a_strut_catches_what_falls_on_it) {
  for (const char* function : kFunctions) {
    const ScopedOptions scoped(options(function));
    Model model(particle_on("strut", {0, 0, 1.5}), kStep);
    int held = 0;
    run(model, 120, [&](const StepReport& r) {
      BOOST_TEST(!r.failed);
      const Frame f = model.frame();
      BOOST_TEST(norm(f.particles[0].position) >= kLength - kStep * kTenSolved);
      BOOST_TEST(outwards(f) >= -kForce);
      const double n = r.step, falling = 1.5 - kGravity * kStep * kStep * n * (n + 1) / 2;
      if (falling > kLength) {
        BOOST_TEST(std::fabs(f.particles[0].position.z - falling) <= kTenSolved);
        BOOST_TEST(norm(f.joints[0].force) <= kForce);
      } else if (++held > 2) {  // one step to the end of the strut, one to stop there
        BOOST_TEST(norm(f.joints[0].force - Vec3{0, 0, kMass * kGravity}) <= kForce);
      }
    });
    BOOST_TEST(held > 50);
    BOOST_TEST(norm(model.frame().particles[0].position - Vec3{0, 0, kLength}) <= kStep * kTenSolved);
  }
}

BOOST_AUTO_TEST_CASE(a_particle_leaves_the_sphere_of_a_strut) {
  // Started on top with v₀, it leaves where cos θ = 2/3 + v₀²/(3 g L), as from a smooth sphere; to first order in h.
  const double v0 = 0.8, exact = 2.0 / 3 + v0 * v0 / (3 * kGravity * kLength);
  for (const char* function : kFunctions) {
    double last = 0;
    for (const double h : {0.01, 0.005, 0.0025, 0.00125}) {
      const ScopedOptions scoped(options(function));
      Model model(particle_on("strut", {0, 0, kLength}, {v0, 0, 0}), h);
      double height = 0, force = 0;  // of the last step with a force, and its next
      bool left = false;
      run(model, static_cast<int>(1 / h), [&](const StepReport& r) {
        BOOST_TEST(!r.failed);
        const Frame f = model.frame();
        const double now = outwards(f), z = f.particles[0].position.z;
        BOOST_TEST(now >= -kTenSolved * kMass / h);
        BOOST_TEST(norm(f.particles[0].position) >= kLength - h * kTenSolved);
        if (left) BOOST_TEST(std::fabs(now) <= kTenSolved * kMass / h);
        if (left || r.step == 1) return;
        left = now <= kTenSolved * kMass / h;
        if (!left) height = z, force = now;
      });
      BOOST_TEST(left);
      // Where the force would have come to nothing: it falls by 3 m g per unit of height.
      const double error = height - force / (3 * kMass * kGravity) * kLength - exact;
      BOOST_TEST_MESSAGE(function << ", h " << h << ": leaves at " << exact + error << ", exact " << exact);
      if (last != 0) BOOST_TEST(std::fabs(std::log2(last / error) - 1) < 0.2);
      last = error;
    }
  }
}

BOOST_AUTO_TEST_CASE(a_rope_with_compliance_is_a_spring_on_one_side) {
  const double k = 8000;  // k h²/m = 0.1: implicit Euler damps by 5 % per step
  for (const char* function : kFunctions)
    for (const double side : {-1.0, 1.0}) {  // the rope hangs, the strut stands
      const ScopedOptions scoped(options(function));
      World w = particle_on(side < 0 ? "rope" : "strut", {0, 0, side * kLength + 0.2});
      w.joints[0].compliance = {1 / k};
      Model model(w, kStep);
      double z = w.particles[0].position.z, v = 0;
      bool stretched = false, slack = false;
      run(model, 1000, [&](const StepReport& r) {
        BOOST_TEST(!r.failed);
        // m (v⁺ − v) = h (k max(0, ±L − z⁺) − m g): of the two branches the one that holds at its own z⁺.
        const double free = v - kStep * kGravity;
        const double caught = (free + kStep * k / kMass * (side * kLength - z)) / (1 + kStep * kStep * k / kMass);
        const bool acts = z + kStep * free < side * kLength;
        v = acts ? caught : free;
        z += kStep * v;
        stretched = stretched || acts;
        slack = slack || (stretched && !acts);
        const Frame f = model.frame();
        const double stretch = std::max(0.0, side * kLength - z);
        BOOST_TEST(std::fabs(f.particles[0].position.z - z) <= kTenSolved);
        BOOST_TEST(std::fabs(f.joints[0].force.z - k * stretch) <= 10 * kForce);
        BOOST_TEST(std::fabs(r.verdict.elastic_energy - 0.5 * k * stretch * stretch) <= k * kTenSolved);
      });
      BOOST_TEST(stretched);
      BOOST_TEST(slack);  // it bounces before it comes to rest
      BOOST_TEST(std::fabs(side * kLength - z - kMass * kGravity / k) <= kTenSolved);
    }
}

BOOST_AUTO_TEST_SUITE_END()
