// Ropes against the catenary and Hooke's law, cloth against the homogeneous strip and the plate that bends, attachments
// of bodies to points of elements; momentum, energy, and what is refused.

#include "physics/cloth/bending.hpp"
#include "physics/register.hpp"
#include "tests/scene_file.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(ropes_and_cloth)

namespace {

/// Steps so long that implicit Euler leaves nothing of any vibration.
constexpr double kLongStep = 0.1;  // [s]
const std::string kSolve =
    "-ksp_type preonly -pc_type cholesky -newton_damping 1 -snes_max_it 100 -accept_budget false -geometric_stiffness "
    "exact ";

World scene_world(const std::string& text) { return scene_from("time: {step: 0.1, end: 1}\n" + text).world; }

ClothDescription sheet(double length, double width, int columns, int rows) {
  ClothDescription c;
  c.name = "sheet";
  c.mesh = flat_sheet(length, width, columns, rows);
  return c;
}

std::vector<int> nodes_at(const ClothDescription& c, int axis, double value) {
  std::vector<int> out;
  for (std::size_t n = 0; n < c.mesh.nodes.size(); ++n)
    if (std::fabs(c.mesh.nodes[n][axis] - value) < 1e-12) out.push_back(static_cast<int>(n));
  return out;
}

}  // namespace

/// Sag and horizontal force of an inextensible rope of 10 m over 8 m: second order in the segment against the catenary.
BOOST_AUTO_TEST_CASE(catenary) {
  constexpr double a = 3.382018790853495, density = 0.5;  // 2 a sinh(4/a) = 10
  double sag_error[2], force_error[2];
  for (int k = 0; k < 2; ++k) {
    const int n = k == 0 ? 10 : 20;
    const ScopedOptions scoped(kSolve + "-snes_atol 1e-9");
    Model model(
        scene_world("build: [{rope: {from: [-4, 0, 0], to: [4, 0, 0], length: 10, linear_density: 0.5, segments: " +
                    std::to_string(n) + "}}]"),
        0.1);
    const RunFigures f = run(model, 400);
    BOOST_TEST(!f.failed);
    const Frame frame = model.frame();
    sag_error[k] = std::fabs(-frame.particles[n / 2].position.z - a * (std::cosh(4 / a) - 1));
    force_error[k] = std::fabs(std::fabs(frame.joints[0].force.x) - density * kGravity * a);
  }
  BOOST_TEST_MESSAGE("sag " << sag_error[0] << " " << sag_error[1] << ", force " << force_error[0] << " "
                            << force_error[1]);
  BOOST_TEST(sag_error[0] / sag_error[1] > 3.6);  // four for second order
  BOOST_TEST(sag_error[0] / sag_error[1] < 4.4);
  BOOST_TEST(force_error[0] / force_error[1] > 3.6);
  BOOST_TEST(force_error[0] / force_error[1] < 4.4);
}

/// An elastic rope with a ball: (W L + ρ g L²/2)/EA longer, to rounding, because lumped masses make the trapezoidal
/// rule exact.
BOOST_AUTO_TEST_CASE(elastic_rope) {
  const ScopedOptions scoped(kSolve + "-snes_atol 1e-10");
  for (const std::string slack : {"false", "true"}) {
    Model model(
        scene_world(
            "bodies: [{name: ball, shape: {sphere: {radius: 0.1}}, mass: 2, position: [0, 0, -1.1]}]\n"
            "build: [{rope: {from: [0, 0, 0], to: [0, 0, -1], segments: 10, linear_density: 0.3, stiffness: 5000, "
            "ends: [world, ball], slack: " +
            slack + "}}]\ncollisions: {ignore: [[rope, ball]]}"),
        kLongStep);
    BOOST_TEST(!run(model, 60).failed);
    const double expected = kGravity * (2 * 1 + 0.3 * 0.5) / 5000;
    BOOST_TEST(std::fabs(-model.frame().particles[10].position.z - 1 - expected) <=
               1e-9);  // of steps of 0.1 s solved to 1e-10 m/s, times a few
  }
}

/// A rope that is a beam: held by its first two nodes, bent by a force at its end.
BOOST_AUTO_TEST_CASE(rope_that_bends) {
  constexpr int n = 20;
  World w = scene_world(
      "build: [{rope: {from: [0, 0, 0], to: [1, 0, 0], segments: 20, bending_stiffness: 2, ends: [world, free]}}]");
  w.gravity = Vec3{};
  w.particles[1].fixed = true;
  w.joints.erase(w.joints.begin());  // between the two that are fixed
  LoadDescription load;
  load.name = "weight";
  load.body = "rope:20";
  load.force = Vec3{0, 0, -0.01};
  w.loads.push_back(load);
  const ScopedOptions scoped(kSolve + "-snes_atol 1e-10");
  Model model(w, kLongStep);
  BOOST_TEST(!run(model, 150).failed);
  // Of the discrete beam: at node i ≥ 1 the moment F (n − i) l bends by F (n − i) l²/EI.
  double slope = 0, z = 0;
  const double l = 1.0 / n;
  for (int i = 1; i < n; ++i) {
    slope -= 0.01 * (n - i) * l * l / 2;
    z += slope * l;
  }
  BOOST_TEST(std::fabs(model.frame().particles[n].position.z - z) <=
             1e-3 * std::fabs(z));  // slopes of 2e-3 squared, and long steps
}

/// A strip pulled to 1.2 of its length, sides free: in plane stress and uniaxial, so that of the solid material.
BOOST_AUTO_TEST_CASE(stretched_strip) {
  for (const std::string& name : soft_material_registry().names()) {
    if (name == "linear") continue;
    ClothDescription strip = sheet(1, 0.5, 6, 3);
    strip.model = name;
    strip.poisson = 0.4;
    strip.stretch.x = 1.2;
    strip.bending_stiffness = 0;
    World w;
    w.gravity = Vec3{};
    add_cloth(w, strip);
    const auto hold = [&](int axis, double at, const std::string& side) {
      Vec3 normal{};
      normal[axis] = 1;
      for (const int n : nodes_at(strip, axis, at))
        w.joints.push_back(joint_at("point_on_plane", side + std::to_string(n), "sheet:" + std::to_string(n), "world",
                                    w.particles[n].position, normal));
    };
    hold(0, -0.5, "left");
    hold(0, 0.5, "right");
    hold(1, -0.25, "front");
    for (const int corner : {0, 6, 27})
      w.joints.push_back(joint_at("point_on_plane", "flat" + std::to_string(corner), "sheet:" + std::to_string(corner),
                                  "world", w.particles[corner].position, {0, 0, 1}));
    const ScopedOptions scoped(kSolve + "-snes_atol 1e-8 -newton_start zero");
    Model model(w, kLongStep);
    const RunFigures f = run(model, 20);
    const Frame frame = model.frame();
    double tension = 0;
    for (const FrameJoint& j : frame.joints)
      if (j.name.rfind("right", 0) == 0) tension += j.force.x;
    const auto material = soft_material_registry().create(name);
    material->set(lame(strip.young, 0.4, ""));
    double low = 0.5, high = 1.5;
    for (int k = 0; k < 60; ++k) {
      const double t = 0.5 * (low + high);
      (material->stretch_gradient({1.2, t, t}).y > 0 ? high : low) = t;
    }
    const double expected = strip.thickness * 0.5 * material->stretch_gradient({1.2, low, low}).x;
    const double width = (frame.softs.at(0).position.back().y + 0.25) / 0.5;
    BOOST_TEST_CONTEXT(name << ": " << f.newton_mean << " Newton iterations, tension " << tension << " N, analytic "
                            << expected) {
      BOOST_TEST(!f.failed);
      BOOST_TEST(std::fabs(tension - expected) <= 1e-6 * expected);
      BOOST_TEST(std::fabs(width - low) <= 1e-6);
    }
  }
}

/// A strip clamped at one end bends under its weight like the discrete beam of its columns.
BOOST_AUTO_TEST_CASE(clamped_strip) {
  constexpr double D = 10, weight = 0.05 * kGravity;  // [N m], [N/m²]
  constexpr int n = 5;
  constexpr double l = 1.0 / n;
  ClothDescription strip = sheet(1, 0.25, n, 2);
  strip.density = 0.05;
  strip.bending_stiffness = D;
  strip.fixed = nodes_at(strip, 0, -0.5);
  for (const int second : nodes_at(strip, 0, -0.5 + l)) strip.fixed.push_back(second);
  World w;
  add_cloth(w, strip);
  const ScopedOptions scoped(kSolve + "-snes_atol 1e-9");
  Model model(w, kLongStep);
  BOOST_TEST(!run(model, 60).failed);
  double slope = 0, z = 0;
  for (int i = 1; i < n; ++i) {  // moment at column i of the columns beyond it, the last with half a mass
    double moment = 0;
    for (int k = i + 1; k <= n; ++k) moment += weight * l * (k == n ? 0.5 : 1.0) * (k - i) * l;
    slope -= moment * l / D;
    z += slope * l;
  }
  // Free sides bend across as well, which the beam cannot: 2.7 percent here, and more in finer meshes (theory.md, E23).
  BOOST_TEST(std::fabs(model.frame().softs.at(0).position.back().z / z - 1) <= 0.04);
}

BOOST_AUTO_TEST_CASE(momentum_and_energy_of_a_free_cloth) {
  ClothDescription c = sheet(1, 1, 4, 4);
  c.stretch = {1.05, 0.98, 1};
  c.velocity = {1, -2, 0.5};
  c.angular_velocity = {3, 1, 2};
  c.bending_stiffness = 1e-3;
  World w;
  w.gravity = Vec3{};
  add_cloth(w, c);
  Vec3 start{};
  for (const ParticleDescription& p : w.particles) start += p.mass * p.velocity;
  const ScopedOptions scoped(kSolve + "-snes_atol 1e-9");
  Model model(w, 1.0 / 480);
  double worst = 0, energy = INFINITY;
  const RunFigures f = run(model, 40, [&](const StepReport& r) {
    const auto& p = r.verdict.linear_momentum;
    worst = std::fmax(worst, norm(Vec3{p[0], p[1], p[2]} - start));
    const double now = r.verdict.kinetic_energy + r.verdict.elastic_energy;
    BOOST_TEST(r.verdict.elastic_energy >= 0);
    BOOST_TEST(now <= energy);
    energy = now;
  });
  BOOST_TEST(!f.failed);
  BOOST_TEST(worst <= 10 * 40 * 1e-9);  // ten times the velocity error times the mass of 0.2 kg, per step
}

/// A body on a point inside a soft cube: the two points stay together, and nothing is added to the momentum of both.
BOOST_AUTO_TEST_CASE(a_point_inside_an_element) {
  const std::string text =
      "gravity: [0, 0, 0]\nsoft: [{name: cube, mesh: {box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2]}}, young: 1e5, "
      "velocity: [1, 0, 0]}]\n"
      "bodies: [{name: ball, shape: {sphere: {radius: 0.01}}, mass: 0.5, position: [0, 0, 0.2], velocity: [0, 1, 0]}]\n"
      "collisions: {ignore: [[cube, ball]]}\n"
      "attachments: [{name: knot, between: [cube, ball], point: [0.011, 0.007, 0.013]}]";
  const World w = scene_world(text);
  BOOST_REQUIRE(w.attachments.size() == 1u);
  const AttachmentDescription& knot = w.attachments[0];
  BOOST_TEST(knot.points.size() == 5u);  // four nodes and the ball
  const ScopedOptions scoped(kSolve + "-snes_atol 1e-9");
  Model model(w, 1.0 / 240);
  Vec3 momentum{};
  const RunFigures f = run(model, 60, [&](const StepReport& r) {
    const auto& p = r.verdict.linear_momentum;
    momentum = {p[0], p[1], p[2]};
  });
  BOOST_TEST(!f.failed);
  BOOST_TEST(norm(momentum - Vec3{1, 0.5, 0}) <= 10 * 60 * 1e-9 * 1.5);  // as above; the cube has 1 kg
  const Frame frame = model.frame();
  Vec3 point{};
  for (const AttachedPoint& p : knot.points)
    for (const FrameParticle& particle : frame.particles)
      if (particle.name == p.thing) point += p.weight * particle.position;
  const Vec3 arm = rotate(frame.bodies[0].orientation, Vec3{0.011, 0.007, 0.013} - Vec3{0, 0, 0.2});
  BOOST_TEST(norm(point - frame.bodies[0].position - arm) <= 1e-10);  // a row of 1e-9 m/s over a step
  BOOST_TEST(norm(frame.bodies[0].position - Vec3{0, 0, 0.2}) > 1e-3);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  const auto refused = [](const std::string& text, const std::string& part) {
    try {
      scene_world(text);
    } catch (const InputError& error) {
      BOOST_TEST_INFO(error.what());
      BOOST_TEST((std::string(error.what()).find(part) != std::string::npos));
      return true;
    }
    return false;
  };
  const std::string cloth = "cloth: [{name: c, mesh: {sheet: {size: [1, 1], cells: [2, 2]}}",
                    cube = "soft: [{name: s, mesh: {box: {}}}]\n";
  BOOST_TEST(refused(cloth + ", model: linear}]", "isotropic"));
  BOOST_TEST(refused(cloth + ", poisson: 0.5}]", "incompressible"));
  BOOST_TEST(refused(cloth + ", fixed: [left]}]", "x_min"));
  BOOST_TEST(refused("cloth: [{name: c, mesh: {file: {path: none.obj}}}]", "none.obj"));
  BOOST_TEST(refused("build: [{rope: {from: [0, 0, 0], to: [2, 0, 0], length: 1}}]", "at least as long"));
  BOOST_TEST(refused("build: [{rope: {ends: [world, ghost]}}]", "unknown body or particle 'ghost'"));
  BOOST_TEST(refused(cube + "attachments: [{name: a, between: [s, world], point: [1, 0, 0]}]", "not on 's'"));
  BOOST_TEST(refused(cube + "attachments: [{name: a, between: [s, t], point: [0, 0, 0]}]", "'t'"));
  BOOST_TEST(refused(cube + "attachments: [{name: a, between: [s, world]}]", "either point or box"));
  BOOST_TEST(refused(cube + "attachments: [{name: a, between: [s, world], box: {low: [1, 1, 1], high: [2, 2, 2]}}]",
                     "no node of 's'"));
  const auto bad_mesh = [](const TriangleSheet& mesh, const std::string& part) {
    try {
      check_triangle_sheet(mesh, "c");
    } catch (const InputError& error) {
      return std::string(error.what()).find(part) != std::string::npos;
    }
    return false;
  };
  BOOST_TEST(bad_mesh({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}, "triangle 0 is a line"));
  BOOST_TEST(bad_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 3}}}, "node 3 of 3"));
  BOOST_TEST(bad_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {5, 5, 5}}, {{0, 1, 2}}}, "node 3 belongs to no triangle"));
  BOOST_TEST(bad_mesh({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}}, {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}},
                      "more than two"));
}

BOOST_AUTO_TEST_SUITE_END()
