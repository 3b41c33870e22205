// Signed distances of random pairs of shapes against an independent library: Bullet's btGjkEpaSolver2 in double
// precision, with all margins at zero (docs/verification/detection.md has the table).
//
// Bullet's search for a penetration depth ends at its own tolerances, and not every result of its distance search is
// the least. Both err to one side only, so a pair on which the two disagree is settled by the pair itself:
//
//   distance:  for any unit n, separation(n) ≤ distance;  for any two points of the shapes, |a − b| ≥ distance
//   depth:     for any unit n, −separation(n) ≥ depth;  a dense search over directions finds no smaller one
//
// Where ours has such a proof and Bullet's result contradicts it, the pair is counted as Bullet's, not hidden. Spheres
// and capsules enter as their cores (a point, a segment of two points), and their radii are subtracted afterwards:
// exact, and no library's closed form is used for both sides.

#include "tests/verification/detection_shapes.hpp"

#include <boost/test/unit_test.hpp>

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(detection_against_bullet)

namespace {

constexpr double kTolerance = 1e-6;  // of the larger bounding radius: what is asked for
constexpr double kShare = 1e-3;      // of the pairs may miss it

btVector3 to_bullet(const Vec3& v) { return {v.x, v.y, v.z}; }
btTransform to_bullet(const Pose& p) { return btTransform(btQuaternion(p.q.x, p.q.y, p.q.z, p.q.w), to_bullet(p.x)); }

std::unique_ptr<btConvexShape> bullet_core(const Solid& s) {
  std::unique_ptr<btConvexShape> shape;
  if (s.is("cylinder")) {
    shape = std::make_unique<btCylinderShapeZ>(btVector3(s.radius, s.radius, s.half));
  } else {
    auto hull = std::make_unique<btConvexHullShape>();
    if (s.is("sphere")) hull->addPoint({0, 0, 0});
    if (s.is("capsule")) {
      hull->addPoint({0, 0, s.half});
      hull->addPoint({0, 0, -s.half});
    }
    if (s.is("triangle"))
      for (const Vec3& v : s.corners) hull->addPoint(to_bullet(v));
    for (const Vec3& v : s.hull.vertex) hull->addPoint(to_bullet(v));
    shape = std::move(hull);
  }
  shape->setMargin(0);
  return shape;
}

struct Theirs {
  bool found = false;
  double distance = 0;
};

Theirs bullet_distance(const Solid& sa, const Pose& a, const Solid& sb, const Pose& b) {
  const auto ca = bullet_core(sa), cb = bullet_core(sb);
  btGjkEpaSolver2::sResults r{};
  const btVector3 guess = to_bullet(b.x - a.x);
  const btTransform ta = to_bullet(a), tb = to_bullet(b);
  Theirs t;
  if (btGjkEpaSolver2::Distance(ca.get(), ta, cb.get(), tb, guess, r) ||
      btGjkEpaSolver2::Penetration(ca.get(), ta, cb.get(), tb, guess, r, false))
    t = {true, r.distance};
  t.distance -= sa.round() + sb.round();
  return t;
}

/// Largest separation over many directions, the best of them improved by shrinking random steps: knows supports only.
double dense_search(const PlacedCore& a, const PlacedCore& b, ShapeRandom& random) {
  constexpr int kDirections = 6000, kStarts = 12, kSteps = 400;
  std::vector<std::pair<double, Vec3>> tried;
  for (int i = 0; i < kDirections; ++i) {
    const double z = 1 - (2.0 * i + 1) / kDirections, r = std::sqrt(1 - z * z), angle = 2.399963229728653 * i;
    const Vec3 n{r * std::cos(angle), r * std::sin(angle), z};
    tried.emplace_back(separation(a, b, n), n);
  }
  std::sort(tried.begin(), tried.end(), [](const auto& p, const auto& q) { return p.first > q.first; });
  std::vector<Vec3> used;
  double value = tried[0].first;
  for (std::size_t i = 0; i < tried.size() && used.size() < kStarts; ++i) {
    auto [best, n] = tried[i];
    if (std::any_of(used.begin(), used.end(), [&n = n](const Vec3& u) { return dot(u, n) > 0.99; })) continue;
    used.push_back(n);
    double step = 0.05;
    for (int k = 0; k < kSteps && step > 1e-9; ++k) {
      const Vec3 next = normalized(n + random.in_cube(step));
      const double s = separation(a, b, next);
      if (s > best) {
        best = s, n = next;
      } else {
        step *= 0.96;
      }
    }
    value = std::max(value, best);
  }
  return value;
}

struct Tally {
  int pairs = 0, apart = 0, overlapping = 0;
  int agree = 0;                       // with Bullet, within the tolerance
  int settled = 0;                     // Bullet differs, ours is proved or confirmed by the search over directions
  int wrong = 0;                       // ours is refuted or not confirmed
  std::map<std::string, int> classes;  // of what does not agree
};

std::string feature_class(const Solid& sa, const Solid& sb, bool overlapping, const Separation& ours, const Pose& a,
                          const Pose& b) {
  std::string text = overlapping ? "overlap" : "apart";
  const auto of = [&](const Solid& s, const Pose& p) {
    if (!s.is("cylinder")) return s.round() > 0 ? std::string("round") : std::string("polyhedral");
    const double c = std::fabs(dot(ours.normal, rotate(p.q, Vec3{0, 0, 1})));
    return std::string(c > 1 - 1e-6 ? "cap" : (c < 1e-6 ? "side" : "rim"));
  };
  return text + " " + of(sa, a) + "/" + of(sb, b);
}

Tally compare(int ka, int kb, int pairs) {
  ShapeRandom random(1000u + 10u * static_cast<unsigned>(ka) + static_cast<unsigned>(kb));
  Tally tally;
  for (int i = 0; i < pairs; ++i) {
    const Solid sa(ka, random), sb(kb, random);
    SolidPair pose(sa, sb, i % 3, random);
    const PlacedCore pa = place(sa.core, pose.a.q, {});
    const Separation ours = distance_of(sa, pose.a, sb, pose.b);
    const double rho = sa.round() + sb.round();
    const double size =
        std::max(pa.reach + sa.round(), sb.is("plane") ? 0.0 : sb.core.hull.radius + norm(sb.core.axis) + sb.radius);
    const bool overlapping = ours.distance < 0;
    ++tally.pairs;
    ++(overlapping ? tally.overlapping : tally.apart);
    Theirs theirs;
    if (sb.is("plane")) {  // Bullet's planes too are a support point and a half space
      const auto core = bullet_core(sa);
      const btTransform ta = to_bullet(pose.a);
      const btVector3 n = to_bullet(rotate(pose.b.q, Vec3{0, 0, 1}));
      const btVector3 lowest = ta * core->localGetSupportingVertexWithoutMargin(ta.getBasis().transpose() * -n);
      theirs = {true, n.dot(lowest - to_bullet(pose.b.x)) - rho};
    } else {
      theirs = bullet_distance(sa, pose.a, sb, pose.b);
    }
    if (theirs.found && std::fabs(theirs.distance - ours.distance) <= kTolerance * size) {
      ++tally.agree;
      continue;
    }
    const PlacedCore pb = place(sb.core, pose.b.q, pose.b.x - pose.a.x);
    bool right;
    if (ours.distance + rho > 0) {  // cores apart: a lower and an upper bound that meet
      const double lower = separation(pa, pb, ours.normal) - rho, upper = norm(ours.point_a - ours.point_b) - rho;
      right = upper - lower <= kTolerance * size;
    } else {
      right = dense_search(pa, pb, random) - rho <= ours.distance + kTolerance * size &&
              separation(pa, pb, ours.normal) - rho >= ours.distance - kTolerance * size;
    }
    ++(right ? tally.settled : tally.wrong);
    ++tally.classes[feature_class(sa, sb, overlapping, ours, pose.a, pose.b) + (right ? "" : " (ours)")];
  }
  return tally;
}

}  // namespace

BOOST_AUTO_TEST_CASE(signed_distances) {
  // CLARKE_PAIRS: pairs per pair of shapes; the table in the documentation is made with 10000.
  const char* wanted = std::getenv("CLARKE_PAIRS");
  const int pairs = wanted ? std::atoi(wanted) : 200;
  const int kinds = static_cast<int>(solid_names().size());
  std::printf(
      "| pair | apart | overlapping | agree with Bullet | settled against Bullet | ours wrong | "
      "not agreeing, by feature |\n|---|---|---|---|---|---|---|\n");
  for (int ka = 0; ka < kinds; ++ka)
    for (int kb = ka; kb < kinds; ++kb) {
      const std::string a = solid_names()[ka], b = solid_names()[kb];
      // Immovable with immovable never meets.
      if (a == "plane" || a == "triangle") continue;
      const Tally t = compare(ka, kb, pairs);
      std::string classes;
      for (const auto& [name, count] : t.classes)
        classes += (classes.empty() ? "" : ", ") + name + " " + std::to_string(count);
      std::printf("| %s, %s | %d | %d | %d | %d | %d | %s |\n", a.c_str(), b.c_str(), t.apart, t.overlapping, t.agree,
                  t.settled, t.wrong, classes.c_str());
      std::fflush(stdout);
      BOOST_TEST(t.wrong <= kShare * t.pairs + (wanted ? 0 : 1), a << ", " << b);
      BOOST_TEST(t.agree > 0);
    }
}

BOOST_AUTO_TEST_CASE(deepest_contact_has_the_distance) {
  // Where the normal is that of a face within kFlatContact of the direction, its gaps differ from the distance by at
  // most that angle times the size. Everything else has it within the tolerance.
  // Deep overlaps are left out: there the deepest point may lie beside the face that cuts (face_clipping.hpp).
  constexpr double kShareOfSnapped = 0.05, kDeep = 1e-2;
  ShapeRandom random(77);
  int contacts = 0, snapped = 0;
  const int kinds = static_cast<int>(solid_names().size());
  for (int ka = 0; ka < kinds; ++ka)
    for (int kb = ka; kb < kinds; ++kb)
      for (int i = 0; i < 200; ++i) {
        const Solid sa(ka, random), sb(kb, random);
        const SolidPair pose(sa, sb, 1, random);
        if (sa.is("plane") || sb.is("plane") || sa.is("triangle") || sb.is("triangle")) continue;
        const Separation d = distance_of(sa, pose.a, sb, pose.b);
        const double size =
            std::max(place(sa.core, pose.a.q, {}).reach + sa.round(), place(sb.core, pose.b.q, {}).reach + sb.round());
        if (d.distance < -kDeep * size) continue;
        ManifoldPoint points[kMaxManifold];
        Manifold m{points, kMaxManifold};
        m.radius_a = sa.round(), m.radius_b = sb.round();
        if (!sa.hull.vertex.empty() && !sb.hull.vertex.empty()) {
          convex_convex(sa.hull.shape(), sb.hull.shape(), pose.a, pose.b, pose.a, pose.b, 0.01 * size, m);
        } else {
          core_contacts(sa.core, sb.core, pose.a, pose.b, pose.a, pose.b, 0.01 * size, m);
        }
        if (d.distance <= 0) BOOST_TEST(m.count > 0, sa.kind << " " << sb.kind);
        if (m.count == 0) continue;
        ++contacts;
        double least = 1e300;
        for (int k = 0; k < m.count; ++k) least = std::min(least, gap_of(m, k, pose.a, pose.b));
        if (std::fabs(least - d.distance) <= kTolerance * size) continue;
        ++snapped;
        // Shallow overlaps may be taken at a neighbouring direction (SearchEffort).
        BOOST_TEST(std::fabs(least - d.distance) <= (2 * kFlatContact + kShallow) * size,
                   sa.kind << " " << sb.kind << ": " << least << " for " << d.distance << ", size " << size);
      }
  BOOST_TEST(contacts > 300);
  BOOST_TEST(snapped <= kShareOfSnapped * contacts);
}

BOOST_AUTO_TEST_SUITE_END()
