#include "measure/expectations.hpp"

#include "framework/state_archive.hpp"
#include "framework/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace clarke {
namespace {

using When = Expectation::When;

std::string when_text(const Expectation& e) {
  switch (e.when) {
    case When::end:
      return "at end";
    case When::max:
      return "at max";
    case When::min:
      return "at min";
    case When::always:
      return "always";
    case When::time:
      break;
  }
  return "at " + format_real(e.time) + " s";
}

/// Once not a number, a maximum stays so.
bool replaces(const Expectation& e, double value, double time, double old_value, double old_time) {
  switch (e.when) {
    case When::max:
      return !std::isnan(old_value) && !(value <= old_value);
    case When::min:
      return !std::isnan(old_value) && !(value >= old_value);
    case When::always:  // the worst value, and while nothing is wrong the latest
      return e.excess(value) > e.excess(old_value) || e.excess(old_value) == 0;
    case When::time:
      return std::fabs(time - e.time) <= std::fabs(old_time - e.time);
    case When::end:
      break;
  }
  return true;
}

}  // namespace

std::string Expectation::text() const {
  std::string text = Query{quantity, of, with}.text() + " " + when_text(*this) + ": expected ";
  if (equals) return text + format_real(*equals) + " +- " + format_real(tolerance.value_or(0));
  if (min && max) return text + "in [" + format_real(*min) + ", " + format_real(*max) + "]";
  return text + (min ? "at least " + format_real(*min) : "at most " + format_real(max.value_or(0)));
}

double Expectation::excess(double value) const {
  if (std::isnan(value)) return std::numeric_limits<double>::infinity();
  double outside = 0;
  if (equals) outside = std::max(outside, std::fabs(value - *equals) - tolerance.value_or(0));
  if (min) outside = std::max(outside, *min - value);
  if (max) outside = std::max(outside, value - *max);
  return outside;
}

std::vector<Expectation> take_recorded(std::vector<Expectation>& expectations) {
  const auto first = std::stable_partition(expectations.begin(), expectations.end(),
                                           [](const Expectation& e) { return e.basis != "recorded"; });
  std::vector<Expectation> taken(first, expectations.end());
  expectations.erase(first, expectations.end());
  return taken;
}

std::string ExpectationResult::text() const {
  const std::string verdict = held ? "held" : "FAILED";
  if (!evaluated) return verdict + ": " + expectation.text() + ", the run did not get there";
  return verdict + ": " + expectation.text() + ", got " + format_real(value) + " at " + format_real(time) + " s";
}

nlohmann::json expectation_record(const std::vector<ExpectationResult>& results) {
  nlohmann::json list = nlohmann::json::array();
  for (const ExpectationResult& result : results) {
    const Expectation& e = result.expectation;
    nlohmann::json record = {{"quantity", e.quantity}, {"expected", e.text()}, {"held", result.held}};
    if (!e.of.empty()) record["of"] = e.of;
    if (!e.with.empty()) record["with"] = e.with;
    if (!e.name.empty()) record["name"] = e.name;
    if (!e.basis.empty()) record["basis"] = e.basis;
    record["value"] = result.evaluated && std::isfinite(result.value) ? nlohmann::json(result.value) : nullptr;
    record["time"] = result.evaluated ? nlohmann::json(result.time) : nullptr;
    list.push_back(record);
  }
  return list;
}

ExpectationTracker::ExpectationTracker(std::vector<Expectation> expectations, const World& world) : probe_(world) {
  for (Expectation& expectation : expectations) {
    Track track;
    track.query = {expectation.quantity, expectation.of, expectation.with};
    track.query.found();
    track.expectation = std::move(expectation);
    tracks_.push_back(track);
  }
}

bool ExpectationTracker::needs_frames() const {
  return std::any_of(tracks_.begin(), tracks_.end(), [](const Track& track) { return !track.query.found().of_run; });
}

void ExpectationTracker::start(const Frame& initial) {
  std::vector<Query> queries;
  for (const Track& track : tracks_) queries.push_back(track.query);
  probe_.start(initial, queries);
  last_time_ = initial.time;
}

void ExpectationTracker::observe(const StepReport& report, const Frame& frame) {
  const Moment now(report, frame);
  last_step_ = report.time - last_time_;
  last_time_ = report.time;
  for (Track& track : tracks_) {
    const double value = probe_.value(track.query, now);
    if (track.seen && !replaces(track.expectation, value, report.time, track.value, track.time)) continue;
    track.seen = true;
    track.value = value;
    track.time = report.time;
  }
}

/// A moment counts as reached when no later step could have ended nearer to it.
bool ExpectationTracker::is_reached(const Track& track) const {
  if (!track.seen) return false;
  const Expectation& e = track.expectation;
  return e.when != When::time || e.time <= last_time_ + 0.5 * last_step_ * (1 + 1e-9);
}

std::vector<ExpectationResult> ExpectationTracker::results() const {
  std::vector<ExpectationResult> results;
  for (const Track& track : tracks_) {
    ExpectationResult result;
    result.expectation = track.expectation;
    result.evaluated = is_reached(track);
    result.value = track.value;
    result.time = track.time;
    result.held = result.evaluated && track.expectation.excess(track.value) == 0;
    results.push_back(result);
  }
  return results;
}

void ExpectationTracker::carry_over(StateArchive& archive) {
  for (std::size_t i = 0; i < tracks_.size(); ++i)
    archive.group(std::to_string(i), [&] {
      archive.flag("seen", tracks_[i].seen);
      archive.real("value", tracks_[i].value);
      archive.real("time", tracks_[i].time);
    });
  archive.real("last_time", last_time_);
  archive.real("last_step", last_step_);
}

}  // namespace clarke
