#pragma once
// Contacts of two convex polyhedra: separating axis, then the overlap of two faces or the crossing of two edges.
//
// Choice of the normal, made so that it does not change with rounding or with the small tilts of a resting stack:
// - two faces within kFlatContact of each other: the larger is the reference (a floor, not the tipping box on it),
//   A where they are equal; edges with a normal that near are part of the same face contact;
// - otherwise the axis with the largest separation; a face of B or a pair of edges only where it beats a face of A by
//   kEqualLength of the smaller body.
//
// A manifold with a place for normals of points (-manifold features) gets more where the direction is that of two
// edges: what lies over the best face of either body, or that of one face alone [docs/theory.md, eq. N7].
//
// Apart and diagonally past each other, no face lies over another, and the plane between the bodies says nothing about
// the motion to come (a box sliding over two level tiles would stop at the second). Such a corner is judged where both
// bodies would be at the end of the step: if they touch there, those are the contacts; if not, there are none.
// With rounded shapes (ρ > 0) the nearest points are the true contact of a corner, and are used instead; where what is
// nearest lies beside the face (two edges side by side), in addition.
// Limit: after a missed corner, a contact is first seen with a penetration of at most relative speed × h.

#include "physics/collision/narrow_phase/face_clipping.hpp"
#include "physics/collision/narrow_phase/sphere_convex.hpp"

namespace clarke {

/// Faces overlapping by less than this (relative to the smaller bounding radius), and by less than their gap, only
/// graze.
inline constexpr double kGrazing = 1e-3;
/// Faces whose areas differ by less than this fraction are equal: A is the reference.
inline constexpr double kEqualArea = 1e-3;

struct ConvexAxis {
  enum class Kind { face_a, face_b, edges };
  Kind kind = Kind::face_a;
  double separation = 0;  // [m] largest over all axes, whatever was chosen
  FaceAxis face_a, face_b;
  EdgeAxis edges;
};

/// pose: B → A. Stops early where the separation reaches `limit` [m].
KOKKOS_INLINE_FUNCTION ConvexAxis choose_axis(const ConvexShape& a, const ConvexShape& b, const RelativePose& pose,
                                              double limit, double size) {
  constexpr double kSameDirection = 1 - 0.5 * kFlatContact * kFlatContact;
  const double equal = kEqualLength * size;
  ConvexAxis axis;
  axis.face_a = best_face(a, b, pose, equal);
  axis.separation = axis.face_a.separation;
  if (axis.separation >= limit) return axis;
  axis.face_b = best_face(b, a, inverse_pose(pose), equal);
  if (axis.face_b.separation > axis.separation) axis.separation = axis.face_b.separation;
  if (axis.separation >= limit) return axis;

  const Vec3& normal_a = a.normal[axis.face_a.face];
  const Vec3 normal_b = -(pose.rotation * b.normal[axis.face_b.face]);  // from A to B as well
  bool reference_b = axis.face_b.separation > axis.face_a.separation + equal;
  if (dot(normal_a, normal_b) >= kSameDirection)
    reference_b = b.area[axis.face_b.face] > (1 + kEqualArea) * a.area[axis.face_a.face];
  axis.kind = reference_b ? ConvexAxis::Kind::face_b : ConvexAxis::Kind::face_a;

  axis.edges = best_edges(a, b, pose, equal);
  if (axis.edges.edge_a < 0 || axis.edges.separation <= axis.separation + equal) return axis;
  axis.separation = axis.edges.separation;
  if (dot(axis.edges.normal, reference_b ? normal_b : normal_a) < kSameDirection) axis.kind = ConvexAxis::Kind::edges;
  return axis;
}

/// Nearest points of the lines p + s u and q + t v, which are not parallel.
KOKKOS_INLINE_FUNCTION void closest_on_lines(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v, double& s,
                                             double& t) {
  const Vec3 d = q - p;
  const double uu = norm2(u), vv = norm2(v), uv = dot(u, v), du = dot(d, u), dv = dot(d, v);
  const double det = uu * vv - uv * uv;
  s = (du * vv - dv * uv) / det;
  t = (du * uv - dv * uu) / det;
}

/// Adds the crossing of the chosen edges; whether it lies on both of them.
KOKKOS_INLINE_FUNCTION bool cross_edges(const ConvexShape& a, const ConvexShape& b, const RelativePose& pose,
                                        const EdgeAxis& axis, Manifold& m) {
  constexpr double kBeyondEnd = 1e-6;  // of the edge's length: rounding, as in kEqualLength
  const ConvexEdge &ea = a.edge[axis.edge_a], &eb = b.edge[axis.edge_b];
  const Vec3 p = a.vertex[ea.v0], u = a.vertex[ea.v1] - p;
  const Vec3 q = b.vertex[eb.v0], v = b.vertex[eb.v1] - q;
  double s, t;
  closest_on_lines(p, u, pose.rotation * q + pose.offset, pose.rotation * v, s, t);
  const bool crossing = s >= -kBeyondEnd && s <= 1 + kBeyondEnd && t >= -kBeyondEnd && t <= 1 + kBeyondEnd;
  s = s < 0 ? 0 : (s > 1 ? 1 : s);
  t = t < 0 ? 0 : (t > 1 ? 1 : t);
  m.add(p + s * u, q + t * v, feature_key(FeatureKind::edge_edge, axis.edge_a, axis.edge_b));
  return crossing;
}

/// Two polyhedra in the frame of each, and what is looked for.
struct PolyhedraPair {
  const ConvexShape &a, &b;
  const Pose &pose_a, &pose_b;
  Mat3 rotation_a, rotation_b;  // body → world axes
  RelativePose pose;            // B → A
  double limit;                 // [m] largest distance of the cores that is a contact
  double size;                  // [m] smaller bounding radius
};

/// Where two polyhedra that are apart are nearest, frame of A.
struct NearestPoints {
  double distance = -1;  // [m]
  Vec3 on_a{}, on_b{};
};

/// By trying all vertices and edges: for rounded shapes only, where nothing cheaper is right.
KOKKOS_INLINE_FUNCTION NearestPoints nearest_points(const PolyhedraPair& p) {
  NearestPoints best;
  const auto take = [&](double d, const Vec3& on_a, const Vec3& on_b) {
    if (best.distance < 0 || d < best.distance) best = {d, on_a, on_b};
  };
  const ConvexShape &a = p.a, &b = p.b;
  const RelativePose &pose = p.pose, back = inverse_pose(pose);
  for (int i = 0; i < b.vertices; ++i) {
    const Vec3 x = pose.rotation * b.vertex[i] + pose.offset;
    const SurfacePoint s = closest_on_convex(a, x);
    take(s.distance, s.point, x);
  }
  for (int i = 0; i < a.vertices; ++i) {
    const SurfacePoint s = closest_on_convex(b, back.rotation * a.vertex[i] + back.offset);
    take(s.distance, a.vertex[i], pose.rotation * s.point + pose.offset);
  }
  for (int j = 0; j < b.edges; ++j) {
    const Vec3 q = pose.rotation * b.vertex[b.edge[j].v0] + pose.offset;
    const Vec3 v = pose.rotation * (b.vertex[b.edge[j].v1] - b.vertex[b.edge[j].v0]);
    for (int i = 0; i < a.edges; ++i) {
      const Vec3 e = a.vertex[a.edge[i].v0], u = a.vertex[a.edge[i].v1] - e;
      if (norm2(cross(u, v)) < kParallelEdges * kParallelEdges * norm2(u) * norm2(v)) continue;  // a vertex is as near
      double s, t;
      closest_on_lines(e, u, q, v, s, t);
      if (s <= 0 || s >= 1 || t <= 0 || t >= 1) continue;  // a vertex is as near
      take(norm((q + t * v) - (e + s * u)), e + s * u, q + t * v);
    }
  }
  return best;
}

/// Rounded shapes whose cores are apart: their nearest points and, with a place for normals of points, the vertices of
/// either whose nearest direction is nearly the same: edges side by side touch at both ends.
KOKKOS_INLINE_FUNCTION void add_nearest(const PolyhedraPair& p, Manifold& m) {
  constexpr double kSideBySide = 0.1;  // [rad] between two directions
  const NearestPoints nearest = nearest_points(p);
  if (!(nearest.distance > 0) || nearest.distance >= p.limit) return;
  const Vec3 n = (nearest.on_a - nearest.on_b) / nearest.distance;
  const RelativePose back = inverse_pose(p.pose);
  const auto add = [&](const Vec3& on_a, const Vec3& on_b, const Vec3& direction, int number) {
    const int before = m.count;
    m.add(on_a, back.rotation * on_b + back.offset, feature_key(FeatureKind::point, number));
    m.set_normals(before, p.rotation_a * direction);
  };
  m.normal = p.rotation_a * n;
  bool at_vertex = false;
  for (int side = 0; m.normals && side < 2; ++side) {
    const ConvexShape &ended = side == 0 ? p.a : p.b, &other = side == 0 ? p.b : p.a;
    for (int i = 0; i < ended.vertices; ++i) {
      const Vec3 end = side == 0 ? ended.vertex[i] : p.pose.rotation * ended.vertex[i] + p.pose.offset;
      const SurfacePoint s = closest_on_convex(other, side == 0 ? back.rotation * end + back.offset : end);
      const Vec3 direction = side == 0 ? p.pose.rotation * s.normal : -s.normal;
      if (!(s.distance > 0) || s.distance >= p.limit || dot(direction, n) < 1 - 0.5 * kSideBySide * kSideBySide)
        continue;
      const Vec3 foot = side == 0 ? p.pose.rotation * s.point + p.pose.offset : s.point;
      bool vertex_on_vertex = false;  // it has been added from the other side
      for (int k = 0; side == 1 && k < other.vertices; ++k)
        vertex_on_vertex = vertex_on_vertex || norm(other.vertex[k] - foot) <= kEqualLength * p.size;
      at_vertex = at_vertex || s.distance <= nearest.distance + kEqualLength * p.size;
      if (!vertex_on_vertex)
        add(side == 0 ? end : foot, side == 0 ? foot : end, direction, 1 + (side << kFeatureIndexBits) + i);
    }
  }
  if (!at_vertex) add(nearest.on_a, nearest.on_b, n, 0);
}

/// Whether no point of m is as deep as the direction that parts the cores best: then what is nearest lies beside the
/// face, and its rounding touches before the face does.
KOKKOS_INLINE_FUNCTION bool beside_face(const PolyhedraPair& p, double separation, const Manifold& m) {
  for (int i = 0; i < m.count; ++i)
    if (gap_of(m, i, p.pose_a, p.pose_b) + m.radii() <= separation + kEqualLength * p.size) return false;
  return true;
}

/// Adds what lies over a face between the depths `lowest` and p.limit, with the normal of the face; its overlap_width.
KOKKOS_INLINE_FUNCTION double add_over_face(const PolyhedraPair& p, bool of_a, int face, double lowest, Manifold& m) {
  const int before = m.count;
  m.normal = of_a ? -(p.rotation_a * p.a.normal[face]) : p.rotation_b * p.b.normal[face];
  const double width = of_a ? clip_faces(p.a, p.b, p.pose, face, true, lowest, p.limit, p.size, m)
                            : clip_faces(p.b, p.a, inverse_pose(p.pose), face, false, lowest, p.limit, p.size, m);
  m.set_normals(before, m.normal);
  return width;
}

/// Smallest distance of the cores at the points [m].
KOKKOS_INLINE_FUNCTION double least_distance(const PolyhedraPair& p, const Manifold& m) {
  double least = p.limit;
  for (int i = 0; i < m.count; ++i) {
    const double distance = gap_of(m, i, p.pose_a, p.pose_b) + m.radii();
    if (distance < least) least = distance;
  }
  return least;
}

/// Adds the crossing of the edges that part the bodies best, or what is over the other face if that does, where no
/// point over the chosen face is as near: they are within kFlatContact of it, and what is nearest may lie beside it.
KOKKOS_INLINE_FUNCTION void add_beside_face(const PolyhedraPair& p, const ConvexAxis& axis, bool of_a, Manifold& m) {
  const double equal = kEqualLength * p.size;
  if (least_distance(p, m) <= axis.separation + equal) return;
  const Vec3 chosen = m.normal;
  const int before = m.count;
  if (axis.edges.edge_a >= 0 && axis.edges.separation >= axis.separation) {
    const bool there = m.has(feature_key(FeatureKind::edge_edge, axis.edges.edge_a, axis.edges.edge_b));
    if (there || !cross_edges(p.a, p.b, p.pose, axis.edges, m)) m.count = before;  // or past each other
    m.set_normals(before, -(p.rotation_a * axis.edges.normal));
  } else if ((of_a ? axis.face_b : axis.face_a).separation >= axis.separation) {
    add_over_face(p, !of_a, (of_a ? axis.face_b : axis.face_a).face, kAnyDepth, m);
  }
  m.normal = chosen;
}

/// Contacts where the direction is that of two edges: their crossing; with a place for normals of points also what lies
/// over the best face of either body, or, where that parts the bodies as well, a face alone [docs/theory.md, eq. N7].
KOKKOS_INLINE_FUNCTION void edge_manifold(const PolyhedraPair& p, const ConvexAxis& axis, Manifold& m) {
  const double overlap = axis.separation < 0 ? axis.separation : 0.0, equal = kEqualLength * p.size;
  const bool a_first = axis.face_b.separation <= axis.face_a.separation + equal;
  const double best = a_first ? axis.face_a.separation : axis.face_b.separation;
  const double lowest = (1 + kFacePreference) * overlap;
  if (m.normals && overlap < 0 && best >= lowest) {
    add_over_face(p, a_first, (a_first ? axis.face_a : axis.face_b).face, kAnyDepth, m);
    if (least_distance(p, m) <= best + kWholeDepth * p.size) return;
    m.count = 0;
  }
  const Vec3 normal = -(p.rotation_a * axis.edges.normal);
  if (!cross_edges(p.a, p.b, p.pose, axis.edges, m) && axis.separation > 0) m.count = 0;
  m.set_normals(0, normal);
  for (int side = 0; m.normals && side < 2; ++side) {
    const bool of_a = (side == 0) == a_first;
    add_over_face(p, of_a, (of_a ? axis.face_a : axis.face_b).face, lowest - equal, m);
  }
  m.normal = normal;
}

/// Contacts at the given poses. False where the bodies are apart at a corner (see the top): then m holds no points.
KOKKOS_INLINE_FUNCTION bool convex_manifold(const ConvexShape& a, const ConvexShape& b, const Pose& pose_a,
                                            const Pose& pose_b, double margin, Manifold& m) {
  m.count = 0;
  const double limit = margin + m.radii(), reach = a.radius + b.radius + limit;
  if (norm2(pose_b.x - pose_a.x) >= reach * reach) return true;
  const Mat3 rotation_a = rotation_matrix(pose_a.q), rotation_b = rotation_matrix(pose_b.q);
  const RelativePose pose{transpose(rotation_a) * rotation_b, transpose_times(rotation_a, pose_b.x - pose_a.x)};
  const double size = a.radius < b.radius ? a.radius : b.radius;
  const ConvexAxis axis = choose_axis(a, b, pose, limit, size);
  if (axis.separation >= limit) return true;

  const PolyhedraPair pair{a, b, pose_a, pose_b, rotation_a, rotation_b, pose, limit, size};
  const double gap = axis.separation - m.radii();
  bool corner;
  if (axis.kind == ConvexAxis::Kind::edges) {
    edge_manifold(pair, axis, m);
    corner = m.count == 0;
  } else {
    const bool of_a = axis.kind == ConvexAxis::Kind::face_a;
    const double width = add_over_face(pair, of_a, (of_a ? axis.face_a : axis.face_b).face, kAnyDepth, m);
    corner = m.count == 0 || (gap > 0 && width < gap && width < kGrazing * size);
    // Of rounded shapes that are apart, add_nearest looks at all features.
    if (m.normals && (axis.separation < 0 || (!corner && m.radii() == 0))) {
      add_beside_face(pair, axis, of_a, m);
      corner = corner && m.count == 0;
    }
  }
  const bool rounded = m.radii() > 0;
  if (corner) m.count = 0;
  if (rounded && axis.separation > 0 && beside_face(pair, axis.separation, m)) {
    if (!m.normals) m.count = 0;
    add_nearest(pair, m);
  }
  return rounded || !corner;
}

/// Contacts at the poses now; next_a, next_b: where the bodies would be at the end of the step (same as now: unknown).
KOKKOS_INLINE_FUNCTION void convex_convex(const ConvexShape& a, const ConvexShape& b, const Pose& pose_a,
                                          const Pose& pose_b, const Pose& next_a, const Pose& next_b, double margin,
                                          Manifold& m) {
  if (convex_manifold(a, b, pose_a, pose_b, margin, m)) return;
  convex_manifold(a, b, next_a, next_b, margin, m);
  keep_near(pose_a, pose_b, margin, m);
}

}  // namespace clarke
