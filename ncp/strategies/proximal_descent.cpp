#include "ncp/strategies/proximal_descent.hpp"

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/snes_iterate.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clarke {

namespace {

constexpr int kMostSteps = 50;      // Newton steps of a proximal step; what they lead to is taken as it is
constexpr int kIdle = 600;          // Newton steps that have not halved the velocity error
constexpr double kFinished = 100;   // of the tolerance: linearisations are the better judge of what is left
constexpr double kQuadratic = 0.1;  // a decrease of |g| that only Newton's iteration near a solution makes
constexpr double kSmaller = 0.2;    // ε, where a proximal step has not halved the natural map of rows
constexpr double kHalved = 0.5;     // of the velocity error, or of the natural map of rows
constexpr double kFurther = 1e-2;   // of threshold and least ε, once linearisations have led away
constexpr double kLeastThreshold = 1e-5, kLeastEpsilon = 1e-11;
constexpr double kOverflow = 1e8;  // times the least natural map: light bodies overshoot by much, but not by that
constexpr double kAway = 200, kFast = 1e-2;  // natural map over the one at the start; of the largest speed

void make_positive(SnesStepSolver& solver, bool positive) {
  StepProblem& problem = solver.problem();
  for (int c = 0; c < problem.contributors(); ++c) problem.contributor(c).set_positive_stiffness(positive);
}

}  // namespace

void ProximalDescent::Descent::go_further() {
  threshold = std::max(kFurther * threshold, kLeastThreshold);
  least_epsilon = std::max(kFurther * least_epsilon, kLeastEpsilon);
}

bool ProximalDescent::astray(SnesStepSolver& solver, const Vectors& v, const Descent& descent, double error) const {
  return !(error <= std::max(kAway * descent.reached, kFast * fastest(solver, v.best)));
}

PetscErrorCode ProximalDescent::descend(SNES snes, const Vectors& v, Descent& descent, ProximalRows::NaturalMap* error,
                                        PetscInt* made) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  SaddlePointSystem& system = solver.problem().system();
  double least = std::numeric_limits<double>::infinity();  // the verdict's velocity error when it halved last [m/s]
  double least_map = error->largest();
  PetscInt least_at = *made;
  following = true;
  descent.leads = false;
  while (!snes->reason && !descent.leads && *made < snes->max_its && *made - least_at < kIdle) {
    PetscTryTypeMethod(snes, update, *made);
    const ProximalRows::NaturalMap from = *error;
    const double epsilon = descent.epsilon, target = options.reduction * wanted(system, *error, snes->abstol);
    PetscInt steps = 0;
    PetscCall(minimise(snes, v, {descent.epsilon, kLeastEpsilon}, target, snes->max_its - *made, &steps));
    if (snes->reason) break;
    *made += std::max<PetscInt>(steps, 1);
    take_candidate(system, v, false, X);
    *error = natural_map(solver, X);
    PetscCall(PetscInfo(snes,
                        "descent, eps %.1e: %d Newton steps, natural map %.2e m/s of the momentum, %.2e of rows\n",
                        descent.epsilon, (int)steps, error->momentum, error->rows));
    if (!(error->largest() <= kOverflow * least_map)) {
      PetscCall(VecCopy(v.best, X));
      *error = natural_map(solver, X);
      break;
    }
    least_map = std::min(least_map, error->largest());
    PetscCall(evaluate_and_test(snes, *made, 0));
    rebase(solver, v);
    if (error->rows > kHalved * from.rows)
      descent.epsilon = std::max(kSmaller * descent.epsilon, descent.least_epsilon);
    const double velocity_error = solver.velocity_error(X);
    if (velocity_error < kHalved * least) least = velocity_error, least_at = *made;
    descent.leads = error->largest() <= std::max(kFinished * snes->abstol, descent.threshold * fastest(solver, X));
    // From the same point with the same ε nothing else follows.
    if (descent.epsilon == epsilon && error->rows == from.rows && error->momentum == from.momentum) break;
  }
  following = false;
  make_positive(solver, false);
  descent.reached = error->largest();
  PetscCall(VecCopy(X, v.best));
  PetscCall(VecCopy(X, v.now));
  linearise(solver, X);
  rebase(solver, v);
  PetscFunctionReturn(0);
}

/// Newton's iteration on Φ around the impulses of `v.now`.
PetscErrorCode ProximalDescent::minimise(SNES snes, const Vectors& v, const ProximalRows::Weight& weight, double target,
                                         PetscInt budget, PetscInt* steps) {
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  {
    const VecRead centre(v.now);
    rows.begin(rows_of(centre.view(), solver.problem().system()));
  }
  ProximalRows::Momentum m = project(solver, v, v.now, weight);
  const PetscInt most = std::min<PetscInt>(kMostSteps, budget);
  bool taken = true, solved = false;
  for (*steps = 0; taken && !solved && *steps < most && std::isfinite(m.energy); ++*steps) {
    PetscCall(descent_step(snes, v, weight, false, m, &taken));
    if (!taken && !snes->reason) PetscCall(descent_step(snes, v, weight, true, m, &taken));
    if (snes->reason) break;
    solved = taken && m.velocity <= target;
  }
  PetscFunctionReturn(0);
}

void ProximalDescent::linearise_at_impulses(SnesStepSolver& solver, const Vectors& v,
                                            const ProximalRows::Weight& weight, bool positive) {
  const SaddlePointSystem& system = solver.problem().system();
  make_positive(solver, positive);
  place(system, v.base, v.now, v.point);
  {
    VecUpdate point(v.point);
    Kokkos::deep_copy(rows_of(point.view(), system), rows.impulse());
  }
  linearise(solver, v.point);
  const VecRead centre(v.now);
  rows.project(system, no_change(system), rows_of(centre.view(), system), weight, true);
}

/// One Newton step from `v.now`, where the momentum is `m`, with the derivative or its positive part.
PetscErrorCode ProximalDescent::descent_step(SNES snes, const Vectors& v, const ProximalRows::Weight& weight,
                                             bool positive, ProximalRows::Momentum& m, bool* taken) {
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  *taken = false;
  linearise_at_impulses(solver, v, weight, positive);
  PetscCall(solve_for_step(snes));
  if (snes->reason == SNES_DIVERGED_LINEAR_SOLVE) {  // an H without its positive part may be singular
    snes->reason = SNES_CONVERGED_ITERATING;
    PetscFunctionReturn(0);
  }
  if (snes->reason) PetscFunctionReturn(0);
  const PotentialSearch search = begin_search(solver, v, snes->vec_sol_update);
  double length = 1;
  ProximalRows::Momentum trial{};
  for (; !*taken && length >= kShortestTurn; length /= 2) {
    take(solver.problem().system(), v.now, snes->vec_sol_update, length, v.trial);
    trial = project(solver, v, v.trial, weight, length, true);
    // A direction that does not descend may still be the last one, quadratic.
    const double wanted = positive ? 1 - kSlope * length : length == 1 ? kQuadratic : 0;
    *taken = trial.energy <= wanted * wanted * m.energy ||
             (search.slope < 0 && std::isfinite(trial.energy) &&
              lowers(solver, v, snes->vec_sol_update, search, length, m, trial));
    if (*taken || (!positive && !(search.slope < 0))) break;
  }
  if (!*taken) PetscFunctionReturn(0);
  m = trial;
  rows.take(length);
  PetscCall(VecCopy(v.trial, v.now));
  PetscFunctionReturn(0);
}

}  // namespace clarke
