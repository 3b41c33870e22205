#pragma once
// Keys that several joints of a scene share. Internal to cases/.

#include "scene/scene_model.hpp"

#include <string>

namespace clarke {

/// What a type of joint asks of a scene. The order of rows and coordinates is that of the element's file.
struct JointKind {
  std::string type;
  std::string help;
  int rows = 0;            // 0: not known here
  int axes = 0;            // `axis`, `axis_2`
  bool particles = false;  // holds particles too: needs no orientation of its ends
};

/// Refuses `name` when a joint has it already.
void check_joint_name(SceneVisitor& v, const SceneNames& names, const std::string& name);

/// compliance and damping: a number for all rows, or a list with one entry per row; 0 where they are not given.
void describe_rows(SceneVisitor& v, JointDescription& joint, int rows);
void describe_rest(SceneVisitor& v, JointDescription& joint, int rows);
/// Refuses damping of rigid rows.
void check_rows(SceneVisitor& v, const JointDescription& joint);

/// start, limits, drive, friction and motion of all coordinates of the joint, which are appended to it.
void describe_coordinates(SceneVisitor& v, JointDescription& joint);

void describe_gear(SceneVisitor& v, World& world, const SceneNames& names);

}  // namespace clarke
