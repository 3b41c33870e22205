#include "assembly/step_observers.hpp"

namespace clarke {

TunnellingObserver::TunnellingObserver(TunnellingWatch watch, std::vector<std::string> names)
    : watch_(std::move(watch)), names_(std::move(names)) {}

void TunnellingObserver::end_step(const State& state, double h, StepReport& report) {
  const int count = watch_.end_step(state, h);
  if (count == 0) return;
  report.safeguards["tunnelling_warnings"] += count;
  const std::vector<int>& newly = watch_.newly();
  if (!watch_.first()) return;                  // where things fly, there is one in every other step
  const std::size_t others = newly.size() - 1;  // one line: a soft body has hundreds of nodes
  report.warnings.push_back(
      "warning: step " + std::to_string(report.step) + ": '" + names_[newly.front()] + "'" +
      (others > 0 ? " and " + std::to_string(others) + (others > 1 ? " others" : " other") : "") +
      " moved further than the contact margin foresaw and by more than half the thickness; they could "
      "have passed through something thin: smaller -time_step, or larger -contact_margin (said once in a run; "
      "tunnelling_warnings in summary.json counts all)");
}

void JointReadings::remember(const State& state) {
  if (readings_.empty()) return;
  to_host(state.x, poses_.x);
  to_host(state.orientation, poses_.q);
  for (JointReading& reading : readings_) reading.remember(poses_);
}

}  // namespace clarke
