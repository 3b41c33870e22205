#pragma once
// What a joint looks like at a moment, for sensors and pictures: its point, axis, coordinates and their rates, read
// from poses and velocities by the same pure functions that make its rows. Host side.

#include "framework/frame.hpp"
#include "physics/constraints/coordinate.hpp"
#include "physics/joints/joint_pool.hpp"

#include <functional>

namespace clarke {

class StateArchive;  // framework/state_archive.hpp

class JointReading {
 public:
  JointReading(const JointDescription& joint, const EntityLookup& lookup);

  /// Without forces and violation.
  FrameJoint read(const HostPoses& poses, const std::function<Twist(int entity)>& twist) const;
  /// At the end of a step: winding angles go on from here.
  void remember(const HostPoses& poses);
  void carry_over(StateArchive& archive);

 private:
  std::string name_, type_;
  int a_ = -1, b_ = -1;
  Vec3 anchor_a_{};  // frame of a
  Vec3 axis_{};      // frame of b
  std::vector<JointCoordinate> coordinates_;
};

}  // namespace clarke
