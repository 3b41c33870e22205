// Contacts of polyhedra with -manifold features against a search over all features that clips nothing: what lies over
// the best faces is there, and every gap and normal is that of the features that are named.
//
// CLARKE_FEATURE_PAIRS=100000 build/tests_unit --run_test=feature_pairs     more pairs

#include "framework/error.hpp"
#include "tests/unit/contact_pairs.hpp"
#include "tests/unit/patch_of_points.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(feature_pairs)

namespace {

constexpr double kExact = 1e-12;          // of bodies of size one: some dozen operations on each of some dozen numbers
constexpr double kEverything = 10;        // [m] a margin that leaves nothing out
constexpr double kDetail = 4 * 1e-3;      // [1] kPolygonDetail, as corners are left out one after another
constexpr double kUnseen = kEqualLength;  // [m] of bodies of size one: such lengths are equal
constexpr int kBesideDirection[] = {4191, 41230, 48522, 99073, 125530, 285369};
constexpr double kOutside = 1e-5;  // [m] nearer to the rim of a face is not told apart: some kEqualLength

struct PlacedHull {
  ConvexHull hull;
  Pose pose;
  Vec3 at(int vertex) const { return pose.x + rotate(pose.q, hull.vertex[vertex]); }
  Vec3 normal(int face) const { return rotate(pose.q, hull.normal[face]); }
  std::vector<Vec3> polygon(int face) const {
    std::vector<Vec3> p;
    for (int k = hull.loop_begin[face]; k < hull.loop_begin[face + 1]; ++k) p.push_back(at(hull.loop[k]));
    return p;
  }
  int faces() const { return static_cast<int>(hull.normal.size()); }
  double size() const { return hull.shape().radius; }
};

struct Pair {
  PlacedHull a, b;
};

/// min over b − max over a along n.
double separation(const Pair& p, const Vec3& n) {
  double top = -1e300, bottom = 1e300;
  for (std::size_t i = 0; i < p.a.hull.vertex.size(); ++i) top = std::max(top, dot(n, p.a.at(i)));
  for (std::size_t i = 0; i < p.b.hull.vertex.size(); ++i) bottom = std::min(bottom, dot(n, p.b.at(i)));
  return bottom - top;
}

/// Unit normal of two edges in world axes; zero where they are parallel.
Vec3 edge_normal(const Pair& p, int i, int j) {
  const ConvexEdge &ea = p.a.hull.edge[i], &eb = p.b.hull.edge[j];
  const Vec3 u = p.a.at(ea.v1) - p.a.at(ea.v0), v = p.b.at(eb.v1) - p.b.at(eb.v0), c = cross(u, v);
  return norm(c) > kParallelEdges * norm(u) * norm(v) ? normalized(c) : Vec3{};
}

/// The best face of one body, and the largest separation along any normal of a face or of two edges, from a to b.
struct Best {
  int face_a = 0, face_b = 0;
  double a = -1e300, b = -1e300, second_a = -1e300, second_b = -1e300, edges = -1e300;
  Vec3 edge{};
};
Best search(const Pair& p) {
  Best best;
  const auto take = [](double s, int face, double& first, double& second, int& which) {
    second = std::max(second, std::min(s, first));
    if (s > first) first = s, which = face;
  };
  for (int f = 0; f < p.a.faces(); ++f) take(separation(p, p.a.normal(f)), f, best.a, best.second_a, best.face_a);
  for (int f = 0; f < p.b.faces(); ++f) take(separation(p, -p.b.normal(f)), f, best.b, best.second_b, best.face_b);
  for (std::size_t i = 0; i < p.a.hull.edge.size(); ++i)
    for (std::size_t j = 0; j < p.b.hull.edge.size(); ++j) {
      const Vec3 n = edge_normal(p, i, j);
      if (norm2(n) == 0) continue;
      const Vec3 on_a = p.a.at(p.a.hull.edge[i].v0), on_b = p.b.at(p.b.hull.edge[j].v0);
      for (const Vec3& d : {n, -n}) {  // where both edges are outermost, it is their own separation
        const double s = separation(p, d);
        if (s > best.edges && std::fabs(dot(d, on_b - on_a) - s) <= kExact) best.edges = s, best.edge = d;
      }
    }
  return best;
}

/// How far p is inside the sides of a convex polygon, seen along n [m]; < 0: outside.
double inside(const std::vector<Vec3>& polygon, const Vec3& n, const Vec3& p) {
  double least = 1e300;
  for (std::size_t k = 0; k < polygon.size(); ++k) {
    const Vec3 e = polygon[(k + 1) % polygon.size()] - polygon[k];
    least = std::min(least, dot(normalized(cross(n, e)), p - polygon[k]));
  }
  return least;
}

/// A place over a face, its height, and the pair of features.
struct Over {
  Vec3 place;
  double height;
  std::uint32_t feature;
};
/// Corners of the two faces and crossings of their sides, over face `face` of `ref` on the face of `inc` that looks
/// most against it: each pair is looked at by itself.
std::vector<Over> over_face(const PlacedHull& ref, int face, const PlacedHull& inc, bool ref_is_a) {
  const Vec3 n = ref.normal(face);
  int opposing = 0;
  for (int f = 1; f < inc.faces(); ++f)
    if (dot(inc.normal(f), n) < dot(inc.normal(opposing), n) - kExact) opposing = f;
  const Vec3 m = inc.normal(opposing);
  const std::vector<Vec3> base = ref.polygon(face), top = inc.polygon(opposing);
  const FeatureNaming name{ref_is_a};
  const int* const base_loop = ref.hull.loop.data() + ref.hull.loop_begin[face];
  const int* const top_loop = inc.hull.loop.data() + inc.hull.loop_begin[opposing];
  const int* const base_edge = ref.hull.loop_edge.data() + ref.hull.loop_begin[face];
  const int* const top_edge = inc.hull.loop_edge.data() + inc.hull.loop_begin[opposing];
  std::vector<Over> found;
  for (std::size_t i = 0; i < top.size(); ++i)
    if (inside(base, n, top[i]) > kOutside)
      found.push_back({top[i], dot(n, top[i] - base[0]), name.incident_vertex(top_loop[i], face)});
  if (dot(m, n) > -0.01) return found;  // a face on edge has nothing over its inside
  for (std::size_t i = 0; i < base.size(); ++i) {
    const double height = dot(m, top[0] - base[i]) / dot(m, n);
    const Vec3 above = base[i] + height * n;
    if (inside(top, m, above) > kOutside)
      found.push_back({above, height, name.reference_vertex(base_loop[i], opposing)});
  }
  for (std::size_t i = 0; i < base.size(); ++i)
    for (std::size_t j = 0; j < top.size(); ++j) {
      const Vec3 p = base[i], u = base[(i + 1) % base.size()] - p, q = top[j], v = top[(j + 1) % top.size()] - q;
      const Vec3 side = cross(n, u);
      if (std::fabs(dot(side, v)) < 1e-3 * norm(u) * norm(v)) continue;  // parallel seen from above
      const double t = dot(side, p - q) / dot(side, v), s = dot(q + t * v - p, u) / norm2(u);
      if (t > kOutside && t < 1 - kOutside && s > kOutside && s < 1 - kOutside)
        found.push_back({q + t * v, dot(n, q + t * v - p), name.edges(base_edge[i], top_edge[j])});
    }
  return found;
}

/// What of the points that should be there is not.
struct Missing {
  int faces = 0, corners = 0, touching = 0, edges = 0, directions = 0, over_direction = 0;
  double unseen = 0;  // [m] depth that no point shows where a face is the direction
};

struct Offered {
  std::vector<ManifoldPoint> points = std::vector<ManifoldPoint>(1 + 2 * kMaxManifold);
  std::vector<Vec3> normals = std::vector<Vec3>(points.size());
  Manifold m{points.data(), static_cast<int>(points.size())};
  Offered(const Pair& p, double margin, bool features) {
    if (features) m.normals = normals.data();
    clarke::convex_convex(p.a.hull.shape(), p.b.hull.shape(), p.a.pose, p.b.pose, p.a.pose, p.b.pose, margin, m);
  }
  Offered(const Offered&) = delete;
};

/// Normals, gaps and places of all points; n is from b to a.
void check_exact(const Pair& p, const Offered& o) {
  for (int i = 0; i < o.m.count; ++i) {
    const ManifoldPoint& point = o.points[i];
    const Vec3 n = o.m.normal_of(i), x = p.a.pose.x + rotate(p.a.pose.q, point.point_a),
               y = p.b.pose.x + rotate(p.b.pose.q, point.point_b);
    const double gap = gap_of(o.m, i, p.a.pose, p.b.pose);
    BOOST_TEST(norm(x - y - gap * n) <= kExact);
    double turned = 1e300;
    for (int f = 0; f < p.a.faces(); ++f) turned = std::min(turned, norm(n + p.a.normal(f)));
    for (int f = 0; f < p.b.faces(); ++f) turned = std::min(turned, norm(n - p.b.normal(f)));
    double sine = 1;
    if (point.feature >> (2 * kFeatureIndexBits) == static_cast<std::uint32_t>(FeatureKind::edge_edge)) {
      const int mask = (1 << kFeatureIndexBits) - 1;
      const int ea = static_cast<int>(point.feature >> kFeatureIndexBits) & mask,
                eb = static_cast<int>(point.feature) & mask;
      const Vec3 c = edge_normal(p, ea, eb);
      const ConvexEdge &a = p.a.hull.edge[ea], &b = p.b.hull.edge[eb];
      if (turned > kExact) {
        turned = std::min(norm(n - c), norm(n + c));
        sine = norm(cross(normalized(p.a.at(a.v1) - p.a.at(a.v0)), normalized(p.b.at(b.v1) - p.b.at(b.v0))));
      }
    }
    BOOST_TEST(turned * sine <= kExact);  // two edges that are nearly parallel lose as much of their normal
  }
}

/// How far a place is from the patch of all points, seen along n [m].
double beyond(const Pair& p, const Offered& o, const Vec3& n, const Vec3& place) {
  std::vector<Vec3> points;
  for (int i = 0; i < o.m.count; ++i) points.push_back(p.b.pose.x + rotate(p.b.pose.q, o.points[i].point_b));
  return test::beyond(points, n, place);
}

double least_gap(const Pair& p, const Offered& o) {
  double least = 1e300;
  for (int i = 0; i < o.m.count; ++i) least = std::min(least, gap_of(o.m, i, p.a.pose, p.b.pose));
  return least;
}

/// Where a face is the direction: what is over it, and that nothing beside it is deeper.
void check_over_direction(const Pair& p, const Offered& o, double s, double equal, Missing& missing) {
  if (s < 0) missing.unseen = std::max(missing.unseen, o.m.count == 0 ? -s : least_gap(p, o) - s);
  for (const bool of_a : {true, false}) {
    const PlacedHull &ref = of_a ? p.a : p.b, &inc = of_a ? p.b : p.a;
    for (int f = 0; f < ref.faces() && o.m.count > 0; ++f) {
      const Vec3 n = of_a ? -ref.normal(f) : ref.normal(f);
      if (norm(o.m.normal - n) > kExact) continue;
      ++missing.directions;
      for (const Over& corner : over_face(ref, f, inc, of_a)) {
        bool offered = false;
        for (int i = 0; i < o.m.count; ++i) offered = offered || o.points[i].feature == corner.feature;
        missing.over_direction +=
            !offered && corner.height < kEverything && beyond(p, o, n, corner.place) > kDetail * ref.size() + equal;
      }
    }
  }
}

void check_complete(const Pair& p, const Offered& o, const Best& best, Missing& missing) {
  const double size = std::min(p.a.size(), p.b.size()), equal = kEqualLength * size;
  const double flat = 1 - 0.5 * 4 * kFlatContact * kFlatContact, s = std::max({best.a, best.b, best.edges});
  const bool edges = best.edges > std::max(best.a, best.b) + 2 * equal;
  if (!edges || dot(best.edge, p.a.normal(best.face_a)) > flat || dot(best.edge, -p.b.normal(best.face_b)) > flat) {
    check_over_direction(p, o, s, equal, missing);
    return;
  }
  ++missing.edges;
  missing.touching += s < 0 && o.m.count == 0;
  bool alone = o.m.count > 0;  // a face in the place of the edges
  for (int i = 1; i < o.m.count; ++i) alone = alone && norm(o.m.normal_of(i) - o.m.normal_of(0)) == 0;
  const double lowest = s < 0 ? (1 + kFacePreference) * s : 0;
  const double face = std::max(best.a, best.b);
  if (s < 0 && alone &&
      std::min(norm(o.m.normal_of(0) + p.a.normal(best.face_a)), norm(o.m.normal_of(0) - p.b.normal(best.face_b))) <=
          kExact) {
    double deepest = 0;
    for (int i = 0; i < o.m.count; ++i) deepest = std::min(deepest, gap_of(o.m, i, p.a.pose, p.b.pose));
    BOOST_TEST(deepest <= face + equal + kWholeDepth);  // out of it along its normal is out of the other
    BOOST_TEST(face >= lowest - equal);
    return;
  }
  for (const bool of_a : {true, false}) {
    if ((of_a ? best.a - best.second_a : best.b - best.second_b) <= 2 * equal) continue;  // either may be the best
    const int f = of_a ? best.face_a : best.face_b;
    const Vec3 n = of_a ? -p.a.normal(f) : p.b.normal(f);
    for (const Over& corner : over_face(of_a ? p.a : p.b, f, of_a ? p.b : p.a, of_a)) {
      if (corner.height <= lowest) continue;
      bool offered = false, some = false;
      for (int i = 0; i < o.m.count; ++i) {
        offered = offered || o.points[i].feature == corner.feature;
        some = some || norm(o.m.normal_of(i) - n) <= kExact;
      }
      if (offered) continue;
      missing.faces += !some;
      missing.corners += beyond(p, o, n, corner.place) > kDetail * size;
    }
  }
}

/// Two boxes or hulls: one on the other, tilted from rounding to 1 rad; or anyhow. Apart, or up to half in each other.
Pair random_pair(RandomSolids& random, int i) {
  const auto body = [&](bool box) {
    if (box) return box_hull(Vec3{0.3, 0.3, 0.3} + random.in_cube(0.2), "box");
    for (;;) {
      try {
        return random.hull();
      } catch (const InputError&) {  // one cloud in ten thousand has four corners that are nearly in a plane
      }
    }
  };
  Pair p{{body(i % 3 != 0), {random.in_cube(0.1), random.rotation()}}, {body(i % 3 != 1), {}}};
  const bool resting = i % 4 != 0;
  const double angle = std::pow(10.0, random.number(-9, 0));
  p.b.pose.q =
      resting ? tilt(random.in_cube(1), angle) * p.a.pose.q * tilt({0, 0, 1}, random.number(-2, 2)) : random.rotation();
  const Vec3 up = resting ? rotate(p.a.pose.q, {0, 0, 1}) : normalized(random.in_cube(1));
  const double depth = random.number(0, 1) < 0.2 ? random.number(-0.01, 0) : 0.3 * std::pow(10.0, random.number(-5, 0));
  p.b.pose.x = p.a.pose.x + cross(up, random.in_cube(0.3));
  p.b.pose.x += (-depth - separation(p, up)) * up;
  return p;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_features_of_random_pairs) {
  const char* const asked = std::getenv("CLARKE_FEATURE_PAIRS");
  const int pairs = asked ? std::atoi(asked) : 2000;
  RandomSolids random(21);
  Missing features, clipped;
  for (int i = 0; i < pairs; ++i) {
    const Pair p = random_pair(random, i);
    const Best best = search(p);
    const Offered all(p, kEverything, true), near(p, kMargin, true), few(p, kEverything, false);
    check_exact(p, all);
    check_complete(p, all, best, features);
    check_complete(p, few, best, clipped);
    // A smaller margin offers whatever of it is nearer.
    std::set<std::uint32_t> near_ids;
    for (int k = 0; k < near.m.count; ++k) near_ids.insert(near.points[k].feature);
    for (int k = 0; k < all.m.count && std::max({best.a, best.b, best.edges}) < 0; ++k)
      if (gap_of(all.m, k, p.a.pose, p.b.pose) < kMargin - kExact) BOOST_TEST(near_ids.count(all.points[k].feature));
    std::set<std::uint32_t> ids;
    for (int k = 0; k < all.m.count; ++k) ids.insert(all.points[k].feature);
    BOOST_TEST(ids.size() == static_cast<std::size_t>(all.m.count));
  }
  BOOST_TEST_MESSAGE(features.edges << " pairs nearest at edges: " << features.corners << " corners and "
                                    << features.faces << " faces missing; clipped: " << clipped.corners << " and "
                                    << clipped.faces);
  BOOST_TEST(features.edges > pairs / 20);
  BOOST_TEST_MESSAGE(features.directions << " with a face as direction: " << features.over_direction
                                         << " corners missing, unseen depth " << features.unseen << " m; clipped: "
                                         << clipped.over_direction << ", " << clipped.unseen << " m");
  BOOST_TEST(features.directions > pairs / 10);
  BOOST_TEST(features.over_direction == 0);
  BOOST_TEST(features.unseen <= kUnseen);
  BOOST_TEST(features.corners == 0);
  BOOST_TEST(features.touching == 0);
  BOOST_TEST(clipped.corners > features.edges / 10);  // else there was nothing to find
}

// Of 10⁵ pairs these are some whose deepest edges cross beside the face that is the direction, with nothing over it.
BOOST_AUTO_TEST_CASE(edges_beside_the_direction) {
  for (const int seed : kBesideDirection) {
    RandomSolids random(seed);
    const Pair p = random_pair(random, seed);
    const Offered all(p, kEverything, true);
    Missing missing;
    check_exact(p, all);
    check_complete(p, all, search(p), missing);
    BOOST_TEST_CONTEXT("pair " << seed) {
      BOOST_TEST(missing.directions + missing.edges == 1);
      BOOST_TEST(missing.unseen <= kUnseen);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
