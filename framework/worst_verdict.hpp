#pragma once
// The verdict of a step that was made in parts (stages, halves): of each residual the larger one; energies, momenta and
// penetration of the later part, which ends where the step ends: there overlap is measured from the poses. NaN counts
// as larger than any number.

#include "framework/report.hpp"

namespace clarke {

inline Verdict worst_verdict(const Verdict& earlier, Verdict later) {
  const auto larger = [](double a, double b) { return !(a <= b); };
  for (Residual Verdict::*const which :
       {&Verdict::momentum_residual, &Verdict::bilateral_violation, &Verdict::complementarity, &Verdict::cone_excess,
        &Verdict::desaxce_gap, &Verdict::natural_map, &Verdict::velocity_error})
    if (larger((earlier.*which).value, (later.*which).value)) later.*which = earlier.*which;
  for (double Verdict::*const which :
       {&Verdict::natural_map_relative, &Verdict::scaled_residual, &Verdict::strict_residual, &Verdict::impulse_growth})
    if (larger(earlier.*which, later.*which)) later.*which = earlier.*which;
  return later;
}

}  // namespace clarke
