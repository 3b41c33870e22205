#pragma once
// Block Jacobi over items: the inverse of every item's Schur block S_ii = J_L H⁻¹ J_Rᵀ + C (m × m). Positive definite
// for symmetric laws. A block that is singular to rounding has its diagonal inverted instead.

#include "linear/operators/form.hpp"

namespace clarke {

class ItemBlockInverse {
 public:
  /// Factorises the blocks of the present linearisation, H by its diagonal blocks.
  void prepare(const ReducedSystem& reduced);
  /// Factorises given blocks, m × m of each item where the pattern has its squares.
  void prepare(const Pattern& pattern, const View<double>& blocks);
  /// y = S_ii⁻¹ x for the rows of x and y that start at scalar `first`.
  void apply(const Pattern& pattern, const View<double>& x, const View<double>& y, int first) const;

 private:
  Buffer<double> inverse_{"item_block_inverse"};
};

}  // namespace clarke
