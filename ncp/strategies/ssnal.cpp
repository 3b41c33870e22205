#include "ncp/strategies/ssnal.hpp"

#include "framework/petsc_views.hpp"
#include "framework/vec_operations.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_memory.hpp"
#include "ncp/strategies/proximal_newton.hpp"
#include "ncp/strategies/step_rounding.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

namespace clarke {

namespace {

/// Where ε stays: below it the matrix loses its digits, above it nothing moves.
constexpr double kLeast = 1e-11, kLargest = 10;
constexpr double kNoise = 0.9, kMostNoise = 1e6;  // natural map where rounding moves it; rounding over its estimate
constexpr double kNonlinear = 2;      // of the true natural map over that of the linearisation: time for a new one
constexpr double kNegligible = 0.01;  // of the tolerance: M⁻¹ g that u is not freed of, for its rounding would be u's
constexpr double kHalf = 0.5, kMuchLess = 0.1;  // of the best natural map: going on well; far enough ahead
constexpr int kPatience = 4;                    // times -ssnal_watchdog, with following rows
constexpr double kResting = 1e3;                // of the tolerance: a step that begins as near as that is at rest
constexpr double kNear = 100;                   // of the tolerance: forces are known well enough
constexpr double kPolished = 1e-3;              // of the tolerance: nearer than that nothing is gained
constexpr double kFar = 1e3;                    // of -ssnal_stall: no walk near the solution
constexpr int kStalled = 500, kHopeless = 200;  // Newton steps that have not halved a small error; a large one
constexpr double kOtherFirst[] = {3, 0.3};      // ε that the step then begins with, in turn
constexpr double kLost = 10;                    // times the natural map before a linearisation of forces: not kept
constexpr double kAstray = 1e3;                 // times the least natural map: there is no way back from there
constexpr int kStuck = 100;                     // the same where there are no rows, and a proximal step has failed

struct Ssnal : ProximalNewton {
  static constexpr const char* kName = "ssnal";
  static constexpr const char* kSummary =
      "semismooth Newton in the velocity inside proximal steps, their weight adaptive; for all kinds of rows";
  static constexpr const char* kCitation = "Rockafellar 1976; Li Sun Toh 2018";
  static constexpr StrategyTraits kTraits{.general_rows = true};
  using Options = SsnalOptions;
  double beyond_ = 1;      // true natural map over that of the linearisation, where the latter is at the tolerance; 1
  double best_ = 0;        // least natural map of iterates with nonlinear rows [m/s]
  PetscInt best_at_ = 0;   // Newton steps made when it halved last
  double least_ = 0;       // the verdict's velocity error when it halved last [m/s]
  PetscInt least_at_ = 0;  // Newton steps made then
  int retries_ = 0;        // how often the step has begun anew
  ProximalMemory memory_;
  bool stirred_ = false;  // the last time step took Newton steps, or sweeps
  bool kept_noisy_ = false, kept_stirred_ = false;

  void keep() {
    memory_.keep();
    kept_noisy_ = noisy;
    kept_stirred_ = stirred_;
  }
  void take_back() {
    memory_.take_back();
    noisy = kept_noisy_;
    stirred_ = kept_stirred_;
  }

  void carry_over(StateArchive& archive) {
    memory_.carry_over(archive);
    archive.flag("noisy", noisy);
    archive.flag("stirred", stirred_);
  }

  PetscErrorCode solve(SNES snes) {
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    settle(solver, false);
    const PetscErrorCode failed = iterate(snes);
    settle(solver, false);
    PetscCall(failed);
    PetscFunctionReturn(0);
  }

  PetscErrorCode iterate(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    Vectors v{};
    SnesStepSolver& solver = *step_solver_of(snes);
    double noise = 1;  // over the estimate of rounding
    PetscInt made = 0;
    snes->reason = SNES_CONVERGED_ITERATING;
    nonlinear = following = false;
    PetscCall(VecCopy(X, snes->vec_sol_update));
    double unswept = 0;
    PetscCall(sweep(snes, snes->vec_sol_update, &unswept));
    PetscCall(evaluate_and_test(snes, 0, 0));
    if (snes->reason) {
      if (unswept > 0)
        stirred_ = true;
      else
        PetscCall(calm(snes));
      PetscFunctionReturn(0);
    }
    PetscCall(make_vectors(snes, &v));
    PetscCall(VecCopy(snes->vec_sol_update, v.start));
    stirred_ = true;
    PetscCall(begin_solving(snes));
    ProximalRows::NaturalMap error = begin(solver, v, X, 0);
    const double began = error.largest();
    double epsilon = first_epsilon(began);
    const double unswept_epsilon = first_epsilon(unswept);
    settle_from_start(solver);
    retries_ = 0;
    memory_.clear();
    while (made < snes->max_its && !snes->reason) {
      PetscTryTypeMethod(snes, update, made);
      const bool leads_nowhere = hopeless(solver.problem().system(), made, snes->abstol);
      if (leads_nowhere && (unswept > 0 || retries_ < options.retries)) {
        if (unswept > 0 || retries_ > 0)
          PetscCall(VecCopy(v.start, X));
        else
          solver.start_at("unconstrained", X);
        error = begin(solver, v, X, made);
        epsilon = unswept > 0 ? unswept_epsilon : kOtherFirst[retries_++ % std::size(kOtherFirst)];
        noise = 1;
        memory_.clear();
        solver.count(unswept > 0 ? "ssnal_undone_sweeps" : "ssnal_retry");
        unswept = 0;
      }
      if (following && made - best_at_ > kPatience * options.watchdog) stop_following(solver, v, made);
      PetscCall(VecCopy(v.now, v.before));
      const double before = error.largest();
      const double target = options.reduction * wanted(solver.problem().system(), error, snes->abstol);
      const double least = noise * std::max(kLeast, rounding(solver, X, before) / (options.reduction * before));
      epsilon = std::clamp(epsilon, std::min(least, kLargest), kLargest);
      PetscInt steps = 0;
      bool solved = false;
      PetscCall(proximal_step(snes, v, {epsilon, least}, target, snes->max_its - made, &steps, &solved));
      made += std::max<PetscInt>(steps, 1);
      PetscCall(PetscInfo(snes, "eps %.1e: %d Newton steps, %s, natural map %.2e m/s\n", epsilon, (int)steps,
                          solved ? "solved" : "failed", before));
      if (snes->reason) break;
      // Without rows no ε makes a failed proximal step easier: what it reached is where the next one begins, as long as
      // that leads on. One that does not move would fail alike until the budget ends.
      const bool has_rows = solver.problem().system().pattern.rows > 0;
      if (!solved && !has_rows && (steps <= 1 || made - least_at_ >= kStuck)) {
        snes->reason = SNES_CONVERGED_SNORM_RELATIVE;
        solver.count("ssnal_stuck");
        break;
      }
      // Where the budget ends inside a proximal step, what that has come to may be the best iterate.
      if (solved || !has_rows || made >= snes->max_its) PetscCall(accept(snes, v, made, &error, &solved));
      if (solved) memory_.add({before, epsilon, steps <= 1});
      if (snes->reason) break;
      if (solved) {
        // The smaller ε, the faster, unless rounding is what moves the impulses.
        if (nonlinear && steps == 1 && epsilon <= least && error.largest() > kNoise * before)
          noise = noise < kMostNoise ? 10 * noise : 1;
        epsilon = beyond_ > 1 ? std::min(epsilon * beyond_, kLargest) : next(epsilon, steps);
        if (steps <= options.easy) noise = std::max(1.0, noise * options.decrease);
        continue;
      }
      solver.count("ssnal_failed_step");
      if (follows_forces(solver.problem().system()) && noisy)
        noise = std::clamp(2 * epsilon / least * noise, noise, kMostNoise);
      epsilon = std::min(epsilon * options.increase, kLargest);
      PetscCall(VecCopy(v.before, v.now));
    }
    if (snes->reason == SNES_CONVERGED_FNORM_ABS && options.polish && began <= kResting * snes->abstol)
      PetscCall(polish(snes, v, epsilon, error, made, nullptr));
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }

  /// A step that begins at its solution. Impulses that stopped, in the step before, what moved there by an error of
  /// the tolerance's size would move it as much the other way: they are polished; not after one of rest.
  PetscErrorCode calm(SNES snes) {
    Vectors v{};
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    const bool echoes = std::exchange(stirred_, false) && options.polish;
    if (!echoes || snes->reason != SNES_CONVERGED_FNORM_ABS) PetscFunctionReturn(0);
    const ProximalRows::NaturalMap error = natural_map(solver, snes->vec_sol);
    if (!may_polish(solver.problem().system(), error, kPolished * snes->abstol)) PetscFunctionReturn(0);
    PetscCall(make_vectors(snes, &v));
    PetscCall(begin_solving(snes));
    begin(solver, v, snes->vec_sol, 0);
    PetscCall(polish(snes, v, first_epsilon(error.largest()), error, 0, &stirred_));
    PetscFunctionReturn(0);
  }

  /// Gauss-Seidel sweeps on the first iterate, which is `start`, unless that is near, where they leave slow modes; kept
  /// where they have led far enough. `unswept` is the natural map before them, where they are kept.
  PetscErrorCode sweep(SNES snes, Vec start, double* unswept) {
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

  /// Not of forces that couple blocks, which sweeps only smooth; nor of joints alone, which are one linear solve.
  bool may_sweep(const StepProblem& problem) const {
    return options.sweeps > 0 && problem.contacts() > 0 && !problem.system().has_forces();
  }

  /// The step as it is at X, from which everything begins.
  ProximalRows::NaturalMap begin(SnesStepSolver& solver, const Vectors& v, Vec X, PetscInt made) {
    nonlinear = following = false;
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

  /// Whether an iteration of rows has not halved its velocity error for so long that another one is the better bet.
  /// Near the solution walks are slow, and what has no tolerance of velocities walks on.
  bool hopeless(const SaddlePointSystem& s, PetscInt made, double tolerance) const {
    if (follows_forces(s) || (near() && !(tolerance > 0))) return false;
    return made - least_at_ >= (near() ? kStalled : kHopeless);
  }
  bool near() const { return least_ <= kFar * options.stall; }

  /// ε that a solve begins with at that natural map.
  double first_epsilon(double error) const {
    return options.remember ? memory_.epsilon(error, options.epsilon, options.decrease) : options.epsilon;
  }

  /// What follows on ε, whose proximal step took that many Newton steps.
  double next(double epsilon, PetscInt steps) const {
    if (steps <= options.easy) return epsilon * options.decrease;
    return steps > options.hard ? std::min(2 * epsilon, kLargest) : epsilon;
  }

  /// X := (u(p), p) of a solved proximal step, p the centre of the next, and `error` the natural map there; not where
  /// an element is not defined.
  PetscErrorCode accept(SNES snes, const Vectors& v, PetscInt made, ProximalRows::NaturalMap* error, bool* accepted) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    const double before = error->largest();
    SnesStepSolver& solver = *step_solver_of(snes);
    SaddlePointSystem& system = solver.problem().system();
    double linear = 0;  // natural map of the linearisation
    const bool followed = follows(system);
    {
      VecUpdate now(v.now);
      VecWrite x(X);
      const bool completed = !keeps_velocity(system) && momentum > kNegligible * snes->abstol;
      const View<Vec3> du = as_vec3(now.view(), 0, system.blocks);
      if (followed) fill(du, Vec3{});
      rows.candidate(system, du, completed, x.view());
      Kokkos::deep_copy(rows_of(now.view(), system), rows_of(x.view(), system));
      if (!followed) linear = rows.linear_natural_map(system, x.view());
    }
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
    if (follows_forces(system) && now <= floor(solver, X) && now > kHalf * before) {
      snes->reason = SNES_CONVERGED_FNORM_RELATIVE;  // to what can be told of the momentum
      solver.count("ssnal_rounding");
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
    if (!nonlinear) {
      shift(solver, v);
      PetscFunctionReturn(0);
    }
    solver.count("ssnal_linearise");
    linearise_anew(solver, v);
    if (follows_forces(system)) {
      settle(solver, now < before);
      PetscFunctionReturn(0);
    }
    if (system.sparse_hessian()) PetscCall(watch(snes, v, made, now));
    PetscFunctionReturn(0);
  }

  /// Rows that contradict each other by that little, or rounding: the velocity error no longer halves.
  bool stalled(SnesStepSolver& solver, Vec X, double tolerance, PetscInt made) {
    const double error = solver.velocity_error(X);
    if (error < kHalf * least_) least_ = error, least_at_ = made;
    const bool may_begin_anew = retries_ < options.retries && !follows_forces(solver.problem().system());
    return tolerance > 0 && made - least_at_ >= kStalled && !may_begin_anew && solver.solved_to(options.stall);
  }

  /// One proximal step more, kept where it helps (`helped` may be null): what rests is left as near to the solution as
  /// a step takes it, and the next step has nothing to do. At the tolerance itself, it would have to iterate again.
  PetscErrorCode polish(SNES snes, const Vectors& v, double epsilon, const ProximalRows::NaturalMap& error,
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

  void stop_following(SnesStepSolver& solver, const Vectors& v, PetscInt made) {
    following = false;
    best_at_ = made;
    linearise_anew(solver, v);
  }

  /// Linearisations may lead further away for a while. If they do not come back, rows are followed from the best point.
  PetscErrorCode watch(SNES snes, const Vectors& v, PetscInt made, double now) {
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
};

}  // namespace

void register_ssnal() { register_snes_type<Ssnal>(); }

}  // namespace clarke
