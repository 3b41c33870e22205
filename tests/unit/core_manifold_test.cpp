// Manifolds of capsules, cylinders, polyhedra, planes and triangles with numbers a reader can check, and what every
// pair must have: exchange of sides, common motion, no jump under a disturbance of rounding size.

#include "tests/unit/contact_pairs.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(core_manifold)

namespace {

constexpr double kHalf = 0.5, kRadius = 0.2;                   // [m] of the capsules and cylinders below
const Quat kLying = from_axis_angle(Vec3{0, 1, 0}, M_PI / 2);  // axis along x
/// Positions that went through a search: its tolerance relative to its length.
constexpr double kSearched = 1e-9;
constexpr double kSearchedNormal = 2e-4;

ConvexCore capsule() { return {CoreKind::segment, {0, 0, kHalf}, 0, {}}; }
ConvexCore cylinder(double half = kHalf, double radius = kRadius) {
  return {CoreKind::cylinder, {0, 0, half}, radius, {}};
}
ConvexCore polyhedron(const ConvexHull& h) { return {CoreKind::vertices, {}, 0, h.shape()}; }

struct Triangle {
  Vec3 corner[3];
  Vec3 normal[1];
  double offset[1], area[1] = {1};
  Triangle(const Vec3& p, const Vec3& q, const Vec3& r)
      : corner{p, q, r}, normal{normalized(cross(q - p, r - p))}, offset{dot(normal[0], p)} {}
  ConvexCore core() const {
    ConvexCore c;
    c.kind = CoreKind::vertices;
    c.hull.vertex = corner, c.hull.vertices = 3;
    c.hull.normal = normal, c.hull.offset = offset, c.hull.area = area, c.hull.faces = 1;
    for (const Vec3& v : corner) c.hull.radius = std::max(c.hull.radius, norm(v));
    return c;
  }
};

PairManifold meet(const ConvexCore& a, const Pose& pose_a, double rho_a, const ConvexCore& b, const Pose& pose_b,
                  double rho_b, double margin = kMargin) {
  PairManifold r;
  r.a = pose_a, r.b = pose_b;
  r.m.radius_a = rho_a, r.m.radius_b = rho_b;
  core_contacts(a, b, pose_a, pose_b, pose_a, pose_b, margin, r.m);
  return r;
}

PairManifold on_triangle(const ConvexCore& a, const Pose& pose_a, double rho, const Triangle& t, int flags) {
  PairManifold r;
  r.a = pose_a;
  r.m.radius_a = rho;
  triangle_contacts(a, t.core(), flags, pose_a, {}, pose_a, {}, kMargin, r.m);
  return r;
}

void check(const PairManifold& r, int count, const Vec3& normal, double gap, double tolerance = kRounding) {
  BOOST_TEST(r.count() == count);
  BOOST_TEST(norm(r.normal() - normal) <= tolerance);
  for (int i = 0; i < r.count(); ++i) BOOST_TEST(std::fabs(r.gap(i) - gap) <= tolerance);
  BOOST_TEST(r.features().size() == static_cast<std::size_t>(r.count()));
}

/// Whether some contact is at p (on a).
bool touches(const PairManifold& r, const Vec3& p, double tolerance = kSearched) {
  for (int i = 0; i < r.count(); ++i)
    if (norm(r.world_a(i) - p) <= tolerance) return true;
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(capsule_on_a_plane) {
  const PlaneShape floor{{0, 0, 1}, 0};
  PairManifold r;
  r.a = {{1, 2, kRadius + 0.001}, kLying};
  r.m.radius_a = kRadius;
  capsule_plane({0, 0, kHalf}, r.a, floor, r.b, kMargin, r.m);
  check(r, 2, {0, 0, 1}, 0.001);
  BOOST_TEST(touches(r, {1 - kHalf, 2, kRadius + 0.001}));
  BOOST_TEST(touches(r, {1 + kHalf, 2, kRadius + 0.001}));
}

BOOST_AUTO_TEST_CASE(cylinder_on_a_plane) {
  const PlaneShape floor{{0, 0, 1}, 0};
  const auto place_on = [&](const Pose& pose) {
    PairManifold r;
    r.a = pose;
    cylinder_plane({0, 0, kHalf}, kRadius, r.a, floor, r.b, kMargin, r.m);
    return r;
  };
  const PairManifold standing = place_on({{1, 2, kHalf}, {}});
  check(standing, 4, {0, 0, 1}, 0);
  for (double angle : {0.1, 1.0, 3.0}) {  // spinning: same places, same names
    const PairManifold spun = place_on({{1, 2, kHalf}, tilt({0, 0, 1}, angle)});
    check(spun, 4, {0, 0, 1}, 0);
    for (int i = 0; i < 4; ++i) {
      BOOST_TEST(spun.points[i].feature == standing.points[i].feature);
      BOOST_TEST(norm(spun.world_a(i) - standing.world_a(i)) <= kRounding);
    }
  }
  const PairManifold lying = place_on({{1, 2, kRadius}, kLying});
  check(lying, 2, {0, 0, 1}, 0);
  BOOST_TEST(touches(lying, {1 - kHalf, 2, 0}));
  BOOST_TEST(touches(lying, {1 + kHalf, 2, 0}));
  for (double angle : {1e-9, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 0.5, 1.0, 1.5, M_PI / 2 - 1e-6, 2.0, 3.1})
    for (double turn : {0.0, 0.3, 1.1}) {  // the lowest point of the rim is always there
      const Quat q = tilt({0, 0, 1}, turn) * tilt({0, 1, 0}, angle);
      const double low = kHalf * std::fabs(std::cos(angle)) + kRadius * std::fabs(std::sin(angle));
      const PairManifold r = place_on({{0, 0, low - 1e-4}, q});
      BOOST_TEST(r.count() >= 1);
      BOOST_TEST(std::fabs(r.least_gap() + 1e-4) <= 2 * kEqualLength * kRadius);
    }
}

BOOST_AUTO_TEST_CASE(capsules) {
  const double h = 2 * kRadius + 0.001;
  const PairManifold parallel = meet(capsule(), {{0.25, 0, h}, kLying}, kRadius, capsule(), {{}, kLying}, kRadius);
  check(parallel, 2, {0, 0, 1}, 0.001, kSearched);
  BOOST_TEST(touches(parallel, {-0.25, 0, h}));  // ends of what the axes share
  BOOST_TEST(touches(parallel, {0.5, 0, h}));
  const PairManifold crossed =
      meet(capsule(), {{0.1, 0.2, h}, tilt({0, 0, 1}, 1) * kLying}, kRadius, capsule(), {{}, kLying}, kRadius);
  check(crossed, 1, {0, 0, 1}, 0.001, kSearched);
  const PairManifold end_on = meet(capsule(), {{0, 0, 1 + h}, {}}, kRadius, capsule(), {{}, {}}, kRadius);
  check(end_on, 1, {0, 0, 1}, 0.001, kSearched);
}

BOOST_AUTO_TEST_CASE(capsule_and_box) {
  const ConvexHull slab = box_hull({0.3, 1, 0.1}, "slab");
  const PairManifold lying = meet(capsule(), {{0, 0, 0.1 + kRadius}, kLying}, kRadius, polyhedron(slab), {}, 0);
  check(lying, 2, {0, 0, 1}, 0);
  BOOST_TEST(touches(lying, {-0.3, 0, 0.1 + kRadius}));  // cut by the sides of the slab
  BOOST_TEST(touches(lying, {0.3, 0, 0.1 + kRadius}));
  const double d = kRadius + 0.002;  // over an edge, along it, 45° off its faces
  const PairManifold along =
      meet(capsule(), {Vec3{0.3 + d * M_SQRT1_2, 0, 0.1 + d * M_SQRT1_2}, tilt({1, 0, 0}, M_PI / 2)}, kRadius,
           polyhedron(slab), {}, 0);
  check(along, 2, {M_SQRT1_2, 0, M_SQRT1_2}, 0.002, kSearched);
}

/// A steep capsule whose end is just beyond the edge of a face, in a direction that counts as that of the face: of its
/// axis the face sees what is cut at the edge, which is higher by its slope. With a normal for each point
/// (-manifold features) some point shows how near the two are.
BOOST_AUTO_TEST_CASE(steep_capsule_ends_beyond_an_edge) {
  const ConvexHull slab = box_hull({0.3, 1, 0.1}, "slab");
  for (const double slope : {0.1, 0.3, 0.6})
    for (const double beyond : {1e-5, 1e-4, 3e-4, 9e-4})
      for (const double height : {kRadius - 1e-4, kRadius, kRadius + 1e-3}) {
        const Vec3 axis = normalized(Vec3{-1, 0, slope}), end{0.3 + beyond, 0, 0.1 + height};
        PairManifold r;
        std::vector<Vec3> normals(kMaxManifold);
        r.m.normals = normals.data();
        r.a = {end + kHalf * axis, from_axis_angle(Vec3{0, 1, 0}, -std::acos(axis.z))};
        r.m.radius_a = kRadius;
        core_contacts(capsule(), polyhedron(slab), r.a, r.b, r.a, r.b, kMargin, r.m);
        BOOST_TEST(r.count() >= 1);
        BOOST_TEST(std::fabs(r.least_gap() - (std::hypot(height, beyond) - kRadius)) <= kSearched);
      }
}

BOOST_AUTO_TEST_CASE(cylinder_and_box) {
  const ConvexHull slab = box_hull({1, 1, 0.1}, "slab"), block = box_hull({0.1, 0.05, 0.1}, "block");
  const PairManifold standing = meet(cylinder(), {{0.2, 0.1, 0.6}, tilt({0, 0, 1}, 0.7)}, 0, polyhedron(slab), {}, 0);
  check(standing, 4, {0, 0, 1}, 0);
  const PairManifold lying = meet(cylinder(), {{0.2, 0.1, 0.1 + kRadius}, kLying}, 0, polyhedron(slab), {}, 0);
  check(lying, 2, {0, 0, 1}, 0);
  BOOST_TEST(touches(lying, {0.7, 0.1, 0.1}));
  const PairManifold under = meet(cylinder(), {}, 0, polyhedron(block), {{0, 0, 0.6}, {}}, 0);
  check(under, 4, {0, 0, -1}, 0);
  BOOST_TEST(touches(under, {0.1, -0.05, 0.5}));
  const PairManifold half_over =
      meet(cylinder(), {{1.0, 0, 0.6}, {}}, 0, polyhedron(slab), {}, 0);  // over the edge x = 1
  BOOST_TEST(half_over.count() >= 4);
  BOOST_TEST(norm(half_over.normal() - Vec3{0, 0, 1}) == 0);
  BOOST_TEST(touches(half_over, {1, kRadius, 0.1}));
  const double angle = 0.3;  // tilted: the lowest point of the rim
  const double low = kHalf * std::cos(angle) + kRadius * std::sin(angle);
  for (double gap : {-1e-4, 1e-4}) {
    const PairManifold tilted =
        meet(cylinder(), {{0, 0, 0.1 + low + gap}, tilt({0, 1, 0}, angle)}, 0, polyhedron(slab), {}, 0);
    BOOST_TEST(norm(tilted.normal() - Vec3{0, 0, 1}) <= kSearched);
    BOOST_TEST(std::fabs(tilted.least_gap() - gap) <= kSearched);
  }
}

BOOST_AUTO_TEST_CASE(cylinders) {
  const PairManifold stacked = meet(cylinder(), {{0.05, 0, 1}, tilt({0, 0, 1}, 2)}, 0, cylinder(kHalf, 0.5), {}, 0);
  check(stacked, 4, {0, 0, 1}, 0);
  const PairManifold equal = meet(cylinder(), {{0, 0, 1}, tilt({0, 0, 1}, 2)}, 0, cylinder(), {}, 0);
  BOOST_TEST(equal.count() >= 4);
  BOOST_TEST(std::fabs(equal.least_gap()) <= kRounding);
  const PairManifold shifted = meet(cylinder(), {{0.2, 0, 1}, {}}, 0, cylinder(), {}, 0);  // caps overlap in a lens
  BOOST_TEST(shifted.count() >= 3);
  BOOST_TEST(norm(shifted.normal() - Vec3{0, 0, 1}) == 0);
  const double h = 2 * kRadius - 1e-4;
  const PairManifold parallel = meet(cylinder(), {{0.25, 0, h}, kLying}, 0, cylinder(), {{}, kLying}, 0);
  check(parallel, 2, {0, 0, 1}, -1e-4, kSearched);
  BOOST_TEST(touches(parallel, {0.5, 0, kRadius - 1e-4}));
  const PairManifold crossed = meet(cylinder(), {{0, 0, h}, tilt({1, 0, 0}, M_PI / 2)}, 0, cylinder(), {{}, kLying}, 0);
  check(crossed, 1, {0, 0, 1}, -1e-4, kSearched);
}

// Caps on each other that are not quite parallel: the deepest of what they share may be on either rim, between the
// points with which a rim is numbered.
BOOST_AUTO_TEST_CASE(deepest_point_of_two_caps) {
  constexpr double kTilt = 1e-3;
  constexpr int kRim = 20000;
  constexpr double kSampled = 2 * M_PI / kRim * kRadius * kTilt;  // [m] from one sample of a rim to the next
  RandomSolids random(11);
  int between = 0;
  for (int round = 0; round < 40; ++round) {
    const double angle = random.number(0, 2 * M_PI), lean = random.number(0, 2 * M_PI);
    const Pose a{{random.number(0.05, 0.3) * std::cos(angle), 0.1 * std::sin(angle), 2 * kHalf},
                 tilt({std::cos(lean), std::sin(lean), 0}, kTilt)};
    const PairManifold r = meet(cylinder(), a, 0, cylinder(), {}, 0);
    // Height of the cap of a over that of b, at the points of both rims that are within the other.
    const Vec3 up = rotate(a.q, {0, 0, 1}), middle = a.x - kHalf * up;
    double deepest = 1e300;
    for (int k = 0; k < kRim; ++k) {
      const Vec3 d{std::cos(2 * M_PI * k / kRim), std::sin(2 * M_PI * k / kRim), 0};
      const Vec3 of_a = middle + kRadius * rotate(a.q, d), of_b = kRadius * d + Vec3{0, 0, kHalf};
      if (std::hypot(of_a.x, of_a.y) < kRadius) deepest = std::min(deepest, of_a.z - kHalf);
      const double over = dot(up, middle - of_b) / up.z;
      if (norm(of_b + Vec3{0, 0, over} - middle) < kRadius) deepest = std::min(deepest, over);
    }
    BOOST_TEST(std::fabs(r.least_gap() - deepest) <= kSampled + kPolygonDetail * kRadius * kTilt);
    for (int i = 0; i < r.count(); ++i) between += point_origin(r.points[i].feature) == PointOrigin::deepest;
  }
  BOOST_TEST(between > 10);
}

// The face that looks most at the floor is a narrow one that rises; the lowest corner belongs to steeper ones beside.
BOOST_AUTO_TEST_CASE(lowest_corner_beside_the_lowest_face) {
  constexpr double kDepth = 0.003;  // [m]
  const ConvexHull h = clarke::convex_hull(
      {{0, 0, -kDepth}, {0.2, 0, 0.0018}, {0.5, 0.02, 0.0108}, {0.5, -0.02, 0.0108}, {0.2, 0, 0.5}}, "wedge");
  const Vec3 up{0, 0, 1};
  int lowest_face = 0;
  for (std::size_t f = 1; f < h.normal.size(); ++f)
    if (dot(h.normal[f], up) < dot(h.normal[lowest_face], up)) lowest_face = static_cast<int>(f);
  double lowest_of_face = 1;
  for (int k = h.loop_begin[lowest_face]; k < h.loop_begin[lowest_face + 1]; ++k)
    lowest_of_face = std::min(lowest_of_face, h.vertex[h.loop[k]].z);
  BOOST_REQUIRE(lowest_of_face > 0);
  const auto deepest = [&](const ConvexCore& floor) {
    PairManifold r;
    r.b.x = {0, 0, -kHalf};
    std::vector<Vec3> normals(r.points.size());
    r.m.normals = normals.data();
    core_contacts(polyhedron(h), floor, r.a, r.b, r.a, r.b, kMargin, r.m);
    return r.least_gap();
  };
  BOOST_TEST(std::fabs(deepest(cylinder(kHalf, 1)) + kDepth) <= kRounding);
  const ConvexHull box = box_hull({1, 1, kHalf}, "floor");
  BOOST_TEST(std::fabs(deepest(polyhedron(box)) + kDepth) <= kRounding);
  PairManifold r;
  r.b.x = {0, 0, -kHalf};
  std::vector<Vec3> normals(r.points.size());
  r.m.normals = normals.data();
  clarke::convex_convex(h.shape(), box.shape(), r.a, r.b, r.a, r.b, kMargin, r.m);
  BOOST_TEST(std::fabs(r.least_gap() + kDepth) <= kRounding);
}

BOOST_AUTO_TEST_CASE(sphere_and_cylinder) {
  const auto run = [](const Vec3& centre) {
    PairManifold r;
    r.a.x = centre;
    r.m.radius_a = 0.1;
    sphere_cylinder(r.a, {0, 0, kHalf}, kRadius, r.b, kMargin, r.m);
    return r;
  };
  check(run({0.1, 0, kHalf + 0.1}), 1, {0, 0, 1}, 0);
  check(run({0, 0.3, 0.2}), 1, {0, 1, 0}, 0);
  check(run({kRadius + 0.06, 0, kHalf + 0.08}), 1, {0.6, 0, 0.8}, 0);
  check(run({0.15, 0, 0}), 1, {1, 0, 0}, -0.15);  // centre inside, 0.05 under the side
  BOOST_TEST(run({0, 0.32, 0}).count() == 0);
}

BOOST_AUTO_TEST_CASE(over_a_flat_tessellation) {
  // Two triangles of one square; everything that slides over the shared edge feels the floor only.
  const Triangle t({0, 0, 0}, {1, 0, 0}, {0, 1, 0}), u({1, 0, 0}, {1, 1, 0}, {0, 1, 0});
  const ConvexHull box = box_hull({0.3, 0.2, 0.1}, "box");
  RandomSolids random(5);
  for (int i = 0; i < 200; ++i) {
    const double x = random.number(0, 1), y = random.number(0, 1), gap = random.number(-1e-3, 1e-3);
    const Quat turn = tilt({0, 0, 1}, random.number(0, 6));
    int balls = 0;
    double least = 1;
    for (const Triangle* s : {&t, &u}) {
      const PairManifold ball = on_triangle({}, {{x, y, 0.1 + gap}, turn}, 0.1, *s, 0);
      balls += ball.count();
      const PairManifold brick = on_triangle(polyhedron(box), {{x, y, 0.1 + gap}, turn}, 0, *s, 0);
      const PairManifold can = on_triangle(cylinder(0.1), {{x, y, 0.1 + gap}, turn}, 0, *s, 0);
      const PairManifold roll = on_triangle(cylinder(), {{x, y, kRadius + gap}, turn * kLying}, 0, *s, 0);
      const PairManifold pill = on_triangle(capsule(), {{x, y, kRadius + gap}, turn * kLying}, kRadius, *s, 0);
      for (const PairManifold* r : {&ball, &brick, &can, &roll, &pill})
        for (int k = 0; k < r->count(); ++k) {
          BOOST_TEST(norm(r->normal() - Vec3{0, 0, 1}) == 0);
          BOOST_TEST(std::fabs(r->gap(k) - gap) <= 10 * kRounding);
          const Vec3 p = r->world_b(k);
          BOOST_TEST(std::max({s->normal[0].z * (s == &t ? p.x + p.y - 1 : 1 - p.x - p.y), -p.x, -p.y, p.x - 1,
                               p.y - 1}) <= 1e-6);
        }
      least = std::min(least, brick.least_gap());
    }
    BOOST_TEST(balls == 1);  // on one triangle only, but for a hair on the edge
    BOOST_TEST(std::fabs(least - gap) <= 10 * kRounding);
  }
}

BOOST_AUTO_TEST_CASE(edges_of_triangles) {
  const Triangle t({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const Vec3 beyond{0.5, -0.06, 0.08};  // off edge 0, which leaves to −y, by 0.1
  BOOST_TEST(on_triangle({}, {beyond, {}}, 0.1, t, 0).count() == 0);
  check(on_triangle({}, {beyond, {}}, 0.1, t, 1), 1, {0, -0.6, 0.8}, 0, kSearched);
  // The neighbour turns by 30° only, the normal would have to turn by 37°.
  BOOST_TEST(on_triangle({}, {beyond, {}}, 0.1, t, with_edge_angle(0, 0, M_PI / 6)).count() == 0);
  check(on_triangle({}, {beyond, {}}, 0.1, t, with_edge_angle(0, 0, M_PI / 4)), 1, {0, -0.6, 0.8}, 0, kSearched);
  const Vec3 corner{-0.06, 0, 0.08};
  BOOST_TEST(on_triangle({}, {corner, {}}, 0.1, t, 0).count() == 0);
  check(on_triangle({}, {corner, {}}, 0.1, t, 1 << kTriangleVertexBit), 1, {-0.6, 0, 0.8}, 0, kSearched);
  BOOST_TEST(on_triangle({}, {{0.3, 0.3, -0.2}, {}}, 0.1, t, 7).count() == 0);  // behind: ignored
  check(on_triangle({}, {{0.3, 0.3, -0.02}, {}}, 0.1, t, 7), 1, {0, 0, 1}, -0.12);
}

BOOST_AUTO_TEST_CASE(symmetries_of_random_pairs) {
  const ConvexHull box = box_hull({0.3, 0.2, 0.4}, "box");
  const ConvexCore cores[] = {capsule(), cylinder(), cylinder(0.1, 0.5), polyhedron(box)};
  const double rho[] = {kRadius, 0, 0, 0};
  RandomSolids random(11);
  int seen = 0;
  for (int i = 0; i < 300; ++i)
    for (int ka = 0; ka < 4; ++ka)
      for (int kb = 0; kb < 3; ++kb) {
        const Pose a{{}, random.rotation()};
        Pose b{{}, random.rotation()};
        const Vec3 d = normalized(random.in_cube(1));
        b.x = (separation(place(cores[ka], a.q, {}), place(cores[kb], b.q, {}), d) - rho[ka] - rho[kb] -
               random.number(-0.02, 0.02)) *
              d;
        const PairManifold r = meet(cores[ka], a, rho[ka], cores[kb], b, rho[kb]);
        if (r.count() == 0) continue;
        ++seen;
        BOOST_TEST(r.count() <= kMaxPatch + 1);
        BOOST_TEST(std::fabs(norm(r.normal()) - 1) <= kRounding);
        const PairManifold s = meet(cores[kb], b, rho[kb], cores[ka], a, rho[ka]);
        BOOST_TEST(s.count() > 0);
        // Directions of round contacts are known to about 1e-6 (signed_distance.hpp); where two faces are equal the
        // first side is the reference, which differs by at most kFlatContact.
        BOOST_TEST(norm(s.normal() + r.normal()) <= 2 * kFlatContact);
        BOOST_TEST(std::fabs(s.least_gap() - r.least_gap()) <= 1e-5);
        const Quat q = random.rotation();
        const Vec3 x = random.in_cube(1);
        const PairManifold moved =
            meet(cores[ka], {x + rotate(q, a.x), q * a.q}, rho[ka], cores[kb], {x + rotate(q, b.x), q * b.q}, rho[kb]);
        BOOST_TEST(moved.count() > 0);
        // The depth of an overlap is flat at its extremum: 1e-9 of it is some 1e-5 of angle.
        BOOST_TEST(norm(moved.normal() - rotate(q, r.normal())) <= kSearchedNormal);
        BOOST_TEST(std::fabs(moved.least_gap() - r.least_gap()) <= 1e-6);
        const PairManifold near = meet(cores[ka], {a.x + random.in_cube(1e-12), a.q}, rho[ka], cores[kb], b, rho[kb]);
        BOOST_TEST(near.count() > 0);
        BOOST_TEST(norm(near.normal() - r.normal()) <= kSearchedNormal);
        BOOST_TEST(std::fabs(near.least_gap() - r.least_gap()) <= 1e-6);
      }
  BOOST_TEST(seen > 100);
}

BOOST_AUTO_TEST_SUITE_END()
