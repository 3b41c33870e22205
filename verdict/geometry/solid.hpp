#pragma once
// What the geometric verdict knows of a shape: a convex core, and a ball around every point of it. The verdict's own
// description of geometry: neither it nor anything that is computed from it is used by the detection of contacts.
//
//   core      hull of `points`; or a cylinder, whose points are the middles of its two ends
//   solid     {x + r b : x in the core, |b| ≤ 1}
//   plane     everything with normal·x ≤ offset

#include "framework/math/mat3.hpp"
#include "framework/math/quat.hpp"

#include <array>
#include <string>
#include <vector>

namespace clarke {

/// In the frame of its entity.
struct Solid {
  enum class Kind { hull, cylinder, plane };
  Kind kind = Kind::hull;
  std::vector<Vec3> points;               // [m]
  std::vector<Vec3> face_normals;         // of a hull: unit; of parallel faces one
  std::vector<Vec3> edge_directions;      // unit; of parallel edges one. A cylinder's is its axis
  std::vector<std::array<int, 2>> edges;  // ends, indices into points
  double radius = 0;                      // [m] r
  double cylinder_radius = 0;             // [m]
  Vec3 normal{};                          // plane: outward
  double offset = 0;                      // plane [m]
};

/// One in the world.
struct PlacedSolid {
  Solid::Kind kind = Solid::Kind::hull;
  std::vector<Vec3> points;
  std::vector<Vec3> face_normals, edge_directions;
  const std::vector<std::array<int, 2>>* edges = nullptr;
  double radius = 0, cylinder_radius = 0;
  Vec3 normal{};  // plane; of a cylinder its axis
  double offset = 0;
  Vec3 low{}, high{};  // box around it, the ball included
};

/// A hull from its corners and the polygons of its faces. Throws InputError beginning with `owner` where a point lies
/// outside of a face, or an edge does not belong to two faces: such a hull is not what its corners span.
Solid hull_solid(const std::vector<Vec3>& points, const std::vector<std::vector<int>>& faces, double radius,
                 const std::string& owner);
Solid ball_solid(double radius);
/// A segment from −axis to +axis and a ball: a capsule.
Solid segment_solid(const Vec3& centre, const Vec3& axis, double radius);
Solid cylinder_solid(const Vec3& centre, const Vec3& axis, double cylinder_radius, double radius);
Solid plane_solid(const Vec3& normal, double offset);

/// `out` keeps its memory.
void place(const Solid& solid, const Vec3& x, const Quat& q, PlacedSolid& out);
/// A triangle given by its corners in the world.
void place_triangle(const std::array<Vec3, 3>& corners, double radius, PlacedSolid& out);

}  // namespace clarke
