#include "physics/friction/contact_friction.hpp"

#include "framework/error.hpp"
#include "physics/collision/contact_side.hpp"
#include "physics/description/material_named.hpp"
#include "physics/friction/friction_cone_type.hpp"

#include <algorithm>

namespace clarke {
namespace {

/// A direction of this length in the tangent plane, out of one, is along the normal: end grain.
constexpr double kEndGrain = 1e-6;

SurfaceAt surface_of(const MaterialDescription& m) {
  return friction_cone_registry().create(m.surface.cone)->cone(m.surface.numbers, m.friction)->surface();
}

/// The surface at a place: coefficients with the field's factor, grain in the tangent plane of n [world, outward].
KOKKOS_INLINE_FUNCTION SurfaceAt touched(const SurfaceFriction& s, const StructureFields& fields,
                                         const FieldMeshes& meshes, const MeshPoint& at, const View<Vec3>& x,
                                         const Quat& turn, const Vec3& point, const Vec3& n) {
  SurfaceAt out = s.at;
  if (s.field < 0) return out;
  const StructureField& field = fields.field(s.field);
  const bool deforms = at.count > 0 && at.node[0] >= 0;
  Vec3 where = point, outward = rotate_inverse(turn, n);
  Mat3 carry{};
  if (deforms) {
    where = outward = Vec3{};
    for (int k = 0; k < at.count; ++k) {
      where += at.weight[k] * meshes.rest(at.node[k]);
      outward += at.weight[k] * meshes.rest_normal(at.node[k]);
      const Mat3 F = carry_of(meshes, at.node[k], x).F;
      for (int r = 0; r < 3; ++r) carry[r] += at.weight[k] * F[r];
    }
  }
  const StructureAt here = structure_at(field, fields.samples, fields.vertices, where, outward, at);
  out.scale(here.factor);
  if (out.form == ConeForm::disc) return out;
  Vec3 world = deforms ? carry * here.direction : rotate(turn, here.direction);
  if (const double length = norm(world); deforms && length > 0) world = (1 / length) * world;
  const Vec3 flat = world - dot(n, world) * n;
  const double size = norm(flat);
  if (size <= kEndGrain) {
    out.form = ConeForm::disc;
    return out;
  }
  out.grain = (1 / size) * flat;
  return out;
}

}  // namespace

EntityPair ContactFriction::first_meeting(const std::vector<int>& list, const Entities& entities,
                                          const CollisionFilter& filter) {
  const int n = static_cast<int>(list.size());
  const View<int> member = to_device("sectioned_surfaces", list), partner("sectioned_partner", list.size());
  const CollisionFilter keeps = filter;
  const View<EntityBlocks> block_of = entities.block_of;
  parallel_for(
      "sectioned_pairs", n,
      KOKKOS_LAMBDA(int i) {
        partner(i) = -1;
        for (int j = i + 1; j < n && partner(i) < 0; ++j) {
          const bool moves = block_of(member(i)).v >= 0 || block_of(member(j)).v >= 0;
          if (moves && !keeps.keeps_apart(member(i), member(j))) partner(i) = member(j);
        }
      },
      100);
  std::vector<int> found;
  to_host(partner, found);
  for (int i = 0; i < n; ++i)
    if (found[i] >= 0) return {list[i], found[i]};
  return {-1, -1};
}

ContactFriction::ContactFriction(const World& world, const Entities& entities, const CollisionFilter& filter,
                                 const FrictionOptions& options)
    : implicit_(options.state == "implicit"), rule_(pairing_named(options.pairing)) {
  std::vector<SurfaceFriction> surfaces;
  std::vector<StructureDescription> fields;
  std::vector<const FieldMesh*> mesh_of_field;
  std::vector<std::string> owners;
  std::map<std::pair<std::string, int>, int> field_of;  // by material, and mesh where the field is given per vertex
  std::vector<int> sectioned;
  std::vector<std::string> entity_names;
  const auto add = [&](const std::string& kind, const std::string& name, const std::string& material) {
    const MaterialDescription& m = material_named(world, material, kind + " '" + name + "'");
    const StructureDescription& structure = m.surface.structure;
    const std::size_t entity = surfaces.size();
    SurfaceFriction s;
    s.at = surface_of(m);
    s.speed = {m.surface.kinetic, m.surface.stribeck_speed, m.surface.viscous};
    speeds_ = speeds_ || m.surface.kinetic != 1 || m.surface.viscous != 0;
    const bool per_vertex = structure.kind == StructureDescription::Kind::vertices ||
                            structure.projection == StructureDescription::Projection::texture;
    const bool grid = structure.kind == StructureDescription::Kind::grid;
    s.field = -1;
    if (s.at.form != ConeForm::disc || grid || per_vertex) {
      if (!any_fields_) {
        any_fields_ = true;
        world_meshes_ = WorldMeshes::of(world);
        wanted_.assign(world_meshes_.mesh.size(), 0);
        has_field_.assign(world.bodies.size() + world.particles.size(), 0);
        varies_ = has_field_;
      }
      has_field_[entity] = 1;
      varies_[entity] = structure.kind != StructureDescription::Kind::constant;
      const int mesh = world_meshes_.of_entity[entity];
      if (per_vertex && mesh < 0)
        throw InputError("'" + name + "': the structure of material '" + material +
                         "' is given per vertex: expected a triangle mesh, a height field, a soft body or a cloth");
      if (mesh >= 0 && (per_vertex || world_meshes_.deforms[mesh])) wanted_[mesh] = 1;
      const auto [at, fresh] =
          field_of.try_emplace({material, per_vertex ? mesh : -1}, static_cast<int>(fields.size()));
      if (fresh) {
        fields.push_back(structure);
        fields.back().signless = s.at.form != ConeForm::section;
        mesh_of_field.push_back(per_vertex ? &world_meshes_.mesh[mesh] : nullptr);
        owners.push_back("'" + name + "', material '" + material + "'");
      }
      s.field = at->second;
    }
    if (s.at.form == ConeForm::section) sectioned.push_back(static_cast<int>(surfaces.size()));
    surfaces.push_back(s);
    entity_names.push_back(name);
  };
  for (const BodyDescription& body : world.bodies) add("body", body.name, body.material);
  for (const ParticleDescription& particle : world.particles) add("particle", particle.name, particle.material);
  sections_ = !sectioned.empty();
  if (const EntityPair pair = first_meeting(sectioned, entities, filter); pair.first >= 0)
    throw InputError(
        "'" + entity_names[pair.first] + "' and '" + entity_names[pair.second] +
        "' both have a cone that is no ellipse, and no rule pairs two of them: expected another cone for one of "
        "them, or `collisions: {ignore: ...}` if they never touch");
  any_ = any_fields_ || speeds_;
  implicit_ = implicit_ && speeds_;
  surface_ = to_device("surface_friction", surfaces);
  fields_ = StructureFields::of(fields, mesh_of_field, owners);
  if (any_fields_) meshes_ = world_meshes_.device(world, wanted_);
}

void ContactFriction::begin_step(const ContactSet& contacts, const Entities& entities, const State& state) {
  const int n = contacts.count;
  rows_.d1 = d1_.resize(n);
  rows_.d2 = d2_.resize(n);
  rows_.scale = scale_.resize(2 * n);
  rows_.friction = friction_.resize(n);
  const View<SurfaceFriction> surface = surface_;
  const Pairing rule = rule_;
  const ContactSet c = contacts;
  if (!any_) {
    const ConeRows r = rows_;
    parallel_for(
        "contact_tangents", n,
        KOKKOS_LAMBDA(int i) {
          Vec3 t1, t2;
          tangent_frame(c.normal(i), t1, t2);
          r.d1(i) = t1;
          r.d2(i) = t2;
          r.scale(2 * i) = r.scale(2 * i + 1) = 1;
          r.friction(i) = pair_coefficient(rule, surface(c.a(i)).at.friction, surface(c.b(i)).at.friction);
        },
        16);
    return;
  }
  rows_.at_rest = at_rest_.resize(n);
  if (sections_) rows_.section = section_.resize(std::max(n, 1));  // never empty: that would mean discs
  const ConeRows r = rows_;
  const StructureFields fields = fields_;
  const FieldMeshes meshes = meshes_;
  const SpeedFactor factor = speed_factor();
  const Entities& all = entities;
  const State s = state;
  const bool sections = sections_, speeds = speeds_;
  parallel_for(
      "contact_friction", n,
      KOKKOS_LAMBDA(int i) {
        const int a = c.a(i), b = c.b(i);
        const Vec3 normal = c.normal(i);
        const Pose pa = side_pose(c.barycentric_a, i, a, all.bodies, s.x, s.orientation),
                   pb = side_pose(c.barycentric_b, i, b, all.bodies, s.x, s.orientation);
        const Vec3 on_a = c.point_a(i) - c.radius_a(i) * rotate_inverse(pa.q, normal),
                   on_b = c.point_b(i) + c.radius_b(i) * rotate_inverse(pb.q, normal);
        const MeshPoint ma = mesh_point(meshes, c.barycentric_a, i, a, on_a, c.id(i)),
                        mb = mesh_point(meshes, c.barycentric_b, i, b, on_b, c.id(i));
        const PairedCone cone = pair_cones(rule, touched(surface(a), fields, meshes, ma, s.x, pa.q, on_a, -normal),
                                           touched(surface(b), fields, meshes, mb, s.x, pb.q, on_b, normal), normal);
        r.d1(i) = cone.s1 * cone.t1;
        r.d2(i) = cone.s2 * cone.t2;
        r.scale(2 * i) = cone.s1;
        r.scale(2 * i + 1) = cone.s2;
        r.friction(i) = r.at_rest(i) = cone.friction;
        if (sections) r.section(i) = cone.section;
        if (!speeds) return;
        const Vec3 arm_a = rotate(pa.q, c.point_a(i)) - c.radius_a(i) * normal,
                   arm_b = rotate(pb.q, c.point_b(i)) + c.radius_b(i) * normal;
        const Vec3 v = tangential_velocity(side_twist(c.barycentric_a, i, a, all.block_of, all.prescribed, s.u),
                                           side_twist(c.barycentric_b, i, b, all.block_of, all.prescribed, s.u), arm_a,
                                           arm_b, normal);
        r.friction(i) = r.sliding(i, factor(a, b, norm(v)));
      },
      120);
}

std::vector<SurfaceAt> ContactFriction::at(const std::vector<SurfacePlace>& places, const View<Vec3>& positions) const {
  const View<SurfacePlace> place = to_device("surface_places", places);
  const View<SurfaceAt> out("surface_at", places.size());
  const View<SurfaceFriction> surface = surface_;
  const StructureFields fields = fields_;
  const FieldMeshes meshes = meshes_;
  const View<Vec3> x = positions;
  parallel_for(
      "surface_at_places", static_cast<int>(places.size()),
      KOKKOS_LAMBDA(int i) {
        const SurfacePlace& p = place(i);
        Vec3 normal = p.normal;
        if (p.at.count > 0 && p.at.node[0] >= 0) {
          normal = Vec3{};
          for (int k = 0; k < p.at.count; ++k) normal += p.at.weight[k] * carry_of(meshes, p.at.node[k], x).normal;
          if (norm2(normal) > 0) normal = normalized(normal);
        }
        out(i) = touched(surface(p.entity), fields, meshes, p.at, x, Quat{}, p.point, normal);
      },
      100);
  std::vector<SurfaceAt> found;
  to_host(out, found);
  return found;
}

MeshPoint ContactFriction::triangle_place(int entity, int triangle) const {
  MeshPoint at;
  const int mesh = any_fields_ ? world_meshes_.of_entity[entity] : -1;
  if (mesh < 0 || world_meshes_.deforms[mesh] || !wanted_[mesh]) return at;
  for (const int vertex : world_meshes_.mesh[mesh].triangles[triangle]) {
    at.vertex[at.count] = vertex;
    at.weight[at.count++] = 1.0 / 3;
  }
  return at;
}

MeshPoint ContactFriction::node_place(int entity) const {
  MeshPoint at;
  const int mesh = any_fields_ ? world_meshes_.of_entity[entity] : -1;
  if (mesh < 0 || !world_meshes_.deforms[mesh] || !wanted_[mesh]) return at;
  at.count = 1;
  at.vertex[0] = world_meshes_.vertex[entity];
  at.node[0] = entity;
  at.weight[0] = 1;
  return at;
}

}  // namespace clarke
