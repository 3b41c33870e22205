#pragma once
// A step whose rows all give way, as a problem in the velocity alone: the impulses are eliminated by the relaxed law of
// their item (framework/sets/relaxed_law.hpp) [docs/theory.md, eq. D6].
//
//   residual       R(u) = M (u − ũ) − J(q⁺)ᵀ p(v(u)) + f        = ∂Φ/∂u at fixed friction radii        [N s, N m s]
//   energy         Φ(u) = ½ |u − ũ|²_M + Σ Ψ_i(v_i(u)) + potentials of forces                          [J]
//   Hessian        H = M + Jᵀ W J + G + ∂f/∂u                    W ≥ 0 the weights of the rows
//     G            geometric stiffness of whole items, its positive part ("geo+") [eq. G4]
//   preconditioner P = blockdiag(H)⁻¹, a 6 × 6 block of a body, 3 × 3 of a particle
//   prescribed     rigid rows that hold a particle to what does not move by itself (pins, planes, lines) are taken out:
//                  R ← S R, P ← S P, Λ = n·R of them (framework/velocity_filter.hpp) [eq. D11]
//   majorant       A₀ = M + Jᵀ γ⁻¹ J + the constant blocks of springs and elements ≥ H wherever it is    [eq. D10]
//
// An item touches two bodies or particles, so λ_max(P H) ≤ 2, and a step of less than 1 along −P R lowers a quadratic
// Φ; it is 6 × 6 blocks that this needs.
//
// Limits: rigid rows, hard contacts, elements as rows and rolling resistance have no relaxed law, polygons no
// smoothing: refused, by name. With p > 2 the weight of a contact is its curvature, which majorises nothing; A₀ takes
// what the curvature can be at most at depths that Φ allows. For rigid bodies R is the gradient of Φ to first order in
// h ω.

#include "framework/sets/relaxed_law.hpp"
#include "framework/step_problem.hpp"
#include "framework/step_rows.hpp"
#include "framework/velocity_filter.hpp"

namespace clarke {

/// The two velocity blocks of what moves: `second` = −1 of a particle.
struct MoverBlocks {
  int first, second;
};

/// The inverse of a mover's block of H: of a particle only `vv` counts.
struct MoverInverse {
  Mat3 vv, vw, ww;  // symmetric as a whole: wv = vwᵀ
};

/// Items of the step that has begun whose rows prescribe velocities of a particle: 1. Throws InputError where two of
/// them hold one.
std::vector<int> prescribed_items(const StepProblem& problem);

/// Throws InputError where a row of the step that has begun has no relaxed law, with the option that gives it one;
/// `who` asks.
void refuse_rigid_rows(const StepProblem& problem, const std::string& who);

/// Throws where contacts give way by a law that is not linear, which only strategies with p(u) solve.
void refuse_nonlinear_rows(const StepProblem& problem, const std::string& who);

/// What stands for −∂p/∂v of rows: see -primal_tangent.
enum class PrimalTangent { weight, lagged, coupled };

class PrimalStep {
 public:
  /// Makes everything ready for the step that has begun, all rows of which have a relaxed law. `majorant`: H is to be
  /// a constant matrix that majorises it (eq. D10); where some item has none, that is refused by name.
  void begin(StepProblem& problem, bool body_blocks, bool majorant = false);
  /// Whether contributors linearise by their majorants; throws by name where one has none.
  static void set_majorant(StepProblem& problem, bool on);
  /// Whether there are contacts, whose friction hangs on their normal impulse.
  bool touches() const { return touches_; }
  /// Whether H stays as it is from step to step: nothing touches, and nothing turns.
  bool constant() const { return majorant_ && !touches_ && !bodies_; }
  /// u ← the nearest velocities that are as prescribed; evaluates.
  void satisfy(StepProblem& problem, const View<Vec3>& u);
  /// What is prescribed, at the last evaluate(); empty where nothing is.
  const VelocityFilter& filter() const { return filter_; }
  /// impulse ← p(u), and R(u) into the momentum residual of the system. `impulse` stays referenced.
  void evaluate(StepProblem& problem, const View<Vec3>& u, const View<double>& impulse);
  /// Φ at the last evaluate(), its friction radii those of the last freeze(), or of this p.
  double energy(const StepProblem& problem, bool frozen = false);
  /// Friction radii in energy() are those of the last evaluate() from now on.
  void freeze();
  /// ∂Φ/∂u · along at the last evaluate(), friction radii those of the last freeze() [J]
  double slope(const SaddlePointSystem& system, const View<Vec3>& along);
  /// ½ |R|² in M⁻¹ at the last evaluate() [J]
  double merit(const SaddlePointSystem& system);
  /// T of all items (relaxed_tangent) at the last evaluate(), at item_square; without the change of friction radii, or
  /// the weights on its diagonal.
  const View<double>& tangents(const SaddlePointSystem& system, PrimalTangent kind);
  /// H without rows, diagonal blocks, and the geometric stiffness of items.
  const View<Mat3>& diagonal() const { return diagonal_.view(); }
  const GeometricPairs& pairs() const { return pairs_; }
  /// What rounding makes of M⁻¹ R where it was linearised last [m/s]: positions have a spacing, of which rows make gap
  /// velocities over h, and M⁻¹ H impulses of these.
  double rounding(const StepProblem& problem, const View<Vec3>& u) const;
  /// H and P at the last evaluate().
  void linearise(StepProblem& problem);
  /// z = P r
  void precondition(const View<Vec3>& r, const View<Vec3>& z) const;
  /// y = H x
  void apply(const SaddlePointSystem& system, const View<Vec3>& x, const View<Vec3>& y);

  // Public: device lambdas may not live in private members.
  void majorise(const StepProblem& problem);

 private:
  void find_movers(const StepProblem& problem, bool body_blocks);
  void find_pairs(const StepProblem& problem);
  void find_prescribed(const StepProblem& problem);

 public:  // device lambdas may not live in private members
  void take_out(const SaddlePointSystem& system, const View<double>& impulse);
  void keep_free(const SaddlePointSystem& system);

 private:
  bool majorant_ = false, touches_ = false, bodies_ = false;
  std::uint64_t layout_ = 0;
  bool body_blocks_ = true;
  StepRowStorage rows_;
  View<double> impulse_;  // p of the last evaluate()
  VelocityFilter filter_;
  View<int> prescribed_;  // items: 1 where their rows are taken out
  Buffer<double> start_impulse_{"primal_start_impulse"};
  GeometricPairs pairs_;
  View<MoverBlocks> movers_;
  Buffer<MoverInverse> inverse_{"primal_inverse"};
  Buffer<int> pair_first_{"primal_pair_first"};
  Buffer<Mat3> pair_block_{"primal_pairs"}, diagonal_{"primal_diagonal"};
  Buffer<double> weight_{"primal_weight"}, item_energy_{"primal_energy"}, product_{"primal_product"};
  Buffer<double> radius_{"primal_radius"}, tangent_{"primal_tangent"};
  Buffer<Vec3> pair_product_{"primal_pair_product"};
  SumScratch<1> scratch_;
};

}  // namespace clarke
