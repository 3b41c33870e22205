#pragma once
// How well impulses solve a contact problem, from the problem's own data and nothing else: no solver, no step, no
// blocks.
//
//   v = W Λ + V Λ_G + q,  v_G = Vᵀ Λ + R Λ_G + s (local)
//   M u = f + Jᵀ Λ + Gᵀ Λ_G,  v = J u + w + γ Λ,  v_G = G u + b + E Λ_G (global; u eliminated exactly)
//   F_i = Λ_i − P_K(Λ_i − (v_i + μ |v_t| n))     natural map, ρ = 1: adds N s and m/s [Acary Brémond Huber 2018]
//   F_r = mid(v_r, Λ_r − l, Λ_r − u)             a row of G
//
//   siconos   ‖F‖ / max(‖q‖, ‖Λ‖, ‖v‖)                what Siconos calls the error; q = v at Λ = 0
//   fclib     ‖F‖ / ‖q‖                               of the FCLIB comparison report
//   scaled    as `siconos` after Λ = S Λ', v' = S v, S_i = (tr W_ii/3)^(−1/2), so that Λ' and v' are both in √J: the
//             same whatever the units, and with contacts of different mass weighed alike
//   strict    the larger of ‖F'‖/‖q'‖ in those variables and max_i |F'_i|/S_i / max_i |q_i|, the worst contact in m/s
//             over the largest free velocity: impulses that grow make neither smaller, a heavy body hides no light one;
//             or `hidden`, where that is more than RelativeResiduals::kVisible
//   hidden    what rounding takes away: ε ‖Λ'‖/‖q'‖, and beside the largest velocity ε max|q_i| / a, a the median over
//             contacts of what their q is a sum of: |J| |u| + |w| without impulses; of a given W the largest |q_j| with
//             W_ij ≠ 0
//   growth    ‖Λ'‖/‖q'‖
//   velocity_error   max over contacts of complementarity and friction (contact_residuals.hpp) and over rows of G [m/s]
//
// 2-norms over all contacts and rows. Where a denominator is zero the numerator is given.

#include "framework/contact_problem.hpp"
#include "verdict/contact_residuals.hpp"

#include <memory>

namespace clarke {

struct ProblemResiduals {
  double siconos = 0, fclib = 0, scaled = 0, strict = 0, growth = 0, hidden = 0;
  double velocity_error = 0;  // [m/s]
  double map = 0;             // ‖F‖
  int open = 0, stick = 0, slip = 0;
  bool finite() const {
    for (const double x : {siconos, fclib, scaled, strict, growth, velocity_error, map})
      if (!std::isfinite(x)) return false;
    return true;
  }
};

class ProblemJudge {
 public:
  /// The problem must outlive it. Factorises M of a global problem once.
  explicit ProblemJudge(const ContactProblem& problem);
  ~ProblemJudge();
  /// ‖S q‖ per contact and row of G, root mean square [√J]: how large the problem is in its own units; 0 where q is.
  double energy_root() const;
  /// Largest velocity of a contact or row of G without impulses [m/s]: what `strict` is relative to.
  double largest_free() const;
  /// Largest over smallest effective mass 1/W_nn of the contacts; 1 without contacts.
  double mass_ratio() const;
  ProblemResiduals judge(const std::vector<double>& contact_impulse, const std::vector<double>& joint_impulse);
  /// The unknowns that belong to impulses: u and v as above.
  ProblemSolution solution(const std::vector<double>& contact_impulse, const std::vector<double>& joint_impulse);

 private:
  struct Mass;
  /// u (global), v and v_G.
  void velocities(const std::vector<double>& contact, const std::vector<double>& joint);
  void find_scales();
  /// The last term of `strict`, from u_ without impulses.
  double hidden_by_free_velocity() const;

  const ContactProblem& problem_;
  std::unique_ptr<Mass> mass_;
  std::vector<double> u_, v_, v_joint_;
  double hidden_ = 0;
  std::vector<double> q_, q_joint_;                                  // v, v_G without impulses
  std::vector<double> delassus_diagonal_, joint_delassus_diagonal_;  // W_rr + γ [1/kg]
};

}  // namespace clarke
