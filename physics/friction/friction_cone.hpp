#pragma once
// Friction cones: the set that the friction impulse Λ_f of a contact must be in, from which it takes what dissipates
// most [docs/theory.md, eqs. F4, F5].
//
//   ψ(Λ_f; Λ_n) = Λ_n − g(Λ_f) ≥ 0        g the gauge of a convex section with the coefficients as its size; ψ in N s
//   Λ_f = argmin v_t·Λ_f over ψ ≥ 0       so the power is −Λ_n σ(−v_t), σ the support function of the section
//
// A cone is a plain struct in its own axes (t, b): coefficients as members, and pure functions
//   ψ, its gradient and Hessian where Λ_f ≠ 0, off corners; Π(p; Λ_n) the nearest point; σ(w) and where it is reached.
// Laws do not call them: what reaches a law is a disc, by scaled rows (contact_friction.hpp), or a FrictionSection.
// They are the cone's definition, against which the property suite holds both.

#include "framework/math/vec3.hpp"
#include "framework/sets/friction_section.hpp"

#include <array>
#include <concepts>

namespace clarke {

struct Pair2 {
  double x = 0, y = 0;
};

/// Kinds of surfaces, as kernels see them.
enum class ConeKind { isotropic, ellipse, matchstick, asymmetric, polygon };

/// A number of a cone as a scene gives it.
struct ConeKey {
  const char* name;
  const char* help;
  double least;  // exclusive
};

template <class C>
concept FrictionCone = requires(const C c, Pair2 p, double ln) {
  { C::kName } -> std::convertible_to<const char*>;
  { C::kSummary } -> std::convertible_to<const char*>;
  { C::kKind } -> std::convertible_to<ConeKind>;
  { c.psi(p, ln) } -> std::convertible_to<double>;
  { c.gradient(p) } -> std::same_as<Pair2>;
  { c.hessian(p) } -> std::same_as<std::array<double, 3>>;  // xx, xy, yy
  { c.project(p, ln) } -> std::same_as<Pair2>;
  { c.support(p) } -> std::convertible_to<double>;
  { c.maximiser(p) } -> std::same_as<Pair2>;
};

}  // namespace clarke
