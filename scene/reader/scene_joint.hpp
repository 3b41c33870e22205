#pragma once
// Keys that several joints of a scene share. Internal to scene/.

#include "physics/constraints/joint_traits.hpp"
#include "scene/reader/scene_model.hpp"

#include <string>

namespace clarke {

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
