#include "framework/row_assembly.hpp"

#include "framework/contact_subproblem.hpp"

namespace clarke {

namespace {

/// B += A γ of all rows.
void add_compliance(const RowSet& rows) {
  const RowSet& c = rows;
  parallel_for(
      "contact_compliance", c.items,
      KOKKOS_LAMBDA(int i) {
        for (int r = 0; r < 3; ++r) c.out.b(3 * i + r) += c.out.a(3 * i + r) * c.compliance(3 * i + r);
        if (c.out.A.extent(0) == 0) return;
        const int q = c.out.pattern.item_square(c.out.first_item + i);
        for (int e = 0; e < 9; ++e) c.out.B(q + e) += c.out.A(q + e) * c.compliance(3 * i + e % 3);
      },
      20);
}

/// A and B of items whose rows are diagonal.
void write_diagonal_blocks(const RowSet& rows) {
  const SystemSlice& s = rows.out;
  const int m = rows.items > 0 ? rows.rows / rows.items : 0;
  parallel_for(
      "diagonal_blocks", rows.items,
      KOKKOS_LAMBDA(int i) {
        const int q = s.pattern.item_square(s.first_item + i);
        for (int e = 0; e < m * m; ++e) {
          const bool diagonal = e % (m + 1) == 0;
          s.A(q + e) = diagonal ? s.a(i * m + e / m) : 0;
          s.B(q + e) = diagonal ? s.b(i * m + e / m) : 0;
        }
      },
      64);
}

}  // namespace

void bind_rows(RowSet& rows, const StepPoint& point, const SystemSlice& slice) {
  rows.impulse = Kokkos::subview(point.impulse, Kokkos::make_pair(slice.first_row, slice.first_row + slice.rows));
  rows.out = slice;
}

void evaluate_cones(RowLaw& law, RowSet& rows, const StepPoint& point, bool compliant, bool linearise) {
  if (point.subproblem) apply_subproblem(rows, *point.subproblem);
  if (!point.with_laws) return;
  law.evaluate(rows, linearise);
  if (!linearise) return;
  if (point.subproblem) apply_subproblem_slopes(rows, *point.subproblem);
  if (compliant || point.subproblem) add_compliance(rows);
}

void evaluate_bounds(RowLaw* law, const RowSet& rows, const StepPoint& point, bool linearise) {
  if (!point.with_laws) return;
  if (rows.bounded) law->evaluate(rows, linearise);
  if (linearise && rows.out.A.extent(0) > 0) write_diagonal_blocks(rows);
}

void count_safeguard(const RowLaw& law, const RowSet& rows, std::map<std::string, long>& counts) {
  if (!law.safeguard()) return;
  const auto acted = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows.out.safeguard);
  for (int i = 0; i < rows.items; ++i)
    if (acted(i)) ++counts[law.safeguard()];
}

std::vector<double> softness(const RowSet& rows) {
  const auto gamma = host_copy(rows.compliance), near_rigid = host_copy(rows.near_rigid);
  std::vector<double> out(rows.rows, 0.0);  // of rows without γ, too
  for (std::size_t r = 0; r < gamma.extent(0); ++r) out[r] = gamma(r);
  for (std::size_t i = 0; i < near_rigid.extent(0); ++i)
    if (near_rigid(i) > 0) out[3 * i] = 0;
  return out;
}

void add_compliance_to_diagonal(RowSet& rows, const SystemSlice& slice, const View<double>& out) {
  const View<double> w = slice.delassus_diagonal, gamma = rows.compliance, sum = out;
  parallel_for(
      "compliant_delassus_diagonal", slice.rows, KOKKOS_LAMBDA(int r) { sum(r) = w(r) + gamma(r); });
  rows.out.delassus_diagonal = out;
}

}  // namespace clarke
