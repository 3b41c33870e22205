// Manifolds of two polyhedra: stacks (the normal must not flip), joints, edges and corners, random pairs against a
// dense search, and the symmetries every pair must have.

#include "tests/unit/contact_pairs.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(convex_convex)

namespace {

const Vec3 kBrick{0.5, 0.5, 0.25};  // half extents [m]

PairManifold bricks(const Pose& upper, const Pose& lower = {}) {
  const ConvexHull brick = box_hull(kBrick, "brick");
  return collide(brick, upper, brick, lower);
}

std::vector<Vec3> world_vertices(const ConvexHull& h, const Pose& pose) {
  std::vector<Vec3> p;
  for (const Vec3& v : h.vertex) p.push_back(pose.x + rotate(pose.q, v));
  return p;
}

/// Separation of two point sets along n, from a to b.
double separation(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& n) {
  double top = -1e300, bottom = 1e300;
  for (const Vec3& x : a) top = std::max(top, dot(n, x));
  for (const Vec3& x : b) bottom = std::min(bottom, dot(n, x));
  return bottom - top;
}

/// Largest separation over many directions, the best of them polished by shrinking random steps: independent of faces
/// and edges.
double dense_separation(const std::vector<Vec3>& a, const std::vector<Vec3>& b, RandomSolids& random) {
  constexpr int kDirections = 2000, kStarts = 40, kSteps = 150;
  std::vector<std::pair<double, Vec3>> tried;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1 - (2.0 * i + 1) / kDirections, angle = 2.399963229728653 * i, r = std::sqrt(1 - z * z);
    const Vec3 n{r * std::cos(angle), r * std::sin(angle), z};
    tried.emplace_back(separation(a, b, n), n);
  }
  std::sort(tried.begin(), tried.end(), [](const auto& p, const auto& q) { return p.first > q.first; });
  double value = tried[0].first;
  for (int start = 0; start < kStarts; ++start) {
    auto [best, n] = tried[start];
    for (int i = 0; i < kSteps; ++i) {
      const Vec3 next = normalized(n + random.in_cube(0.05 * std::pow(0.95, i)));
      const double s = separation(a, b, next);
      if (s > best) best = s, n = next;
    }
    value = std::max(value, best);
  }
  return value;
}

}  // namespace

BOOST_AUTO_TEST_CASE(congruent_bricks_touch_at_four_corners) {
  const PairManifold r = bricks({{0, 0, 0.5}, {}});
  BOOST_TEST(r.count() == 4);
  BOOST_TEST(norm(r.normal() - Vec3{0, 0, 1}) == 0);
  for (int i = 0; i < r.count(); ++i) {
    BOOST_TEST(std::fabs(r.gap(i)) <= kRounding);
    BOOST_TEST(std::fabs(std::fabs(r.points[i].point_a.x) - 0.5) <= kRounding);
    BOOST_TEST(std::fabs(std::fabs(r.points[i].point_a.y) - 0.5) <= kRounding);
    BOOST_TEST(r.points[i].point_a.z == -0.25);
    BOOST_TEST(r.points[i].point_b.z == 0.25);
  }
  BOOST_TEST(r.features().size() == 4u);
}

BOOST_AUTO_TEST_CASE(normal_of_a_stack_does_not_flip) {
  // Everything a resting stack goes through: tilts, shifts and turns about the vertical, from rounding to visible, at
  // small positive and negative gaps.
  const double small[] = {0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
  const Vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, -0.3, 0.2}, {-0.2, 1, 2}};
  for (double angle : small)
    for (const Vec3& axis : axes)
      for (double gap : {-1e-3, -1e-6, -1e-9, -1e-15, 0.0, 1e-15, 1e-9, 1e-6, 1e-3})
        for (const Vec3& shift :
             {Vec3{}, Vec3{1e-9, -1e-9, 0}, Vec3{1e-6, 0, 0}, Vec3{1e-4, 2e-4, 0}, Vec3{-1e-3, 1e-3, 0}}) {
          const Pose upper{Vec3{0, 0, 0.5 + gap} + shift, tilt(axis, angle)};
          for (const PairManifold& r : {bricks(upper), bricks({}, upper)}) {
            const double up = r.a.x.z > r.b.x.z ? 1 : -1;
            const std::string what = "angle " + std::to_string(angle) + " gap " + std::to_string(gap);
            BOOST_TEST(norm(r.normal() - Vec3{0, 0, up}) <= angle + kRounding, what);
            BOOST_TEST(r.count() == 4, what + " count " + std::to_string(r.count()));
            // gaps vary by the tilt over the brick, and by the detail left out
            BOOST_TEST(std::fabs(r.least_gap() - gap) <= 1.5 * angle + kRounding, what);
          }
        }
}

BOOST_AUTO_TEST_CASE(a_long_stack_of_solved_positions) {
  // The normal must also hold in the small disorder that a solver leaves, whatever the pair.
  RandomSolids random(3);
  for (int i = 0; i < 500; ++i) {
    const Pose lower{random.in_cube(1e-4), tilt(random.in_cube(1), random.number(0, 1e-3))};
    const Pose upper{Vec3{0, 0, 0.5} + random.in_cube(1e-4), tilt(random.in_cube(1), random.number(0, 1e-3))};
    const PairManifold r = bricks(upper, lower);
    BOOST_TEST(r.normal().z > 1 - 1e-5);
    BOOST_TEST(r.count() >= 4);
  }
}

BOOST_AUTO_TEST_CASE(turned_brick_touches_at_eight_points) {
  const PairManifold r = bricks({{0, 0, 0.5}, tilt({0, 0, 1}, M_PI / 4)});
  BOOST_TEST(r.count() == 8);
  BOOST_TEST(norm(r.normal() - Vec3{0, 0, 1}) <= kRounding);
  BOOST_TEST(r.features().size() == 8u);
  const double crossing = 0.5 * std::tan(M_PI / 8);
  for (int i = 0; i < 8; ++i) {
    BOOST_TEST(std::fabs(r.gap(i)) <= kRounding);
    const Vec3 x = r.world_b(i);
    BOOST_TEST(std::fabs(std::max(std::fabs(x.x), std::fabs(x.y)) - 0.5) <= kRounding);
    BOOST_TEST(std::fabs(std::min(std::fabs(x.x), std::fabs(x.y)) - crossing) <= kRounding);
  }
}

BOOST_AUTO_TEST_CASE(overlap_of_shifted_bricks) {
  const PairManifold r = bricks({{0.3, -0.2, 0.499}, {}});
  BOOST_TEST(r.count() == 4);
  for (int i = 0; i < 4; ++i) {
    BOOST_TEST(std::fabs(r.gap(i) + 0.001) <= kRounding);
    const Vec3 x = r.world_b(i);
    BOOST_TEST(std::min(std::fabs(x.x - 0.5), std::fabs(x.x + 0.2)) <= kRounding);
    BOOST_TEST(std::min(std::fabs(x.y + 0.5), std::fabs(x.y - 0.3)) <= kRounding);
  }
}

BOOST_AUTO_TEST_CASE(larger_face_is_the_reference) {
  // A box that tips on a floor slab: the normal is the slab's for every tilt, in both orders.
  const ConvexHull slab = box_hull({10, 10, 0.5}, "slab"), box = box_hull({0.1, 0.2, 0.3}, "box");
  for (double angle : {1e-6, 1e-4, 1e-3, 1e-2, 0.1}) {
    const Quat q = tilt({0, 1, 0}, angle);
    const Pose floor{{0, 0, -0.5}, {}}, tipping{{1, 2, 0.3 * std::cos(angle) + 0.1 * std::sin(angle)}, q};
    const PairManifold r = collide(box, tipping, slab, floor), s = collide(slab, floor, box, tipping);
    BOOST_TEST(norm(r.normal() - Vec3{0, 0, 1}) == 0);
    BOOST_TEST(norm(s.normal() - Vec3{0, 0, -1}) == 0);
    BOOST_TEST(r.count() == (angle < 0.05 ? 4 : 2));  // 0.2 sin(0.1) is more than the margin
    BOOST_TEST(std::fabs(r.least_gap()) <= kRounding);
  }
}

BOOST_AUTO_TEST_CASE(features_last_under_small_motion) {
  // Far from any change of the overlap's shape, motion of a few thousandths of the body keeps every name.
  RandomSolids random(5);
  const Pose start{{0.2, -0.1, 0.5}, tilt({0, 0, 1}, 0.35)};
  const PairManifold reference = bricks(start);
  BOOST_TEST(reference.count() > 4);
  for (int i = 0; i < 200; ++i) {
    const Pose moved{start.x + random.in_cube(1e-3), tilt(random.in_cube(1), random.number(0, 2e-3)) * start.q};
    BOOST_TEST(bricks(moved).features() == reference.features());
  }
  // and congruent bricks within the equality tolerance
  const PairManifold congruent = bricks({{0, 0, 0.5}, {}});
  for (int i = 0; i < 200; ++i) {
    const Pose moved{Vec3{0, 0, 0.5} + random.in_cube(2e-7), tilt(random.in_cube(1), random.number(0, 2e-7))};
    BOOST_TEST(bricks(moved).features() == congruent.features());
  }
}

BOOST_AUTO_TEST_CASE(voussoirs_meet_at_four_points) {
  constexpr int kStones = 23;
  constexpr double kJoint = 1e-12;  // coordinates up to 6 m through hull, rotation and two poses
  std::vector<ConvexHull> stones;
  std::vector<Pose> poses;
  for (int i = 0; i < kStones; ++i) {
    std::vector<Vec3> p;
    for (int k = 0; k < 8; ++k) {
      const double angle = M_PI * (i + (k & 1)) / kStones, radius = k & 2 ? 5.4 : 4.6;
      p.push_back({radius * std::cos(angle), k & 4 ? 0.5 : -0.5, radius * std::sin(angle)});
    }
    ConvexHull h = convex_hull(p, "stone");
    const Vec3 centre = hull_mass_properties(h).centre;
    translate(h, -centre);
    stones.push_back(h);
    poses.push_back({centre, {}});
  }
  for (int i = 0; i + 1 < kStones; ++i) {
    const PairManifold r = collide(stones[i], poses[i], stones[i + 1], poses[i + 1]);
    BOOST_TEST(r.count() == 4);
    BOOST_TEST(r.features().size() == 4u);
    const double angle = M_PI * (i + 1) / kStones;
    BOOST_TEST(norm(r.normal() - Vec3{std::sin(angle), 0, -std::cos(angle)}) < kJoint);
    for (int k = 0; k < r.count(); ++k) BOOST_TEST(std::fabs(r.gap(k)) < kJoint);
  }
  BOOST_TEST(collide(stones[0], poses[0], stones[2], poses[2]).count() == 0);
}

BOOST_AUTO_TEST_CASE(crossed_edges_touch_once) {
  const ConvexHull cube = box_hull({0.5, 0.5, 0.5}, "cube");
  const double half_diagonal = std::sqrt(0.5);
  for (double gap : {-0.05, -1e-3, 0.0, 1e-3, 0.009}) {
    const Pose lower{{}, tilt({1, 0, 0}, M_PI / 4)};
    const Pose upper{{0.1, 0.2, 2 * half_diagonal + gap}, tilt({0, 1, 0}, M_PI / 4)};
    const PairManifold r = collide(cube, upper, cube, lower);
    BOOST_TEST(r.count() == 1);
    BOOST_TEST(norm(r.normal() - Vec3{0, 0, 1}) <= kRounding);
    BOOST_TEST(std::fabs(r.gap(0) - gap) <= kRounding);
    BOOST_TEST(norm(r.world_a(0) - Vec3{0.1, 0, half_diagonal + gap}) <= kRounding);
    BOOST_TEST(feature_key(FeatureKind::edge_edge, 0) <= r.points[0].feature);
  }
}

BOOST_AUTO_TEST_CASE(margin_limits_every_kind) {
  const ConvexHull cube = box_hull({0.5, 0.5, 0.5}, "cube");
  BOOST_TEST(collide(cube, {{0, 0, 1.009}, {}}, cube, {}).count() == 4);
  BOOST_TEST(collide(cube, {{0, 0, 1.011}, {}}, cube, {}).count() == 0);
  // a tilted cube: only the corners below the margin
  const PairManifold r = collide(cube, {{0, 0, 1.02}, tilt({0, 1, 0}, 0.05)}, cube, {}, 0.02);
  BOOST_TEST(r.count() == 2);
  for (int i = 0; i < r.count(); ++i) BOOST_TEST(r.gap(i) < 0.02);
  // rounded: ρ on both sides counts as surface
  const PairManifold round = collide(cube, {{0, 0, 1.1}, {}}, cube, {}, kMargin, 0.099);
  BOOST_TEST(round.count() == 4);
  BOOST_TEST(std::fabs(round.gap(0) - 0.001) <= kRounding);
}

BOOST_AUTO_TEST_CASE(rounded_corners_touch_at_the_nearest_points) {
  const ConvexHull cube = box_hull({0.5, 0.5, 0.5}, "cube");
  const Vec3 direction = normalized(Vec3{1, 1, 1});
  const PairManifold corner = collide(cube, {Vec3{1, 1, 1} + 0.1 * direction, {}}, cube, {}, kMargin, 0.099);
  BOOST_TEST(corner.count() == 1);
  BOOST_TEST(norm(corner.normal() - direction) <= 10 * kRounding);  // direction from a difference of 0.1
  BOOST_TEST(std::fabs(corner.gap(0) - 0.001) <= kRounding);
  const PairManifold edge = collide(cube, {{1 + 0.06, 0, 1 + 0.08}, tilt({0, 1, 0}, 1e-4)}, cube, {}, kMargin, 0.099);
  BOOST_TEST(edge.count() == 1);
  BOOST_TEST(norm(edge.normal() - Vec3{0.6, 0, 0.8}) <= 0.01);  // the tilt moves a corner by 5e-5
}

BOOST_AUTO_TEST_CASE(corners_apart_are_judged_where_they_will_be) {
  const ConvexHull box = box_hull({0.5, 0.5, 0.5}, "box");
  const auto run = [&](const Vec3& x, const Vec3& motion) {
    PairManifold r;
    r.a = {x, {}};
    clarke::convex_convex(box.shape(), box.shape(), r.a, r.b, {x + motion, {}}, r.b, kMargin, r.m);
    return r;
  };
  // A box slides over the joint of two level tiles: the second tile carries it and does not stop it, even if the box
  // has sunk in by what a solver leaves.
  for (double sunk : {0.0, 1e-9, 1e-6, 1e-5}) {
    const PairManifold r = run({-1.003, 0, 1 - sunk}, {0.005, 0, 0});
    BOOST_TEST(r.normal().z == 1);
    BOOST_TEST(r.count() > 0);
    for (int i = 0; i < r.count(); ++i) BOOST_TEST(std::fabs(r.gap(i) + sunk) <= kRounding);
  }
  BOOST_TEST(run({-1.003, 0, 1 - 1e-6}, {}).count() == 0);
  const PairManifold past = run({-1.003, 0, 1.004}, {0, 0, -0.1});  // falls past: the sides face each other
  BOOST_TEST(past.normal().x == -1);
  const PairManifold landed = run({-1.003, 0, 1.004}, {0.008, 0, -0.006});
  BOOST_TEST(landed.count() > 0);
  BOOST_TEST(landed.normal().z == 1);
}

BOOST_AUTO_TEST_CASE(random_pairs_agree_with_a_dense_search) {
  constexpr double kResolution = 2e-3;  // of the dense search: its directions are off by about 1e-3 rad
  RandomSolids random(11);
  int touching = 0, apart = 0;
  for (int i = 0; i < 300; ++i) {
    const ConvexHull a = random.hull(), b = random.hull();
    const Pose pa{random.in_cube(0.2), random.rotation()}, pb{random.in_cube(0.6), random.rotation()};
    const std::vector<Vec3> va = world_vertices(a, pa), vb = world_vertices(b, pb);
    const double dense = dense_separation(va, vb, random);
    const Mat3 ra = rotation_matrix(pa.q);
    const RelativePose pose{transpose(ra) * rotation_matrix(pb.q), transpose_times(ra, pb.x - pa.x)};
    const ConvexAxis axis = choose_axis(a.shape(), b.shape(), pose, 1e300, 1);
    if (dense > 0) {
      ++apart;  // the best face of A − B separates as well, but need not be as far away as the nearest points
      BOOST_TEST(axis.separation > 0);
      BOOST_TEST(axis.separation <= dense + kResolution);
      // rounded by more than the distance, they must touch, at no more than the true distance
      const double radius = dense + 0.01;
      const PairManifold r = collide(a, pa, b, pb, kMargin, radius);
      BOOST_TEST(r.count() > 0);
      BOOST_TEST(r.least_gap() > -0.01 - dense);
    } else {
      ++touching;  // exactly the penetration depth
      BOOST_TEST(axis.separation >= dense - kRounding);
      BOOST_TEST(axis.separation <= dense + kResolution);
      const PairManifold r = collide(a, pa, b, pb);
      BOOST_TEST(r.count() > 0);
      BOOST_TEST(std::fabs(separation(va, vb, -r.normal()) - r.least_gap()) < 2 * kPolygonDetail);
      BOOST_TEST(std::fabs(r.least_gap() - dense) < kResolution + 2 * kPolygonDetail);
    }
  }
  BOOST_TEST(touching > 50);
  BOOST_TEST(apart > 50);
}

BOOST_AUTO_TEST_CASE(rigid_motion_and_exchange) {
  constexpr double kTolerance = 1e-12;  // a rotation and a shift by 10 m add rounding of 1e-15 × 10, edges divide it
  RandomSolids random(17);
  for (int i = 0; i < 300; ++i) {
    const ConvexHull a = random.hull(), b = random.hull();
    const Pose pa{random.in_cube(0.2), random.rotation()}, pb{random.in_cube(0.5), random.rotation()};
    const Quat turn = random.rotation();
    const Vec3 shift = random.in_cube(10);
    const auto moved = [&](const Pose& p) { return Pose{rotate(turn, p.x) + shift, turn * p.q}; };
    const PairManifold r = collide(a, pa, b, pb), s = collide(a, moved(pa), b, moved(pb)), t = collide(b, pb, a, pa);
    BOOST_TEST(r.count() == s.count());
    BOOST_TEST(r.count() == t.count());
    if (r.count() == 0) continue;
    BOOST_TEST(norm(rotate(turn, r.normal()) - s.normal()) < kTolerance);
    BOOST_TEST(norm(r.normal() + t.normal()) < kTolerance);
    BOOST_TEST(r.features() == s.features());
    for (int k = 0; k < std::min(r.count(), s.count()); ++k) {
      BOOST_TEST(std::fabs(r.gap(k) - s.gap(k)) < kTolerance);
      BOOST_TEST(norm(r.points[k].point_a - s.points[k].point_a) < kTolerance);
    }
    for (int k = 0; k < r.count(); ++k) {
      double nearest = 1e300;
      for (int l = 0; l < t.count(); ++l) nearest = std::min(nearest, norm(r.world_a(k) - t.world_b(l)));
      BOOST_TEST(nearest < kTolerance);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
