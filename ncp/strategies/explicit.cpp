#include "ncp/strategies/explicit.hpp"

#include "framework/error.hpp"
#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/primal_step.hpp"
#include "ncp/strategies/snes_type.hpp"

namespace clarke {

namespace {

struct Explicit {
  static constexpr const char* kName = "explicit";
  static constexpr const char* kSummary = "the velocity that forces of the start of a step lead to";
  static constexpr const char* kCitation = "";
  static constexpr StrategyTraits kTraits{.linear = false, .compliant = true};
  struct Options {
    void describe(OptionVisitor&) {}
  };
  Options options;
  PrimalStep primal_;

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    StepProblem& problem = solver.problem();
    primal_.begin(problem, true);
    {
      const SaddlePointSystem& s = problem.system();
      VecUpdate x(X);
      const View<Vec3> u = as_vec3(x.view(), 0, s.blocks);
      Kokkos::deep_copy(u, s.u_tilde.view());
      primal_.evaluate(problem, u, rows_of(x.view(), s));  // M (u − ũ) = 0: R is what the forces lack
      const View<Vec3> R = s.momentum_residual;
      const View<Mat3> inverse = s.mass_inverse;
      parallel_for(
          "explicit_velocity", s.blocks, KOKKOS_LAMBDA(int b) { u(b) = u(b) - inverse(b) * R(b); }, 12);
      if (!primal_.filter().empty()) primal_.satisfy(problem, u);
    }
    solver.forget_evaluation();
    snes->reason = SNES_CONVERGED_ITERATING;
    PetscCall(evaluate_and_test(snes, 0, 0));
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_explicit() { register_snes_type<Explicit>(); }

}  // namespace clarke
