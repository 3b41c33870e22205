#include "ncp/r_factors/global.hpp"

namespace clarke {

void Global::evaluate(const RowSet& rows, double) {
  const double r = largest_eigenvalue(rows, options_.iterations);
  fill(rows.r_normal, r);
  fill(rows.r_friction, r);
}

double Global::largest_eigenvalue(const RowSet& rows, int iterations) {
  const RowSet& c = rows;
  const Pattern& p = c.out.pattern;
  const View<Vec3> J = c.out.jacobian, R = c.out.right;
  const View<Mat3> inverse_mass = c.out.mass_inverse;
  const int n = c.out.rows, first = c.out.first_row, item = c.out.first_item;
  if (n == 0) return 0;
  const View<double> x = x_.resize(p.rows), y = y_.resize(n);
  const View<Vec3> f = f_.resize(p.blocks);
  fill(x, 0.0);
  parallel_for(
      "power_start", n, KOKKOS_LAMBDA(int r) {
        // No symmetry of a scene: different from contact to contact, equal along the two tangents.
        x(first + r) = (r % 3 == 0 ? 1.0 : 0.7) + 0.3 * ((r / 3 * 7919) % 101) / 101;
      });
  double rayleigh = 0;
  for (int k = 0; k < iterations; ++k) {
    parallel_for(
        "power_transpose", p.blocks, KOKKOS_LAMBDA(int b) { f(b) = inverse_mass(b) * block_gather(p, R, x, b); }, 24);
    parallel_for(
        "power_product", c.items,
        KOKKOS_LAMBDA(int i) {
          for (int r = 0; r < 3; ++r)
            y(3 * i + r) = row_product(p, J, f, item + i, r) + c.compliance(3 * i + r) * x(first + 3 * i + r);
        },
        30);
    double sum[3];
    deterministic_sum<3>(
        "power_norms", n,
        KOKKOS_LAMBDA(int r) {
          const double a = x(first + r), b = y(r);
          return Kokkos::Array<double, 3>{{a * b, b * b, a * a}};
        },
        scratch_, sum);
    rayleigh = sum[0] / sum[2];
    const double scale = 1 / std::sqrt(sum[1]);
    parallel_for(
        "power_next", n, KOKKOS_LAMBDA(int r) { x(first + r) = scale * y(r); });
  }
  return rayleigh;
}

}  // namespace clarke
