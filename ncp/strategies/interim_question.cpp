// A solve that asks on its way whether the step is still the same (Interim): SNES runs to the velocity error of the
// question first, and on from there where nothing has changed.

#include "framework/petsc_check.hpp"
#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/snes_step_solver.hpp"

namespace clarke {

SnesStepSolver::OnTheWay SnesStepSolver::ask_on_the_way(View<Vec3>& u, View<double>& impulse) {
  PetscReal atol = 0, rtol = 0, stol = 0;
  PetscInt most = 0, evaluations = 0;
  petsc_check(SNESGetTolerances(snes_, &atol, &rtol, &stol, &most, &evaluations), "SNESGetTolerances");
  // What begins as near as that is at its solution in a step or two, and is asked then. Elements as forces go through
  // linearisations of their own, which are not to begin anew on the way.
  if (!(interim.velocity_error > atol) || problem_->system().has_forces() ||
      norms_of(x_).velocity_error <= interim.velocity_error)
    return OnTheWay::go_on;
  petsc_check(SNESSetTolerances(snes_, interim.velocity_error, rtol, stol, most, evaluations), "SNESSetTolerances");
  interim_ = true;
  petsc_check(SNESSolve(snes_, nullptr, x_), "SNESSolve");
  const bool near = norms_of(x_).velocity_error <= interim.velocity_error;
  interim_ = false;
  petsc_check(SNESSetTolerances(snes_, atol, rtol, stol, most, evaluations), "SNESSetTolerances");
  if (!near) return OnTheWay::unsolved;
  if (!solved_to(atol)) {
    write_result(u, impulse);
    if (interim.changed()) return OnTheWay::another_step;
    forget_evaluation();
  }
  continued_ = result_.newton_iterations;
  goes_on_ = true;
  return OnTheWay::go_on;
}

void SnesStepSolver::write_result(View<Vec3>& u, View<double>& impulse) {
  const SaddlePointSystem& system = problem_->system();
  const VecRead x(x_);
  Kokkos::deep_copy(u, as_vec3(x.view(), 0, system.blocks));
  Kokkos::deep_copy(impulse, rows_of(x.view(), system));
}

void SnesStepSolver::take_safeguards() {
  for (const auto& [name, count] : exchange_.report.safeguards) result_.safeguards[name] += count;
}

}  // namespace clarke
