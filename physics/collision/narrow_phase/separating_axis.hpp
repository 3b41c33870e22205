#pragma once
// The direction in which two convex polyhedra are farthest apart, or overlap least, among the normals of the faces of
// A − B: face normals of A, of B, and the cross products of those edge pairs that span a face of A − B.
//
//   separation(n) = min over x of B of n·x  −  max over x of A of n·x      [m]
//
// Overlapping: the largest separation is exactly minus the penetration depth. Apart: a lower bound of the distance,
// equal to it where the nearest features are face and vertex, or two crossing edges.
// Edge pairs span a face of A − B when their arcs on the Gauss map cross (the arc of an edge runs between the normals
// of its two faces; those of B are mirrored). This needs no support search: the separation is n·(x_B − x_A).

#include "physics/collision/convex_shape.hpp"

namespace clarke {

/// Vertex of a polyhedron that is farthest along d, in its own frame.
KOKKOS_INLINE_FUNCTION int support_corner(const ConvexShape& hull, const Vec3& d) {
  int best = 0;
  double highest = dot(d, hull.vertex[0]);
  for (int i = 1; i < hull.vertices; ++i) {
    const double s = dot(d, hull.vertex[i]);
    if (s > highest) highest = s, best = i;
  }
  return best;
}

/// Everything below happens in the frame of one of the bodies: x_ref = rotation x_other + offset.
struct RelativePose {
  Mat3 rotation;
  Vec3 offset;  // [m]
};

/// The same pair seen from the other body.
KOKKOS_INLINE_FUNCTION RelativePose inverse_pose(const RelativePose& p) {
  return {transpose(p.rotation), -transpose_times(p.rotation, p.offset)};
}

/// Length that is nothing to a body, relative to the smaller bounding radius: well above rounding, well below anything
/// a simulation resolves. Used wherever two candidates count as equal, so that the first one wins consistently.
inline constexpr double kEqualLength = 1e-6;
/// Edges with a smaller sine between them are parallel: their cross product would have lost 10 of 16 digits.
inline constexpr double kParallelEdges = 1e-6;

struct FaceAxis {
  int face = -1;
  double separation = 0;
};

/// Face of `ref` with the largest separation from `other` (pose: other → ref); the first one within `equal` [m].
KOKKOS_INLINE_FUNCTION FaceAxis best_face(const ConvexShape& ref, const ConvexShape& other, const RelativePose& pose,
                                          double equal) {
  FaceAxis best;
  for (int f = 0; f < ref.faces; ++f) {
    const Vec3& n = ref.normal[f];
    const double s = lowest_along(other, transpose_times(pose.rotation, n)) + dot(n, pose.offset) - ref.offset[f];
    if (best.face < 0 || s > best.separation + equal) best = {f, s};
  }
  return best;
}

struct EdgeAxis {
  int edge_a = -1, edge_b = -1;
  double separation = 0;
  Vec3 normal{};  // unit, frame of A, from A to B
};

/// Pair of edges with the largest separation (pose: B → A); edge_a = -1 when no pair spans a face of A − B.
KOKKOS_INLINE_FUNCTION EdgeAxis best_edges(const ConvexShape& a, const ConvexShape& b, const RelativePose& pose,
                                           double equal) {
  EdgeAxis best;
  for (int j = 0; j < b.edges; ++j) {
    const ConvexEdge& edge_b = b.edge[j];
    const Vec3 start_b = pose.rotation * b.vertex[edge_b.v0] + pose.offset;
    const Vec3 along_b = pose.rotation * (b.vertex[edge_b.v1] - b.vertex[edge_b.v0]);
    const Vec3 left_b = -(pose.rotation * b.normal[edge_b.left]);
    const Vec3 right_b = -(pose.rotation * b.normal[edge_b.right]);
    for (int i = 0; i < a.edges; ++i) {
      const ConvexEdge& edge_a = a.edge[i];
      const Vec3& start_a = a.vertex[edge_a.v0];
      const Vec3 along_a = a.vertex[edge_a.v1] - start_a;
      // along = left × right up to a positive factor: each arc's ends lie on either side of the other arc's plane,
      // and the two crossings are the same, not opposite, points of the sphere.
      const double left_b_side = dot(left_b, along_a), right_b_side = dot(right_b, along_a);
      if (left_b_side * right_b_side >= 0) continue;
      const double left_a_side = dot(a.normal[edge_a.left], along_b),
                   right_a_side = dot(a.normal[edge_a.right], along_b);
      if (left_a_side * right_a_side >= 0 || left_b_side * right_a_side <= 0) continue;
      const Vec3 c = cross(along_a, along_b);
      const double c2 = norm2(c);
      if (c2 < kParallelEdges * kParallelEdges * norm2(along_a) * norm2(along_b)) continue;
      Vec3 n = c / std::sqrt(c2);
      if (dot(n, a.normal[edge_a.left] + a.normal[edge_a.right]) < 0) n = -n;
      const double s = dot(n, start_b - start_a);
      if (best.edge_a < 0 || s > best.separation + equal) best = {i, j, s, n};
    }
  }
  return best;
}

}  // namespace clarke
