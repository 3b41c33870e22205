#pragma once
// The inner problem of `ssnal` (ssnal.hpp): Newton's iteration in the velocity on one proximal step of all rows
// (proximal_rows.hpp) [docs/theory.md, eq. D5].
//
//   H du = −g,  u += a du
//     of a linearisation, where g·du < 0: a = 1, unless g·du is then positive and not much less than it was; else the
//       zero of g·du on the way. Of rows without friction, or whose radii are held, that is the minimum of a convex
//       potential along du, and |g| may grow
//     else a = 1, ½ …, the first for which |g| in M⁻¹ falls, or, where the step follows its forces or rows, the
//       potential, s frozen in it, or, straight on or with parts turned (turning_parts.hpp); else the length with the
//       least |g|, if that is at most twice what it was
//   solved   M⁻¹ g ≤ target [m/s]
//   failed   no length, or -ssnal_inner steps that do not lower |g| tenfold
//
// The unknown is the change du since the proximal step began, whose rounding goes with its size.

#include "ncp/strategies/proximal_rows.hpp"
#include "ncp/strategies/snes_type.hpp"
#include "ncp/strategies/ssnal.hpp"
#include "ncp/strategies/step_energy.hpp"
#include "ncp/strategies/turning_parts.hpp"

#include <array>

namespace clarke {

/// What a strategy with a proximal step has of a linearisation, and how it solves one.
struct ProximalNewton {
  /// (du, r) of the proximal step, as it began, and of a trial; (u, ·) where du = 0; a point; the best (u, r), and that
  /// where the step began; the end of a path so far, and its direction there (compliance_path.hpp).
  struct Vectors {
    Vec now, before, trial, base, point, best, start, path, way;
  };
  /// The work vectors of the SNES, made where they are needed first: a small step that rests, or that sweeps solve,
  /// would take as long for them as for its arithmetic.
  static PetscErrorCode make_vectors(SNES snes, Vectors* v);

  SsnalOptions options;
  ProximalRows rows;
  bool noisy = false;      // the last Newton step could not be told from rounding by the potential
  bool following = false;  // rows are linearised at every iterate, as forces are
  bool settled = false;    // forces, too, keep one linearisation
  bool nonlinear = false;  // the last proximal step ended with a new linearisation
  double momentum = 0;     // M⁻¹ g where the last proximal step ended [m/s]

  void linearise(SnesStepSolver& solver, Vec at);
  /// Rows are linearised at every iterate.
  bool follows(const SaddlePointSystem& system) const { return following || (follows_forces(system) && !settled); }
  /// Where rows or forces are linearised at iterates, u − M⁻¹ g is no correction of u.
  bool keeps_velocity(const SaddlePointSystem& system) const { return following || follows_forces(system); }
  bool may_polish(const SaddlePointSystem& system, const ProximalRows::NaturalMap& error, double least) const {
    return !keeps_velocity(system) && error.largest() > least;
  }
  /// What the next proximal step begins with: du = 0 at u⁰ of the linearisation, r the centre.
  void rebase(SnesStepSolver& solver, const Vectors& v);
  /// Linearises where `now` is.
  void linearise_anew(SnesStepSolver& solver, const Vectors& v);
  /// The same linearisation, but from where `now` is.
  void shift(SnesStepSolver& solver, const Vectors& v);

  /// X := (u(p), p) where the problem was projected last, p the centre of the next step; u completed by its momentum,
  /// or not.
  void take_candidate(const SaddlePointSystem& system, const Vectors& v, bool completed, Vec X);

  static double fastest(SnesStepSolver& solver, Vec at);
  /// Of the velocities of rows [m/s]: of changes, which are `error`; where rows are linearised again, of gaps at q⁺.
  double rounding(SnesStepSolver& solver, Vec at, double error) const;
  /// Of M⁻¹ g [m/s]: forces that follow the velocities carry theirs into it.
  double floor(SnesStepSolver& solver, Vec at) const;
  ProximalRows::NaturalMap natural_map(SnesStepSolver& solver, Vec at);
  /// What M⁻¹ g of the next proximal step is to be small against: rows alone, where only the momentum is wrong.
  double wanted(const SaddlePointSystem& system, const ProximalRows::NaturalMap& error, double tolerance) const;

  /// The velocity that rows lead to is right to first order. Where they are solved and its momentum is not, it is made
  /// right, as long as that helps.
  ProximalRows::NaturalMap correct(SnesStepSolver& solver, const Vectors& v, Vec X, double tolerance);

  /// The changes of velocity in `now` of a linearisation that has been solved, and the velocities of X they lead to:
  /// with the parts that elements tie together turned. Whether any of them turns.
  bool turn_parts(SnesStepSolver& solver, const Vectors& v, Vec X);

  /// Whether forces may keep one linearisation near the solution: where g is all that is left of them.
  bool may_settle(const SaddlePointSystem& s) const;
  void settle(SnesStepSolver& solver, bool on);
  /// Forces beside rows keep one linearisation from the start, made positive while they are far from the solution.
  void settle_from_start(SnesStepSolver& solver);
  /// That linearisation led nowhere: forces are followed, from where it began. Counted.
  void follow_from_before(SnesStepSolver& solver, const Vectors& v);

  /// Once in a time step, before what follows solves with H.
  static PetscErrorCode begin_solving(SNES snes);
  /// Newton's iteration on the proximal problem around the impulses of `v.now`; counts its steps.
  PetscErrorCode proximal_step(SNES snes, const Vectors& v, const ProximalRows::Weight& weight, double target,
                               PetscInt budget, PetscInt* steps, bool* solved);

 protected:
  static constexpr double kShortestTurn = 1.0 / 8192;  // length where rows are followed: they may turn by radians
  static constexpr double kSlope = 1e-3;               // of the merit |g|, per step length, that counts as a decrease

  /// The potential along a Newton step, radii of friction held.
  struct PotentialSearch {
    double start = 0, slope = 0;  // [J]
  };

  /// The proximal problem at `at` = (du, r). Where the step follows its forces or rows, their true g is what a step
  /// length lowers; otherwise they keep one linearisation until it is what limits the accuracy. A `trial` leaves the
  /// matrix as it was: linearise() comes next.
  ProximalRows::Momentum project(SnesStepSolver& solver, const Vectors& v, Vec at, const ProximalRows::Weight& weight,
                                 double length = 0, bool trial = false);
  /// du = 0: where rows or forces are linearised at the iterate itself. Its own u stays in force there (slope()).
  View<Vec3> no_change(const SaddlePointSystem& system);
  /// For a trial; tangents of forces, which cost more than they, only where it is `likely` to be taken.
  void move(SnesStepSolver& solver, Vec at, bool likely);
  /// The solution update becomes y of H y = g where the problem was projected last; the step is −y.
  PetscErrorCode solve_for_step(SNES snes);
  PotentialSearch begin_search(SnesStepSolver& solver, const Vectors& v, Vec y);
  /// Whether the length a, just projected, lowers the potential enough.
  bool lowers(SnesStepSolver& solver, const Vectors& v, Vec y, const PotentialSearch& search, double a,
              const ProximalRows::Momentum& from, const ProximalRows::Momentum& to);

 private:
  StepEnergy energy_;
  TurningParts parts_;
  std::array<double, kLongestHistory> recent_{};  // energies of |g| of the proximal step's last iterates
  int recorded_ = 0;

  Buffer<Vec3> still_{"proximal_still"};
  double rounding_ = 0;  // of velocities of rows, as the proximal step began [m/s]
  bool ahead_ = false;   // a trial has moved rows and g from where the matrix was made

  void record(double energy) { recent_[recorded_++ % kLongestHistory] = energy; }
  /// The largest of the last -ssnal_history of them [J].
  double reference() const;

  /// How a Newton step ended: no length was found; |g| fell, or rose little; the potential, or its slope, fell.
  enum class Step { none, momentum, potential };

  /// A Newton step on its way.
  struct Trial {
    double length = 0;
    ProximalRows::Momentum momentum{};
  };

  double potential(SnesStepSolver& solver, Vec at);
  void try_length(SnesStepSolver& solver, const Vectors& v, const ProximalRows::Weight& weight, Vec y, double length,
                  Trial* trial);
  /// The same with parts turned; whether there are any that turn.
  bool try_turned(SnesStepSolver& solver, const Vectors& v, const ProximalRows::Weight& weight, Vec y, double length,
                  Trial* trial);
  /// Whether there are parts to be turned.
  bool turns(const StepProblem& problem);
  Step search_slope(SnesStepSolver& solver, const Vectors& v, const ProximalRows::Weight& weight, Vec y,
                    const ProximalRows::Momentum& m, Trial* trial);
  Step search_momentum(SnesStepSolver& solver, const Vectors& v, const ProximalRows::Weight& weight, Vec y,
                       const ProximalRows::Momentum& m, Trial* trial);
  PetscErrorCode newton_step(SNES snes, const Vectors& v, const ProximalRows::Weight& weight, ProximalRows::Momentum& m,
                             Step* taken);
};

}  // namespace clarke
