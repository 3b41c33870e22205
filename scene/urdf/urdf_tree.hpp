#pragma once
// Which links of a URDF file move together, and where everything stands at the start.
//
//   world ← joint ← child:  X_child = X_parent T_origin Q(q),  Q a turn by q about the axis, a shift by q along it or 1

#include "framework/state.hpp"
#include "scene/urdf/urdf_import.hpp"

namespace clarke {

/// Links that fixed joints tie together.
struct LinkGroup {
  struct Part {
    const urdf::Link* link;
    Pose pose;  // in the frame of the first link
  };
  std::vector<Part> parts;  // the first gives the name
  Pose world;               // of the first link
  const urdf::Link& first() const { return *parts.front().link; }
};

/// A joint between two groups.
struct MovingJoint {
  const urdf::Joint* joint;
  int parent, child;  // groups
  Vec3 anchor, axis;  // world frame at the start
};

struct LinkTree {
  std::vector<LinkGroup> groups;    // the first holds the root
  std::vector<MovingJoint> joints;  // hinges and sliders
};

/// `start` has the coordinate of every joint that has one. Throws InputError for joints that cannot be represented.
LinkTree link_tree(const UrdfFile& file, const Pose& base, const std::map<std::string, double>& start);

/// Coordinates of all joints: those given, 0 for others, and what a mimic joint follows from. Throws InputError at
/// `robot.where` for a coordinate outside the limits, if these are used, and at the file for a mimic that cannot be
/// followed.
std::map<std::string, double> start_coordinates(const UrdfFile& file, const RobotDescription& robot);

inline Pose operator*(const Pose& a, const Pose& b) { return {a.x + rotate(a.q, b.x), normalized(a.q * b.q)}; }

}  // namespace clarke
