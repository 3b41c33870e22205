#pragma once
// Friction cones: the set that the friction impulse Λ_f of a contact must be in, from which it takes what dissipates
// most [docs/theory.md, eqs. F4, F5].
//
//   ψ(Λ_f; Λ_n) = Λ_n − g(Λ_f) ≥ 0        g the gauge of a convex section with the coefficients as its size; ψ in N s
//   Λ_f = argmin v_t·Λ_f over ψ ≥ 0       so the power is −Λ_n σ(−v_t), σ the support function of the section
//
// A cone is a plain struct in its own axes (t, b): coefficients as members, and pure functions
//   ψ, its gradient and Hessian where Λ_f ≠ 0, off corners; Π(p; Λ_n) the nearest point; σ(w) and where it is reached.
// Laws do not call them: what reaches a law is a disc, by scaled rows (contact_friction.hpp), or a FrictionSection,
// made of what the cone says of its surface. They are the cone's definition, against which the property suite holds
// both.

#include "framework/math/vec3.hpp"
#include "framework/sets/friction_section.hpp"

#include <array>
#include <concepts>

namespace clarke {

struct Pair2 {
  double x = 0, y = 0;
};

/// What pairing (pairing.hpp) makes of the cone of a surface.
enum class ConeForm { disc, ellipse, matchstick, section };

/// A surface where it touches: coefficients with the field's factor in them, and the direction of its grain in the
/// tangent plane.
struct SurfaceAt {
  ConeForm form = ConeForm::disc;
  double friction = 0.5;             // disc; polygon: its size; where two grains cross
  double along = 0.5, across = 0.5;  // ellipse, matchstick
  FrictionSection section{};         // section: quarters with coefficients for semi-axes, or a polygon of size one.
                                     // In the axes of the force on what slides over the surface: along the grain, to
                                     // its left seen from outside
  Vec3 grain{};                      // unit, world; of a disc nothing

  /// ln m(e) is linear in the square of the cosine between e and the grain.
  KOKKOS_INLINE_FUNCTION double coefficient(const Vec3& e) const {
    if (form != ConeForm::ellipse && form != ConeForm::matchstick) return friction;
    const double c = dot(e, grain);
    return std::exp(c * c * std::log(along) + (1 - c * c) * std::log(across));
  }
  /// Coefficients at a place where the field has this factor.
  KOKKOS_INLINE_FUNCTION void scale(double factor) {
    friction *= factor;
    along *= factor;
    across *= factor;
    if (section.kind != SectionKind::quarters) return;
    section.a_plus *= factor;
    section.a_minus *= factor;
    section.b_plus *= factor;
    section.b_minus *= factor;
  }
};

/// A number of a cone as a scene gives it.
struct ConeKey {
  const char* name;
  const char* help;
  double least;  // exclusive
  bool whole = false;
};
/// Those of a cone, in the order of its keys.
using ConeNumbers = std::array<double, 4>;

template <class C>
concept FrictionCone = requires(const C c, Pair2 p, double ln) {
  { C::kName } -> std::convertible_to<const char*>;
  { C::kSummary } -> std::convertible_to<const char*>;
  { C::of(ConeNumbers{}, ln) } -> std::same_as<C>;  // from what a scene says, and the material's coefficient
  { c.surface() } -> std::same_as<SurfaceAt>;       // its coefficients, without a grain
  { c.psi(p, ln) } -> std::convertible_to<double>;
  { c.gradient(p) } -> std::same_as<Pair2>;
  { c.hessian(p) } -> std::same_as<std::array<double, 3>>;  // xx, xy, yy
  { c.project(p, ln) } -> std::same_as<Pair2>;
  { c.support(p) } -> std::convertible_to<double>;
  { c.maximiser(p) } -> std::same_as<Pair2>;
};

}  // namespace clarke
