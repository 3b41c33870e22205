#pragma once
// The friction cones of all contacts of a step: from the surfaces' structure at the points of contact to tangents,
// scales and coefficients of the rows [docs/theory.md, eqs. F4 to F8].
//
//   rows     d_i = s_i t_i,   J' = diag(1, s1, s2) J,   Λ_f = s_i Λ'_i,   v'_i = s_i v_i
//            Λ_f in the ellipse with μ_i = μ0 s_i  ⇔  |Λ'_f| ≤ μ0 Λ_n,     v·Λ_f = v'·Λ'_f
// so the quadratic cones are discs to every law, strategy and problem file, with the same minimum of v·Λ_f, and JᵀΛ is
// right by construction. Whoever wants the world's friction impulse takes Σ Λ'_i d_i, and the world's slip Σ v'_i/s_i²
// d_i. Fixed in the step: tangents, scales, sections, and the coefficient unless -friction_state implicit.
//
// Isotropic surfaces have the tangents and coefficients they always had, bit for bit.

#include "framework/options.hpp"
#include "framework/state.hpp"
#include "physics/collision/collision_filter.hpp"
#include "physics/collision/contact_set.hpp"
#include "physics/description/world.hpp"
#include "physics/friction/field_meshes.hpp"
#include "physics/friction/pairing.hpp"
#include "physics/friction/static_kinetic.hpp"
#include "physics/friction/structure_field.hpp"

namespace clarke {

struct FrictionOptions {
  std::string pairing = "geometric_mean";
  std::string state = "lagged";
  void describe(OptionVisitor& v) {
    v.choice("friction_pairing", pairing, pairing_names(),
             {"", "friction coefficient of two surfaces from their own coefficients"});
    v.choice("friction_state", state, {"lagged", "implicit"},
             {"",
              "static_kinetic: the coefficient of the speed of sliding at the start of the step (lagged) or at its end "
              "(implicit)"});
  }
};

/// A surface as kernels see it, per entity.
struct SurfaceFriction {
  SurfaceAt at;  // without grain and factor
  StaticKinetic speed;
  int field = 0;
};

/// A place on a surface, to ask what is there.
struct SurfacePlace {
  int entity;
  Vec3 point, normal;  // in the frame of the body, outward; of a node of a deforming surface nothing
  MeshPoint at;        // where the surface is a mesh
};

/// What the rows of the contacts need of their cones.
struct ConeRows {
  View<Vec3> d1, d2;              // s_i t_i
  View<double> scale;             // s1, s2 per contact
  View<double> friction;          // μ0, with the factor of static_kinetic
  View<double> at_rest;           // μ0 without it; empty where no surface has such a factor
  View<FrictionSection> section;  // empty where all are discs

  /// μ0 of contact i where that factor is `speed_factor`.
  KOKKOS_INLINE_FUNCTION double sliding(int i, double speed_factor) const { return at_rest(i) * speed_factor; }
};

class ContactFriction {
 public:
  /// Throws InputError for surfaces that no rule pairs and that `filter` lets touch, and for values per vertex that do
  /// not fit their mesh.
  ContactFriction(const World& world, const Entities& entities, const CollisionFilter& filter,
                  const FrictionOptions& options);

  /// Cones of the contacts at the configuration and velocity of `state`.
  void begin_step(const ContactSet& contacts, const Entities& entities, const State& state);

  const ConeRows& rows() const { return rows_; }
  /// Some surface has a cone or a field.
  bool structured() const { return any_fields_; }
  /// Of an entity.
  bool structured(int entity) const { return !has_field_.empty() && has_field_[entity]; }
  /// The direction of this entity's field is not the same everywhere.
  bool varies(int entity) const { return structured(entity) && varies_[entity]; }
  /// What the surfaces say at these places: coefficients, and the grain in the frame of the body, of a deforming
  /// surface in the world, its nodes at x.
  std::vector<SurfaceAt> at(const std::vector<SurfacePlace>& places, const View<Vec3>& x) const;
  /// The place at the middle of triangle k of a body whose mesh has values per vertex; count 0 for other bodies.
  MeshPoint triangle_place(int entity, int triangle) const;
  /// The place of a node; count 0 where its surface has no field.
  MeshPoint node_place(int entity) const;
  /// Some contact may have a cone that is no disc.
  bool sections() const { return sections_; }
  /// The coefficients follow the speed within the step.
  bool implicit() const { return implicit_; }
  /// Factor of a pair at a speed of sliding; for kernels.
  struct SpeedFactor {
    View<SurfaceFriction> surface;
    Pairing rule;
    KOKKOS_INLINE_FUNCTION double operator()(int a, int b, double v) const {
      return pair_coefficient(rule, surface(a).speed(v), surface(b).speed(v));
    }
  };
  SpeedFactor speed_factor() const { return {surface_, rule_}; }

  // Public: device lambdas may not live in private members.
  /// The first two of these entities that may touch, one of which can move; {-1, -1} if none.
  static EntityPair first_meeting(const std::vector<int>& list, const Entities& entities,
                                  const CollisionFilter& filter);

 private:
  bool any_ = false, sections_ = false, speeds_ = false, implicit_ = false;
  Pairing rule_ = Pairing::geometric_mean;
  bool any_fields_ = false;
  std::vector<char> has_field_, varies_;  // per entity; empty: none
  View<SurfaceFriction> surface_;
  StructureFields fields_;
  WorldMeshes world_meshes_;
  std::vector<char> wanted_;  // per mesh
  FieldMeshes meshes_;
  ConeRows rows_;
  Buffer<Vec3> d1_{"cone_d1"}, d2_{"cone_d2"};
  Buffer<double> scale_{"cone_scale"}, friction_{"cone_friction"}, at_rest_{"cone_friction_at_rest"};
  Buffer<FrictionSection> section_{"cone_section"};
};

/// Slip velocity of a contact in the tangent plane of n [m/s].
KOKKOS_INLINE_FUNCTION Vec3 tangential_velocity(const Twist& a, const Twist& b, const Vec3& arm_a, const Vec3& arm_b,
                                                const Vec3& n) {
  const Vec3 v = a.v + cross(a.w, arm_a) - b.v - cross(b.w, arm_b);
  return v - dot(n, v) * n;
}

}  // namespace clarke
