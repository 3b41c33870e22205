#pragma once
// SNES type `nsgs`: nonsmooth Gauss-Seidel, or non-smooth contact dynamics' own solver, on the step's linearisation
// [Jourdan Alart Jean 1998; Jean 1999; docs/theory.md, eq. D1].
//
//   repeat  F = F(x);  test;  linearise at x;  x ← x after -nsgs_sweeps Gauss-Seidel sweeps (gauss_seidel_sweeps.hpp)
//
// -snes_max_it counts linearisations: J and gaps are taken anew after each round of sweeps. No linear system is solved,
// so options of KSP and PC have no part in it; nor have contact law, NCP function, friction map and r-factor, because
// the local solver solves Coulomb's law itself. The number of sweeps is reported as linear iterations.

#include "ncp/strategies/gauss_seidel_sweeps.hpp"

#include <petscsnes.h>

namespace clarke {

/// Registers the type; called by register_ncp().
void register_nsgs();

}  // namespace clarke
