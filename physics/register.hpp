#pragma once

#include "physics/joints/constraint_type.hpp"
#include "physics/soft/material_type.hpp"

namespace clarke {

/// Registers constraints and the options of bodies and contact detection; called once by register_all().
void register_physics();

}  // namespace clarke
