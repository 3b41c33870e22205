#include "ncp/strategies/ssnal.hpp"

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_rows.hpp"
#include "ncp/strategies/snes_type.hpp"
#include "ncp/strategies/step_energy.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

/// Where ε stays: below it the matrix loses its digits, above it nothing moves.
constexpr double kLeast = 1e-8, kLargest = 10;
constexpr double kRounding = 4e-16;  // of a velocity, relative to what it is made of: v/ε carries it into g
constexpr double kNoise = 0.9;       // at the least ε the natural map falls below this, or rounding is what moves it
constexpr double kMostNoise = 1e6;   // of rounding, over its estimate
constexpr double kShortest = 1.0 / 64;   // step length
constexpr double kSlope = 1e-3;          // of the merit |g|, per step length, that counts as a decrease
constexpr double kWorst = 2;             // an increase of |g| by more than this is never accepted
constexpr double kArmijo = 1e-4;         // of the slope of the potential, per step length
constexpr double kLeastDescent = 1e-13;  // of the potential: rounding of its sum
constexpr double kProgress = 0.1;        // by which |g| falls in -ssnal_inner steps, or they have failed
constexpr int kMostDescents = 5;         // times -ssnal_inner steps while only the potential falls
constexpr double kNonlinear = 2;         // of the true natural map over that of the linearisation: time for a new one
constexpr int kCorrections = 3;          // of the velocity, when only its momentum is wrong

/// Whether forces follow the velocity, and nothing else does: what dense items add is no potential.
bool has_potential(const SaddlePointSystem& s) { return s.sparse_hessian() && !s.traits.dense_compliance; }

/// Largest sum of a row.
KOKKOS_INLINE_FUNCTION double row_norm(const Mat3& a) {
  double largest = 0;
  for (int r = 0; r < 3; ++r)
    largest = std::fmax(largest, std::fabs(a(r, 0)) + std::fabs(a(r, 1)) + std::fabs(a(r, 2)));
  return largest;
}

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
  StepEnergy energy_;
  bool noisy_ = false;           // the last Newton step could not be told from rounding by the potential
  bool nonlinear_ = false;       // the last proximal step ended with a new linearisation
  double last_epsilon_ = 1e300;  // where the last solve ended, if it converged

  /// The vectors of a solve: (u, r) of the proximal step, as it began, and of a trial.
  struct Vectors {
    Vec now, before, trial;
  };

  void linearise(SnesStepSolver& solver, Vec at) {
    solver.linearise(at);
    const SaddlePointSystem& system = solver.problem().system();
    const VecRead x(at);
    rows.linearise(solver.problem(), as_vec3(x.view(), 0, system.blocks), rows_of(x.view(), system));
  }

  /// The proximal problem at `at`. Where the step follows its forces, their true g is what a step length lowers; rows
  /// alone keep one linearisation until it is what limits the accuracy.
  ProximalRows::Momentum project(SnesStepSolver& solver, Vec at, double epsilon) {
    const SaddlePointSystem& system = solver.problem().system();
    if (follows_forces(system)) linearise(solver, at);
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
    if (!follows_forces(problem.system()) && !nonlinear_) return kRounding * speed;
    const View<Vec3> position = problem.point().x;
    const double farthest = largest_of(
        "ssnal_farthest", static_cast<int>(position.extent(0)), KOKKOS_LAMBDA(int i) { return norm(position(i)); });
    return kRounding * (speed + farthest / problem.context().h);
  }
  /// What rounding makes of M⁻¹ g [m/s]: forces that follow the velocities carry theirs into it through M⁻¹ H.
  double floor(SnesStepSolver& solver, Vec at) {
    const SaddlePointSystem& s = solver.problem().system();
    if (!has_potential(s)) return 0;
    const View<Mat3> inverse = s.mass_inverse, H = s.hessian;
    const OffDiagonal off = s.forces.off;
    const double stiffest = largest_of(
        "ssnal_stiffest", s.blocks, KOKKOS_LAMBDA(int b) {
          double sum = row_norm(H(b));
          for (int e = off.entries > 0 ? off.first(b) : 0, end = off.entries > 0 ? off.first(b + 1) : 0; e < end; ++e)
            sum += row_norm(off.value(e));
          return row_norm(inverse(b)) * sum;
        });
    return options.rounding * stiffest * rounding(solver, at);
  }

  ProximalRows::NaturalMap natural_map(SnesStepSolver& solver, Vec at) {
    solver.evaluate(at, true);
    const VecRead x(at);
    return rows.natural_map(solver.problem(), rows_of(x.view(), solver.problem().system()));
  }

  /// Of the proximal problem where it was projected last, s as frozen [J]; only where the step follows its forces.
  double potential(SnesStepSolver& solver, Vec at) {
    const SaddlePointSystem& system = solver.problem().system();
    const VecRead x(at);
    return energy_.value(solver.problem()) + rows.envelope(system, rows_of(x.view(), system));
  }

  /// How a Newton step ended: no length was found; |g| fell, or rose little; the potential fell.
  enum class Step { none, momentum, potential };

  /// One Newton step of the proximal problem from `v.now`, where its momentum is `m`, which becomes that of the new
  /// point.
  PetscErrorCode newton_step(SNES snes, const Vectors& v, double epsilon, ProximalRows::Momentum& m, Step* taken) {
    Vec F = snes->vec_func, Y = snes->vec_sol_update;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    SaddlePointSystem& system = solver.problem().system();
    *taken = Step::none;
    rows.set_matrix(system);
    {
      VecWrite f(F);
      rows.right_hand_side(system, f.view());
    }
    PetscCall(KSPSolve(snes->ksp, F, Y));
    SNESCheckKSPSolve(snes);
    double start = 0, slope = 0;
    const bool descends = has_potential(system);
    if (descends) {
      const VecRead y(Y);
      slope = -rows.slope(system, y.view());
      rows.freeze_term(system);
      start = potential(solver, v.now);
      noisy_ = -slope <= kLeastDescent * std::fabs(start);
    }
    const auto at_length = [&](double a) {
      take(solver, v.now, Y, a, v.trial);
      return project(solver, v.trial, epsilon);
    };
    ProximalRows::Momentum trial{};
    double best = kWorst * kWorst * m.energy, best_length = 0;
    for (double a = 1; *taken == Step::none && a >= kShortest; a /= 2) {
      trial = at_length(a);
      if (trial.energy < best) best = trial.energy, best_length = a;
      const double wanted = 1 - kSlope * a;
      if (trial.energy <= wanted * wanted * m.energy)
        *taken = Step::momentum;
      else if (descends && !noisy_ && std::isfinite(trial.energy) &&
               potential(solver, v.trial) <= start + kArmijo * a * slope)
        *taken = Step::potential;
    }
    if (*taken == Step::none && best_length > 0) {
      trial = at_length(best_length);
      *taken = Step::momentum;
    }
    if (*taken == Step::none) PetscFunctionReturn(0);
    m = trial;
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
    ProximalRows::Momentum m = project(*step_solver_of(snes), v.now, epsilon);
    const double least = std::max(target, floor(*step_solver_of(snes), v.now));
    double checked = m.energy;  // energy at the last check of progress
    int descents = 0;           // steps since then that lowered the potential
    Step taken = Step::momentum;
    *solved = false;
    for (*steps = 0; taken != Step::none && !*solved && *steps < budget && std::isfinite(m.energy); ++*steps) {
      if (*steps > 0 && *steps % options.inner == 0) {
        const bool descending = descents > 0 && *steps < kMostDescents * options.inner;
        if (!(m.energy <= kProgress * kProgress * checked) && !descending) PetscFunctionReturn(0);
        checked = m.energy;
        descents = 0;
      }
      PetscCall(newton_step(snes, v, epsilon, m, &taken));
      if (snes->reason) PetscFunctionReturn(0);
      descents += taken == Step::potential;
      *solved = taken != Step::none && m.velocity <= least;
    }
    PetscFunctionReturn(0);
  }

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    const Vectors v{snes->work[0], snes->work[1], snes->work[2]};
    SnesStepSolver& solver = *step_solver_of(snes);
    double epsilon = options.remember ? std::min(options.epsilon, last_epsilon_ / options.decrease) : options.epsilon;
    double noise = 1;  // over the estimate of rounding
    PetscInt made = 0;
    snes->reason = SNES_CONVERGED_ITERATING;
    nonlinear_ = false;
    PetscCall(evaluate_and_test(snes, 0, 0));
    if (snes->reason) PetscFunctionReturn(0);
    PetscCall(SNESComputeJacobian(snes, X, snes->jacobian, snes->jacobian_pre));
    PetscCall(KSPSetOperators(snes->ksp, snes->jacobian, snes->jacobian_pre));
    PetscCall(VecCopy(X, v.now));
    double error = natural_map(solver, X).largest();
    linearise(solver, X);
    while (made < snes->max_its && !snes->reason) {
      PetscTryTypeMethod(snes, update, made);
      PetscCall(VecCopy(v.now, v.before));
      const double target = options.reduction * error;
      const double least = noise * std::max(kLeast, rounding(solver, v.now) / target);
      epsilon = std::clamp(epsilon, std::min(least, kLargest), kLargest);
      const double before = error;
      PetscInt steps = 0;
      bool solved = false;
      PetscCall(proximal_step(snes, v, epsilon, target, snes->max_its - made, &steps, &solved));
      made += std::max<PetscInt>(steps, 1);
      PetscCall(PetscInfo(snes, "eps %.1e: %d Newton steps, %s, natural map %.2e m/s\n", epsilon, (int)steps,
                          solved ? "solved" : "failed", error));
      if (snes->reason) break;
      if (solved) PetscCall(accept(snes, v, made, &error, &solved));
      if (snes->reason) break;
      if (solved) {
        // The smaller ε, the faster, unless rounding is what moves the impulses.
        if (nonlinear_ && steps == 1 && epsilon <= least && error > kNoise * before)
          noise = noise < kMostNoise ? 10 * noise : 1;
        if (steps <= options.easy) epsilon = epsilon * options.decrease;
        if (steps > options.hard) epsilon = std::min(2 * epsilon, kLargest);
        continue;
      }
      solver.count("ssnal_failed_step");
      if (follows_forces(solver.problem().system()) && noisy_)
        noise = std::clamp(2 * epsilon / least * noise, noise, kMostNoise);
      epsilon = std::min(epsilon * options.increase, kLargest);
      PetscCall(VecCopy(v.before, v.now));
    }
    last_epsilon_ = snes->reason > 0 ? epsilon : options.epsilon;
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }

  /// The velocity that rows lead to is right to first order. Where they are solved and its momentum is not, it is made
  /// right, as long as that helps.
  ProximalRows::NaturalMap correct(SnesStepSolver& solver, const Vectors& v, Vec X, double tolerance) {
    const SaddlePointSystem& system = solver.problem().system();
    ProximalRows::NaturalMap now = natural_map(solver, X);
    if (follows_forces(system)) return now;
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

  /// X := (u(p), p) of a solved proximal step, p the centre of the next, and `error` the natural map there; not where
  /// an element is not defined.
  PetscErrorCode accept(SNES snes, const Vectors& v, PetscInt made, double* error, bool* accepted) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    SaddlePointSystem& system = solver.problem().system();
    double linear = 0;  // natural map of the linearisation
    {
      VecUpdate now(v.now);
      VecWrite x(X);
      rows.candidate(system, as_vec3(now.view(), 0, system.blocks), x.view());
      Kokkos::deep_copy(rows_of(now.view(), system), rows_of(x.view(), system));
      if (!follows_forces(system)) linear = rows.linear_natural_map(system, x.view());
    }
    const double now = correct(solver, v, X, snes->abstol).largest();
    *accepted = std::isfinite(now);
    if (!*accepted) {
      PetscCall(VecCopy(v.before, X));
      if (!follows_forces(system)) rows.restore(system);
      solver.forget_evaluation();
      PetscFunctionReturn(0);
    }
    *error = now;
    PetscCall(evaluate_and_test(snes, made, 0));
    if (snes->reason) PetscFunctionReturn(0);
    if (follows_forces(system)) {
      if (now <= floor(solver, X)) {
        snes->reason = SNES_CONVERGED_SNORM_RELATIVE;
        solver.count("ssnal_rounding");
      }
      PetscFunctionReturn(0);
    }
    nonlinear_ = *error > kNonlinear * linear;
    if (nonlinear_) {
      linearise(solver, v.now);
      solver.count("ssnal_linearise");
    } else {
      rows.restore(system);
      solver.forget_evaluation();
    }
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_ssnal() { register_snes_type<Ssnal>(); }

}  // namespace clarke
