#include "physics/contact/shapes.hpp"

#include "framework/error.hpp"
#include "physics/contact/mass_properties.hpp"

#include <algorithm>

namespace clarke {
namespace {

template <class T>
View<T> upload(const std::string& label, const std::vector<T>& host) {
  View<T> view(label, host.size());
  Kokkos::deep_copy(view, Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(
                              host.data(), host.size()));
  return view;
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The arrays of a ShapeSet while they grow.
struct Arrays {
  std::vector<ShapeKind> kind;
  std::vector<double> radius, thickness;
  std::vector<PlaneShape> plane;
  std::vector<int> vertex_begin{0}, face_begin{0}, edge_begin{0}, contact_point_begin{0},
      largest_face;
  ConvexHull all;  // the arrays of all polyhedra, one after another
  std::vector<Vec3> contact_point;

  void add(ShapeKind k, double r, double t, const PlaneShape& p, const ConvexHull& hull,
           const std::vector<Vec3>& points) {
    kind.push_back(k);
    radius.push_back(r);
    thickness.push_back(t);
    plane.push_back(p);
    int largest = 0;
    const int loops = static_cast<int>(all.loop.size());
    for (std::size_t f = 0; f < hull.normal.size(); ++f) {
      all.loop_begin.push_back(loops + hull.loop_begin[f + 1]);
      largest = std::max(largest, hull.loop_begin[f + 1] - hull.loop_begin[f]);
    }
    largest_face.push_back(largest);
    append(all.vertex, hull.vertex);
    append(all.normal, hull.normal);
    append(all.offset, hull.offset);
    append(all.area, hull.area);
    append(all.loop, hull.loop);
    append(all.loop_edge, hull.loop_edge);
    append(all.edge, hull.edge);
    append(contact_point, points);
    vertex_begin.push_back(static_cast<int>(all.vertex.size()));
    face_begin.push_back(static_cast<int>(all.normal.size()));
    edge_begin.push_back(static_cast<int>(all.edge.size()));
    contact_point_begin.push_back(static_cast<int>(contact_point.size()));
  }
};

void require(bool good, const std::string& owner, const char* message) {
  if (!good) throw InputError(owner + ": " + message);
}

void add_body(const BodyDescription& body, Arrays& arrays) {
  const std::string owner = "body '" + body.name + "'";
  require(body.thickness >= 0 && std::isfinite(body.thickness), owner,
          "the thickness must not be negative");
  const BodyShape shape = body_shape(body);
  require(shape.kind != ShapeKind::plane || body.motion != Motion::dynamic, owner,
          "a plane has no mass: it must be static or have a prescribed motion");
  PlaneShape plane{};
  std::vector<Vec3> points = body.contact_points;
  double radius = 0;
  for (Vec3& p : points) {
    p += shape.shift;
    radius = std::max(radius, norm(p));
  }
  if (shape.kind == ShapeKind::plane) {
    const double length = norm(body.shape.normal);
    plane = {body.shape.normal / length, body.shape.offset};
  } else if (shape.kind == ShapeKind::sphere) {
    require(points.empty(), owner, "contact points are for boxes and convex shapes");
    radius = body.shape.radius;
  } else if (shape.kind == ShapeKind::convex) {
    radius = std::max(radius, shape.hull.shape().radius);
  }
  arrays.add(shape.kind, radius, body.thickness, plane, shape.hull, points);
}

}  // namespace

BodyShape body_shape(const BodyDescription& body) {
  using Kind = ShapeDescription::Kind;
  const std::string owner = "body '" + body.name + "'";
  const ShapeDescription& shape = body.shape;
  switch (shape.kind) {
    case Kind::none:
      break;
    case Kind::sphere:
      require(shape.radius > 0 && std::isfinite(shape.radius), owner,
              "a sphere needs a positive radius");
      return {ShapeKind::sphere, {}, {}};
    case Kind::plane:
      require(norm(shape.normal) > 0 && std::isfinite(norm(shape.normal)) &&
                  std::isfinite(shape.offset),
              owner, "a plane needs a finite normal of positive length and a finite offset");
      return {ShapeKind::plane, {}, {}};
    case Kind::box:
      return {ShapeKind::convex, box_hull(shape.half, owner), {}};
    case Kind::convex: {
      BodyShape result{ShapeKind::convex, convex_hull(shape.points, owner), {}};
      const Vec3 centre = hull_mass_properties(result.hull).centre;
      double size = 0;
      for (const Vec3& p : shape.points) size = std::max(size, norm(p));
      // Points given about their centre stay as they are to the last bit, so that corners shared with a neighbour still
      // coincide exactly. A misplaced centre of 1e-10 of the size is far below what any mass is known to.
      constexpr double kCentred = 1e-10;
      if (norm(centre) <= kCentred * size) return result;
      result.shift = -centre;
      translate(result.hull, result.shift);
      return result;
    }
  }
  return {};
}

ShapeSet build_shapes(const World& world) {
  const std::size_t count = world.bodies.size() + world.particles.size();
  if (count > static_cast<std::size_t>(kMaxEntities))
    throw InputError("a scene may have at most " + std::to_string(kMaxEntities) +
                     " bodies and particles, not " + std::to_string(count));
  Arrays a;
  for (const BodyDescription& body : world.bodies) add_body(body, a);
  for (const ParticleDescription& p : world.particles) {
    require(p.radius >= 0 && std::isfinite(p.radius), "particle '" + p.name + "'",
            "the radius must not be negative");
    a.add(ShapeKind::sphere, p.radius, 0, {}, {}, {});
  }
  ShapeSet s;
  s.count = static_cast<int>(count);
  s.kind = upload("shape_kind", a.kind);
  s.radius = upload("shape_radius", a.radius);
  s.thickness = upload("shape_thickness", a.thickness);
  s.plane = upload("shape_plane", a.plane);
  s.vertex_begin = upload("shape_vertex_begin", a.vertex_begin);
  s.face_begin = upload("shape_face_begin", a.face_begin);
  s.edge_begin = upload("shape_edge_begin", a.edge_begin);
  s.vertex = upload("shape_vertex", a.all.vertex);
  s.face_normal = upload("shape_face_normal", a.all.normal);
  s.face_offset = upload("shape_face_offset", a.all.offset);
  s.face_area = upload("shape_face_area", a.all.area);
  s.loop_begin = upload("shape_loop_begin", a.all.loop_begin);
  s.loop = upload("shape_loop", a.all.loop);
  s.loop_edge = upload("shape_loop_edge", a.all.loop_edge);
  s.edge = upload("shape_edge", a.all.edge);
  s.largest_face = upload("shape_largest_face", a.largest_face);
  s.contact_point_begin = upload("shape_contact_point_begin", a.contact_point_begin);
  s.contact_point = upload("shape_contact_point", a.contact_point);
  return s;
}

}  // namespace clarke
