#include "ncp/strategies/newton_globalisation.hpp"

#include "framework/petsc_views.hpp"
#include "framework/vec_operations.hpp"
#include "ncp/strategies/snes_type.hpp"

#include <petsc/private/snesimpl.h>

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

constexpr double kDecrease = 1e-4;  // σ of Armijo's rule
/// Energies are sums: near the solution their differences drown in rounding, and a step that changes nothing must pass.
constexpr double kEnergyRounding = 1e-13;

}  // namespace

PetscErrorCode NewtonGlobalisation::destroy() {
  PetscFunctionBegin;
  for (Vec* v : {&before_, &best_x_, &best_y_}) PetscCall(VecDestroy(v));
  PetscFunctionReturn(0);
}

PetscErrorCode NewtonGlobalisation::begin(SNES snes) {
  PetscInt now = -1, there = 0;
  PetscFunctionBegin;
  if (!options.any()) PetscFunctionReturn(0);
  PetscCheck(!energy() || (options.watchdog == 0 && step_solver_of(snes)->problem().system().pattern.rows == 0),
             PETSC_COMM_SELF, PETSC_ERR_SUP,
             "-newton_merit energy is for steps without rows (no joints and contacts, -soft_form stiffness) and "
             "without -newton_watchdog");
  if (before_) PetscCall(VecGetSize(before_, &now));
  PetscCall(VecGetSize(snes->vec_sol, &there));
  if (now != there) {
    PetscCall(destroy());
    for (Vec* v : {&before_, &best_x_, &best_y_}) PetscCall(VecDuplicate(snes->vec_sol, v));
  }
  PetscCall(merit(snes, present_));
  remembered_ = without_decrease_ = 0;
  memory_[remembered_++ % kMemory] = best_ = present_;
  PetscFunctionReturn(0);
}

PetscErrorCode NewtonGlobalisation::merit(SNES snes, double& value) {
  Vec X = snes->vec_sol, F = snes->vec_func;
  PetscFunctionBegin;
  PetscCall(SNESComputeFunction(snes, X, F));
  if (options.merit == "function") {
    PetscReal norm;
    PetscCall(vec_norm(F, &norm));
    value = 0.5 * norm * norm;
    PetscFunctionReturn(0);
  }
  StepProblem& problem = step_solver_of(snes)->problem();
  if (energy()) {
    value = energy_.value(problem);
    PetscFunctionReturn(0);
  }
  const VecRead x(X);
  value = natural_.value(
      problem, Kokkos::subview(x.view(), Kokkos::make_pair(problem.system().velocity_size(), problem.system().size())));
  PetscFunctionReturn(0);
}

double NewtonGlobalisation::slope(SNES snes, Vec Y) {
  const SaddlePointSystem& system = step_solver_of(snes)->problem().system();
  const VecRead y(Y);
  return energy_.slope(system, as_vec3(y.view(), 0, system.blocks));
}

/// From `from` along −Y; X is where it ends. `slope`: −dθ/dα there, of the energy.
PetscErrorCode NewtonGlobalisation::search(SNES snes, Vec from, Vec Y, double first, double at_start, double reference,
                                           double slope, PetscErrorCode (*complete)(SNES, Vec, double), double& alpha,
                                           double& value) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  double least = INFINITY, least_alpha = first;
  alpha = first;
  for (int k = 0; k <= options.halvings; ++k, alpha /= 2) {
    PetscCall(vec_sum(X, -alpha, Y, from));
    if (k == 0 && complete) PetscCall(complete(snes, X, 1 - alpha));
    step_solver_of(snes)->set_trial(k > 0);  // the first one is mostly taken, and then linearised at once
    PetscCall(merit(snes, value));
    step_solver_of(snes)->set_trial(false);
    const double limit = energy() ? reference - kDecrease * alpha * slope + kEnergyRounding * std::fabs(reference)
                                  : (1 - 2 * kDecrease * alpha) * reference;
    if (value <= limit || value == 0) PetscFunctionReturn(0);
    if (value < least) least = value, least_alpha = alpha;
    if (k < options.halvings) step_solver_of(snes)->count("newton_line_search");
  }
  step_solver_of(snes)->count("newton_line_search_exhausted");
  alpha = least_alpha;
  value = std::isfinite(least) ? least : at_start;
  PetscCall(vec_sum(X, -alpha, Y, from));
  if (alpha == first && complete) PetscCall(complete(snes, X, 1 - alpha));
  PetscFunctionReturn(0);
}

PetscErrorCode NewtonGlobalisation::watch(SNES snes, Vec Y, double damping,
                                          PetscErrorCode (*complete)(SNES, Vec, double), double& alpha) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  if (without_decrease_ == 0) {
    PetscCall(VecCopy(X, best_x_));
    PetscCall(VecCopy(Y, best_y_));
    best_ = present_;
  }
  alpha = damping;
  PetscCall(vec_add(X, -alpha, Y));
  PetscCall(complete(snes, X, 1 - alpha));
  PetscCall(merit(snes, present_));
  if (present_ <= (1 - 2 * kDecrease * alpha) * best_) {
    without_decrease_ = 0;
  } else if (++without_decrease_ >= options.watchdog) {
    step_solver_of(snes)->count("newton_watchdog");
    PetscCall(search(snes, best_x_, best_y_, damping / 2, best_, best_, 0, nullptr, alpha, present_));
    without_decrease_ = 0;
  }
  PetscFunctionReturn(0);
}

PetscErrorCode NewtonGlobalisation::step(SNES snes, Vec Y, double damping,
                                         PetscErrorCode (*complete)(SNES, Vec, double), double& alpha) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  alpha = damping;
  if (!options.any()) {
    PetscCall(vec_add(X, -alpha, Y));
    PetscCall(complete(snes, X, 1 - alpha));
    PetscFunctionReturn(0);
  }
  if (options.watchdog > 0) {
    PetscCall(watch(snes, Y, damping, complete, alpha));
  } else {
    double reference = present_;
    if (options.line_search == "gll")
      reference = *std::max_element(memory_.begin(), memory_.begin() + std::min(remembered_, kMemory));
    PetscCall(VecCopy(X, before_));
    const double descent = energy() ? slope(snes, Y) : 0;
    PetscCall(search(snes, before_, Y, damping, present_, reference, descent, complete, alpha, present_));
  }
  memory_[remembered_++ % kMemory] = present_;
  step_solver_of(snes)->set_damping(alpha);
  PetscFunctionReturn(0);
}

}  // namespace clarke
