#pragma once
// SaddlePointSystem: the sole owner of the buffers of one step, and the only place where momentum and constraints meet.
//
//   momentum residual     g = M (u − ũ) − Jᵀ Λ + f                                    [N s, N m s]
//   row residual          F = F(u, Λ)      un-lagged, pure                              [m/s, rad/s]
//   linearisation         dF = A J du + B dΛ      per item, lagged                      A [1], B [1/kg, 1/(kg m²)]
//   Newton's system       H Δu − Jᵀ ΔΛ = −g,   A J Δu + B ΔΛ = −F
//
// A and B are m × m blocks of an item. A contact may turn its two tangential rows by an angle (cos, sin), and gives A
// and B in the turned frame (n, d, t), d = cos t1 + sin t2, t = −sin t1 + cos t2. A **symmetric** law has diagonal A ≥
// 0 and B ≥ 0 there, kept in `a` and `b`; a row with a = 0 fixes its multiplier: b dΛ = −F. A general law fills the
// dense A and B. An item may be symmetric and yet have a dense compliance (an element of a soft body): a = 1, its B
// symmetric positive definite, not turned. Such a layout is **coupled**: it has B for all items, of which off-diagonal
// entries count; b has the diagonal. F itself is never turned.
//
// f: forces that are no rows (framework/force_items.hpp). Where there are any, or where the whole geometric stiffness
// of joints is asked for, H has blocks off its diagonal.
//
// With the whole geometric stiffness J du is not the change of the rows either: a rotation is no sum of its steps. The
// unknown of Newton's system then is the motion T du, with T = ∂(motion of the block over b)/∂u (eq. G3), and
// H = M T⁻¹ + K; `turn` is T, and without a size where it is 1. Rows that are velocities (friction of contacts) change
// by J T⁻¹ of the motion: then motion_jacobian stands for J in A J. [docs/theory.md, eq. G3]
//
// Where the Delassus operator W is given (a problem file), it need not be J M⁻¹ Jᵀ: then Jᵀ in g, in Newton's system
// and in consistent velocities is another matrix Rᵀ, `transpose`, with J M⁻¹ Rᵀ = W. J then has entries in the first
// slot of every item only. [docs/theory.md, "A given Delassus operator"]

#include "framework/communicator.hpp"
#include "framework/force_items.hpp"
#include "framework/islands.hpp"
#include "framework/row_traits.hpp"

namespace clarke {

struct SaddlePointSystem {
  MPI_Comm communicator = simulation_communicator();  // of what is made of this layout
  Pattern pattern;
  int blocks = 0;
  RowTraits traits;  // of all rows of this layout; dense_compliance only where it is symmetric
  Islands islands;
  ForceItems forces;                      // none in most layouts
  std::uint64_t layout_stamp = 0;         // changes when the pattern does
  std::uint64_t linearisation_stamp = 0;  // changes with every linearise()

  // per velocity block
  Buffer<Mat3> mass{"M"}, mass_inverse{"M^-1"};  // [kg, kg m²] at q⁻
  Buffer<Mat3> hessian{"H"};                     // M plus geometric stiffness; with forces the diagonal blocks of H
  Buffer<Mat3> turn{"turn"};                     // T; see above
  Buffer<Vec3> motion_jacobian{"J_motion"};      // of rows along the motion; sized where that is not J
  Buffer<Vec3> turned{"turned"};                 // T du of a product
  Buffer<Vec3> u_tilde{"u_tilde"};               // ũ = u⁻ + h M⁻¹ f
  Buffer<Vec3> momentum_residual{"g"};

  // per value, row, item square
  Buffer<Vec3> jacobian{"J"};
  Buffer<Vec3> transpose{"J_T"};  // R, sized only with separate_transpose
  Buffer<double> residual{"F"};
  Buffer<double> a{"a"}, b{"b"};
  Buffer<double> A{"A"}, B{"B"};             // sized when !symmetric; B also with dense compliance, then zero at first
  Buffer<double> slip_frame{"slip_frame"};   // per item: cos, sin
  Buffer<int> safeguard{"safeguard"};        // per item of a law with a safeguard: 1 where it acted
  Buffer<double> delassus_diagonal{"W_rr"};  // [J M⁻¹ Jᵀ]_rr at the start of the step [1/kg]
  // fixed scaling of F's rows to √J, so that 2-norms make sense
  Buffer<double> momentum_scale{"scale_u"};  // per block: (tr M / 3)^(-1/2)
  Buffer<double> row_scale{"scale_h"};       // per row: W_rr^(-1/2)

  /// Sizes everything for a pattern; contents undefined.
  void resize(const Pattern& new_pattern, int velocity_blocks, const RowTraits& rows);
  /// R: whatever stands for Jᵀ where impulses act on velocities.
  const View<Vec3>& right() const { return traits.separate_transpose ? transpose.view() : jacobian.view(); }
  /// What A is multiplied by: J, or the motion's.
  const View<Vec3>& left() const {
    return motion_jacobian.view().extent(0) > 0 ? motion_jacobian.view() : jacobian.view();
  }
  /// H may have blocks off its diagonal, forces.off: it has no explicit inverse.
  bool sparse_hessian() const { return forces.tangents > 0; }
  /// There are forces that are no rows.
  bool has_forces() const { return forces.items > 0; }
  /// Diagonal blocks of H without geometric stiffness.
  const View<Mat3>& plain_hessian() const { return sparse_hessian() ? forces.diagonal : mass.view(); }
  int velocity_size() const { return 3 * blocks; }
  int size() const { return 3 * blocks + pattern.rows; }
};

/// The part of J one contributor may write, and where it starts.
struct JacobianSlice {
  int first_item = 0, items = 0, first_row = 0, rows = 0;
  Pattern pattern;      // whole; item i of the contributor is first_item + i
  View<Vec3> jacobian;  // whole values array; a contributor's values start at item_value(first_item)
};

/// The part of the system one contributor may write.
struct SystemSlice : JacobianSlice {
  View<Vec3> right;  // R, likewise: to be filled by contributors with a transpose of their own, else J itself
  View<double> residual, a, b;     // own rows
  View<double> A, B;               // all items' squares: A empty when symmetric, B unless dense_b()
  View<double> slip_frame;         // own items, 2 each
  View<int> safeguard;             // own items
  View<double> delassus_diagonal;  // own rows
  View<Mat3> mass_inverse;         // whole, per velocity block; to read
  // Of items without rows: whole arrays, as in ForceItems.
  View<int> item_tangent;
  View<Vec3> force;
  View<Mat3> tangent;
};

SystemSlice slice_of(const SaddlePointSystem& system, int first_item, int items, int first_row, int rows);

/// W_rr = Σ_j value·M_block⁻¹·value of every row, from the present J (and R).
void compute_delassus_diagonal(SaddlePointSystem& system);
/// The same with another matrix per block than M⁻¹.
void compute_delassus_diagonal(const SaddlePointSystem& system, const View<Mat3>& inverse, const View<double>& out);
/// The fixed scaling of F for this step, from M and W_rr.
void compute_scaling(SaddlePointSystem& system);
/// g = M (u − ũ) − Jᵀ Λ + f with the present J and f.
void compute_momentum(SaddlePointSystem& system, const View<Vec3>& u, const View<double>& impulse);

}  // namespace clarke
