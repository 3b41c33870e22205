#include "ncp/contact_laws/decoupled.hpp"

namespace clarke {

void DecoupledLawOptions::describe(OptionVisitor& v) {
  ncp.describe(v);
  v.choice("friction_map", friction_map, friction_map_registry().names(), {"", "how Coulomb friction becomes rows"});
  v.choice("r_factor", r_factor, r_factor_registry().names(), {"", "weight between multipliers and constraints"});
  v.real("fixed_point_denominator_min", denominator_min,
         {"1", "fixed_point: least denominator of W as a fraction of the friction radius", 0.0, 1.0});
}

DecoupledLaw::DecoupledLaw() {
  read_options(options_);
  ncp_ = ncp_function_registry().create(options_.ncp.ncp_function);
  map_ = friction_map_registry().create(options_.friction_map);
  r_factor_ = r_factor_registry().create(options_.r_factor);
}

void DecoupledLaw::compute_r_factors(const RowSet& rows, double h) { r_factor_->evaluate(rows, h); }

void DecoupledLaw::evaluate(const RowSet& rows, bool linearise) {
  const RowSet& c = rows;
  const int n = c.items;
  const View<double> a = a_.resize(n), b = b_.resize(n), value = value_.resize(n), da = da_.resize(n),
                     db = db_.resize(n);
  const NcpCorner corner = corner_of(options_.ncp);
  const double slope_min = options_.ncp.slope_min;

  parallel_for(
      "ncp_normal_arguments", n,
      KOKKOS_LAMBDA(int i) {
        a(i) = c.velocity(3 * i);
        b(i) = c.r_normal(i) * c.impulse(3 * i);
      },
      2);
  ncp_->evaluate(n, corner, a, b, value, da, db);
  parallel_for(
      "ncp_normal_rows", n,
      KOKKOS_LAMBDA(int i) {
        c.out.residual(3 * i) = value(i);
        if (!linearise) return;
        c.out.a(3 * i) = da(i) < slope_min ? 0.0 : da(i);
        c.out.b(3 * i) = c.r_normal(i) * db(i);
      },
      4);

  if (map_->needs_ncp()) {
    parallel_for(
        "ncp_friction_arguments", n,
        KOKKOS_LAMBDA(int i) {
          const double normal = c.impulse(3 * i);
          const double radius = c.friction(i) * (normal > 0 ? normal : 0.0);
          a(i) = hypotenuse(c.velocity(3 * i + 1), c.velocity(3 * i + 2));
          b(i) = c.r_friction(i) * (radius - hypotenuse(c.impulse(3 * i + 1), c.impulse(3 * i + 2)));
        },
        6);
    ncp_->evaluate(n, corner, a, b, value, da, db);
  }
  map_->evaluate(c, value, options_.denominator_min, linearise);
}

}  // namespace clarke
