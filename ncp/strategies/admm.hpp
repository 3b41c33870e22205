#pragma once
// SNES type `admm`: alternating directions on the step's linearisation, one matrix for many iterations
// [Boyd Parikh Chu Peleato Eckstein 2011; Acary Brémond Huber 2018; docs/theory.md, eq. D4].
//
//   at (u⁰, Λ⁰):  H (u − u⁰) = −g⁰ + Jᵀ (Λ − Λ⁰),   v = v⁰ + J (u − u⁰) + γ (Λ − Λ⁰)
//   (u, Λ)   v(Λ) + s n + R (Λ − z + w) = 0     one linear solve: matrix with A = 1, B = γ + R
//   z        Π_K(x + w),   x = a Λ + (1 − a) z   K: the admissible set of each item
//   w        w + x − z,    s = μ |v_t|           R = ρ w_i, w_i = tr (W_ii + γ)/3 or W_rr + γ; 0 in rows without bounds
//
//   ρ  -admm_rho [1]; with -admm_balance it grows or falls by 4 where the relative primal residual |Λ − z|/max(|Λ|,
//      |z|) and the dual one |z − z_old|/|w| are more than a factor of 10 apart: a new matrix, counted
//   a  -admm_relaxation [1]
//
// Where H has blocks off its diagonal (-soft_form stiffness) one more solve, with Λ = z known, gives the velocity.
// -snes_max_it counts linearisations. The matrix is kept from iteration to iteration, so a factorisation (-ksp_type
// preonly -pc_type cholesky) is made once per linearisation and ρ. No contact law takes part. Linear convergence: good
// for 1e-4, slow beyond.

#include "framework/options.hpp"
#include "framework/step_problem.hpp"
#include "framework/step_rows.hpp"

namespace clarke {

struct AdmmOptions {
  double rho = 1, relaxation = 1.6, tolerance = 1e-10;
  int iterations = 200;
  bool balance = true;
  void describe(OptionVisitor& v) {
    v.real("admm_rho", rho, {"1", "first penalty ρ, as a fraction of the row's inverse mass", 1e-9, 1e9});
    v.real("admm_relaxation", relaxation, {"1", "over-relaxation a", 1e-3, 1.999});
    v.real("admm_tolerance", tolerance, {"1", "iterations end when both relative residuals are below", 0.0, 1.0});
    v.integer("admm_iterations", iterations, {"1", "most iterations per linearisation", 1});
    v.flag("admm_balance", balance, {"", "changes ρ where primal and dual residual differ much; counted"});
  }
};

/// Relative residuals of one iteration.
struct AdmmResiduals {
  double primal, dual;
};

/// The iteration on one linearisation. (Public members with kernels: device lambdas may not live in private ones.)
class AdmmIteration {
 public:
  /// From the point where `problem` has just been evaluated.
  void begin(StepProblem& problem, const View<Vec3>& u, const View<double>& impulse, double rho);
  /// A and B of the system become those of the iteration.
  void set_matrix(SaddlePointSystem& system, double rho);
  /// The linear solve's right-hand side at (u, Λ), scaled as F is (newton_matrix.hpp).
  void right_hand_side(const SaddlePointSystem& system, const View<Vec3>& u, const View<double>& impulse, double rho,
                       const View<double>& f);
  /// z, w and s after the linear solve.
  AdmmResiduals project(const SaddlePointSystem& system, const View<Vec3>& u, const View<double>& impulse,
                        double relaxation);
  /// w belongs to another ρ.
  void rescale(const SaddlePointSystem& system, double factor);
  /// Λ = z, and u with it: u⁰ + H⁻¹ (Jᵀ (Λ − Λ⁰) − g⁰). H must be block diagonal.
  void finish(const SaddlePointSystem& system, const View<Vec3>& u, const View<double>& impulse);
  /// Λ = z, where H has blocks off its diagonal. A and B become those of multipliers that are known, so that a linear
  /// solve with right_hand_side() gives the velocity that belongs to them.
  void fix_impulse(SaddlePointSystem& system, const View<double>& impulse);
  /// The right-hand side of that solve.
  void momentum_right_hand_side(const SaddlePointSystem& system, const View<Vec3>& u, const View<double>& impulse,
                                const View<double>& f);

 private:
  StepRowStorage rows_;
  Buffer<Vec3> u0_{"admm_u0"}, du_{"admm_du"}, g0_{"admm_g0"};
  Buffer<double> impulse0_{"admm_impulse0"}, weight_{"admm_weight"}, z_{"admm_z"}, w_{"admm_w"},
      de_saxce_{"admm_de_saxce"}, change_{"admm_change"};
  SumScratch<5> scratch_;
};

/// Registers the type; called by register_ncp().
void register_admm();

}  // namespace clarke
