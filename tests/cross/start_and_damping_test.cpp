// Where Newton starts, how far it steps, how it regularises and whether it sees geometric stiffness decide how it gets
// there, not where: the converged step is the same.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(start_and_damping)

namespace {

// [m/s] -snes_atol. Redundant contacts let impulses wander by eps over the shift, so 1e-10 is out of reach with 1e-6.
constexpr double kTolerance = 2e-9;
constexpr double kSame = 10 * kTolerance;  // [m/s] two solutions, each solved to the tolerance
constexpr double kStep = 1.0 / 120;

const std::string kAccurate = "-ksp_type preonly -pc_type cholesky -snes_atol 2e-9 -snes_max_it 200 ";

/// Two boxes on each other, the upper one thrown across the lower one, on a slope.
World boxes() {
  const Vec3 n = normalized(Vec3{0.2, 0, 1});
  World w = world_with_plane(0.5, n);
  for (int i = 0; i < 2; ++i) {
    BodyDescription b = box("b" + std::to_string(i), {0.5, 0.4, 0.25}, 3 + i, (0.25 + 0.5 * i) * n);
    b.orientation = from_axis_angle(Vec3{0, 1, 0}, std::atan2(n.x, n.z));
    w.bodies.push_back(b);
  }
  w.bodies.back().velocity = {0.3, 1, 0};
  return w;
}

/// Three rods on ball joints, swinging, the last one a hundred times heavier: the case for geometric stiffness.
World chain() {
  World w = world_with_plane(0.5);
  w.gravity = {0, 0, -9.81};
  for (int i = 0; i < 3; ++i) {
    BodyDescription b = box("r" + std::to_string(i), {0.5, 0.05, 0.05}, i == 2 ? 100 : 1, {0.5 + i, 0, 5});
    b.velocity = {0, 0, -2.0 * (0.5 + i)};
    b.angular_velocity = {0, 2, 0};
    w.bodies.push_back(b);
    JointDescription j;
    j.type = "ball";
    j.name = "j" + std::to_string(i);
    j.a = b.name;
    j.b = i == 0 ? "world" : "r" + std::to_string(i - 1);
    j.anchor_a = j.anchor_b = {1.0 * i, 0, 5};
    w.joints.push_back(j);
  }
  return w;
}

struct Run {
  std::vector<std::vector<Vec3>> velocity;  // after every step, per block
  double newton = 0;
};

/// The first steps under `options` (a value given twice counts as given last).
Run run_steps(const World& world, const std::string& options, int steps) {
  const ScopedOptions scoped(kAccurate + options);
  Model model(world, kStep);
  Run out;
  for (int i = 0; i < steps; ++i) {
    const StepReport r = model.step();
    BOOST_TEST_CONTEXT(options << ", step " << i) BOOST_TEST(r.reason == "converged");
    out.newton += r.newton_iterations / double(steps);
    out.velocity.emplace_back();
    to_host(model.state().u, out.velocity.back());
  }
  return out;
}

double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double out = a.size() == b.size() ? 0 : std::nan("");
  for (std::size_t i = 0; i < a.size(); ++i) out = std::fmax(out, norm(a[i] - b[i]));
  return out;
}

/// Every option set gives the velocities of the first one in each of the steps.
void check_same(const World& world, const std::vector<std::string>& options, int steps) {
  const Run reference = run_steps(world, options.front(), steps);
  for (const std::string& other : options) {
    const Run run = run_steps(world, other, steps);
    double difference = 0;
    for (int i = 0; i < steps; ++i)
      difference = std::fmax(difference, largest_difference(run.velocity[i], reference.velocity[i]));
    BOOST_TEST_MESSAGE(other << ": " << run.newton << " iterations, difference " << difference << " m/s");
    BOOST_TEST_CONTEXT(other) BOOST_TEST(difference < kSame);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(start) {
  for (const World& world : {boxes(), chain()})
    check_same(world, {"-newton_start zero", "-newton_start unconstrained", "-newton_start warm"}, 4);
}

BOOST_AUTO_TEST_CASE(damping) {
  for (const World& world : {boxes(), chain()})
    for (const char* start : {"-newton_start zero ", "-newton_start warm "})
      check_same(world,
                 {std::string(start) + "-newton_damping 1", std::string(start) + "-newton_damping 0.75",
                  std::string(start) + "-newton_damping 0.5"},
                 4);
}

BOOST_AUTO_TEST_CASE(shift) {
  for (const World& world : {boxes(), chain()})
    check_same(world,
               {"-regularisation_rule fixed -regularisation_relative 1e-6",
                "-regularisation_rule fixed -regularisation_relative 1e-4", "-regularisation_rule residual",
                "-regularisation_rule fixed -regularisation_absolute 1e-5"},
               4);
}

BOOST_AUTO_TEST_CASE(geometric_stiffness) {
  for (const World& world : {boxes(), chain()})
    for (const char* form : {"schur", "saddle", "stiffness"}) {
      const std::string options = std::string("-pc_factor_mat_solver_type mumps -system_form ") + form;
      check_same(world, {options + " -geometric_stiffness none", options + " -geometric_stiffness secant"}, 4);
    }
}

BOOST_AUTO_TEST_CASE(corner) {
  check_same(boxes(),
             {"-ncp_corner active", "-ncp_corner inactive", "-ncp_corner symmetric", "-ncp_corner_radius 1e-6"}, 4);
}

BOOST_AUTO_TEST_SUITE_END()
