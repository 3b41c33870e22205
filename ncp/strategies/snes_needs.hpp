#pragma once
// SNES types of PETSc that want more of a problem than a time step has: refused before PETSc sees them, since some of
// them end in a crash there (`qn`, `aspin`) and the others in an error without a hint.
//
// One table, by name: PETSc has no way to ask a type what it needs, and creating `aspin` without subdomains is what
// crashes.

#include "ncp/strategies/strategy_traits.hpp"

namespace clarke {

/// Throws InputError for a -snes_type, of whatever prefix (-npc_…, -npc_npc_…), that cannot work here, with what it
/// lacks.
void check_snes_needs();
/// Traits of a type of PETSc.
StrategyTraits petsc_traits(const std::string& type);

}  // namespace clarke
