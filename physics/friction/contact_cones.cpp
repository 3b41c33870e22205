#include "physics/friction/contact_cones.hpp"

#include "framework/error.hpp"
#include "physics/contact/contact_side.hpp"
#include "physics/friction/isotropic.hpp"

#include <algorithm>

namespace clarke {
namespace {

/// A direction of this length in the tangent plane, out of one, is along the normal: end grain.
constexpr double kEndGrain = 1e-6;

SurfaceAt surface_of(const MaterialDescription& m) {
  const std::array<double, 4>& k = m.surface.numbers;
  SurfaceAt out;
  out.friction = m.friction;
  if (m.surface.cone == Ellipse::kName || m.surface.cone == Matchstick::kName) {
    out.kind = m.surface.cone == Ellipse::kName ? ConeKind::ellipse : ConeKind::matchstick;
    out.along = k[0];
    out.across = k[1];
  } else if (m.surface.cone == Asymmetric::kName) {
    out.kind = ConeKind::asymmetric;
    out.along = k[0];
    out.backward = k[1];
    out.across = k[2];
  } else if (m.surface.cone == Polygon::kName) {
    out.kind = ConeKind::polygon;
    out.facets = static_cast<int>(k[0]);
  } else if (m.surface.cone != Isotropic::kName) {
    throw InputError("unknown friction cone '" + m.surface.cone + "'");
  }
  return out;
}

/// The surface at a point of its body: coefficients with the field's factor, grain in the tangent plane.
KOKKOS_INLINE_FUNCTION SurfaceAt touched(const SurfaceFriction& s, const StructureFields& fields, const Pose& pose,
                                         const Vec3& point, double radius, const Vec3& n) {
  SurfaceAt out = s.at;
  if (s.field < 0) return out;
  const Vec3 outward = rotate_inverse(pose.q, n);
  const StructureAt here = structure_at(fields.field(s.field), fields.samples, point + radius * outward, outward);
  out.friction *= here.factor;
  out.along *= here.factor;
  out.across *= here.factor;
  out.backward *= here.factor;
  if (out.kind == ConeKind::isotropic) return out;
  const Vec3 world = rotate(pose.q, here.direction), flat = world - dot(n, world) * n;
  const double size = norm(flat);
  if (size <= kEndGrain) {
    out.kind = ConeKind::isotropic;
    return out;
  }
  out.grain = (1 / size) * flat;
  return out;
}

}  // namespace

EntityPair ContactCones::first_meeting(const std::vector<int>& list, const Entities& entities, const CollisionFilter& filter) {
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

ContactCones::ContactCones(const World& world, const Entities& entities, const CollisionFilter& filter,
                           const ContactOptions& contact, const FrictionOptions& options)
    : implicit_(options.state == "implicit") {
  const auto& names = pairing_names();
  rule_ = static_cast<Pairing>(std::find(names.begin(), names.end(), contact.friction_pairing) - names.begin());
  std::vector<SurfaceFriction> surfaces;
  std::vector<StructureDescription> fields;
  std::map<std::string, int> field_of;
  std::vector<int> sectioned;
  std::vector<std::string> entity_names;
  const MaterialDescription plain;
  const auto add = [&](const std::string& name, const std::string& material) {
    const auto found = world.materials.find(material);
    const MaterialDescription& m = found == world.materials.end() ? plain : found->second;
    SurfaceFriction s;
    s.at = surface_of(m);
    s.speed = {m.surface.kinetic, m.surface.stribeck_speed, m.surface.viscous};
    speeds_ = speeds_ || m.surface.kinetic != 1 || m.surface.viscous != 0;
    const bool grid = m.surface.structure.kind == StructureDescription::Kind::grid;
    s.field = -1;
    if (s.at.kind != ConeKind::isotropic || grid) {
      any_ = true;
      const auto [at, fresh] = field_of.try_emplace(material, static_cast<int>(fields.size()));
      if (fresh) {
        fields.push_back(m.surface.structure);
        fields.back().signless = !has_section(s.at.kind);
      }
      s.field = at->second;
    }
    if (has_section(s.at.kind)) sectioned.push_back(static_cast<int>(surfaces.size()));
    surfaces.push_back(s);
    entity_names.push_back(name);
  };
  for (const BodyDescription& body : world.bodies) add(body.name, body.material);
  for (const ParticleDescription& particle : world.particles) add(particle.name, particle.material);
  sections_ = !sectioned.empty();
  if (const EntityPair pair = first_meeting(sectioned, entities, filter); pair.first >= 0)
    throw InputError("'" + entity_names[pair.first] + "' and '" + entity_names[pair.second] +
                     "' both have an asymmetric or polygon cone, and no rule pairs two of them: expected another cone for one of "
                     "them, or `collisions: {ignore: ...}` if they never touch");
  any_ = any_ || speeds_;
  implicit_ = implicit_ && speeds_;
  surface_ = to_device("surface_friction", surfaces);
  fields_ = StructureFields::of(fields);
}

void ContactCones::begin_step(const ContactSet& contacts, const Entities& entities, const State& state) {
  const int n = contacts.count;
  rows_.d1 = d1_.resize(n);
  rows_.d2 = d2_.resize(n);
  rows_.scale = scale_.resize(2 * n);
  rows_.friction = contacts.friction;
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
        },
        16);
    return;
  }
  rows_.friction = friction_.resize(n);
  rows_.at_rest = at_rest_.resize(n);
  if (sections_) rows_.section = section_.resize(std::max(n, 1));  // never empty: that would mean discs
  const ConeRows r = rows_;
  const View<SurfaceFriction> surface = surface_;
  const StructureFields fields = fields_;
  const SpeedFactor factor = speed_factor();
  const Pairing rule = rule_;
  const Entities all = entities;
  const State s = state;
  const bool sections = sections_, speeds = speeds_;
  parallel_for(
      "contact_cones", n,
      KOKKOS_LAMBDA(int i) {
        const int a = c.a(i), b = c.b(i);
        const Vec3 normal = c.normal(i);
        const Pose pa = side_pose(c.place_a, i, a, all.bodies, s.x, s.orientation),
                   pb = side_pose(c.place_b, i, b, all.bodies, s.x, s.orientation);
        const PairedCone cone = pair_cones(rule, touched(surface(a), fields, pa, c.point_a(i), c.radius_a(i), -normal),
                                           touched(surface(b), fields, pb, c.point_b(i), c.radius_b(i), normal), normal);
        r.d1(i) = cone.s1 * cone.t1;
        r.d2(i) = cone.s2 * cone.t2;
        r.scale(2 * i) = cone.s1;
        r.scale(2 * i + 1) = cone.s2;
        r.friction(i) = r.at_rest(i) = cone.friction;
        if (sections) r.section(i) = cone.section;
        if (!speeds) return;
        const Vec3 arm_a = rotate(pa.q, c.point_a(i)) - c.radius_a(i) * normal,
                   arm_b = rotate(pb.q, c.point_b(i)) + c.radius_b(i) * normal;
        const Vec3 v = tangential_velocity(side_twist(c.place_a, i, a, all.block_of, all.prescribed, s.u),
                                           side_twist(c.place_b, i, b, all.block_of, all.prescribed, s.u), arm_a, arm_b, normal);
        r.friction(i) *= factor(a, b, norm(v));
      },
      120);
}

}  // namespace clarke
