#pragma once
// Gauss-Seidel sweeps over the items of a linearised step, each solved by itself
// [Jourdan Alart Jean 1998; Acary Brémond Huber 2018; docs/theory.md, eq. D1].
//
//   at (u⁰, Λ⁰):   H (u − u⁰) = −g⁰ + Jᵀ (Λ − Λ⁰),     v(u, Λ) = v⁰ + J (u − u⁰) + E (Λ − Λ⁰)
//   item i:        Λ_i ← Λ_i + ω (solution of the item − Λ_i),  W_ii = J_i H⁻¹ J_iᵀ + E_i
//                  u ← u + H⁻¹ J_iᵀ ΔΛ_i             kept up to date, so that a sweep costs O(items)
//
// Where forces couple velocity blocks (elements in stiffness form), each sweep goes over the blocks as well:
//
//   block b        u_b ← u⁰_b + H_bb⁻¹ (−g⁰_b − Σ_c≠b H_bc (u − u⁰)_c + (Jᵀ (Λ − Λ⁰))_b),   H_bb⁻¹ for H⁻¹ above
//
// No law takes part: the sweeps solve the law of the rows' admissible sets itself (framework/sets/local_solution.hpp),
// for contacts, joints and elements alike (framework/step_rows.hpp). Deterministic: the order of the items. Where
// levels of items that share no block are wide (framework/item_levels.hpp), each is visited at once by all threads, or
// by a device, with the same bits; else one thread works through the items. Blocks are visited by one thread. Limit:
// mass ratios and long chains converge slowly.

#include "framework/accumulate.hpp"
#include "framework/item_levels.hpp"
#include "framework/options.hpp"
#include "framework/step_problem.hpp"
#include "framework/step_rows.hpp"

namespace clarke {

struct NsgsOptions {
  int sweeps = 100;
  double relaxation = 1;
  bool symmetric = false;
  double tolerance = 0;
  void describe(OptionVisitor& v) {
    v.integer("nsgs_sweeps", sweeps, {"1", "sweeps per linearisation (-snes_max_it counts linearisations)", 1});
    v.real("nsgs_relaxation", relaxation, {"1", "factor ω on the change of every item", 1e-3, 1.999});
    v.flag("nsgs_symmetric", symmetric, {"", "every second sweep goes backwards"});
    v.real("nsgs_tolerance", tolerance,
           {"m/s", "sweeps end early when no row changed by more than this: W_rr |ΔΛ_r|", 0.0});
  }
};

/// How many sweeps, and with which H.
struct SweepPlan {
  int sweeps;            // at most
  double progress = 1;   // below 1: no more once ten have not brought what a sweep changes below this fraction of it
  bool of_mass = false;  // H is M: without geometric stiffness, which may have no inverse far from the solution
};

/// Some sweeps one after another, in one kernel where their items have no levels.
struct SweepOrder {
  int sweeps;         // at most
  double relaxation;  // ω
  double tolerance;   // they end where one changes no more than this [m/s]
  double most;        // or more than so many times what the first one of all did
  double first;       // what that changed; negative: it is among these
  bool symmetric;     // every second one goes backwards,
  int made;           // counted from so many before
  KOKKOS_INLINE_FUNCTION bool backwards(int sweep) const { return symmetric && (made + sweep) % 2 == 1; }
};

/// What became of them.
struct SweepRound {
  int made;
  double first, change;  // what the first of all sweeps changed, and the last one [m/s]
};

class GaussSeidelSweeps {
 public:
  /// Sweeps from the point at which `problem` has just been evaluated, with the present H unless the plan says M. u and
  /// impulse are that point, and become the result. Returns the number of sweeps made; change() is what the last one
  /// changed [m/s].
  int run(StepProblem& problem, const View<Vec3>& u, const View<double>& impulse, const SweepPlan& plan,
          const NsgsOptions& options);
  double change() const { return change_; }

  // Public: device lambdas may not live in private members.
  void prepare_blocks(const SaddlePointSystem& system, bool of_mass);
  SweepRound sweep(const SaddlePointSystem& system, const View<double>& impulse, int coupled_blocks,
                   const SweepOrder& order);

 private:
  StepRowStorage rows_;
  Buffer<double> block_{"sweep_block"}, start_{"sweep_start"};
  Buffer<int> inverted_{"sweep_inverted"};
  Buffer<Mat3> inverse_{"sweep_inverse"};
  Buffer<Vec3> du_{"sweep_du"};
  Buffer<SweepRound> round_{"sweep_round"};
  ItemLevels levels_;
  Buffer<double> changes_{"sweep_changes"};  // of every item [m/s]
  Buffer<Worst> worst_{"sweep_worst"}, parts_{"sweep_worst_parts"};
  double change_ = 0;
};

}  // namespace clarke
