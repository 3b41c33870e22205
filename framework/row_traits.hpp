#pragma once
// What the linear algebra must know of rows, whatever kind they are. Traits of several contributors compose: a system
// is symmetric where all of its rows are, and has dense blocks where any of them has.

namespace clarke {

struct RowTraits {
  bool symmetric = true;            // A and B are diagonal in the slip frame (laws), or A = 1 with a symmetric B
  bool dense_compliance = false;    // items with a dense compliance: a = 1, b the diagonal of B
  bool separate_transpose = false;  // R, not J, stands where impulses act on velocities
  bool symmetric_delassus = true;   // J M⁻¹ Rᵀ is symmetric; so wherever R is J
  bool symmetric_hessian = true;    // H is symmetric; not with the whole geometric stiffness or with smooth friction

  /// Of a system that has rows of both.
  RowTraits operator&(const RowTraits& other) const {
    return {symmetric && other.symmetric, dense_compliance || other.dense_compliance,
            separate_transpose || other.separate_transpose, symmetric_delassus && other.symmetric_delassus,
            symmetric_hessian && other.symmetric_hessian};
  }
  /// Items have blocks B beside b.
  bool dense_b() const { return !symmetric || dense_compliance; }
};

}  // namespace clarke
