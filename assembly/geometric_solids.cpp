#include "assembly/geometric_solids.hpp"

#include "physics/collision/shapes.hpp"
#include "physics/collision/triangle_mesh.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace clarke {
namespace {

/// Polygons of the faces of a hull.
std::vector<std::vector<int>> faces_of(const ConvexHull& hull) {
  std::vector<std::vector<int>> out;
  for (std::size_t f = 0; f + 1 < hull.loop_begin.size(); ++f)
    out.emplace_back(hull.loop.begin() + hull.loop_begin[f], hull.loop.begin() + hull.loop_begin[f + 1]);
  return out;
}

Solid solid_of(const ColliderShape& collider, const BodyDescription& body, const std::string& owner) {
  Solid out;
  switch (collider.kind) {
    case ShapeKind::none:
    case ShapeKind::triangle:
      break;
    case ShapeKind::sphere:
      out = ball_solid(collider.radius);
      out.points[0] = collider.centre;
      break;
    case ShapeKind::capsule:
      out = segment_solid(collider.centre, collider.axis, collider.radius);
      break;
    case ShapeKind::cylinder:
      out = cylinder_solid(collider.centre, collider.axis, collider.radius, 0);
      break;
    case ShapeKind::plane:
      out = plane_solid(normalized(body.shape.normal), body.shape.offset / norm(body.shape.normal));
      break;
    case ShapeKind::convex: {
      std::vector<Vec3> points = collider.hull.vertex;
      for (Vec3& p : points) p += collider.centre;
      out = hull_solid(points, faces_of(collider.hull), 0, owner);
      break;
    }
  }
  out.radius += body.thickness;
  return out;
}

void add_body(int entity, const BodyDescription& body, GeometricScene& scene) {
  using Kind = ShapeDescription::Kind;
  const std::string owner = "body '" + body.name + "'";
  if (body.shape.kind == Kind::none) return;
  if (is_surface(body.shape.kind)) {
    const TriangleMesh mesh = triangle_mesh(body.shape, owner);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      SolidPart part{entity, body.name + ":" + std::to_string(t), {}, {}};
      const Vec3 a = mesh.corner(t, 0), b = mesh.corner(t, 1), c = mesh.corner(t, 2);
      part.solid.points = {a, b, c};
      part.solid.edges = {{0, 1}, {1, 2}, {2, 0}};
      part.solid.edge_directions = {normalized(b - a), normalized(c - b), normalized(a - c)};
      part.solid.face_normals = {normalized(cross(b - a, c - a))};
      part.solid.radius = body.thickness;
      scene.parts.push_back(std::move(part));
    }
    return;
  }
  const BodyShape shape = body_shape(body);
  for (std::size_t k = 0; k < shape.colliders.size(); ++k) {
    if (shape.colliders[k].kind == ShapeKind::none) continue;
    SolidPart part{entity, shape.colliders.size() > 1 ? body.name + ":" + std::to_string(k) : body.name,
                   solid_of(shape.colliders[k], body, owner), body.contact_points};
    for (Vec3& p : part.plane_points) p += shape.shift;
    scene.parts.push_back(std::move(part));
  }
}

/// Who never touches whom: groups, and whatever names an entity, which counts as a group beyond the others.
struct ApartRules {
  std::vector<int> group;  // per entity, −1: in none
  int groups = 0;
  std::vector<char> of_groups;  // groups × groups
  std::set<std::pair<int, int>> others;

  bool operator()(int a, int b) const {
    const int i = group[a], j = group[b];
    if (i >= 0 && j >= 0 && of_groups[static_cast<std::size_t>(i) * groups + j] != 0) return true;
    if (others.empty()) return false;
    const auto holds = [this](int x, int y) { return others.count({std::min(x, y), std::max(x, y)}) > 0; };
    return holds(groups + a, groups + b) || (i >= 0 && holds(i, groups + b)) || (j >= 0 && holds(groups + a, j));
  }
};

ApartRules rules_of(const World& world) {
  ApartRules out;
  std::map<std::string, int> entity, group;
  const auto add = [&](const std::string& name, const std::string& of) {
    entity[name] = static_cast<int>(out.group.size());
    if (!of.empty()) group.emplace(of, static_cast<int>(group.size()));
    out.group.push_back(of.empty() ? -1 : group.at(of));
  };
  for (const BodyDescription& body : world.bodies) add(body.name, body.group);
  for (const ParticleDescription& particle : world.particles) add(particle.name, particle.group);
  out.groups = static_cast<int>(group.size());
  out.of_groups.assign(group.size() * group.size(), 0);
  const auto number = [&](const std::string& name) {
    const auto found = group.find(name);
    return found != group.end() ? found->second : out.groups + entity.at(name);
  };
  const auto keep = [&](int i, int j) {
    if (i >= out.groups || j >= out.groups)
      out.others.insert({std::min(i, j), std::max(i, j)});
    else
      out.of_groups[static_cast<std::size_t>(i) * out.groups + j] =
          out.of_groups[static_cast<std::size_t>(j) * out.groups + i] = 1;
  };
  for (const auto& [a, b] : world.no_collision) keep(number(a), number(b));
  for (const JointDescription& joint : world.joints)
    if (!joint.collide && entity.count(joint.a) > 0 && entity.count(joint.b) > 0)
      keep(out.groups + entity.at(joint.a), out.groups + entity.at(joint.b));
  return out;
}

}  // namespace

GeometricScene geometric_scene(const World& world) {
  GeometricScene out;
  out.bodies = static_cast<int>(world.bodies.size());
  for (int e = 0; e < out.bodies; ++e) {
    out.moves.push_back(world.bodies[e].motion != Motion::fixed);
    out.yields.push_back(world.bodies[e].motion == Motion::dynamic);
    add_body(e, world.bodies[e], out);
  }
  for (std::size_t k = 0; k < world.particles.size(); ++k) {
    const ParticleDescription& p = world.particles[k];
    out.moves.push_back(!p.fixed);
    out.yields.push_back(!p.fixed);
    if (!p.collides) continue;
    out.parts.push_back({out.bodies + static_cast<int>(k), p.name, ball_solid(p.radius), {}});
  }
  for (const SurfaceDescription& surface : world.surfaces)
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
      DeformingFace face{{}, surface.thickness, surface.name + ":" + std::to_string(t)};
      for (int k = 0; k < 3; ++k) face.node[k] = out.bodies + surface.triangles[t][k];
      out.faces.push_back(face);
    }
  out.apart = rules_of(world);
  return out;
}

}  // namespace clarke
