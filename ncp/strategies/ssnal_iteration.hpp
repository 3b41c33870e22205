#pragma once
// The SNES type `ssnal` (ssnal.hpp) as a whole: what it keeps from proximal step to proximal step, and from one time
// step to the next.
//
//   ssnal.cpp             the proximal steps, their ε, linearisations of rows that turn
//   ssnal_beginnings.cpp  sweeps, and beginning anew
//   ssnal_rest.cpp        what is done where a step begins at its solution, or ends near where it began

#include "ncp/strategies/compliance_path.hpp"
#include "ncp/strategies/proximal_memory.hpp"
#include "ncp/strategies/proximal_patience.hpp"

#include <limits>
#include <utility>

namespace clarke {

struct Ssnal : CompliancePath {
  static constexpr const char* kName = "ssnal";
  static constexpr const char* kSummary =
      "semismooth Newton in the velocity inside proximal steps, their weight adaptive; for all kinds of rows";
  static constexpr const char* kCitation = "Rockafellar 1976; Li Sun Toh 2018";
  static constexpr StrategyTraits kTraits{.general_rows = true};
  using Options = SsnalOptions;

  void keep() {
    memory_.keep();
    kept_noisy_ = noisy;
    kept_stirred_ = stirred_;
    kept_contradicted_ = contradicted_;
  }
  void take_back() {
    memory_.take_back();
    noisy = kept_noisy_;
    stirred_ = kept_stirred_;
    contradicted_ = kept_contradicted_;
  }

  void carry_over(StateArchive& archive) {
    memory_.carry_over(archive);
    archive.flag("noisy", noisy);
    archive.flag("stirred", stirred_);
    archive.flag("contradicted", contradicted_);
  }

  PetscErrorCode solve(SNES snes);

 private:
  static constexpr double kResting = 1e3;  // of the tolerance: a step that begins as near as that is at rest
  static constexpr int kSlow = 500;        // Newton steps that have not halved a small velocity error: to begin anew
  static constexpr int kStalled = 5000;    // and to end: walks that long have led to a solution
  static constexpr double kHalf = 0.5;     // of the best natural map: going on well

  /// Where the iteration is.
  struct Progress {
    ProximalRows::NaturalMap error;
    double epsilon;
    double noise = 1;  // over the estimate of rounding
    ProximalPatience patience;
    PetscInt made = 0;   // Newton steps
    double unswept = 0;  // natural map before sweeps, as long as they may be undone [m/s]
    double unswept_epsilon = 0;
  };

  double beyond_ = 1;     // true natural map over that of the linearisation, where the latter is at the tolerance; 1
  double best_ = 0;       // least natural map of iterates with nonlinear rows [m/s]
  PetscInt best_at_ = 0;  // Newton steps made when it halved last
  /// Within rounding of stiff forces: the least natural map of rows [m/s], and proximal steps that have not halved it.
  struct Level {
    double least = std::numeric_limits<double>::infinity();
    int steps = 0;
  };

  Level level_;
  double least_ = 0;       // the verdict's velocity error when it halved last [m/s]
  PetscInt least_at_ = 0;  // Newton steps made then
  int retries_ = 0;        // how often the step has begun anew with another ε
  int descents_ = 0;       // and by descent
  bool turns_ = false;     // since it began last, rows have been linearised again
  Descent descent_;        // the last one
  Path path_;              // of this solve
  int path_led_in_ = -1;   // the time step in which one led on
  int led_in_ = -1;        // the time step in which one led on: the next round of its contacts will hardly do without
  ProximalMemory memory_;
  double last_epsilon_ = 0;    // where the last solve ended
  bool stirred_ = false;       // the last time step took Newton steps, or sweeps
  bool contradicted_ = false;  // the last solve ended as stalled: this one need not find out anew at such length
  bool kept_noisy_ = false, kept_stirred_ = false, kept_contradicted_ = false;

  PetscErrorCode iterate(SNES snes);
  /// The step as it is at X, from which everything begins.
  ProximalRows::NaturalMap begin(SnesStepSolver& solver, const Vectors& v, Vec X, PetscInt made);
  /// X := (u(p), p) of a solved proximal step, p the centre of the next, and `error` the natural map there; not where
  /// an element is not defined.
  PetscErrorCode accept(SNES snes, const Vectors& v, PetscInt made, ProximalRows::NaturalMap* error, bool* accepted);
  /// Whether rounding of stiff forces is all that is left, or moves rows, too, so that they get no nearer.
  bool at_rounding(SnesStepSolver& solver, const ProximalRows::NaturalMap& reached, double before, double bound,
                   double tolerance);
  /// Rows that contradict each other by that little, or rounding: the velocity error no longer halves.
  bool stalled(SnesStepSolver& solver, Vec X, double tolerance, PetscInt made);
  void stop_following(SnesStepSolver& solver, const Vectors& v, PetscInt made);
  /// Linearisations may lead further away for a while. If they do not come back, rows are followed from the best point.
  PetscErrorCode watch(SNES snes, const Vectors& v, PetscInt made, double now);
  /// ε that a solve begins with at that natural map.
  double first_epsilon(double error) const;
  /// ε after a proximal step that led on with so many Newton steps.
  double next(Progress& at, PetscInt steps) const;

  /// Gauss-Seidel sweeps on the first iterate, which is `start`, unless that is near, where they leave slow modes; kept
  /// where they have led far enough. `unswept` is the natural map before them, where they are kept.
  PetscErrorCode sweep(SNES snes, Vec start, double* unswept);
  /// Not of forces that couple blocks, which sweeps only smooth; nor of joints alone, which are one linear solve.
  bool may_sweep(const StepProblem& problem) const;
  bool near() const;
  /// Whether an iteration of rows has not halved its velocity error for so long that another one is the better bet.
  /// Near the solution walks are slow, and what has no tolerance of velocities walks on; not after sweeps.
  bool hopeless(const SnesStepSolver& solver, PetscInt made, double tolerance, bool swept) const;
  /// Newton steps without the velocity error halving after which it is.
  int hopeless_after(const StepProblem& problem) const;
  /// Such an iteration begins anew, where it may (`begun`), or asks for continuation and ends; counted.
  PetscErrorCode begin_anew(SNES snes, const Vectors& v, Progress& at, bool* begun);
  PetscErrorCode descend(SNES snes, const Vectors& v, Progress& at);
  bool may_follow_path(SnesStepSolver& solver, PetscInt left) const;
  /// On from where it was left; counted.
  PetscErrorCode follow_path(SNES snes, const Vectors& v, Progress& at);
  /// Where linearisations have led astray after a descent, that goes further; counted.
  PetscErrorCode descend_further(SNES snes, const Vectors& v, Progress& at);

  /// A step that begins at its solution. Impulses that stopped, in the step before, what moved there by an error of
  /// the tolerance's size would move it as much the other way: they are polished; not after one of rest.
  PetscErrorCode calm(SNES snes);
  /// One proximal step more, kept where it helps (`helped` may be null): what rests is left as near to the solution as
  /// a step takes it, and the next step has nothing to do. At the tolerance itself, it would have to iterate again.
  PetscErrorCode polish(SNES snes, const Vectors& v, double epsilon, const ProximalRows::NaturalMap& error,
                        PetscInt made, bool* helped);
};

}  // namespace clarke
