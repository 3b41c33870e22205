#include "physics/friction/structure_field.hpp"

#include "framework/error.hpp"

namespace clarke {

namespace {

/// Unit vectors along ∂x/∂u and ∂x/∂v at every vertex: means over the triangles around it, by area. Triangles without
/// an area in (u, v) have no share.
void add_texture_axes(const FieldMesh& mesh, const std::vector<double>& u, const std::vector<double>& v,
                      std::vector<StructureVertex>& out, std::size_t first) {
  for (const std::array<int, 3>& t : mesh.triangles) {
    const Vec3 e1 = mesh.points[t[1]] - mesh.points[t[0]], e2 = mesh.points[t[2]] - mesh.points[t[0]];
    const double u1 = u[t[1]] - u[t[0]], u2 = u[t[2]] - u[t[0]], v1 = v[t[1]] - v[t[0]], v2 = v[t[2]] - v[t[0]];
    const double det = u1 * v2 - u2 * v1, area = norm(cross(e1, e2));
    if (!(std::fabs(det) > 0) || !(area > 0)) continue;
    const Vec3 along_u = (1 / det) * (v2 * e1 - v1 * e2), along_v = (1 / det) * (u1 * e2 - u2 * e1);
    for (const int n : t) {
      out[first + n].eu += area * normalized(along_u);
      out[first + n].ev += area * normalized(along_v);
    }
  }
  for (std::size_t n = first; n < out.size(); ++n)
    for (Vec3* e : {&out[n].eu, &out[n].ev})
      if (norm2(*e) > 0) *e = normalized(*e);
}

void add_vertices(const StructureDescription& d, const FieldMesh* mesh, const std::string& owner,
                  std::vector<StructureVertex>& out) {
  const bool texture = d.kind != StructureDescription::Kind::vertices;
  const std::size_t given = texture ? d.texture_u.size() : d.vertex_direction.size(), first = out.size();
  if (mesh && mesh->points.size() != given)
    throw InputError(owner + ": its structure has values for " + std::to_string(given) + " vertices, its mesh has " +
                     std::to_string(mesh->points.size()));
  for (std::size_t n = 0; n < given; ++n) {
    StructureVertex x;
    if (texture) {
      x.u = d.texture_u[n];
      x.v = d.texture_v[n];
    } else {
      if (norm2(d.vertex_direction[n]) > 0) x.eu = normalized(d.vertex_direction[n]);
      if (!d.vertex_factor.empty()) x.factor = d.vertex_factor[n];
    }
    out.push_back(x);
  }
  if (texture && mesh) add_texture_axes(*mesh, d.texture_u, d.texture_v, out, first);
}

}  // namespace

StructureFields StructureFields::of(const std::vector<StructureDescription>& descriptions,
                                    const std::vector<const FieldMesh*>& meshes,
                                    const std::vector<std::string>& owners) {
  std::vector<StructureField> fields;
  std::vector<StructureSample> samples;
  std::vector<StructureVertex> vertices;
  for (std::size_t k = 0; k < descriptions.size(); ++k) {
    const StructureDescription& d = descriptions[k];
    StructureField f;
    f.kind = d.kind;
    f.projection = d.projection;
    f.direction = d.direction;
    f.centre = d.centre;
    f.axis = normalized(d.axis);
    f.u = d.u_axis - dot(f.axis, d.u_axis) * f.axis;
    if (norm2(f.u) > 0) f.u = normalized(f.u);
    if (d.kind == StructureDescription::Kind::spiral) f.cosine = std::cos(d.angle), f.sine = std::sin(d.angle);
    f.size_u = d.size_u;
    f.size_v = d.size_v;
    f.columns = d.columns;
    f.rows = d.rows;
    f.first = static_cast<int>(samples.size());
    f.first_vertex = static_cast<int>(vertices.size());
    f.signless = d.signless;
    for (std::size_t i = 0; i < d.cosine.size(); ++i) {
      const double c = d.cosine[i], s = d.sine[i];
      samples.push_back(d.signless ? StructureSample{c * c - s * s, 2 * c * s, d.factor[i]}
                                   : StructureSample{c, s, d.factor[i]});
    }
    if (f.per_vertex())
      add_vertices(d, meshes.empty() ? nullptr : meshes[k], owners.empty() ? "" : owners[k], vertices);
    fields.push_back(f);
  }
  return {to_device("structure_fields", fields), to_device("structure_samples", samples),
          to_device("structure_vertices", vertices)};
}

}  // namespace clarke
