#pragma once
// When has a model come to rest? When its kinetic energy has stayed below a bound for a while: a body that turns round
// at the top of its path stands still too, but not for long.
//
// `energy` [J] bound, `duration` [s] for how long; what a prescribed body carries is not counted. Limit: a model that
// creeps with less than the bound counts as resting.

#include "framework/state_archive.hpp"

#include <cmath>
#include <optional>

namespace clarke {

class RestWatch {
 public:
  RestWatch(double energy, double duration) : energy_(energy), duration_(duration) {}

  /// To be called after every step, with the time at its end [s] and the kinetic energy [J].
  void observe(double time, double kinetic_energy) {
    time_ = time;
    if (!(kinetic_energy < energy_)) {
      since_.reset();
    } else if (!since_) {
      since_ = time;
    }
  }
  /// Below the bound at the end of every step of the last `duration` seconds.
  bool at_rest() const {
    constexpr double kRounding = 1e-9;  // of times that are multiples of the step
    return since_ && time_ - *since_ >= duration_ - kRounding * std::fmax(1.0, time_);
  }
  void carry_over(StateArchive& archive) {
    bool resting = since_.has_value();
    double since = since_.value_or(0);
    archive.real("time", time_);
    archive.flag("resting", resting);
    archive.real("since", since);
    if (resting) since_ = since;
  }
  /// [s] end of the first step of those; empty while the energy is above the bound.
  std::optional<double> since() const { return since_; }

 private:
  double energy_, duration_;
  double time_ = 0;
  std::optional<double> since_;
};

}  // namespace clarke
