// Compliant contact: depth and creep at rest, one step after another against implicit Euler's recurrence, the balance
// of energy, even distribution of redundant forces, and the same solution by every contact law. Numbers of an
// independent implementation where they are given with digits.

#include "tests/property/random.hpp"
#include "tests/scene_file.hpp"
#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(compliant_contact)

namespace {

constexpr double kStep = 1.0 / 120, kMass = 10, kGravity = 9.81, kWeight = kMass * kGravity;
constexpr double kPi = 3.14159265358979323846;
constexpr Vec3 kHalf{0.5, 0.5, 0.25};
const std::string kAccurate = "-ksp_type preonly -pc_type cholesky -snes_atol 1e-12 -snes_max_it 60 -newton_damping 1 ";

World soft_world(double mu, double k_n, double k_f = std::numeric_limits<double>::infinity(), double d_n = 0,
                 Vec3 normal = {0, 0, 1}) {
  World w = world_with_plane(mu, normal);
  MaterialDescription& m = w.materials["m"];
  m.contact_stiffness = k_n;
  m.contact_damping = d_n;
  m.friction_stiffness = k_f;
  return w;
}

World box_on_points(World w, const std::vector<Vec3>& points) {
  BodyDescription b = box("b", kHalf, kMass, {0, 0, kHalf.z});
  b.contact_points = points;
  w.bodies.push_back(b);
  return w;
}

std::vector<Vec3> grid(int n) {
  std::vector<Vec3> out;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      out.push_back({kHalf.x * (2.0 * i / (n - 1) - 1), kHalf.y * (2.0 * j / (n - 1) - 1), -kHalf.z});
  return out;
}

/// Normal forces [N] by contact, in the order of the contacts.
std::vector<double> forces(const Model& model) {
  std::vector<double> out;
  for (const FrameContact& c : model.frame().contacts) out.push_back(norm(c.normal_force));
  return out;
}

/// Creep speed [m/s] and positions of a box on a slope of 30 degrees, mu = 0.8, after 60 steps.
double creep(double k_f, const std::string& options) {
  const ScopedOptions scoped(kAccurate + options);
  const double angle = kPi / 6;
  const Vec3 n{std::sin(angle), 0, std::cos(angle)}, fall{std::cos(angle), 0, -std::sin(angle)};
  World w = soft_world(0.8, 1e8, k_f, 0, n);
  BodyDescription b = box("b", kHalf, kMass, 0.25 * n);
  b.orientation = from_axis_angle({0, 1, 0}, angle);
  w.bodies.push_back(b);
  Model model(w, kStep);
  const RunFigures f = run(model, 60);
  BOOST_TEST(f.failed == 0);
  return dot(model.frame().bodies[1].velocity, fall);
}

}  // namespace

BOOST_AUTO_TEST_CASE(rest_depth) {
  // W/(n k_n) to the digits of the reference: 98.1 N on four points of 1e8 N/m.
  const ScopedOptions scoped(kAccurate);
  Model model(box_on_points(soft_world(0.5, 1e8), grid(2)), kStep);
  StepReport last;
  run(model, 60, [&](const StepReport& r) { last = r; });
  constexpr double kDigits = 1e-13;  // seven digits of 2.4525e-7 m
  BOOST_TEST(std::fabs(last.verdict.penetration.value - 2.452500e-07) < kDigits);
  BOOST_TEST(last.verdict.velocity_error.value < 1e-11);
  BOOST_TEST(std::fabs(last.verdict.elastic_energy - 0.5 * kWeight * 2.4525e-7) < 1e-6 * kWeight * 2.4525e-7);
}

BOOST_AUTO_TEST_CASE(two_materials_act_in_series) {
  const ScopedOptions scoped(kAccurate);
  const auto depth = [](double k_body, double k_ground) {
    World w = box_on_points(soft_world(0.5, k_ground), grid(2));
    w.materials["other"] = w.materials["m"];
    w.materials["other"].contact_stiffness = k_body;
    w.bodies[1].material = "other";
    Model model(w, kStep);
    double last = 0;
    run(model, 80, [&](const StepReport& r) { last = r.verdict.penetration.value; });
    return last;
  };
  const double hard = std::numeric_limits<double>::infinity();
  const double equal = kWeight / (4 * 1e6);
  constexpr double kDigits = 1e-6;  // relative; settled to that after 80 steps
  BOOST_TEST(std::fabs(depth(1e6, 1e6) / equal - 1) < kDigits);
  BOOST_TEST(std::fabs(depth(1e6, hard) / (equal / 2) - 1) < kDigits);  // one of two springs in series
  BOOST_TEST(std::fabs(depth(hard, 1e6) / (equal / 2) - 1) < kDigits);
  BOOST_TEST(std::fabs(depth(1e6, 3e6) / (equal * 2 / 3) - 1) < kDigits);
  BOOST_TEST(depth(hard, hard) < 1e-12);
}

BOOST_AUTO_TEST_CASE(damped_bounce_step_by_step) {
  // m (w⁺ − w) = h (−m g + λ),  λ = max(0, −k z⁺ − d w⁺),  z⁺ = z + h w⁺, a particle above the ground.
  constexpr double kTight = 1e-12;
  for (const double d : {0.0, 30.0}) {
    const double k = 2e4, h = 1e-3, m = 2;
    const ScopedOptions scoped(kAccurate);
    World w = soft_world(0, k, std::numeric_limits<double>::infinity(), d);
    ParticleDescription p;
    p.name = "p", p.mass = m, p.position = {0, 0, 0.02}, p.material = "m";
    w.particles.push_back(p);
    Model model(w, h);
    double z = 0.02, v = 0, energy = m * kGravity * z, deepest = 0;
    for (int i = 0; i < 400; ++i) {
      const StepReport r = model.step();
      double next = v - h * kGravity;
      if (k * (z + h * next) + d * next < 0)
        next = (v - h * kGravity - h * k * z / m) / (1 + h * h * k / m + h * d / m);
      v = next;
      z += h * v;
      deepest = std::min(deepest, z);
      const FrameParticle state = model.frame().particles[0];
      BOOST_TEST(std::fabs(state.position.z - z) < kTight);
      BOOST_TEST(std::fabs(state.velocity.z - v) < 1e3 * kTight);
      const double now = r.verdict.kinetic_energy + r.verdict.potential_energy + r.verdict.elastic_energy;
      BOOST_TEST(now <= energy + 1e-12);  // implicit Euler and the damper only take
      energy = now;
      if (z < 0 && r.verdict.elastic_energy > 0)
        BOOST_TEST(std::fabs(r.verdict.elastic_energy - 0.5 * k * z * z) < 1e-9 * (d > 0 ? 1 : 1e3));
    }
    BOOST_TEST(deepest < -5e-3);  // it did bounce
  }
}

BOOST_AUTO_TEST_CASE(creep_of_a_sticking_box) {
  // The uphill contacts slip with 12.087 N each, the two others carry 12.4385 N: v = 12.4385/κ. Four digits of the
  // reference.
  constexpr double kDigits = 1e-7;
  BOOST_TEST(std::fabs(creep(1e4, "-friction_stiffness_kind viscous") - 1.2439e-3) < kDigits);
  BOOST_TEST(std::fabs(creep(1e6, "-friction_stiffness_kind displacement") - 1.4926e-3) < kDigits);
  // Without the relaxation nothing moves.
  BOOST_TEST(std::fabs(creep(1e6, "-contact_relaxation none")) < 1e-10);
}

BOOST_AUTO_TEST_CASE(options_stand_in_for_materials) {
  const ScopedOptions scoped(kAccurate + "-contact_stiffness 1e6");
  Model model(box_on_points(world_with_plane(0.5), grid(2)), kStep);
  double depth = 0;
  run(model, 80, [&](const StepReport& r) { depth = r.verdict.penetration.value; });
  BOOST_TEST(std::fabs(depth / (kWeight / 4e6) - 1) < 1e-6);
}

BOOST_AUTO_TEST_CASE(redundant_forces_are_equal) {
  // Nine points under a box: hard contact gives 5.9 N to 34.2 N, compliant contact a ninth of the weight to each.
  constexpr double kEqual = 0.01;  // the 1 %
  const ScopedOptions scoped(kAccurate);
  for (const int n : {2, 3, 4}) {
    Model model(box_on_points(soft_world(0.5, 1e6), grid(n)), kStep);
    run(model, 60);
    const std::vector<double> f = forces(model);
    BOOST_TEST(f.size() == static_cast<std::size_t>(n * n));
    for (const double force : f) BOOST_TEST(std::fabs(force * n * n / kWeight - 1) < kEqual);
  }
}

BOOST_AUTO_TEST_CASE(twelve_irregular_points) {
  // Least Σ λ² among all forces that balance the weight: λ_i = a + b x_i + c y_i, as depth is affine in the position.
  Random random(3);
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.push_back({random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), -kHalf.z});
  double s[3][4] = {};
  for (const Vec3& p : points) {
    const double row[3] = {1, p.x, p.y};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) s[i][j] += row[i] * row[j];
  }
  s[0][3] = kWeight;  // balance of force; moments about the centre vanish
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) {
      if (i == k) continue;
      const double f = s[i][k] / s[k][k];
      for (int j = 0; j < 4; ++j) s[i][j] -= f * s[k][j];
    }
  const auto expected = [&](const Vec3& p) {
    return s[0][3] / s[0][0] + p.x * s[1][3] / s[1][1] + p.y * s[2][3] / s[2][2];
  };
  std::vector<Vec3> reversed(points.rbegin(), points.rend());
  for (const double k : {1e5, 1e7}) {
    // The box tilts by about its depth over its size, which moves arms and, friction being hard and redundant, depends
    // a little on how it got there. A fifth of that for the distribution (the reference: 3e-4 N at 1e5 N/m), a tenth of
    // this for the order.
    const double kTilt = 0.2 * kWeight * (kWeight / (12 * k)) / kHalf.x, kSame = 0.1 * kTilt;
    const ScopedOptions scoped(kAccurate);
    Model forward(box_on_points(soft_world(0.5, k), points), kStep);
    Model backward(box_on_points(soft_world(0.5, k), reversed), kStep);
    run(forward, 240);  // the box tilts to its rest, which takes longer than falling
    run(backward, 240);
    const std::vector<double> f = forces(forward), g = forces(backward);
    BOOST_TEST(f.size() == 12u);
    double deviation = 0, difference = 0;
    for (int i = 0; i < 12; ++i) {
      deviation = std::max(deviation, std::fabs(f[i] - expected(points[i])));
      difference = std::max(difference, std::fabs(f[i] - g[11 - i]));
      BOOST_TEST(std::fabs(f[i] - expected(points[i])) < kTilt);
      BOOST_TEST(std::fabs(f[i] - g[11 - i]) < kSame);
    }
    BOOST_TEST_MESSAGE("k_n " << k << ": " << deviation << " N from least squares, " << difference
                              << " N between the two orders");
  }
}

BOOST_AUTO_TEST_CASE(every_law_finds_the_same_motion) {
  // Soft enough that compliance is not small beside W: a box thrown on the floor, sliding and turning.
  std::vector<Vec3> end;
  constexpr double kSame = 1e-8;  // 60 steps solved to 1e-12 m/s
  for (const char* law :
       {"-friction_map disc_projection", "-friction_map disc_projection -ncp_function minimum_map",
        "-friction_map disc_projection -ncp_function penalized_fischer_burmeister",
        "-friction_map disc_projection_coupled -pc_type lu", "-contact_law soc_fischer_burmeister -pc_type lu",
        "-friction_map disc_projection -r_factor global", "-snes_type nsgs -nsgs_sweeps 500"}) {
    const ScopedOptions scoped(kAccurate + "-friction_stiffness_kind viscous " + law);
    World w = soft_world(0.4, 2e4, 1e3, 20);
    w.bodies.push_back(box("b", {0.3, 0.2, 0.1}, 3, {0, 0, 0.12}));
    w.bodies[1].velocity = {0.5, 0.2, -0.5};
    w.bodies[1].angular_velocity = {0.3, 0, 0.5};
    Model model(w, kStep);
    const RunFigures f = run(model, 60);
    BOOST_TEST_CONTEXT(law) {
      BOOST_TEST(f.velocity_error < 1e-11);
      end.push_back(model.frame().bodies[1].position);
      BOOST_TEST(norm(end.back() - end.front()) < kSame);
      BOOST_TEST_MESSAGE(law << ": " << f.newton_mean << " iterations per step");
    }
  }
}

BOOST_AUTO_TEST_CASE(velocity_level_keeps_springs) {
  // Moreau-Jean: hard contacts are laws of velocities there, compliant ones stay springs.
  const ScopedOptions scoped(kAccurate + "-integrator moreau_jean -moreau_jean_theta 1");
  Model model(box_on_points(soft_world(0.5, 1e6), grid(2)), kStep);
  double depth = 0;
  run(model, 80, [&](const StepReport& r) { depth = r.verdict.penetration.value; });
  BOOST_TEST(std::fabs(depth / (kWeight / 4e6) - 1) < 1e-6);
}

BOOST_AUTO_TEST_CASE(bad_materials_are_refused) {
  const auto message = [](const std::string& material) {
    try {
      scene_from("time: {step: 0.1, end: 1}\nmaterials: {m: {" + material +
                 "}}\nparticles: [{name: p, mass: 1, position: [0, 0, 1]}]\n");
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  BOOST_TEST(message("contact_stiffness: 1e6, contact_damping: 10") == "accepted");
  BOOST_TEST(message("contact_damping: 10").find("contact_stiffness") != std::string::npos);
  BOOST_TEST(message("contact_stiffness: 0").find("contact_stiffness") != std::string::npos);
  BOOST_TEST(message("contact_stiffness: 1e6, restitution: 0.5").find("restitution") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
