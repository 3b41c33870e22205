#include "physics/collision/shapes.hpp"

#include "framework/error.hpp"
#include "physics/collision/mass_properties.hpp"
#include "physics/collision/soft_faces.hpp"
#include "physics/collision/triangle_mesh.hpp"

#include <algorithm>

namespace clarke {
namespace {

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// The arrays of a ShapeSet while they grow.
struct Arrays {
  std::vector<int> entity;
  std::vector<Vec3> centre;
  std::vector<ShapeKind> kind;
  std::vector<double> radius, thickness;
  std::vector<double> axis_radius;
  std::vector<Vec3> axis;
  std::vector<int> active_edges, neighbour_begin, neighbour;
  std::vector<PlaneShape> plane;
  std::vector<int> vertex_begin{0}, face_begin{0}, edge_begin{0}, contact_point_begin{0}, largest_face;
  ConvexHull all;  // the arrays of all polyhedra, one after another
  std::vector<Vec3> contact_point;

  void add(int owner, const ColliderShape& shape, double reach, double t, const PlaneShape& p,
           const std::vector<Vec3>& points) {
    const ConvexHull& hull = shape.hull;
    entity.push_back(owner);
    centre.push_back(shape.centre);
    kind.push_back(shape.kind);
    radius.push_back(reach);
    thickness.push_back(t);
    axis_radius.push_back(shape.kind == ShapeKind::sphere ? 0.0 : shape.radius);
    axis.push_back(shape.axis);
    active_edges.push_back(shape.active_edges);
    neighbour_begin.push_back(-1);
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

/// Before the arrays grow: a mesh that is far too fine is refused at once.
void require_room(std::size_t count) {
  if (count > static_cast<std::size_t>(kMaxColliders))
    throw InputError("a scene may have at most " + std::to_string(kMaxColliders) +
                     " bodies and particles, each part of a compound and each triangle counted, not " +
                     std::to_string(count));
}

/// Each triangle of a surface becomes a collider with its origin at the middle of the corners.
void add_triangles(int entity, const BodyDescription& body, const std::string& owner, Arrays& arrays) {
  require(body.motion != Motion::dynamic, owner,
          "a mesh or height field has no mass: it must be static or have a prescribed motion; a body that moves "
          "freely needs convex pieces, given as a `compound`");
  require(body.contact_points.empty(), owner, "contact points are for boxes and convex shapes");
  const TriangleMesh mesh = triangle_mesh(body.shape, owner);
  require_room(arrays.kind.size() + mesh.triangles.size());
  ColliderShape triangle;
  triangle.kind = ShapeKind::triangle;
  ConvexHull& hull = triangle.hull;
  hull.loop_begin = {0, 3};
  hull.loop = hull.loop_edge = {0, 1, 2};
  const int first = static_cast<int>(arrays.kind.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 a = mesh.corner(t, 0), b = mesh.corner(t, 1), c = mesh.corner(t, 2);
    triangle.centre = (a + b + c) / 3.0;
    hull.vertex = {a - triangle.centre, b - triangle.centre, c - triangle.centre};
    const Vec3 across = cross(b - a, c - a);
    hull.normal = {normalized(across)};
    hull.area = {0.5 * norm(across)};
    hull.offset = {dot(hull.normal[0], hull.vertex[0])};
    triangle.active_edges = mesh.active_edges[t];
    double radius = 0;
    for (const Vec3& v : hull.vertex) radius = std::max(radius, norm(v));
    arrays.add(entity, triangle, radius, body.thickness, {}, {});
    arrays.neighbour_begin.back() = static_cast<int>(arrays.neighbour.size());
    for (int other : mesh.neighbours[t]) arrays.neighbour.push_back(other < 0 ? -1 : first + other);
  }
}

/// Faces of a deforming surface: who is beside whom. Where they are is for refresh_soft_faces().
void add_soft_faces(const SurfaceDescription& surface, int bodies, Arrays& arrays, std::vector<FaceNodes>& nodes) {
  require_room(arrays.kind.size() + surface.triangles.size());
  ColliderShape face;
  face.kind = ShapeKind::triangle;
  face.hull.loop_begin = {0, 3};
  face.hull.loop = face.hull.loop_edge = {0, 1, 2};
  face.hull.vertex.assign(3, {});
  face.hull.normal.assign(1, {});
  face.hull.area = face.hull.offset = {0};
  const int first = static_cast<int>(arrays.kind.size());
  const std::vector<std::array<int, 6>> neighbours = face_neighbours(surface.triangles);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const std::array<int, 3>& triangle = surface.triangles[t];
    nodes.push_back({{bodies + triangle[0], bodies + triangle[1], bodies + triangle[2]}, surface.two_sided});
    arrays.add(bodies + triangle[0], face, 0, surface.thickness, {}, {});
    arrays.neighbour_begin.back() = static_cast<int>(arrays.neighbour.size());
    for (const int other : neighbours[t]) arrays.neighbour.push_back(other < 0 ? -1 : first + other);
  }
}

/// Largest distance of a point of the collider from its origin [m].
double reach_of(const ColliderShape& collider) {
  switch (collider.kind) {
    case ShapeKind::capsule:
      return norm(collider.axis) + collider.radius;
    case ShapeKind::cylinder:
      return std::hypot(norm(collider.axis), collider.radius);
    case ShapeKind::convex:
      return collider.hull.shape().radius;
    default:
      return collider.radius;
  }
}

void add_body(int entity, const BodyDescription& body, Arrays& arrays) {
  const std::string owner = "body '" + body.name + "'";
  require(body.thickness >= 0 && std::isfinite(body.thickness), owner, "the thickness must not be negative");
  if (is_surface(body.shape.kind)) return add_triangles(entity, body, owner, arrays);
  const BodyShape shape = body_shape(body);
  require(body.contact_points.empty() ||
              (shape.colliders[0].kind == ShapeKind::convex && body.shape.kind != ShapeDescription::Kind::compound),
          owner, "contact points are for boxes and convex shapes");
  std::vector<Vec3> points = body.contact_points;
  double reach = 0;
  for (Vec3& p : points) {
    p += shape.shift;
    reach = std::max(reach, norm(p));
  }
  PlaneShape plane{};
  for (const ColliderShape& collider : shape.colliders) {
    const double radius = std::max(reach, reach_of(collider));
    if (collider.kind == ShapeKind::plane) {
      require(body.motion != Motion::dynamic, owner,
              "a plane has no mass: it must be static or have a prescribed motion");
      const double length = norm(body.shape.normal);
      plane = {body.shape.normal / length, body.shape.offset};
    }
    arrays.add(entity, collider, radius, body.thickness, plane, points);
  }
}

/// As given, about the origin of `shape`.
ColliderShape plain_collider(const ShapeDescription& shape, const std::string& owner) {
  using Kind = ShapeDescription::Kind;
  switch (shape.kind) {
    case Kind::sphere:
      require(shape.radius > 0 && std::isfinite(shape.radius), owner, "a sphere needs a positive radius");
      return {ShapeKind::sphere, {}, shape.radius, {}};
    case Kind::plane:
      require(norm(shape.normal) > 0 && std::isfinite(norm(shape.normal)) && std::isfinite(shape.offset), owner,
              "a plane needs a finite normal of positive length and a finite offset");
      return {ShapeKind::plane, {}, 0, {}};
    case Kind::box:
      return {ShapeKind::convex, {}, 0, box_hull(shape.half, owner)};
    case Kind::convex:
      return {ShapeKind::convex, {}, 0, convex_hull(shape.points, owner)};
    case Kind::capsule:
    case Kind::cylinder: {
      const bool capsule = shape.kind == Kind::capsule;
      require(
          shape.radius > 0 && std::isfinite(shape.radius) && shape.half_height > 0 && std::isfinite(shape.half_height),
          owner,
          capsule ? "a capsule needs a positive radius and half height"
                  : "a cylinder needs a positive radius and half height");
      ColliderShape collider;
      collider.kind = capsule ? ShapeKind::capsule : ShapeKind::cylinder;
      collider.radius = shape.radius;
      collider.axis = {0, 0, shape.half_height};
      return collider;
    }
    case Kind::height_field:
    case Kind::mesh:
    case Kind::none:
    case Kind::compound:
      break;
  }
  return {};
}

/// In the frame of the compound. The origin of a hull moves to its own centre of mass, so that its radius is tight.
ColliderShape child_collider(const ShapeChild& child, const std::string& owner) {
  using Kind = ShapeDescription::Kind;
  const Kind kind = child.shape.kind;
  require(kind == Kind::sphere || kind == Kind::capsule || kind == Kind::cylinder || kind == Kind::box ||
              kind == Kind::convex,
          owner, "the parts of a compound are spheres, capsules, cylinders, boxes and convex shapes");
  require(std::isfinite(norm2(child.position)), owner, "the position of a part must be finite");
  ColliderShape collider = plain_collider(child.shape, owner);
  const Quat turn = normalized(child.orientation);
  Vec3 centre{};
  if (kind == Kind::convex) {
    centre = hull_mass_properties(collider.hull).centre;
    translate(collider.hull, -centre);
  }
  if (kind == Kind::box || kind == Kind::convex) turn_hull(collider.hull, rotation_matrix(turn));
  collider.axis = rotate(turn, collider.axis);
  collider.centre = child.position + rotate(turn, centre);
  return collider;
}

BodyShape compound_shape(const BodyDescription& body, const std::string& owner) {
  BodyShape result;
  require(!body.shape.children.empty(), owner, "a compound needs at least one part");
  for (const ShapeChild& child : body.shape.children) result.colliders.push_back(child_collider(child, owner));
  if (body.mass && body.inertia) return result;
  result.shift = -mass_properties(body.shape, owner).centre;
  for (ColliderShape& collider : result.colliders) collider.centre += result.shift;
  return result;
}

BodyShape convex_body_shape(const BodyDescription& body, const std::string& owner) {
  BodyShape result{{plain_collider(body.shape, owner)}, {}};
  ConvexHull& hull = result.colliders[0].hull;
  const Vec3 centre = hull_mass_properties(hull).centre;
  double size = 0;
  for (const Vec3& p : body.shape.points) size = std::max(size, norm(p));
  // Points given about their centre stay as they are to the last bit, so that corners shared with a neighbour still
  // coincide exactly. A misplaced centre of 1e-10 of the size is far below what any mass is known to.
  constexpr double kCentred = 1e-10;
  if (norm(centre) <= kCentred * size) return result;
  result.shift = -centre;
  translate(hull, result.shift);
  return result;
}

}  // namespace

BodyShape body_shape(const BodyDescription& body) {
  using Kind = ShapeDescription::Kind;
  const std::string owner = "body '" + body.name + "'";
  if (body.shape.kind == Kind::compound) return compound_shape(body, owner);
  if (body.shape.kind == Kind::convex) return convex_body_shape(body, owner);
  return {{plain_collider(body.shape, owner)}, {}};
}

ShapeSet build_shapes(const World& world) {
  Arrays a;
  int entity = 0;
  for (const BodyDescription& body : world.bodies) add_body(entity++, body, a);
  for (const ParticleDescription& p : world.particles) {
    require(p.radius >= 0 && std::isfinite(p.radius), "particle '" + p.name + "'", "the radius must not be negative");
    a.add(entity++, {p.collides ? ShapeKind::sphere : ShapeKind::none, {}, p.radius, {}}, p.radius, 0, {}, {});
  }
  require_room(a.kind.size());
  ShapeSet s;
  s.soft_begin = static_cast<int>(a.kind.size());
  std::vector<FaceNodes> soft_node;
  for (const SurfaceDescription& surface : world.surfaces)
    add_soft_faces(surface, static_cast<int>(world.bodies.size()), a, soft_node);
  s.count = static_cast<int>(a.kind.size());
  s.soft_node = to_device("shape_soft_node", soft_node);
  s.soft_velocity = View<Vec3>("shape_soft_velocity", soft_node.size());
  s.soft_spread = View<double>("shape_soft_spread", soft_node.size());
  s.entity = to_device("shape_entity", a.entity);
  s.centre = to_device("shape_centre", a.centre);
  s.kind = to_device("shape_kind", a.kind);
  s.radius = to_device("shape_radius", a.radius);
  s.thickness = to_device("shape_thickness", a.thickness);
  s.axis_radius = to_device("shape_axis_radius", a.axis_radius);
  s.axis = to_device("shape_axis", a.axis);
  s.active_edges = to_device("shape_active_edges", a.active_edges);
  s.neighbour_begin = to_device("shape_neighbour_begin", a.neighbour_begin);
  s.neighbour = to_device("shape_neighbour", a.neighbour);
  s.plane = to_device("shape_plane", a.plane);
  s.vertex_begin = to_device("shape_vertex_begin", a.vertex_begin);
  s.face_begin = to_device("shape_face_begin", a.face_begin);
  s.edge_begin = to_device("shape_edge_begin", a.edge_begin);
  s.vertex = to_device("shape_vertex", a.all.vertex);
  s.face_normal = to_device("shape_face_normal", a.all.normal);
  s.face_offset = to_device("shape_face_offset", a.all.offset);
  s.face_area = to_device("shape_face_area", a.all.area);
  s.loop_begin = to_device("shape_loop_begin", a.all.loop_begin);
  s.loop = to_device("shape_loop", a.all.loop);
  s.loop_edge = to_device("shape_loop_edge", a.all.loop_edge);
  s.edge = to_device("shape_edge", a.all.edge);
  s.largest_face = to_device("shape_largest_face", a.largest_face);
  s.contact_point_begin = to_device("shape_contact_point_begin", a.contact_point_begin);
  s.contact_point = to_device("shape_contact_point", a.contact_point);
  return s;
}

}  // namespace clarke
