#include "ncp/strategies/ssnal.hpp"

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_rows.hpp"
#include "ncp/strategies/snes_type.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

/// Where ε stays: below it the matrix loses its digits, above it nothing moves.
constexpr double kLeast = 1e-8, kLargest = 10;
constexpr double kRounding = 4e-16;     // of a velocity, relative to what it is made of: v/ε carries it into g
constexpr double kShortest = 1.0 / 64;  // step length
constexpr double kSlope = 1e-3;         // of the merit |g|, per step length, that counts as a decrease
constexpr double kWorst = 2;            // an increase of |g| by more than this is never accepted
constexpr double kProgress = 0.1;       // by which |g| falls in -ssnal_inner steps, or they have failed
constexpr double kNonlinear = 2;        // of the true natural map over that of the linearisation: time for a new one
constexpr double kReset = 100;          // alternating directions that end this much worse are undone

struct Ssnal {
  static constexpr const char* kName = "ssnal";
  static constexpr const char* kSummary =
      "semismooth Newton in the velocity inside proximal steps, their weight adaptive; for all kinds of rows";
  static constexpr const char* kCitation = "Rockafellar 1976; Li Sun Toh 2018";
  static constexpr StrategyTraits kTraits{.general_rows = true};
  static constexpr int kWorkVectors = 3;
  using Options = SsnalOptions;
  Options options;
  ProximalRows rows;
  bool nonlinear_ = false;       // the last proximal step ended with a new linearisation
  double last_epsilon_ = 1e300;  // where the last solve ended, if it converged

  /// The vectors of a solve: (u, r) of the proximal step, as it began, and of a trial.
  struct Vectors {
    Vec now, before, trial;
  };

  /// Forces and elements are linearised at every iterate, and their true g is what a step length lowers. Rows alone are
  /// nearly linear in the step: they keep one linearisation until it is what limits the accuracy.
  static bool follows(const SaddlePointSystem& s) { return s.sparse_hessian() || s.traits.dense_compliance; }

  void linearise(SnesStepSolver& solver, Vec at) {
    solver.linearise(at);
    const SaddlePointSystem& system = solver.problem().system();
    const VecRead x(at);
    rows.linearise(solver.problem(), as_vec3(x.view(), 0, system.blocks), rows_of(x.view(), system));
  }

  ProximalRows::Momentum project(SnesStepSolver& solver, Vec at, double epsilon) {
    const SaddlePointSystem& system = solver.problem().system();
    if (follows(system)) linearise(solver, at);
    const VecRead x(at);
    return rows.project(system, as_vec3(x.view(), 0, system.blocks), rows_of(x.view(), system), epsilon);
  }

  static double fastest(SnesStepSolver& solver, Vec at) {
    const VecRead x(at);
    const View<double> u = x.view();
    return largest_of(
        "ssnal_fastest", solver.problem().system().velocity_size(), KOKKOS_LAMBDA(int i) { return std::fabs(u(i)); });
  }
  /// What rounding makes of the velocities of rows [m/s]: of J (u − u⁰), and, where they are linearised again, of gaps
  /// at q⁺, differences of positions over h.
  double rounding(SnesStepSolver& solver, Vec at) {
    const StepProblem& problem = solver.problem();
    const double speed = fastest(solver, at);
    if (!follows(problem.system()) && !nonlinear_) return kRounding * speed;
    const View<Vec3> position = problem.point().x;
    const double farthest = largest_of(
        "ssnal_farthest", static_cast<int>(position.extent(0)), KOKKOS_LAMBDA(int i) { return norm(position(i)); });
    return kRounding * (speed + farthest / problem.context().h);
  }

  /// After an evaluation elsewhere.
  void restore(SnesStepSolver& solver) {
    if (!follows(solver.problem().system())) rows.restore(solver.problem().system());
  }

  double natural_map(SnesStepSolver& solver, Vec at) {
    solver.evaluate(at, true);
    const VecRead x(at);
    return rows.natural_map(solver.problem(), rows_of(x.view(), solver.problem().system()));
  }

  /// One Newton step of the proximal problem from `v.now`, with `m` its momentum there. False where none is found.
  PetscErrorCode newton_step(SNES snes, const Vectors& v, double epsilon, const ProximalRows::Momentum& m,
                             bool* taken) {
    Vec F = snes->vec_func, Y = snes->vec_sol_update;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    rows.set_matrix(solver.problem().system());
    {
      VecWrite f(F);
      rows.right_hand_side(solver.problem().system(), f.view());
    }
    PetscCall(KSPSolve(snes->ksp, F, Y));
    SNESCheckKSPSolve(snes);
    double best = kWorst * kWorst * m.energy, best_length = 0;
    for (double a = 1; a >= kShortest; a /= 2) {
      take(solver, v.now, Y, a, v.trial);
      const double energy = project(solver, v.trial, epsilon).energy;
      if (energy < best) best = energy, best_length = a;
      const double wanted = 1 - kSlope * a;
      if (energy <= wanted * wanted * m.energy) break;
    }
    *taken = best_length > 0;
    if (!*taken) PetscFunctionReturn(0);
    take(solver, v.now, Y, best_length, v.trial);
    PetscCall(VecCopy(v.trial, v.now));
    PetscFunctionReturn(0);
  }

  /// to = from − a y in the velocities; impulses stay.
  static void take(SnesStepSolver& solver, Vec from, Vec y, double a, Vec to) {
    const VecRead x(from), step(y);
    VecWrite out(to);
    const View<double> at = x.view(), d = step.view(), t = out.view();
    const int velocities = solver.problem().system().velocity_size();
    parallel_for(
        "ssnal_step", static_cast<int>(t.extent(0)),
        KOKKOS_LAMBDA(int i) { t(i) = i < velocities ? at(i) - a * d(i) : at(i); });
  }

  /// Newton's iteration on the proximal problem around the impulses of `v.now`; counts its steps.
  PetscErrorCode proximal_step(SNES snes, const Vectors& v, double epsilon, double target, PetscInt budget,
                               PetscInt* steps, bool* solved) {
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    *solved = false;
    double checked = 0;  // energy at the last check of progress
    for (*steps = 0;; ++*steps) {
      const ProximalRows::Momentum m = project(solver, v.now, epsilon);
      if (!std::isfinite(m.energy)) PetscFunctionReturn(0);
      *solved = *steps > 0 && m.velocity <= target;
      if (*solved || *steps >= budget) PetscFunctionReturn(0);
      if (*steps % options.inner == 0) {
        if (*steps > 0 && !(m.energy <= kProgress * kProgress * checked)) PetscFunctionReturn(0);
        checked = m.energy;
      }
      bool taken = false;
      PetscCall(newton_step(snes, v, epsilon, m, &taken));
      if (snes->reason) PetscFunctionReturn(0);
      if (!taken) {
        ++*steps;
        PetscFunctionReturn(0);
      }
    }
  }

  /// Alternating directions from `v.now`, which becomes their result.
  PetscErrorCode alternate(SNES snes, const Vectors& v, int times) {
    Vec F = snes->vec_func, Y = snes->vec_sol_update;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    SaddlePointSystem& system = solver.problem().system();
    restore(solver);
    (void)project(solver, v.now, 1 / options.kappa);
    VecUpdate x(v.now);
    const View<Vec3> u = as_vec3(x.view(), 0, system.blocks);
    rows.begin_alternating(system, u, rows_of(x.view(), system));
    rows.set_alternating_matrix(system);
    for (int k = 0; k < times; ++k) {
      {
        VecWrite f(F);
        rows.alternating_right_hand_side(system, f.view());
      }
      PetscCall(KSPSolve(snes->ksp, F, Y));
      SNESCheckKSPSolve(snes);
      const VecRead y(Y);
      rows.alternate(system, y.view(), u);
    }
    Kokkos::deep_copy(rows_of(x.view(), system), rows.alternating_impulse());
    solver.count("ssnal_alternations", times);
    PetscFunctionReturn(0);
  }

  /// X := what the impulses of `v.now` lead to.
  void consistent(SnesStepSolver& solver, const Vectors& v, Vec X) {
    solver.evaluate(v.now, true);
    const SaddlePointSystem& system = solver.problem().system();
    const VecRead at(v.now);
    VecWrite x(X);
    rows.follow(system, at.view(), x.view());
  }

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    const Vectors v{snes->work[0], snes->work[1], snes->work[2]};
    SnesStepSolver& solver = *step_solver_of(snes);
    double epsilon = options.remember ? std::min(options.epsilon, last_epsilon_ / options.decrease) : options.epsilon;
    PetscInt made = 0;
    snes->reason = SNES_CONVERGED_ITERATING;
    nonlinear_ = false;
    PetscCall(evaluate_and_test(snes, 0, 0));
    if (snes->reason) PetscFunctionReturn(0);
    PetscCall(SNESComputeJacobian(snes, X, snes->jacobian, snes->jacobian_pre));
    PetscCall(KSPSetOperators(snes->ksp, snes->jacobian, snes->jacobian_pre));
    PetscCall(VecCopy(X, v.now));
    double error = natural_map(solver, X);
    linearise(solver, v.now);
    if (options.start_alternations > 0) PetscCall(mix(snes, v, options.start_alternations, made, error));
    while (made < snes->max_its && !snes->reason) {
      PetscTryTypeMethod(snes, update, made);
      PetscCall(VecCopy(v.now, v.before));
      const double target = options.reduction * error;
      epsilon = std::clamp(epsilon, std::min(rounding(solver, v.now) / target, kLargest), kLargest);
      PetscInt steps = 0;
      bool solved = false;
      restore(solver);
      PetscCall(proximal_step(snes, v, epsilon, target, snes->max_its - made, &steps, &solved));
      made += steps;
      PetscCall(PetscInfo(snes, "eps %.1e: %d Newton steps, %s, natural map %.2e m/s\n", epsilon, (int)steps,
                          solved ? "solved" : "failed", error));
      if (snes->reason) break;
      if (solved) {
        accept(solver, v, X);
        PetscCall(evaluate_and_test(snes, made, 0));
        error = natural_map(solver, X);
        relinearise(solver, v, X, error);
        if (steps <= options.easy) epsilon = std::max(epsilon * options.decrease, kLeast);
        if (steps > options.hard) epsilon = std::min(2 * epsilon, kLargest);
        continue;
      }
      solver.count("ssnal_failed_step");
      epsilon = std::min(epsilon * options.increase, kLargest);
      PetscCall(VecCopy(v.before, v.now));
      if (options.alternations > 0) PetscCall(mix(snes, v, options.alternations, made, error));
    }
    last_epsilon_ = snes->reason > 0 && made > 0 ? epsilon : options.epsilon;
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }

  /// X := (u(p), p) of a solved proximal step, and p the centre of the next.
  void accept(SnesStepSolver& solver, const Vectors& v, Vec X) {
    const SaddlePointSystem& system = solver.problem().system();
    VecUpdate now(v.now);
    VecWrite x(X);
    rows.candidate(system, as_vec3(now.view(), 0, system.blocks), x.view());
    Kokkos::deep_copy(rows_of(now.view(), system), rows_of(x.view(), system));
  }

  /// Anew, where it is the linearisation that limits the accuracy.
  void relinearise(SnesStepSolver& solver, const Vectors& v, Vec X, double error) {
    if (follows(solver.problem().system())) return;
    double linear = 0;
    restore(solver);
    {
      const VecRead x(X);
      linear = rows.linear_natural_map(solver.problem().system(), x.view());
    }
    nonlinear_ = error > kNonlinear * linear;
    if (!nonlinear_) return;
    linearise(solver, v.now);
    solver.count("ssnal_linearise");
  }

  /// Alternating directions, and whether they may stay.
  PetscErrorCode mix(SNES snes, const Vectors& v, int times, PetscInt made, double& error) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    PetscCall(VecCopy(v.now, v.trial));
    PetscCall(alternate(snes, v, times));
    if (snes->reason) PetscFunctionReturn(0);
    consistent(solver, v, X);
    const double now = natural_map(solver, X);
    if (!(now <= kReset * error)) {
      solver.count("ssnal_alternations_undone");
      PetscCall(VecCopy(v.trial, v.now));
      consistent(solver, v, X);
    } else {
      error = now;
    }
    PetscCall(evaluate_and_test(snes, made, 0));
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_ssnal() { register_snes_type<Ssnal>(); }

}  // namespace clarke
