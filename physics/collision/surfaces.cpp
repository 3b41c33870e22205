#include "physics/collision/surfaces.hpp"

#include "physics/collision/shapes.hpp"
#include "physics/collision/triangle_mesh.hpp"

#include <numbers>

namespace clarke {
namespace {

constexpr int kLongitudes = 24, kLatitudes = 12;

Surface plane_surface(const Vec3& normal, double offset, double half_size) {
  const Vec3 n = normalized(normal);
  Vec3 t1, t2;
  tangent_frame(n, t1, t2);
  const Vec3 foot = offset * n;
  t1 *= half_size;
  t2 *= half_size;
  return {{foot - t1 - t2, foot + t1 - t2, foot + t1 + t2, foot - t1 + t2}, {{0, 1, 2, 3}}};
}

/// Turns z into the direction of `axis` and leaves it at its length.
void turn_to_axis(Surface& surface, const Vec3& axis) {
  const Vec3 u = normalized(axis);
  if (u.z == 1) return;
  Vec3 t1, t2;
  tangent_frame(u, t1, t2);
  for (Vec3& p : surface.points) p = p.x * t1 + p.y * t2 + p.z * u;
}

/// A sphere whose halves are moved apart; the band between them is the barrel.
Surface capsule_surface(double radius, const Vec3& axis) {
  Surface surface = sphere_surface(radius);
  const double half_height = norm(axis);
  const int count = static_cast<int>(surface.points.size());
  for (Vec3& p : surface.points) {
    constexpr double kEquator = 1e-9;  // of the radius: rounding of cos(π/2)
    if (p.z > kEquator * radius) p.z += half_height;
    if (p.z < kEquator * radius) p.z -= half_height;
  }
  // The equator went down with the southern half: its upper copy begins the northern one.
  const int equator = 2 + (kLatitudes / 2 - 1) * kLongitudes;
  for (int i = 0; i < kLongitudes; ++i) {
    const Vec3 p = surface.points[equator + i];
    surface.points.push_back({p.x, p.y, half_height});
  }
  const auto lower = [equator](int v) { return v >= equator && v < equator + kLongitudes; };
  for (std::vector<int>& polygon : surface.polygons) {
    bool northern = false;
    for (int v : polygon) northern = northern || v == 1 || (v >= equator + kLongitudes && v < count);
    if (!northern) continue;
    for (int& v : polygon)
      if (lower(v)) v = count + v - equator;
  }
  for (int i = 0; i < kLongitudes; ++i) {
    const int next = (i + 1) % kLongitudes;
    surface.polygons.push_back({equator + i, equator + next, count + next, count + i});
  }
  turn_to_axis(surface, axis);
  return surface;
}

Surface cylinder_surface(double radius, const Vec3& axis) {
  Surface surface;
  const double half_height = norm(axis);
  std::vector<int> top, bottom;
  for (int i = 0; i < kLongitudes; ++i) {
    const double around = 2 * std::numbers::pi * i / kLongitudes;
    const double x = radius * std::cos(around), y = radius * std::sin(around);
    surface.points.push_back({x, y, -half_height});
    surface.points.push_back({x, y, half_height});
    const int next = 2 * ((i + 1) % kLongitudes);
    surface.polygons.push_back({2 * i, next, next + 1, 2 * i + 1});
    top.push_back(2 * i + 1);
    bottom.push_back(2 * (kLongitudes - 1 - i));
  }
  surface.polygons.push_back(top);
  surface.polygons.push_back(bottom);
  turn_to_axis(surface, axis);
  return surface;
}

Surface polyhedron_surface(const ConvexHull& hull) {
  Surface surface{hull.vertex, {}};
  for (std::size_t f = 0; f < hull.normal.size(); ++f)
    surface.polygons.emplace_back(hull.loop.begin() + hull.loop_begin[f], hull.loop.begin() + hull.loop_begin[f + 1]);
  return surface;
}

}  // namespace

Surface sphere_surface(double radius) {
  Surface surface;
  surface.points = {{0, 0, -radius}, {0, 0, radius}};
  for (int j = 1; j < kLatitudes; ++j)
    for (int i = 0; i < kLongitudes; ++i) {
      const double polar = std::numbers::pi * j / kLatitudes,
                   around = 2 * std::numbers::pi * i / kLongitudes;  // from the south pole
      surface.points.push_back(
          radius * Vec3{std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), -std::cos(polar)});
    }
  const auto at = [](int j, int i) { return 2 + (j - 1) * kLongitudes + i % kLongitudes; };
  for (int i = 0; i < kLongitudes; ++i) {
    surface.polygons.push_back({0, at(1, i + 1), at(1, i)});
    for (int j = 1; j + 1 < kLatitudes; ++j)
      surface.polygons.push_back({at(j, i), at(j, i + 1), at(j + 1, i + 1), at(j + 1, i)});
    surface.polygons.push_back({at(kLatitudes - 1, i), at(kLatitudes - 1, i + 1), 1});
  }
  return surface;
}

Surface body_surface(const BodyDescription& body, double plane_half_size) {
  Surface whole;
  if (is_surface(body.shape.kind)) {
    const TriangleMesh mesh = triangle_mesh(body.shape, "body '" + body.name + "'");
    whole.points = mesh.points;
    for (const auto& corners : mesh.triangles) whole.polygons.emplace_back(corners.begin(), corners.end());
    return whole;
  }
  for (const ColliderShape& collider : body_shape(body).colliders) {
    Surface part;
    switch (collider.kind) {
      case ShapeKind::none:
      case ShapeKind::triangle:  // never alone: handled above
        break;
      case ShapeKind::sphere:
        part = sphere_surface(collider.radius + body.thickness);
        break;
      case ShapeKind::plane:
        part = plane_surface(body.shape.normal, body.shape.offset + body.thickness, plane_half_size);
        break;
      case ShapeKind::capsule:
        part = capsule_surface(collider.radius + body.thickness, collider.axis);
        break;
      case ShapeKind::cylinder:
        part = cylinder_surface(collider.radius, collider.axis);
        break;
      case ShapeKind::convex:
        part = polyhedron_surface(collider.hull);
        break;
    }
    const int first = static_cast<int>(whole.points.size());
    for (const Vec3& p : part.points) whole.points.push_back(p + collider.centre);
    for (std::vector<int>& polygon : part.polygons) {
      for (int& vertex : polygon) vertex += first;
      whole.polygons.push_back(std::move(polygon));
    }
  }
  return whole;
}

}  // namespace clarke
