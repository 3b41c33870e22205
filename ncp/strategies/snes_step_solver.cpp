#include "ncp/strategies/snes_step_solver.hpp"

#include "framework/fixed_scheme.hpp"
#include "framework/option_database.hpp"
#include "framework/petsc_check.hpp"
#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/nonsmooth_newton.hpp"
#include "ncp/strategies/primal.hpp"
#include "ncp/strategies/primal_step.hpp"
#include "ncp/strategies/snes_needs.hpp"
#include "ncp/strategies/snes_type.hpp"
#include "ncp/strategies/step_outcome.hpp"
#include "ncp/strategies/strategy_traits.hpp"

#include <petscdmshell.h>

#include <cmath>
#include <limits>

namespace clarke {

static std::string type_of(SNES snes) {
  SNESType type = nullptr;
  petsc_check(SNESGetType(snes, &type), "SNESGetType");
  return type;
}

/// What a strategy that writes all rows itself does not ask for.
static const std::vector<std::string> kOptionsOfLaws = {"contact_law",  "ncp_function", "ncp_corner",
                                                        "friction_map", "r_factor",     "volume_tangent"};

SnesStepSolver::SnesStepSolver() {
  read_options(options_);
  check_snes_needs();
  petsc_check(SNESCreate(simulation_communicator(), &snes_), "SNESCreate");
  petsc_check(SNESSetType(snes_, "nonsmooth_newton"), "SNESSetType");
  // Six iterations are the interactive budget; the tolerance is a velocity error in m/s, the rest is off.
  petsc_check(SNESSetTolerances(snes_, 1e-12, 0, 0, 6, PETSC_MAX_INT), "SNESSetTolerances");
  petsc_check(use_reduction(snes_, "outer_"), "use_reduction");
  petsc_check(SNESSetFromOptions(snes_), "SNESSetFromOptions");
  DM dm = nullptr;
  petsc_check(DMShellCreate(simulation_communicator(), &dm), "DMShellCreate");
  petsc_check(SNESSetDM(snes_, dm), "SNESSetDM");
  petsc_check(DMDestroy(&dm), "DMDestroy");
  petsc_check(SNESSetConvergenceTest(snes_, converged, this, nullptr), "SNESSetConvergenceTest");
  set_up_types();
}

void SnesStepSolver::set_up_types() {
  PetscBool nested = PETSC_FALSE;
  petsc_check(SNESHasNPC(snes_, &nested), "SNESHasNPC");
  if (nested) {
    petsc_check(SNESGetNPC(snes_, &inner_), "SNESGetNPC");
    PetscBool innermost = PETSC_FALSE;
    petsc_check(SNESHasNPC(inner_, &innermost), "SNESHasNPC");
    if (innermost) throw InputError("-npc_snes_type: an inner solver cannot have an inner solver itself");
    petsc_check(use_reduction(inner_, "npc_outer_"), "use_reduction");
    petsc_check(SNESSetFromOptions(inner_), "SNESSetFromOptions");
    petsc_check(SNESSetConvergenceTest(inner_, converged, this, nullptr), "SNESSetConvergenceTest");
  }
  const SNES worker = nested ? inner_ : snes_;
  const StrategyTraits outer = strategy_traits(snes_), works = strategy_traits(worker);
  if (!nested && outer.combines)
    throw InputError("-snes_type " + type_of(snes_) + " only combines the iterates of another type: add " +
                     "-npc_snes_type nsgs or -npc_snes_type nonsmooth_newton");
  damping_ = newton_damping(worker);
  if (options_.islands) check_islands();
  check_jacobian_product(worker);
  sweeps_only_ = works.sweeps;
  solves_ = works.linear && worker->usesksp;  // not of ncg and nrichardson of PETSc
  compliant_ = works.compliant;
  explicit_mass_ = works.explicit_mass;
  exchange_.row_writer = works.general_rows ? type_of(worker) : "";
  set_unheeded_options(works.general_rows ? kOptionsOfLaws : std::vector<std::string>(),
                       "-snes_type " + type_of(worker) +
                           " solves the sets of rows itself, without a contact law; with " +
                           "-snes_type nonsmooth_newton it has");
  if (works.sweeps && outer.freezes_term)
    throw InputError("-npc_snes_type " + type_of(worker) + ": its local solver solves Coulomb's law itself, and " +
                     "-snes_type " + type_of(snes_) + " wants the cone with a fixed term: use nonsmooth_newton");
  uses_sweeps_ = sweeps_only_ || options_.start_sweeps > 0;
  if (uses_sweeps_) read_options(sweep_options_);
}

SnesStepSolver::~SnesStepSolver() {
  for (Vec* v : {&x_, &f_, &best_}) (void)VecDestroy(v);
  (void)MatDestroy(&j_);
  (void)SNESDestroy(&snes_);
}

void SnesStepSolver::set_up(StepProblem& problem) {
  problem_ = &problem;
  SaddlePointSystem& system = problem.system();
  if (layout_stamp_ == system.layout_stamp) return;
  const PetscInt n = system.size();
  const bool first = layout_stamp_ == 0;
  petsc_check(SNESReset(snes_), "SNESReset");
  for (Vec* v : {&x_, &f_, &best_}) petsc_check(VecDestroy(v), "VecDestroy");
  petsc_check(MatDestroy(&j_), "MatDestroy");
  petsc_check(VecCreate(system.communicator, &x_), "VecCreate");
  petsc_check(VecSetSizes(x_, n, PETSC_DETERMINE), "VecSetSizes");
  petsc_check(VecSetType(x_, VECSTANDARD), "VecSetType");
  petsc_check(VecDuplicate(x_, &f_), "VecDuplicate");
  petsc_check(VecDuplicate(x_, &best_), "VecDuplicate");
  // PETSc makes work vectors of some types from those of its DM. A DM per layout would cost more than all else here.
  DM dm = nullptr;
  petsc_check(SNESGetDM(snes_, &dm), "SNESGetDM");
  petsc_check(DMShellSetGlobalVector(dm, x_), "DMShellSetGlobalVector");
  petsc_check(DMClearGlobalVectors(dm), "DMClearGlobalVectors");  // which it keeps for the next who wants one
  petsc_check(MatCreateShell(system.communicator, n, n, n, n, this, &j_), "MatCreateShell");
  petsc_check(MatShellSetOperation(j_, MATOP_MULT, (void (*)())multiply), "MatShellSetOperation");
  petsc_check(SNESSetFunction(snes_, f_, function, this), "SNESSetFunction");
  petsc_check(SNESSetJacobian(snes_, j_, j_, jacobian, this), "SNESSetJacobian");
  KSP outer = nullptr;
  PC pc = nullptr;
  petsc_check(SNESGetKSP(inner_ ? inner_ : snes_, &outer), "SNESGetKSP");
  petsc_check(KSPGetPC(outer, &pc), "KSPGetPC");
  // PETSc hands the SNES's context down to its KSP and PC, and to an inner SNES with its own.
  petsc_check(SNESSetApplicationContext(snes_, &exchange_), "SNESSetApplicationContext");
  petsc_check(PCSetApplicationContext(pc, &exchange_), "PCSetApplicationContext");
  PetscBool forcing = PETSC_FALSE;
  petsc_check(SNESKSPGetUseEW(inner_ ? inner_ : snes_, &forcing), "SNESKSPGetUseEW");
  exchange_.system = &system;
  exchange_.forcing = forcing == PETSC_TRUE;
  layout_stamp_ = system.layout_stamp;
  if (first && system.traits.symmetric && strategy_traits(snes_).dense_law)
    throw InputError("-snes_type " + type_of(snes_) +
                     " needs a contact law with dense A: its cone problem has a slope that symmetric laws "
                     "leave out; use -contact_law natural_map with -ksp_type gmres, or preonly with -pc_type lu");
  if (!first || !solves_) return;
  // Combinations that cannot work are refused before the first step, by the one who knows: the reduction.
  PetscErrorCode (*check)(PC, const SaddlePointSystem*, char*, std::size_t) = nullptr;
  petsc_check(PetscObjectQueryFunction((PetscObject)pc, "ClarkeReductionCheck_C", &check), "query");
  if (!check) return;
  char message[512] = "";
  petsc_check(check(pc, &system, message, sizeof message), "ClarkeReductionCheck");
  if (message[0]) throw InputError(message);
}

void SnesStepSolver::describe(OptionVisitor& visitor) {
  options_.describe(visitor);
  if (uses_sweeps_) sweep_options_.describe(visitor);
  for (SNES snes : {snes_, inner_})
    if (snes) describe_snes(snes, visitor);
}

void SnesStepSolver::carry_over(StateArchive& archive) {
  carry_over_snes(snes_, archive);
  if (inner_) carry_over_snes(inner_, archive);
}

void SnesStepSolver::begin_step() {
  keep_memory(snes_);
  if (inner_) keep_memory(inner_);
}

void SnesStepSolver::undo_step() {
  take_back_memory(snes_);
  if (inner_) take_back_memory(inner_);
}

int SnesStepSolver::sweep(Vec x, const SweepPlan& plan) {
  const SaddlePointSystem& system = problem_->system();
  VecUpdate all(x);
  return sweeps_.run(*problem_, as_vec3(all.view(), 0, system.blocks), rows_of(all.view(), system), plan,
                     sweep_options_);
}

int SnesStepSolver::sweep_first(Vec x, int sweeps, double progress) {
  const bool of_mass = !problem_->system().has_forces();
  if (of_mass)
    evaluate(x, true);
  else
    linearise(x);
  return sweep(x, {sweeps, progress, of_mass});
}

void SnesStepSolver::sweep(Vec x) {
  LinearReport& linear = exchange_.report;
  evaluate(x, true);
  linear.iterations = sweep(x, SweepPlan{sweep_options_.sweeps});
  linear.row_iterations = static_cast<long>(linear.iterations) * problem_->system().pattern.rows;
  linear.relative_residual = sweeps_.change();
  linear.reason = "sweeps";
}

void SnesStepSolver::begin_proximal(Vec x, double alpha) {
  const VecRead in(x);
  evaluate(x, true);
  sub_problem_.begin_proximal(*problem_, rows_of(in.view(), problem_->system()), alpha);
  forget_evaluation();
}

void SnesStepSolver::begin_associated(Vec x) {
  evaluate(x, true);
  sub_problem_.begin_associated(*problem_);
  forget_evaluation();
}

void SnesStepSolver::end_sub_problem() {
  sub_problem_.end(*problem_);
  forget_evaluation();
}

InnerSolve SnesStepSolver::solve_inner(Vec x, double target, PetscInt iterations) {
  // PETSc gives an inner SNES one iteration where no option says more.
  if (!database_value("npc_snes_max_it"))
    petsc_check(SNESSetTolerances(inner_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, iterations, PETSC_DEFAULT),
                "SNESSetTolerances");
  inner_target_ = target;
  petsc_check(SNESSolve(inner_, nullptr, x), "SNESSolve");
  inner_target_ = 0;
  SNESConvergedReason reason;
  PetscInt made = 0;
  petsc_check(SNESGetConvergedReason(inner_, &reason), "SNESGetConvergedReason");
  petsc_check(SNESGetIterationNumber(inner_, &made), "SNESGetIterationNumber");
  if (reason < 0) exchange_.report.failed = false;  // the outer iteration decides what becomes of it
  return {reason > 0, static_cast<int>(made)};
}

void SnesStepSolver::start_at(const std::string& where, Vec x) {
  const SaddlePointSystem& system = problem_->system();
  VecWrite out(x);
  const View<Vec3> u = as_vec3(out.view(), 0, system.blocks);
  const View<double> impulse = rows_of(out.view(), system);
  fill(impulse, 0.0);
  const bool previous = where == "previous", warm = where == "warm", round = where == "round";
  if (previous || warm || round) problem_->warm_start(impulse);
  if (where == "sticking") {
    problem_->sticking_velocity(impulse, u);
    forget_evaluation();
  } else if (where == "zero") {
    fill(u, Vec3{});
  } else if (warm) {
    problem_->consistent_velocity(impulse, u);  // momentum holds from the start, and free bodies are exact at once
  } else if (round) {
    Kokkos::deep_copy(u, last_round_);
  } else {
    Kokkos::deep_copy(u, previous ? problem_->state().u : system.u_tilde.view());
  }
}

void SnesStepSolver::start() {
  if (options_.start != "nearest") {
    start_at(options_.start, x_);
    return;
  }
  // What warm needs is of the last step, and lost with the first evaluation. It is the better start where errors are
  // alike.
  constexpr double kMuchNearer = 0.1;
  std::vector<const char*> others = {"previous", "unconstrained", "zero"};
  // Of rows alone they are what warm gives.
  if (has_last_round() && problem_->system().has_forces()) others.insert(others.begin(), "round");
  start_at("warm", x_);
  petsc_check(VecCopy(x_, best_), "VecCopy");
  double least = kMuchNearer * norms_of(best_).velocity_error;
  PetscReal atol = 0;
  petsc_check(SNESGetTolerances(snes_, &atol, nullptr, nullptr, nullptr, nullptr), "SNESGetTolerances");
  if (solved_to(atol)) {  // it rests
    petsc_check(VecCopy(best_, x_), "VecCopy");
    return;
  }
  for (const char* where : others) {
    start_at(where, x_);
    const double error = norms_of(x_).velocity_error;
    if (!(error < least) && std::isfinite(least)) continue;
    least = error;
    petsc_check(VecCopy(x_, best_), "VecCopy");
  }
  petsc_check(VecCopy(best_, x_), "VecCopy");
}

bool SnesStepSolver::solved_to(double velocity_error) const {
  return within(norms_, velocity_error, natural_map_tolerance());
}

void SnesStepSolver::check_islands() const {
  if (!strategy_traits(snes_).by_island)
    throw InputError("-islands on needs -snes_type nonsmooth_newton: other types stop all islands at once");
  if (newton_is_global(snes_))
    throw InputError(
        "-islands on needs -newton_line_search none and -newton_watchdog 0: a merit is of all islands together");
}

void SnesStepSolver::check_jacobian_product(SNES worker) const {
  if (options_.jacobian_product == "assembled") return;
  KSP outer = nullptr;
  KSPType type = nullptr;
  petsc_check(SNESGetKSP(worker, &outer), "SNESGetKSP");
  petsc_check(KSPGetType(outer, &type), "KSPGetType");
  const bool trust_region = type_of(worker).rfind("newtontr", 0) == 0;
  if (!worker->usesksp || (std::string(type) == KSPPREONLY && !trust_region))
    throw InputError("-jacobian_product " + options_.jacobian_product +
                     ": nothing multiplies with Newton's matrix here: expected -outer_ksp_type fgmres, bcgs or another "
                     "iterative one");
}

void SnesStepSolver::begin(StepProblem& problem) {
  const std::string type = type_of(inner_ ? inner_ : snes_);
  (compliant_ ? refuse_rigid_rows : refuse_nonlinear_rows)(problem, "-snes_type " + type);
  if (type == "primal") refuse_primal_options(problem);
  const FixedScheme* scheme = problem.integrator().fixed_scheme();
  if (type == "explicit" && !(scheme && scheme->laws_at_start()))
    throw InputError("-snes_type explicit takes forces of the start of a step: expected -integrator symplectic_euler");
  if (explicit_mass_ && (problem.system().sparse_hessian() || problem.system().traits.separate_transpose))
    throw InputError("-snes_type " + type_of(inner_ ? inner_ : snes_) +
                     " takes velocities from impulses by M⁻¹ Jᵀ: expected -soft_form compliance, elements as rows, and "
                     "no given Delassus operator");
  set_up(problem);
  geometric_.begin_step();
  island_stop_.begin(problem, options_.islands);
  damping_ = newton_damping(inner_ ? inner_ : snes_);
  continued_ = 0;
  result_ = {};
  best_measure_ = std::numeric_limits<double>::infinity();
  trial_ = asked_ = continuing_ = shortened_ = false;
  end_sub_problem();
  exchange_.step = problem.context().step;
  start();
  exchange_.report = {};
}

void SnesStepSolver::prepare(StepProblem& problem) {
  begin(problem);
  petsc_check(SNESSetUp(snes_), "SNESSetUp");
  petsc_check(SNESComputeFunction(snes_, x_, f_), "SNESComputeFunction");
  if (!solves_) return;
  petsc_check(SNESComputeJacobian(snes_, x_, j_, j_), "SNESComputeJacobian");
  petsc_check(set_up_linear_solve(inner_ ? inner_ : snes_, j_), "set_up_linear_solve");
}

void SnesStepSolver::return_to_best() {
  if (!(best_measure_ < std::numeric_limits<double>::infinity()) || norms_.measure <= best_measure_) return;
  petsc_check(VecCopy(best_, x_), "VecCopy");
  last_error_ = norms_of(x_).velocity_error;
  count("keep_best_iterate");
}

void SnesStepSolver::continue_to_step(StepProblem& problem) {
  for (int k = problem.continuation_steps(); k > 0; --k) {
    problem.set_continuation(k);
    forget_evaluation();
    petsc_check(SNESSolve(snes_, nullptr, x_), "SNESSolve");  // wherever it ends, the next begins there
    continued_ = result_.newton_iterations;
    best_measure_ = std::numeric_limits<double>::infinity();
    count("smooth_friction_continuation");
  }
  problem.set_continuation(0);
  forget_evaluation();
  exchange_.report.failed = false;
}

SolveResult SnesStepSolver::solve(StepProblem& problem, View<Vec3>& u, View<double>& impulse) {
  last_round_ = further_round ? u : View<Vec3>();
  begin(problem);
  if (options_.start_sweeps > 0) result_.safeguards["newton_start_sweeps"] = sweep_first(x_, options_.start_sweeps, 1);
  exchange_.report = {};
  exchange_.report.keep_history = options_.output_linear;
  continue_to_step(problem);
  goes_on_ = false;
  const OnTheWay on_the_way = ask_on_the_way(u, impulse);
  if (on_the_way == OnTheWay::another_step) {
    keep_linear_history();
    take_safeguards();
    result_.reason = "converged";
    return result_;
  }
  if (on_the_way == OnTheWay::go_on) petsc_check(SNESSolve(snes_, nullptr, x_), "SNESSolve");
  if (asked_) petsc_check(continue_in_length(problem), "continuation");
  keep_linear_history();                      // of a solve that failed: no iterate followed it
  last_error_ = norms_of(x_).velocity_error;  // `ksponly` and `ms` never ask the convergence test
  SNESConvergedReason reason;
  petsc_check(SNESGetConvergedReason(snes_, &reason), "SNESGetConvergedReason");
  const std::string where = std::isfinite(last_error_) ? "" : problem.not_finite();
  // Where rounding is all that is left of the momentum the best by velocities is chosen by chance, and rows are solved
  // where the step ended.
  const bool at_rounding = result_.velocity_rounding > 0;
  if (reason <= 0 || reason == SNES_CONVERGED_SNORM_RELATIVE ||
      (reason == SNES_CONVERGED_FNORM_RELATIVE && !at_rounding))
    return_to_best();
  PetscReal atol = 0;
  petsc_check(SNESGetTolerances(snes_, &atol, nullptr, nullptr, nullptr, nullptr), "SNESGetTolerances");
  if (!within(norms_, atol, options_.natural_map_tolerance)) atol = -1;
  // Of a scheme that is one Newton step, that is the solution.
  const FixedScheme* scheme = problem.integrator().fixed_scheme();
  if (scheme && scheme->one_newton_step() && reason == SNES_DIVERGED_MAX_IT) reason = SNES_CONVERGED_FNORM_RELATIVE;
  StepOutcome outcome = step_outcome(reason, last_error_, exchange_.report.failed, exchange_.report.reason,
                                     {atol, options_.accept_velocity_error, options_.accept_budget});
  result_.reason = outcome.reason == "nan" ? outcome.reason + where : outcome.reason;
  result_.failed = outcome.failed;
  result_.newton_iterations_per_row = island_stop_.newton_per_row();
  result_.linear_iterations_per_row = island_stop_.linear_per_row();
  take_safeguards();
  write_result(u, impulse);
  return result_;
}

}  // namespace clarke
