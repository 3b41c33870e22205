#include "ncp/strategies/primal.hpp"

#include "framework/option_database.hpp"
#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/primal_matrix.hpp"
#include "ncp/strategies/snes_type.hpp"
#include "ncp/strategies/wolfe_search.hpp"

#include <petscdmshell.h>

#include <cmath>

namespace clarke {

namespace {

constexpr double kPrimalDecrease = 1e-4;  // of the slope, per step length
constexpr double kPrimalNoise = 1e-13;    // of Φ: rounding of its sum
constexpr double kPrimalShortest = 1e-6;  // step length

struct Primal {
  static constexpr const char* kName = "primal";
  static constexpr const char* kSummary =
      "PETSc's types in the velocity alone, on the gradient of the potential of rows that give way (-primal_snes_type)";
  static constexpr const char* kCitation = "Macklin Erleben Mueller Chentanez Jeschke Kim 2020";
  static constexpr StrategyTraits kTraits{.linear = false, .compliant = true};
  using Options = PrimalSolverOptions;
  Options options;

  Primal() = default;
  ~Primal() {
    (void)SNESDestroy(&inner_);
    for (Vec* v : {&u_, &residual_}) (void)VecDestroy(v);
  }
  Primal(const Primal&) = delete;
  Primal& operator=(const Primal&) = delete;

  PetscErrorCode solve(SNES snes) {
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    outer_ = snes;
    const bool majorant = options.tangent == "majorant";
    step_.begin(solver.problem(), true, majorant);
    matrix_.keep_prescribed(filters());
    PetscCall(set_up(solver.problem()));
    if (majorant && !(step_.constant() && factorised_)) {  // now, and then never again
      PetscCall(SNESSetLagJacobian(inner_, -2));
      PetscCall(SNESSetLagJacobianPersists(inner_, PETSC_TRUE));
      factorised_ = false;
    }
    snes->reason = SNES_CONVERGED_ITERATING;
    PetscCall(take_velocities(snes->vec_sol));
    {
      VecUpdate u(u_);
      step_.satisfy(solver.problem(), as_vec3(u.view(), 0, system().blocks));
    }
    PetscCall(SNESSetTolerances(inner_, 0, 0, 0, snes->max_its, PETSC_MAX_INT));
    PetscCall(SNESSolve(inner_, nullptr, u_));
    PrimalStep::set_majorant(solver.problem(), false);
    if (!snes->reason) {
      SNESConvergedReason reason;
      PetscCall(SNESGetConvergedReason(inner_, &reason));
      snes->reason = reason > 0 ? SNES_CONVERGED_ITS : reason;
    }
    PetscFunctionReturn(0);
  }

  /// The linear solver filters by itself what is prescribed, and wants a symmetric matrix.
  static bool filters() { return database_value("primal_ksp_type").value_or("") == "mpcg"; }

 private:
  /// `kept`: with its types and its factorisation.
  PetscErrorCode make(KSP kept) {
    PetscFunctionBegin;
    PetscCall(SNESCreate(simulation_communicator(), &inner_));
    PetscCall(SNESSetOptionsPrefix(inner_, "primal_"));
    if (kept) {
      // Eisenstat and Walker's hooks hold on to the SNES that the KSP was made by.
      PetscCall(KSPSetPreSolve(kept, nullptr, nullptr));
      PetscCall(KSPSetPostSolve(kept, nullptr, nullptr));
      PetscCall(SNESSetKSP(inner_, kept));
    }
    PetscCall(SNESSetType(inner_, SNESNEWTONLS));
    PetscCall(SNESSetFromOptions(inner_));
    SNESType type = nullptr;
    PetscCall(SNESGetType(inner_, &type));
    PetscBool by_blocks = PETSC_FALSE;
    PetscCall(PetscStrcmp(type, SNESQN, &by_blocks));
    quasi_newton_ = by_blocks == PETSC_TRUE;
    if (!kept) {
      KSP ksp = nullptr;
      PC pc = nullptr;
      PetscCall(SNESGetKSP(inner_, &ksp));
      PetscCall(KSPGetPC(ksp, &pc));
      PetscCall(KSPSetType(ksp, KSPPREONLY));
      PetscCall(PCSetType(pc, (quasi_newton_ && options.tangent != "majorant") || filters() ? PCVPBJACOBI : PCLU));
    }
    if (quasi_newton_) PetscCall(SNESQNSetScaleType(inner_, SNES_QN_SCALE_JACOBIAN));
    PetscBool newton = PETSC_FALSE;
    PetscCall(PetscStrcmp(type, SNESNEWTONLS, &newton));
    if (newton || quasi_newton_) {
      SNESLineSearch search = nullptr;
      PetscCall(SNESGetLineSearch(inner_, &search));
      PetscCall(SNESLineSearchSetType(search, SNESLINESEARCHSHELL));
      PetscCall(SNESLineSearchShellSetUserFunc(search, options.line_search == "wolfe" ? wolfe : line_search, this));
    }
    PetscCall(SNESSetFromOptions(inner_));  // what the options say stands
    PetscFunctionReturn(0);
  }

  PetscErrorCode set_up(const StepProblem& problem) {
    PetscFunctionBegin;
    bool made = false;
    PetscCall(matrix_.set_up(problem, &made));
    if (!made) {
      if (quasi_newton_) PetscCall(forget_pairs());
      PetscFunctionReturn(0);
    }
    const PetscInt n = problem.system().velocity_size();
    factorised_ = false;
    PetscCall(SNESDestroy(&inner_));  // `qn` does not survive a reset
    PetscCall(make(nullptr));
    for (Vec* v : {&u_, &residual_}) PetscCall(VecDestroy(v));
    PetscCall(VecCreate(problem.system().communicator, &u_));
    PetscCall(VecSetSizes(u_, n, n));
    PetscCall(VecSetType(u_, VECSTANDARD));
    PetscCall(VecDuplicate(u_, &residual_));
    PetscCall(attach());
    PetscFunctionReturn(0);
  }

  /// The pairs of L-BFGS are of R in this step: those of the step before, which PETSc keeps, are of another function.
  PetscErrorCode forget_pairs() {
    PetscFunctionBegin;
    KSP ksp = nullptr;
    PetscCall(SNESGetKSP(inner_, &ksp));
    PetscCall(PetscObjectReference((PetscObject)ksp));
    PetscCall(SNESDestroy(&inner_));
    PetscCall(make(ksp));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(attach());
    if (factorised_ && options.tangent == "majorant") PetscCall(SNESSetLagJacobian(inner_, -1));  // as it is
    PetscFunctionReturn(0);
  }

  /// The vectors, the matrix and what evaluates, to the inner SNES.
  PetscErrorCode attach() {
    PetscFunctionBegin;
    // PETSc makes the vectors of some types from those that its DM keeps.
    DM dm = nullptr;
    PetscCall(DMShellCreate(simulation_communicator(), &dm));
    PetscCall(DMShellSetGlobalVector(dm, u_));
    PetscCall(SNESSetDM(inner_, dm));
    PetscCall(DMDestroy(&dm));
    PetscCall(SNESSetFunction(inner_, residual_, function, this));
    PetscCall(SNESSetJacobian(inner_, matrix_.mat(), matrix_.mat(), jacobian, this));
    PetscCall(SNESSetObjective(inner_, objective, this));
    PetscCall(SNESSetConvergenceTest(inner_, converged, this, nullptr));
    PetscFunctionReturn(0);
  }

  PrimalTangent tangent() const {
    if (coupled()) return PrimalTangent::coupled;
    return options.tangent == "lagged" && !filters() ? PrimalTangent::lagged : PrimalTangent::weight;
  }
  bool coupled() const { return options.tangent == "coupled" && !quasi_newton_ && !filters(); }
  SnesStepSolver& solver() const { return *step_solver_of(outer_); }
  const SaddlePointSystem& system() const { return solver().problem().system(); }

  /// The velocities of the outer iterate.
  PetscErrorCode take_velocities(Vec x) {
    PetscFunctionBegin;
    const VecRead all(x);
    VecWrite out(u_);
    Kokkos::deep_copy(as_vec3(out.view(), 0, system().blocks), as_vec3(all.view(), 0, system().blocks));
    PetscFunctionReturn(0);
  }

  /// R and Φ at u.
  void evaluate(Vec u) {
    const VecRead in(u);
    StepProblem& problem = solver().problem();
    step_.evaluate(problem, as_vec3(in.view(), 0, system().blocks), impulse_.resize(system().pattern.rows));
    solver().forget_evaluation();
  }

  static PetscErrorCode function(SNES, Vec u, Vec f, void* context) {
    auto* self = static_cast<Primal*>(context);
    PetscFunctionBegin;
    try {
      self->evaluate(u);
      VecWrite out(f);
      Kokkos::deep_copy(as_vec3(out.view(), 0, self->system().blocks), self->system().momentum_residual.view());
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    PetscFunctionReturn(0);
  }

  static PetscErrorCode objective(SNES, Vec u, PetscReal* value, void* context) {
    auto* self = static_cast<Primal*>(context);
    PetscFunctionBegin;
    try {
      self->evaluate(u);
      *value = self->step_.energy(self->solver().problem());
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    PetscFunctionReturn(0);
  }

  static PetscErrorCode jacobian(SNES, Vec u, Mat, Mat, void* context) {
    auto* self = static_cast<Primal*>(context);
    PetscFunctionBegin;
    try {
      self->evaluate(u);
      self->step_.linearise(self->solver().problem());
      PetscCall(self->matrix_.fill(self->system(), self->step_, self->tangent()));
      self->factorised_ = true;
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    PetscFunctionReturn(0);
  }

  /// X of the outer type := (u, p(u)), which is judged there.
  static PetscErrorCode converged(SNES inner, PetscInt it, PetscReal, PetscReal, PetscReal, SNESConvergedReason* reason,
                                  void* context) {
    auto* self = static_cast<Primal*>(context);
    PetscFunctionBegin;
    SNES outer = self->outer_;
    Vec u = nullptr;
    PetscInt linear = 0;
    PetscCall(SNESGetLinearSolveIterations(inner, &linear));
    self->solver().linear_report().iterations = static_cast<int>(linear - (it > 0 ? self->counted_ : 0));
    self->counted_ = linear;
    PetscCall(SNESGetSolution(inner, &u));
    try {
      self->evaluate(u);
      self->step_.linearise(self->solver().problem());
      const SaddlePointSystem& s = self->system();
      const VecRead in(u);
      VecWrite x(outer->vec_sol);
      Kokkos::deep_copy(as_vec3(x.view(), 0, s.blocks), as_vec3(in.view(), 0, s.blocks));
      Kokkos::deep_copy(rows_of(x.view(), s), self->impulse_.view());
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    PetscCall(evaluate_and_test(outer, it, 0));
    const double bound = outer->reason ? 0 : self->rounding(u);
    if (!outer->reason && self->solver().velocity_error(outer->vec_sol) <= bound) {
      self->solver().ends_at_rounding("primal_rounding", bound);
      outer->reason = SNES_CONVERGED_FNORM_RELATIVE;
    }
    if (!outer->reason && it >= outer->max_its) outer->reason = SNES_DIVERGED_MAX_IT;
    *reason = outer->reason;
    PetscFunctionReturn(0);
  }

  /// What rounding leaves of the velocity error at the outer iterate, which has just been judged [m/s].
  double rounding(Vec u) {
    const VecRead in(u);
    return step_.rounding(solver().problem(), as_vec3(in.view(), 0, system().blocks));
  }

  static PetscErrorCode line_search(SNESLineSearch search, void* context) {
    auto* self = static_cast<Primal*>(context);
    Vec X = nullptr, F = nullptr, Y = nullptr, W = nullptr;
    SNES snes = nullptr;
    PetscReal slope = 0;
    PetscFunctionBegin;
    PetscCall(SNESLineSearchGetSNES(search, &snes));
    PetscCall(SNESLineSearchGetVecs(search, &X, &F, &Y, &W, nullptr));
    PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_SUCCEEDED));
    PetscCall(VecDot(F, Y, &slope));
    PrimalStep& step = self->step_;
    StepProblem& problem = self->solver().problem();
    self->evaluate(X);
    step.freeze();
    const double start = step.energy(problem), merit = step.merit(problem.system());
    const double noise = kPrimalNoise * std::fabs(start);
    const bool blind = std::fabs(slope) <= noise;  // what this step can gain drowns in rounding
    const auto lowers_energy = [&](double a) {
      return slope > 0 && step.energy(problem, true) <= start - kPrimalDecrease * a * slope + noise;
    };
    const auto lowers_residual = [&](double a) {
      const double wanted = 1 - kPrimalDecrease * a;
      return step.merit(problem.system()) <= wanted * wanted * merit;
    };
    // The coupled derivative of friction points down for |R|, a symmetric one for Φ at fixed radii. Taking turns
    // between them can go round in circles, so the other is asked only where the first finds no step at all. Without
    // contacts both are one, and stiff springs lower Φ in steps that |R| would cut short.
    const bool coupled = self->coupled() && problem.contacts() > 0;
    double a = 1;
    for (int pass = 0; pass < 2; ++pass) {
      for (a = 1; a >= kPrimalShortest; a /= 2) {
        PetscCall(VecWAXPY(W, -a, Y, X));
        self->evaluate(W);
        if (blind || (coupled == (pass == 0) ? lowers_residual(a) : lowers_energy(a))) break;
      }
      if (a >= kPrimalShortest) break;
    }
    if (a < kPrimalShortest) {
      PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_FAILED_REDUCT));
      PetscFunctionReturn(0);
    }
    PetscCall(VecCopy(W, X));
    PetscCall(SNESComputeFunction(snes, X, F));
    PetscCall(SNESLineSearchSetLambda(search, a));
    PetscCall(SNESLineSearchComputeNorms(search));
    PetscFunctionReturn(0);
  }

  /// a by the strong Wolfe conditions.
  static PetscErrorCode wolfe(SNESLineSearch search, void* context) {
    auto* self = static_cast<Primal*>(context);
    Vec X = nullptr, F = nullptr, Y = nullptr, W = nullptr;
    SNES snes = nullptr;
    PetscFunctionBegin;
    PetscCall(SNESLineSearchGetSNES(search, &snes));
    PetscCall(SNESLineSearchGetVecs(search, &X, &F, &Y, &W, nullptr));
    PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_SUCCEEDED));
    PrimalStep& step = self->step_;
    StepProblem& problem = self->solver().problem();
    const VecRead direction(Y);
    const View<Vec3> y = as_vec3(direction.view(), 0, self->system().blocks);
    self->evaluate(X);
    step.freeze();
    const LinePoint start{step.energy(problem), -step.slope(problem.system(), y)};
    const double noise = kPrimalNoise * std::fabs(start.energy);
    WolfeStep found{1, true};  // where what this step can gain drowns in rounding
    if (start.slope < -noise) {
      PetscErrorCode failed = 0;
      found = wolfe_search(start, noise, [&](double a) {
        failed = VecWAXPY(W, -a, Y, X);
        self->evaluate(W);
        return LinePoint{step.energy(problem, true), -step.slope(problem.system(), y)};
      });
      PetscCall(failed);
    } else if (start.slope > noise) {
      found.length = 0;
    }
    if (!(found.length > 0)) {
      PetscCall(SNESLineSearchSetReason(search, SNES_LINESEARCH_FAILED_REDUCT));
      PetscFunctionReturn(0);
    }
    if (!found.both) self->solver().count("primal_wolfe");
    PetscCall(VecAXPY(X, -found.length, Y));
    PetscCall(SNESComputeFunction(snes, X, F));
    PetscCall(SNESLineSearchSetLambda(search, found.length));
    PetscCall(SNESLineSearchComputeNorms(search));
    PetscFunctionReturn(0);
  }

  SNES inner_ = nullptr, outer_ = nullptr;
  PetscInt counted_ = 0;  // linear iterations of this solve
  Vec u_ = nullptr, residual_ = nullptr;
  PrimalStep step_;
  PrimalMatrix matrix_;
  Buffer<double> impulse_{"primal_impulse"};
  bool quasi_newton_ = false, factorised_ = false;
};

}  // namespace

void refuse_primal_options(StepProblem& problem) {
  PrimalSolverOptions options;
  read_options(options);
  const std::string type = database_value("primal_snes_type").value_or(SNESNEWTONLS);
  if (options.line_search == "wolfe") {
    if (type != SNESNEWTONLS && type != SNESQN)
      throw InputError("-primal_line_search wolfe: -primal_snes_type " + type +
                       " has no such search: expected newtonls or qn");
    if (type == SNESNEWTONLS && options.tangent == "coupled" && !Primal::filters())
      throw InputError(
          "-primal_line_search wolfe searches the potential, which steps by -primal_tangent coupled need not lower: "
          "expected -primal_tangent weight, lagged or majorant, or -primal_snes_type qn");
  }
  if (options.tangent != "majorant") return;
  PrimalStep::set_majorant(problem, true);
  PrimalStep::set_majorant(problem, false);
}

void register_primal() { register_snes_type<Primal>(); }

}  // namespace clarke
