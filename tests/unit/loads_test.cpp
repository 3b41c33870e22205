// Prescribed forces and torques, and gravity that changes: the velocities of implicit Euler are known exactly.

#include "framework/error.hpp"
#include "tests/model_run.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

BOOST_AUTO_TEST_SUITE(loads)

namespace {

using namespace clarke;
using namespace clarke::test;

constexpr double kStep = 0.01;  // [s]
// A sum of some ten terms of size one, and Newton's tolerance on an exact linear solve.
constexpr double kRounding = 1e-13;

World free_things() {
  World world;
  world.gravity = Vec3{};
  BodyDescription body = box("b", {0.5, 0.5, 0.5}, 2, {1, 2, 3});
  body.material = "";
  body.shape = {};
  body.inertia = Vec3{0.5, 1, 1.25};
  world.bodies.push_back(body);
  ParticleDescription particle;
  particle.name = "p";
  particle.mass = 4;
  world.particles.push_back(particle);
  return world;
}

LoadDescription load_on(const std::string& body, VectorFunction force, VectorFunction torque = {}) {
  LoadDescription load;
  load.name = "load";
  load.body = body;
  load.force = std::move(force);
  load.torque = std::move(torque);
  return load;
}

Frame after(const World& world, int steps) {
  const ScopedOptions options("-ksp_type preonly -pc_type cholesky");
  Model model(world, kStep);
  run(model, steps);
  return model.frame();
}

void check_close(const Vec3& a, const Vec3& b) { BOOST_TEST(norm(a - b) <= kRounding); }

/// The message about line `line`.
std::string refusal(const std::string& load) {
  const std::string text =
      "time: {step: 0.1, end: 1}\nparticles: [{name: p, mass: 1}]\nbodies: [{name: b, mass: 1, "
      "inertia: [1, 1, 1]}, {name: wall, static: true}]\nloads: [{" +
      load + "}]\n";
  try {
    scene_from(text);
  } catch (const InputError& error) {
    const std::string message = error.what();
    const std::size_t place = message.find(":4: loads[0]");
    return place == std::string::npos ? message : message.substr(place + 12);
  }
  return "accepted";
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_constant_force_accelerates) {
  World world = free_things();
  world.loads = {load_on("b", Vec3{6, 0, -2}), load_on("p", Vec3{0, 8, 0})};
  const Frame frame = after(world, 10);
  check_close(frame.bodies[0].velocity, {0.3, 0, -0.1});
  check_close(frame.particles[0].velocity, {0, 0.2, 0});
  // x_n = x_0 + h² a (1 + 2 + … + n)
  check_close(frame.bodies[0].position, Vec3{1, 2, 3} + kStep * kStep * 55 * Vec3{3, 0, -1});
  BOOST_TEST(norm(frame.bodies[0].angular_velocity) == 0);
}

BOOST_AUTO_TEST_CASE(a_torque_about_a_principal_axis_spins) {
  World world = free_things();
  world.loads = {load_on("b", {}, Vec3{0, 3, 0})};
  const Frame frame = after(world, 10);
  check_close(frame.bodies[0].angular_velocity, {0, 0.3, 0});
  check_close(frame.bodies[0].velocity, {});
}

// f = 2t: v_n = (h/m) Σ 2 t_k = (h²/m) n (n + 1)
BOOST_AUTO_TEST_CASE(an_expression_is_taken_at_the_end_of_the_step) {
  World world = free_things();
  world.loads = {load_on("b", {TimeFunction::expression("2 * t"), 0, 0})};
  check_close(after(world, 10).bodies[0].velocity, {kStep * kStep / 2 * 110, 0, 0});
}

BOOST_AUTO_TEST_CASE(a_table_switches_a_force_off) {
  World world = free_things();
  world.loads = {load_on("p", {0, 0, TimeFunction::table({{0, 4}, {4.5 * kStep, 4}, {4.6 * kStep, 0}})})};
  check_close(after(world, 10).particles[0].velocity, {0, 0, 4 * kStep});
}

// A quarter turn about z takes the point (1, 0, 0) to (0, 1, 0) and the force along x to y.
BOOST_AUTO_TEST_CASE(points_and_frames_turn_with_the_body) {
  World world = free_things();
  world.bodies[0].orientation = from_axis_angle(Vec3{0, 0, 1}, std::acos(0.0));
  LoadDescription load = load_on("b", Vec3{5, 0, 0});
  load.point = {1, 0, 0};
  world.loads = {load};
  Frame frame = after(world, 1);
  check_close(frame.bodies[0].velocity, {kStep * 2.5, 0, 0});
  check_close(frame.bodies[0].angular_velocity, {0, 0, -kStep * 5 / 1.25});

  world.loads[0].body_frame = true;
  world.loads[0].torque = Vec3{0, 4, 0};  // about -x in the world, where the moment of inertia is that of y
  frame = after(world, 1);
  check_close(frame.bodies[0].velocity, {0, kStep * 2.5, 0});
  check_close(frame.bodies[0].angular_velocity, {-kStep * 4, 0, 0});
}

BOOST_AUTO_TEST_CASE(loads_on_one_body_add_up) {
  World world = free_things();
  world.loads = {load_on("b", Vec3{6, 0, 0}), load_on("p", Vec3{0, 4, 0}), load_on("b", Vec3{-2, 0, 0})};
  const Frame frame = after(world, 1);
  check_close(frame.bodies[0].velocity, {2 * kStep, 0, 0});
  check_close(frame.particles[0].velocity, {0, kStep, 0});
}

BOOST_AUTO_TEST_CASE(gravity_may_change) {
  World world = free_things();
  world.gravity = {0, 0, TimeFunction::expression("-10 * t")};
  const ScopedOptions options("-ksp_type preonly -pc_type cholesky");
  Model model(world, kStep);
  StepReport last;
  run(model, 10, [&](const StepReport& report) { last = report; });
  const Frame frame = model.frame();
  for (const Vec3& v : {frame.bodies[0].velocity, frame.particles[0].velocity})
    check_close(v, {0, 0, -10 * kStep * kStep * 55});
  const double expected = 1.0 * (2 * frame.bodies[0].position.z + 4 * frame.particles[0].position.z);
  BOOST_TEST(std::fabs(last.verdict.potential_energy - expected) <= kRounding * 10);  // g = 1 m/s² at 0.1 s
}

BOOST_AUTO_TEST_CASE(steps_do_not_allocate) {
  World world = free_things();
  world.loads = {load_on("b", {TimeFunction::expression("sin(t)"), 0, 0})};
  const ScopedOptions options("-ksp_type preonly -pc_type cholesky");
  Model model(world, kStep);
  run(model, 2);
  const long before = Buffer<double>::allocations();
  run(model, 5);
  BOOST_TEST(Buffer<double>::allocations() == before);
}

BOOST_AUTO_TEST_CASE(loads_that_cannot_act_are_refused) {
  const ScopedOptions options("");
  World world = free_things();
  world.loads = {load_on("p", {}, Vec3{1, 0, 0})};
  BOOST_CHECK_THROW(Model(world, kStep), InputError);
  world.loads = {load_on("q", Vec3{1, 0, 0})};
  BOOST_CHECK_THROW(Model(world, kStep), InputError);
  world.loads = {load_on("b", Vec3{1, 0, 0})};
  world.bodies[0].motion = Motion::fixed;
  BOOST_CHECK_THROW(Model(world, kStep), InputError);
}

BOOST_AUTO_TEST_CASE(scene_keys) {
  const Scene scene = scene_from(
      "time: {step: 0.1, end: 1}\nbodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\nloads:\n"
      "  - {name: push, body: b, force: [1, 2 * t, 3], torque: [0, 0, 1], point: [0, 1, 0], frame: "
      "body}\n");
  const LoadDescription& load = scene.world.loads.at(0);
  BOOST_TEST(load.name == "push");
  BOOST_TEST(load.body == "b");
  BOOST_TEST(load.force(2).y == 4);
  BOOST_TEST(load.torque(0).z == 1);
  BOOST_TEST(load.point.y == 1);
  BOOST_TEST(load.body_frame);
}

BOOST_AUTO_TEST_CASE(bad_scene_keys) {
  BOOST_TEST(refusal("name: l, body: p, force: [0, 0, 1]") == "accepted");
  BOOST_TEST(refusal("name: l, body: pp, force: [0, 0, 1]") ==
             ".body: unknown body or particle 'pp'; one of b, wall, p");
  BOOST_TEST(refusal("name: l, body: wall, force: [0, 0, 1]") ==
             ".body: 'wall' is static or prescribed and takes no load");
  BOOST_TEST(refusal("name: l, body: p, torque: [0, 0, 1]") ==
             ".torque: 'p' is a particle, which takes a `force` only");
  BOOST_TEST(refusal("name: l, body: p, force: [0, 0, 1], point: [0, 0, 0]") ==
             ".point: 'p' is a particle, which takes a `force` only");
  BOOST_TEST(refusal("name: l, body: b") == ": expected `force`, `torque`, or both");
  BOOST_TEST(refusal("name: l, body: b, torque: [0, 0, 1], point: [1, 0, 0]") ==
             ".point: belongs to `force`, which is missing");
  BOOST_TEST(refusal("name: l, body: b, force: [0, 0, 1], frame: wrld") ==
             ".frame: unknown value 'wrld'; did you mean 'world'?");
}

BOOST_AUTO_TEST_SUITE_END()
