#include "framework/system.hpp"

#include <cmath>

namespace clarke {

void SaddlePointSystem::resize(const Pattern& new_pattern, int velocity_blocks, const RowTraits& rows) {
  pattern = new_pattern;
  blocks = velocity_blocks;
  traits = rows;
  traits.dense_compliance = rows.symmetric && rows.dense_compliance;
  ++layout_stamp;
  for (auto* m : {&mass, &mass_inverse, &hessian}) m->resize(blocks);
  for (auto* v : {&u_tilde, &momentum_residual}) v->resize(blocks);
  momentum_scale.resize(blocks);
  jacobian.resize(pattern.values);
  transpose.resize(traits.separate_transpose ? pattern.values : 0);
  for (auto* r : {&residual, &a, &b, &delassus_diagonal, &row_scale}) r->resize(pattern.rows);
  A.resize(traits.symmetric ? 0 : pattern.squares);
  B.resize(traits.dense_b() ? pattern.squares : 0);
  if (traits.dense_compliance) fill(B.view(), 0.0);
  slip_frame.resize(2 * pattern.items);
  safeguard.resize(pattern.items);
}

SystemSlice slice_of(const SaddlePointSystem& s, int first_item, int items, int first_row, int rows) {
  SystemSlice out;
  out.first_item = first_item;
  out.items = items;
  out.first_row = first_row;
  out.rows = rows;
  out.pattern = s.pattern;
  out.jacobian = s.jacobian;
  out.right = s.right();
  const auto own_rows = Kokkos::make_pair(first_row, first_row + rows);
  const auto own_items = Kokkos::make_pair(first_item, first_item + items);
  const auto own_turns = Kokkos::make_pair(2 * first_item, 2 * (first_item + items));
  out.residual = Kokkos::subview(s.residual.view(), own_rows);
  out.a = Kokkos::subview(s.a.view(), own_rows);
  out.b = Kokkos::subview(s.b.view(), own_rows);
  out.delassus_diagonal = Kokkos::subview(s.delassus_diagonal.view(), own_rows);
  out.slip_frame = Kokkos::subview(s.slip_frame.view(), own_turns);
  out.safeguard = Kokkos::subview(s.safeguard.view(), own_items);
  out.mass_inverse = s.mass_inverse.view();
  out.item_tangent = s.forces.item_tangent;
  out.force = s.forces.force;
  out.tangent = s.forces.tangent;
  if (!s.traits.symmetric) out.A = s.A.view();
  if (s.traits.dense_b()) out.B = s.B.view();
  return out;
}

void compute_delassus_diagonal(SaddlePointSystem& s) {
  compute_delassus_diagonal(s, s.mass_inverse, s.delassus_diagonal);
}

void compute_delassus_diagonal(const SaddlePointSystem& s, const View<Mat3>& inverse, const View<double>& diagonal) {
  const Pattern& p = s.pattern;
  const View<Vec3> values = s.jacobian, right = s.right();
  const View<Mat3> inverse_mass = inverse;
  const View<double> w = diagonal;
  parallel_for(
      "delassus_diagonal", p.items,
      KOKKOS_LAMBDA(int i) {
        const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0;
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, v0 = p.item_value(i);
        for (int r = 0; r < m; ++r) {
          double sum = 0;
          for (int j = 0; j < k; ++j) {
            const int v = v0 + r * k + j;
            sum += dot(values(v), inverse_mass(p.slot_block(s0 + j)) * right(v));
          }
          w(row + r) = sum;
        }
      },
      32);
}

void compute_scaling(SaddlePointSystem& s) {
  const View<Mat3> mass = s.mass;
  const View<double> w = s.delassus_diagonal, su = s.momentum_scale, sh = s.row_scale;
  parallel_for(
      "momentum_scale", s.blocks, KOKKOS_LAMBDA(int b) { su(b) = 1 / std::sqrt(trace(mass(b)) / 3); });
  parallel_for(
      "row_scale", s.pattern.rows, KOKKOS_LAMBDA(int r) { sh(r) = w(r) > 0 ? 1 / std::sqrt(w(r)) : 1.0; });
}

void compute_momentum(SaddlePointSystem& s, const View<Vec3>& u, const View<double>& impulse) {
  const Pattern& p = s.pattern;
  const View<Vec3> values = s.right(), g = s.momentum_residual, u_tilde = s.u_tilde;
  const View<Mat3> mass = s.mass;
  const View<Vec3> force = s.forces.force;
  const bool forces = s.has_forces();
  parallel_for(
      "momentum_residual", s.blocks,
      KOKKOS_LAMBDA(int b) {
        g(b) = mass(b) * (u(b) - u_tilde(b)) - block_gather(p, values, impulse, b);
        if (forces) g(b) += force_gather(p, force, b);
      },
      24);
}

}  // namespace clarke
