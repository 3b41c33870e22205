#pragma once
// How rows of enclosed volumes enter Newton's matrix [docs/theory.md, eqs. B5, B6].
//
//   row      J Δu − γ ΔΛ = −v: with the row eliminated, H + (b/γ) Jᵀ J, the whole Hessian of the stored energy
//   sparse   −γ ΔΛ = −v: the pressure follows the volume one iterate late, and what is left of the Hessian is p ∂²V,
//            with -geometric_stiffness full. What is solved is the same; what is rigid has no γ, and is refused.

#include "framework/options.hpp"

namespace clarke {

struct VolumeOptions {
  std::string tangent = "row";
  void describe(OptionVisitor& v) {
    v.choice("volume_tangent", tangent, {"row", "sparse"},
             {"",
              "pressures in Newton's matrix: as rows, or without their change by the motion, the sparse approximation "
              "of the Hessian of enclosed volumes"});
  }
};

}  // namespace clarke
