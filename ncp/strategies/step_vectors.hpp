#pragma once
// Vectors (u, Λ) of a step of which a strategy moves the velocities by themselves.

#include "framework/petsc_views.hpp"
#include "framework/system.hpp"

namespace clarke {

/// out = (base + du, r) of at = (du, r).
void place(const SaddlePointSystem& system, Vec base, Vec at, Vec out);
/// The velocities of x become u; its impulses stay.
void set_velocity(const SaddlePointSystem& system, Vec x, const View<Vec3>& u);
/// to = from − a y in the velocities; impulses stay.
void take(const SaddlePointSystem& system, Vec from, Vec y, double a, Vec to);
/// motion = T du, T the turns of G3; 1 where it has no size.
void along_motion(const View<Vec3>& du, const View<Mat3>& turn, const View<Vec3>& motion);
void clear_velocity(const SaddlePointSystem& system, Vec x);

/// Largest component of M⁻¹ g [m/s]; infinite where one is NaN, as of elements turned inside out.
double largest_velocity(const SaddlePointSystem& system, const View<Vec3>& momentum);

}  // namespace clarke
