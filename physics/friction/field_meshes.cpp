#include "physics/friction/field_meshes.hpp"

#include "physics/collision/triangle_mesh.hpp"
#include "physics/description/tet_surface.hpp"

namespace clarke {

namespace {

/// Colliders of a body: what shapes.hpp says of their numbers.
int colliders_of(const ShapeDescription& shape) {
  if (shape.kind == ShapeDescription::Kind::compound) return static_cast<int>(shape.children.size());
  if (shape.kind == ShapeDescription::Kind::mesh) return static_cast<int>(shape.triangles.size());
  if (shape.kind == ShapeDescription::Kind::height_field) return 2 * (shape.columns - 1) * (shape.rows - 1);
  return 1;
}

/// What a node needs of the faces around it, gathered on the host.
struct NodeArrays {
  std::vector<std::vector<int>> faces;
  std::vector<Vec3> rest, normal;
  std::vector<RestFace> face;

  explicit NodeArrays(int entities) : faces(entities), rest(entities), normal(entities) {}
  void add(const FieldMesh& mesh, int first) {
    for (std::size_t n = 0; n < mesh.points.size(); ++n) rest[first + n] = mesh.points[n];
    for (const std::array<int, 3>& t : mesh.triangles) {
      const Vec3 e1 = mesh.points[t[1]] - mesh.points[t[0]], e2 = mesh.points[t[2]] - mesh.points[t[0]],
                 n = cross(e1, e2);
      const double twice = norm(n);
      if (!(twice > 0)) continue;
      const Vec3 unit = (1 / twice) * n;
      // G¹ = e₂ × n/|n|², G² = n × e₁/|n|², times the area |n|/2
      RestFace f{{first + t[0], first + t[1], first + t[2]}, 0.5 * cross(e2, unit), 0.5 * cross(unit, e1), 0.5 * twice};
      for (const int node : f.node) {
        faces[node].push_back(static_cast<int>(face.size()));
        normal[node] += n;
      }
      face.push_back(f);
    }
  }
};

}  // namespace

WorldMeshes WorldMeshes::of(const World& world) {
  WorldMeshes out;
  const std::size_t bodies = world.bodies.size();
  out.of_entity.assign(bodies + world.particles.size(), -1);
  out.vertex.assign(out.of_entity.size(), -1);
  for (std::size_t b = 0; b < bodies; ++b) {
    const BodyDescription& body = world.bodies[b];
    if (!is_surface(body.shape.kind)) continue;
    const TriangleMesh mesh = triangle_mesh(body.shape, "body '" + body.name + "'");
    out.of_entity[b] = static_cast<int>(out.mesh.size());
    out.mesh.push_back({mesh.points, mesh.triangles});
    out.deforms.push_back(false);
  }
  const auto add_nodes = [&](FieldMesh mesh, int first_particle) {
    for (std::size_t n = 0; n < mesh.points.size(); ++n) {
      out.of_entity[bodies + first_particle + n] = static_cast<int>(out.mesh.size());
      out.vertex[bodies + first_particle + n] = static_cast<int>(n);
    }
    out.mesh.push_back(std::move(mesh));
    out.deforms.push_back(true);
  };
  for (const SoftDescription& s : world.softs) add_nodes({s.mesh.nodes, surface_triangles(s.mesh)}, s.first_particle);
  for (const ClothDescription& c : world.cloths) add_nodes({c.mesh.nodes, c.mesh.triangles}, c.first_particle);
  return out;
}

FieldMeshes WorldMeshes::device(const World& world, const std::vector<char>& wanted) const {
  const int entities = static_cast<int>(of_entity.size());
  FieldMeshes out;
  NodeArrays nodes(entities);
  std::vector<int> number(entities, -1), first_collider(entities, -1), first_triangle(entities, -1),
      count(entities, -1);
  std::vector<RigidTriangle> triangles;
  bool any_node = false;
  int collider = 0;
  for (int e = 0; e < entities; ++e) {
    const int m = of_entity[e];
    const bool is_body = e < static_cast<int>(world.bodies.size());
    if (m >= 0 && wanted[m] && !deforms[m]) {
      first_collider[e] = collider;
      first_triangle[e] = static_cast<int>(triangles.size());
      const FieldMesh& mesh_here = mesh[m];
      count[e] = static_cast<int>(mesh_here.triangles.size());
      for (const std::array<int, 3>& t : mesh_here.triangles)
        triangles.push_back(
            {{t[0], t[1], t[2]}, {mesh_here.points[t[0]], mesh_here.points[t[1]], mesh_here.points[t[2]]}});
    }
    if (m >= 0 && wanted[m] && deforms[m]) {
      if (vertex[e] == 0) nodes.add(mesh[m], e);
      number[e] = vertex[e];
      any_node = true;
    }
    collider += is_body ? colliders_of(world.bodies[e].shape) : 1;
  }
  if (any_node) {
    std::vector<int> begin{0}, face;
    for (const std::vector<int>& list : nodes.faces) {
      face.insert(face.end(), list.begin(), list.end());
      begin.push_back(static_cast<int>(face.size()));
    }
    out.vertex = to_device("field_vertex", number);
    out.rest = to_device("field_rest", nodes.rest);
    out.rest_normal = to_device("field_rest_normal", nodes.normal);
    out.face_begin = to_device("field_face_begin", begin);
    out.face = to_device("field_face", face);
    out.rest_face = to_device("field_rest_face", nodes.face);
  }
  if (!triangles.empty()) {
    out.first_collider = to_device("field_first_collider", first_collider);
    out.first_triangle = to_device("field_first_triangle", first_triangle);
    out.triangles = to_device("field_triangles", count);
    out.triangle = to_device("field_triangle", triangles);
  }
  return out;
}

}  // namespace clarke
