#pragma once
// One proximal step of all rows of a step, as a function of the velocity alone: what SNES types that keep u as their
// only unknown are made of [Rockafellar 1976; docs/theory.md, eq. D5].
//
//   around impulses r, with weights ε w_i, the item's impulses at the velocity u are
//     p(u) = Π_K(r − (v(u, r) + s n) / c),    c = ε w_i + γ,    s = μ σ(−v_t) at the same u
//   which solves  v(u, p) + ε w_i (p − r) + s n ∈ −N_K(p).  What remains is
//     g(u) = M (u − ũ) − Jᵀ p(u) + f = 0,     H du = −g,   H = ∂f + M + Jᵀ D (1/c) C J
//   D ∈ ∂Π_K,  C = 1 + n (∂s/∂v_t): De Saxcé's term inside, so H is unsymmetric; without it piles do not converge
//
//   w_i  tr W_ii / 3 of a cone, W_rr of other rows [1/kg];   items with a dense E have c = E: they need no ε
//   In the system (framework/system.hpp):  A = c D (1/c) C,  B = c,  right-hand side (g, 0).
//
// Alternating directions on the same linear system with D = C = 1 [Boyd et al. 2011]: y a copy of v,
//   λ = r + (y − v − s n)/ε w,   one solve with the kept matrix,   z = v + s n relaxed by 1.6 towards y,
//   r ← Π_K(r − (z + γ r)/c),    y ← z + (r − r_old)/ε w
// Limits: friction that another row bounds (rolling) is bounded by that row's r, not by its p.

#include "framework/step_problem.hpp"
#include "framework/step_rows.hpp"

namespace clarke {

class ProximalRows {
 public:
  /// g at a velocity, and what it would take to undo it.
  struct Momentum {
    double energy;    // ½ |g|² in M⁻¹ [J]
    double velocity;  // largest component of M⁻¹ g [m/s]
  };

  /// From now on rows and g are those of the linearisation at (u, r), where `problem` has just been evaluated: v = v⁰ +
  /// J (u − u⁰) + γ (Λ − r⁰). Rounding of v⁰, differences of positions over h, is then the same in every v.
  void linearise(StepProblem& problem, const View<Vec3>& u, const View<double>& r);
  /// The system has been evaluated elsewhere since: J and H are those of linearise() again.
  void restore(SaddlePointSystem& system) const;
  /// p(u) around r, and g.
  Momentum project(const SaddlePointSystem& system, const View<Vec3>& u, const View<double>& r, double epsilon);
  /// A, B of the system at the last project().
  void set_matrix(SaddlePointSystem& system) const;
  /// The linear solve's right-hand side (S_u g, 0).
  void right_hand_side(const SaddlePointSystem& system, const View<double>& f) const;
  /// x = (u', p) with u' = u − M⁻¹ g, which is what p leads to; where H has blocks off its diagonal or items a dense
  /// E, u' = u.
  void candidate(const SaddlePointSystem& system, const View<Vec3>& u, const View<double>& x) const;
  /// x = (u − M⁻¹ g(u, r), r) from at = (u, r), just evaluated: what its impulses lead to; u itself as in candidate().
  static void follow(const SaddlePointSystem& system, const View<double>& at, const View<double>& x);
  /// Largest natural map, and M⁻¹ g, at the point (u, Λ) just evaluated [m/s].
  double natural_map(StepProblem& problem, const View<double>& impulse);
  /// Largest natural map at x = (u, Λ) of the linearisation [m/s].
  double linear_natural_map(const SaddlePointSystem& system, const View<double>& x);

  /// Alternating directions from the point of the last project(), at u and r: begin, set_matrix(alternating), in turn
  /// alternating_right_hand_side(), solve, alternate(step).
  void begin_alternating(const SaddlePointSystem& system, const View<Vec3>& u, const View<double>& r);
  void set_alternating_matrix(SaddlePointSystem& system) const;
  void alternating_right_hand_side(const SaddlePointSystem& system, const View<double>& f);
  /// `step`: what the linear solve returned, −du in its velocities. u becomes the new velocity.
  void alternate(const SaddlePointSystem& system, const View<double>& step, const View<Vec3>& u);
  const View<double>& alternating_impulse() const { return r_; }

 private:
  StepRowStorage rows_, present_;  // of the linearisation, and of the last natural_map()
  // the linearisation
  Buffer<Vec3> u0_{"proximal_u0"}, g0_{"proximal_g0"}, jacobian_{"proximal_J"}, transpose_{"proximal_R"};
  Buffer<Mat3> hessian_{"proximal_H"};
  Buffer<double> r0_{"proximal_r0"}, velocity_{"proximal_velocity"};  // velocity_: of the last project()
  Buffer<double> scale_{"proximal_scale"}, impulse_{"proximal_impulse"}, change_{"proximal_change"},
      derivative_{"proximal_derivative"};
  Buffer<Vec3> momentum_{"proximal_momentum"};
  // of alternating directions
  Buffer<double> r_{"alternating_r"}, copy_{"alternating_copy"}, term_{"alternating_term"};  // y; s
  Buffer<Vec3> du_{"proximal_du"};
  SumScratch<1> sum_;
};

}  // namespace clarke
