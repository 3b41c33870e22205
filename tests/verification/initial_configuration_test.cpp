// A model starts on its joints, is moved onto them on request, or is refused with the joint's name.

#include "tests/verification/mechanisms.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(initial_configuration)

namespace {

/// The four-bar with the coupler's anchors off by some millimetres, in the plane and out of it.
World four_bar_off(double by) {
  World w = four_bar();
  w.joints[1].anchor_b = w.joints[1].anchor_b + by * Vec3{0.6, 0, -0.8};
  w.joints[3].anchor_b = w.joints[3].anchor_b + by * Vec3{0.5, 0, 0.3};
  return w;
}

/// ‖d‖ in M, and what is left of it outside of the range of M⁻¹Jᵀ at the configuration found.
struct Correction {
  double size, free;
};
Correction correction(Model& model, const World& world) {
  JointConfiguration joints(model.problem());
  const RigidRows rows = joints.evaluate(model.state());
  const Frame frame = model.frame();
  Eigen::VectorXd xi(rows.jacobian.cols());
  for (std::size_t e = 0; e < frame.bodies.size(); ++e) {
    const Vec3 dx = frame.bodies[e].position - world.bodies[e].position;
    const Quat q = frame.bodies[e].orientation * conjugate(world.bodies[e].orientation);
    const Vec3 v{q.x, q.y, q.z};
    const double s = norm(v);
    const Vec3 turn = s > 0 ? (2 * std::atan2(s, q.w) / s) * v : Vec3{};
    for (int k = 0; k < 3; ++k) {
      xi(6 * e + k) = dx[k];
      xi(6 * e + 3 + k) = turn[k];
    }
  }
  for (std::size_t b = 0; b < rows.mass_root.size(); ++b)
    xi.segment<3>(3 * b) = rows.mass_root[b].inverse() * xi.segment<3>(3 * b).eval();
  const Eigen::MatrixXd B = Eigen::MatrixXd(rows.scaled_jacobian()).transpose();
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> complete;
  complete.setThreshold(1e-6);
  const Eigen::VectorXd inside = B * complete.compute(B).solve(xi);
  return {xi.norm(), (xi - inside).norm()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(violated_joint_is_refused_by_name) {
  const ScopedOptions options("");
  World w = four_bar();
  w.joints.pop_back();  // an open chain: nothing contradicts
  w.joints[1].name = "door";
  w.joints[1].anchor_b.z += 0.0032;
  const std::string text = refusal(w);
  BOOST_TEST(holds(text, "joint 'hinge door' is violated by 3.2 mm at the start"), text);
  BOOST_TEST(holds(text, "-project_initial"), text);
  w.joints[1].anchor_b.z -= 0.0032 - 1e-7;
  BOOST_TEST(refusal(w) == "");
  // Compliant joints start where they like.
  w.joints[1].anchor_b.z += 0.1;
  w.joints[1].compliance = {1e-4};
  BOOST_TEST(refusal(w) == "");
}

BOOST_AUTO_TEST_CASE(motion_is_judged_at_its_start) {
  const ScopedOptions options("");
  World w = four_bar();
  w.joints.pop_back();
  w.joints[0].coordinates.resize(1);
  w.joints[0].coordinates[0].motion = TimeFunction(0.1);  // rad, and the scene gives 0
  const std::string text = refusal(w);
  BOOST_TEST(holds(text, "joint 'hinge a: motion' is violated by 5.73 deg"), text);
}

BOOST_AUTO_TEST_CASE(limits_are_judged_too) {
  World w = four_bar();
  w.joints.pop_back();
  w.joints[0].coordinates.resize(1);
  w.joints[0].coordinates[0].start = 0.3;
  w.joints[0].coordinates[0].upper = 0.2;
  const std::string what = "joint 'hinge a: upper limit' is beyond its bound by 5.73 deg";
  {
    const ScopedOptions options("");
    BOOST_TEST(holds(refusal(w), what), refusal(w));
  }
  const ScopedOptions options("-project_initial");
  BOOST_TEST(holds(refusal(w), what), refusal(w));
  w.joints[0].coordinates[0].limit_compliance = 0.01;
  BOOST_TEST(refusal(w) == "");
  w.joints[0].coordinates[0].limit_compliance = 0;
  w.joints[0].coordinates[0].upper = 0.3;
  BOOST_TEST(refusal(w) == "");
}

BOOST_AUTO_TEST_CASE(four_bar_closes_to_rounding_by_the_shortest_way) {
  const ScopedOptions options("-project_initial -check_constraints");
  for (double by : {0.004, 0.04}) {
    const World w = four_bar_off(by);
    Model model(w, 0.01);
    const InitialProjection& p = *model.initial().projection();
    BOOST_TEST_MESSAGE(p.text() << ", " << p.iterations << " iterations");
    BOOST_TEST(p.violation_before > 0.5 * by);
    BOOST_TEST(p.violation_after < 1e-13);
    BOOST_TEST(p.iterations < 15);
    BOOST_TEST(p.moved > 0.1 * by);
    const Correction c = correction(model, w);
    BOOST_TEST(c.size > 0.1 * by);
    BOOST_TEST(c.free < 1e-8 * c.size);  // steps below 1e-11 end the iteration
    const nlohmann::json record = model.initial().record();
    BOOST_TEST(record["initial_projection"]["where"] == "hinge b");
    BOOST_TEST(record["constraints"]["rank"] == 17);
    BOOST_TEST(holds(p.text(), "project_initial: moved body '"), p.text());
    // And it runs: the first step finds nothing to repair.
    const StepReport report = model.step();
    BOOST_TEST(!report.failed);
  }
}

BOOST_AUTO_TEST_CASE(redundant_out_of_plane_errors) {
  // The planar loop is bent out of its plane: away from the solution the redundant rows look independent.
  World w = four_bar();
  w.bodies[1].orientation = from_axis_angle(normalized(Vec3{1, 0.3, 0.2}), 0.01);
  const ScopedOptions off("-project_initial");
  const World straight = four_bar();
  Model reference(straight, 0.01);
  BOOST_TEST(reference.initial().projection()->text() == "project_initial: nothing to move");
  // Anchors and axes are those of the description: tilted bodies carry them tilted, so the joints fit as described.
  Model fits(w, 0.01);
  BOOST_TEST(fits.initial().projection()->violation_before < 1e-14);
  // Moved from outside they do not: the state is bent, not the description.
  Model bent(straight, 0.01);
  JointConfiguration joints(bent.problem());
  State state = bent.state();
  const auto x = to_device("x", std::vector<Vec3>{{0, 0.003, 0.25}, {0.75, -0.002, 0.752}, {1.499, 0.004, 0.5}});
  const auto q =
      to_device("q", std::vector<Quat>{from_axis_angle(Vec3{1, 0, 0}, 0.01), from_axis_angle(Vec3{0, 0, 1}, -0.008),
                                       from_axis_angle(normalized(Vec3{1, 1, 1}), 0.012)});
  Kokkos::deep_copy(state.x, x);
  Kokkos::deep_copy(state.orientation, q);
  InitialConfiguration again;
  again.settle(bent.problem(), state, {"crank", "coupler", "rocker"});
  BOOST_TEST_MESSAGE(again.projection()->text() << ", " << again.projection()->iterations << " iterations");
  BOOST_TEST(again.projection()->violation_before > 0.005);
  BOOST_TEST(again.projection()->violation_after < 1e-13);
  BOOST_TEST(again.rank(bent.problem(), state).rank == 17);
  BOOST_TEST(again.projection()->moved < 0.02);
}

BOOST_AUTO_TEST_CASE(prescribed_start_is_reached) {
  World w = four_bar();
  w.joints[0].coordinates.resize(1);
  w.joints[0].coordinates[0].start = 1;
  w.joints[0].coordinates[0].motion = TimeFunction(1.04);
  const ScopedOptions options("-project_initial");
  Model model(w, 0.01);
  const Frame frame = model.frame();
  BOOST_TEST(std::fabs(frame.joints[0].coordinate[0] - 1.04) < 1e-13);
  BOOST_TEST(model.initial().projection()->is_angle);
  // A fixed frame of reference: the crank is the first body, and turns about y.
  BOOST_TEST(std::fabs(frame.bodies[0].orientation.y - std::sin(0.02)) < 1e-12);
}

BOOST_AUTO_TEST_CASE(long_loops_close) {
  World w = ring(20, "hinge");
  for (int k = 0; k < 20; ++k)
    w.joints[k].anchor_b = w.joints[k].anchor_b + 0.002 * Vec3{std::sin(3.0 * k), 0, std::cos(5.0 * k)};
  const ScopedOptions options("-project_initial");
  Model model(w, 0.01);
  BOOST_TEST(model.initial().projection()->violation_after < 1e-13);
  const Correction c = correction(model, w);
  BOOST_TEST(c.free < 1e-8 * c.size);
}

BOOST_AUTO_TEST_CASE(too_far_is_refused_by_name) {
  const ScopedOptions options("-project_initial");
  const std::string text = refusal(four_bar_off(0.08));
  BOOST_TEST(holds(text, "joint 'hinge b' is violated by"), text);
  BOOST_TEST(holds(text, "-project_initial_max"), text);
}

BOOST_AUTO_TEST_CASE(contradiction_is_refused_by_name) {
  const ScopedOptions options("-project_initial");
  World w;
  w.bodies = {rod("door", {0, 0, 0}, {1, 0, 0})};
  w.joints = {joint("ball", "a", "door", "world", {0, 0, 0}), joint("ball", "b", "door", "world", {1, 0, 0})};
  w.joints[1].anchor_b = {1.003, 0, 0};
  const std::string text = refusal(w);
  BOOST_TEST(holds(text, "after -project_initial"), text);
  BOOST_TEST(holds(text, "ball b contradicts ball a by 3 mm"), text);
  // Across the line the door can turn.
  w.joints[1].anchor_b = {1, 0, 0.003};
  const std::string turned = refusal(w);
  BOOST_TEST(holds(turned, "contradicts"),
             turned);  // 1.0000045 m between the anchors on the world, 1 m on the door
  w.joints[1].anchor_b = {std::cos(0.003), 0, std::sin(0.003)};
  BOOST_TEST(refusal(w) == "");
}

BOOST_AUTO_TEST_SUITE_END()
