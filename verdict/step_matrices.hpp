#pragma once
// The matrices of a step on the host, for questions that are asked now and then and for files: never inside a solver.

#include "framework/system.hpp"
#include "verdict/rigid_rows.hpp"

namespace clarke {

/// J, rows × 3 velocity blocks; entries that are zero are left out, columns ascend.
RowMatrix step_jacobian(const SaddlePointSystem& system);
/// R, what stands in the place of Jᵀ transposed: J itself unless the Delassus operator is given.
RowMatrix step_transpose(const SaddlePointSystem& system);
/// H at the last linearisation, with its blocks off the diagonal where forces couple velocities.
RowMatrix step_hessian(const SaddlePointSystem& system);
/// Blocks on the diagonal, as M has them, symmetric to the last bit: world-frame inertias R I Rᵀ round differently on
/// their two sides.
RowMatrix block_diagonal(const View<Mat3>& blocks);
/// Block diagonal L with L Lᵀ = M⁻¹, and M⁻¹ itself.
struct MassRoots {
  RowMatrix root, inverse;
};
MassRoots mass_roots(const SaddlePointSystem& system);
/// A and B of the last linearisation in the frame of the rows, not turned: dF = A J du + B dΛ.
struct RowBlocks {
  RowMatrix A, B;
};
RowBlocks row_blocks(const SaddlePointSystem& system);

}  // namespace clarke
