#include "physics/register.hpp"

#include "framework/options.hpp"
#include "physics/cloth/cloth_options.hpp"
#include "physics/constraints/ball.hpp"
#include "physics/constraints/cylindrical.hpp"
#include "physics/constraints/distance.hpp"
#include "physics/constraints/gear.hpp"
#include "physics/constraints/hinge.hpp"
#include "physics/constraints/pin.hpp"
#include "physics/constraints/point_on_line.hpp"
#include "physics/constraints/point_on_plane.hpp"
#include "physics/constraints/slider.hpp"
#include "physics/constraints/universal.hpp"
#include "physics/constraints/weld.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "physics/contact/penalty_options.hpp"
#include "physics/description/polyhedra/frustum.hpp"
#include "physics/description/polyhedra/wedge.hpp"
#include "physics/friction/cones/asymmetric.hpp"
#include "physics/friction/cones/ellipse.hpp"
#include "physics/friction/cones/isotropic.hpp"
#include "physics/friction/cones/matchstick.hpp"
#include "physics/friction/cones/polygon.hpp"
#include "physics/friction/friction_cone_type.hpp"
#include "physics/joints/joint_relaxation.hpp"
#include "physics/joints/pools/pools.hpp"
#include "physics/materials/corotational.hpp"
#include "physics/materials/linear.hpp"
#include "physics/materials/neo_hookean.hpp"
#include "physics/materials/soft_material_of.hpp"
#include "physics/materials/st_venant_kirchhoff.hpp"
#include "physics/materials/stable_neo_hookean.hpp"
#include "physics/materials/stable_neo_hookean_log.hpp"
#include "physics/materials/strain_limited.hpp"
#include "physics/rigid/bodies.hpp"
#include "physics/volumes/laws/ideal_gas.hpp"
#include "physics/volumes/laws/incompressible.hpp"
#include "physics/volumes/laws/linear.hpp"
#include "physics/volumes/volume_law_of.hpp"

namespace clarke {

Registry<ConstraintType>& constraint_registry() {
  static Registry<ConstraintType> registry("constraint");
  return registry;
}

Registry<FrictionConeType>& friction_cone_registry() {
  static Registry<FrictionConeType> registry("friction_cone");
  return registry;
}

Registry<PolyhedronType>& polyhedron_registry() {
  static Registry<PolyhedronType> registry("polyhedron");
  return registry;
}

// materials/*.cpp
extern template class SoftMaterialOf<Corotational>;
extern template class SoftMaterialOf<Linear>;
extern template class SoftMaterialOf<NeoHookean>;
extern template class SoftMaterialOf<StVenantKirchhoff>;
extern template class SoftMaterialOf<StableNeoHookean>;
extern template class SoftMaterialOf<StableNeoHookeanLog>;
extern template class SoftMaterialOf<StrainLimited>;

Registry<SoftMaterial>& soft_material_registry() {
  static Registry<SoftMaterial> registry("soft_material");
  return registry;
}

Registry<VolumeLawType>& volume_law_registry() {
  static Registry<VolumeLawType> registry("volume_law");
  return registry;
}

namespace {

template <JointElement E>
void add_constraint(const char* citation) {
  add_joint_traits(E::kName, joint_traits_of<E>());
  constraint_registry().add(E::kName, E::kSummary, citation, [] { return std::make_unique<ConstraintTypeOf<E>>(); });
}

template <FrictionCone C>
void add_friction_cone(const char* citation) {
  friction_cone_registry().add(C::kName, C::kSummary, citation,
                               [] { return std::make_unique<FrictionConeTypeOf<C>>(); });
}

template <Polyhedron P>
void add_polyhedron(const char* citation) {
  polyhedron_registry().add(P::kName, P::kSummary, citation, [] { return std::make_unique<PolyhedronTypeOf<P>>(); });
}

template <Material M>
void add_soft_material(const char* citation) {
  soft_material_registry().add(M::kName, M::kSummary, citation, [] { return std::make_unique<SoftMaterialOf<M>>(); });
}

template <VolumeLaw L>
void add_volume_law(const char* citation) {
  volume_law_registry().add(L::kName, L::kSummary, citation, [] { return std::make_unique<VolumeLawTypeOf<L>>(); });
}

}  // namespace

void register_physics() {
  add_constraint<Ball>("Macklin 2020, ch. 2");
  add_constraint<Cylindrical>("");
  add_constraint<Distance>("Macklin 2020, ch. 2");
  add_constraint<Gear>("");
  add_constraint<Hinge>("Macklin 2020, ch. 2");
  add_constraint<Pin>("");
  add_constraint<PointOnLine>("");
  add_constraint<PointOnPlane>("");
  add_constraint<Slider>("");
  add_constraint<Universal>("");
  add_constraint<Weld>("Macklin 2020, ch. 2");

  add_polyhedron<Frustum>("");
  add_polyhedron<Wedge>("");

  add_friction_cone<Isotropic>("Coulomb 1785");
  add_friction_cone<Ellipse>("Goyal 1989; Macklin 2020, eq. 28");
  add_friction_cone<Matchstick>("Erleben Macklin Andrews Kry 2020");
  add_friction_cone<Asymmetric>("");
  add_friction_cone<Polygon>("Stewart Trinkle 1996");

  add_soft_material<Corotational>("Müller Gross 2004");
  add_soft_material<Linear>("");
  add_soft_material<NeoHookean>("Bonet Wood 2008, eq. 6.27");
  add_soft_material<StVenantKirchhoff>("Bonet Wood 2008, eq. 6.17");
  add_soft_material<StableNeoHookean>("Macklin 2020, app. B; after Smith de Goes Kim 2018");
  add_soft_material<StableNeoHookeanLog>("Smith de Goes Kim 2018");
  add_soft_material<StrainLimited>("Bouaziz Martin Liu Kavan Pauly 2014");

  add_volume_law<IdealGas>("Boyle 1662");
  add_volume_law<Incompressible>("");
  add_volume_law<LinearVolume>("");

  add_option_group<BodyOptions>("bodies", "mass and inertial forces of rigid bodies");
  add_option_group<DetectAgainOptions>("detect again", "contacts that are found at the end of a step");
  add_option_group<ContactOptions>("contact", "which pairs of surfaces become contacts");
  add_option_group<ComplianceOptions>("contact compliance", "how soft surfaces are");
  add_option_group<PenaltyOptions>("contact penalty", "contacts and friction without multipliers");
  add_option_group<JointRelaxationOptions>("joint relaxation", "how soft joints are that say nothing of it");
  add_option_group<FrictionOptions>("friction", "coefficients of a pair, and their change with the speed of sliding");
  add_option_group<RestitutionOptions>("restitution", "impacts at velocity level");
  add_option_group<SoftOptions>("soft bodies", "how elements become rows");
  add_option_group<StrainLimitOptions>("strain limit", "of soft bodies of the model strain_limited");
  add_option_group<ClothOptions>("cloth", "how triangles become rows");
  add_option_group<VolumeOptions>("volumes", "how pressures enter Newton's matrix");
  add_option_group<ContactSlop>("contact slop", "what rigid contacts keep of their gaps");
  add_option_group<NearRigidOptions>("near_rigid",
                                     "what rigid contacts give way, so that their forces have one answer");
  add_option_group<WarmStartOptions>("warm start", "how impulses are handed from step to step");
}

}  // namespace clarke
