#pragma once
// The points of one body on a surface of triangles: each once, and none that only a triangle's border has made.
//
// A corner of a box over an inner corner of a height field is over six triangles, and each reports it; the axis of a
// capsule crosses every inner edge twice, as the end on one side and the beginning on the other. Such rows are equal or
// redundant: they make the Delassus operator singular beyond what the body needs, and scalar laws with lagged friction
// diverge on them.
//
// Shared. Point k of triangle t is left out where a lower-numbered triangle s within three edges, or the lowest at a
// corner, has a point l with
//
//   |n_t − n_s| ≤ kFlatAngle,   |p_t,k − p_s,l| ≤ ε + 2 d |n_t − n_s|     on both sides of the contact
//
// ε = kEqualLength of the smaller triangle, d the largest distance of the two points of a contact: a point that is d
// above a bent edge stands over it in a place that depends on the normal. The lowest triangle that reports a point
// keeps it, so nothing is lost, and what is left depends on the numbers of triangles only. Triangles that the body
// touches in one point only come last: they could not tell what lies between.
//
// Between. A point p where an edge or face of the body is cut off at the border of a triangle is left out where it lies
// between two others, q of its own triangle and r of one at most three edges away, at most kFlatAngle turned:
//
//   p on the straight line from q to r on the body (within ε),   n_p·(q − p) ≥ −ε and n_p·(r − p) ≥ −ε on the surface
//
// The body is straight from q to r and the surface does not bulge there, so the gap at p is at least the mean of those
// at q and r: p closes last, if ever. On a ridge, however slight, p stays. A row of such points goes as a whole, but
// for its two ends.
//
// Each triangle asks its neighbours, found by bisection in the sorted pairs; no loop over all of them.
//
// Limits: triangles that share no edge and no corner (a mesh with T-junctions) are not compared; a corner of the
// surface under the middle of a face stays unless lines of the mesh go straight through it; so do some points under a
// side exactly along such lines.

#include "physics/collision/broad_phase.hpp"
#include "physics/collision/detection.hpp"
#include "physics/collision/narrow_phase/core_manifold.hpp"
#include "physics/collision/triangle_mesh.hpp"

namespace clarke {

/// The points of all pairs as the narrow phase left them.
struct PairPoints {
  ShapeSet shapes;
  CandidatePairs pairs;  // in ascending order
  View<PairSides> sides;
  View<int> slice;  // first point of each pair
  View<ManifoldPoint> points;
  View<PairResult> results;
  View<Vec3> normals;  // of the points; empty where those of a pair have its normal

  /// Normal of point k of pair i.
  KOKKOS_INLINE_FUNCTION Vec3 normal(int i, int k) const {
    return normals.extent(0) > 0 ? normals(slice(i) + k) : results(i).normal;
  }
  /// The same in the frame of the surface, whose axes are those of its triangles.
  KOKKOS_INLINE_FUNCTION Vec3 local_normal(int i, int k) const {
    return rotate_inverse(results(i).turn_b, normal(i, k));
  }
};

KOKKOS_INLINE_FUNCTION int bit_count(std::uint32_t bits) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) ++count;
  return count;
}

/// Index of the pair of two colliders, −1 where they are no candidates.
KOKKOS_INLINE_FUNCTION int find_pair(const CandidatePairs& pairs, int a, int b) {
  const ColliderPair wanted{a < b ? a : b, a < b ? b : a};
  int low = 0, high = static_cast<int>(pairs.extent(0));
  while (low < high) {
    const int middle = low + (high - low) / 2;
    const ColliderPair& pair = pairs(middle);
    if (pair.first < wanted.first || (pair.first == wanted.first && pair.second < wanted.second)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < static_cast<int>(pairs.extent(0)) && pairs(low).first == wanted.first &&
                 pairs(low).second == wanted.second
             ? low
             : -1;
}

/// Whether all points of pair i are one: the body touches its triangle at a corner only.
KOKKOS_INLINE_FUNCTION bool is_one_point(const PairPoints& p, int i) {
  const double near = kEqualLength * p.shapes.radius(p.sides(i).b);
  const ManifoldPoint* points = p.points.data() + p.slice(i);
  for (int k = 1; k < p.results(i).count; ++k)
    if (norm(points[k].point_a - points[0].point_a) > near) return false;
  return true;
}

/// Whether pair j, which goes before pair i, reports point k of pair i as well.
KOKKOS_INLINE_FUNCTION bool reports_point(const PairPoints& p, int i, int k, int j) {
  const PairResult& other = p.results(j);
  const ShapeSet& s = p.shapes;
  const int t = p.sides(i).b, n = p.sides(j).b;
  const double size = s.radius(t) < s.radius(n) ? s.radius(t) : s.radius(n);
  const ManifoldPoint& mine = p.points(p.slice(i) + k);
  const Vec3 on_b = s.centre(t) + mine.point_b;
  for (int l = 0; l < other.count; ++l) {
    const ManifoldPoint& theirs = p.points(p.slice(j) + l);
    const double turned = norm(p.normal(i, k) - p.normal(j, l));
    if (turned > kFlatAngle) continue;
    const double near = kEqualLength * size + 2 * turned * other.limit;
    if (norm(mine.point_a - theirs.point_a) <= near && norm(on_b - s.centre(n) - theirs.point_b) <= near) return true;
  }
  return false;
}

/// Whether p lies between q and r on the body, and the surface does not bulge from q to r. `near` [m] is ε.
KOKKOS_INLINE_FUNCTION bool lies_between(const Vec3& p_a, const Vec3& q_a, const Vec3& r_a, double near) {
  const Vec3 q = q_a - p_a, r = r_a - p_a;
  const double lq = norm(q), lr = norm(r);
  // |q × r| = distance of p from the line × |q − r|, and |q − r| ≈ |q| + |r| for opposite directions.
  return lq > near && lr > near && dot(q, r) < 0 && norm(cross(q, r)) <= near * (lq + lr);
}

/// Triangles within three edges of triangle t: 3 + 9 + 27 ways over the edges, some to the same triangle. All that meet
/// at a corner where six meet are among them. −1 where a way ends, or comes back.
inline constexpr int kNearbyWays = 39;
KOKKOS_INLINE_FUNCTION int nearby_triangle(const ShapeSet& s, int t, int way) {
  const int edges = way < 3 ? 1 : (way < 12 ? 2 : 3);
  int rest = way < 3 ? way : (way < 12 ? way - 3 : way - 12), at = t;
  for (int step = 0; step < edges; ++step, rest /= 3) {
    at = s.neighbour(s.neighbour_begin(at) + rest % 3);
    if (at < 0 || at == t) return -1;
  }
  return at;
}

/// Whether point k of pair i lies between another of its pair and one of pair j, beside a surface that does not bulge.
KOKKOS_INLINE_FUNCTION bool between_points(const PairPoints& p, int i, int k, int j) {
  const PairResult &own = p.results(i), &found = p.results(j);
  const ManifoldPoint& mine = p.points(p.slice(i) + k);
  const ShapeSet& s = p.shapes;
  const int t = p.sides(i).b;
  const double near = kEqualLength * s.radius(t);
  const Vec3 from = s.centre(p.sides(j).b) - s.centre(t) - mine.point_b;
  for (int l = 0; l < found.count; ++l) {
    const ManifoldPoint& after = p.points(p.slice(j) + l);
    const double turned = norm(p.normal(i, k) - p.normal(j, l));
    if (turned > kFlatAngle) continue;
    const Vec3 across = from + after.point_b;                       // on the surface
    if (norm(across) <= near + 2 * turned * found.limit) continue;  // the same point
    if (dot(p.local_normal(i, k), across) < -near) continue;
    for (int q = 0; q < own.count; ++q)
      if (q != k && norm(p.normal(i, k) - p.normal(i, q)) <= kFlatAngle &&
          lies_between(mine.point_a, p.points(p.slice(i) + q).point_a, after.point_a, near))
        return true;
  }
  return false;
}

/// A point that is there only because an edge or face of the body ends where a triangle does.
KOKKOS_INLINE_FUNCTION bool made_by_border(const ManifoldPoint& point) {
  const auto origin = point_origin(point.feature);
  return origin == PointOrigin::crossing || origin == PointOrigin::reference_corner || origin == PointOrigin::line_end;
}

/// The points of pair i that are contacts of their own, as bits; all of them where it is not one with a triangle.
KOKKOS_INLINE_FUNCTION std::uint32_t points_of_own(const PairPoints& p, int i) {
  const int count = p.results(i).count, a = p.sides(i).a, t = p.sides(i).b;
  const std::uint32_t all = count < 32 ? (std::uint32_t{1} << count) - 1 : ~std::uint32_t{0};
  const int begin = p.shapes.neighbour_begin(t);
  if (begin < 0 || count == 0) return all;
  std::uint32_t kept = all;
  const bool one = is_one_point(p, i);
  if (one) kept = 1;
  for (int way = -3; way < kNearbyWays; ++way) {  // the lowest at the corners, then those over edges
    const int other = way < 0 ? p.shapes.neighbour(begin + 6 + way) : nearby_triangle(p.shapes, t, way);
    if (other < 0 || other == t) continue;
    const int j = find_pair(p.pairs, a, other);
    if (j < 0 || p.results(j).count == 0) continue;
    const bool other_one = is_one_point(p, j), before = one == other_one ? other < t : one;
    for (int k = 0; k < count; ++k) {
      if (!(kept >> k & 1)) continue;
      if ((before && reports_point(p, i, k, j)) ||
          (made_by_border(p.points(p.slice(i) + k)) && between_points(p, i, k, j)))
        kept &= ~(std::uint32_t{1} << k);
    }
  }
  return kept;
}

}  // namespace clarke
