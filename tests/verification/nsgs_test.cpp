// Gauss-Seidel over contacts: the same motion as Newton where it converges, joints and bounded rows included; its
// sweeps as a start of Newton; what relaxation and order change, and what they do not.

#include "tests/jointed.hpp"
#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(nsgs)

namespace {

constexpr double kStep = 1.0 / 120;
// Both solve to 1e-10 m/s in every one of 30 steps of 1/120 s; differences add up.
constexpr double kSame = 1e-7;

const std::string kNewton =
    "-ksp_type preonly -pc_type lu -snes_atol 1e-10 -snes_max_it 60 -friction_map disc_projection_coupled ";
const std::string kSweeps = "-snes_type nsgs -snes_atol 1e-10 -snes_max_it 60 -nsgs_sweeps 200 ";

World slope(double mu) {
  const Vec3 n = normalized(Vec3{0.4, 0.3, 0.8660254});
  World w = world_with_plane(mu, n);
  BodyDescription b = box("b", {0.5, 0.5, 0.25}, 10, 0.25 * n);
  b.orientation = from_axis_angle(normalized(cross(Vec3{0, 0, 1}, n)), std::acos(n.z));
  w.bodies.push_back(b);
  return w;
}

World tumbling() {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("b", {0.5, 0.3, 0.2}, 5, {0, 0, 0.45}));
  w.bodies[1].orientation = from_axis_angle(normalized(Vec3{1, 2, 0.5}), 0.7);
  w.bodies[1].angular_velocity = {1, 2, 3};
  return w;
}

World stack() {
  World w = world_with_plane(0.5);
  for (int i = 0; i < 3; ++i) {
    std::string name = "b";
    name += std::to_string(i);
    w.bodies.push_back(box(name, {0.5, 0.5, 0.5}, 1 << i, {0.05 * i, 0, 0.5 + i}));
  }
  return w;
}

/// A rod on a hinge with a limit and a drive of limited effort that lets its end fall on the ground.
World jointed() {
  World w = world_with_plane(0.4);
  w.bodies.push_back(box("rod", {0.5, 0.05, 0.05}, 1, {0.5, 0, 0.45}));
  w.bodies.push_back(box("tip", {0.05, 0.05, 0.2}, 1, {1, 0, 0.21}));
  JointDescription hanger = joint_at("hinge", "hanger", "rod", "world", {0, 0, 0.45});
  hanger.axis = {0, 1, 0};
  hanger.coordinates.resize(1);
  hanger.coordinates[0].driven = true;
  hanger.coordinates[0].drive_damping = 20;
  hanger.coordinates[0].effort = 2;
  hanger.coordinates[0].upper = 0.3;
  JointDescription elbow = joint_at("ball", "elbow", "tip", "rod", {1, 0, 0.45});
  elbow.compliance = {1e-6};
  w.joints = {hanger, elbow};
  return w;
}

struct Outcome {
  std::vector<Vec3> x;
  RunFigures figures;
  long start_sweeps = 0;
  double first_error = 0;  // [m/s] largest velocity error of a first iterate
};

Outcome go(const World& world, const std::string& options, int steps = 30) {
  const ScopedOptions scoped(options);
  Model model(world, kStep);
  Outcome o;
  o.figures = run(model, steps, [&](const StepReport& r) {
    o.first_error = std::max(o.first_error, r.newton.front().velocity_error);
    // All islands are solved together here, so every row takes part in every iteration.
    if (r.contacts > 0) BOOST_TEST(r.linear_iterations_per_row == r.linear_iterations);
    const auto found = r.safeguards.find("newton_start_sweeps");
    if (found != r.safeguards.end()) o.start_sweeps += found->second;
  });
  o.x = body_positions(model);
  return o;
}

double distance(const Outcome& a, const Outcome& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) d = std::max(d, norm(a.x[i] - b.x[i]));
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE(same_motion_as_newton) {
  const struct {
    const char* name;
    World world;
    double error;  // [m/s] in every step
  } cases[] = {{"sliding box", slope(0.3), 1e-10},
               {"sticking box", slope(0.9), 1e-10},
               {"tumbling box", tumbling(), 1e-10},
               {"stack", stack(), 1e-10},
               // Limit, drive and contact of one mechanism: 12,000 sweeps leave up to 7e-6 m/s in single steps.
               {"joints, drive and limit", jointed(), 1e-5}};
  for (const auto& c : cases) {
    const Outcome newton = go(c.world, kNewton);
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST(newton.figures.velocity_error <= 1e-10);
      for (const char* variant : {"", "-nsgs_symmetric true", "-nsgs_relaxation 1.2"}) {
        const Outcome sweeps = go(c.world, kSweeps + variant);
        BOOST_TEST_MESSAGE(c.name << " " << variant << ": " << sweeps.figures.newton_mean << " linearisations, "
                                  << sweeps.figures.linear_mean << " sweeps per step, error "
                                  << sweeps.figures.velocity_error);
        BOOST_TEST(sweeps.figures.velocity_error <= c.error);
        BOOST_TEST(distance(newton, sweeps) < (c.error > 1e-10 ? 10 * kSame : kSame));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(sweeps_start_newton) {
  const World w = stack();
  const Outcome cold = go(w, kNewton + "-newton_start zero", 10);
  const Outcome swept = go(w, kNewton + "-newton_start zero -newton_start_sweeps 100", 10);
  BOOST_TEST(cold.start_sweeps == 0);
  BOOST_TEST(swept.start_sweeps == 1000);  // 10 steps
  BOOST_TEST(distance(cold, swept) < kSame);
  BOOST_TEST(swept.figures.newton_mean <= cold.figures.newton_mean);
  BOOST_TEST(swept.first_error < 0.1 * cold.first_error);  // that is what a start is for
  BOOST_TEST_MESSAGE("Newton from zero " << cold.figures.newton_mean << " from " << cold.first_error
                                         << " m/s, after 100 sweeps " << swept.figures.newton_mean << " from "
                                         << swept.first_error);
}

BOOST_AUTO_TEST_CASE(sweeps_are_counted) {
  const Outcome o = go(stack(), "-snes_type nsgs -newton_start zero -snes_atol 0 -snes_max_it 3 -nsgs_sweeps 7", 5);
  BOOST_TEST(o.figures.newton_mean == 3);
  BOOST_TEST(o.figures.linear_mean == 21);
  // A tolerance ends a round early.
  const Outcome early = go(stack(), kSweeps + "-nsgs_tolerance 1e-6", 5);
  const Outcome all = go(stack(), kSweeps, 5);
  BOOST_TEST(early.figures.linear_mean < all.figures.linear_mean);
}

BOOST_AUTO_TEST_SUITE_END()
