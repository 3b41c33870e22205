#include "measure/sensors.hpp"

#include <algorithm>

namespace clarke {

Sensors::Sensors(const std::vector<Sensor>& sensors, const World& world) : probe_(world) {
  for (const Sensor& sensor : sensors) {
    names_.push_back(sensor.name);
    queries_.push_back(sensor.query);
  }
}

bool Sensors::needs_frames() const {
  return std::any_of(queries_.begin(), queries_.end(), [](const Query& query) { return !query.found().of_run; });
}

std::vector<double> Sensors::values(const StepReport& report, const Frame& frame) const {
  const Moment now(report, frame);
  std::vector<double> values;
  for (const Query& query : queries_) values.push_back(probe_.value(query, now));
  return values;
}

}  // namespace clarke
