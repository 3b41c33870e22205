// What PETSc asks of a step while it iterates: F, the Jacobian and its product, and whether it may stop.

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "ncp/strategies/step_outcome.hpp"

#include <cmath>

namespace clarke {

void SnesStepSolver::evaluate(Vec x, bool linearise, bool with_laws) {
  const VecPoint here(x);
  if (here == evaluated_ && (has_linearised_ || !linearise) && (has_laws_ || !with_laws)) return;
  const SaddlePointSystem& system = problem_->system();
  const VecRead in(x);
  problem_->evaluate(as_vec3(in.view(), 0, system.blocks), rows_of(in.view(), system), linearise, with_laws);
  evaluated_ = here;
  has_linearised_ = linearise;
  has_laws_ = with_laws;
}

void SnesStepSolver::linearise(Vec x, bool with_laws) {
  evaluate(x, true, with_laws);
  linearised_vector_ = x;
  linearised_ = VecPoint(x);
  SaddlePointSystem& system = problem_->system();
  if (options_.geometric_stiffness == "secant") {
    const VecRead in(x);
    geometric_.update(system, as_vec3(in.view(), 0, system.blocks), rows_of(in.view(), system));
  } else if (options_.geometric_stiffness == "exact" || options_.geometric_stiffness == "full") {
    problem_->add_geometric_stiffness();
  }
}

/// Evaluates there first, unless that was the last point.
const ResidualNorms& SnesStepSolver::norms_of(Vec x) {
  evaluate(x, true);
  if (judged_ != evaluated_) {
    norms_ = problem_->norms(*problem_);
    judged_ = evaluated_;
  }
  return norms_;
}

PetscErrorCode SnesStepSolver::function(SNES snes, Vec x, Vec f, void* context) {
  auto* self = static_cast<SnesStepSolver*>(context);
  Vec iterate = nullptr;
  PetscFunctionBegin;
  PetscCall(SNESGetSolution(snes, &iterate));
  try {
    // PETSc's line searches and differences look at points in vectors of their own: F is all they ask for.
    self->evaluate(x, x == iterate && !self->trial_);
    VecWrite out(f);
    scaled_residual(self->problem_->system(), out.view());
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

PetscErrorCode SnesStepSolver::jacobian(SNES snes, Vec x, Mat j, Mat p, void* context) {
  auto* self = static_cast<SnesStepSolver*>(context);
  PetscFunctionBegin;
  try {
    self->linearise(x);
    self->exchange_.residual_measure = self->norms_of(x).natural_map_relative;
    self->problem_->count_law_safeguards(self->result_.safeguards);
    PetscInt iteration = 0;
    PetscCall(SNESGetIterationNumber(snes, &iteration));
    if (self->linearised) self->linearised(*self->problem_, static_cast<int>(iteration));
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  for (Mat m : {j, p}) {
    PetscCall(MatAssemblyBegin(m, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(m, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(0);
}

void SnesStepSolver::record_iterate(int it, double f) {
  LinearReport& linear = exchange_.report;
  const int iteration = inner_ ? it : continued_ + it;  // of the step
  if (!result_.newton.empty() && it > 0) {
    NewtonIteration& last = result_.newton.back();
    last.linear_iterations = linear.iterations;
    last.linear_residual = linear.relative_residual;
    last.linear_reason = linear.reason;
    result_.linear_iterations += linear.iterations;
    island_stop_.count(iteration - last.iteration, linear.row_iterations);
    keep_linear_history();
  }
  linear.iterations = 0;
  linear.row_iterations = 0;
  NewtonIteration row;
  row.step = problem_->context().step;
  row.iteration = iteration;
  row.velocity_error = norms_.velocity_error;
  row.momentum_residual = norms_.momentum_residual;
  row.natural_map = norms_.natural_map;
  row.function_norm = f;
  row.damping = damping_;
  row.changed_contacts = it > 0 ? norms_.changed_contacts : 0;
  result_.newton.push_back(row);
  if (!inner_) result_.newton_iterations = iteration;
  last_error_ = norms_.velocity_error;
  if (it == 0) first_error_ = norms_.velocity_error;
}

SNESConvergedReason SnesStepSolver::reason_at(int it, double atol, double rtol) {
  const double error = norms_.velocity_error;
  if (!std::isfinite(error)) return SNES_DIVERGED_FNORM_NAN;
  SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
  if (within(norms_, atol, natural_map_tolerance()) || norms_.solved)
    reason = SNES_CONVERGED_FNORM_ABS;
  else if (it > 0 && error <= rtol * first_error_)
    reason = SNES_CONVERGED_FNORM_RELATIVE;
  // Asked in any case: it keeps count of the islands that have ended.
  const bool all_islands =
      problem_->system().islands.separate && island_stop_.test(norms_.island_error, atol, rtol, it);
  return all_islands && !reason ? SNES_CONVERGED_FNORM_RELATIVE : reason;
}

PetscErrorCode SnesStepSolver::converged(SNES snes, PetscInt it, PetscReal, PetscReal, PetscReal f,
                                         SNESConvergedReason* reason, void* context) {
  auto* self = static_cast<SnesStepSolver*>(context);
  PetscReal atol, rtol;
  Vec x = nullptr;
  PetscFunctionBegin;
  *reason = SNES_DIVERGED_FNORM_NAN;
  if (PetscIsInfOrNanReal(f)) PetscFunctionReturn(0);
  PetscCall(SNESGetTolerances(snes, &atol, &rtol, nullptr, nullptr, nullptr));
  PetscCall(SNESGetSolution(snes, &x));
  try {
    (void)self->norms_of(x);
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  if (snes == self->inner_) {
    const double error = self->norms_.velocity_error, target = self->inner_target_;
    self->result_.newton_iterations += it > 0;
    if (std::isfinite(error))
      *reason = target > 0 && error <= target ? SNES_CONVERGED_FNORM_ABS : SNES_CONVERGED_ITERATING;
    PetscFunctionReturn(0);
  }
  self->record_iterate(static_cast<int>(it), f);
  // Where it started is no answer, unless sweeps have led there: a step that stays there never moves on.
  if (it > 0 || self->options_.start_sweeps > 0) PetscCall(self->keep_best(x));
  *reason = self->reason_at(static_cast<int>(it), atol, rtol);
  PetscFunctionReturn(0);
}

PetscErrorCode SnesStepSolver::keep_best(Vec x) {
  PetscFunctionBegin;
  if (!options_.keep_best_iterate || !(norms_.measure < best_measure_)) PetscFunctionReturn(0);
  best_measure_ = norms_.measure;
  PetscCall(VecCopy(x, best_));
  PetscFunctionReturn(0);
}

PetscErrorCode SnesStepSolver::multiply(Mat mat, Vec x, Vec y) {
  SnesStepSolver* self = nullptr;
  PetscFunctionBegin;
  PetscCall(MatShellGetContext(mat, &self));
  try {
    // A trust region multiplies after it has looked at another point: the matrix is still that of the iterate. H was
    // not touched there, unless it has blocks off its diagonal.
    const Vec at = self->linearised_vector_;
    if (at && self->evaluated_ != self->linearised_ && VecPoint(at) == self->linearised_) {
      self->evaluate(at, true);
      if (self->options_.geometric_stiffness != "none" && self->options_.geometric_stiffness != "secant")
        self->problem_->add_geometric_stiffness();
    }
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  const VecRead in(x);
  VecWrite out(y);
  if (self->options_.jacobian_product == "dual_numbers")
    dual_number_product(*self->problem_, in.view(), out.view());
  else
    newton_matrix_product(self->problem_->system(), in.view(), out.view());
  PetscFunctionReturn(0);
}

void SnesStepSolver::keep_linear_history() {
  std::vector<std::pair<int, double>>& history = exchange_.report.history;
  const int newton = result_.newton.empty() ? 0 : result_.newton.back().iteration;
  for (const auto& [iteration, norm] : history)
    result_.linear.push_back({problem_->context().step, newton, iteration, norm});
  history.clear();
}

}  // namespace clarke
