// Contacts of every two convex kinds with -manifold features against a search over all their flat parts, corners, rims
// and lines [docs/theory.md, eq. N7]. Two polyhedra: feature_pairs_test.cpp.
//
// CLARKE_FEATURE_PAIRS=100000 build/tests_unit --run_test=feature_kinds     more pairs; 1700000: 10⁵ of every two kinds
// CLARKE_FEATURE_FIRST=850000                                               from the pair with this number on, of those
// CLARKE_FEATURE_PAIR=108046                                                only the pair with this number, of those

#include "tests/unit/feature_kinds.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(feature_kinds)

namespace {

struct Found {
  int pairs = 0, edges = 0, alone = 0, places = 0, missing = 0, ends = 0, missing_ends = 0;
  int meets = 0, missing_meets = 0;
  double inexact = 0, turned = 0, gap = 0;  // [m], [1], [m] largest errors
  double unseen = -1e300;                   // [1] of the size: depth that no point over a flat part shows

  void operator+=(const Found& f) {
    pairs += f.pairs, edges += f.edges, alone += f.alone, places += f.places, missing += f.missing;
    ends += f.ends, missing_ends += f.missing_ends, meets += f.meets, missing_meets += f.missing_meets;
    inexact = std::max(inexact, f.inexact), turned = std::max(turned, f.turned);
    gap = std::max(gap, f.gap), unseen = std::max(unseen, f.unseen);
  }
};

/// Gaps, places and normals of all points.
void check_exact(const Offered& o, Found& found) {
  const Pair& p = o.p;
  for (int i = 0; i < o.m.count; ++i) {
    const Vec3 n = o.m.normal_of(i);
    BOOST_TEST(std::fabs(norm(n) - 1) <= kExact);
    const double apart = norm(o.on_a(i) - o.on_b(i) - o.gap(i) * n);
    found.inexact = std::max(found.inexact, apart);
    BOOST_TEST(apart <= kExact);
    const std::uint32_t patch = o.points[i].feature >> kPatchBit;
    if (patch == 0 && point_origin(o.points[i].feature) == PointOrigin::nearest) {
      const double turned = std::max(off_normal(p.a, o.on_a(i), -n), off_normal(p.b, o.on_b(i), n));
      found.turned = std::max(found.turned, turned);
      BOOST_TEST(turned <= kExact);
      // The points are where planes across n touch both bodies.
      BOOST_TEST(std::fabs(o.gap(i) + p.rho() - p.separation(n)) <= kExact);
    }
    // What is over a flat part has its normal.
    if (patch != 1 && patch != 2) continue;
    double turned = 1e300;
    for (const Flat& f : flats_of(patch == 1 ? p.a : p.b))
      turned = std::min(turned, norm(n - (patch == 1 ? -1.0 : 1.0) * f.normal));
    BOOST_TEST(turned <= kExact);
  }
}

/// Corners of polygons over or under a disc, and where their sides pass its rim.
void check_meets(const Offered& o, bool of_a, const Flat& f, double lowest, Found& found) {
  const Thing& other = of_a ? o.p.b : o.p.a;
  const Vec3 n = of_a ? -f.normal : f.normal;
  if (other.kind == triangle) return;  // see check_over
  for (const Vec3& place : meets(f, other)) {
    if (f.height(place) <= lowest + kOutside || f.height(place) >= kEverything) continue;
    ++found.meets;
    found.missing_meets += beyond(o, n, place) > kDetail * o.p.size();
  }
}

constexpr double kLean = 0.049;  // [rad] core_edges.hpp
// [1] of the size: within kFlatContact of a flat part that is the direction, and of points nearer than kPolygonDetail
// on both sides one is left.
constexpr double kUnseen = 2 * kFlatContact * kPolygonDetail + kEqualLength;
constexpr double kNearPlace = 2e-3, kNearGap = 2e-3;  // [m] points nearer than kPolygonDetail are one

/// Every end of an axis over the inside of the other's axis.
void check_ends(const Offered& o, double lowest, double nearest, Found& found) {
  const Vec3 direction = o.m.normal;
  for (const bool of_a : {true, false}) {
    const Thing &ended = of_a ? o.p.a : o.p.b, &lined = of_a ? o.p.b : o.p.a;
    if (!(ended.kind == capsule || ended.kind == cylinder) || !(lined.kind == capsule || lined.kind == cylinder))
      return;
    for (const double sign : {-1.0, 1.0}) {
      const Vec3 end = ended.pose.x + sign * ended.axis(), u = normalized(lined.axis()), off = end - lined.pose.x;
      if (std::fabs(dot(off, u)) > norm(lined.axis()) - kOutside) continue;
      const Vec3 radial = off - dot(off, u) * u;
      const double length = norm(radial);
      if (length < kOutside) continue;
      const Vec3 n = (of_a ? 1 / length : -1 / length) * radial;
      const double lean = std::fabs(dot(n, normalized(ended.axis())));
      if (dot(n, direction) <= kOutside || (ended.kind == cylinder && lean > kLean)) continue;
      const double gap =
          length - lined.radius - ended.radius * (ended.kind == cylinder ? std::sqrt(1 - lean * lean) : 1);
      if (gap < std::max(lowest, nearest) || gap > kEverything) continue;
      ++found.ends;
      bool offered = false;
      Vec3 rim = n;
      if (ended.kind == cylinder) rim = normalized(n - dot(n, ended.axis()) / norm2(ended.axis()) * ended.axis());
      const Vec3 place = end - (of_a ? ended.radius : -ended.radius) * rim;
      for (int i = 0; i < o.m.count; ++i)
        offered = offered ||
                  (std::fabs(o.gap(i) - gap) <= kNearGap && norm((of_a ? o.on_a(i) : o.on_b(i)) - place) <= kNearPlace);
      found.missing_ends += !offered;
    }
  }
}

/// The best flat parts of both, and the largest separations along normals of flat parts.
struct Flats {
  Flat best[2];
  double value[2] = {-1e300, -1e300}, second[2] = {-1e300, -1e300};
  explicit Flats(const Pair& p) {
    for (const bool of_a : {true, false})
      for (const Flat& f : flats_of(of_a ? p.a : p.b)) {
        const double s = p.separation(of_a ? -f.normal : f.normal);
        second[!of_a] = std::max(second[!of_a], std::min(value[!of_a], s));
        if (of_a && p.b.kind == triangle && dot(f.normal, flats_of(p.b)[0].normal) > 0) continue;  // it has one side
        if (s > value[!of_a]) value[!of_a] = s, best[!of_a] = f;
      }
  }
  double most() const { return std::max(value[0], value[1]); }
};

/// Whether a place of the rim, of which `rim` are places all around, is within an eighth of a turn of one that is too
/// deep: the rim is offered as points an eighth apart, and where it passes the depth is no feature.
bool near_too_deep(const Flat& f, const std::vector<Vec3>& rim, std::size_t k, double lowest) {
  const std::size_t n = rim.size(), eighth = n / kCapCorners;
  for (std::size_t j = n - eighth; j <= n + eighth; ++j)
    if (f.height(rim[(k + j) % n]) <= lowest) return true;
  return false;
}

/// All of what the other shows to the flat part f is within the patch that is offered, if it lies over it.
void check_over(const Offered& o, bool of_a, const Flat& f, double lowest, Found& found) {
  const Thing& other = of_a ? o.p.b : o.p.a;
  const Vec3 n = of_a ? -f.normal : f.normal;
  if (other.kind == triangle && dot(n, flats_of(other)[0].normal) < kOutside) return;
  const double rim = f.corner.empty() ? kRimPart * f.radius : 0;
  const double detail = kDetail * o.p.size() + rim + (other.kind == cylinder ? kRimPart * other.radius : 0);
  const auto over = [&](const Vec3& p) { return f.inside(p) > kOutside + rim; };
  std::vector<Vec3> shown = shown_to(other, f.normal, 0);
  const bool whole = std::all_of(shown.begin(), shown.end(), [&](const Vec3& p) { return f.inside(p) > -kOutside; });
  shown = shown_to(other, f.normal, whole ? kWholeRimPart : kRimPart);
  // Of a triangle only corners can be under a flat part: at its edges normals are at right angles to them.
  const std::vector<Vec3> all = other.kind == triangle ? shown : all_over(shown);
  // Where a part of it is too deep to be offered, the border of the rest is no pair of features.
  const std::vector<Vec3> border = shown_to(other, f.normal, 0);
  const bool cut = deepest_over(f, border) <= lowest, rim_cut = cut && other.kind == cylinder && border.size() > 2;
  const std::vector<Vec3>& places = cut ? shown : all;
  for (std::size_t k = 0; k < places.size(); ++k) {
    const Vec3& place = places[k];
    if (!over(place) || f.height(place) <= lowest || f.height(place) >= kEverything) continue;
    if (rim_cut && near_too_deep(f, border, k, lowest)) continue;
    ++found.places;
    found.missing += beyond(o, n, place) > detail;
  }
  check_meets(o, of_a, f, lowest, found);
}

/// Distance of the cores, or minus their overlap. Balls as large as these overlap wherever they are.
double core_distance(const Pair& p) {
  PlacedSolid a = p.a.solid();
  a.radius = 2 * kEverything;
  return a.radius + p.b.rho - penetration_depth(a, p.b.solid());
}

void check_complete(const Offered& o, Found& found) {
  const Pair& p = o.p;
  const double equal = 2 * kEqualLength * p.size();
  const Flats flats(p);
  const bool sheet = p.b.kind == triangle;  // of which only the front counts
  const bool nearest =
      o.m.count > 0 && !is_added(o.points[0].feature) && point_origin(o.points[0].feature) == PointOrigin::nearest;
  if (sheet && !nearest) {  // over the face of the triangle
    if (o.m.count > 0 && norm(o.m.normal - flats_of(p.b)[0].normal) <= kExact)
      check_over(o, false, flats_of(p.b)[0], kAnyDepth, found);
    return;
  }
  const double s = sheet ? o.gap(0) + p.rho() : core_distance(p);
  if (o.m.count == 0) {  // hard corners that pass each other: seen where they would be at the end of the step
    BOOST_TEST((p.rho() == 0 && s > -equal));
    return;
  }
  const bool added = is_added(o.points[0].feature);
  if (!nearest && !added) {  // a flat part is the direction
    if (s < 0) found.unseen = std::max(found.unseen, (o.least() + p.rho() - s) / p.size());
    for (const bool of_a : {true, false})
      for (const Flat& f : flats_of(of_a ? p.a : p.b))
        if (norm(o.m.normal - (of_a ? -1.0 : 1.0) * f.normal) <= kExact) check_over(o, of_a, f, kAnyDepth, found);
    return;
  }
  ++found.edges;
  const double lowest = (1 + kFacePreference) * std::min(s, 0.0);
  const std::uint32_t patch = o.points[0].feature >> kPatchBit;
  if (added && patch <= 2 && s < 0) {  // a flat part in the place of the edge
    ++found.alone;
    BOOST_TEST(flats.most() >= lowest - equal);
    BOOST_TEST(o.least() <= flats.most() - p.rho() + equal + kWholeDepth);
    return;
  }
  if (nearest) {
    found.gap = std::max(found.gap, std::fabs(o.gap(0) + p.rho() - s));
    if (!sheet) BOOST_TEST(flats.most() <= s + equal);
  }
  for (const bool of_a : {true, false})
    if (flats.value[!of_a] - flats.second[!of_a] > equal)  // else either may be the best
      check_over(o, of_a, flats.best[!of_a], lowest, found);
  if (!sheet) check_ends(o, lowest - p.rho(), s > 0 ? s - p.rho() : kAnyDepth, found);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_two_kinds) {
  const char* const asked = std::getenv("CLARKE_FEATURE_PAIRS");
  const char *const only = std::getenv("CLARKE_FEATURE_PAIR"), *const from = std::getenv("CLARKE_FEATURE_FIRST");
  const int first = only ? std::atoi(only) : (from ? std::atoi(from) : 0);
  const int pairs = asked ? std::atoi(asked) : 3000;
  RandomSolids random(33);
  std::map<std::pair<int, int>, Found> all;
  Found clipped;
  for (int i = 0; i < pairs;)
    for (int ka = sphere; ka < triangle; ++ka)
      for (int kb = ka; kb < kKinds; ++kb) {
        if (ka >= box && kb < triangle) continue;  // feature_pairs
        Pair p(static_cast<Kind>(ka), static_cast<Kind>(kb), random);
        place_pair(p, random, i++);
        if (i - 1 < first || (only && i - 1 > first)) continue;
        BOOST_TEST_CONTEXT("pair " << i - 1 << ", " << kNames[ka] << " and " << kNames[kb]) {
          Found found;
          found.pairs = 1;
          const Offered o(p, kEverything, true), near(p, kMargin, true), few(p, kEverything, false);
          check_exact(o, found);
          check_exact(near, found);
          check_complete(o, found);
          BOOST_TEST(found.missing == 0);
          BOOST_TEST(found.missing_ends == 0);
          BOOST_TEST(found.missing_meets == 0);
          BOOST_TEST(found.gap <= kSameGap);
          BOOST_TEST(found.unseen <= kUnseen);
          all[{ka, kb}] += found;
          if (ka != sphere) check_complete(few, clipped);
          std::set<std::uint32_t> ids, near_ids;
          for (int k = 0; k < o.m.count; ++k) ids.insert(o.points[k].feature);
          BOOST_TEST(ids.size() == static_cast<std::size_t>(o.m.count));
          // A smaller margin offers whatever is nearer.
          for (int k = 0; k < near.m.count; ++k) near_ids.insert(near.points[k].feature);
          for (int k = 0; k < o.m.count && o.least() < 0 && kb != triangle; ++k)
            if (o.gap(k) < kMargin - kExact) BOOST_TEST(near_ids.count(o.points[k].feature));
        }
      }
  Found sum;
  for (const auto& [kinds, f] : all) {
    BOOST_TEST_MESSAGE(kNames[kinds.first] << " and " << kNames[kinds.second] << ": " << f.edges << " of " << f.pairs
                                           << " nearest at edges, " << f.alone << " of them by a flat part; "
                                           << f.missing << " of " << f.places << " places missing, " << f.missing_ends
                                           << " of " << f.ends << " ends, " << f.missing_meets << " of " << f.meets
                                           << " crossings with rims; places inexact by " << f.inexact << ", normals by "
                                           << f.turned << ", nearest gap by " << f.gap << ", unseen depth "
                                           << f.unseen);
    sum += f;
  }
  BOOST_TEST_MESSAGE("clipped: " << clipped.missing << " of " << clipped.places << " places and "
                                 << clipped.missing_ends << " of " << clipped.ends << " ends missing");
  BOOST_TEST(sum.edges > (pairs - first) / 10);
  BOOST_TEST(sum.meets > (pairs - first) / 10);
  BOOST_TEST(clipped.missing > clipped.places / 10);  // else there was nothing to find
  BOOST_TEST(clipped.missing_ends > clipped.ends / 10);
}

// Some in which the edge on a rim that parts them best, or what is deepest beside a face, was once missing.
BOOST_AUTO_TEST_CASE(once_missing) {
  const struct {
    Kind b;
    int seed;
  } pairs[] = {{box, 61870}, {box, 46020}, {box, 68521}, {hull, 44112}, {hull, 14908}, {hull, 62233}};
  for (const auto& [kind, seed] : pairs) {
    RandomSolids random(seed);
    Pair p(cylinder, kind, random);
    place_pair(p, random, seed);
    Found found;
    const Offered o(p, kEverything, true);
    check_exact(o, found);
    check_complete(o, found);
    BOOST_TEST_CONTEXT("cylinder and " << kNames[kind] << ", seed " << seed) {
      BOOST_TEST(found.missing == 0);
      BOOST_TEST(found.gap <= kSameGap);
      BOOST_TEST(found.unseen <= kUnseen);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
