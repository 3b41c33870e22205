#pragma once
// The shapes of all entities as flat device arrays (structure of arrays), fixed for the whole run.
//
// Entities are the bodies of the World, then its particles. What touches is a **collider**: a compound body has one per
// child, a mesh or height field one per triangle, every other entity exactly one (of kind none where it has no shape),
// so without those colliders and entities have the same numbers. Boxes are polyhedra; particles are spheres, possibly
// of radius 0. Faces of deforming surfaces are colliders of kind triangle too, numbered last; what is said of them is
// made anew at every detection, in the world frame (soft_faces.hpp).
//
// Frames. The frame of an entity has its origin at the centre of mass. A collider has the axes of its entity and its
// origin at `centre`: zero, or for the children of a compound the position of a part, the centre of mass of a hull. The
// orientation of a child is in its vertices or its axis.
// - Spheres, boxes and planes are given in the frame of the entity.
// - The points of a plain convex shape are given in any frame with the body's axes: they are shifted by minus the
//   centre of mass of their hull, and so are the body's contact points.
// - The children of a compound are never shifted one by one. With mass and inertia both given the frame in which they
//   are given is that of the body, as it is; otherwise all are shifted by minus their common centre of mass (overlaps
//   count twice: mass_properties.hpp).

#include "physics/collision/convex_hull.hpp"
#include "physics/collision/narrow_phase/spheres_and_planes.hpp"
#include "physics/description/world.hpp"

#include <climits>

namespace clarke {

/// `triangle`: one face of a height field or mesh, one-sided: solid behind it.
enum class ShapeKind { none, sphere, plane, convex, capsule, cylinder, triangle };

/// A face of a deforming surface: its corners, entities, and whether it is of a sheet.
struct FaceNodes {
  int node[3];
  bool two_sided;
};

struct ShapeSet {
  int count = 0;  // colliders
  int soft_begin =
      INT_MAX;  // from here on they are faces of deforming surfaces; index of the three arrays below is c − soft_begin
  View<FaceNodes> soft_node;
  View<Vec3> soft_velocity;  // [m/s] mean of the corners
  View<double> soft_spread;  // [m/s] largest difference of a corner's velocity from it
  View<int> entity;          // per collider
  View<Vec3> centre;         // [m] per collider: its origin in the frame of the entity
  View<ShapeKind> kind;      // per collider
  View<double> radius;  // [m] of a sphere; of other shapes the largest distance of a point from the collider's origin
  View<double> thickness;    // [m] the surface is this far outside the shape
  View<double> axis_radius;  // [m] capsule, cylinder: radius about the axis
  View<Vec3> axis;  // [m] capsule, cylinder: half axis, from the origin of the collider to the middle of its + end
  View<int> active_edges;  // triangle: which edges and vertices may be touched as such, and how far the normal may turn
                           // there: the word of flags of narrow_phase/triangle.hpp
  View<int> neighbour_begin;  // per collider: first of its six entries in `neighbour`; −1 where it is no triangle
  View<int> neighbour;     // colliders beyond the edges of a triangle, −1: none, and the lowest ones at its corners
  View<PlaneShape> plane;  // per collider; meaningful for planes
  View<int> vertex_begin, face_begin,
      edge_begin;     // per collider, and one more: ranges in the arrays below
  View<Vec3> vertex;  // [m]
  View<Vec3> face_normal;
  View<double> face_offset, face_area;  // [m], [m²]
  View<int> loop_begin;                 // per face, and one more
  View<int> loop, loop_edge;            // vertex and edge numbers within the shape
  View<ConvexEdge> edge;
  View<int> largest_face;         // per collider: vertices of its largest face
  View<int> contact_point_begin;  // per collider, and one more
  View<Vec3> contact_point;       // [m] where a collider has any, only they touch planes
};

/// Polyhedron of collider c, which is of kind convex or triangle.
KOKKOS_INLINE_FUNCTION ConvexShape convex_shape(const ShapeSet& s, int c) {
  const int v = s.vertex_begin(c), f = s.face_begin(c), d = s.edge_begin(c);
  return {s.vertex.data() + v,     s.face_normal.data() + f, s.face_offset.data() + f,
          s.face_area.data() + f,  s.loop_begin.data() + f,  s.loop.data(),
          s.loop_edge.data(),      s.edge.data() + d,        s.vertex_begin(c + 1) - v,
          s.face_begin(c + 1) - f, s.edge_begin(c + 1) - d,  s.radius(c)};
}

/// Pose of a collider from that of its entity.
KOKKOS_INLINE_FUNCTION Pose collider_pose(const ShapeSet& s, int c, const Pose& entity) {
  return {entity.x + rotate(entity.q, s.centre(c)), entity.q};
}

/// Largest distance of a point of collider c from the origin of its entity [m], or more.
KOKKOS_INLINE_FUNCTION double collider_reach(const ShapeSet& s, int c) { return norm(s.centre(c)) + s.radius(c); }

/// One collider on the host: the hull is empty unless `kind` is convex or triangle (3 vertices, 1 face).
struct ColliderShape {
  ShapeKind kind = ShapeKind::none;
  Vec3 centre{};         // [m] in the frame of the body
  double radius = 0;     // [m] of a sphere, capsule or cylinder
  ConvexHull hull;       // relative to `centre`
  Vec3 axis{};           // [m] half axis of a capsule or cylinder
  int active_edges = 0;  // of a triangle: flags of narrow_phase/triangle.hpp
};

/// Shape of a body in its own frame, on the host.
struct BodyShape {
  std::vector<ColliderShape> colliders;  // at least one
  Vec3 shift{};                          // [m] add it to a point in the frame in which the shape was given
};

/// Not for meshes and height fields (triangle_mesh.hpp): they are never copied into colliders one by one on the host.
/// Throws InputError naming the body when the shape is impossible (degenerate points, sizes that are not positive, a
/// plane's normal of length 0, a compound without children or with a plane, mesh or compound in it).
BodyShape body_shape(const BodyDescription& body);

/// All entities of `world`. Throws InputError as above, for a plane that could move freely, for contact points on
/// spheres and compounds, and for more than kMaxColliders.
ShapeSet build_shapes(const World& world);

/// Collider numbers are 20 bits of a contact id.
inline constexpr int kColliderBits = 20;
inline constexpr int kMaxColliders = 1 << kColliderBits;

}  // namespace clarke
