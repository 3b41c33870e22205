#pragma once
// What goes on beside the steps of a scene: the watch for bodies that could have passed through something thin
// (physics/collision/tunnelling.hpp), and the readings of joints, whose winding angles go on from step to step.

#include "framework/simulation.hpp"
#include "framework/state_archive.hpp"
#include "physics/collision/tunnelling.hpp"
#include "physics/joints/joint_reading.hpp"

namespace clarke {

/// Counts the bodies that a step took further than detection had foreseen, and names the first.
class TunnellingObserver final : public StepObserver {
 public:
  /// `names` per entity.
  TunnellingObserver(TunnellingWatch watch, std::vector<std::string> names);
  void begin_step(const State& state, double h) override { watch_.begin_step(state, h); }
  void end_step(const State& state, double h, StepReport& report) override;
  void carry_over(StateArchive& archive) override { watch_.carry_over(archive); }

 private:
  TunnellingWatch watch_;
  std::vector<std::string> names_;
};

/// The joints of a scene, in its order.
class JointReadings final : public StepObserver {
 public:
  void add(JointReading reading) { readings_.push_back(std::move(reading)); }
  /// Angles are counted from here.
  void remember(const State& state);
  void end_step(const State& state, double, StepReport&) override { remember(state); }
  void carry_over(StateArchive& archive) override {
    for (std::size_t i = 0; i < readings_.size(); ++i)
      archive.group(std::to_string(i), [&] { readings_[i].carry_over(archive); });
  }
  const std::vector<JointReading>& readings() const { return readings_; }

 private:
  std::vector<JointReading> readings_;
  HostPoses poses_;  // kept, so that no step allocates it
};

}  // namespace clarke
