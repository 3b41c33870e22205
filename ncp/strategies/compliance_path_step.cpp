// Steps along the path of solutions (compliance_path.hpp): points, tangents, correctors, and where rows change their
// pieces.

#include "framework/petsc_views.hpp"
#include "ncp/strategies/compliance_path.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/step_rounding.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clarke {

namespace {

constexpr double kOnPath = 1e-10;      // of the largest speed, and rounding: what a point may be off
constexpr double kRowsOnPath = 1e-12;  // and of rows
constexpr double kPredicted = 1e-2;    // of that, where no corrector made it: it would add up until none is able to
constexpr double kSettled = 1e-2, kLeastLength = 1e-7;  // of the length: the last correction
constexpr double kNoisy = 10;       // times rounding: what a point may be off that Newton's iteration gets no nearer to
constexpr double kHalf = 0.5;       // of what it is off: it no longer gets nearer
constexpr double kVanished = 1e-9;  // of z: a margin that has
constexpr double kRounding = 10;    // times the unit, of velocities of rows
constexpr int kMostCorrections = 7, kFewCorrections = 3;
constexpr double kAstray = 1.5;                      // times the length: another branch
constexpr double kStraight = 0.95;                   // cosine of the tangents at both ends of a step
constexpr double kChord = 0.99;                      // and of the tangent and the step
constexpr double kShortest = 1e-10, kShorter = 0.3;  // length
constexpr double kAtOnce = 1e-9;  // length within which a row that has just changed its piece may change it again
constexpr double kResting = 0.1;  // of the largest speed: what lengths are relative to at least
constexpr int kMostPlaces = 12;   // rows that are looked at for the first one that leaves its piece

}  // namespace

void CompliancePath::evaluate_in_pieces(SnesStepSolver& solver, const Vectors& v, bool held, Place& at) {
  const SaddlePointSystem& system = solver.problem().system();
  linearise(solver, v.point);
  at.residual = rows.project_in_pieces(system, std::exp(at.log_epsilon), held);
  at.speed = fastest(solver, v.point);
  at.gaps = kRounding * gap_rounding(solver.problem(), at.speed);
  at.momentum = at.gaps * (1 + stiffest(system)) + kUnitRounding * rows.momentum_size(system);
}

/// Of a body that rests the velocity is small against what it might be; of a light one the energy always is. Impulses
/// that balance each other do not show in velocities.
void CompliancePath::know_metric(const SaddlePointSystem& s, Vec at, double speed) {
  const VecRead x(at);
  const View<Vec3> u = as_vec3(x.view(), 0, s.blocks);
  const View<double> impulse = rows_of(x.view(), s), W = s.delassus_diagonal,
                     metric = metric_.resize(s.blocks + s.pattern.items);
  const View<Mat3> M = s.mass;
  const Pattern& pattern = s.pattern;
  const double resting = kResting * speed;
  const int blocks = s.blocks, items = items_with_rows(s);
  parallel_for(
      "path_metric", blocks,
      KOKKOS_LAMBDA(int b) { metric(b) = 1 / (dot(u(b), M(b) * u(b)) + resting * resting / 3 * trace(M(b))); }, 10);
  parallel_for(
      "path_metric_impulses", pattern.items,
      KOKKOS_LAMBDA(int i) {
        double size = 0, w = 0;
        for (int r = pattern.item_row(i); r < pattern.item_row(i + 1); ++r) {
          size += impulse(r) * impulse(r);
          w = w > W(r) ? w : W(r);
        }
        metric(blocks + i) = w > 0 ? 1 / (items * (size + resting * resting / (w * w))) : 0;
      },
      10);
}

double CompliancePath::product(const SaddlePointSystem& s, Vec a, Vec b) {
  const VecRead first(a), second(b);
  const View<Vec3> x = as_vec3(first.view(), 0, s.blocks), y = as_vec3(second.view(), 0, s.blocks);
  const View<double> p = rows_of(first.view(), s), q = rows_of(second.view(), s), metric = metric_;
  const View<Mat3> M = s.mass;
  const Pattern& pattern = s.pattern;
  const int blocks = s.blocks;
  double sum[1];
  deterministic_sum<1>(
      "path_product", blocks + pattern.items,
      KOKKOS_LAMBDA(int k) {
        if (k < blocks) return Kokkos::Array<double, 1>{metric(k) * dot(x(k), M(k) * y(k))};
        double impulses = 0;
        for (int r = pattern.item_row(k - blocks); r < pattern.item_row(k - blocks + 1); ++r) impulses += p(r) * q(r);
        return Kokkos::Array<double, 1>{metric(k) * impulses};
      },
      sum_, sum);
  return sum[0];
}

void CompliancePath::complete(const SaddlePointSystem& system, Vec y, double growth) {
  VecUpdate x(y);
  rows.change_of_impulses(system, as_vec3(x.view(), 0, system.blocks), growth, rows_of(x.view(), system));
}

PetscErrorCode CompliancePath::solve_for_rate(SNES snes, Vec y) {
  Vec F = snes->vec_func;
  PetscFunctionBegin;
  SaddlePointSystem& system = step_solver_of(snes)->problem().system();
  rows.set_matrix(system);
  {
    VecWrite f(F);
    rows.right_hand_side_of_rate(system, f.view());
  }
  PetscCall(KSPSolve(snes->ksp, F, y));
  SNESCheckKSPSolve(snes);
  complete(system, y, -1);
  PetscFunctionReturn(0);
}

PetscErrorCode CompliancePath::solve_for_point(SNES snes, Vec point) {
  Vec F = snes->vec_func, Y = snes->vec_sol_update;
  PetscFunctionBegin;
  SaddlePointSystem& system = step_solver_of(snes)->problem().system();
  {
    VecWrite f(F);
    rows.right_hand_side(system, f.view());
  }
  PetscCall(KSPSolve(snes->ksp, F, Y));
  SNESCheckKSPSolve(snes);
  complete(system, Y, 0);
  const VecRead at(point);
  VecUpdate y(Y);
  rows.subtract_off(rows_of(at.view(), system), rows_of(y.view(), system));
  PetscFunctionReturn(0);
}

PetscErrorCode CompliancePath::find_way(SNES snes, const Vectors& v, const Place& at, int into, Way& way) {
  PetscFunctionBegin;
  SaddlePointSystem& system = step_solver_of(snes)->problem().system();
  PetscCall(solve_for_rate(snes, v.now));
  if (snes->reason) PetscFunctionReturn(0);
  know_metric(system, v.point, at.speed);
  const double size = std::hypot(1, std::sqrt(product(system, v.now, v.now)));
  double sign = -1;  // of (−rate, 1): downwards at the start, then on
  if (way.growth != 0) sign = way.growth > product(system, v.base, v.now) ? 1 : -1;
  PetscCall(VecAXPBY(v.base, -1 / size, 0, v.now));
  if (into >= 0) {
    const VecRead base(v.base);
    rows.know_margin_slopes(system, as_vec3(base.view(), 0, system.blocks), 1 / size);
    sign = rows.margin_slope(into) > 0 ? 1 : -1;
  }
  PetscCall(VecScale(v.base, sign));
  PetscCall(VecCopy(v.point, v.trial));
  way = {at.log_epsilon, sign / size};
  const VecRead base(v.base);
  rows.know_margin_slopes(system, as_vec3(base.view(), 0, system.blocks), way.growth);
  rows.keep_margins();
  PetscFunctionReturn(0);
}

PetscErrorCode CompliancePath::onto_path(SNES snes, const Vectors& v, const Way& way, int row, double length,
                                         double most, Place& at, PetscInt* made, bool* found) {
  Vec Y = snes->vec_sol_update;
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  SaddlePointSystem& system = solver.problem().system();
  double last = std::numeric_limits<double>::infinity(), size = 0;  // of g, and of the correction that led there
  bool enters = false, bends = false, seen = false;                 // `bends` is of the point, not of the one before
  *found = false;
  for (int k = 0; k <= kMostCorrections && *made < snes->max_its; ++k) {
    evaluate_in_pieces(solver, v, true, at);
    PetscCall(VecWAXPY(Y, -1, v.trial, v.point));
    const double grown = at.log_epsilon - way.log_epsilon;
    const double chord = std::hypot(std::sqrt(product(system, Y, Y)), grown);
    const double along = product(system, v.base, Y) + way.growth * grown;
    const double off = row < 0 ? along - length : rows.margin(row);
    // Of what a point may be off: near a turn a little more of rows is a long way along.
    const double g = std::max(at.residual.momentum / (kOnPath * at.speed + at.momentum),
                              at.residual.rows / (kRowsOnPath * at.speed + at.gaps));
    const bool stagnates = k >= kFewCorrections && g > kHalf * last;
    const bool close = k == 0 ? g <= kPredicted : size <= kSettled * std::max(length, kLeastLength);
    const bool on_path = stagnates ? g <= kNoisy : g <= 1 && close;
    const bool there = row < 0 ? std::fabs(off) <= kOnPath * std::max(1.0, length)
                               : std::fabs(off) <= rows.margin_tolerance(row, at.gaps, kVanished);
    at.corrections = k;
    // The prediction has stretched what is stiff, and has another tangent.
    if (on_path && there && (seen || !bends)) {
      *found = chord <= most && along >= kChord * chord - kOnPath && !enters && !bends;
      break;
    }
    if (!std::isfinite(g + off) || (stagnates && !on_path)) break;
    seen = on_path && there;
    last = g;
    PetscCall(solve_for_rate(snes, v.now));
    if (!snes->reason) PetscCall(solve_for_point(snes, v.point));
    ++*made;
    if (snes->reason) break;
    const double onward = way.growth - product(system, v.base, v.now);  // of (−rate, 1)
    double growth = 0;
    if (row < 0) {
      growth = (product(system, v.base, Y) - off) / onward;
    } else {
      double slope[2];  // of the margin along −y and (−rate, 1)
      Vec steps[] = {Y, v.now};
      for (int i = 0; i < 2; ++i) {
        const VecRead step(steps[i]);
        rows.know_margin_slopes(system, as_vec3(step.view(), 0, system.blocks), -i);
        slope[i] = -rows.margin_slope(row);
      }
      growth = -(off + slope[0]) / slope[1];
      enters = slope[1] * onward > 0;  // it grows along the path: the row has left its piece before, and comes back
    }
    bends = std::fabs(onward) < kStraight * std::hypot(1, std::sqrt(product(system, v.now, v.now)));
    PetscCall(VecAXPY(Y, growth, v.now));
    PetscCall(VecAXPY(v.point, -1, Y));
    at.log_epsilon += growth;
    size = std::hypot(std::sqrt(product(system, Y, Y)), growth);
  }
  if (snes->reason == SNES_DIVERGED_LINEAR_SOLVE) snes->reason = SNES_CONVERGED_ITERATING;  // a shorter way is tried
  PetscFunctionReturn(0);
}

PetscErrorCode CompliancePath::advance(SNES snes, const Vectors& v, const Way& way, int just, double* length, Place& at,
                                       int* row, PetscInt* made, bool* found) {
  PetscFunctionBegin;
  const ProximalRows::Change nearest = rows.nearest_margin(just);
  *found = false;
  while (*length >= kShortest && !*found && !snes->reason && *made < snes->max_its) {
    const bool near = nearest.row >= 0 && nearest.at <= *length;
    const double ahead = near ? std::max(nearest.at, kShortest) : *length;
    *row = near ? nearest.row : -1;
    PetscCall(VecWAXPY(v.point, ahead, v.base, v.trial));
    at.log_epsilon = way.log_epsilon + ahead * way.growth;
    PetscCall(onto_path(snes, v, way, *row, ahead, kAstray * *length, at, made, found));
    // A row that has left its piece before that: there end the pieces which were held.
    bool first = false;
    for (int k = 0; *found && !first && k < kMostPlaces; ++k) {
      const ProximalRows::Change left = rows.first_crossed(at.gaps, *row);
      first = left.row < 0;
      if (first) break;
      *found = false;
      if (left.row == just && *length > kAtOnce) break;
      PetscCall(VecAXPBY(v.point, 1 - left.at, left.at, v.trial));
      at.log_epsilon = way.log_epsilon + left.at * (at.log_epsilon - way.log_epsilon);
      *row = left.row;
      PetscCall(onto_path(snes, v, way, *row, ahead, kAstray * *length, at, made, found));
    }
    *found = *found && first;
    if (!*found) *length = kShorter * std::min(ahead, *length);
  }
  PetscFunctionReturn(0);
}

}  // namespace clarke
