#pragma once
// A contact problem by itself: linear but for friction and bounds, on the host. What a captured step is, and what a
// problem file holds. Two ways to state it:
//
//   global   M u = Jᵀ Λ + Gᵀ Λ_G + f,  v = J u + w + γ Λ,  v_G = G u + b + E Λ_G
//   local    v = W Λ + V Λ_G + q,  v_G = Vᵀ Λ + R Λ_G + s     the Delassus operator given; compliance is in W and R
//   contact  i has rows (n, t1, t2):  K_μ ∋ Λ_i ⊥ v_i + μ_i |v_t| n ∈ K_μ*     μ = 0: frictionless
//   row      r of G:                  l_r ≤ Λ_r ≤ u_r ⊥ v_r   (±∞: equality v_r = 0)
//
// The names in problem files (FCLIB): M, H = Jᵀ, G = Gᵀ, f, w, b, mu, W, V, R, q, s; solution v = u (velocities), u = v
// (contact velocities), r = Λ, l = Λ_G [Acary Brémond Huber Koziara Pérignon 2014]. γ, E, l, u and the row names have
// no place there: docs/problems.md says in which further data sets they are.

#include <string>
#include <vector>

namespace clarke {

/// Compressed sparse rows; columns ascend in every row.
struct SparseMatrix {
  int rows = 0, columns = 0;
  std::vector<int> start{0};  // rows + 1
  std::vector<int> column;
  std::vector<double> value;
  bool empty() const { return rows == 0 || columns == 0; }
};

/// Values of the unknowns of a problem: a solution, or a guess.
struct ProblemSolution {
  std::vector<double> velocity;          // u [m/s, rad/s], as many as M has rows
  std::vector<double> contact_velocity;  // v [m/s], 3 per contact
  std::vector<double> contact_impulse;   // Λ [N s], 3 per contact
  std::vector<double> joint_impulse;     // Λ_G [N s, N m s]
  bool given() const { return !contact_impulse.empty() || !velocity.empty(); }
};

struct ContactProblem {
  std::string file;  // where it was read, or empty
  std::string title, description, math_info;

  int contacts = 0;
  std::vector<double> friction;  // μ [1], per contact

  // global
  SparseMatrix mass;                             // M [kg, kg m²], symmetric positive definite
  SparseMatrix jacobian;                         // J, 3 contacts × velocities
  std::vector<double> force;                     // f = M ũ [N s, N m s], per velocity
  std::vector<double> offset;                    // w [m/s], 3 per contact
  std::vector<double> compliance;                // γ [1/kg], 3 per contact; empty: all zero
  SparseMatrix joint_jacobian;                   // G, joint rows × velocities
  std::vector<double> joint_offset;              // b [m/s, rad/s]; of a local problem s
  std::vector<double> joint_compliance;          // E in velocity–impulse form [1/kg]; empty: all zero
  std::vector<double> joint_lower, joint_upper;  // l, u [N s, N m s]; empty: equalities

  // local
  SparseMatrix delassus;              // W [1/kg], 3 contacts square
  std::vector<double> free_velocity;  // q [m/s], 3 per contact
  SparseMatrix joint_coupling;        // V [1/kg], 3 contacts × joint rows
  SparseMatrix joint_delassus;        // R [1/kg], joint rows square

  std::vector<std::string> contact_names, joint_row_names;  // may be empty
  std::string provenance;                                   // JSON, or empty

  ProblemSolution solution;  // reached, or as in the file
  std::vector<ProblemSolution> guesses;

  bool local() const { return !delassus.empty(); }
  int joint_rows() const { return local() ? joint_delassus.rows : joint_jacobian.rows; }
};

}  // namespace clarke
