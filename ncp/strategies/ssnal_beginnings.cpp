#include "framework/petsc_views.hpp"
#include "framework/vec_operations.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/ssnal_iteration.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

namespace clarke {

namespace {

constexpr double kFar = 1e3;                  // of -ssnal_stall: no walk near the solution
constexpr int kSoon = 60;                     // the same in a round of contacts after one that a descent solved
constexpr int kHopeless = 200;                // Newton steps that have not halved a large velocity error, and
constexpr int kContactsAStep = 8;             // at least one for so many contacts: walks are as long as piles are large
constexpr double kOther[] = {3, 0.3};         // ε that a step then begins with, in turn
constexpr double kOtherDescent[] = {0.1, 1};  // and a descent

}  // namespace

PetscErrorCode Ssnal::sweep(SNES snes, Vec start, double* unswept) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  if (!may_sweep(solver.problem())) PetscFunctionReturn(0);
  const double error = natural_map(solver, X).largest();
  if (error <= std::max(kResting * snes->abstol, options.sweep_from * fastest(solver, X))) PetscFunctionReturn(0);
  solver.count("ssnal_sweeps", solver.sweep_first(X, options.sweeps, options.sweep_progress));
  PetscReal size = 0;
  PetscCall(vec_norm(X, &size));
  if (std::isfinite(size) && natural_map(solver, X).largest() <= options.sweep_gain * error) {
    *unswept = error;
    PetscFunctionReturn(0);
  }
  PetscCall(VecCopy(start, X));
  solver.count("ssnal_undone_sweeps");
  PetscFunctionReturn(0);
}

bool Ssnal::may_sweep(const StepProblem& problem) const {
  return options.sweeps > 0 && problem.contacts() > 0 && !problem.system().has_forces();
}

int Ssnal::hopeless_after(const StepProblem& problem) const {
  return std::max(near() ? kSlow : kHopeless, problem.contacts() / kContactsAStep);
}

bool Ssnal::hopeless(const SnesStepSolver& solver, PetscInt made, double tolerance, bool swept) const {
  if (solver.shortened()) return false;  // which is to begin where the one before it ended, and only there
  const StepProblem& problem = solver.problem();
  if (follows_forces(problem.system())) return made - least_at_ >= hopeless_after(problem);
  const bool slow = near() && !swept;
  if (slow && !(tolerance > 0)) return false;
  const bool soon = !slow && retries_ == 0 && led_in_ == problem.context().step;
  const int patience = soon ? kSoon : swept ? kHopeless : hopeless_after(problem);
  return made - least_at_ >= patience;
}

bool Ssnal::may_follow_path(SnesStepSolver& solver, PetscInt left) const {
  return path_.most_changes > 0 && !path_.ended() && !solver.shortened() &&
         (path_.begun || CompliancePath::may_follow_path(solver.problem().system(), left));
}

bool Ssnal::near() const { return least_ <= kFar * options.stall; }

PetscErrorCode Ssnal::begin_anew(SNES snes, const Vectors& v, Progress& at, bool* begun) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  const double unswept = std::exchange(at.unswept, 0);
  const int step = solver.problem().context().step;
  descent_.leads = false;
  if (unswept > 0) {
    PetscCall(VecCopy(v.start, X));
    at.error = begin(solver, v, X, at.made);
    at.epsilon = at.unswept_epsilon;
    at.noise = 1;
    memory_.clear();
    solver.count("ssnal_undone_sweeps");
    *begun = true;
    PetscFunctionReturn(0);
  }
  if (solver.shortened()) PetscFunctionReturn(0);
  if (follows_forces(solver.problem().system())) {
    *begun = may_follow_path(solver, snes->max_its - at.made);
    if (*begun) PetscCall(follow_path(snes, v, at));
    PetscFunctionReturn(0);
  }
  while (!descent_.leads && !snes->reason && at.made < snes->max_its) {
    // One without a descent comes first, for it costs half as much.
    const bool costly = retries_ > 0 || options.retries == 0 || led_in_ == step;
    // Near the solution it is what is left.
    const bool lost = near() ? retries_ >= options.retries : costly && turns_;
    if (lost && solver.ask_continuation()) {
      led_in_ = step;
      snes->reason = SNES_DIVERGED_LOCAL_MIN;
      break;
    }
    // Contacts that walk have come as near as a descent leads, which then costs the most. Joints turn there, too.
    const bool joints = solver.problem().system().sparse_hessian();
    const bool leads_further = joints || least_ > Descent{}.threshold * fastest(solver, v.start);
    const bool descends = costly && turns_ && leads_further && !near() && descents_ < options.descents;
    const bool spent = !descends && retries_ >= options.retries;
    const bool on_path = path_.begun || path_led_in_ == step || (options.path_begins == "retry" && retries_ > 0);
    if ((spent || on_path) && may_follow_path(solver, snes->max_its - at.made)) {
      PetscCall(follow_path(snes, v, at));
      *begun = true;
      break;
    }
    if (spent) break;
    const int attempt = descends ? descents_++ : retries_++;
    if (attempt % 2 == 1)
      PetscCall(VecCopy(v.start, X));
    else
      solver.start_at("unconstrained", X);
    if (descends) {
      VecUpdate x(X);
      fill(rows_of(x.view(), solver.problem().system()), 0.0);
    }
    *begun = true;
    at.error = begin(solver, v, X, at.made);
    at.noise = 1;
    memory_.clear();
    solver.count(descends ? "ssnal_descent" : "ssnal_retry");
    if (!descends) {
      at.epsilon = kOther[attempt % std::size(kOther)];
      break;
    }
    descent_ = {.epsilon = kOtherDescent[attempt % std::size(kOtherDescent)]};
    PetscCall(descend(snes, v, at));
  }
  PetscFunctionReturn(0);
}

/// What follows a descent has as long as any other iteration to halve the velocity error.
PetscErrorCode Ssnal::descend(SNES snes, const Vectors& v, Progress& at) {
  PetscFunctionBegin;
  PetscCall(ProximalDescent::descend(snes, v, descent_, &at.error, &at.made));
  at.epsilon = descent_.epsilon;
  if (descent_.leads) led_in_ = step_solver_of(snes)->problem().context().step;
  least_ = std::numeric_limits<double>::infinity();
  least_at_ = descent_.leads ? at.made : at.made - hopeless_after(step_solver_of(snes)->problem());
  best_at_ = at.made;
  turns_ = true;
  PetscFunctionReturn(0);
}

PetscErrorCode Ssnal::follow_path(SNES snes, const Vectors& v, Progress& at) {
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  memory_.clear();
  for (;;) {
    if (!path_.begun) solver.count("ssnal_path");
    const PetscInt changes = path_.changes;
    PetscCall(CompliancePath::follow_path(snes, v, path_, &at.error, &at.made));
    solver.count("ssnal_path_changes", path_.changes - changes);
    PetscCall(PetscInfo(snes, "path %s: %s at eps %.1e after %d changes of pieces and %d turns\n",
                        path_.from_start ? "from the start" : "without impulses", path_.leads ? "leads on" : "ends",
                        path_.epsilon(), (int)path_.changes, (int)path_.turns));
    const bool anew = path_.from_start && path_.ended() && !path_.leads && !snes->reason && at.made < snes->max_its;
    if (!anew) break;
    const PetscInt most = std::exchange(path_, Path{}).most_changes;
    path_.most_changes = most;
  }
  best_at_ = at.made;
  best_ = at.error.largest();
  at.noise = 1;
  turns_ = true;
  if (!path_.leads) PetscFunctionReturn(0);
  path_led_in_ = led_in_ = solver.problem().context().step;
  at.epsilon = path_.epsilon();
  least_ = std::numeric_limits<double>::infinity();
  least_at_ = at.made;
  PetscFunctionReturn(0);
}

PetscErrorCode Ssnal::descend_further(SNES snes, const Vectors& v, Progress& at) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  PetscCall(VecCopy(v.best, X));
  SnesStepSolver& solver = *step_solver_of(snes);
  at.error = begin(solver, v, X, at.made);
  descent_.go_further();
  solver.count("ssnal_descent_again");
  PetscCall(descend(snes, v, at));
  PetscFunctionReturn(0);
}

}  // namespace clarke
