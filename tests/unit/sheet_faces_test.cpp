// Faces of sheets, which have two sides: their contacts against the distance of the two sets of triangles by brute
// force, wherever the other shape is.

#include "physics/cloth/triangle_sheet.hpp"
#include "physics/collision/narrow_phase/sphere_convex.hpp"
#include "physics/collision/soft_faces.hpp"
#include "physics/description/tet_surface.hpp"
#include "tests/property/random.hpp"
#include "tests/soft_worlds.hpp"
#include "tests/unit/touches.hpp"

#include <functional>
#include <map>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(sheet_faces)

namespace {

constexpr double kHalf = 0.001;  // half the thickness of the sheets here [m]

using Triangle = std::array<Vec3, 3>;

double segment_distance(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto to = [](const Vec3& u, const Vec3& v, const Vec3& p) {
    return norm(u - v) > 0 ? norm(p - closest_on_segment(u, v, p)) : norm(p - u);
  };
  double least = std::fmin(std::fmin(to(c, d, a), to(c, d, b)), std::fmin(to(a, b, c), to(a, b, d)));
  const Vec3 e = b - a, f = d - c, n = cross(e, f);
  if (norm2(n) > 0) {
    const double s = dot(cross(c - a, f), n) / norm2(n), t = dot(cross(c - a, e), n) / norm2(n);
    if (s > 0 && s < 1 && t > 0 && t < 1) least = std::fmin(least, norm(a + s * e - c - t * f));
  }
  return least;
}

/// Of two triangles that do not cross; a segment is one with two equal corners.
double distance(const Triangle& p, const Triangle& q) {
  double least = INFINITY;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) least = std::fmin(least, segment_distance(p[i], p[(i + 1) % 3], q[j], q[(j + 1) % 3]));
  const auto corners_over = [&least](const Triangle& corners, const Triangle& face) {
    const Vec3 n = cross(face[1] - face[0], face[2] - face[0]);
    if (!(norm2(n) > 0)) return;
    const Vec3 at[3] = {face[0], face[1], face[2]};
    for (const Vec3& c : corners) {
      const Vec3 w = barycentric(at, c);
      if (w.x >= 0 && w.y >= 0 && w.z >= 0) least = std::fmin(least, std::fabs(dot(c - face[0], n)) / norm(n));
    }
  };
  corners_over(p, q);
  corners_over(q, p);
  return least;
}

double distance(const std::vector<Triangle>& p, const std::vector<Triangle>& q) {
  double least = INFINITY;
  for (const Triangle& a : p)
    for (const Triangle& b : q) least = std::fmin(least, distance(a, b));
  return least;
}

/// A sheet of 0.3 m, 3 × 3 cells, nodes moved by up to a fifth of a cell across it and a tenth in it.
ClothDescription crooked_sheet(const std::string& name, Random& random) {
  ClothDescription c;
  c.name = name;
  c.mesh = flat_sheet(0.3, 0.3, 3, 3);
  for (Vec3& p : c.mesh.nodes)
    p += Vec3{random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), random.uniform(-0.02, 0.02)};
  c.thickness = 2 * kHalf;
  return c;
}

std::vector<Triangle> placed(const std::vector<Vec3>& points, const std::vector<std::array<int, 3>>& triangles,
                             const Pose& pose) {
  std::vector<Triangle> out;
  for (const auto& t : triangles)
    out.push_back({pose.x + rotate(pose.q, points[t[0]]), pose.x + rotate(pose.q, points[t[1]]),
                   pose.x + rotate(pose.q, points[t[2]])});
  return out;
}

/// What meets the sheet: its triangles about its origin, how thick it is around them, and how it gets into a world.
struct Other {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  double radius = 0;
  std::function<void(World&, const Pose&)> add;
};

Other box_of(const Vec3& half) {
  Other o;
  const TetMesh mesh = tet_box(-half, half, 1, 1, 1);
  o.points = mesh.nodes;
  o.triangles = surface_triangles(mesh);
  o.add = [half](World& w, const Pose& at) {
    BodyDescription b = make_body("other", ShapeDescription::Kind::box, at.x);
    b.shape.half = half;
    b.orientation = at.q;
    w.bodies.push_back(b);
  };
  return o;
}

Other capsule(double half_height, double radius) {
  Other o;
  o.points = {{0, 0, -half_height}, {0, 0, half_height}};
  o.triangles = {{0, 1, 1}};
  o.radius = radius;
  o.add = [=](World& w, const Pose& at) {
    BodyDescription b =
        make_body("other", half_height > 0 ? ShapeDescription::Kind::capsule : ShapeDescription::Kind::sphere, at.x);
    b.shape.radius = radius;
    b.shape.half_height = half_height;
    b.orientation = at.q;
    w.bodies.push_back(b);
  };
  return o;
}

Other other_named(const std::string& kind, Random& random) {
  if (kind == "box") return box_of({0.05, 0.07, 0.04});
  if (kind == "plate") return box_of({0.1, 0.08, 0.002});
  if (kind == "ball") return capsule(0, 0.02);
  if (kind == "capsule") return capsule(0.06, 0.02);
  Other o;
  if (kind == "sheet") {
    const ClothDescription c = crooked_sheet("other", random);
    o.points = c.mesh.nodes;
    o.triangles = c.mesh.triangles;
    o.radius = kHalf;
    o.add = [c](World& w, const Pose& at) {
      ClothDescription placed = c;
      placed.position = at.x;
      placed.orientation = at.q;
      add_cloth(w, placed);
    };
    return o;
  }
  const TetMesh solid = tet_box({-0.08, -0.08, -0.004}, {0.08, 0.08, 0.004}, 2, 2, 1);  // thin: its far side is near
  o.points = solid.nodes;
  o.triangles = surface_triangles(solid);
  o.add = [solid, kind, triangles = o.triangles](World& w, const Pose& at) {
    if (kind == "mesh") {
      BodyDescription b = make_body("other", ShapeDescription::Kind::mesh, at.x, Motion::fixed);
      b.shape.points = solid.nodes;
      b.shape.triangles = triangles;
      b.orientation = at.q;
      w.bodies.push_back(b);
      return;
    }
    SoftDescription s;
    s.name = "other";
    s.mesh = solid;
    s.position = at.x;
    s.orientation = at.q;
    add_soft_body(w, s);
  };
  return o;
}

}  // namespace

/// Nothing overlaps, so no gap is below the distance, on whichever side the other is; and the smallest gap is the
/// distance where the nearest points are of features that touch each other: all but corners of the other against edges
/// and corners of the sheet.
BOOST_AUTO_TEST_CASE(gaps_against_brute_force) {
  constexpr double kDistance = 0.008;  // of the cores beyond radii
  for (const std::string kind : {"box", "plate", "ball", "capsule", "sheet", "solid", "mesh"}) {
    int exact = 0, cases = 0;
    for (int seed = 0; seed < 60; ++seed) {
      Random random(seed);
      const ClothDescription sheet = crooked_sheet("sheet", random);
      const Other other = other_named(kind, random);
      const std::vector<Triangle> of_sheet = placed(sheet.mesh.nodes, sheet.mesh.triangles, {});
      Vec3 way = random.unit_vector();
      way.z = std::copysign(std::fmax(std::fabs(way.z), 0.4), way.z);  // over the sheet more often than beside it
      Pose pose{0.4 * normalized(way), normalized(Quat{random.uniform(-1, 1), random.uniform(-1, 1),
                                                       random.uniform(-1, 1), random.uniform(-1, 1)})};
      const Vec3 aim{random.uniform(-0.14, 0.14), random.uniform(-0.14, 0.14), 0}, ahead = normalized(aim - pose.x);
      double d = 0;
      for (int k = 0; k < 200; ++k) {
        d = distance(of_sheet, placed(other.points, other.triangles, pose)) - other.radius;
        if (d - kDistance < 1e-3 || d > 1) break;
        pose.x += (d - kDistance) * ahead;
      }
      if (d > 1.5 * kDistance) continue;  // went by
      World world;
      const bool first = seed % 2 == 0;  // as side a and as side b
      if (first) add_cloth(world, sheet);
      other.add(world, pose);
      if (!first) add_cloth(world, sheet);
      double least = INFINITY;
      for (const Touch& t : touches(world, 0.03)) {
        BOOST_TEST_CONTEXT(kind << " " << seed << " " << t.name) {
          BOOST_TEST(t.gap >= d - kHalf - kTouchRounding);
          least = std::fmin(least, t.gap);
        }
      }
      ++cases;
      exact += std::fabs(least - (d - kHalf)) <= 1e-12;
    }
    BOOST_TEST_MESSAGE(kind << ": " << exact << " of " << cases);
    BOOST_TEST(cases >= 40);
    BOOST_TEST_CONTEXT(kind) BOOST_TEST(exact >= 0.75 * cases);
  }
}

/// The same contacts on either side, for every way in which the triangles are wound.
BOOST_AUTO_TEST_CASE(sides_are_alike) {
  for (const double side : {1.0, -1.0})
    for (const bool turned : {false, true}) {
      World world;
      ClothDescription sheet;
      sheet.name = "sheet";
      sheet.mesh = flat_sheet(0.3, 0.3, 1, 1);
      sheet.thickness = 2 * kHalf;
      if (turned) std::swap(sheet.mesh.triangles[1][0], sheet.mesh.triangles[1][1]);
      add_cloth(world, sheet);
      BodyDescription ball = make_body("ball", ShapeDescription::Kind::sphere, {0.05, -0.06, 0.025 * side});
      ball.shape.radius = 0.02;
      world.bodies = {ball};
      const auto all = touches(world, 0.01);
      BOOST_REQUIRE(all.size() == 1u);  // over the inside of one triangle of 0.3 m
      BOOST_TEST(std::fabs(all[0].gap - 0.004) <= kTouchRounding);
      BOOST_TEST(norm(all[0].normal - Vec3{0, 0, -side}) <= kTouchRounding);
      world.bodies[0].position = {0.172, 0.03, 0.003 * side};  // beside the rim
      const auto beside = touches(world, 0.01);
      BOOST_REQUIRE(beside.size() == 1u);
      BOOST_TEST(std::fabs(beside[0].gap - (std::hypot(0.022, 0.003) - 0.02 - kHalf)) <= kTouchRounding);
      BOOST_TEST(norm(beside[0].on_face - Vec3{0.15, 0.03, 0}) <= kTouchRounding);
    }
}

/// Two sheets of two triangles each that lie across each other: neither has a node over the other, their rims cross in
/// four places.
BOOST_AUTO_TEST_CASE(rims_cross) {
  World world;
  for (const int k : {0, 1}) {
    ClothDescription sheet;
    sheet.name = k == 0 ? "lower" : "upper";
    sheet.mesh = flat_sheet(k == 0 ? 0.3 : 0.1, k == 0 ? 0.1 : 0.3, 1, 1);
    sheet.thickness = 2 * kHalf;
    sheet.position = {0, 0, 0.004 * k};
    add_cloth(world, sheet);
  }
  const auto all = touches(world, 0.01);
  BOOST_TEST(all.size() == 4u);
  for (const Touch& t : all) {
    BOOST_TEST(std::fabs(t.gap - (0.004 - 2 * kHalf)) <= kTouchRounding);
    BOOST_TEST(std::fabs(std::fabs(t.normal.z) - 1) <= kTouchRounding);
    BOOST_TEST(norm(Vec3{std::fabs(t.on_face.x) - 0.05, std::fabs(t.on_face.y) - 0.05, 0}) <= kTouchRounding);
  }
}

/// A corner of a box that has gone a little through a sheet is pushed back to where it came from; a plate under it is
/// not felt from above.
BOOST_AUTO_TEST_CASE(overlaps_know_their_side) {
  for (const double side : {1.0, -1.0}) {
    World world;
    ClothDescription sheet;
    sheet.name = "sheet";
    sheet.mesh = flat_sheet(0.3, 0.3, 1, 1);
    sheet.thickness = 2 * kHalf;
    add_cloth(world, sheet);
    BodyDescription box = make_body("box", ShapeDescription::Kind::box, {0.05, -0.06, side * 0.017});
    box.shape.half = {0.02, 0.02, 0.02};  // 3 mm through the middle of the sheet
    world.bodies = {box};
    auto all = touches(world, 0.005);
    BOOST_TEST(all.size() == 4u);
    for (const Touch& t : all) {
      BOOST_TEST(std::fabs(t.gap + 0.004) <= kTouchRounding);
      BOOST_TEST(t.normal.z * side < 0);
    }
    world.bodies[0].shape.half = {0.1, 0.1, 0.002};  // a plate, thinner than what an overlap may be
    world.bodies[0].position = {0.01, 0.02, side * 0.0035};
    all = touches(world, 0.005);
    BOOST_TEST(all.size() >= 4u);
    for (const Touch& t : all) BOOST_TEST(std::fabs(t.gap - 0.0005) <= kTouchRounding);
  }
}

/// A node of a soft body below the middle of a sheet belongs above it all the same, as a corner of a box does.
BOOST_AUTO_TEST_CASE(nodes_of_solids_know_their_side) {
  for (const double side : {1.0, -1.0})
    for (const bool sheet_first : {true, false}) {
      World world;
      ClothDescription sheet;
      sheet.name = "sheet";
      sheet.mesh = flat_sheet(0.3, 0.3, 1, 1);
      sheet.thickness = 2 * kHalf;
      SoftDescription cube = soft_box("cube", {0.04, 0.04, 0.04}, {1, 1, 1}, 1e5);
      for (Vec3& p : cube.mesh.nodes)
        p = rotate(normalized(Quat{1, 0.35, -0.28, 0}), p - Vec3{0.02, 0.02, 0.02});  // on a corner
      double lowest = 0;
      for (const Vec3& p : cube.mesh.nodes) lowest = std::fmin(lowest, side * p.z);
      cube.position = {0.05, -0.06, side * (-0.003 - lowest)};
      if (sheet_first) add_cloth(world, sheet);
      add_soft_body(world, cube);
      if (!sheet_first) add_cloth(world, sheet);
      double deepest = 0;
      for (const Touch& t : touches(world, 0.001)) {
        if (t.gap > deepest) continue;
        deepest = t.gap;
        BOOST_TEST(t.normal.z * side * (sheet_first ? 1 : -1) < 0);  // from side b to side a
      }
      BOOST_TEST(std::fabs(deepest + 0.004) <= kTouchRounding);
    }
}

/// What is tied to one node touches no face around it.
BOOST_AUTO_TEST_CASE(faces_around_a_node_kept_apart) {
  World world;
  ClothDescription sheet;
  sheet.name = "sheet";
  sheet.mesh = flat_sheet(0.3, 0.3, 1, 1);
  add_cloth(world, sheet);
  BodyDescription ball = make_body("ball", ShapeDescription::Kind::sphere, {0.1, -0.1, 0.02});
  ball.shape.radius = 0.02;
  world.bodies = {ball};
  BOOST_TEST(touches(world, 0.01).size() == 1u);
  world.no_collision.emplace_back("ball", "sheet:1");
  BOOST_TEST(touches(world, 0.01).empty());
}

BOOST_AUTO_TEST_CASE(windings) {
  TriangleSheet mesh = flat_sheet(1, 1, 4, 3);
  const auto good = face_neighbours(mesh.triangles);
  Random random(3);
  for (auto& t : mesh.triangles)
    if (random.sign() < 0) std::swap(t[1], t[2]);
  const auto wound = alike_wound(mesh.triangles);
  const auto neighbours = face_neighbours(wound);
  int inner = 0, expected = 0;
  for (std::size_t t = 0; t < wound.size(); ++t)
    for (int k = 0; k < 3; ++k) inner += neighbours[t][k] >= 0, expected += good[t][k] >= 0;
  BOOST_TEST(inner == expected);
}

BOOST_AUTO_TEST_CASE(impossible_contact_of_sheets) {
  World world;
  ClothDescription sheet;
  sheet.name = "sheet";
  sheet.mesh = flat_sheet(0.3, 0.3, 3, 3);
  sheet.self_contact = true;
  sheet.thickness = 0.11;
  BOOST_CHECK_THROW(add_cloth(world, sheet), InputError);
  sheet.thickness = 0.001;
  sheet.contact = "points";
  BOOST_CHECK_THROW(add_cloth(world, sheet), InputError);
  sheet.self_contact = false;
  add_cloth(world, sheet);
  BOOST_TEST(world.surfaces.empty());
  BOOST_TEST(world.particles[0].collides);
  BOOST_TEST(world.particles[0].radius == 0.0005);
}

BOOST_AUTO_TEST_SUITE_END()
