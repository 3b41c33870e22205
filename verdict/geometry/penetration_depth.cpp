#include "verdict/geometry/penetration_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clarke {

namespace {

/// Shorter than this, the product of two unit directions has no direction of its own.
constexpr double kParallel = 1e-9;

/// min and max of n·x over the core.
struct Extent {
  double low, high;
};
Extent extent(const PlacedSolid& s, const Vec3& n) {
  Extent out{dot(n, s.points[0]), dot(n, s.points[0])};
  for (std::size_t i = 1; i < s.points.size(); ++i) {
    const double along = dot(n, s.points[i]);
    out.low = std::min(out.low, along);
    out.high = std::max(out.high, along);
  }
  if (s.kind == Solid::Kind::cylinder) {
    const double rim = s.cylinder_radius * norm(n - dot(n, s.normal) * s.normal);
    out.low -= rim;
    out.high += rim;
  }
  return out;
}

/// The best direction so far.
struct Search {
  const PlacedSolid &a, &b;
  double s = -std::numeric_limits<double>::infinity();
  Vec3 n{};

  void try_along(const Vec3& d) {
    const Extent of_a = extent(a, d), of_b = extent(b, d);
    take(of_a.low - of_b.high, d);
    take(of_b.low - of_a.high, -d);
  }
  void try_unnormalised(const Vec3& d) {
    const double size = norm(d);
    if (size > kParallel) try_along(d / size);
  }

 private:
  void take(double value, const Vec3& d) {
    if (value > s) s = value, n = d;
  }
};

/// Nearest points of two segments, as the difference from the one on b to the one on a.
Vec3 segment_difference(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  double s = det > kParallel * uu * vv ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0;
  const double t = vv > 0 ? std::clamp((uv * s + vw) / vv, 0.0, 1.0) : 0;
  s = uu > 0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0;
  return w + s * u - t * v;
}

/// Directions between corners and edges: those of the nearest points of cores that are apart.
void try_nearest(Search& search) {
  const PlacedSolid &a = search.a, &b = search.b;
  for (const Vec3& p : a.points)
    for (const Vec3& q : b.points) search.try_unnormalised(p - q);
  for (const auto& e : *a.edges)
    for (const Vec3& q : b.points) search.try_unnormalised(segment_difference(a.points[e[0]], a.points[e[1]], q, q));
  for (const auto& e : *b.edges)
    for (const Vec3& p : a.points) search.try_unnormalised(segment_difference(p, p, b.points[e[0]], b.points[e[1]]));
  for (const auto& e : *a.edges)
    for (const auto& f : *b.edges)
      search.try_unnormalised(segment_difference(a.points[e[0]], a.points[e[1]], b.points[f[0]], b.points[f[1]]));
}

/// Turns the best direction by ever smaller angles while that is better.
void refine(Search& search) {
  constexpr double kFirst = 0.2, kLast = 1e-12;  // [rad]
  for (double angle = kFirst; angle > kLast;) {
    Vec3 e1, e2;
    tangent_frame(search.n, e1, e2);
    const double before = search.s;
    const Vec3 from = search.n;
    for (const Vec3& d : {e1, -e1, e2, -e2, e1 + e2, e1 - e2, e2 - e1, -e1 - e2})
      search.try_along(normalized(from + angle * d));
    if (!(search.s > before)) angle *= 0.5;
  }
}

}  // namespace

double penetration_depth(const PlacedSolid& a, const PlacedSolid& b) {
  if (b.kind == Solid::Kind::plane) return b.offset - extent(a, b.normal).low + a.radius + b.radius;
  if (a.kind == Solid::Kind::plane) return penetration_depth(b, a);
  const double balls = a.radius + b.radius;
  Search search{a, b};
  for (const PlacedSolid* s : {&a, &b}) {
    for (const Vec3& n : s->face_normals) search.try_along(n);
    if (s->kind == Solid::Kind::cylinder) search.try_along(s->normal);
  }
  if (search.s >= balls) return balls - search.s;
  for (const Vec3& e : a.edge_directions)
    for (const Vec3& f : b.edge_directions) search.try_unnormalised(cross(e, f));
  const bool round = a.kind == Solid::Kind::cylinder || b.kind == Solid::Kind::cylinder;
  // Without faces and crossing edges a direction is yet to be found: two points, a point and a segment.
  const bool flat = a.face_normals.empty() && b.face_normals.empty();
  if (flat || round || (search.s > 0 && balls > search.s)) try_nearest(search);
  if (round && search.s < balls) refine(search);
  if (flat && !(search.s > -std::numeric_limits<double>::infinity())) return balls;  // the same point
  return balls - search.s;
}

}  // namespace clarke
