#pragma once
// Natural maps of contacts and rows as one number, in variables of equal units [docs/theory.md, eq. V9].
//
//   Λ' = Λ/s,  v' = s v,  q' = s q     s = w^(−1/2), w = tr W_ii/3 of a contact, W_rr of a row: all in √J
//   F'                                 natural map with ρ = w, over s: also √J; s⁻¹ F' in m/s
//   scaled    ‖F'‖ / max(‖q'‖, ‖Λ'‖, ‖v'‖)
//   growth    ‖Λ'‖/‖q'‖
//   hidden    ε ‖Λ'‖/‖q'‖, ε of double precision: what rounding of Λ' − v' takes away
//   strict    the larger of ‖F'‖/‖q'‖ and max s⁻¹|F'| / max|q|; hidden, where more than kVisible is: impulses so large
//             that v is gone beside them leave F' = 0 and are no solution
//
// The momentum residual g is part of F', by g·M⁻¹g and |M⁻¹g|.
// q: v where all impulses are zero. Where a denominator is zero the numerator is given.

#include "framework/accumulate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clarke {

class RelativeResiduals {
 public:
  /// Share of q that may be lost by rounding: below, residuals say what they seem to.
  static constexpr double kVisible = 1e-4;

  /// One contact or row: lengths of F in m/s, of q, Λ and v, and w.
  KOKKOS_INLINE_FUNCTION void add(double map, double free, double impulse, double velocity, double w) {
    const double s2 = 1 / w;
    map_ += s2 * map * map, free_ += s2 * free * free, velocity_ += s2 * velocity * velocity;
    impulse_ += w * impulse * impulse;
    worst_map_.add(map, 0);
    largest_free_ = std::fmax(largest_free_, free);
  }
  /// Of one velocity block whose momentum does not balance: g·M⁻¹g [J] and |M⁻¹g|. None where u is that of Λ.
  KOKKOS_INLINE_FUNCTION void add_momentum(double squares, double velocity) {
    map_ += squares;
    worst_map_.add(velocity, 0);
  }
  KOKKOS_INLINE_FUNCTION void merge(const RelativeResiduals& other) {
    map_ += other.map_, free_ += other.free_, impulse_ += other.impulse_, velocity_ += other.velocity_;
    worst_map_.merge(other.worst_map_);
    largest_free_ = std::fmax(largest_free_, other.largest_free_);
  }
  double scaled() const { return over(std::sqrt(map_), std::sqrt(std::max({free_, impulse_, velocity_}))); }
  double growth() const { return over(std::sqrt(impulse_), std::sqrt(free_)); }
  double strict() const {
    const double energy = over(std::sqrt(map_), std::sqrt(free_)), worst = over(worst_map_.value, largest_free_);
    const double seen = !(worst <= energy) ? worst : energy;
    return hidden() > kVisible && seen < hidden() ? hidden() : seen;
  }
  /// 0 where nothing asks for impulses: then the natural map says all.
  double hidden() const { return free_ > 0 ? std::numeric_limits<double>::epsilon() * growth() : 0; }

 private:
  static double over(double a, double b) { return b > 0 ? a / b : a; }
  double map_ = 0, free_ = 0, impulse_ = 0, velocity_ = 0;  // sums of squares [J]
  Worst worst_map_;                                         // [m/s or rad/s]
  double largest_free_ = 0;
};

}  // namespace clarke
