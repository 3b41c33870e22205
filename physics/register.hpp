#pragma once

#include "framework/registry.hpp"
#include "physics/constraints/constraint_pool.hpp"

namespace clarke {

Registry<ConstraintType>& constraint_registry();

/// Registers constraints and the options of bodies and contact detection; called once by register_all().
void register_physics();

}  // namespace clarke
