// Compliant rows: a damped oscillator step by step against implicit Euler, and a row of welded boxes that bends under
// its weight against the equilibrium of the same row.

#include "tests/jointed.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(compliance)

namespace {

/// A cantilever of `parts` boxes along x, welded by joints that bend about y with stiffness k, and to the world by a
/// rigid one.
World beam(int parts, double part, double mass, double k, double damping) {
  World w;
  for (int i = 0; i < parts; ++i) {
    const std::string name = "part_" + std::to_string(i);
    w.bodies.push_back(free_body(name, mass, (mass * part * part / 12) * Vec3{0.1, 1, 1}, {(i + 0.5) * part, 0, 0}));
    JointDescription j = joint_at("weld", "weld_" + std::to_string(i), name, "world", {i * part, 0, 0});
    if (i > 0) {
      j.b = "part_" + std::to_string(i - 1);
      j.compliance = {0, 0, 0, 0, 1 / k, 0};
      j.damping = {0, 0, 0, 0, damping, 0};
    }
    // Ends in both orders.
    if (i % 2 == 1) std::swap(j.a, j.b);
    w.joints.push_back(j);
  }
  return w;
}

/// Slope of each part of the same row at rest: M_i = k sin φ_i at the bend φ_i, M_i the moment of the weights beyond.
std::vector<double> bends_at_rest(int parts, double part, double mass, double k) {
  std::vector<double> bend(parts, 0.0);
  for (int sweep = 0; sweep < 200; ++sweep) {
    std::vector<double> slope(parts, 0.0), centre(parts), joint(parts);
    double x = 0;
    for (int i = 0; i < parts; ++i) {
      slope[i] = (i > 0 ? slope[i - 1] : 0) + bend[i];
      joint[i] = x;
      centre[i] = x + 0.5 * part * std::cos(slope[i]);
      x += part * std::cos(slope[i]);
    }
    for (int i = 1; i < parts; ++i) {
      double moment = 0;
      for (int j = i; j < parts; ++j) moment += mass * kGravity * (centre[j] - joint[i]);
      bend[i] = 0.5 * (bend[i] + std::asin(std::min(moment / k, 1.0)));  // damped: large bends shorten the arms much
    }
  }
  return bend;
}

}  // namespace

BOOST_AUTO_TEST_CASE(damped_oscillator) {
  // m (w⁺ − w) = h (m g − k s⁺ − d w⁺),   s⁺ = s + h w⁺,   s the stretch.
  constexpr double kStep = 0.01, kMass = 2, kLength = 1, k = 300;
  for (const double d : {0.0, 4.0})
    for (const bool world_is_a : {false, true}) {
      const ScopedOptions scoped(kExactSteps + "-snes_atol 1e-13");
      World w;
      const Vec3 start{0, 0, -kLength - 0.1};
      w.particles = {free_particle("p", kMass, start, {0, 0, 0.5})};
      JointDescription j = joint_at("distance", "spring", "p", "world", start);
      j.anchor_b = {};
      j.length = kLength;
      j.compliance = {1 / k};
      j.damping = {d};
      if (world_is_a) {
        std::swap(j.a, j.b);
        std::swap(j.anchor_a, j.anchor_b);
      }
      w.joints = {j};
      Model model(w, kStep);
      double s = 0.1, v = -0.5;
      run(model, 200, [&](const StepReport& r) {
        BOOST_TEST(!r.failed);
        v = (v + kStep * (kGravity - k * s / kMass)) / (1 + kStep * d / kMass + kStep * kStep * k / kMass);
        s += kStep * v;
        const Frame f = model.frame();
        // Rounding of coordinates of size one, forgotten with the damping of implicit Euler; the scales are 0.1 m, 1
        // m/s and 30 N.
        constexpr double kRounding = 1e-12;
        BOOST_TEST(std::fabs(-f.particles[0].position.z - kLength - s) <= 0.1 * kRounding);
        BOOST_TEST(std::fabs(-f.particles[0].velocity.z - v) <= kRounding);
        const double force = (world_is_a ? -1 : 1) * (k * s + d * v);
        BOOST_TEST(std::fabs(f.joints[0].force.z - force) <= 1e3 * kRounding);  // k times what the stretch is good for
        BOOST_TEST(std::fabs(r.verdict.elastic_energy - 0.5 * k * s * s) <= 1e2 * kRounding);
      });
    }
}

BOOST_AUTO_TEST_CASE(rest_shifts_the_spring) {
  // Three springs of a bush along the world's axes, each with its own rest.
  constexpr double kStep = 0.05, kMass = 2;
  const Vec3 k{300, 500, 700}, rest{0.02, -0.03, 0.05};
  World w;
  w.bodies = {free_body("b", kMass, {0.1, 0.1, 0.1}, {1, 2, 3})};
  JointDescription j = joint_at("weld", "bush", "b", "world", {1, 2, 3});
  j.compliance = {1 / k.x, 1 / k.y, 1 / k.z, 0.01, 0.01, 0.01};
  j.rest = {rest.x, rest.y, rest.z, 0, 0, 0};
  w.joints = {j};
  const ScopedOptions scoped(kExactSteps);
  Model model(w, kStep);
  double elastic = 0;
  run(model, 400, [&](const StepReport& r) { elastic = r.verdict.elastic_energy; });
  const double sag = kMass * kGravity / k.z;
  BOOST_TEST(norm(model.frame().bodies[0].position - Vec3{1, 2, 3} - rest + Vec3{0, 0, sag}) <= kTenSolved);
  BOOST_TEST(std::fabs(elastic - 0.5 * k.z * sag * sag) <= k.z * sag * kTenSolved);
}

BOOST_AUTO_TEST_CASE(a_beam_bends_by_the_sum_of_its_bends) {
  const double part = 0.1, mass = 0.2;
  for (const double k : {40.0, 8.0}) {
    const int parts = 8;
    const ScopedOptions scoped(kExactSteps + "-geometric_stiffness exact");
    Model model(beam(parts, part, mass, k, 2.0), 0.02);
    double elastic = 0;
    const RunFigures f = run(model, 1500, [&](const StepReport& r) { elastic = r.verdict.elastic_energy; });
    BOOST_TEST(!f.failed);
    const std::vector<double> bend = bends_at_rest(parts, part, mass, k);
    double slope = 0, energy = 0;
    Vec3 end{};
    const Frame frame = model.frame();
    for (int i = 0; i < parts; ++i) {
      slope += bend[i];
      const Vec3 along{std::cos(slope), 0, -std::sin(slope)};
      energy += 0.5 * k * std::pow(2 * std::sin(0.5 * bend[i]), 2);
      BOOST_TEST(norm(frame.bodies[i].position - end - 0.5 * part * along) <= 10 * kTenSolved);
      end += part * along;
    }
    BOOST_TEST_MESSAGE("k " << k << ": tip " << end.z << " m, elastic " << elastic << " J, newton " << f.newton_mean);
    BOOST_TEST(std::fabs(elastic - energy) <= 10 * k * kTenSolved);
    // The root carries it all: the weight and its moment.
    BOOST_TEST(std::fabs(frame.joints[0].force.z - parts * mass * kGravity) <= 1e-7);
    // Small bends: discrete beam theory, φ_i = M_i/k with M_i = m g ℓ (n − i)²/2.
    double linear = 0;
    for (int i = 1; i < parts; ++i)
      linear += mass * kGravity * part * std::pow(parts - i, 2) / (2 * k) * (parts - i) * part;
    BOOST_TEST(std::fabs(-end.z / linear - 1) <=
               std::pow(linear / (parts * part), 2));  // cos − 1 and sin of the slopes
  }
}

BOOST_AUTO_TEST_SUITE_END()
