#pragma once
// Signed distance of two convex cores, and the direction in which it is measured.
//
//   separation(n) = min over A of n·x − max over B of n·x,  n from B to A
//   signed distance = max over unit n of separation(n)       [m]: the distance, or minus the depth of penetration
//
// Apart, the maximum is unique and GJK finds it. Nearly touching or overlapping, each candidate direction is improved
// by
//
//   n ← direction from q to its nearest point of A − B,   q = (separation(n) − c) n,  c > 0
//
// q is outside A − B, so this is a well conditioned distance again, at a length c that rounding does not see. It never
// loses: separation(m) ≥ separation(n) for the new m, because the distance from q is max over m of separation(m) − q·m
// ≥ c. Flat parts are met in one step; on a surface of radius R at depth δ the error shrinks by (δ + c)/(R + c) per
// step, which extrapolation makes up for. Candidates: all normals of faces and caps, of crossing edges and axes, of
// edges on rims (edge_on_rim.hpp), and directions spread over the sphere and around the axes.
// Limit: local maxima (deep overlap of round shapes) that no candidate leads to are missed.
// docs/verification/detection.md counts them.

#include "physics/collision/narrow_phase/edge_on_rim.hpp"
#include "physics/collision/narrow_phase/gjk.hpp"

namespace clarke {

struct Separation {
  Vec3 normal{};              // unit, from b to a
  double distance = 0;        // [m] < 0 overlapping
  Vec3 point_a{}, point_b{};  // [m] nearest (deepest) points: point_a − point_b = distance · normal
};

/// The few best directions found so far, no two of them near each other.
struct BestDirections {
  static constexpr int kKept = 5;
  static constexpr double kSameBasin = 0.98;  // cosine of 11°
  Vec3 normal[kKept];
  double value[kKept];
  int count = 0;

  KOKKOS_INLINE_FUNCTION void insert(const Vec3& n, double s) {
    if (count == kKept && s <= value[count - 1]) return;
    for (int i = 0; i < count; ++i) {
      if (dot(normal[i], n) < kSameBasin) continue;
      if (value[i] >= s) return;
      for (int k = i; k + 1 < count; ++k) normal[k] = normal[k + 1], value[k] = value[k + 1];
      --count;
      break;
    }
    int at = count < kKept ? count++ : kKept - 1;
    for (; at > 0 && value[at - 1] < s; --at) normal[at] = normal[at - 1], value[at] = value[at - 1];
    normal[at] = n, value[at] = s;
  }
};

/// Where one-sided shapes stop the search: normals with n·front < 0 are not looked at. A zero vector allows all.
struct DirectionSearch {
  const PlacedCore& a;
  const PlacedCore& b;
  Vec3 front;
  BestDirections best;

  KOKKOS_INLINE_FUNCTION bool allowed(const Vec3& n) const {
    constexpr double kRounded = 1e-9;
    return dot(n, front) >= -kRounded;
  }
  KOKKOS_INLINE_FUNCTION void add(const Vec3& n) {
    if (allowed(n)) best.insert(n, separation(a, b, n));
  }
  KOKKOS_INLINE_FUNCTION void add_both(const Vec3& d) {
    const double length = norm(d);
    if (!(length > 0)) return;
    add(d / length);
    add(-(d / length));
  }
};

/// Whether edge e of a polyhedron lies between its faces along ±d; d at right angles to it.
KOKKOS_INLINE_FUNCTION bool edge_supports(const PlacedCore& c, const ConvexEdge& e, const Vec3& along, const Vec3& d) {
  const double l = dot(cross(c.face_normal(e.left), d), along), r = dot(cross(d, c.face_normal(e.right)), along);
  return l * r >= 0;
}

/// Normals of c and around its axis. `sign`: 1 where the outward normal of c points from b to a.
KOKKOS_INLINE_FUNCTION void add_own_normals(DirectionSearch& search, const PlacedCore& c, double sign) {
  if (c.is(CoreKind::vertices)) {
    for (int f = 0; f < c.core.hull.faces; ++f) search.add(sign * c.face_normal(f));
    return;
  }
  if (c.is(CoreKind::point)) return;
  if (c.is(CoreKind::cylinder)) search.add_both(c.u);
  constexpr int kAround = 16;
  constexpr double kTurn = 3.14159265358979323846 / kAround;
  Vec3 t1, t2;
  tangent_frame(c.u, t1, t2);
  for (int i = 0; i < kAround; ++i) search.add_both(std::cos(kTurn * i) * t1 + std::sin(kTurn * i) * t2);
}

/// Crossings of the direction `along` with the edges or the axis of c.
KOKKOS_INLINE_FUNCTION void add_crossings(DirectionSearch& search, const PlacedCore& c, const Vec3& along) {
  constexpr double kParallel2 = kParallelEdges * kParallelEdges;
  if (c.is(CoreKind::segment) || c.is(CoreKind::cylinder)) {
    const Vec3 d = cross(along, c.u);
    if (norm2(d) > kParallel2 * norm2(along)) search.add_both(d);
  } else if (c.is(CoreKind::vertices)) {
    const ConvexShape& hull = c.core.hull;
    const bool triangle = hull.faces == 1;
    for (int i = 0; i < (triangle ? 3 : hull.edges); ++i) {
      const int v0 = triangle ? i : hull.edge[i].v0, v1 = triangle ? (i + 1) % 3 : hull.edge[i].v1;
      const Vec3 e = c.rotation * (hull.vertex[v1] - hull.vertex[v0]), d = cross(along, e);
      if (norm2(d) <= kParallel2 * norm2(along) * norm2(e)) continue;
      if (triangle || edge_supports(c, hull.edge[i], e, d)) search.add_both(d);
    }
  }
}

/// Normals and crossings: where polyhedra, and most round shapes, overlap least.
KOKKOS_INLINE_FUNCTION void add_candidates(DirectionSearch& search) {
  const PlacedCore &a = search.a, &b = search.b;
  add_own_normals(search, a, -1);
  add_own_normals(search, b, 1);
  search.add_both(a.x - b.x);
  if (b.is(CoreKind::vertices) && b.core.hull.faces == 1) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 e = b.vertex((k + 1) % 3) - b.vertex(k);
      add_crossings(search, a, e);
      search.add_both(cross(e, b.face_normal(0)));
    }
  } else if (b.is(CoreKind::vertices) && a.is(CoreKind::vertices)) {
    const RelativePose pose{transpose(a.rotation) * b.rotation, transpose_times(a.rotation, b.x - a.x)};
    const EdgeAxis edges = best_edges(a.core.hull, b.core.hull, pose, 0);
    if (edges.edge_a >= 0) search.add(-(a.rotation * edges.normal));
  } else if (!b.is(CoreKind::vertices) && !b.is(CoreKind::point)) {
    add_crossings(search, a, b.u);
  }
  if (!a.is(CoreKind::vertices) && !a.is(CoreKind::point) && b.is(CoreKind::vertices) && b.core.hull.faces != 1)
    add_crossings(search, b, a.u);
}

/// A cylinder and a polyhedron: all edges of it.
KOKKOS_INLINE_FUNCTION void add_edges_on_rims(DirectionSearch& search) {
  const bool of_a = search.a.is(CoreKind::vertices);
  const PlacedCore &polyhedron = of_a ? search.a : search.b, &cylinder = of_a ? search.b : search.a;
  if (!polyhedron.is(CoreKind::vertices) || polyhedron.core.hull.faces == 1 || !cylinder.is(CoreKind::cylinder)) return;
  edges_on_rims(polyhedron, cylinder, [&](const Vec3& m, double s) { search.best.insert(of_a ? -m : m, s); });
}

/// Directions all over the sphere.
KOKKOS_INLINE_FUNCTION void add_sphere(DirectionSearch& search) {
  constexpr int kSphere = 48;
  constexpr double kGolden = 2.399963229728653;  // [rad] spreads points evenly over a spiral on the sphere
  for (int i = 0; i < kSphere; ++i) {
    const double z = 1 - (2.0 * i + 1) / kSphere, r = std::sqrt(1 - z * z);
    search.add({r * std::cos(kGolden * i), r * std::sin(kGolden * i), z});
  }
}

/// Smallest thickness that could matter, for the length c of the search [m].
KOKKOS_INLINE_FUNCTION double detail_size(const PlacedCore& c) {
  if (!c.is(CoreKind::cylinder)) return c.reach;
  const double half = norm(c.axis);
  return half < c.core.axis_radius ? half : c.core.axis_radius;
}

KOKKOS_INLINE_FUNCTION double smaller_size(const PlacedCore& a, const PlacedCore& b) {
  const double sa = detail_size(a), sb = detail_size(b);
  if (!(sa > 0)) return sb > 0 ? sb : 1;
  return sb > 0 && sb < sa ? sb : sa;
}

inline constexpr int kSearchSteps = 40, kTrialSteps = 2;

/// Towards the nearest local maximum from the unit vector n, by at most `steps` steps.
KOKKOS_INLINE_FUNCTION Separation improve(const PlacedCore& a, const PlacedCore& b, const Vec3& n,
                                          int steps = kSearchSteps) {
  constexpr double kOutside = 5e-2, kStill = 1e-9,
                   kGain = 1e-15;  // c; change of direction; gain, relative to the reach
  const double enough = kGain * (a.reach + b.reach);
  const double c = kOutside * smaller_size(a, b);
  Separation s{n, separation(a, b, n), {}, {}};
  double last = 0;
  for (int step = 0; step < steps; ++step) {
    const GjkResult g = nearest_in_difference(a, b, (s.distance - c) * s.normal, -s.normal);
    if (!(g.distance > 0)) break;
    const Vec3 next = g.v / g.distance;
    const double value = separation(a, b, next), change = norm(next - s.normal);
    const Vec3 before = s.normal;
    const double gain = value - s.distance;
    s.point_a = g.a, s.point_b = g.b;
    if (gain >= 0) s.normal = next, s.distance = value;
    if (change < kStill || gain <= enough) break;
    const double ratio = last > 0 ? change / last : 0;
    last = change;
    if (ratio > 0.1 && ratio < 1) {
      const double ahead = ratio < 0.95 ? ratio / (1 - ratio) : 20;
      const Vec3 far = normalized(next + ahead * (next - before));
      const double far_value = separation(a, b, far);
      if (far_value > s.distance) s.normal = far, s.distance = far_value, last = 0;
    }
  }
  return s;
}

/// Where the two points do not belong to the normal (a search that ended in a far step): the deepest point of a.
KOKKOS_INLINE_FUNCTION Separation with_points(const PlacedCore& a, const PlacedCore& b, Separation s) {
  constexpr double kBelong = 1e-5;  // of the size
  if (norm(s.point_a - s.point_b - s.distance * s.normal) > kBelong * smaller_size(a, b)) {
    s.point_a = support(a, -s.normal);
    s.point_b = s.point_a - s.distance * s.normal;
  }
  return s;
}

/// How far the search goes among cores that overlap.
enum class SearchEffort {
  shallow,  // an overlap below kShallow of the size is accepted where normals and crossings lead to it
  full
};
inline constexpr double kShallow = 1e-3;

/// front: see DirectionSearch.
KOKKOS_INLINE_FUNCTION Separation signed_distance(const PlacedCore& a, const PlacedCore& b,
                                                  SearchEffort effort = SearchEffort::full, const Vec3& front = {}) {
  constexpr double kFar = 1e-2, kTouching = 1e-9;  // of the smaller size, of the larger
  const Vec3 to_a = a.x - b.x;
  const double far = kFar * smaller_size(a, b), large = a.reach + b.reach;
  const GjkResult g = nearest_in_difference(a, b, {}, norm2(to_a) > 0 ? -normalized(to_a) : Vec3{0, 0, -1});
  if (g.distance > kTouching * large || (large == 0 && g.distance > 0)) {
    const Vec3 n = g.v / g.distance;
    if (g.distance > far || large == 0) return {n, g.distance, g.a, g.b};
    return with_points(a, b, improve(a, b, n));
  }
  DirectionSearch search{a, b, front, {}};
  if (norm2(front) > 0) search.add(front);
  add_candidates(search);
  if (effort == SearchEffort::shallow && search.best.count > 0) {
    const Separation s = improve(a, b, search.best.normal[0]);
    if (search.allowed(s.normal) && s.distance > -kShallow * smaller_size(a, b)) return with_points(a, b, s);
  }
  add_edges_on_rims(search);
  add_sphere(search);
  BestDirections tried;
  for (int i = 0; i < search.best.count; ++i) {
    const Separation s = improve(a, b, search.best.normal[i], kTrialSteps);
    if (search.allowed(s.normal)) tried.insert(s.normal, s.distance);
  }
  constexpr int kFinalists = 2;
  Separation best{{0, 0, 1}, 0, a.x, b.x};  // two points that coincide
  for (int i = 0; i < tried.count && i < kFinalists; ++i) {
    const Separation s = improve(a, b, tried.normal[i]);
    if (i == 0 || (search.allowed(s.normal) && s.distance > best.distance)) best = s;
  }
  return with_points(a, b, best);
}

}  // namespace clarke
