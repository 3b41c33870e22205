#pragma once
// Velocity components that are prescribed, for who solves in the velocity alone: mass modification [Baraff Witkin 1998;
// docs/theory.md, eq. D11].
//
//   block b keeps S_b = 1 − Σ n nᵀ of an increment, and z_b = Σ n (w_n − n·u) is given       n orthonormal, at most 3
//
// S is 0 where all is prescribed, 1 − n nᵀ on a plane, d dᵀ along a line, 1 of what is free. S z = 0.

#include "framework/device.hpp"

namespace clarke {

struct VelocityFilter {
  View<Mat3> keep;   // S, per velocity block
  View<Vec3> given;  // z [m/s]

  bool empty() const { return keep.extent(0) == 0; }
  /// r ← S r, of 3 numbers per block.
  void apply(const View<double>& r) const {
    const View<Mat3> S = keep;
    const View<double> x = r;
    parallel_for(
        "velocity_filter", static_cast<int>(S.extent(0)),
        KOKKOS_LAMBDA(int b) {
          const Vec3 kept = S(b) * Vec3{x(3 * b), x(3 * b + 1), x(3 * b + 2)};
          for (int k = 0; k < 3; ++k) x(3 * b + k) = kept[k];
        },
        15);
  }
  void apply(const View<Vec3>& r) const {
    const View<Mat3> S = keep;
    const View<Vec3> x = r;
    parallel_for(
        "velocity_filter", static_cast<int>(S.extent(0)), KOKKOS_LAMBDA(int b) { x(b) = S(b) * x(b); }, 15);
  }
};

/// Under which a matrix of PETSc has the VelocityFilter of its unknowns, in a PetscContainer.
inline constexpr const char* kVelocityFilter = "ClarkeVelocityFilter";

}  // namespace clarke
