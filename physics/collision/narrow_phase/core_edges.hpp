#pragma once
// Cores that are nearest at an edge, a rim or two lines, where one point is no hold on a turn about it: what else of
// them may touch [docs/theory.md, eq. N7].
//
//   over a flat part f   (1 + τ) min(s*, 0) ≤ distance < limit     normal of f, the best face or cap of either core
//   f alone              s* < 0,  s(n_f) ≥ (1 + τ) s*,  and the deepest point is over f
//   end over a line      the same bounds, foot inside the line      normal from the line (of a cylinder: its axis) to
//                                                                   the end: nothing of a polyhedron is beyond the foot
//
// Ends: those of an axis, with the rim around them, and corners. Lines: axes and edges. Two polyhedra have their own
// function (convex_convex.hpp), so of end and line one is round.

#include "physics/collision/narrow_phase/core_patch.hpp"

namespace clarke {

/// Most points of a pair: the nearest, a patch over a flat part of each, ends over lines.
inline constexpr int kMaxBesideEdge = 1 + 2 * (kMaxPatch + 1) + 4;

/// Ends of a core, and lines.
KOKKOS_INLINE_FUNCTION int core_ends(const PlacedCore& c) {
  return c.is(CoreKind::vertices) ? c.core.hull.vertices : 2;
}
KOKKOS_INLINE_FUNCTION int core_lines(const PlacedCore& c) {
  if (!c.is(CoreKind::vertices)) return 1;
  return is_triangle(c) ? 3 : c.core.hull.edges;
}
KOKKOS_INLINE_FUNCTION Vec3 core_end(const PlacedCore& c, int i) {
  return c.is(CoreKind::vertices) ? c.vertex(i) : (i == 0 ? c.x - c.axis : c.x + c.axis);
}
KOKKOS_INLINE_FUNCTION void core_line(const PlacedCore& c, int i, Vec3& start, Vec3& along) {
  if (!c.is(CoreKind::vertices)) {
    start = c.x - c.axis, along = 2.0 * c.axis;
    return;
  }
  const bool triangle = is_triangle(c);
  start = c.vertex(triangle ? i : c.core.hull.edge[i].v0);
  along = c.vertex(triangle ? (i + 1) % 3 : c.core.hull.edge[i].v1) - start;
}

/// Flat part with the largest separation, the first within `equal` [m]; none: separation kAnyDepth. Of a core on a
/// triangle, which has one side, only those that look at it.
KOKKOS_INLINE_FUNCTION FlatPart best_flat_part(const CorePair& pair, bool of_a, double equal, double& largest) {
  const PlacedCore& c = of_a ? pair.a : pair.b;
  FlatPart best;
  largest = kAnyDepth;
  for (int f = 0; f < flat_parts(c); ++f) {
    const FlatPart flat = numbered_flat_part(c, f);
    if (of_a && is_triangle(pair.b) && dot(flat.normal, pair.b.face_normal(0)) > 0) continue;
    const double s = separation(pair.a, pair.b, of_a ? -flat.normal : flat.normal);
    if (!best.exists || s > largest + equal) best = flat, largest = s;
  }
  return best;
}

KOKKOS_INLINE_FUNCTION void add_over_flat_part(CorePair pair, bool of_a, const FlatPart& flat) {
  const int before = pair.m.count;
  pair.patch = of_a ? 1 : 2;
  pair.m.normal = of_a ? -flat.normal : flat.normal;
  clip_onto_face(pair, of_a, flat);
  pair.m.set_normals(before, pair.m.normal);
}

/// End i of one core over line k of the other, if its foot is inside.
KOKKOS_INLINE_FUNCTION void add_end_over(CorePair pair, const Separation& s, bool end_of_a, int i, int k) {
  constexpr double kAtEnd = 1e-6;  // of the line: as in faces.hpp
  // [rad] of a cylinder against the plane across n: its rim is off the foot by that times its radius, and the other
  // surface off its tangent plane by half the square of it.
  constexpr double kLean = 0.05;
  const PlacedCore &ended = end_of_a ? pair.a : pair.b, &lined = end_of_a ? pair.b : pair.a;
  const double equal = kEqualLength * smaller_size(pair.a, pair.b);
  const Vec3 end = core_end(ended, i);
  Vec3 start, along;
  core_line(lined, k, start, along);
  const double t = dot(end - start, along) / norm2(along);
  if (!(t > kAtEnd && t < 1 - kAtEnd)) return;
  const Vec3 foot = start + t * along, off = end - foot;
  const double length = norm(off);
  if (length <= equal) return;
  const Vec3 out = off / length, n = end_of_a ? out : -out;
  if (dot(n, s.normal) <= 0) return;
  if (lined.is(CoreKind::vertices) && dot(out, support(lined, out) - foot) > equal) return;
  Vec3 rim{};
  double reach = 0;
  if (ended.is(CoreKind::cylinder)) {
    double across_axis;
    rim = across(out, ended.u, across_axis);
    if (across_axis * across_axis < 1 - kLean * kLean) return;
    rim = (ended.core.axis_radius / across_axis) * rim;
    reach = ended.core.axis_radius * across_axis;
  }
  const double distance = length - reach - (lined.is(CoreKind::cylinder) ? lined.core.axis_radius : 0.0);
  if (distance >= pair.limit || distance < pair.lowest || (s.distance > 0 && distance < s.distance - equal)) return;
  const Vec3 on_end = end - rim, on_line = on_end - distance * out;
  const int before = pair.m.count;
  pair.patch = end_of_a ? 3 : 4;
  const int number = i << (ended.is(CoreKind::vertices) ? 0 : kFeatureIndexBits) | k;
  pair.add(end_of_a ? on_end : on_line, end_of_a ? on_line : on_end, point_feature(PointOrigin::end_over, 0, number));
  pair.m.set_normals(before, n);
}

/// Depth below which nothing is offered [m].
KOKKOS_INLINE_FUNCTION double lowest_beside(const Separation& s) {
  return (1 + kFacePreference) * (s.distance < 0 ? s.distance : 0.0);
}

/// Cores that overlap: whether a flat part that parts them nearly as soon takes the place of the edge. Then m has what
/// lies over it, and nothing else.
KOKKOS_INLINE_FUNCTION bool flat_part_alone(const CorePair& pair, const Separation& s) {
  if (!(s.distance < 0)) return false;
  Manifold& m = pair.m;
  const double size = smaller_size(pair.a, pair.b), equal = kEqualLength * size;
  double of_a, of_b;
  const FlatPart flat_a = best_flat_part(pair, true, equal, of_a), flat_b = best_flat_part(pair, false, equal, of_b);
  const bool a_first = of_b <= of_a + equal;
  const double best = a_first ? of_a : of_b;
  if (best < lowest_beside(s)) return false;
  add_over_flat_part(pair, a_first, a_first ? flat_a : flat_b);
  double deepest = 0;
  for (int i = 0; i < m.count; ++i) {
    const ManifoldPoint& p = m.points[i];
    const double distance =
        dot(m.normal, pair.a.rotation * p.point_a + pair.a.x - pair.b.rotation * p.point_b - pair.b.x);
    if (distance < deepest) deepest = distance;
  }
  if (deepest <= best + kWholeDepth * size) return true;
  m.count = 0;
  return false;
}

/// Adds to the points where the cores are nearest what else may touch.
KOKKOS_INLINE_FUNCTION void add_beside_edge(CorePair pair, const Separation& s) {
  const double size = smaller_size(pair.a, pair.b), equal = kEqualLength * size;
  double of_a, of_b;
  const FlatPart flat_a = best_flat_part(pair, true, equal, of_a), flat_b = best_flat_part(pair, false, equal, of_b);
  pair.lowest = lowest_beside(s) - equal;
  pair.same = kPolygonDetail * size;
  const bool a_first = of_b <= of_a + equal && !is_triangle(pair.b);  // what is over a triangle always has its normal
  for (int side = 0; side < 2; ++side) {
    const bool side_a = (side == 0) == a_first;
    const FlatPart& flat = side_a ? flat_a : flat_b;
    if (flat.exists) add_over_flat_part(pair, side_a, flat);
  }
  pair.m.normal = s.normal;
  if (pair.a.is(CoreKind::vertices) && pair.b.is(CoreKind::vertices)) return;
  for (int side = 0; side < 2; ++side) {
    const PlacedCore &ended = side == 0 ? pair.a : pair.b, &lined = side == 0 ? pair.b : pair.a;
    for (int i = 0; i < core_ends(ended); ++i)
      for (int k = 0; k < core_lines(lined); ++k) add_end_over(pair, s, side == 0, i, k);
  }
}

}  // namespace clarke
