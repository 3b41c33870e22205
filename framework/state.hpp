#pragma once
// Configuration and velocity of everything that can move, as plain structs of Views.
//
// An **entity** is a rigid body or a particle: entities 0 … bodies-1 are bodies, the rest particles. Bodies have an
// orientation, particles do not. A **velocity block** is one 3-vector of u: a particle has one (v of its position),
// a dynamic rigid body two in a row (v of the centre of mass, then ω in the world frame). Static bodies and bodies with
// prescribed motion have none; their velocity is data.

#include "framework/device.hpp"

namespace clarke {

template <class T>
struct PoseT {
  Vec3T<T> x;  // [m] centre of mass (body) or position (particle)
  QuatT<T> q;  // body to world; identity for particles
};
using Pose = PoseT<double>;

struct Twist {
  Vec3 v;  // [m/s] of the centre of mass
  Vec3 w;  // [rad/s] world frame
};

/// Which velocity blocks an entity owns; -1 where it owns none.
struct EntityBlocks {
  int v = -1;  // translational block
  int w = -1;  // rotational block
};

/// Fixed for the whole run.
struct Entities {
  int bodies = 0;               // entities 0 … bodies-1 have an orientation
  int count = 0;                // bodies + particles
  int blocks = 0;               // velocity blocks; u has 3 × blocks scalars
  View<EntityBlocks> block_of;  // per entity
  View<Twist> prescribed;       // per entity: velocity during this step where block_of has none (0 when static)
};

/// Everything that changes from step to step.
struct State {
  double t = 0;            // [s]
  View<Vec3> x;            // per entity [m]
  View<Quat> orientation;  // per body
  View<Vec3> u;            // per velocity block [m/s, rad/s]
};

KOKKOS_INLINE_FUNCTION Pose pose_of(int entity, int bodies, const View<Vec3>& x, const View<Quat>& orientation) {
  return {x(entity), entity < bodies ? orientation(entity) : Quat{}};
}

KOKKOS_INLINE_FUNCTION Twist twist_of(int entity, const View<EntityBlocks>& block_of, const View<Twist>& prescribed,
                                      const View<Vec3>& u) {
  const EntityBlocks b = block_of(entity);
  if (b.v < 0) return prescribed(entity);
  return {u(b.v), b.w < 0 ? Vec3{} : u(b.w)};
}

/// What rigid rows ask of the end of a step. Position level: c(q⁺)/b. Velocity level: J u⁺ + β c(q⁻)/h, and contacts
/// have restitution.
struct RowLevel {
  bool velocity = false;
  double stabilisation = 0;  // β [1]
};

/// What is fixed while one step is solved. Stage configuration: q⁺ = q̂ + b G(q̂) u⁺ (implicit Euler: q̂ = q⁻, b = h).
struct StepContext {
  double t = 0;  // [s] at the start of the step
  double h = 0;  // [s] step length
  double b = 0;  // [s] ∂q⁺/∂u of the integrator's stage
  int step = 0;  // 1 for the first
  RowLevel level{};

  /// When forces that depend on time are taken: at the stage [s].
  KOKKOS_INLINE_FUNCTION double stage_time() const { return t + b; }
  /// Share of u⁺ in the mean velocity of the stage.
  KOKKOS_INLINE_FUNCTION double implicitness() const { return b / h; }
};

}  // namespace clarke
