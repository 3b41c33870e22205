#include "ncp/strategies/ssnal.hpp"

#include "framework/petsc_views.hpp"
#include "framework/vec_operations.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/ssnal_iteration.hpp"
#include "ncp/strategies/step_rounding.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace clarke {

namespace {

/// Where ε stays: below it the matrix loses its digits, above it nothing moves.
constexpr double kLeast = 1e-11, kLargest = 10;
constexpr double kNoise = 0.9, kMostNoise = 1e6;  // natural map where rounding moves it; rounding over its estimate
constexpr double kNonlinear = 2;      // of the true natural map over that of the linearisation: time for a new one
constexpr double kNegligible = 0.01;  // of the tolerance: M⁻¹ g that u is not freed of, for its rounding would be u's
constexpr double kMuchLess = 0.1;     // of the best natural map: far enough ahead
constexpr int kPatience = 4;          // times -ssnal_watchdog, with following rows
constexpr double kNear = 100;         // of the tolerance: forces are known well enough
constexpr double kLost = 10;          // times the natural map before a linearisation of forces: not kept
constexpr double kAstray = 1e3;       // times the least natural map: there is no way back from there
constexpr int kLevel = 8;             // proximal steps within rounding that do not halve the natural map of rows
constexpr int kStuck = 100;  // Newton steps without rows that have not halved the error, a proximal step failed

}  // namespace

PetscErrorCode Ssnal::solve(SNES snes) {
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  settle(solver, false);
  const PetscErrorCode failed = iterate(snes);
  settle(solver, false);
  contradicted_ = snes->reason == SNES_CONVERGED_SNORM_RELATIVE;
  PetscCall(failed);
  PetscFunctionReturn(0);
}

PetscErrorCode Ssnal::iterate(SNES snes) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  Vectors v{};
  SnesStepSolver& solver = *step_solver_of(snes);
  Progress at{};
  const double went_on_at = std::exchange(last_epsilon_, options.epsilon);
  snes->reason = SNES_CONVERGED_ITERATING;
  nonlinear = following = false;
  PetscCall(VecCopy(X, snes->vec_sol_update));
  PetscCall(sweep(snes, snes->vec_sol_update, &at.unswept));
  PetscCall(evaluate_and_test(snes, 0, 0));
  if (snes->reason) {
    if (at.unswept > 0)
      stirred_ = true;
    else
      PetscCall(calm(snes));
    PetscFunctionReturn(0);
  }
  PetscCall(make_vectors(snes, &v));
  PetscCall(VecCopy(snes->vec_sol_update, v.start));
  stirred_ = true;
  PetscCall(begin_solving(snes));
  at.error = begin(solver, v, X, 0);
  const double began = at.error.largest();
  at.epsilon = solver.goes_on() ? went_on_at : first_epsilon(began);
  at.unswept_epsilon = first_epsilon(at.unswept);
  settle_from_start(solver);
  const SaddlePointSystem& system = solver.problem().system();
  retries_ = descents_ = 0;
  descent_ = {};
  path_ = {};
  path_.most_changes = options.path;
  path_.from_start = options.path_from == "start" && follows_forces(system);
  if (!solver.goes_on()) memory_.clear();
  bool stuck = false, begun = false;
  while (at.made < snes->max_its && !snes->reason) {
    PetscTryTypeMethod(snes, update, at.made);
    if (options.path_begins == "first" && !path_.begun && may_follow_path(solver, snes->max_its - at.made)) {
      PetscCall(follow_path(snes, v, at));
      if (snes->reason) break;
    }
    if (descent_.leads && astray(solver, v, descent_, at.error.largest())) PetscCall(descend_further(snes, v, at));
    if (!snes->reason && (stuck || hopeless(solver, at.made, snes->abstol, at.unswept > 0)))
      PetscCall(begin_anew(snes, v, at, &begun));
    if (!snes->reason && stuck && !begun) {
      snes->reason = SNES_CONVERGED_SNORM_RELATIVE;
      solver.count("ssnal_stuck");
    }
    stuck = begun = false;
    if (snes->reason || at.made >= snes->max_its) break;
    if (following && at.made - best_at_ > kPatience * options.watchdog) stop_following(solver, v, at.made);
    PetscCall(VecCopy(v.now, v.before));
    const double before = at.error.largest();
    const double target = options.reduction * wanted(system, at.error, snes->abstol);
    const double least = at.noise * std::max(kLeast, rounding(solver, X, before) / (options.reduction * before));
    at.epsilon = std::clamp(at.epsilon, std::min(least, kLargest), kLargest);
    PetscInt steps = 0;
    bool solved = false;
    PetscCall(proximal_step(snes, v, {at.epsilon, least}, target, snes->max_its - at.made, &steps, &solved));
    at.made += std::max<PetscInt>(steps, 1);
    PetscCall(PetscInfo(snes, "eps %.1e: %d Newton steps, %s, natural map %.2e m/s\n", at.epsilon, (int)steps,
                        solved ? "solved" : "failed", before));
    if (snes->reason) break;
    // Without rows no ε makes a failed proximal step easier: what it reached is where the next one begins, as long as
    // that leads on. One that does not move would fail alike until the budget ends.
    const bool has_rows = system.pattern.rows > 0;
    if (!solved && !has_rows && (steps <= 1 || at.made - least_at_ >= kStuck)) {
      snes->reason = SNES_CONVERGED_SNORM_RELATIVE;
      solver.count("ssnal_stuck");
      break;
    }
    // Where the budget ends inside a proximal step, what that has come to may be the best iterate.
    if (solved || !has_rows || at.made >= snes->max_its) PetscCall(accept(snes, v, at.made, &at.error, &solved));
    if (solved) memory_.add({before, at.epsilon, steps <= 1});
    if (snes->reason) break;
    if (solved) {
      // The smaller ε, the faster, unless rounding is what moves the impulses.
      const bool easy = steps <= options.easy;
      const bool rounds = nonlinear && easy && at.epsilon <= least && at.error.largest() > kNoise * before;
      at.epsilon = next(at, steps);
      if (rounds)
        at.noise = at.noise < kMostNoise ? 10 * at.noise : 1;
      else if (easy)
        at.noise = std::max(1.0, at.noise * options.decrease);
      continue;
    }
    solver.count("ssnal_failed_step");
    at.patience.failed(options.patience);
    if (follows_forces(system) && noisy) at.noise = std::clamp(2 * at.epsilon / least * at.noise, at.noise, kMostNoise);
    // The same again would fail in the same way until the budget ends, unless rows are followed no more.
    stuck = at.epsilon >= kLargest && !following;
    at.epsilon = std::min(at.epsilon * options.increase, kLargest);
    PetscCall(VecCopy(v.before, v.now));
  }
  last_epsilon_ = at.epsilon;
  if (snes->reason == SNES_CONVERGED_FNORM_ABS && options.polish && !solver.interim_solve() &&
      began <= kResting * snes->abstol)
    PetscCall(polish(snes, v, at.epsilon, at.error, at.made, nullptr));
  if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
  PetscFunctionReturn(0);
}

ProximalRows::NaturalMap Ssnal::begin(SnesStepSolver& solver, const Vectors& v, Vec X, PetscInt made) {
  nonlinear = following = turns_ = false;
  level_ = {};
  beyond_ = 1;
  (void)VecCopy(X, v.now);
  const ProximalRows::NaturalMap error = natural_map(solver, X);
  linearise(solver, X);
  rows.weigh(solver.problem().system());
  rebase(solver, v);
  (void)VecCopy(X, v.best);
  best_ = error.largest();
  best_at_ = least_at_ = made;
  least_ = std::numeric_limits<double>::infinity();
  return error;
}

double Ssnal::first_epsilon(double error) const {
  return options.remember ? memory_.epsilon(error, options.epsilon, options.decrease) : options.epsilon;
}

double Ssnal::next(Progress& at, PetscInt steps) const {
  const bool lowers = at.patience.lowers(steps <= options.easy && !(beyond_ > 1));
  if (beyond_ > 1) return std::min(at.epsilon * beyond_, kLargest);
  if (lowers) return at.epsilon * options.decrease;
  return steps > options.hard ? std::min(2 * at.epsilon, kLargest) : at.epsilon;
}

PetscErrorCode Ssnal::accept(SNES snes, const Vectors& v, PetscInt made, ProximalRows::NaturalMap* error,
                             bool* accepted) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  const double before = error->largest();
  SnesStepSolver& solver = *step_solver_of(snes);
  SaddlePointSystem& system = solver.problem().system();
  double linear = 0;  // natural map of the linearisation
  const bool followed = follows(system);
  take_candidate(system, v, !keeps_velocity(system) && momentum > kNegligible * snes->abstol, X);
  if (!followed) {
    const VecRead x(X);
    linear = rows.linear_natural_map(system, x.view());
  }
  const bool turned = settled && turn_parts(solver, v, X);
  const ProximalRows::NaturalMap reached = correct(solver, v, X, snes->abstol);
  const double now = reached.largest();
  PetscCall(PetscInfo(snes, "natural map %.2e m/s of the momentum, %.2e of rows, %.2e of the linearisation\n",
                      reached.momentum, reached.rows, linear));
  beyond_ = 1;
  const bool lost = settled && !(now <= kLost * before);
  *accepted = std::isfinite(now) && !lost;
  if (!*accepted) {
    place(system, v.base, v.before, X);
    if (!followed && !lost) rows.restore(system);
    solver.forget_evaluation();
    if (lost) follow_from_before(solver, v);
    PetscFunctionReturn(0);
  }
  *error = reached;
  PetscCall(evaluate_and_test(snes, made, 0));
  if (snes->reason) PetscFunctionReturn(0);
  if (stalled(solver, X, snes->abstol, made)) {
    snes->reason = SNES_CONVERGED_SNORM_RELATIVE;
    solver.count("ssnal_stall");
    PetscFunctionReturn(0);
  }
  const double bound = floor(solver, X);
  if (follows_forces(system) && at_rounding(solver, reached, before, bound, snes->abstol)) {
    snes->reason = SNES_CONVERGED_FNORM_RELATIVE;  // to what can be told of the momentum
    solver.ends_at_rounding("ssnal_rounding", bound);
    PetscFunctionReturn(0);
  }
  if (followed) {
    rebase(solver, v);
    if (following && now <= std::max(kMuchLess * best_, options.follow * fastest(solver, X))) {
      best_ = now;
      PetscCall(VecCopy(X, v.best));
      stop_following(solver, v, made);
    }
    if (!following && may_settle(system) && (now < kHalf * before || now <= kNear * snes->abstol)) {
      settle(solver, true);
      linearise_anew(solver, v);
    }
    PetscFunctionReturn(0);
  }
  nonlinear = now > kNonlinear * linear;
  beyond_ = nonlinear && linear <= snes->abstol ? now / linear : 1;
  if (!nonlinear && !turned) {
    shift(solver, v);
    PetscFunctionReturn(0);
  }
  solver.count("ssnal_linearise");
  turns_ = true;
  linearise_anew(solver, v);
  if (follows_forces(system)) {
    settle(solver, now < before);
    PetscFunctionReturn(0);
  }
  if (system.sparse_hessian()) PetscCall(watch(snes, v, made, now));
  PetscFunctionReturn(0);
}

bool Ssnal::at_rounding(SnesStepSolver& solver, const ProximalRows::NaturalMap& reached, double before, double bound,
                        double tolerance) {
  const double now = reached.largest();
  if (!(now <= bound)) return false;
  if (reached.rows < kHalf * level_.least)  // of the momentum it is chance that halves
    level_ = {reached.rows, 0};
  else
    ++level_.steps;
  const bool rows_solved = reached.rows <= tolerance && solver.solved_to(bound);
  return now > kHalf * before && (rows_solved || level_.steps >= kLevel);
}

bool Ssnal::stalled(SnesStepSolver& solver, Vec X, double tolerance, PetscInt made) {
  const double error = solver.velocity_error(X);
  if (error < kHalf * least_) least_ = error, least_at_ = made;
  const bool may_begin_anew = retries_ < options.retries && !follows_forces(solver.problem().system());
  const int patience = contradicted_ ? kSlow : kStalled;
  return tolerance > 0 && made - least_at_ >= patience && !may_begin_anew && solver.solved_to(options.stall);
}

void Ssnal::stop_following(SnesStepSolver& solver, const Vectors& v, PetscInt made) {
  following = false;
  best_at_ = made;
  linearise_anew(solver, v);
}

PetscErrorCode Ssnal::watch(SNES snes, const Vectors& v, PetscInt made, double now) {
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  if (now < kHalf * best_) {
    best_ = now;
    best_at_ = made;
    PetscCall(VecCopy(snes->vec_sol, v.best));
  }
  // Where the best point is near, linearisations may not lead far from it; where it is not, not for long.
  const bool near = best_ <= options.follow * fastest(solver, v.best);
  const bool astray = !following && !(now <= kAstray * best_);
  if (near ? !astray : made - best_at_ < options.watchdog) PetscFunctionReturn(0);
  following = true;
  best_at_ = made;
  solver.count("ssnal_watchdog");
  PetscCall(VecCopy(v.best, v.base));
  PetscCall(VecCopy(v.best, v.now));
  clear_velocity(solver.problem().system(), v.now);
  PetscFunctionReturn(0);
}

void register_ssnal() { register_snes_type<Ssnal>(); }

}  // namespace clarke
