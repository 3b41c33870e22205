#pragma once
// The weighted sum of points is held at zero: two points coincide, a point inside an element follows a body, three
// points stay straight [docs/theory.md, eq. C20].
//
//   c = Σ_f w_f (x_f + R_f p_f)  [m]          J = [w_f 1, −w_f [R_f p_f]×] per frame; three rows
//
// Where Σ w_f = 0 moving everything changes nothing, and the forces of the item sum to zero; where the points of both
// sides coincide, so do their torques. Frames that an item does not use are the world with weight 0.

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

template <int n>
struct MultiPointConstraint {
  static constexpr int kRows = 3, kFrames = n;
  static constexpr bool kNeedsOrientation = false;
  static constexpr const char* kName = "attachment";
  static constexpr const char* kSummary = "a weighted sum of points is zero; three rows";

  Vec3 anchor[n]{};    // p [m] frame of the body; 0 for a particle
  double weight[n]{};  // w

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[kFrames], T (&c)[kRows],
                                       Vec3T<T> (&J)[kRows][2 * kFrames]) const {
    for (int k = 0; k < kRows; ++k) c[k] = T(0);
    for (int f = 0; f < n; ++f) {
      const Vec3T<T> r = rotate(pose[f].q, lift<T>(anchor[f]));
      for (int k = 0; k < kRows; ++k) {
        const Vec3T<T> e = unit_vector<T>(k);
        c[k] += T(weight[f]) * (pose[f].x[k] + r[k]);
        J[k][2 * f] = T(weight[f]) * e;
        J[k][2 * f + 1] = T(weight[f]) * cross(r, e);
      }
    }
  }
};

}  // namespace clarke
