#pragma once
// PC types of PETSc that want more than the matrix of a time step: a mesh, a structured grid, subdomains, parts that a
// program sets. Refused before the first step, since PETSc finds out in its middle and says it in its own terms.
//
// One table, by name: PETSc has no way to ask a type what it needs.

#include <petscpc.h>

#include <string>

namespace clarke {

/// What the type of `pc` lacks here, and what to take instead; "" where it lacks nothing.
std::string missing_for(PC pc);

/// Preconditioners of PETSc that are not symmetric, for methods that need one that is.
bool is_unsymmetric_pc(const std::string& type);

/// Whether a preconditioner keeps more from one set-up to the next than the pattern tells: interpolations, random
/// vectors. What a step begins with would then hang on all steps before it, and a restart could not repeat it.
bool keeps_memory(PC pc);

}  // namespace clarke
