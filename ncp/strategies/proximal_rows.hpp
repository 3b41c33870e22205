#pragma once
// One proximal step of all rows of a step, as a function of the velocity alone: what SNES types that keep u as their
// only unknown are made of [Rockafellar 1976; docs/theory.md, eq. D5].
//
//   around impulses r, with weights ε w_i, the item's impulses at the velocity u are
//     p(u) = Π_K(r − v(u, r)/c),    c = max(ε w_i, ε₀ W_ii) + γ,    of a contact with friction the resolvent of
//   Coulomb's law (framework/sets/resolvent.hpp). They obey the item's law at ṽ = v(u, p) + ε w_i (p − r).
//   What remains is
//     g(u) = M (u − ũ) − Jᵀ p(u) + f = 0,     H du = −g,   H = ∂f + M + Jᵀ D (1/c) J
//   D the tangent of p: unsymmetric where contacts slide; without that piles do not converge
//
//   w_i  tr W_ii / 3 of a cone, W_rr of other rows [1/kg];   items with a dense E have c = E: they need no ε
//        In w of rows without friction M⁻¹ of a block is times tr M / tr H_bb where stiff forces make H_bb the larger:
//        an impulse moves what its elements let go. With friction, a small c lets sliding contacts run away.
//   ε₀   what c needs for rounding of v to be negligible in M⁻¹ Jᵀ p
//   In the system (framework/system.hpp):  A = c D (1/c),  B = c,  right-hand side (g, 0).
//
// Limits: friction that another row bounds (rolling) is bounded by that row's r, not by its p.

#include "framework/sets/piece.hpp"
#include "framework/step_problem.hpp"
#include "framework/step_rows.hpp"
#include "ncp/strategies/friction_estimate.hpp"

namespace clarke {

/// Whether there are forces that are no rows or items with a dense E, stiff forces and elements: they are linearised at
/// every iterate, and M⁻¹ g is no correction that they would survive. Rows alone are nearly linear in the step.
inline bool follows_forces(const SaddlePointSystem& s) { return s.has_forces() || s.traits.dense_compliance; }

/// Items that are no forces.
inline int items_with_rows(const SaddlePointSystem& s) { return s.pattern.items - s.forces.items; }

class ProximalRows {
 public:
  /// g at a velocity, and what it would take to undo it.
  struct Momentum {
    double energy;    // ½ |g|² in M⁻¹ [J]
    double velocity;  // largest component of M⁻¹ g [m/s]
  };

  /// How far a point is from a solution [m/s].
  struct NaturalMap {
    double momentum;  // largest component of M⁻¹ g
    double rows;      // largest natural map of a row, and of cones the verdict's complementarity and friction
    double largest() const { return momentum > rows || momentum != momentum ? momentum : rows; }
  };

  /// ε, and ε₀
  struct Weight {
    double epsilon, least;
  };

  /// From now on rows and g are those of the linearisation at (u, r), where `problem` has just been evaluated: v = v⁰ +
  /// J (u − u⁰) + γ (Λ − r⁰). Rounding of v⁰, differences of positions over h, is then the same in every v.
  void linearise(StepProblem& problem, const View<Vec3>& u, const View<double>& r);
  /// The same for project() at du = 0 alone, for a trial; linearise() comes next, there or elsewhere.
  void move(StepProblem& problem, const View<Vec3>& u, const View<double>& r);
  /// The same linearisation from (u⁰ + du, r) on, which becomes the new (u⁰, r⁰): what has to be resolved near the
  /// solution are changes, and their rounding goes with their size.
  void shift(const SaddlePointSystem& system, const View<Vec3>& du, const View<double>& r);
  /// The system has been evaluated elsewhere since: J and H are those of linearise() again.
  void restore(SaddlePointSystem& system) const;
  /// w_i of a time step, from the masses, and from the stiff forces of the last linearise().
  void weigh(const SaddlePointSystem& system);
  /// u⁰
  const View<Vec3>& start() const { return u0_.view(); }
  /// p(u⁰ + du) around r, and g; `length` of the step after the last take(), of whose friction D is made. `envelope`:
  /// envelope() follows, for which contacts that are open slip, too.
  Momentum project(const SaddlePointSystem& system, const View<Vec3>& du, const View<double>& r, const Weight& weight,
                   bool envelope, double length = 0);
  /// D(r⁰) of near-rigid contacts, as of the last move() or shift(), which do it.
  void know_give();
  /// A proximal step around r begins; where it was projected last, Newton's step is −y; that length was taken.
  void begin(const View<double>& r) { friction_.begin(r); }
  void predict(const SaddlePointSystem& system, const View<Vec3>& y);
  void take(double length) { friction_.take(length); }
  /// Where the full Newton step was projected last, with the momentum `m`: the impulses p' that its linear solve led
  /// to, where c (p' − p(u)) is rounding of velocities [m/s] and their M⁻¹ g is smaller; and that. In p(u) the rounding
  /// of v is divided by c, and light bodies move by it over ε; in p' the solve has balanced it.
  Momentum refine(const SaddlePointSystem& system, const Momentum& m, double rounding);
  /// A, B of the system at the last project().
  void set_matrix(SaddlePointSystem& system) const;
  /// The linear solve's right-hand side (S_u g, 0).
  void right_hand_side(const SaddlePointSystem& system, const View<double>& f) const;
  /// x = (u', p) with u' = u⁰ + du − M⁻¹ g, which is what p leads to, or, not `completed`, u' = u⁰ + du.
  void candidate(const SaddlePointSystem& system, const View<Vec3>& du, bool completed, const View<double>& x) const;
  /// From now on the radii of friction in envelope() are those of the last project().
  void freeze_radii(const SaddlePointSystem& system);
  /// Of the last project() around r, with the radii of friction held: what the rows add to a potential whose gradient
  /// is g where they are those of the same velocity [J]. Without items with a dense E.
  double envelope(const SaddlePointSystem& system, const View<double>& r);
  /// Of that potential along y [J], where the problem was evaluated and projected: g·y, but for bodies that turn.
  double slope(const StepProblem& problem, const View<double>& y);
  /// g·y of the linearisation where it was projected last [J], but for bodies that turn: of rows without friction, or
  /// with their radii held, the slope of their potential.
  double linear_slope(const SaddlePointSystem& system, const View<double>& y);
  /// p of the last project().
  const View<double>& impulse() const { return impulse_.view(); }
  /// At the point (u, Λ) just evaluated.
  NaturalMap natural_map(StepProblem& problem, const View<double>& impulse);
  /// u ← u − M⁻¹ g at the point x = (u, Λ) just evaluated.
  static void correct(const SaddlePointSystem& system, const View<double>& x);
  /// Largest natural map at x = (u, Λ) of the linearisation [m/s].
  double linear_natural_map(const SaddlePointSystem& system, const View<double>& x);

  // With the pieces of rows held, around impulses that are nearly 0 (framework/sets/piece.hpp; proximal_pieces.cpp).

  /// A row that leaves its piece, and at which share of a way, or how far along it; −1: none.
  struct Change {
    int row = -1;
    double at = 0;
  };
  /// These impulses: r_i = velocity ξ_i/w_i, ξ_i scattered in [−1, 1]; from now on w_i are those of the masses alone.
  void scatter(const SaddlePointSystem& system, double velocity);
  /// Items whose natural map at the point (u, Λ) just evaluated is at most `tolerance` [m/s] have Λ for these impulses
  /// from now on, until scatter(), and ε/(1 + ε/most) for ε; how many others there are.
  int keep_solved(StepProblem& problem, const View<double>& impulse, double tolerance, double most);
  /// And g of the last project_in_pieces() is balanced there, and ε/(1 + ε) of it at any ε.
  void balance(const SaddlePointSystem& system);
  /// Whether all items have pieces.
  bool has_pieces() const;
  /// p, D and g at u⁰, the pieces those of the last time, or, not `held`, where z is; how far (u⁰, r⁰) is from them:
  /// M⁻¹ g with the impulses r⁰, and c (p − r⁰).
  NaturalMap project_in_pieces(const SaddlePointSystem& system, double epsilon, bool held);
  /// What impulses r⁰ do to a body, all their signs alike: the largest M⁻¹ |J|ᵀ |r⁰| [m/s].
  double momentum_size(const SaddlePointSystem& system) const;
  /// The linear solve's right-hand side (S_u ∂g/∂ln ε, 0).
  void right_hand_side_of_rate(const SaddlePointSystem& system, const View<double>& f);
  /// How p changes along (du, growth of ln ε).
  void change_of_impulses(const SaddlePointSystem& system, const View<Vec3>& du, double growth,
                          const View<double>& change);
  /// change −= p − Λ
  void subtract_off(const View<double>& impulse, const View<double>& change) const;
  /// Of the margins, along (y, growth of ln ε).
  void know_margin_slopes(const SaddlePointSystem& system, const View<Vec3>& y, double growth);
  double margin(int row) const;
  double margin_slope(int row) const;
  /// What of it has vanished: rounding of velocities [m/s], or that share of z.
  double margin_tolerance(int row, double velocity, double share) const;
  void keep_margins();
  /// By the slopes; that row's own margin is rounding.
  Change nearest_margin(int except) const;
  /// By the margins kept, beyond rounding of velocities; −1: all rows are in their pieces.
  Change first_crossed(double velocity, int except) const;
  /// That row is in the piece beyond its margin from now on.
  void cross(const SaddlePointSystem& system, int row);

 private:
  /// Of the linearisation, whose J multiplies T du.
  StepRows rows_along_motion() const;

  StepRowStorage rows_, present_;  // of the linearisation, and of the last natural_map()
  // the linearisation
  Buffer<Vec3> u0_{"proximal_u0"}, g0_{"proximal_g0"}, jacobian_{"proximal_J"}, along_motion_{"proximal_J_motion"},
      transpose_{"proximal_R"};
  Buffer<Mat3> hessian_{"proximal_H"}, off_{"proximal_H_off"}, turn_{"proximal_turn"};
  Buffer<double> r0_{"proximal_r0"}, give_{"proximal_give"};
  Buffer<double> velocity_{"proximal_velocity"};  // of the last project()
  Buffer<double> weight_{"proximal_weight"};
  Buffer<Mat3> held_{"proximal_held"};
  Buffer<double> scale_{"proximal_scale"}, impulse_{"proximal_impulse"}, change_{"proximal_change"},
      derivative_{"proximal_derivative"}, radius_{"proximal_radius"};
  Buffer<Piece> piece_{"proximal_piece"};
  Buffer<double> argument_{"proximal_z"}, centre_{"proximal_centre"}, path_weight_{"proximal_path_weight"},
      rate_{"proximal_rate"}, margin_{"proximal_margin"}, kept_margin_{"proximal_kept_margin"},
      margin_slope_{"proximal_margin_slope"};
  Buffer<double> most_epsilon_{"proximal_most_epsilon"};
  Buffer<Vec3> rate_momentum_{"proximal_rate_momentum"}, balance_{"proximal_balance"};
  double balance_rate_ = 0;  // of what is balanced, along ln ε
  Buffer<double> refined_{"proximal_refined"};
  Buffer<Vec3> refined_momentum_{"proximal_refined_momentum"};
  FrictionEstimate friction_;
  Buffer<Vec3> momentum_{"proximal_momentum"};
  Buffer<Vec3> du_{"proximal_du"};
  SumScratch<1> sum_;
};

}  // namespace clarke
