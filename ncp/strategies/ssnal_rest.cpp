#include "framework/petsc_views.hpp"
#include "ncp/strategies/ssnal_iteration.hpp"

#include <algorithm>

namespace clarke {

namespace {

constexpr double kPolished = 1e-3;  // of the tolerance: nearer than that nothing is gained

}  // namespace

PetscErrorCode Ssnal::calm(SNES snes) {
  Vectors v{};
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  const bool echoes = std::exchange(stirred_, false) && options.polish && !solver.interim_solve();
  if (!echoes || snes->reason != SNES_CONVERGED_FNORM_ABS) PetscFunctionReturn(0);
  const ProximalRows::NaturalMap error = natural_map(solver, snes->vec_sol);
  if (!may_polish(solver.problem().system(), error, kPolished * snes->abstol)) PetscFunctionReturn(0);
  PetscCall(make_vectors(snes, &v));
  PetscCall(begin_solving(snes));
  begin(solver, v, snes->vec_sol, 0);
  PetscCall(polish(snes, v, first_epsilon(error.largest()), error, 0, &stirred_));
  PetscFunctionReturn(0);
}

PetscErrorCode Ssnal::polish(SNES snes, const Vectors& v, double epsilon, const ProximalRows::NaturalMap& error,
                             PetscInt made, bool* helped) {
  Vec X = snes->vec_sol;
  PetscInt steps = 0;
  bool solved = false;
  ProximalRows::NaturalMap reached = error;
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  const SaddlePointSystem& system = solver.problem().system();
  if (!may_polish(system, error, kPolished * snes->abstol)) PetscFunctionReturn(0);
  PetscCall(VecCopy(X, v.start));  // v.best may be written to by accept()
  PetscCall(VecCopy(X, v.now));
  linearise(solver, X);
  rebase(solver, v);
  snes->reason = SNES_CONVERGED_ITERATING;
  PetscCall(proximal_step(snes, v, {epsilon, 0}, options.reduction * wanted(system, error, 0),
                          std::max(options.easy, 1), &steps, &solved));
  if (solved) PetscCall(accept(snes, v, made + steps, &reached, &solved));
  // The test is of the verdict's error, which may grow where the largest natural map falls.
  const bool kept = solved && snes->reason == SNES_CONVERGED_FNORM_ABS && reached.largest() < error.largest();
  if (helped) *helped = kept;
  if (!kept) {
    PetscCall(VecCopy(v.start, X));
    PetscCall(evaluate_and_test(snes, made + steps, 0));
  }
  snes->reason = SNES_CONVERGED_FNORM_ABS;
  PetscFunctionReturn(0);
}

}  // namespace clarke
