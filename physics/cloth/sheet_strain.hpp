#pragma once
// Green's strain of a triangle of a cloth as three rows [docs/theory.md, eq. E27].
//
//   f_j = Σ_a b_aj x_a,  j = 1, 2      columns of F (3 × 2), b_a [1/m] the gradients of the shape functions at rest
//   E_ij = ½ (f_i·f_j − δ_ij)
//   c = ℓ (E₁₁ + E₂₂, E₁₁ − E₂₂, 2 E₁₂)/√2   [m],  ℓ = √A
//   ∂E_ij/∂x_a = ½ (b_ai f_j + b_aj f_i)
//
// With these rows the energy of a St. Venant-Kirchhoff sheet is a sum of squares,
//   V (μ tr E² + ½ λ' tr²E) = Σ ½ k_r c_r²
//   k = 2 V/ℓ² (μ + λ', μ, μ)   [N/m],  λ' = E ν/(1 − ν²) that of plane stress, V = t A
// so each row has a stiffness of its own and nothing couples them. What moves the sheet across itself is the geometric
// stiffness of their impulses [eq. G3].
//
// Limits: strain that is quadratic in F does not know a triangle that is turned inside out in its own plane.

#include "physics/constraints/constraint_element.hpp"
#include "physics/soft/rows/elastic_rows.hpp"

#include <numbers>

namespace clarke {

struct SheetStrain {
  static constexpr int kRows = 3, kFrames = 3;
  static constexpr bool kNeedsOrientation = false;
  static constexpr const char* kName = "sheet_strain";
  static constexpr const char* kSummary = "Green's strain of a triangle of a cloth; three rows";

  /// Throws InputError for an integrator at velocity level, as other forms of cloth do.
  static void check_step(const StepContext& context) { refuse_velocity_level(context, "cloth"); }

  double gradient[3][2];  // b_a [1/m]
  double size;            // ℓ [m]

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&p)[kFrames], T (&c)[kRows],
                                       Vec3T<T> (&J)[kRows][2 * kFrames]) const {
    Vec3T<T> f1{}, f2{};
    for (int a = 0; a < 3; ++a) {
      f1 += T(gradient[a][0]) * p[a].x;
      f2 += T(gradient[a][1]) * p[a].x;
    }
    const double scale = size / std::numbers::sqrt2;
    const T e11 = T(0.5) * (norm2(f1) - T(1)), e22 = T(0.5) * (norm2(f2) - T(1)), twice_e12 = dot(f1, f2);
    c[0] = T(scale) * (e11 + e22);
    c[1] = T(scale) * (e11 - e22);
    c[2] = T(scale) * twice_e12;
    for (int a = 0; a < 3; ++a) {
      const Vec3T<T> d11 = T(scale * gradient[a][0]) * f1, d22 = T(scale * gradient[a][1]) * f2;
      J[0][2 * a] = d11 + d22;
      J[1][2 * a] = d11 - d22;
      J[2][2 * a] = T(scale * gradient[a][0]) * f2 + T(scale * gradient[a][1]) * f1;
      for (int r = 0; r < kRows; ++r) J[r][2 * a + 1] = {};
    }
  }
};

}  // namespace clarke
