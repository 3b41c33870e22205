#include "ncp/joint_laws/mixed_complementarity.hpp"

#include <limits>

namespace clarke {

MixedComplementarity::MixedComplementarity() {
  read_options(options_);
  ncp_ = ncp_function_registry().create(options_.ncp_function);
}

void MixedComplementarity::evaluate(const JointRows& rows, bool linearise) {
  const JointRows c = rows;
  const int n = c.count;
  const View<double> a = a_.resize(n), b = b_.resize(n), value = value_.resize(n),
                     da = da_.resize(n), db = db_.resize(n), inner_da = inner_da_.resize(n),
                     inner_db = inner_db_.resize(n);
  const NcpCorner corner = corner_of(options_);
  const double slope_min = options_.slope_min;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  // Rows without the bound in question pass harmless arguments; what comes of them is not used.
  parallel_for(
      "joint_law_upper", n,
      KOKKOS_LAMBDA(int i) {
        const double r = c.out.effective_mass(i) + c.compliance(i);
        a(i) = -c.velocity(i);
        b(i) = c.upper(i) < kInf ? r * (c.upper(i) - c.impulse(i)) : 1;
      },
      4);
  ncp_->evaluate(n, corner, a, b, value, inner_da, inner_db);
  parallel_for(
      "joint_law_lower", n,
      KOKKOS_LAMBDA(int i) {
        const double r = c.out.effective_mass(i) + c.compliance(i);
        const bool upper = c.upper(i) < kInf;
        a(i) = upper ? -value(i) : c.velocity(i);
        if (!upper) inner_da(i) = 1, inner_db(i) = 0;
        b(i) = c.lower(i) > -kInf ? r * (c.impulse(i) - c.lower(i)) : 1;
      },
      4);
  ncp_->evaluate(n, corner, a, b, value, da, db);
  parallel_for(
      "joint_law_rows", n,
      KOKKOS_LAMBDA(int i) {
        const bool lower = c.lower(i) > -kInf;
        if (!lower && !(c.upper(i) < kInf)) return;
        const double r = c.out.effective_mass(i) + c.compliance(i);
        const double outer_a = lower ? da(i) : 1, outer_b = lower ? db(i) : 0;
        c.out.residual(i) = lower ? value(i) : a(i);
        if (!linearise) return;
        const double slope = outer_a * inner_da(i);
        c.out.a(i) = slope < slope_min ? 0 : slope;
        c.out.b(i) = r * (outer_b + outer_a * inner_db(i)) + slope * c.compliance(i);
      },
      8);
}

}  // namespace clarke
