#pragma once
// The nearest configuration on the joints: the iteration of assembly/initial_configuration.hpp.

#include "assembly/initial_configuration.hpp"
#include "framework/state.hpp"

namespace clarke {

/// Moves `state` until the rigid rows hold to rounding or no step takes the violation further down; what is left is in
/// the report. `names` per entity.
InitialProjection project_onto_joints(JointConfiguration& joints, const Entities& entities, State& state,
                                      const std::vector<std::string>& names);

}  // namespace clarke
