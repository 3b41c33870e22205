// Slip is that of the middle of a step, at a place both sides share (theory N1b): what turns as one body does not slip,
// whatever the angle, and what sticks stays where it is.

#include "framework/math/quat.hpp"
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(friction_arms)

namespace {

constexpr double kStep = 0.01;

/// Velocities of all rows of the contacts of `model`, whose two bodies turn by `turn` (2 tan ½θ along the axis) about
/// `pivot` in the step and move by `along`.
std::vector<double> rows_of_a_common_motion(Model& model, const Vec3& turn, const Vec3& pivot, const Vec3& along) {
  StepProblem& problem = model.problem();
  const Entities& all = problem.entities();
  const auto block_of = host_copy(all.block_of);
  const auto x = host_copy(problem.state().x);
  const Vec3 w = (1 / kStep) * turn;
  const Quat q = advance(Quat{}, w, kStep);
  std::vector<Vec3> u(all.blocks);
  for (int e = 0; e < all.bodies; ++e) {
    if (block_of(e).w < 0) continue;
    const Vec3 r = x(e) - pivot;
    u[block_of(e).v] = (1 / kStep) * (rotate(q, r) - r + along);
    u[block_of(e).w] = w;
  }
  const View<double> impulse("impulse", problem.system().pattern.rows);
  problem.evaluate(to_device("u", u), impulse, false);
  for (int c = 0; c < problem.contributors(); ++c)
    if (const RowSet* rows = problem.contributor(c).rows()) {
      std::vector<double> v;
      to_host(rows->velocity, v);
      return v;
    }
  return {};
}

/// Two boxes that touch, or nearly, high above the ground.
World pair(double gap) {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("below", {0.1, 0.08, 0.05}, 1, {0.3, 0, 10}));
  w.bodies.push_back(box("above", {0.05, 0.06, 0.04}, 3, {0.31, 0.02, 10.09 + gap}));
  return w;
}

/// Rows of that pair in a common motion by an angle of about `angle` [m/s].
std::vector<double> rows_of_the_pair(double gap, double angle) {
  Model model(pair(gap), kStep);
  model.prepare();
  const std::vector<double> v =
      rows_of_a_common_motion(model, angle * normalized(Vec3{0.3, -0.8, 0.5}), {-0.2, 0.4, 9.5}, {0.1, -0.3, 0.2});
  BOOST_TEST(v.size() >= 12U);  // four corners
  return v;
}

/// Largest slip of that pair in such a motion [m/s].
double largest_slip(double gap, double angle) {
  const std::vector<double> v = rows_of_the_pair(gap, angle);
  double slip = 0;
  for (std::size_t i = 0; i < v.size(); ++i)
    if (i % 3 != 0) slip = std::fmax(slip, std::fabs(v[i]));
  return slip;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_turns_as_one_does_not_slip) {
  constexpr double kRounding = 1e-11;  // of positions of 10 m over a step of 0.01 s
  for (const double angle : {1e-3, 0.1, 1.0, 3.0}) BOOST_TEST(largest_slip(0, angle) < kRounding, angle);
}

/// d⁻ stands for the mean of d⁻ and d⁺, which is ½ h ω² of it off: of the gap, and not of the distance of centres.
BOOST_AUTO_TEST_CASE(what_turns_as_one_beside_a_gap) {
  constexpr double kGap = 1e-4, kAngle = 0.02;
  constexpr double kSecondOrder = 0.5 * kAngle * kAngle * kGap / kStep;
  constexpr double kRounding = 1e-11;
  BOOST_TEST(largest_slip(kGap, kAngle) < 1.1 * kSecondOrder + kRounding);
  BOOST_TEST(largest_slip(kGap, kAngle) < 1e-2 * 0.5 * kAngle * kAngle * 0.09 / kStep);  // what it is with arms of q⁺
}

/// Two faces that land on each other from a growing distance: d⁻ has less and less part in the arms of their corners,
/// which are 0.08 to 0.11 m long, and in none of them all of a sudden, for rows that had it and rows that had not would
/// contradict each other. h v_t of a common motion by θ is θ (1 − w) |d⁻|, of a slope of at most 2 θ.
BOOST_AUTO_TEST_CASE(faces_that_land_slip_continuously) {
  constexpr double kAngle = 0.02, kMore = 5e-4;
  constexpr double kSlope = 2 * kAngle / kStep, kHigherOrder = 1.1;
  constexpr double kRounding = 1e-11;  // of positions of 10 m over a step of 0.01 s
  const ScopedOptions scoped("-contact_margin 0.03");
  std::vector<double> last = rows_of_the_pair(0, kAngle);
  for (int k = 1; k * kMore < 0.025; ++k) {
    const std::vector<double> v = rows_of_the_pair(k * kMore, kAngle);
    BOOST_REQUIRE(v.size() == last.size());
    for (std::size_t i = 0; i < v.size(); ++i)
      if (i % 3 != 0)
        BOOST_TEST(std::fabs(v[i] - last[i]) < kHigherOrder * kSlope * kMore + kRounding, k * kMore << " m, row " << i);
    last = v;
  }
}

/// A box that falls over its edge, which sticks: the edge stays where it is, to what the steps are solved to.
BOOST_AUTO_TEST_CASE(an_edge_that_sticks_stays) {
  constexpr double kVelocity = 1e-9;  // -snes_atol of the preset
  constexpr int kSteps = 40;
  World w = world_with_plane(3);
  const Vec3 half{0.1, 0.1, 0.2};
  BodyDescription b = box("b", half, 2, {});
  const double lean = 0.6;  // beyond atan(0.1/0.2), where it would stand
  b.orientation = from_axis_angle({0, 1, 0}, lean);
  const Vec3 edge{half.x, 0, -half.z};
  b.position = -1.0 * rotate(b.orientation, edge);
  w.bodies.push_back(b);
  const ScopedOptions scoped(preset_options("robust") + "-near_rigid_compliance 0 ");
  Model model(w, kStep);
  double moved = 0, turned = 0;
  const RunFigures f = run(model, kSteps, [&](const StepReport&) {
    const FrameBody at = model.frame().bodies[1];
    moved = std::fmax(moved, norm(at.position + rotate(at.orientation, edge)));
    turned = at.angular_velocity.y;
  });
  BOOST_TEST(f.failed == 0);
  BOOST_TEST(turned > 2.0);  // rad/s: it does fall
  BOOST_TEST(moved < 10 * kSteps * kStep * kVelocity);
}

BOOST_AUTO_TEST_SUITE_END()
