// A gear of a scene file: coordinate of joint 1 = ratio · coordinate of joint 2 + offset. Two coordinates of one joint
// make a screw.

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "scene/reader/scene_joint.hpp"

namespace clarke {
namespace {

const JointDescription& joint_named(SceneVisitor& v, const World& world, const SceneNames& names,
                                    const std::string& name) {
  const JointDescription* joint = names.joint(name);
  if (!joint) {
    std::vector<std::string> known;
    for (const JointDescription& j : world.joints) known.push_back(j.name);
    v.refuse("joints", "no joint '" + name + "' before this one" + suggestion(name, known));
  }
  return *joint;
}

void check_coordinate(SceneVisitor& v, const JointDescription& joint, int index) {
  const int count = joint_traits(joint.type).coordinates;
  if (count == 0) v.refuse("joints", "'" + joint.name + "' is a " + joint.type + ", which has no coordinate");
  if (index >= count)
    v.refuse("coordinates",
             "'" + joint.name + "' is a " + joint.type + ", which has coordinate 0 only, got " + std::to_string(index));
}

}  // namespace

void describe_gear(SceneVisitor& v, World& world, const SceneNames& names) {
  JointDescription gear;
  gear.type = "gear";
  std::vector<std::string> joints;
  std::vector<double> coordinates = {0, 0};
  v.text("name", gear.name, {.help = "unique among joints", .required = true});
  v.texts("joints", joints,
          {.help = "two joints given before this one", .required = true, .min_items = 2, .max_items = 2});
  v.real("ratio", gear.ratio, {.help = "coordinate of the first = ratio x second + offset"});
  v.optional_real("offset", gear.offset, {.help = "default: what holds at the start", .unit = "rad or m"});
  v.reals("coordinates", coordinates,
          {.help = "which coordinate of each: 0 or 1; default: [0, 0]",
           .min = 0,
           .max = 1,
           .has_default = false,
           .min_items = 2,
           .max_items = 2});
  describe_rows(v, gear, 1);
  if (!v.reading()) return;

  check_joint_name(v, names, gear.name);
  for (const double index : coordinates) {
    if (index != 0 && index != 1) v.refuse("coordinates", "expected 0 or 1, got " + format_real(index));
  }
  if (gear.ratio == 0) v.refuse("ratio", "expected a number other than 0");
  gear.joint_1 = joints[0];
  gear.joint_2 = joints[1];
  gear.coordinate_1 = static_cast<int>(coordinates[0]);
  gear.coordinate_2 = static_cast<int>(coordinates[1]);
  check_coordinate(v, joint_named(v, world, names, gear.joint_1), gear.coordinate_1);
  check_coordinate(v, joint_named(v, world, names, gear.joint_2), gear.coordinate_2);
  if (gear.joint_1 == gear.joint_2 && gear.coordinate_1 == gear.coordinate_2)
    v.refuse("joints", "expected two different coordinates, got that of '" + gear.joint_1 + "' twice");
  check_rows(v, gear);
  world.joints.push_back(gear);
}

}  // namespace clarke
