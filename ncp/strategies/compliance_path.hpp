#pragma once
// The path of solutions as compliance falls: how `ssnal` (ssnal.hpp) solves a step to which proximal steps do not lead
// [docs/theory.md, eq. D5c; Alexander 1978; Allgower Georg 2003, ch. 2 and 12].
//
//   g(u, ε) = M (u − ũ) − Jᵀ p(u, ε) + f = 0,    p the law of every row with the compliance c = ε w + γ, from r ≈ 0
//     ε = 10⁴: one solution, near ũ;   ε → 0: a solution of the step, wherever solutions stay bounded
//   the curve (u, p, ln ε), with the pieces of the rows held (framework/sets/piece.hpp), by arc length:
//     tangent     H t = −∂g/∂ln ε
//     corrector   Newton's iteration in (u, p, ln ε), with the length along the tangent for a last equation, or towards
//                 the margin that comes next, that it vanishes; a factorisation and two solves each
//     change      where a margin vanishes its row changes its piece, and the direction is the one into the new piece,
//                 whichever way ε goes: the path may turn back
//   |·| of lengths: velocities of each body over its own and a tenth of the largest (in M), impulses of each row alike
//     (in all as much as one body), ln ε
//
// Or from where the solve began, if half of the items obey their laws there: these keep their Λ for r and ε ≤ 10⁻⁶, and
// what is left of g goes with ε; the others begin as above.
//
// Every point is evaluated with rows, turns and forces as they are there: nothing is linearised from step to step. w
// are those of the masses: at the largest ε nothing holds what elements hold, either. Proximal steps are tried from
// where the natural map is small, and from smaller and smaller ε; where they lead nowhere the path goes on. It has no
// end where it is lost (no length has a corrector that converges, and no margin is near), has come back to the largest
// ε, or has changed its pieces more often than was asked for. r are a hundredth of what would stop the largest speed,
// scattered: kinks that symmetric contacts would share come one after the other.
// Rows of boxes and of cones over discs; no dense E. Forces take part with their own stiffness (-ssnal_exact), and need
// no potential: where bodies turn beside elements g has none, and neither |g| nor an energy leads anywhere.

#include "ncp/strategies/proximal_descent.hpp"

#include <cmath>

namespace clarke {

struct CompliancePath : ProximalDescent {
  /// A point of the path, but for its velocities and impulses, and what is known of it.
  struct Place {
    double log_epsilon = 0;
    ProximalRows::NaturalMap residual{};  // M⁻¹ g with its own impulses, and c (p − those) [m/s]
    double speed = 0;                     // the largest velocity [m/s]
    double gaps = 0, momentum = 0;        // what rounding makes of velocities of rows, and of M⁻¹ g [m/s]
    int corrections = 0;                  // Newton steps that led there
  };
  /// A length along the tangent: `growth` of ln ε, from where.
  struct Way {
    double log_epsilon = 0, growth = 0;
  };
  /// How far a path is followed, and how far it is.
  struct Path {
    static constexpr double kLargest = 1e4, kBeyond = 3e4, kLeast = 1e-12;  // ε: the beginning; back; the end
    PetscInt most_changes = 0;
    PetscInt changes = 0, turns = 0;
    bool from_start = false;  // from where the solve began, rows that obey their laws kept
    bool begun = false, lost = false;
    bool leads = false;                     // to where proximal steps are tried next
    double look = 1e-6;                     // ε from which on one looks how near the solution is
    double threshold = 1e-3, least = 1e-8;  // natural map over the largest speed, or else ε, to try proximal steps at
    Place at;
    Way way;
    double length = 0.5;  // of the next step
    int just = -1;        // the row that has just changed its piece
    double epsilon() const { return std::exp(at.log_epsilon); }
    bool ended() const { return lost || changes > most_changes || epsilon() > kBeyond || epsilon() < kLeast; }
  };

  /// Whether the rows of the step have pieces, and so many Newton steps are enough for a path that begins.
  bool may_follow_path(const SaddlePointSystem& system, PetscInt left) const;
  /// From its beginning, or on from where it was left (v.path, v.way). Where it leads X is there,
  /// else it stays; v.best and the linearisation are at X, as after a descent. Counts Newton steps in `made`.
  PetscErrorCode follow_path(SNES snes, const Vectors& v, Path& path, ProximalRows::NaturalMap* error, PetscInt* made);

  // Of lengths along it; public for their kernels.

  /// From now on lengths are relative to velocities and impulses at `at`.
  void know_metric(const SaddlePointSystem& system, Vec at, double speed);
  double product(const SaddlePointSystem& system, Vec a, Vec b);

 private:
  /// The point, where the solve began, from which a path keeps what is solved there; whether that is enough.
  bool keep_start(SnesStepSolver& solver, const Vectors& v, Path& path);
  PetscErrorCode begin_path(SNES snes, const Vectors& v, Path& path, PetscInt* made);
  /// The next point, and the pieces beyond it.
  PetscErrorCode follow(SNES snes, const Vectors& v, Path& path, PetscInt* made);
  void cross_nearest(SnesStepSolver& solver, const Vectors& v, Path& path, int* row);

  // compliance_path_step.cpp: a point is v.point, its impulses its own; a way leads from v.trial along v.base.

  /// p, g and the matrix at `v.point`.
  void evaluate_in_pieces(SnesStepSolver& solver, const Vectors& v, bool held, Place& at);
  /// H y = ∂g/∂ln ε there, and the impulses: along (−y, 1) they change by −y.
  PetscErrorCode solve_for_rate(SNES snes, Vec y);
  /// H y = g there, and the impulses: point − y is Newton's next one. The solution update becomes y.
  PetscErrorCode solve_for_point(SNES snes, Vec point);
  /// The tangent at `v.point`: into the piece that row `into` has just entered, or else on as before.
  PetscErrorCode find_way(SNES snes, const Vectors& v, const Place& at, int into, Way& way);
  /// From `v.point` onto the path: at `length` along the way, or, row ≥ 0, where that row's margin vanishes. `found` no
  /// further than `most` from where the way begins.
  PetscErrorCode onto_path(SNES snes, const Vectors& v, const Way& way, int row, double length, double most, Place& at,
                           PetscInt* made, bool* found);
  /// The next point, at most `length` away, where no other row has left its piece; `row` the one that leaves it there.
  PetscErrorCode advance(SNES snes, const Vectors& v, const Way& way, int just, double* length, Place& at, int* row,
                         PetscInt* made, bool* found);
  /// The impulses of y, along (−y, −growth).
  void complete(const SaddlePointSystem& system, Vec y, double growth);

  Buffer<double> metric_{"path_metric"};
  SumScratch<1> sum_;
};

}  // namespace clarke
