// Faces of deforming surfaces as colliders: which there are, and their contacts against a search over all points of
// both sides.

#include "physics/collision/soft_faces.hpp"

#include "physics/description/tet_surface.hpp"
#include "tests/property/random.hpp"
#include "tests/soft_worlds.hpp"
#include "tests/unit/touches.hpp"

#include <map>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_faces)

namespace {

/// A soft box of 0.3 m, 3 × 3 × 3 cells, its nodes moved at random by up to `by` [m], a tenth of a cell.
World crooked_box(Random& random, const std::string& contact = "surface", double by = 0.01) {
  SoftDescription box = soft_box("soft", {0.3, 0.3, 0.3}, {3, 3, 3}, 1e5);
  box.contact = contact;
  for (Vec3& p : box.mesh.nodes) p += by * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
  return world_of(box);
}

/// Nearest point of a box of half edges `half` to p, both in its frame, for a point outside.
Vec3 nearest_in_box(const Vec3& half, const Vec3& p) {
  Vec3 out = p;
  for (int k = 0; k < 3; ++k) out[k] = std::fmin(std::fmax(p[k], -half[k]), half[k]);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(surface_is_closed_and_looks_outwards) {
  const TetMesh mesh = tet_box({}, {0.2, 0.3, 0.5}, 2, 3, 4);
  const auto triangles = surface_triangles(mesh);
  BOOST_TEST(triangles.size() == 2u * 2 * (2 * 3 + 3 * 4 + 2 * 4));
  Vec3 area{};
  double volume = 0;
  for (const auto& t : triangles) {
    const Vec3 &a = mesh.nodes[t[0]], &b = mesh.nodes[t[1]], &c = mesh.nodes[t[2]];
    area += 0.5 * cross(b - a, c - a);
    volume += dot(a, cross(b, c)) / 6;
  }
  BOOST_TEST(norm(area) <= kTouchRounding);
  BOOST_TEST(std::fabs(volume - 0.03) <=
             kTouchRounding);  // 0.2 × 0.3 × 0.5, by the divergence theorem: positive means outwards
  const auto neighbours = face_neighbours(triangles);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int other = neighbours[t][k];
      BOOST_REQUIRE(other >= 0);
      const auto& back = neighbours[other];
      BOOST_TEST((back[0] == static_cast<int>(t) || back[1] == static_cast<int>(t) || back[2] == static_cast<int>(t)));
    }
}

BOOST_AUTO_TEST_CASE(nodes_near_a_box_against_a_search) {
  constexpr double kMargin = 0.04;
  int found = 0;
  for (int seed = 0; seed < 20; ++seed) {
    Random random(seed);
    World world = crooked_box(random);
    BodyDescription body = make_body("box", ShapeDescription::Kind::box, {});
    body.shape.half = {0.2, 0.15, 0.1};
    body.orientation =
        normalized(Quat{1, 0.08 * random.uniform(-1, 1), 0.08 * random.uniform(-1, 1), 0.3 * random.uniform(-1, 1)});
    body.position = {0.15 + 0.05 * random.uniform(-1, 1), 0.15 + 0.05 * random.uniform(-1, 1), 0.44};
    world.bodies = {body};
    std::multiset<double> expected, nodes;
    const auto surface = surface_nodes(world.softs[0].mesh);
    for (std::size_t n = 0; n < surface.size(); ++n) {
      if (!surface[n]) continue;
      const Vec3 p = rotate_inverse(body.orientation, world.particles[n].position - body.position);
      const double d = norm(p - nearest_in_box(body.shape.half, p));
      BOOST_REQUIRE((d > 0 || std::fabs(p.z) >= 0.1));  // outside, or the search would need depths
      if (d > 0 && d < kMargin) expected.insert(d);
    }
    for (const Touch& t : touches(world, kMargin)) {
      BOOST_TEST(std::fabs(t.weights - 1) <= kTouchRounding);
      // The gap is the distance of the two points, and the one on the box is on its surface.
      BOOST_TEST(std::fabs(std::fabs(t.gap) - norm(t.on_face - t.on_other)) <= kTouchRounding);
      const Vec3 p = rotate_inverse(body.orientation, t.on_other - body.position);
      double outside = -1;
      for (int k = 0; k < 3; ++k) outside = std::fmax(outside, std::fabs(p[k]) - body.shape.half[k]);
      BOOST_TEST(std::fabs(outside) <= kTouchRounding);
      if (t.name.find(":v") != std::string::npos) nodes.insert(t.gap);
    }
    BOOST_REQUIRE(nodes.size() == expected.size());
    for (auto i = nodes.begin(), j = expected.begin(); i != nodes.end(); ++i, ++j)
      BOOST_TEST(std::fabs(*i - *j) <= kTouchRounding);
    found += static_cast<int>(nodes.size());
  }
  BOOST_TEST(found > 50);
}

/// The corner of a turned box over a face, its edge across an edge of the surface, and the ball over the middle of a
/// face.
BOOST_AUTO_TEST_CASE(corners_and_edges_against_a_search) {
  constexpr double kMargin = 0.02;
  std::map<char, int> kinds;
  for (int seed = 0; seed < 20; ++seed) {
    Random random(100 + seed);
    World world = crooked_box(random);
    BodyDescription body = make_body("box", ShapeDescription::Kind::box, {});
    body.shape.half = {0.05, 0.06, 0.04};
    body.orientation =
        normalized(Quat{1, 0.2 * random.uniform(-1, 1), 0.2 * random.uniform(-1, 1), random.uniform(-1, 1)});
    body.position = {0.15 + 0.03 * random.uniform(-1, 1), 0.15 + 0.03 * random.uniform(-1, 1), 0.36};
    world.bodies = {body};
    const std::vector<Touch> all = touches(world, kMargin);
    // Corners: each over one face at most, and the same as the nearest face of the search.
    int corners = 0;
    for (int k = 0; k < 8; ++k) {
      const Vec3 corner =
          body.position +
          rotate(body.orientation, Vec3{(k & 1 ? 1 : -1) * 0.05, (k & 2 ? 1 : -1) * 0.06, (k & 4 ? 1 : -1) * 0.04});
      for (const auto& t : world.surfaces[0].triangles) {
        const Vec3 v[3] = {world.particles[t[0]].position, world.particles[t[1]].position,
                           world.particles[t[2]].position};
        const Vec3 n = normalized(cross(v[1] - v[0], v[2] - v[0])), w = barycentric(v, corner);
        const double d = dot(n, corner - v[0]);
        if (n.z < 0.5 || d >= kMargin || d < -0.05 || k >= 4 || w.x < 0 || w.y < 0 || w.z < 0) continue;
        ++corners;
        bool there = false;
        for (const Touch& touch : all)
          there =
              there || (norm(touch.on_other - corner) <= kTouchRounding && std::fabs(touch.gap - d) <= kTouchRounding);
        BOOST_TEST(there);
      }
    }
    int reported = 0;
    for (const Touch& touch : all) {
      ++kinds[touch.name[touch.name.find(':') + 1]];
      reported += touch.name.find(":f") != std::string::npos;
      if (touch.name.find(":e") == std::string::npos) continue;
      // On an edge of the box: two of its coordinates are at their ends.
      const Vec3 p = rotate_inverse(body.orientation, touch.on_other - body.position);
      int ends = 0;
      for (int k = 0; k < 3; ++k) ends += std::fabs(std::fabs(p[k]) - body.shape.half[k]) <= kTouchRounding;
      BOOST_TEST(ends == 2);
    }
    BOOST_TEST(reported == corners);
  }
  BOOST_TEST(kinds['f'] > 20);
  BOOST_TEST(kinds['e'] > 20);
  BOOST_TEST(kinds['v'] > 5);
}

/// A cylinder stands over an upper edge of the box: where one of its cells' edges is deeper in the cap at the rim than
/// anywhere else, the rim meets it, whether it belongs to a face of the top or of the side.
BOOST_AUTO_TEST_CASE(rims_across_edges_against_a_search) {
  constexpr double kRadius = 0.06, kHalf = 0.04, kDeep = 0.002;
  constexpr double kTilted = 0.05;  // of a depth along the axis: the normal is across both, tilted by up to 0.3 rad
  constexpr double kAtRim = 1e-4;   // [m] what two samples of an edge are apart
  int expected = 0;
  for (int seed = 0; seed < 40; ++seed) {
    Random random(200 + seed);
    World world = crooked_box(random, "surface", 0.003);
    BodyDescription body = make_body("can", ShapeDescription::Kind::cylinder, {});
    body.shape.radius = kRadius;
    body.shape.half_height = kHalf;
    body.orientation = normalized(Quat{1, 0.02 * random.uniform(-1, 1), 0.02 * random.uniform(-1, 1), 0});
    body.position = {0.15 + 0.1 * random.uniform(-1, 1), 0.27 + 0.03 * random.uniform(-1, 1), 0.3 + kHalf - kDeep};
    world.bodies = {body};
    const std::vector<Touch> all = touches(world, 0.001);
    for (const auto& t : world.surfaces[0].triangles)
      for (int k = 0; k < 3; ++k) {
        const Vec3 from = world.particles[t[k]].position, to = world.particles[t[(k + 1) % 3]].position;
        if (t[k] > t[(k + 1) % 3] || std::fmin(from.y, to.y) < 0.29 || std::fmin(from.z, to.z) < 0.29) continue;
        constexpr int kSamples = 4000;
        double deepest = 0, off_axis = 0;
        int at = 0;
        for (int i = 0; i <= kSamples; ++i) {
          const Vec3 p = rotate_inverse(body.orientation, from + (1.0 * i / kSamples) * (to - from) - body.position);
          const double radius = std::hypot(p.x, p.y);
          if (radius < kRadius && p.z + kHalf > deepest) deepest = p.z + kHalf, off_axis = radius, at = i;
        }
        if (at == 0 || at == kSamples || off_axis < kRadius - kAtRim || deepest < kAtRim) continue;
        ++expected;
        const Vec3 place = from + (1.0 * at / kSamples) * (to - from);
        bool there = false;
        for (const Touch& touch : all)
          there = there || (touch.name.find(":e") != std::string::npos && norm(touch.on_face - place) < deepest &&
                            std::fabs(touch.gap + deepest) <= kTilted * deepest + kAtRim * 0.15);
        BOOST_TEST(there, "seed " << seed << ", " << deepest << " m");
      }
  }
  BOOST_TEST(expected > 10);
}

BOOST_AUTO_TEST_CASE(round_shapes_and_planes) {
  using Kind = ShapeDescription::Kind;
  SoftDescription box = soft_box("soft", {0.3, 0.3, 0.3}, {3, 3, 3}, 1e5);
  box.thickness = 0.001;
  World world = world_of(box);
  const auto only = [&](BodyDescription body) {
    world.bodies = {body};
    return touches(world, 0.01);
  };
  BodyDescription ball = make_body("ball", Kind::sphere, {0.16, 0.13, 0.35});
  ball.shape.radius = 0.045;
  const auto on_ball = only(ball);
  BOOST_TEST(on_ball.size() == 1u);  // over the inside of one face
  BOOST_TEST(std::fabs(on_ball.at(0).gap - (0.05 - 0.045 - 0.001)) <= kTouchRounding);
  BOOST_TEST(norm(on_ball[0].normal - Vec3{0, 0, -1}) <= kTouchRounding);
  BodyDescription capsule = ball;
  capsule.shape.kind = Kind::capsule;
  capsule.shape.half_height = 0.06;
  capsule.orientation = normalized(Quat{1, 0, 1, 0});  // along x
  for (const Touch& t : only(capsule))
    BOOST_TEST_CONTEXT(t.name) BOOST_TEST(std::fabs(t.gap - 0.004) <= kTouchRounding);
  BodyDescription cylinder = capsule;
  cylinder.shape.kind = Kind::cylinder;
  cylinder.orientation = {};
  cylinder.position.z = 0.365;
  const auto on_cap = only(cylinder);
  BOOST_TEST(on_cap.size() >= 8u);
  for (const Touch& t : on_cap)  // a node beside the cap is nearest to its rim
    BOOST_TEST((t.name.find(":v") != std::string::npos || std::fabs(t.gap - 0.004) <= kTouchRounding));
  BodyDescription floor = make_body("floor", Kind::plane, {}, Motion::fixed);
  const auto on_floor = only(floor);
  BOOST_TEST(on_floor.size() == 16u);  // each node of the side once
  for (const Touch& t : on_floor) BOOST_TEST(std::fabs(t.gap + 0.001) <= kTouchRounding);
}

/// Nothing is told twice where corners lie on edges and nodes: a box of the size of two cells, on the grid's own lines.
BOOST_AUTO_TEST_CASE(aligned_grids) {
  World world = world_of(soft_box("soft", {0.3, 0.3, 0.3}, {3, 3, 3}, 1e5));
  BodyDescription body = make_body("box", ShapeDescription::Kind::box, {0.15, 0.15, 0.4});
  for (const double half : {0.05, 0.15}) {  // corners at four inner nodes, at the corners of the side
    body.shape.half = {half, half, 0.1};
    world.bodies = {body};
    const auto all = touches(world, 0.001);
    BOOST_TEST(all.size() == (half < 0.1 ? 4u : 16u));
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) BOOST_TEST(norm(all[i].on_face - all[j].on_face) > 0.05);
  }
}

/// A pyramid under the middle of a face touches with its tip; a flat mesh touches nodes; another soft body both ways.
BOOST_AUTO_TEST_CASE(other_faces) {
  using Kind = ShapeDescription::Kind;
  World world = world_of(soft_box("soft", {0.3, 0.3, 0.3}, {3, 3, 3}, 1e5));
  BodyDescription mesh = make_body("mesh", Kind::mesh, {}, Motion::fixed);
  mesh.shape.points = {{0, 0, -0.1}, {0.3, 0, -0.1}, {0.3, 0.3, -0.1}, {0, 0.3, -0.1}, {0.16, 0.13, -0.004}};
  mesh.shape.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  world.bodies = {mesh};
  const auto tip = touches(world, 0.005);
  BOOST_REQUIRE(tip.size() == 1u);
  BOOST_TEST(std::fabs(tip[0].gap - 0.004) <= kTouchRounding);
  BOOST_TEST(norm(tip[0].on_face - Vec3{0.16, 0.13, 0}) <= kTouchRounding);
  BOOST_TEST(norm(tip[0].normal - Vec3{0, 0, 1}) <= kTouchRounding);
  mesh.shape.points = {{-1, -1, -0.003}, {1, -1.1, -0.003}, {1, 1, -0.003}, {-1, 1, -0.003}};
  mesh.shape.triangles = {{0, 1, 2}, {0, 2, 3}};
  world.bodies = {mesh};
  const auto flat = touches(world, 0.005);
  BOOST_TEST(flat.size() == 16u);  // the nodes below, none of them twice
  for (const Touch& t : flat) BOOST_TEST(std::fabs(t.gap - 0.003) <= kTouchRounding);

  world = world_of(soft_box("soft", {0.3, 0.3, 0.3}, {3, 3, 3}, 1e5));
  SoftDescription small = soft_box("small", {0.1, 0.1, 0.1}, {1, 1, 1}, 1e5);
  small.position = {0.113, 0.127, 0.302};
  add_soft_body(world, small);
  int nodes_of_small = 0, nodes_of_large = 0;
  for (const Touch& t : touches(world, 0.005)) {
    BOOST_TEST(std::fabs(t.gap - 0.002) <= kTouchRounding);
    BOOST_TEST(norm(t.normal - Vec3{0, 0, -1}) <= kTouchRounding);  // "soft" is side a
    nodes_of_small += t.name.find(":f") != std::string::npos;
    nodes_of_large += t.name.find(":v") != std::string::npos;
  }
  BOOST_TEST(nodes_of_small == 4);
  BOOST_TEST(nodes_of_large == 1);  // at (0.2, 0.2)
}

BOOST_AUTO_TEST_CASE(impossible_surfaces) {
  World world;
  SoftDescription box = soft_box("soft", {0.3, 0.3, 0.3}, {1, 1, 1}, 1e5);
  box.contact = "faces";
  BOOST_CHECK_THROW(add_soft_body(world, box), InputError);
  box.contact = "points";
  box.self_contact = true;
  BOOST_CHECK_THROW(add_soft_body(world, box), InputError);
  box.self_contact = false;
  add_soft_body(world, box);
  BOOST_TEST(world.surfaces.empty());
  BOOST_TEST(world.particles[0].collides);
}

BOOST_AUTO_TEST_SUITE_END()
