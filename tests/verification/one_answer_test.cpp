// One step of relaxed scenes has one answer, whoever finds it: semismooth Newton on rows with compliance, Newton,
// conjugate gradients and L-BFGS in the velocity, and projected ascent on the impulses.

#include "tests/scene_file.hpp"
#include "tests/soft_worlds.hpp"
#include "tests/verification/relaxed_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(one_answer)

namespace {

constexpr double kAgreement = 1e-9;  // [m/s]
const std::string kConverged = "-snes_atol 1e-11 -accept_velocity_error 1e-10 -detect_again 0 ";
const std::string kSaddle = kConverged +
                            "-snes_type nonsmooth_newton -friction_map disc_projection_coupled -ncp_function "
                            "minimum_map -geometric_stiffness exact -newton_damping 1 -system_form saddle -ksp_type "
                            "preonly -pc_type lu -pc_factor_mat_solver_type mumps -snes_max_it 200 ";
const std::string kNewton = kConverged + "-snes_type primal -snes_max_it 100 ";
const std::string kLagged = kConverged + "-snes_type primal -primal_tangent lagged -snes_max_it 2000 ";
const std::string kConjugate = kConverged + "-snes_type primal_descent -snes_max_it 20000 ";
const std::string kQuasiNewton = kConverged + "-snes_type primal -primal_snes_type qn -snes_max_it 20000 ";
const std::string kWolfe = "-primal_line_search wolfe ";
const std::string kDual = kConverged + "-snes_type dual_ascent -snes_max_it 60000 ";

std::vector<Vec3> one_step(const World& world, double h, const std::string& options) {
  const ScopedOptions scoped("-newton_start unconstrained " + options);
  Model model(world, h);
  const StepReport r = model.step();
  BOOST_TEST_MESSAGE(r.newton_iterations << " iterations, velocity error " << r.verdict.velocity_error.value << ", "
                                         << r.contacts << " contacts");
  BOOST_TEST_REQUIRE(!r.failed, r.reason);
  std::vector<Vec3> u;
  to_host(model.state().u, u);
  return u;
}

/// `elements`: rows for those who solve rows, forces for those who solve in velocities.
void agree(const World& world, double h, const std::string& options, const std::string& elements = "",
           bool turns = false) {
  const std::string forces = elements.empty() ? "" : "-soft_form stiffness -cloth_form stiffness ";
  const std::vector<Vec3> newton = one_step(world, h, kNewton + options + forces);
  double speed = 0;
  for (const Vec3& u : newton) speed = std::max(speed, norm(u));
  BOOST_TEST(speed > 1e-5);  // it is not all at rest
  std::vector<std::pair<std::string, std::string>> others{{"saddle", kSaddle + elements},
                                                          {"ncg", kConjugate + forces},
                                                          {"lbfgs", kQuasiNewton + forces},
                                                          {"dual", kDual + elements}};
  // Of bodies that turn R is the slope of Φ to h ω, and a search on Φ alone ends beside the solution.
  if (!turns) {
    others.emplace_back("lbfgs, Wolfe", kQuasiNewton + kWolfe + forces);
    others.emplace_back("lagged, Wolfe", kLagged + kWolfe + forces);
  }
  for (const auto& [name, type] : others) BOOST_TEST_CONTEXT(name) {
      const std::vector<Vec3> other = one_step(world, h, type + options);
      BOOST_TEST_MESSAGE(name << " differs by " << largest_difference(newton, other));
      BOOST_TEST(largest_difference(newton, other) <= kAgreement);
    }
}

/// The same things where they are at the end of the last step.
World moved_to(World world, const Model& model) {
  const Frame frame = model.frame();
  for (std::size_t i = 0; i < world.bodies.size(); ++i) {
    if (world.bodies[i].motion != Motion::dynamic) continue;
    world.bodies[i].position = frame.bodies[i].position;
    world.bodies[i].orientation = frame.bodies[i].orientation;
    world.bodies[i].velocity = frame.bodies[i].velocity;
    world.bodies[i].angular_velocity = frame.bodies[i].angular_velocity;
  }
  return world;
}

World at_step(const World& world, double h, int steps, const std::string& options) {
  const ScopedOptions scoped(kNewton + options);
  Model model(world, h);
  for (int k = 0; k < steps; ++k) BOOST_REQUIRE(!model.step().failed);
  return moved_to(world, model);
}

const std::string kSoft = "-contact_stiffness 1e5 -friction_stiffness 1e4 ";

}  // namespace

BOOST_AUTO_TEST_CASE(box_on_a_slope) {
  for (const double mu : {0.3, 0.8}) {
    World w = slope(mu);
    w.bodies.back().velocity = 0.2 * Vec3{-std::cos(kSlope), 0, -std::sin(kSlope)};
    agree(w, 1.0 / 120, "-contact_stiffness 1e5 -friction_stiffness 1e3 ");
  }
}

BOOST_AUTO_TEST_CASE(stack_of_boxes) {
  World w = world_with_plane(0.5);
  for (int k = 0; k < 5; ++k) {
    w.bodies.push_back(box("b" + std::to_string(k), {0.5, 0.5, 0.5}, 10 + k, {0, 0, 0.5 + k}));
    w.bodies.back().velocity = {0.05 * k, 0, 0};
  }
  agree(at_step(w, 1.0 / 120, 10, kSoft), 1.0 / 120, kSoft);
}

// Friction as stiff as contact: iterations with radii that lag went round in circles here.
BOOST_AUTO_TEST_CASE(leaning_capsule) {
  World w = world_with_plane(0.6);
  w.bodies.push_back(w.bodies.front());
  w.bodies.back().name = "wall", w.bodies.back().shape.normal = {1, 0, 0};
  BodyDescription capsule =
      body_of("capsule", ShapeDescription::Kind::capsule, 10, {0.35, 0, 0.1 + 0.25 * std::sqrt(3.0)});
  capsule.shape.radius = 0.1, capsule.shape.half_height = 0.5;
  capsule.orientation = from_axis_angle({0, 1, 0}, -std::acos(-1.0) / 6);
  capsule.velocity = {0.01, 0, 0};
  w.bodies.push_back(capsule);
  // Rounding of gaps times such a stiffness leaves 1e-10 m/s.
  const std::string stiff = "-contact_stiffness 1e8 -friction_stiffness 1e8 -accept_velocity_error 1e-9 ";
  const std::vector<Vec3> newton = one_step(w, 1.0 / 120, kNewton + stiff);
  BOOST_TEST(largest_difference(newton, one_step(w, 1.0 / 120, kConjugate + stiff)) <= kAgreement);
}

BOOST_AUTO_TEST_CASE(chain_of_links) {
  World w;
  for (int k = 0; k < 8; ++k) {
    const std::string name = "link" + std::to_string(k);
    w.bodies.push_back(box(name, {0.1, 0.01, 0.01}, 1 + 0.5 * k, {0.2 * k + 0.1, 0, 0}));
    JointDescription j;
    j.type = "ball", j.name = "j" + std::to_string(k);
    j.a = name, j.b = k == 0 ? "world" : "link" + std::to_string(k - 1);
    j.anchor_a = j.anchor_b = {0.2 * k, 0, 0};
    w.joints.push_back(j);
    w.no_collision.emplace_back(name, "link" + std::to_string(std::max(0, k - 1)));
  }
  w.materials["m"] = {};
  const std::string joints = "-joint_relaxation 1e5 ";
  agree(at_step(w, 1.0 / 120, 10, joints), 1.0 / 120, joints, "", true);
}

BOOST_AUTO_TEST_CASE(cloth_of_springs) {
  World w = scene_from(R"(version: 1
case: sheet
time: {step: 0.008333333333333333, end: 1}
build:
  - spring_sheet: {columns: 6, rows: 6, mass: 1, stiffness: 1.0e4, corners: 2}
)")
                .world;
  for (ParticleDescription& p : w.particles)
    if (!p.fixed) p.velocity = {0, 0.1 * p.position.x, -1};
  agree(w, 1.0 / 120, "");
}

BOOST_AUTO_TEST_CASE(cloth_of_triangles) {
  World w = scene_from(R"(version: 1
case: sheet
time: {step: 0.008333333333333333, end: 1}
cloth:
  - name: cloth
    mesh: {sheet: {size: [0.4, 0.4], cells: [3, 3]}}
    young: 1.0e5
    thickness: 2.0e-3
    density: 1
    bending_stiffness: 0.01
    damping: 0.005
    fixed: [x_min]
)")
                .world;
  for (ParticleDescription& p : w.particles)
    if (!p.fixed) p.velocity = {0, 0.2 * p.position.x, -1};
  agree(w, 1.0 / 120, "", "-cloth_form compliance ");
}

BOOST_AUTO_TEST_CASE(soft_cube_on_the_ground) {
  World w = world_with_plane(0.5);
  SoftDescription cube = soft_box("cube", {0.2, 0.2, 0.2}, {2, 2, 2}, 1e5);
  cube.position = {0, 0, -1e-4};
  cube.velocity = {0.5, 0, -0.1};
  cube.material = "m";
  add_soft_body(w, cube);
  agree(w, 1.0 / 120, "-contact_stiffness 1e4 -friction_stiffness 1e3 ", "-soft_form compliance ");
}

BOOST_AUTO_TEST_CASE(pile_of_fifty_boxes) {
  World w = scene_from(R"(version: 1
case: pile
time: {step: 0.008333333333333333, end: 1}
materials: {wood: {density: 600, friction: 0.5}}
build:
  - box_pile: {count: 50, edge: 0.2, material: wood}
)")
                .world;
  agree(at_step(w, 1.0 / 120, 60, kSoft), 1.0 / 120, kSoft);
}

BOOST_AUTO_TEST_SUITE_END()
