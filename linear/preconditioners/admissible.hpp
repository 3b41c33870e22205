#pragma once
// Which combinations of law, form, Krylov method and preconditioner cannot work. Asked before the first step; what is
// said is for the user.

#include "linear/preconditioners/reduction.hpp"

#include <string>

namespace clarke {

/// Whether the form has to be a matrix with entries for the PC of `inner`.
bool needs_assembled(const SystemOptions& options, KSP inner);
/// Whether the PC of `inner` is a factorisation that PETSc has for dense matrices, too.
bool factorises_dense(KSP inner);
/// Why a combination is inadmissible; "" when it is fine. `hessian`: the solver of H where the Schur form needs one,
/// else nullptr. `row_writer`: as in LinearExchange.
std::string inadmissible(const SystemOptions& options, KSP inner, KSP hessian, const SaddlePointSystem& system,
                         const std::string& row_writer);

}  // namespace clarke
