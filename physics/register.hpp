#pragma once

#include "physics/joints/constraint_type.hpp"
#include "physics/soft/material_type.hpp"

namespace clarke {

Registry<ConstraintType>& constraint_registry();
Registry<SoftMaterial>& soft_material_registry();

/// Registers constraints and the options of bodies and contact detection; called once by register_all().
void register_physics();

}  // namespace clarke
