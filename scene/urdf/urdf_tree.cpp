#include "scene/urdf/urdf_tree.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "scene/urdf/urdf_geometry.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace clarke {
namespace {

class TreeBuilder {
 public:
  TreeBuilder(const UrdfFile& file, const std::map<std::string, double>& start, LinkTree& tree)
      : file_(file), start_(start), tree_(tree) {}

  /// Depth first, joints of a link in the order of the file. Not by recursion: chains may be long.
  void build() {
    add_link(*file_.model().getRoot(), 0, {});
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      add_joint(*next.joint, next.group, next.parent);
    }
    for (const auto& [name, link] : file_.model().links_)
      if (reached_.count(name) == 0)
        throw InputError(file_.link_place(name) + ": link '" + name + "': no joints lead to it from the root '" +
                         file_.model().getRoot()->name + "'; expected no circles");
  }

 private:
  struct Pending {
    const urdf::Joint* joint;
    int group;
    Pose parent;
  };

  void add_link(const urdf::Link& link, int group, const Pose& pose) {
    tree_.groups[group].parts.push_back({&link, pose});
    reached_.insert(link.name);
    std::vector<const urdf::Joint*> joints;
    for (const auto& joint : link.child_joints) joints.push_back(joint.get());
    std::sort(joints.begin(), joints.end(),
              [&](const auto* a, const auto* b) { return file_.joint_order(a->name) < file_.joint_order(b->name); });
    for (auto joint = joints.rbegin(); joint != joints.rend(); ++joint) pending_.push_back({*joint, group, pose});
  }

  void add_joint(const urdf::Joint& joint, int group, const Pose& parent) {
    const std::string place = file_.joint_place(joint.name);
    const Pose origin = parent * to_pose(joint.parent_to_joint_origin_transform, place);
    const urdf::Link& child = *file_.model().getLink(joint.child_link_name);
    if (reached_.count(child.name) > 0)
      throw InputError(place + ": joint '" + joint.name + "': its child '" + child.name +
                       "' is the child of another joint already; expected a tree");
    if (joint.type == urdf::Joint::FIXED) return add_link(child, group, origin);
    const bool floating = joint.type == urdf::Joint::FLOATING;
    if (!floating && !has_coordinate(joint))
      throw InputError(place + ": joint '" + joint.name +
                       "': expected revolute, continuous, prismatic, fixed or floating; a planar joint cannot be "
                       "represented");
    Pose world = tree_.groups[group].world * origin;
    const int number = static_cast<int>(tree_.groups.size());
    if (!floating) {
      const Vec3 given{joint.axis.x, joint.axis.y, joint.axis.z};
      if (!(norm2(given) > 0) || !std::isfinite(norm2(given)))
        throw InputError(place + ": joint '" + joint.name + "': expected an axis that is not zero");
      const Vec3 axis = normalized(given);
      const double q = start_.at(joint.name);
      tree_.joints.push_back({&joint, group, number, world.x, rotate(world.q, axis)});
      world =
          world * (joint.type == urdf::Joint::PRISMATIC ? Pose{q * axis, Quat{}} : Pose{{}, from_axis_angle(axis, q)});
    }
    tree_.groups.push_back({{}, world});
    add_link(child, number, {});
  }

  const UrdfFile& file_;
  const std::map<std::string, double>& start_;
  LinkTree& tree_;
  std::vector<Pending> pending_;   // the next one last
  std::set<std::string> reached_;  // links
};

/// Of one joint into `start`, and of those it mimics, one through the other. What is there already is known.
void add_start(const UrdfFile& file, const RobotDescription& robot, const urdf::Joint& joint,
               std::map<std::string, double>& start) {
  std::vector<const urdf::Joint*> chain{&joint};
  std::set<std::string> on_the_way{joint.name};
  while (chain.back()->mimic && start.count(chain.back()->name) == 0) {
    const urdf::Joint& at = *chain.back();
    const std::string place = file.joint_place(at.name) + ": joint '" + at.name + "': ";
    const auto other = file.model().getJoint(at.mimic->joint_name);
    if (!other || !has_coordinate(*other))
      throw InputError(place + "it mimics '" + at.mimic->joint_name + "', expected the name of a joint that moves");
    if (!on_the_way.insert(other->name).second)
      throw InputError(place + "it mimics itself through '" + at.mimic->joint_name + "'");
    const double multiplier = at.mimic->multiplier, offset = at.mimic->offset;
    if (!std::isfinite(multiplier) || !std::isfinite(offset) || multiplier == 0)
      throw InputError(place + "expected a mimic with a finite multiplier that is not 0 and a finite offset");
    chain.push_back(other.get());
  }
  const auto given = robot.start.find(chain.back()->name);
  double value = start.try_emplace(chain.back()->name, given == robot.start.end() ? 0 : given->second).first->second;
  for (auto at = std::next(chain.rbegin()); at != chain.rend(); ++at) {
    value = (*at)->mimic->multiplier * value + (*at)->mimic->offset;
    start[(*at)->name] = value;
  }
}

void check_limits(const UrdfFile& file, const RobotDescription& robot, const urdf::Joint& joint, double start) {
  if (!joint.limits || joint.type == urdf::Joint::CONTINUOUS) return;
  const double lower = joint.limits->lower, upper = joint.limits->upper;
  const std::string name = "joint '" + joint.name + "': ";
  if (!(lower <= upper) || !std::isfinite(upper - lower))
    throw InputError(file.joint_place(joint.name) + ": " + name + "expected limits with lower <= upper, got " +
                     format_real(lower) + " and " + format_real(upper));
  if (start < lower || start > upper)
    throw InputError(robot.where + ": joints: " + name + "it starts at " + format_real(start) +
                     ", expected a coordinate within its limits, " + format_real(lower) + " to " + format_real(upper));
}

}  // namespace

std::map<std::string, double> start_coordinates(const UrdfFile& file, const RobotDescription& robot) {
  std::map<std::string, double> start;
  for (const auto& [name, joint] : file.model().joints_) {
    if (!has_coordinate(*joint)) continue;
    add_start(file, robot, *joint, start);
    if (robot.limits) check_limits(file, robot, *joint, start[name]);
  }
  return start;
}

LinkTree link_tree(const UrdfFile& file, const Pose& base, const std::map<std::string, double>& start) {
  LinkTree tree;
  tree.groups.push_back({{}, base});
  TreeBuilder(file, start, tree).build();
  return tree;
}

}  // namespace clarke
