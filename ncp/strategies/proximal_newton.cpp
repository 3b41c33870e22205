#include "ncp/strategies/proximal_newton.hpp"

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/step_rounding.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

constexpr double kShortest = 1.0 / 64;   // step length
constexpr double kWorst = 2;             // an increase of |g| by more than this is never accepted
constexpr double kArmijo = 1e-4;         // of the slope of the potential, per step length
constexpr double kLeastDescent = 1e-13;  // of the potential: rounding of its sum
constexpr double kProgress = 0.1;        // by which |g| falls in -ssnal_inner steps, or they have failed
constexpr int kCorrections = 3;          // of the velocity, when only its momentum is wrong
constexpr int kMostDescents = 2;         // times -ssnal_inner steps while only the potential falls
constexpr double kFlat = 0.3;            // of the slope of a step: nearly gone
constexpr double kFell = 0.5;            // |g|, or the slope is what fell
constexpr double kMargin = 0.1;          // of the interval, that the next length keeps from its ends
constexpr double kLeastLength = 1e-6;    // and where it ends
constexpr int kMostLengths = 12;
constexpr double kTurned = 1e-9;    // rad: less stretches nothing that doubles can tell
constexpr double kRefined = 10;     // times the unit of rounding of velocities of rows
constexpr double kMagnified = 100;  // times that over ε: M⁻¹ g in which it may show

/// Whether there are forces, and a potential of all that follows the velocity: what dense items add is none.
bool has_potential(const SaddlePointSystem& s) { return s.has_forces() && !s.traits.dense_compliance; }

}  // namespace

PetscErrorCode ProximalNewton::make_vectors(SNES snes, Vectors* v) {
  constexpr PetscInt kVectors = 9;
  PetscFunctionBegin;
  if (snes->nwork < kVectors) PetscCall(SNESSetWorkVecs(snes, kVectors));
  Vec* w = snes->work;
  *v = {w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8]};
  PetscFunctionReturn(0);
}

void ProximalNewton::linearise(SnesStepSolver& solver, Vec at) {
  ahead_ = false;
  solver.linearise(at, false);
  const SaddlePointSystem& system = solver.problem().system();
  const VecRead x(at);
  rows.linearise(solver.problem(), as_vec3(x.view(), 0, system.blocks), rows_of(x.view(), system));
}

ProximalRows::Momentum ProximalNewton::project(SnesStepSolver& solver, const Vectors& v, Vec at,
                                               const ProximalRows::Weight& weight, double length, bool trial) {
  const SaddlePointSystem& system = solver.problem().system();
  const bool follow = follows(system);
  if (follow) {
    place(system, v.base, at, v.point);
    if (trial)
      move(solver, v.point, length == 1);
    else
      linearise(solver, v.point);
  }
  const VecRead x(at);
  return rows.project(system, follow ? no_change(system) : as_vec3(x.view(), 0, system.blocks),
                      rows_of(x.view(), system), weight, follow, length);
}

View<Vec3> ProximalNewton::no_change(const SaddlePointSystem& system) {
  const View<Vec3> still = still_.resize(system.blocks);
  fill(still, Vec3{});
  return still;
}

void ProximalNewton::move(SnesStepSolver& solver, Vec at, bool likely) {
  const SaddlePointSystem& system = solver.problem().system();
  ahead_ = true;
  solver.evaluate(at, likely || !system.has_forces(), false);
  const VecRead x(at);
  rows.move(solver.problem(), as_vec3(x.view(), 0, system.blocks), rows_of(x.view(), system));
}

void ProximalNewton::rebase(SnesStepSolver& solver, const Vectors& v) {
  const SaddlePointSystem& system = solver.problem().system();
  clear_velocity(system, v.now);
  set_velocity(system, v.base, rows.start());
}

void ProximalNewton::linearise_anew(SnesStepSolver& solver, const Vectors& v) {
  place(solver.problem().system(), v.base, v.now, v.point);
  linearise(solver, v.point);
  rebase(solver, v);
}

void ProximalNewton::shift(SnesStepSolver& solver, const Vectors& v) {
  SaddlePointSystem& system = solver.problem().system();
  rows.restore(system);
  {
    const VecRead now(v.now);
    rows.shift(system, as_vec3(now.view(), 0, system.blocks), rows_of(now.view(), system));
  }
  rebase(solver, v);
  solver.forget_evaluation();
}

void ProximalNewton::take_candidate(const SaddlePointSystem& system, const Vectors& v, bool completed, Vec X) {
  VecUpdate now(v.now);
  VecWrite x(X);
  const View<Vec3> du = as_vec3(now.view(), 0, system.blocks);
  if (follows(system)) fill(du, Vec3{});
  rows.candidate(system, du, completed, x.view());
  Kokkos::deep_copy(rows_of(now.view(), system), rows_of(x.view(), system));
}

double ProximalNewton::fastest(SnesStepSolver& solver, Vec at) {
  const VecRead x(at);
  return largest_speed(solver.problem().system(), x.view());
}

double ProximalNewton::rounding(SnesStepSolver& solver, Vec at, double error) const {
  const StepProblem& problem = solver.problem();
  if (!follows(problem.system())) return kUnitRounding * error;
  return gap_rounding(problem, fastest(solver, at));
}

double ProximalNewton::floor(SnesStepSolver& solver, Vec at) const {
  const SaddlePointSystem& s = solver.problem().system();
  return has_potential(s) ? options.rounding * stiffest(s) * gap_rounding(solver.problem(), fastest(solver, at)) : 0;
}

ProximalRows::NaturalMap ProximalNewton::natural_map(SnesStepSolver& solver, Vec at) {
  solver.evaluate(at, true);
  const VecRead x(at);
  return rows.natural_map(solver.problem(), rows_of(x.view(), solver.problem().system()));
}

ProximalRows::NaturalMap ProximalNewton::correct(SnesStepSolver& solver, const Vectors& v, Vec X, double tolerance) {
  const SaddlePointSystem& system = solver.problem().system();
  ProximalRows::NaturalMap now = natural_map(solver, X);
  if (keeps_velocity(system)) return now;
  for (int k = 0; k < kCorrections && now.rows <= tolerance && now.momentum > tolerance; ++k) {
    (void)VecCopy(X, v.trial);
    {
      VecUpdate x(X);
      rows.correct(system, x.view());
    }
    const ProximalRows::NaturalMap next = natural_map(solver, X);
    if (!(next.largest() < now.largest())) {
      (void)VecCopy(v.trial, X);
      return natural_map(solver, X);
    }
    now = next;
  }
  return now;
}

bool ProximalNewton::may_settle(const SaddlePointSystem& s) const { return options.settle && has_potential(s); }

void ProximalNewton::settle(SnesStepSolver& solver, bool on) {
  settled = on;
  StepProblem& problem = solver.problem();
  for (int c = 0; options.exact && c < problem.contributors(); ++c) problem.contributor(c).set_exact_tangents(on);
}

void ProximalNewton::settle_from_start(SnesStepSolver& solver) {
  const SaddlePointSystem& system = solver.problem().system();
  settled = may_settle(system) && system.pattern.rows > 0;
}

void ProximalNewton::follow_from_before(SnesStepSolver& solver, const Vectors& v) {
  settle(solver, false);
  solver.count("ssnal_unsettled");
  (void)VecCopy(v.before, v.now);
  linearise_anew(solver, v);
  (void)VecCopy(v.now, v.before);
}

bool ProximalNewton::turns(const StepProblem& problem) {
  if (!options.turn || !problem.system().has_forces()) return false;
  parts_.find(problem);
  return parts_.any();
}

bool ProximalNewton::turn_parts(SnesStepSolver& solver, const Vectors& v, Vec X) {
  if (!turns(solver.problem())) return false;
  parts_.turn(solver.problem(), v.base, v.now, X);
  if (!(parts_.angle() > kTurned)) return false;
  solver.count("ssnal_turn");
  return true;
}

PetscErrorCode ProximalNewton::begin_solving(SNES snes) {
  PetscFunctionBegin;
  PetscCall(SNESComputeJacobian(snes, snes->vec_sol, snes->jacobian, snes->jacobian_pre));
  PetscCall(KSPSetOperators(snes->ksp, snes->jacobian, snes->jacobian_pre));
  PetscFunctionReturn(0);
}

/// Of the proximal problem where it was projected last, radii of friction as held [J]; only where the step follows its
/// forces.
double ProximalNewton::potential(SnesStepSolver& solver, Vec at) {
  const SaddlePointSystem& system = solver.problem().system();
  const VecRead x(at);
  return energy_.value(solver.problem()) + rows.envelope(system, rows_of(x.view(), system));
}

double ProximalNewton::wanted(const SaddlePointSystem& system, const ProximalRows::NaturalMap& error,
                              double tolerance) const {
  const double largest = error.largest();
  return keeps_velocity(system) ? largest : std::min(largest, std::max(error.rows, tolerance));
}

double ProximalNewton::reference() const {
  double largest = 0;
  for (int k = 1; k <= std::min(options.history, recorded_); ++k)
    largest = std::max(largest, recent_[(recorded_ - k) % kLongestHistory]);
  return largest;
}

PetscErrorCode ProximalNewton::solve_for_step(SNES snes) {
  Vec F = snes->vec_func, Y = snes->vec_sol_update;
  PetscFunctionBegin;
  SaddlePointSystem& system = step_solver_of(snes)->problem().system();
  rows.set_matrix(system);
  {
    VecWrite f(F);
    rows.right_hand_side(system, f.view());
  }
  PetscCall(KSPSolve(snes->ksp, F, Y));
  SNESCheckKSPSolve(snes);
  const VecRead y(Y);
  rows.predict(system, as_vec3(y.view(), 0, system.blocks));
  PetscFunctionReturn(0);
}

ProximalNewton::PotentialSearch ProximalNewton::begin_search(SnesStepSolver& solver, const Vectors& v, Vec y) {
  const VecRead step(y);
  const double slope = -rows.slope(solver.problem(), step.view());
  rows.freeze_radii(solver.problem().system());
  const double start = potential(solver, v.now);
  noisy = -slope <= kLeastDescent * std::fabs(start);
  return {start, slope};
}

/// Where the potential's digits do not show it, its slope at the trial does [Hager Zhang 2005, eq. 4.1].
bool ProximalNewton::lowers(SnesStepSolver& solver, const Vectors& v, Vec y, const PotentialSearch& search, double a,
                            const ProximalRows::Momentum& from, const ProximalRows::Momentum& to) {
  if (!noisy) return potential(solver, v.trial) <= search.start + kArmijo * a * search.slope;
  if (to.energy > kWorst * kWorst * from.energy) return false;
  linearise(solver, v.point);
  const VecRead step(y);
  return -rows.slope(solver.problem(), step.view()) <= (2 * kArmijo - 1) * search.slope;
}

void ProximalNewton::try_length(SnesStepSolver& solver, const Vectors& v, const ProximalRows::Weight& weight, Vec y,
                                double length, Trial* trial) {
  take(solver.problem().system(), v.now, y, length, v.trial);
  *trial = {length, project(solver, v, v.trial, weight, length, true)};
  const SaddlePointSystem& system = solver.problem().system();
  const bool noisy_impulses = trial->momentum.velocity * weight.epsilon <= kMagnified * rounding_;
  if (length == 1 && noisy_impulses && !follows(system))
    trial->momentum = rows.refine(system, trial->momentum, rounding_);
}

bool ProximalNewton::try_turned(SnesStepSolver& solver, const Vectors& v, const ProximalRows::Weight& weight, Vec y,
                                double length, Trial* trial) {
  if (!turns(solver.problem())) return false;
  parts_.take(solver.problem(), v.base, v.now, y, length, v.trial);
  if (!(parts_.angle() > kTurned)) return false;
  *trial = {length, project(solver, v, v.trial, weight, length, true)};
  return true;
}

/// The length at which the slope of the step is nearly gone; none where it does not descend.
ProximalNewton::Step ProximalNewton::search_slope(SnesStepSolver& solver, const Vectors& v,
                                                  const ProximalRows::Weight& weight, Vec y,
                                                  const ProximalRows::Momentum& m, Trial* trial) {
  const SaddlePointSystem& system = solver.problem().system();
  const auto left = [&] {
    const VecRead step(y);
    return rows.linear_slope(system, step.view());  // the step is −y
  };
  const double start = left();
  if (!(start > 0)) return Step::none;
  double low = 0, low_slope = start, high = 0, high_slope = 0, length = 1;
  bool found = false;
  for (int k = 0; !found && k < kMostLengths && length >= kLeastLength; ++k) {
    try_length(solver, v, weight, y, length, trial);
    const double slope = left();
    found = std::fabs(slope) <= kFlat * start || (length == 1 && slope > 0);
    if (slope > 0)
      low = length, low_slope = slope;
    else
      high = length, high_slope = slope;
    const double secant = low + (high - low) * low_slope / (low_slope - high_slope), margin = kMargin * (high - low);
    length = secant >= low + margin && secant <= high - margin ? secant : 0.5 * (low + high);
  }
  if (!found && !(low > 0)) return Step::none;
  if (!found && trial->length != low) try_length(solver, v, weight, y, low, trial);
  return trial->momentum.energy <= kFell * kFell * m.energy ? Step::momentum : Step::potential;
}

/// The first length that lowers |g|, or the potential where the step follows its forces or rows.
ProximalNewton::Step ProximalNewton::search_momentum(SnesStepSolver& solver, const Vectors& v,
                                                     const ProximalRows::Weight& weight, Vec y,
                                                     const ProximalRows::Momentum& m, Trial* trial) {
  const SaddlePointSystem& system = solver.problem().system();
  const bool descends = follows(system) && !system.traits.dense_compliance;
  PotentialSearch search;
  if (descends) search = begin_search(solver, v, y);
  const double from = descends || following ? m.energy : reference();
  double best = kWorst * kWorst * m.energy, best_length = 0;
  for (double a = 1; a >= (following ? kShortestTurn : kShortest); a /= 2) {
    try_length(solver, v, weight, y, a, trial);
    const double wanted = 1 - kSlope * a;
    if (trial->momentum.energy < best) best = trial->momentum.energy, best_length = a;
    for (const bool turned : {false, true}) {
      if (turned && !(descends && try_turned(solver, v, weight, y, a, trial))) break;
      const double energy = trial->momentum.energy;
      const bool falls = energy <= wanted * wanted * from;
      if (!falls && !(descends && std::isfinite(energy) && lowers(solver, v, y, search, a, m, trial->momentum)))
        continue;
      if (turned) solver.count("ssnal_turn");
      return falls ? Step::momentum : Step::potential;
    }
  }
  if (!(best_length > 0)) return Step::none;
  try_length(solver, v, weight, y, best_length, trial);
  return Step::momentum;
}

/// One Newton step of the proximal problem from `v.now`, where its momentum is `m`, which becomes that of the new
/// point.
PetscErrorCode ProximalNewton::newton_step(SNES snes, const Vectors& v, const ProximalRows::Weight& weight,
                                           ProximalRows::Momentum& m, Step* taken) {
  Vec Y = snes->vec_sol_update;
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  SaddlePointSystem& system = solver.problem().system();
  *taken = Step::none;
  if (ahead_) linearise(solver, v.point);
  PetscCall(solve_for_step(snes));
  if (snes->reason) PetscFunctionReturn(0);
  Trial trial;
  if (options.slope_search && !following && !follows_forces(system))
    *taken = search_slope(solver, v, weight, Y, m, &trial);
  if (*taken == Step::none) *taken = search_momentum(solver, v, weight, Y, m, &trial);
  if (*taken == Step::none) PetscFunctionReturn(0);
  m = trial.momentum;
  rows.take(trial.length);
  record(m.energy);
  PetscCall(VecCopy(v.trial, v.now));
  PetscFunctionReturn(0);
}

PetscErrorCode ProximalNewton::proximal_step(SNES snes, const Vectors& v, const ProximalRows::Weight& weight,
                                             double target, PetscInt budget, PetscInt* steps, bool* solved) {
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  {
    const VecRead centre(v.now);
    rows.begin(rows_of(centre.view(), solver.problem().system()));
  }
  ProximalRows::Momentum m = project(solver, v, v.now, weight);
  rounding_ = kRefined * gap_rounding(solver.problem(), fastest(solver, snes->vec_sol));
  recorded_ = 0;
  record(m.energy);
  const double enough = follows(solver.problem().system()) ? std::max(target, floor(solver, snes->vec_sol)) : target;
  double checked = m.energy;                                         // energy at the last check of progress
  int descents = 0;                                                  // steps since then that lowered the potential
  const bool has_rows = solver.problem().system().pattern.rows > 0;  // without them no ε makes a failed step easier
  Step taken = Step::momentum;
  *solved = false;
  for (*steps = 0; taken != Step::none && !*solved && *steps < budget && std::isfinite(m.energy); ++*steps) {
    if (*steps > 0 && *steps % options.inner == 0) {
      const bool descending = descents > 0 && (*steps < kMostDescents * options.inner || !has_rows);
      if (!(m.energy <= kProgress * kProgress * checked) && !descending) PetscFunctionReturn(0);
      checked = m.energy;
      descents = 0;
    }
    PetscCall(newton_step(snes, v, weight, m, &taken));
    if (snes->reason) PetscFunctionReturn(0);
    descents += taken == Step::potential;
    *solved = taken != Step::none && m.velocity <= enough;
    momentum = m.velocity;
  }
  PetscFunctionReturn(0);
}

}  // namespace clarke
