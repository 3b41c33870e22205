#pragma once
// PC type `reduction`: solves Newton's unsymmetric system by condensing it (reduced_system.hpp), putting it into the
// form asked for (-system_form schur | saddle | stiffness, matrix-free or assembled) and handing that to one inner KSP
// without option prefix. So `-ksp_type cr` or `-ksp_type preonly -pc_type cholesky` mean the same under every SNES
// type.
//
// Its application context is the SaddlePointSystem. Right-hand side and solution are PETSc's scaled x = (u, Λ), with
// F = (S_u g, −S_h F_rows). Iterations, residuals and reasons are reported in SaddlePointSystem::linear.
//
// Reasons: a used-up budget (DIVERGED_ITS) is no failure; indefiniteness found by PETSc's `cr` at rounding level ends
// the solve and is counted; everything else fails the preconditioner, and with it the Newton step.

#include "framework/options.hpp"
#include "linear/reduced_system.hpp"

#include <petscksp.h>

namespace clarke {

struct SystemOptions {
  std::string form = "schur";
  std::string assembled = "auto";
  std::string schur_diagonal = "blocks";
  int dense_size = 60;
  RegularisationOptions shift;
  void describe(OptionVisitor& v) {
    v.choice("system_form", form, {"schur", "saddle", "stiffness"},
             {"",
              "form of the linear system: schur (J H⁻¹ Jᵀ + C; a block-sparse H is solved with inside by a KSP with "
              "the prefix hessian_), "
              "saddle, stiffness (H + Jᵀ C⁻¹ J)"});
    v.choice("system_assembled", assembled, {"auto", "true", "false"},
             {"", "assemble the matrix: auto does when the preconditioner needs entries"});
    v.choice("system_schur_diagonal", schur_diagonal, {"blocks", "exact"},
             {"",
              "diagonal of the Schur form for jacobi and block_jacobi where H is block-sparse (-soft_form stiffness): "
              "of the "
              "diagonal blocks of H, or exact by a solve with H per row"});
    v.integer(
        "system_dense_size", dense_size,
        {"1",
         "assembled systems of at most this size are dense matrices, which LAPACK factorises: with -pc_type lu or "
         "cholesky of PETSc's own; 0: none",
         0});
    shift.describe(v);
  }
};

/// Relative residual below which indefiniteness is rounding, not a property of the matrix.
inline constexpr double kIndefiniteAtRounding = 1e-7;

/// The inner KSP of a PC of this type; nullptr for any other.
KSP reduction_inner(PC pc);
/// The KSP that solves with H where the Schur form needs one (prefix hessian_); else nullptr.
KSP reduction_hessian(PC pc);

/// Registers the type; called by register_linear().
PetscErrorCode register_reduction();

}  // namespace clarke
