#pragma once
// The value of a quantity at the end of a step: for expectations and sensors alike.

#include "measure/quantities.hpp"
#include "physics/description/world.hpp"

#include <map>
#include <string>
#include <vector>

namespace clarke {

/// A quantity of something: `of` and `with` are "" where the quantity takes none.
struct Query {
  std::string quantity;  // a name of quantities()
  std::string of;        // a body, particle, joint or volume
  std::string with;      // contact forces: from contacts with this thing only

  /// "normal_force of a with b"
  std::string text() const;
  /// Throws InputError with the nearest name.
  const Quantity& found() const;
};

/// What is known at the end of one step. `frame` may be empty when only quantities of the run are asked for.
struct Moment {
  const StepReport& report;
  const Frame& frame;
  std::vector<ThingSample> things;  // bodies, then particles

  Moment(const StepReport& report_, const Frame& frame_);
};

class Probe {
 public:
  explicit Probe(const World& world);
  /// Remembers the state at the start. Things and joints that `queries` ask for must be in the frame.
  void start(const Frame& initial, const std::vector<Query>& queries);
  double value(const Query& query, const Moment& now) const;

 private:
  std::vector<std::string> movable_;
  std::vector<std::size_t> movable_index_;     // theirs in a frame
  std::map<std::string, std::size_t> things_;  // index in a frame: bodies, then particles
  std::map<std::string, std::size_t> joints_, volumes_;
  std::vector<FrameVolume> volumes_at_start_;
  std::vector<ThingSample> start_;
};

}  // namespace clarke
