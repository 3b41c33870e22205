#pragma once
// A form of the reduced system (reduced_system.hpp, eq. L1): an operator together with the way a right-hand side enters
// it and the impulses come out. Forms: schur, saddle, stiffness.

#include "linear/operators/linear_operator.hpp"
#include "linear/operators/matrix_entries.hpp"
#include "linear/reduced_system.hpp"

#include <memory>
#include <vector>

namespace clarke {

class Form : public LinearOperator {
 public:
  explicit Form(const ReducedSystem& reduced) : reduced_(reduced) {}
  bool symmetric() const override { return reduced_.shared_rows() && reduced_.symmetric_hessian(); }

  /// Forgets what earlier steps have shown: a step begins the same after a restart.
  virtual void begin_step() {}
  /// After every reduce(): whatever the operator derives from the reduced system. Returns "" or why the form cannot be
  /// used.
  virtual std::string update() { return ""; }
  /// The unknowns are the velocities: with σ = 0, b is r_u and y_u is z.
  virtual bool only_velocities() const { return false; }
  /// b of the form's system from r_u (with known impulses) and σ.
  virtual void right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const = 0;
  /// y' (turned impulses) and y_u from the form's solution z.
  virtual void solution(const View<double>& z, const View<Vec3>& r_u, const View<double>& sigma,
                        const View<double>& y_turned, const View<Vec3>& y_u) const = 0;
  /// Coordinates of the assembled matrix, duplicates allowed (they add); host, once per layout.
  virtual void coordinates(std::vector<int>& rows, std::vector<int>& columns) const = 0;
  /// They are those of 3 × 3 blocks, with nine values each, row after row. May change with update(), as size() may.
  virtual bool in_blocks() const { return false; }
  /// A number that changes when coordinates() does within a layout.
  virtual int entries() const { return 0; }
  /// Values in the order of coordinates(); host.
  virtual void values(MatrixEntries& out) const = 0;
  /// Rows this form would need to keep while it must not (stiffness form with rigid rows): makes it indefinite.
  virtual int kept_rows() const { return 0; }

 protected:
  const ReducedSystem& reduced_;
};

class HessianSolver;

/// "schur", "saddle" or "stiffness". `hessian`, which outlives the form, is for the Schur form of a block-sparse H, and
/// `exact_diagonal` (-system_schur_diagonal) as well.
std::unique_ptr<Form> create_form(const std::string& name, const ReducedSystem& reduced,
                                  HessianSolver* hessian = nullptr, bool exact_diagonal = false);

// Pieces the forms share.

/// (J_L D J_Rᵀ + C)_rr of row r of item i, D the blocks given in place of H⁻¹.
KOKKOS_INLINE_FUNCTION double schur_diagonal(const Pattern& p, const View<Vec3>& L, const View<Vec3>& R,
                                             const View<Mat3>& D, const View<double>& C, int i, int r) {
  const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0, v0 = p.item_value(i);
  double sum = C(p.item_row(i) + r);
  for (int j = 0; j < k; ++j) sum += dot(L(v0 + r * k + j), D(p.slot_block(s0 + j)) * R(v0 + r * k + j));
  return sum;
}

/// The entries of x from scalar `first` on: the rows behind the velocities.
inline View<double> tail(const View<double>& x, int first) {
  return Kokkos::subview(x, Kokkos::make_pair(first, static_cast<int>(x.extent(0))));
}

/// add(row, column) of the 3 × 3 blocks of H, diagonal ones first.
template <class Add>
void add_hessian_blocks(const ReducedSystem& reduced, const Add& add) {
  for (int b = 0; b < reduced.blocks(); ++b) add(b, b);
  const OffDiagonal& off = reduced.off_diagonal();
  if (off.entries == 0) return;
  const auto first = host_copy(off.first), column = host_copy(off.column);
  for (int b = 0; b < reduced.blocks(); ++b)
    for (int e = first(b); e < first(b + 1); ++e) add(b, column(e));
}
/// The same as scalar coordinates.
void add_hessian_coordinates(const ReducedSystem& reduced, std::vector<int>& rows, std::vector<int>& columns);

/// add(block) of the same.
template <class Add>
void add_hessian_values(const ReducedSystem& reduced, const Add& add) {
  const auto H = host_copy(reduced.hessian());
  for (int b = 0; b < reduced.blocks(); ++b) add(H(b));
  const OffDiagonal& off = reduced.off_diagonal();
  if (off.entries == 0) return;
  const auto value = host_copy(off.value);
  for (int e = 0; e < off.entries; ++e) add(value(e));
}

/// Coordinates of one item's couplings J_Rᵀ and J_L in a matrix over (velocities, rows): for every row, slot and
/// direction the entry above the diagonal, then the one below.
template <class HostPattern>
void add_coupling_coordinates(const HostPattern& p, int item, int velocities, std::vector<int>& rows,
                              std::vector<int>& columns) {
  for (int row = velocities + p.item_row(item); row < velocities + p.item_row(item + 1); ++row)
    for (int s = p.item_slot(item); s < p.item_slot(item + 1); ++s)
      for (int d = 0; d < 3; ++d) {
        rows.insert(rows.end(), {3 * p.slot_block(s) + d, row});
        columns.insert(columns.end(), {row, 3 * p.slot_block(s) + d});
      }
}

/// (C x)_row or (Cᵀ x)_row of one item's row r.
KOKKOS_INLINE_FUNCTION double compliance_product(const Pattern& p, bool only_diagonal, bool transposed,
                                                 const View<double>& diagonal, const View<double>& block,
                                                 const View<double>& x, int x0, int item, int r) {
  const int row = p.item_row(item);
  if (only_diagonal) return diagonal(row + r) * x(x0 + row + r);
  const int m = p.item_row(item + 1) - row, q = p.item_square(item);
  double sum = 0;
  for (int e = 0; e < m; ++e) sum += block(transposed ? q + e * m + r : q + r * m + e) * x(x0 + row + e);
  return sum;
}

/// S_ii = J_L H⁻¹ J_Rᵀ + C of one item, row-major m × m.
KOKKOS_INLINE_FUNCTION void item_schur_block(const Pattern& p, bool only_diagonal, const View<Vec3>& L,
                                             const View<Vec3>& R, const View<Mat3>& Hinv, const View<double>& diagonal,
                                             const View<double>& block, int i, double* s) {
  const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0;
  const int row = p.item_row(i), m = p.item_row(i + 1) - row, v0 = p.item_value(i);
  for (int r = 0; r < m; ++r)
    for (int e = 0; e < m; ++e) {
      double sum = only_diagonal ? (r == e ? diagonal(row + r) : 0.0) : block(p.item_square(i) + r * m + e);
      for (int j = 0; j < k; ++j) sum += dot(L(v0 + r * k + j), Hinv(p.slot_block(s0 + j)) * R(v0 + e * k + j));
      s[r * m + e] = sum;
    }
}

}  // namespace clarke
