#pragma once
// Nearest point of A − B to a given point q: the distance of two convex sets, A moved by −q, by the method of Gilbert,
// Johnson and Keerthi [1988].
//
//   v = nearest point of the hull of at most four support points of M = A − B − q to the origin
//   w = support of M along −v;   v·w/|v| ≤ distance ≤ |v|;   ends when the two bounds meet
//
// The simplex is reduced to the smallest part that holds v; faces of a tetrahedron are tried one by one (at most four),
// so that flat ones need no special case. Polyhedra end in finitely many steps with the exact nearest features; round
// shapes converge to the tolerance. Limit: kGjkSteps; what is reached then is returned.

#include "physics/collision/narrow_phase/core.hpp"

namespace clarke {

/// A support point of A − B and the points of A and B it comes from.
struct GjkVertex {
  Vec3 w, a, b;
};

struct GjkSimplex {
  GjkVertex vertex[4];
  double weight[4];  // v = Σ weight w
  int count = 0;

  KOKKOS_INLINE_FUNCTION Vec3 nearest() const {
    Vec3 v{};
    for (int i = 0; i < count; ++i) v += weight[i] * vertex[i].w;
    return v;
  }
};

/// Result of one search: v = a − b − q, with a and b the nearest points.
struct GjkResult {
  Vec3 v{}, a{}, b{};
  double distance = 0;  // |v|; 0 where q is inside A − B
};

inline constexpr int kGjkSteps = 64;
/// Bounds of the distance this near each other (relative to the size of A − B) are equal: some tens of roundings.
inline constexpr double kGjkTolerance = 1e-15;
/// Round sets: their support points come in unlimited number, and the last digits take as long as all others.
inline constexpr double kGjkRoundTolerance = 1e-13;

/// Nearest point of the segment or the point.
KOKKOS_INLINE_FUNCTION void reduce_segment(GjkSimplex& s) {
  const Vec3 p = s.vertex[0].w, e = s.vertex[1].w - p;
  const double e2 = norm2(e), t = e2 > 0 ? -dot(p, e) / e2 : 0;
  if (t <= 0) {
    s.count = 1, s.weight[0] = 1;
  } else if (t >= 1) {
    s.vertex[0] = s.vertex[1];
    s.count = 1, s.weight[0] = 1;
  } else {
    s.weight[0] = 1 - t, s.weight[1] = t;
  }
}

/// Nearest point of a triangle by the regions of its corners, edges and inside [Ericson 2005, 5.1.5].
KOKKOS_INLINE_FUNCTION void reduce_triangle(GjkSimplex& s) {
  const Vec3 a = s.vertex[0].w, b = s.vertex[1].w, c = s.vertex[2].w;
  const Vec3 ab = b - a, ac = c - a, n = cross(ab, ac);
  const double n2 = norm2(n);
  if (n2 > 0) {
    // Foot of the perpendicular seen from a; its signed areas with two corners are the weights of the third.
    const Vec3 foot = (dot(n, a) / n2) * n - a;
    const double wb = dot(n, cross(foot, ac)) / n2, wc = dot(n, cross(ab, foot)) / n2, wa = 1 - wb - wc;
    if (wa > 0 && wb > 0 && wc > 0) {
      s.weight[0] = wa, s.weight[1] = wb, s.weight[2] = wc;
      return;
    }
  }
  GjkSimplex best;
  double least = -1;
  for (int k = 0; k < 3; ++k) {
    GjkSimplex edge;
    edge.count = 2;
    edge.vertex[0] = s.vertex[k], edge.vertex[1] = s.vertex[(k + 1) % 3];
    reduce_segment(edge);
    const double d = norm2(edge.nearest());
    if (least < 0 || d < least) least = d, best = edge;
  }
  s = best;
}

/// True where the origin is inside the tetrahedron. `apart`: it is known not to be, whatever rounding makes of a flat
/// one.
KOKKOS_INLINE_FUNCTION bool reduce_tetrahedron(GjkSimplex& s, bool apart) {
  constexpr int kFace[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  GjkSimplex best;
  double least = -1;
  bool inside = true;
  for (const auto& f : kFace) {
    const Vec3 p = s.vertex[f[0]].w;
    const Vec3 n = cross(s.vertex[f[1]].w - p, s.vertex[f[2]].w - p);
    const double opposite = dot(n, s.vertex[f[3]].w - p), origin = -dot(n, p);
    // Flat within rounding: no side is the inner one.
    const bool flat = std::fabs(opposite) <= 1e-15 * norm(n) * norm(s.vertex[f[3]].w - p);
    if (!apart && !flat && opposite * origin > 0) continue;
    inside = false;
    GjkSimplex face;
    face.count = 3;
    for (int k = 0; k < 3; ++k) face.vertex[k] = s.vertex[f[k]];
    reduce_triangle(face);
    const double d = norm2(face.nearest());
    if (least < 0 || d < least) least = d, best = face;
  }
  if (!inside) s = best;
  return inside;
}

/// Nearest point of A − B to q [m]; `start`: any direction that looks from the set towards q.
KOKKOS_INLINE_FUNCTION GjkResult nearest_in_difference(const PlacedCore& a, const PlacedCore& b, const Vec3& q,
                                                       const Vec3& start) {
  const double size = a.reach + b.reach + norm(b.x - a.x) + norm(q);
  const bool round = a.is(CoreKind::cylinder) || b.is(CoreKind::cylinder);
  const double equal = (round ? kGjkRoundTolerance : kGjkTolerance) * size;
  GjkSimplex s;
  s.count = 1;
  s.weight[0] = 1;
  s.vertex[0].a = support(a, start), s.vertex[0].b = support(b, -start);
  s.vertex[0].w = (s.vertex[0].a - s.vertex[0].b) - q;
  GjkResult result;
  GjkSimplex best = s;
  double least = norm(s.vertex[0].w);
  bool apart = false;  // a plane with all of A − B beyond it has been seen
  for (int step = 0; step < kGjkSteps; ++step) {
    const Vec3 v = s.nearest();
    const double length = norm(v);
    if (length <= least) least = length, best = s;
    if (length <= kGjkTolerance * size) return result;
    const Vec3 d = -(v / length);
    GjkVertex next;
    next.a = support(a, d), next.b = support(b, -d);
    next.w = (next.a - next.b) - q;
    if (length + dot(d, next.w) <= equal) break;
    apart = apart || dot(d, next.w) < -equal;
    bool known = false;
    for (int i = 0; i < s.count; ++i) known = known || norm2(s.vertex[i].w - next.w) == 0;
    if (known) break;
    GjkSimplex grown = s;
    grown.vertex[grown.count++] = next;
    if (grown.count == 2) reduce_segment(grown);
    if (grown.count == 3) reduce_triangle(grown);
    if (grown.count == 4 && reduce_tetrahedron(grown, apart)) return result;
    if (!(norm2(grown.nearest()) < length * length)) break;  // rounding
    s = grown;
  }
  for (int i = 0; i < best.count; ++i) {
    result.v += best.weight[i] * best.vertex[i].w;
    result.a += best.weight[i] * best.vertex[i].a;
    result.b += best.weight[i] * best.vertex[i].b;
  }
  result.distance = norm(result.v);
  return result;
}

}  // namespace clarke
