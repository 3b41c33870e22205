#pragma once
// One convex polyhedron as device code sees it: pointers into flat arrays, frame of its body, origin at the centre of
// mass. Boxes are polyhedra too. Built by ShapeSet (device) and by ConvexHull (host, tests).

#include "framework/math/mat3.hpp"

namespace clarke {

/// Directed edge v0 → v1: the loop of face `left` runs along it, the loop of face `right` against it. With outward
/// face normals n, the direction is that of n_left × n_right.
struct ConvexEdge {
  int v0, v1;
  int left, right;
};

/// Limits of a polyhedron. Faces: the clipping of two faces works in fixed local arrays. Indices: a contact id keeps
/// kFeatureIndexBits bits for each (narrow_phase/manifold.hpp).
inline constexpr int kMaxFaceVertices = 32;
inline constexpr int kMaxFeatures = 2048;

struct ConvexShape {
  const Vec3* vertex;     // [m]
  const Vec3* normal;     // per face: unit, outward
  const double* offset;   // per face [m]: solid where normal·x ≤ offset
  const double* area;     // per face [m²]
  const int* loop_begin;  // per face, and one more: its range in loop and loop_edge
  const int* loop;        // vertex indices, counter-clockwise seen from outside
  const int* loop_edge;   // edge from loop[k] to the next vertex of the same face
  const ConvexEdge* edge;
  int vertices, faces, edges;
  double radius;  // [m] largest distance of a vertex from the origin

  KOKKOS_INLINE_FUNCTION int face_vertices(int f) const { return loop_begin[f + 1] - loop_begin[f]; }
  /// Vertex k of face f, where k may be the number of vertices (the loop closes).
  KOKKOS_INLINE_FUNCTION const Vec3& face_vertex(int f, int k) const {
    const int n = face_vertices(f);
    return vertex[loop[loop_begin[f] + (k < n ? k : k - n)]];
  }
};

/// min over the vertices of n·x [m]: minus the support function in direction −n.
KOKKOS_INLINE_FUNCTION double lowest_along(const ConvexShape& shape, const Vec3& n) {
  double lowest = dot(n, shape.vertex[0]);
  for (int i = 1; i < shape.vertices; ++i) {
    const double d = dot(n, shape.vertex[i]);
    if (d < lowest) lowest = d;
  }
  return lowest;
}

}  // namespace clarke
