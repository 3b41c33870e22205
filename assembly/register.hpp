#pragma once

namespace clarke {

/// Registers everything of the program once: physics, ncp, linear, integrators, builders, presets. Later calls do
/// nothing. PETSc must be initialised, because solver types are registered with it.
void register_all();

}  // namespace clarke
