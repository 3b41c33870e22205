#include "ncp/strategies/primal_descent.hpp"

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/primal_step.hpp"
#include "ncp/strategies/snes_type.hpp"

#include <algorithm>

namespace clarke {

namespace {

constexpr double kRise = 2;  // of z·R from one iterate to the next, which conjugate directions do not make as a rule
constexpr double kRecovery = 1.1;  // of the length per iterate

struct PrimalDescent {
  static constexpr const char* kName = "primal_descent";
  static constexpr const char* kSummary =
      "descent in the velocity on the potential of rows that give way, with 6 x 6 blocks and conjugate directions";
  static constexpr const char* kCitation = "Macklin Erleben Mueller Chentanez Jeschke Kim 2020";
  static constexpr StrategyTraits kTraits{.linear = false, .compliant = true};
  using Options = PrimalOptions;
  Options options;
  PrimalStep primal;
  Buffer<Vec3> z_{"primal_z"}, last_z_{"primal_last_z"}, residual_{"primal_R"}, last_residual_{"primal_last_R"},
      direction_{"primal_direction"}, image_{"primal_H_direction"}, before_{"primal_before"};
  SumScratch<3> sums_;
  double last_zr_ = 0, omega_ = 1, damping_ = 1;

  /// X := (u, p(u)) of the velocities of X; H and P there.
  void project(SnesStepSolver& solver, Vec X) {
    StepProblem& problem = solver.problem();
    const SaddlePointSystem& s = problem.system();
    VecUpdate x(X);
    primal.evaluate(problem, as_vec3(x.view(), 0, s.blocks), rows_of(x.view(), s));
    primal.linearise(problem);
    Kokkos::deep_copy(residual_.resize(s.blocks), s.momentum_residual.view());
    solver.forget_evaluation();
  }

  /// The step from u, whose direction is left in direction_ and whose length is returned.
  double conjugate(const SaddlePointSystem& s, int it) {
    const View<Vec3> z = z_, R = residual_, d = direction_.resize(s.blocks), lz = last_z_.resize(s.blocks),
                     lR = last_residual_.resize(s.blocks), Hd = image_.resize(s.blocks);
    const bool first = it == 0;
    double sum[3];
    deterministic_sum<3>(
        "primal_beta", s.blocks,
        KOKKOS_LAMBDA(int b) {
          return Kokkos::Array<double, 3>{dot(z(b), R(b)), first ? 0 : dot(z(b), lR(b)), first ? 0 : dot(R(b), d(b))};
        },
        sums_, sum);
    const double zr = sum[0], beta = first || !(last_zr_ > 0) ? 0 : std::max(0.0, (zr - sum[1]) / last_zr_);
    const bool descends = -zr + beta * sum[2] < 0;  // R·d of the new direction
    // Radii of friction lag by an iterate, so that lengths that are best at fixed radii can go round in circles; half
    // of them does not. They come back as z·R falls.
    const bool rises = !first && primal.touches() && zr > kRise * last_zr_;
    damping_ = first ? 1 : rises ? 0.5 : std::min(1.0, kRecovery * damping_);
    const double keep = descends && !rises ? beta : 0;
    parallel_for(
        "primal_direction", s.blocks, KOKKOS_LAMBDA(int b) {
          d(b) = keep > 0 ? keep * d(b) - z(b) : -z(b);
          lR(b) = R(b);
        });
    last_zr_ = zr;
    primal.apply(s, d, Hd);
    const double slope = -zr + keep * sum[2];
    deterministic_sum<3>(
        "primal_curvature", s.blocks,
        KOKKOS_LAMBDA(int b) {
          return Kokkos::Array<double, 3>{dot(d(b), Hd(b)), 0, 0};
        },
        sums_, sum);
    return sum[0] > 0 ? -damping_ * slope / sum[0] : 0;
  }

  /// u ← the next iterate.
  void step(SnesStepSolver& solver, Vec X, int it) {
    const SaddlePointSystem& s = solver.problem().system();
    const View<Vec3> z = z_.resize(s.blocks), R = residual_;
    primal.precondition(R, z);
    VecUpdate x(X);
    const View<Vec3> u = as_vec3(x.view(), 0, s.blocks);
    if (options.accelerate == "ncg") {
      const double a = conjugate(s, it);
      const View<Vec3> d = direction_;
      parallel_for(
          "primal_step", s.blocks, KOKKOS_LAMBDA(int b) { u(b) += a * d(b); });
      return;
    }
    const double rho2 = options.chebyshev_rho * options.chebyshev_rho, alpha = options.step;
    const bool chebyshev = options.accelerate == "chebyshev";
    omega_ = !chebyshev || it == 0 ? 1 : it == 1 ? 2 / (2 - rho2) : 4 / (4 - rho2 * omega_);
    const double omega = omega_;
    const View<Vec3> before = before_.resize(s.blocks);
    const bool first = it == 0;
    parallel_for(
        "primal_step", s.blocks, KOKKOS_LAMBDA(int b) {
          const Vec3 now = u(b), plain = now - alpha * z(b), last = first ? now : before(b);
          u(b) = omega == 1 ? plain : last + omega * (plain - last);
          before(b) = now;
        });
  }

  /// What rounding leaves of the velocity error at X, where everything has just been evaluated [m/s].
  double rounding(SnesStepSolver& solver, Vec X) {
    const VecRead x(X);
    const View<Vec3> u = as_vec3(x.view(), 0, solver.problem().system().blocks);
    return options.rounding * primal.rounding(solver.problem(), u);
  }

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    primal.begin(solver.problem(), options.blocks == "body");
    {
      VecUpdate x(X);
      primal.satisfy(solver.problem(), as_vec3(x.view(), 0, solver.problem().system().blocks));
    }
    snes->reason = SNES_CONVERGED_ITERATING;
    for (PetscInt it = 0; !snes->reason; ++it) {
      if (it > 0) step(solver, X, static_cast<int>(it) - 1);
      project(solver, X);
      PetscCall(evaluate_and_test(snes, it, 0));
      const double bound = snes->reason ? 0 : rounding(solver, X);
      if (!snes->reason && solver.velocity_error(X) <= bound) {
        solver.ends_at_rounding("primal_rounding", bound);
        snes->reason = SNES_CONVERGED_FNORM_RELATIVE;
      }
      if (!snes->reason && it >= snes->max_its) snes->reason = SNES_DIVERGED_MAX_IT;
    }
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_primal_descent() { register_snes_type<PrimalDescent>(); }

}  // namespace clarke
