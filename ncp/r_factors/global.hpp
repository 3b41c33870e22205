#pragma once
// One r for all contact rows: the largest eigenvalue of their W = J M⁻¹ Jᵀ + γ at q⁻, by power iteration
// [Erleben 2017, global strategies; docs/theory.md, R1].
//
//   x⁰ fixed;   repeat N times   y = W x,   r = x·y/x·x,   x = y/|y|         N = -r_factor_power_iterations
//
// r approaches the largest eigenvalue from below (Rayleigh quotient of a symmetric positive semidefinite matrix). N is
// fixed and the start is a fixed vector, so the result repeats bit for bit. Computed only when this factor is chosen: N
// products with J and Jᵀ per step.
// Only contact rows take part: all are translational, so W has one unit, 1/kg. Rows of joints may be angular; each of
// them has the Delassus diagonal of its own row as its factor (theory.md, B4), whatever -r_factor is.
// Limit: one number for light and heavy bodies alike; with large mass ratios it is far too large for the heavy ones.

#include "ncp/r_factors/r_factor.hpp"

namespace clarke {

struct GlobalOptions {
  int iterations = 20;
  void describe(OptionVisitor& v) {
    v.integer("r_factor_power_iterations", iterations,
              {"1", "r-factor global: products with J M⁻¹ Jᵀ in every step", 1});
  }
};

class Global final : public RFactor {
 public:
  static constexpr const char* kName = "global";
  /// Reads its options from the database.
  Global() { read_options(options_); }
  void evaluate(const RowSet& rows, double h) override;
  void describe(OptionVisitor& visitor) override { options_.describe(visitor); }
  /// Rayleigh quotient after the given number of products. (Public: device lambdas may not live in private members.)
  double largest_eigenvalue(const RowSet& rows, int iterations);

 private:
  GlobalOptions options_;
  Buffer<double> x_{"power_x"}, y_{"power_y"};
  Buffer<Vec3> f_{"power_f"};
  SumScratch<3> scratch_;
};

}  // namespace clarke
