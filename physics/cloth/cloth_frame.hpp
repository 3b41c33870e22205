#pragma once
// A cloth as a picture, beside soft bodies: per node the displacement, per triangle the strain of its area and its
// stress.
//
//   strain of the area   s₁ s₂ − 1
//   Cauchy stress        [Pa] σ_i = s_i Ψ_i/(s₁ s₂ s₃),   von Mises √(σ₁² − σ₁σ₂ + σ₂²); NaN where a triangle is a line
//   quality              4 √3 A/Σ |edge|²: 1 for an equilateral triangle, 0 for a line

#include "framework/frame.hpp"
#include "physics/description/world.hpp"

namespace clarke {

/// `x`, `v`: positions and velocities of the particles of the world (all of them, in order).
FrameSoft cloth_frame(const ClothDescription& cloth, const std::vector<Vec3>& x, const std::vector<Vec3>& v);

}  // namespace clarke
