#pragma once
// Between PETSc's vectors of a Newton step, scaled as in system.hpp, and what the reduced system is solved for
// (reduced_system.hpp). Islands on which Newton has ended take no step: nothing on the right, nothing comes out.

#include "framework/system.hpp"

namespace clarke {

/// r_u from the right-hand side x.
void unscale_momentum(const SaddlePointSystem& system, const View<double>& x, const View<Vec3>& r_u);
/// s from it.
void unscale_rows(const SaddlePointSystem& system, const View<double>& x, const View<double>& s);
/// du = T⁻¹ y of the motion y that the system was solved for.
void motion_to_velocity(const SaddlePointSystem& system, const View<Vec3>& motion, const View<Vec3>& velocity);

}  // namespace clarke
