#include "ncp/strategies/ssnal.hpp"

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_rows.hpp"
#include "ncp/strategies/snes_type.hpp"
#include "ncp/strategies/step_energy.hpp"
#include "ncp/strategies/step_rounding.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

/// Where ε stays: below it the matrix loses its digits, above it nothing moves.
constexpr double kLeast = 1e-8, kLargest = 10;
constexpr double kNoise = 0.9;      // at the least ε the natural map falls below this, or rounding is what moves it
constexpr double kMostNoise = 1e6;  // of rounding, over its estimate
constexpr double kShortest = 1.0 / 64;        // step length
constexpr double kShortestTurn = 1.0 / 8192;  // the same where rows are followed: they may turn by more than a radian
constexpr double kSlope = 1e-3;               // of the merit |g|, per step length, that counts as a decrease
constexpr double kWorst = 2;                  // an increase of |g| by more than this is never accepted
constexpr double kArmijo = 1e-4;              // of the slope of the potential, per step length
constexpr double kLeastDescent = 1e-13;       // of the potential: rounding of its sum
constexpr double kProgress = 0.1;             // by which |g| falls in -ssnal_inner steps, or they have failed
constexpr int kMostDescents = 5;              // times -ssnal_inner steps while only the potential falls
constexpr double kNonlinear = 2;      // of the true natural map over that of the linearisation: time for a new one
constexpr double kNegligible = 0.01;  // of the tolerance: M⁻¹ g that u is not freed of, for its rounding would be u's
constexpr double kHalf = 0.5, kMuchLess = 0.1;  // of the best natural map: going on well; far enough ahead
constexpr int kPatience = 4;                    // times -ssnal_watchdog, with following rows
constexpr int kCorrections = 3;                 // of the velocity, when only its momentum is wrong

/// Whether forces follow the velocity, and nothing else does: what dense items add is no potential.
bool has_potential(const SaddlePointSystem& s) { return s.has_forces() && !s.traits.dense_compliance; }

struct Ssnal {
  static constexpr const char* kName = "ssnal";
  static constexpr const char* kSummary =
      "semismooth Newton in the velocity inside proximal steps, their weight adaptive; for all kinds of rows";
  static constexpr const char* kCitation = "Rockafellar 1976; Li Sun Toh 2018";
  static constexpr StrategyTraits kTraits{.general_rows = true};
  static constexpr int kWorkVectors = 6;
  using Options = SsnalOptions;
  Options options;
  ProximalRows rows;
  StepEnergy energy_;
  bool noisy_ = false;           // the last Newton step could not be told from rounding by the potential
  bool following_ = false;       // rows are linearised at every iterate, as forces are
  double best_ = 0;              // least natural map of iterates with nonlinear rows [m/s]
  PetscInt best_at_ = 0;         // Newton steps made when it halved last
  double momentum_ = 0;          // M⁻¹ g where the last proximal step ended [m/s]
  bool nonlinear_ = false;       // the last proximal step ended with a new linearisation
  double last_epsilon_ = 1e300;  // where the last solve ended, if it converged

  /// (du, r) of the proximal step, as it began, and of a trial; (u, ·) where du = 0; a point; the best (u, r).
  struct Vectors {
    Vec now, before, trial, base, point, best;
  };

  void linearise(SnesStepSolver& solver, Vec at) {
    solver.linearise(at);
    const SaddlePointSystem& system = solver.problem().system();
    const VecRead x(at);
    rows.linearise(solver.problem(), as_vec3(x.view(), 0, system.blocks), rows_of(x.view(), system));
  }

  /// Rows are linearised at every iterate.
  bool follows(const SaddlePointSystem& system) const { return following_ || follows_forces(system); }

  /// The proximal problem at `at` = (du, r). Where the step follows its forces or rows, their true g is what a step
  /// length lowers; otherwise they keep one linearisation until it is what limits the accuracy.
  ProximalRows::Momentum project(SnesStepSolver& solver, const Vectors& v, Vec at, double epsilon) {
    const SaddlePointSystem& system = solver.problem().system();
    if (follows(system)) {
      place(system, v.base, at, v.point);
      linearise(solver, v.point);
      clear_velocity(system, v.point);
    }
    const VecRead x(follows(system) ? v.point : at);
    return rows.project(system, as_vec3(x.view(), 0, system.blocks), rows_of(x.view(), system), epsilon);
  }

  /// What the next proximal step begins with: du = 0 at u⁰ of the linearisation, r the centre.
  void rebase(SnesStepSolver& solver, const Vectors& v) {
    const SaddlePointSystem& system = solver.problem().system();
    clear_velocity(system, v.now);
    set_velocity(system, v.base, rows.start());
  }
  /// Linearises where `now` is.
  void linearise_anew(SnesStepSolver& solver, const Vectors& v) {
    place(solver.problem().system(), v.base, v.now, v.point);
    linearise(solver, v.point);
    rebase(solver, v);
  }
  /// The same linearisation, but from where `now` is.
  void shift(SnesStepSolver& solver, const Vectors& v) {
    SaddlePointSystem& system = solver.problem().system();
    rows.restore(system);
    {
      const VecRead now(v.now);
      rows.shift(system, as_vec3(now.view(), 0, system.blocks), rows_of(now.view(), system));
    }
    rebase(solver, v);
    solver.forget_evaluation();
  }

  static double fastest(SnesStepSolver& solver, Vec at) {
    const VecRead x(at);
    return largest_speed(solver.problem().system(), x.view());
  }
  /// Of the velocities of rows [m/s]: of changes, which are `error`; where rows are linearised again, of gaps at q⁺.
  double rounding(SnesStepSolver& solver, Vec at, double error) {
    const StepProblem& problem = solver.problem();
    if (!follows(problem.system()) && !nonlinear_) return kUnitRounding * error;
    return gap_rounding(problem, fastest(solver, at));
  }
  /// Of M⁻¹ g [m/s]: forces that follow the velocities carry theirs into it.
  double floor(SnesStepSolver& solver, Vec at) {
    const SaddlePointSystem& s = solver.problem().system();
    return has_potential(s) ? options.rounding * stiffest(s) * rounding(solver, at, 0) : 0;
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

  /// What M⁻¹ g of the next proximal step is to be small against: rows alone, where only the momentum is wrong.
  double wanted(const SaddlePointSystem& system, const ProximalRows::NaturalMap& error, double tolerance) const {
    const double largest = error.largest();
    return follows(system) ? largest : std::min(largest, std::max(error.rows, tolerance));
  }

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
      return project(solver, v, v.trial, epsilon);
    };
    ProximalRows::Momentum trial{};
    double best = kWorst * kWorst * m.energy, best_length = 0;
    for (double a = 1; *taken == Step::none && a >= (following_ ? kShortestTurn : kShortest); a /= 2) {
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
    ProximalRows::Momentum m = project(*step_solver_of(snes), v, v.now, epsilon);
    const double least = std::max(target, floor(*step_solver_of(snes), snes->vec_sol));
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
      momentum_ = m.velocity;
    }
    PetscFunctionReturn(0);
  }

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    const Vectors v{snes->work[0], snes->work[1], snes->work[2], snes->work[3], snes->work[4], snes->work[5]};
    SnesStepSolver& solver = *step_solver_of(snes);
    double epsilon = options.remember ? std::min(options.epsilon, last_epsilon_ / options.decrease) : options.epsilon;
    double noise = 1;  // over the estimate of rounding
    PetscInt made = 0;
    snes->reason = SNES_CONVERGED_ITERATING;
    nonlinear_ = following_ = false;
    PetscCall(evaluate_and_test(snes, 0, 0));
    if (snes->reason) PetscFunctionReturn(0);
    PetscCall(SNESComputeJacobian(snes, X, snes->jacobian, snes->jacobian_pre));
    PetscCall(KSPSetOperators(snes->ksp, snes->jacobian, snes->jacobian_pre));
    PetscCall(VecCopy(X, v.now));
    ProximalRows::NaturalMap error = natural_map(solver, X);
    linearise(solver, X);
    rebase(solver, v);
    PetscCall(VecCopy(X, v.best));
    best_ = error.largest();
    best_at_ = 0;
    while (made < snes->max_its && !snes->reason) {
      PetscTryTypeMethod(snes, update, made);
      if (following_ && made - best_at_ > kPatience * options.watchdog) stop_following(solver, v, made);
      PetscCall(VecCopy(v.now, v.before));
      const double before = error.largest();
      const double target = options.reduction * wanted(solver.problem().system(), error, snes->abstol);
      const double least = noise * std::max(kLeast, rounding(solver, X, before) / (options.reduction * before));
      epsilon = std::clamp(epsilon, std::min(least, kLargest), kLargest);
      PetscInt steps = 0;
      bool solved = false;
      PetscCall(proximal_step(snes, v, epsilon, target, snes->max_its - made, &steps, &solved));
      made += std::max<PetscInt>(steps, 1);
      PetscCall(PetscInfo(snes, "eps %.1e: %d Newton steps, %s, natural map %.2e m/s\n", epsilon, (int)steps,
                          solved ? "solved" : "failed", before));
      if (snes->reason) break;
      if (solved) PetscCall(accept(snes, v, made, &error, &solved));
      if (snes->reason) break;
      if (solved) {
        // The smaller ε, the faster, unless rounding is what moves the impulses.
        if (nonlinear_ && steps == 1 && epsilon <= least && error.largest() > kNoise * before)
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
    if (follows(system)) return now;
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
  PetscErrorCode accept(SNES snes, const Vectors& v, PetscInt made, ProximalRows::NaturalMap* error, bool* accepted) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    SaddlePointSystem& system = solver.problem().system();
    double linear = 0;  // natural map of the linearisation
    const bool followed = follows(system);
    {
      VecUpdate now(v.now);
      VecWrite x(X);
      const bool completed = !followed && momentum_ > kNegligible * snes->abstol;
      const View<Vec3> du = as_vec3(now.view(), 0, system.blocks);
      if (followed) fill(du, Vec3{});
      rows.candidate(system, du, completed, x.view());
      Kokkos::deep_copy(rows_of(now.view(), system), rows_of(x.view(), system));
      if (!followed) linear = rows.linear_natural_map(system, x.view());
    }
    const ProximalRows::NaturalMap reached = correct(solver, v, X, snes->abstol);
    const double now = reached.largest();
    *accepted = std::isfinite(now);
    if (!*accepted) {
      place(system, v.base, v.before, X);
      if (!followed) rows.restore(system);
      solver.forget_evaluation();
      PetscFunctionReturn(0);
    }
    *error = reached;
    PetscCall(evaluate_and_test(snes, made, 0));
    if (snes->reason) PetscFunctionReturn(0);
    if (followed) {
      rebase(solver, v);
      if (follows_forces(system) && now <= floor(solver, X)) {
        snes->reason = SNES_CONVERGED_SNORM_RELATIVE;
        solver.count("ssnal_rounding");
      }
      if (following_ && now <= std::max(kMuchLess * best_, options.follow * fastest(solver, X))) {
        best_ = now;
        PetscCall(VecCopy(X, v.best));
        stop_following(solver, v, made);
      }
      PetscFunctionReturn(0);
    }
    nonlinear_ = now > kNonlinear * linear;
    if (!nonlinear_) {
      shift(solver, v);
      PetscFunctionReturn(0);
    }
    solver.count("ssnal_linearise");
    linearise_anew(solver, v);
    if (!system.traits.symmetric_hessian) PetscCall(watch(snes, v, made, now));
    PetscFunctionReturn(0);
  }

  void stop_following(SnesStepSolver& solver, const Vectors& v, PetscInt made) {
    following_ = false;
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
    if (made - best_at_ < options.watchdog || best_ <= options.follow * fastest(solver, v.best)) PetscFunctionReturn(0);
    following_ = true;
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
