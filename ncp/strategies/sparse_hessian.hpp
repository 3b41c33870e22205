#pragma once
// What needs the explicit inverse of H, and so cannot be used where forces couple velocities
// (framework/force_items.hpp).

#include "framework/error.hpp"
#include "framework/system.hpp"

namespace clarke {

/// For strategies that sweep. Throws InputError where H is block-sparse.
inline void check_sparse_hessian(const SaddlePointSystem& system) {
  if (system.sparse_hessian())
    throw InputError(
        "-soft_form stiffness: elements are forces and no rows, so that H is not block diagonal, which sweeps over "
        "rows "
        "need: use -soft_form compliance, or neither -snes_type nsgs nor -newton_start_sweeps");
}

}  // namespace clarke
