#pragma once
// What must come out of a run, as a scene says it, and whether it did:
//
//   {quantity: position.z, of: b1, at: end, equals: 0.25, tolerance: 1e-6}
//
// `at` is `end` (default), `max` or `min` over the run, `always` (the limits hold after every step), or a time [s]: the
// step that ends nearest to it. "<quantity>_max" is the quantity with `at: max`, as in summary.json. All values are
// those at the ends of steps; the state at the start is none of them. A value that is not a number never holds.
// `name` is what docs/claims.yaml and studies call it; `basis` says where the number is from (kExpectationBases).

#include "measure/probe.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace clarke {

class StateArchive;

/// Where an expected number is from: formula; balance of energy, momentum, forces; an approximate theory (a beam's);
/// another program; a run of this one, recorded; or what the scene was set up to show.
inline const std::vector<std::string> kExpectationBases{"closed_form",   "balance",  "approximate_theory",
                                                        "other_program", "recorded", "purpose"};

struct Expectation {
  enum class When { end, max, min, always, time };
  std::string quantity;  // a name of quantities()
  std::string of;        // "" where the quantity needs none
  std::string with;      // of contact forces: from contacts with this thing only
  When when = When::end;
  double time = 0;  // [s] for When::time
  std::optional<double> equals, tolerance, min, max;
  std::string where;  // "file:line" of the scene, "" if from elsewhere
  std::string name;   // "" when it has none
  std::string basis;  // one of kExpectationBases, "" when it says none

  /// "position.z of b1 at end: expected 0.25 +- 1e-06"
  std::string text() const;
  /// How far `value` is outside of what is expected; 0 when it holds, infinite for a value that is not a number.
  double excess(double value) const;
};

/// Takes those out that were recorded from a run of the scene as its file has it. Nothing is known of such a number
/// where options have changed how much of what the scene is built of.
std::vector<Expectation> take_recorded(std::vector<Expectation>& expectations);

struct ExpectationResult {
  Expectation expectation;
  bool held = false;
  bool evaluated = false;  // false: the run ended before, or had no step
  double value = 0;        // the value that was judged
  double time = 0;         // [s] when it had it
  /// One line: what was expected, what came, and whether it held.
  std::string text() const;
};

nlohmann::json expectation_record(const std::vector<ExpectationResult>& results);

/// Follows a run. start() with the initial frame, observe() after every step, then results().
class ExpectationTracker {
 public:
  ExpectationTracker(std::vector<Expectation> expectations, const World& world);

  /// Whether observe() needs a frame at all.
  bool needs_frames() const;
  void start(const Frame& initial);
  void observe(const StepReport& report, const Frame& frame);
  std::vector<ExpectationResult> results() const;
  /// What was seen so far, for checkpoints.
  void carry_over(StateArchive& archive);

 private:
  struct Track {
    Expectation expectation;
    Query query;
    bool seen = false;
    double value = 0, time = 0;
  };
  bool is_reached(const Track& track) const;

  std::vector<Track> tracks_;
  Probe probe_;
  double last_time_ = 0, last_step_ = 0;  // [s]
};

}  // namespace clarke
