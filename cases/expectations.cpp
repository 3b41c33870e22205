#include "cases/expectations.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <stdexcept>

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

std::vector<ThingSample> samples_of(const Frame& frame) {
  std::vector<ThingSample> samples;
  for (const FrameBody& body : frame.bodies)
    samples.push_back(
        {body.position, body.velocity, body.angular_velocity, body.orientation, {}, 0});
  for (const FrameParticle& particle : frame.particles)
    samples.push_back({particle.position, particle.velocity, {}, {}, {}, 0});
  for (const FrameContact& contact : frame.contacts) {
    const Vec3 force = contact.normal_force + contact.friction_force;
    const double magnitude = norm(contact.normal_force);
    ThingSample& a = samples.at(static_cast<std::size_t>(contact.body_a));
    ThingSample& b = samples.at(static_cast<std::size_t>(contact.body_b));
    a.contact_force += force;
    b.contact_force -= force;
    a.normal_force += magnitude;
    b.normal_force += magnitude;
  }
  return samples;
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
  std::string text =
      quantity + (of.empty() ? "" : " of " + of) + " " + when_text(*this) + ": expected ";
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

std::string ExpectationResult::text() const {
  const std::string verdict = held ? "held" : "FAILED";
  if (!evaluated) return verdict + ": " + expectation.text() + ", the run did not get there";
  return verdict + ": " + expectation.text() + ", got " + format_real(value) + " at " +
         format_real(time) + " s";
}

nlohmann::json expectation_record(const std::vector<ExpectationResult>& results) {
  nlohmann::json list = nlohmann::json::array();
  for (const ExpectationResult& result : results) {
    const Expectation& e = result.expectation;
    nlohmann::json record = {
        {"quantity", e.quantity}, {"expected", e.text()}, {"held", result.held}};
    if (!e.of.empty()) record["of"] = e.of;
    record["value"] =
        result.evaluated && std::isfinite(result.value) ? nlohmann::json(result.value) : nullptr;
    record["time"] = result.evaluated ? nlohmann::json(result.time) : nullptr;
    list.push_back(record);
  }
  return list;
}

ExpectationTracker::ExpectationTracker(std::vector<Expectation> expectations, const World& world) {
  for (Expectation& expectation : expectations) {
    const Quantity* quantity = find_quantity(expectation.quantity);
    if (!quantity)
      throw InputError("expectation: unknown quantity '" + expectation.quantity + "'" +
                       suggestion(expectation.quantity, quantity_names()));
    Track track;
    track.expectation = std::move(expectation);
    track.quantity = quantity;
    tracks_.push_back(track);
  }
  for (const BodyDescription& body : world.bodies) {
    if (body.motion == Motion::dynamic) movable_.push_back(body.name);
  }
  for (const ParticleDescription& particle : world.particles) {
    if (!particle.fixed) movable_.push_back(particle.name);
  }
}

bool ExpectationTracker::needs_frames() const {
  for (const Track& track : tracks_) {
    if (track.quantity->of_thing) return true;
  }
  return false;
}

void ExpectationTracker::start(const Frame& initial) {
  index_.clear();
  for (const FrameBody& body : initial.bodies) index_.emplace(body.name, index_.size());
  for (const FrameParticle& particle : initial.particles)
    index_.emplace(particle.name, index_.size());
  for (const Track& track : tracks_) {
    const std::string& of = track.expectation.of;
    if (!of.empty() && !index_.count(of))
      throw std::logic_error("expectation: no '" + of + "' in the frame");
  }
  start_ = samples_of(initial);
  last_time_ = initial.time;
}

double ExpectationTracker::value_of(const Track& track, const StepReport& report,
                                    const std::vector<ThingSample>& now) const {
  const Quantity& quantity = *track.quantity;
  if (quantity.of_run) return quantity.of_run(report);
  const auto of_thing = [&](const std::string& name) {
    const std::size_t i = index_.at(name);
    return quantity.of_thing(now.at(i), start_.at(i));
  };
  if (!track.expectation.of.empty()) return of_thing(track.expectation.of);
  double largest = 0;
  for (const std::string& name : movable_) {
    const double value = of_thing(name);
    if (!(value <= largest)) largest = value;
    if (std::isnan(value)) return value;
  }
  return largest;
}

void ExpectationTracker::observe(const StepReport& report, const Frame& frame) {
  const std::vector<ThingSample> now =
      needs_frames() ? samples_of(frame) : std::vector<ThingSample>();
  last_step_ = report.time - last_time_;
  last_time_ = report.time;
  for (Track& track : tracks_) {
    const double value = value_of(track, report, now);
    if (track.seen && !replaces(track.expectation, value, report.time, track.value, track.time))
      continue;
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

}  // namespace clarke
