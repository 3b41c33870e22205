#include "ncp/strategies/compliance_path.hpp"

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/snes_iterate.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace clarke {

namespace {

constexpr int kMostBeginning = 60;      // Newton steps onto the path
constexpr double kBegun = 1e-10;        // of the largest speed: on the path
constexpr double kSolved = 1e-6;        // of the largest speed: a row that obeys its law
constexpr double kKept = 1e-6;          // ε of such rows at most
constexpr double kScatter = 1e-2;       // of the largest speed: what the impulses around which the path is would stop
constexpr int kQuick = 3;               // after which the next step may be longer
constexpr double kLongest = 2;          // step
constexpr double kAfterChange = 1e-4;   // and at least, where a row has changed its piece
constexpr double kNear = 1e-3;          // along the way: a margin that may be what stops every corrector
constexpr double kLookAgain = 1.0 / 3;  // of ε
constexpr double kShare = 0.5;          // of the Newton steps that are left, for a stretch of the path
constexpr double kPerItem = 8;          // of them for each item at least: twice what paths of piles take
constexpr double kFurther = 1e-2;       // of threshold and least ε, once proximal steps have led nowhere

/// A linear solve that fails on a path ends the path, and not the step.
bool survives(SNES snes) {
  if (snes->reason == SNES_DIVERGED_LINEAR_SOLVE) {
    snes->reason = SNES_CONVERGED_ITERATING;
    return false;
  }
  return true;
}

}  // namespace

bool CompliancePath::may_follow_path(const SaddlePointSystem& system, PetscInt left) const {
  const int items = items_with_rows(system);
  const bool exact = !system.has_forces() || may_settle(system);  // a tangent that is none leads off the path
  return items > 0 && kPerItem * items <= kShare * left && exact && rows.has_pieces();
}

bool CompliancePath::keep_start(SnesStepSolver& solver, const Vectors& v, Path& path) {
  const SaddlePointSystem& system = solver.problem().system();
  if (solver.has_last_round())
    solver.start_at("round", v.point);
  else
    (void)VecCopy(v.start, v.point);
  const double speed = fastest(solver, v.point);
  (void)natural_map(solver, v.point);
  rows.scatter(system, kScatter * speed);
  int others = 0;
  {
    const VecRead x(v.point);
    others = rows.keep_solved(solver.problem(), rows_of(x.view(), system), kSolved * speed, kKept);
  }
  if (!(speed > 0) || 2 * others > items_with_rows(system)) return false;
  evaluate_in_pieces(solver, v, false, path.at);
  VecUpdate x(v.point);
  Kokkos::deep_copy(rows_of(x.view(), system), rows.impulse());
  rows.balance(system);
  return true;
}

PetscErrorCode CompliancePath::begin_path(SNES snes, const Vectors& v, Path& path, PetscInt* made) {
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  SaddlePointSystem& system = solver.problem().system();
  path.at.log_epsilon = std::log(Path::kLargest);
  path.from_start = path.from_start && keep_start(solver, v, path);
  if (!path.from_start) {
    solver.start_at("unconstrained", v.point);
    rows.scatter(system, kScatter * fastest(solver, v.point));
  }
  path.begun = path.lost = true;
  for (int k = 0; k < kMostBeginning && *made < snes->max_its; ++k) {
    evaluate_in_pieces(solver, v, path.from_start, path.at);
    const double off = path.at.residual.largest();
    path.lost = !(off <= kBegun * path.at.speed + path.at.momentum);
    if (!path.lost || !std::isfinite(off)) break;
    rows.set_matrix(system);
    PetscCall(solve_for_point(snes, v.point));
    ++*made;
    if (!survives(snes) || snes->reason) break;
    PetscCall(VecAXPY(v.point, -1, snes->vec_sol_update));
  }
  PetscFunctionReturn(0);
}

/// Where no corrector gets beyond a margin that near, it is crossed where the path is.
void CompliancePath::cross_nearest(SnesStepSolver& solver, const Vectors& v, Path& path, int* row) {
  const SaddlePointSystem& system = solver.problem().system();
  (void)VecCopy(v.trial, v.point);
  path.at.log_epsilon = path.way.log_epsilon;
  evaluate_in_pieces(solver, v, true, path.at);
  {
    const VecRead base(v.base);
    rows.know_margin_slopes(system, as_vec3(base.view(), 0, system.blocks), path.way.growth);
  }
  const ProximalRows::Change nearest = rows.nearest_margin(path.just);
  path.lost = !(nearest.row >= 0 && nearest.at <= kNear);
  *row = path.lost ? -1 : nearest.row;
  path.length = kNear;
}

PetscErrorCode CompliancePath::follow(SNES snes, const Vectors& v, Path& path, PetscInt* made) {
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  const double growth = path.way.growth, before = path.length;
  bool found = false;
  int row = -1;
  PetscTryTypeMethod(snes, update, *made);
  PetscCall(find_way(snes, v, path.at, path.just, path.way));
  ++*made;
  path.lost = !survives(snes);
  if (path.lost || snes->reason) PetscFunctionReturn(0);
  path.turns += growth * path.way.growth < 0;
  PetscCall(advance(snes, v, path.way, path.just, &path.length, path.at, &row, made, &found));
  if (snes->reason) PetscFunctionReturn(0);
  const bool longer = path.length == before && path.at.corrections <= kQuick;
  if (found)
    path.length = std::min(longer ? 2 * path.length : path.length, kLongest);
  else
    cross_nearest(solver, v, path, &row);
  PetscBool told = PETSC_FALSE;
  PetscCall(PetscInfoEnabled(SNES_CLASSID, &told));  // names are made for nobody else
  const std::string changing = row < 0 ? "nothing" : told ? solver.problem().row_name(row) : "";
  PetscCall(PetscInfo(snes, "path, eps %.2e: %s changes, length %.1e, growth %.2e, off %.1e and %.1e m/s\n",
                      path.epsilon(), changing.c_str(), path.length, path.way.growth, path.at.residual.momentum,
                      path.at.residual.rows));
  path.just = row;
  if (row < 0) PetscFunctionReturn(0);
  rows.cross(solver.problem().system(), row);
  ++path.changes;
  path.length = std::max(path.length, kAfterChange);
  path.at.residual = rows.project_in_pieces(solver.problem().system(), path.epsilon(), true);
  PetscFunctionReturn(0);
}

PetscErrorCode CompliancePath::follow_path(SNES snes, const Vectors& v, Path& path, ProximalRows::NaturalMap* error,
                                           PetscInt* made) {
  Vec X = snes->vec_sol;
  PetscFunctionBegin;
  SnesStepSolver& solver = *step_solver_of(snes);
  following = true;
  path.leads = false;
  settle(solver, solver.problem().system().has_forces());
  if (path.begun) {
    PetscCall(VecCopy(v.path, v.point));
    PetscCall(VecCopy(v.way, v.base));
    evaluate_in_pieces(solver, v, true, path.at);
  } else {
    PetscCall(begin_path(snes, v, path, made));
  }
  // What it came from may yet be what solves the step.
  const PetscInt most = *made + static_cast<PetscInt>(kShare * (snes->max_its - *made));
  while (!path.leads && !path.ended() && !snes->reason) {
    if (*made >= most) {
      path.lost = true;
      break;
    }
    PetscCall(follow(snes, v, path, made));
    if (snes->reason || path.lost || path.epsilon() > path.look) continue;
    path.look = kLookAgain * path.epsilon();
    PetscCall(VecCopy(v.point, v.path));
    PetscCall(VecCopy(v.base, v.way));
    const double reached = natural_map(solver, v.point).largest();
    path.leads = reached <= path.threshold * path.at.speed || path.epsilon() <= path.least;
    if (!path.leads) evaluate_in_pieces(solver, v, true, path.at);
  }
  following = false;
  if (snes->reason) PetscFunctionReturn(0);
  path.threshold *= kFurther;
  path.least = std::min(path.least, kFurther * path.epsilon());
  if (path.leads) PetscCall(VecCopy(v.path, X));
  *error = natural_map(solver, X);
  PetscCall(evaluate_and_test(snes, *made, 0));
  PetscCall(VecCopy(X, v.best));
  PetscCall(VecCopy(X, v.now));
  linearise(solver, X);
  rebase(solver, v);
  PetscFunctionReturn(0);
}

}  // namespace clarke
