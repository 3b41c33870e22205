#pragma once
// The shapes of all entities as flat device arrays (structure of arrays), fixed for the whole run.
//
// Frame: that of the entity, origin at its centre of mass. Spheres, boxes and planes are given in that frame. The
// points of a convex shape are given in any frame with the body's axes: they are shifted by minus the centre of mass
// of their hull, and so are the body's contact points. Entities are the bodies of the World, then its particles.
// Boxes are polyhedra; particles are spheres, possibly of radius 0.

#include "physics/contact/convex_hull.hpp"
#include "physics/contact/narrow_phase/spheres_and_planes.hpp"
#include "physics/world.hpp"

namespace clarke {

enum class ShapeKind { none, sphere, plane, convex };

struct ShapeSet {
  int count = 0;         // entities
  View<ShapeKind> kind;  // per entity
  View<double>
      radius;  // [m] of a sphere; of other shapes the largest distance of a point from the origin
  View<double> thickness;  // [m] the surface is this far outside the shape
  View<PlaneShape> plane;  // per entity; meaningful for planes
  View<int> vertex_begin, face_begin,
      edge_begin;     // per entity, and one more: ranges in the arrays below
  View<Vec3> vertex;  // [m]
  View<Vec3> face_normal;
  View<double> face_offset, face_area;  // [m], [m²]
  View<int> loop_begin;                 // per face, and one more
  View<int> loop, loop_edge;            // vertex and edge numbers within the shape
  View<ConvexEdge> edge;
  View<int> largest_face;         // per entity: vertices of its largest face
  View<int> contact_point_begin;  // per entity, and one more
  View<Vec3> contact_point;       // [m] where an entity has any, only they touch planes
};

/// Polyhedron of entity e, which is of kind convex.
KOKKOS_INLINE_FUNCTION ConvexShape convex_shape(const ShapeSet& s, int e) {
  const int v = s.vertex_begin(e), f = s.face_begin(e), d = s.edge_begin(e);
  return {s.vertex.data() + v,     s.face_normal.data() + f, s.face_offset.data() + f,
          s.face_area.data() + f,  s.loop_begin.data() + f,  s.loop.data(),
          s.loop_edge.data(),      s.edge.data() + d,        s.vertex_begin(e + 1) - v,
          s.face_begin(e + 1) - f, s.edge_begin(e + 1) - d,  s.radius(e)};
}

/// Shape of a body in its own frame, on the host: the hull is empty unless `kind` is convex.
struct BodyShape {
  ShapeKind kind = ShapeKind::none;
  ConvexHull hull;
  Vec3 shift{};  // [m] add it to a point in the frame in which the shape was given
};

/// Throws InputError naming the body when the shape is impossible (degenerate points, sizes that are not positive, a
/// plane's normal of length 0).
BodyShape body_shape(const BodyDescription& body);

/// All entities of `world`. Throws InputError as above, for a plane that could move freely, and for more
/// than kMaxEntities.
ShapeSet build_shapes(const World& world);

/// Entity numbers are 20 bits of a contact id.
inline constexpr int kEntityBits = 20;
inline constexpr int kMaxEntities = 1 << kEntityBits;

}  // namespace clarke
