#pragma once
// Pairs of convex shapes of every kind, their flat parts and what they show to one, and what detection offers for them:
// support of feature_kinds_test.cpp, with nothing of detection in it but the call.

#include "tests/unit/contact_pairs.hpp"
#include "tests/unit/patch_of_points.hpp"
#include "verdict/geometry/penetration_depth.hpp"

#include <map>

namespace clarke::test {

inline constexpr double kExact = 1e-12;   // of bodies of size one: some dozen operations on each of some dozen numbers
inline constexpr double kEverything = 3;  // [m] a margin that leaves nothing out
inline constexpr double kDetail = 4 * 1e-3;  // [1] kPolygonDetail, as corners are left out one after another
inline constexpr double kRimPart =
    0.08;  // [1] of the radius: between corners and crossings a rim is seen as an octagon
inline constexpr double kWholeRimPart = 0.3;  // a cap that nothing cuts as a square
inline constexpr double kSameGap = 1e-9;      // [m] the other is a search that ends earlier: 2e-11 in 10⁵ pairs
inline constexpr double kOutside = 1e-4;      // [m] nearer to the border of a flat part is not told apart

enum Kind { sphere, capsule, cylinder, box, hull, triangle, kKinds };
inline const char* const kNames[] = {"sphere", "capsule", "cylinder", "box", "hull", "triangle"};

struct Thing {
  Kind kind = sphere;
  double rho = 0, radius = 0;
  ConvexHull faces;
  Vec3 corner[3], normal[1];
  double offset[1] = {0}, area[1] = {1};
  ConvexCore core;
  Pose pose;

  Thing(Kind k, RandomSolids& random) : kind(k) {
    if (kind == sphere) {
      rho = random.number(0.1, 0.4);
    } else if (kind == capsule || kind == cylinder) {
      core.kind = kind == capsule ? CoreKind::segment : CoreKind::cylinder;
      core.axis = {0, 0, random.number(0.1, 0.5)};
      (kind == capsule ? rho : core.axis_radius) = radius = random.number(0.1, 0.4);
    } else if (kind == triangle) {
      corner[0] = {-0.5, -0.4, 0};
      corner[1] = {0.5, -0.4 + random.number(-0.1, 0.1), 0};
      corner[2] = {random.number(-0.3, 0.3), 0.5, 0};
      normal[0] = {0, 0, 1};
      core.kind = CoreKind::vertices;
      core.hull.vertex = corner, core.hull.vertices = 3;
      core.hull.normal = normal, core.hull.offset = offset, core.hull.area = area, core.hull.faces = 1;
      for (const Vec3& v : corner) core.hull.radius = std::max(core.hull.radius, norm(v));
    } else {
      faces = kind == box ? box_hull(Vec3{0.3, 0.3, 0.3} + random.in_cube(0.2), "box") : random.hull();
      core.kind = CoreKind::vertices;
      core.hull = faces.shape();
    }
  }
  Thing(const Thing&) = delete;

  Vec3 at(const Vec3& local) const { return pose.x + rotate(pose.q, local); }
  Vec3 axis() const { return rotate(pose.q, core.axis); }
  bool round() const { return kind <= cylinder; }
  int corners() const { return core.kind == CoreKind::vertices ? core.hull.vertices : 0; }
  Vec3 at(int i) const { return at(core.hull.vertex[i]); }
  /// max n·x over the core.
  double high(const Vec3& n) const {
    if (kind == sphere) return dot(n, pose.x);
    if (round()) {
      const Vec3 u = normalized(axis());
      const double rim = kind == cylinder ? radius * norm(n - dot(n, u) * u) : 0;
      return dot(n, pose.x) + std::fabs(dot(n, axis())) + rim;
    }
    double most = -1e300;
    for (int i = 0; i < corners(); ++i) most = std::max(most, dot(n, at(i)));
    return most;
  }
  double size() const { return core.kind == CoreKind::vertices ? core.hull.radius : (kind == sphere ? rho : radius); }
  PlacedSolid solid() const {
    PlacedSolid out;
    static std::map<const Thing*, Solid> solids;  // placed ones point into theirs
    Solid& s = solids[this];
    if (kind == sphere) s = ball_solid(rho);
    if (kind == capsule) s = segment_solid({}, core.axis, rho);
    if (kind == cylinder) s = cylinder_solid({}, core.axis, radius, 0);
    if (kind == box || kind == hull) {
      std::vector<std::vector<int>> loops;
      for (std::size_t f = 0; f + 1 < faces.loop_begin.size(); ++f)
        loops.emplace_back(faces.loop.begin() + faces.loop_begin[f], faces.loop.begin() + faces.loop_begin[f + 1]);
      s = hull_solid(faces.vertex, loops, 0, "hull");
    }
    if (kind == triangle)
      place_triangle({at(corner[0]), at(corner[1]), at(corner[2])}, 0, out);
    else
      place(s, pose.x, pose.q, out);
    return out;
  }
};

/// A face or cap: outward normal, height, and its corners (none of a cap, which is a disc).
struct Flat {
  Vec3 normal, middle;
  std::vector<Vec3> corner;
  double radius = 0;
  double height(const Vec3& p) const { return dot(normal, p - middle); }
  /// How far p is inside, seen along the normal [m].
  double inside(const Vec3& p) const {
    if (corner.empty()) return radius - norm((p - middle) - height(p) * normal);
    double least = 1e300;
    for (std::size_t k = 0; k < corner.size(); ++k) {
      const Vec3 e = corner[(k + 1) % corner.size()] - corner[k];
      least = std::min(least, dot(normalized(cross(normal, e)), p - corner[k]));
    }
    return least;
  }
};
inline std::vector<Flat> flats_of(const Thing& t) {
  std::vector<Flat> out;
  if (t.kind == cylinder) {
    const Vec3 u = normalized(t.axis());
    out.push_back({-u, t.pose.x - t.axis(), {}, t.radius});
    out.push_back({u, t.pose.x + t.axis(), {}, t.radius});
  } else if (t.kind == triangle) {
    out.push_back({rotate(t.pose.q, t.normal[0]), t.at(0), {t.at(0), t.at(1), t.at(2)}, 0});
  } else if (!t.round()) {
    for (std::size_t f = 0; f + 1 < t.faces.loop_begin.size(); ++f) {
      Flat flat{rotate(t.pose.q, t.faces.normal[f]), {}, {}, 0};
      for (int k = t.faces.loop_begin[f]; k < t.faces.loop_begin[f + 1]; ++k)
        flat.corner.push_back(t.at(t.faces.vertex[t.faces.loop[k]]));
      flat.middle = flat.corner[0];
      out.push_back(flat);
    }
  }
  return out;
}

struct Pair {
  Thing a, b;
  Pair(Kind ka, Kind kb, RandomSolids& random) : a(ka, random), b(kb, random) {}
  /// min over a − max over b along n, of the cores.
  double separation(const Vec3& n) const { return -a.high(-n) - b.high(n); }
  double rho() const { return a.rho + b.rho; }
  double size() const { return std::min(a.size(), b.size()); }
};

/// One on the other, tilted from rounding to 1 rad, sliding over it, or anyhow; apart, or up to half in each other.
inline void place_pair(Pair& p, RandomSolids& random, int i) {
  const bool resting = i % 4 != 0;
  const double angle = std::pow(10.0, random.number(-9, 0));
  static const Quat kLying[] = {Quat{}, from_axis_angle(Vec3{0, 1, 0}, M_PI / 2)};
  p.b.pose = {random.in_cube(0.1), random.rotation()};
  const Quat lie_b = kLying[p.b.round() && i % 8 < 4], lie_a = kLying[p.a.round() && i % 3 != 0];
  p.a.pose.q = resting ? tilt(random.in_cube(1), angle) * p.b.pose.q * conjugate(lie_b) *
                             (i % 5 == 0 ? Quat{} : tilt({0, 0, 1}, random.number(-2, 2))) * lie_a
                       : random.rotation();
  const Vec3 up = resting ? rotate(p.b.pose.q * conjugate(lie_b), {0, 0, 1}) : normalized(random.in_cube(1));
  const double depth =
      random.number(0, 1) < 0.3 ? random.number(-0.01, 0) : p.size() * std::pow(10.0, random.number(-5, 0));
  p.a.pose.x = p.b.pose.x + cross(up, random.in_cube(0.4));
  p.a.pose.x += (p.rho() - depth - p.separation(up)) * up;
}

struct Offered {
  std::vector<ManifoldPoint> points = std::vector<ManifoldPoint>(kMaxBesideEdge);
  std::vector<Vec3> normals = std::vector<Vec3>(points.size());
  Manifold m{points.data(), static_cast<int>(points.size())};
  const Pair& p;
  Offered(const Pair& pair, double margin, bool features) : p(pair) {
    m.radius_a = p.a.rho, m.radius_b = p.b.rho;
    const Pose &a = p.a.pose, &b = p.b.pose;
    constexpr int kAllActive = 0x3f;
    if (p.a.kind == sphere && p.b.kind == sphere) {
      sphere_sphere(a, b, margin, m);
    } else if (p.a.kind == sphere && (p.b.kind == box || p.b.kind == hull)) {
      sphere_convex(a, p.b.core.hull, b, margin, m);
    } else if (p.a.kind == sphere && p.b.kind == cylinder) {
      sphere_cylinder(a, p.b.core.axis, p.b.radius, b, margin, m);
    } else {
      if (features) m.normals = normals.data();
      if (p.b.kind == triangle)
        triangle_contacts(p.a.core, p.b.core, kAllActive, a, b, a, b, margin, m);
      else
        core_contacts(p.a.core, p.b.core, a, b, a, b, margin, m);
    }
  }
  Offered(const Offered&) = delete;
  Vec3 on_a(int i) const { return p.a.at(points[i].point_a) - p.a.rho * m.normal_of(i); }
  Vec3 on_b(int i) const { return p.b.at(points[i].point_b) + p.b.rho * m.normal_of(i); }
  double gap(int i) const { return gap_of(m, i, p.a.pose, p.b.pose); }
  double least() const {
    double least = 1e300;
    for (int i = 0; i < m.count; ++i) least = std::min(least, gap(i));
    return least;
  }
};

/// How far a place is from the patch of all points, seen along n [m].
inline double beyond(const Offered& o, const Vec3& n, const Vec3& place) {
  std::vector<Vec3> points;
  for (int i = 0; i < o.m.count; ++i) points.insert(points.end(), {o.on_a(i), o.on_b(i)});
  return test::beyond(points, n, place);
}

/// What a thing shows to a flat part with normal n: the corners of the face that looks against it, the ends of its
/// line, or points all around its cap, `rim_part` of the radius inside.
inline std::vector<Vec3> shown_to(const Thing& t, const Vec3& n, double rim_part) {
  constexpr int kRim = 48;
  std::vector<Vec3> out;
  if (t.kind == sphere) return {t.pose.x};
  if (t.kind == capsule) return {t.pose.x - t.axis(), t.pose.x + t.axis()};
  if (t.kind == cylinder) {
    const Vec3 u = normalized(t.axis()), side = -n + dot(n, u) * u;
    if (std::fabs(dot(n, u)) < kCapFacing) {
      for (const Vec3& end : {t.pose.x - t.axis(), t.pose.x + t.axis()})
        out.push_back(end + t.radius * normalized(side));
      return out;
    }
    Vec3 t1, t2;
    tangent_frame(u, t1, t2);
    const Vec3 middle = t.pose.x + (dot(n, u) < 0 ? 1.0 : -1.0) * t.axis();
    for (int k = 0; k < kRim; ++k) {
      const double angle = 2 * M_PI * k / kRim;
      out.push_back(middle + (1 - rim_part) * t.radius * (std::cos(angle) * t1 + std::sin(angle) * t2));
    }
    return out;
  }
  const std::vector<Flat> flats = flats_of(t);
  std::size_t opposing = 0;
  for (std::size_t f = 1; f < flats.size(); ++f)
    if (dot(flats[f].normal, n) < dot(flats[opposing].normal, n)) opposing = f;
  return flats[opposing].corner;
}

/// The same with places between: a grid around the middle.
inline std::vector<Vec3> all_over(const std::vector<Vec3>& corner) {
  constexpr int kParts = 8;
  Vec3 middle{};
  for (const Vec3& p : corner) middle += p / static_cast<double>(corner.size());
  std::vector<Vec3> out;
  for (std::size_t k = 0; k < corner.size(); ++k)
    for (int along = 0; along < kParts; ++along)
      for (int in = 1; in <= kParts; ++in) {
        const double t = static_cast<double>(along) / kParts;
        const Vec3 p = (1 - t) * corner[k] + t * corner[(k + 1) % corner.size()];
        out.push_back(middle + (static_cast<double>(in) / kParts) * (p - middle));
      }
  return out;
}

/// Height of the deepest place of the polygon or line `shown` over a flat part [m]; 1e300: none is over it. How far a
/// place is inside is concave along a line, and its height is linear.
inline double deepest_over(const Flat& f, const std::vector<Vec3>& shown) {
  constexpr int kHalvings = 60;
  double deepest = 1e300;
  const std::size_t sides = shown.size() > 2 ? shown.size() : shown.size() - 1;
  if (shown.size() == 1 && f.inside(shown[0]) > 0) deepest = f.height(shown[0]);
  for (std::size_t k = 0; k < sides; ++k) {
    const Vec3 p = shown[k], e = shown[(k + 1) % shown.size()] - p;
    double low = 0, high = 1;
    for (int i = 0; i < kHalvings; ++i) {
      const double s = low + (high - low) / 3, t = high - (high - low) / 3;
      (f.inside(p + s * e) < f.inside(p + t * e) ? low : high) = f.inside(p + s * e) < f.inside(p + t * e) ? s : t;
    }
    const double most = 0.5 * (low + high);
    if (!(f.inside(p + most * e) > 0)) continue;
    for (const double end : {0.0, 1.0}) {
      double in = most, out = end;
      if (f.inside(p + end * e) > 0) in = end;
      for (int i = 0; i < kHalvings && in != end; ++i)
        (f.inside(p + 0.5 * (in + out) * e) > 0 ? in : out) = 0.5 * (in + out);
      deepest = std::min(deepest, f.height(p + in * e));
    }
  }
  if (shown.size() < 3) return deepest;
  const Vec3 m = normalized(cross(shown[1] - shown[0], shown[2] - shown[0]));
  Flat top{m, shown[0], shown, 0};
  for (const Vec3& corner : f.corner) {
    const Vec3 above = corner + (dot(m, shown[0] - corner) / dot(m, f.normal)) * f.normal;
    if (top.inside(above) > 0) deepest = std::min(deepest, f.height(above));
  }
  return deepest;
}

/// How far n is from a normal of a cylinder at its point p: along the tangent of the rim, or on a cap or a side along
/// both; 0 for other kinds [1].
inline double off_normal(const Thing& t, const Vec3& p, const Vec3& n) {
  constexpr double kAt = 1e-9;  // [m]
  if (t.kind != cylinder) return 0;
  const Vec3 u = normalized(t.axis()), r = p - t.pose.x;
  const double z = dot(r, u), radial = norm(r - z * u), half = norm(t.axis());
  const double around = radial > 0 ? std::fabs(dot(n, cross(u, r))) / radial : 0;
  const bool at_end = std::fabs(std::fabs(z) - half) <= kAt, at_side = std::fabs(radial - t.radius) <= kAt;
  if (at_end && at_side) return around;
  return at_end ? norm(n - dot(n, u) * u) : std::max(around, std::fabs(dot(n, u)));
}

/// Places of `other` over the cap f, or of the cap of `other` over the face f, that belong to a corner or a side of a
/// polygon.
inline std::vector<Vec3> meets(const Flat& f, const Thing& other) {
  std::vector<Vec3> out, corner;
  const bool disc = f.corner.empty();
  const std::vector<Vec3> shown = shown_to(other, f.normal, 0);
  const bool cap = other.kind == cylinder && shown.size() > 2;
  if (disc == cap || (disc && shown.size() < 3)) return out;
  // Seen along the normal of the flat part, in the plane of the cap.
  const Vec3 u = disc ? f.normal : normalized(other.axis());
  const double radius = disc ? f.radius : other.radius;
  const Vec3 middle = disc ? f.middle : other.pose.x + (dot(f.normal, u) < 0 ? 1.0 : -1.0) * other.axis();
  const Vec3 m = disc ? normalized(cross(shown[1] - shown[0], shown[2] - shown[0])) : u, o = disc ? shown[0] : middle;
  if (std::fabs(dot(m, f.normal)) < 0.01) return out;  // on edge
  for (const Vec3& p : disc ? shown : f.corner)
    corner.push_back(p + (dot(u, middle - p) / dot(u, f.normal)) * f.normal);
  const auto add = [&](const Vec3& p) { out.push_back(p + (dot(m, o - p) / dot(m, f.normal)) * f.normal); };
  for (std::size_t k = 0; k < corner.size(); ++k) {
    const Vec3 p = corner[k], e = corner[(k + 1) % corner.size()] - p;
    if (norm(p - middle) < radius - kOutside) add(p);
    const double nearest = dot(middle - p, e) / norm2(e), off = norm(p + nearest * e - middle);
    if (!(off < radius - kOutside)) continue;
    for (const double sign : {-1.0, 1.0}) {
      const double s = nearest + sign * std::sqrt((radius * radius - off * off) / norm2(e));
      if (s > kOutside && s < 1 - kOutside) add(p + s * e);
    }
  }
  return out;
}

}  // namespace clarke::test
