#pragma once
// The trapezoidal rule for all forces but those of contacts, which act as they are at the end of the step
// [docs/theory.md, eq. T3]:
//
//   b = h/2,   û = u⁻ + b a⁻,   q̂ = q⁻ + b u⁻,   M (u − û) = b f(q, u) + h f_c(q, u)
//
// a⁻ is u̇⁻ less the part of contacts. What lies on a spring of its own rests there, and closing or opening a contact
// gains no energy; where nothing touches it is the trapezoidal rule, which damps nothing. Of first order while contacts
// act. Limits: those of the trapezoidal rule. Source: the trapezoidal rule of Li et al. 2020, there with f_c of weight
// h/2.

#include "integrators/trapezoidal.hpp"

namespace clarke {

struct ContactImplicitTrapezoidal {
  static constexpr const char* kName = "contact_implicit_trapezoidal";
  static constexpr const char* kSummary = "trapezoidal rule, contacts by implicit Euler: gains no energy at contacts";
  static constexpr const char* kWarning =
      "warning: -integrator contact_implicit_trapezoidal damps nothing but contacts: what h does not resolve rings on; "
      "tr_bdf2 and sdirk2 are of second order, too";
  static constexpr bool kRigidRows = false;
  static constexpr double kContactWeight = 2;

  static std::vector<Stage> stages(double h, const StepHistory& last) { return Trapezoidal::stages(h, last); }
};

}  // namespace clarke
