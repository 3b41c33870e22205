#pragma once
// Quantities that a scene wants recorded in every step, one column each in sensors.csv.

#include "measure/probe.hpp"

#include <string>
#include <vector>

namespace clarke {

struct Sensor {
  std::string name;  // of its column
  Query query;
};

/// Follows a run: start() with the initial frame, then values() after every step, in the order of the scene.
class Sensors {
 public:
  Sensors(const std::vector<Sensor>& sensors, const World& world);

  std::vector<std::string> names() const { return names_; }
  bool empty() const { return names_.empty(); }
  /// Whether values() needs a frame at all.
  bool needs_frames() const;
  void start(const Frame& initial) { probe_.start(initial, queries_); }
  std::vector<double> values(const StepReport& report, const Frame& frame) const;

 private:
  std::vector<std::string> names_;
  std::vector<Query> queries_;
  Probe probe_;
};

}  // namespace clarke
