// Structure fields on meshes: what a contact on a triangle mesh, a soft body or a cloth sees of values at vertices, and
// of a direction that a deformation has carried.

#include "tests/model_run.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(mesh_structure)

namespace {

constexpr double kAlong = 0.2, kAcross = 0.8;
constexpr double kRounding = 1e-12;  // weights and frames of order one, a few dozen operations
const Vec3 kGrain{0.6, 0.8, 0}, kPlace{0.3, -0.2, 0.5};
const Vec3 kStretch{1.4, 0.8, 1};
const Quat kTurn = from_axis_angle({0, 0, 1}, 0.5);
const std::string kSolve =
    "-friction_pairing minimum -system_form stiffness -ksp_type preonly -pc_type lu -newton_damping 1 -contact_margin "
    "0.002 ";

/// How the start of the surfaces below maps a vector of their frame at rest.
Vec3 carried(const Vec3& s) { return rotate(kTurn, Vec3{kStretch.x * s.x, kStretch.y * s.y, kStretch.z * s.z}); }
Vec3 at_rest(const Vec3& x) {
  const Vec3 s = rotate_inverse(kTurn, x - kPlace);
  return {s.x / kStretch.x, s.y / kStretch.y, s.z / kStretch.z};
}

/// A ball just above the surface at rest coordinates (x, y), of a material that leaves the surface's coefficients as
/// they are.
World ball_above(const Vec3& rest) {
  World w;
  w.gravity = {};
  w.materials["plain"].friction = 10;
  FrictionDescription& gel = w.materials["gel"].surface;
  gel.cone = "ellipse";
  gel.numbers = {kAlong, kAcross};
  gel.structure.direction = kGrain;
  BodyDescription b;
  b.name = "ball";
  b.shape.kind = ShapeDescription::Kind::sphere;
  b.shape.radius = 0.02;
  b.mass = 0.1;
  b.position = kPlace + carried(rest) + Vec3{0, 0, 0.0205};
  b.material = "plain";
  w.bodies.push_back(b);
  return w;
}

SoftDescription slab() {
  SoftDescription s;
  s.name = "slab";
  s.mesh = tet_box({-0.05, -0.05, -0.02}, {0.05, 0.05, 0}, 4, 4, 1);
  s.young = 1e3;
  s.material = "gel";
  s.position = kPlace;
  s.orientation = kTurn;
  s.stretch = kStretch;
  return s;
}

/// The cone of the contact below the ball after a step: its first axis is along ±direction, as long as `along`; the
/// second is `across`. Nodes beside it may be near enough to be contacts too, with normals that lean.
void check_contact(const World& w, const Vec3& direction, double along, double across) {
  const ScopedOptions scoped(kSolve);
  Model model(w, 1e-4);
  model.step();
  const Frame frame = model.frame();
  int below = 0;
  for (const FrameContact& c : frame.contacts) {
    if (std::fabs(c.normal.z) < 1 - kRounding) continue;
    ++below;
    BOOST_TEST(norm(cross(c.axis_1, normalized(direction))) < kRounding);
    BOOST_TEST(std::fabs(norm(c.axis_1) - along) < kRounding);
    BOOST_TEST(std::fabs(norm(c.axis_2) - across) < kRounding);
  }
  BOOST_TEST(below > 0);
}

/// Values at vertices: one direction, and a factor that is linear, so that interpolation is exact.
double factor_at(const Vec3& x) { return 1 + 5 * x.x - 3 * x.y; }
void give_vertices(StructureDescription& s, const std::vector<Vec3>& points) {
  s.kind = StructureDescription::Kind::vertices;
  for (std::size_t n = 0; n < points.size(); ++n) {
    s.vertex_direction.push_back(n % 2 == 0 ? kGrain : -2.0 * kGrain);  // neither sign nor length counts
    s.vertex_factor.push_back(factor_at(points[n]));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_soft_body_carries_its_grain) {
  for (const Vec3& rest : {Vec3{0.004, 0.007, 0}, Vec3{0, 0, 0}, Vec3{-0.0125, 0.003, 0}}) {
    World w = ball_above(rest);
    add_soft_body(w, slab());
    check_contact(w, carried(kGrain), kAlong, kAcross);
  }
  World points = ball_above({0, 0, 0});  // a node is there
  SoftDescription s = slab();
  s.contact = "points";
  add_soft_body(points, s);
  check_contact(points, carried(kGrain), kAlong, kAcross);
}

BOOST_AUTO_TEST_CASE(a_field_is_that_of_the_mesh_at_rest) {
  // Radial around a point of the rest mesh, with the isotropic reading of a grid beside it.
  const Vec3 rest{0.012, 0.007, 0}, centre{-0.01, 0.002, 0};
  World w = ball_above(rest);
  StructureDescription& s = w.materials["gel"].surface.structure;
  s.kind = StructureDescription::Kind::radial;
  s.centre = centre;
  add_soft_body(w, slab());
  check_contact(w, carried(rest - centre), kAlong, kAcross);
}

BOOST_AUTO_TEST_CASE(a_cloth_carries_its_grain) {
  World w = ball_above({0.011, -0.006, 0});
  ClothDescription c;
  c.name = "cloth";
  c.mesh = flat_sheet(0.1, 0.1, 4, 4);
  c.young = 1e4;
  c.thickness = 1e-3;  // half of it on either side
  c.material = "gel";
  c.position = kPlace;
  c.orientation = kTurn;
  c.stretch = kStretch;
  w.bodies[0].position = kPlace + carried({0, 0, 0}) + Vec3{0, 0, 0.021};
  add_cloth(w, c);
  check_contact(w, carried(kGrain), kAlong, kAcross);
}

BOOST_AUTO_TEST_CASE(values_at_nodes_of_a_soft_body) {
  const Vec3 rest{0.004, 0.007, 0};
  World w = ball_above(rest);
  const SoftDescription s = slab();
  give_vertices(w.materials["gel"].surface.structure, s.mesh.nodes);
  add_soft_body(w, s);
  const Vec3 foot = at_rest(w.bodies[0].position);
  check_contact(w, carried(kGrain), kAlong * factor_at(foot), kAcross * factor_at(foot));
  w.materials["gel"].surface.structure.vertex_direction.pop_back();
  BOOST_CHECK_THROW(Model(w, 1e-4), InputError);
}

BOOST_AUTO_TEST_CASE(values_at_vertices_of_a_mesh) {
  World w = ball_above({});
  BodyDescription before;  // two colliders, so that numbers of colliders and entities differ
  before.name = "before";
  before.shape.kind = ShapeDescription::Kind::compound;
  before.shape.children.resize(2);
  for (ShapeChild& child : before.shape.children)
    child.shape.kind = ShapeDescription::Kind::sphere, child.shape.radius = 0.01;
  before.shape.children[1].position = {0, 0, 0.02};
  before.position = {5, 5, 5};
  before.mass = 1;
  BodyDescription floor;
  floor.name = "floor";
  floor.motion = Motion::fixed;
  floor.material = "gel";
  floor.shape.kind = ShapeDescription::Kind::mesh;
  floor.shape.points = {{-0.2, -0.2, 0}, {0.2, -0.2, 0}, {0.2, 0.2, 0}, {-0.2, 0.2, 0}};
  floor.shape.triangles = {{0, 1, 2}, {0, 2, 3}};
  floor.position = kPlace;
  floor.orientation = kTurn;
  w.bodies.insert(w.bodies.begin(), {before, floor});
  give_vertices(w.materials["gel"].surface.structure, floor.shape.points);
  for (const Vec3& at : {Vec3{0.1, -0.05, 0}, Vec3{-0.04, 0.13, 0}}) {
    w.bodies[2].position = kPlace + rotate(kTurn, at) + Vec3{0, 0, 0.0205};
    check_contact(w, rotate(kTurn, kGrain), kAlong * factor_at(at), kAcross * factor_at(at));
  }
  World wrong = w;
  wrong.bodies[1].shape.kind = ShapeDescription::Kind::box;
  wrong.bodies[1].shape.half = {1, 1, 1};
  BOOST_CHECK_THROW(Model(wrong, 1e-4), InputError);
}

BOOST_AUTO_TEST_CASE(pictures_show_the_field) {
  World w = ball_above({0.004, 0.007, 0});
  add_soft_body(w, slab());
  BodyDescription plank = box("plank", {0.1, 0.2, 0.01}, 1, {3, 0, 0});
  plank.material = "gel";
  plank.orientation = kTurn;
  w.bodies.push_back(plank);
  const ScopedOptions scoped(kSolve);
  Model model(w, 1e-4);
  const Frame frame = model.frame();
  const FrameSoft& soft = frame.softs.at(0);
  BOOST_REQUIRE(soft.structure.size() == soft.position.size());
  int top = 0;
  for (std::size_t n = 0; n < soft.position.size(); ++n) {
    const Vec3& X = w.softs[0].mesh.nodes[n];
    if (X.z < -0.001 || std::fabs(X.x) > 0.049 || std::fabs(X.y) > 0.049) continue;
    ++top;
    BOOST_TEST(norm(soft.structure[n] - normalized(carried(kGrain))) < kRounding);
    BOOST_TEST(norm(soft.friction[n] - Vec3{kAlong, kAcross, kAlong}) < kRounding);
  }
  BOOST_TEST(top == 9);  // nodes of the top that are not at its rim
  const std::vector<Surface> surfaces = model.surfaces();
  const Surface& planks = surfaces.at(frame.bodies.at(1).surface);
  BOOST_REQUIRE(planks.structure.size() == planks.polygons.size());
  for (std::size_t k = 0; k < planks.polygons.size(); ++k) {
    Vec3 normal{};
    for (std::size_t c = 0; c < planks.polygons[k].size(); ++c)
      normal += cross(planks.points[planks.polygons[k][c]],
                      planks.points[planks.polygons[k][(c + 1) % planks.polygons[k].size()]]);
    normal = normalized(normal);
    const Vec3 flat = kGrain - dot(normal, kGrain) * normal;
    BOOST_TEST(norm(planks.structure[k] - normalized(flat)) < kRounding);
  }
  // The ball has no grain, and the coefficient of its material.
  const Surface& ball = surfaces.at(frame.bodies.at(0).surface);
  BOOST_TEST(norm(ball.structure.at(0)) == 0);
  BOOST_TEST(norm(ball.friction.at(0) - Vec3{10, 10, 10}) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
