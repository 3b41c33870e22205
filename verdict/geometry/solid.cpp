#include "verdict/geometry/solid.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace clarke {

namespace {

/// [relative to the size] corners this far outside of a face are on it: hulls take points for coplanar that are within
/// 1e-6 of a plane, 8e-6 where these are many, of a face that is off its own by as much again; see convex_hull.hpp
constexpr double kOnFace = 5e-5;
/// cosine of the angle between two directions that count as one: 1e-6 rad
constexpr double kSameDirection = 1 - 5e-13;

Vec3 newell_normal(const std::vector<Vec3>& points, const std::vector<int>& face) {
  Vec3 n{};
  for (std::size_t k = 0; k < face.size(); ++k)
    n += cross(points[face[k]] - points[face[0]], points[face[(k + 1) % face.size()]] - points[face[0]]);
  return normalized(n);
}

void add_direction(const Vec3& d, std::vector<Vec3>& out) {
  for (const Vec3& known : out)
    if (std::fabs(dot(known, d)) > kSameDirection) return;
  out.push_back(d);
}

void bound(PlacedSolid& s) {
  if (s.kind == Solid::Kind::plane) return;
  s.low = s.high = s.points[0];
  for (const Vec3& p : s.points)
    for (int k = 0; k < 3; ++k) {
      s.low[k] = std::min(s.low[k], p[k]);
      s.high[k] = std::max(s.high[k], p[k]);
    }
  for (int k = 0; k < 3; ++k) {
    double more = s.radius;
    if (s.kind == Solid::Kind::cylinder)
      more += s.cylinder_radius * std::sqrt(std::max(0.0, 1 - s.normal[k] * s.normal[k]));
    s.low[k] -= more;
    s.high[k] += more;
  }
}

}  // namespace

Solid hull_solid(const std::vector<Vec3>& points, const std::vector<std::vector<int>>& faces, double radius,
                 const std::string& owner) {
  Solid out;
  out.points = points;
  out.radius = radius;
  double size = 0;
  for (const Vec3& p : points) size = std::max(size, norm(p - points[0]));
  std::map<std::array<int, 2>, int> sides;  // of each edge: how often it bounds a face
  for (const std::vector<int>& face : faces) {
    const Vec3 n = newell_normal(points, face);
    for (const Vec3& p : points)
      if (!(dot(n, p - points[face[0]]) <= kOnFace * size))
        throw InputError(owner + ": a corner lies outside of a face of its hull");
    add_direction(n, out.face_normals);
    for (std::size_t k = 0; k < face.size(); ++k) {
      const int i = face[k], j = face[(k + 1) % face.size()];
      ++sides[{std::min(i, j), std::max(i, j)}];
    }
  }
  for (const auto& [edge, count] : sides) {
    if (count != 2) throw InputError(owner + ": an edge of its hull bounds " + std::to_string(count) + " faces");
    out.edges.push_back(edge);
    add_direction(normalized(points[edge[1]] - points[edge[0]]), out.edge_directions);
  }
  return out;
}

Solid ball_solid(double radius) {
  Solid out;
  out.points = {Vec3{}};
  out.radius = radius;
  return out;
}

Solid segment_solid(const Vec3& centre, const Vec3& axis, double radius) {
  Solid out;
  out.points = {centre - axis, centre + axis};
  out.edges = {{0, 1}};
  out.edge_directions = {normalized(axis)};
  out.radius = radius;
  return out;
}

Solid cylinder_solid(const Vec3& centre, const Vec3& axis, double cylinder_radius, double radius) {
  Solid out = segment_solid(centre, axis, radius);
  out.kind = Solid::Kind::cylinder;
  out.cylinder_radius = cylinder_radius;
  return out;
}

Solid plane_solid(const Vec3& normal, double offset) {
  Solid out;
  out.kind = Solid::Kind::plane;
  out.normal = normal;
  out.offset = offset;
  return out;
}

void place(const Solid& solid, const Vec3& x, const Quat& q, PlacedSolid& out) {
  const Mat3 R = rotation_matrix(q);
  out.kind = solid.kind;
  out.radius = solid.radius;
  out.cylinder_radius = solid.cylinder_radius;
  out.edges = &solid.edges;
  out.points.clear();
  out.face_normals.clear();
  out.edge_directions.clear();
  if (solid.kind == Solid::Kind::plane) {
    out.normal = R * solid.normal;
    out.offset = solid.offset + dot(out.normal, x);
    return;
  }
  for (const Vec3& p : solid.points) out.points.push_back(x + R * p);
  for (const Vec3& n : solid.face_normals) out.face_normals.push_back(R * n);
  for (const Vec3& e : solid.edge_directions) out.edge_directions.push_back(R * e);
  if (solid.kind == Solid::Kind::cylinder) out.normal = out.edge_directions[0];
  bound(out);
}

void place_triangle(const std::array<Vec3, 3>& corners, double radius, PlacedSolid& out) {
  static const std::vector<std::array<int, 2>> edges{{0, 1}, {1, 2}, {2, 0}};
  out.kind = Solid::Kind::hull;
  out.radius = radius;
  out.cylinder_radius = 0;
  out.edges = &edges;
  out.points.assign(corners.begin(), corners.end());
  // A triangle may have collapsed to a segment or a point: it then has no normal, or no edges.
  const Vec3 across = cross(corners[1] - corners[0], corners[2] - corners[0]);
  out.face_normals.clear();
  out.edge_directions.clear();
  if (norm2(across) > 0) out.face_normals.push_back(normalized(across));
  for (const auto& edge : edges)
    if (const Vec3 along = corners[edge[1]] - corners[edge[0]]; norm2(along) > 0)
      out.edge_directions.push_back(normalized(along));
  bound(out);
}

}  // namespace clarke
