#include "scene/urdf/urdf_import.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/collision/mass_properties.hpp"
#include "scene/urdf/urdf_geometry.hpp"
#include "scene/urdf/urdf_tree.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace clarke {
namespace {

struct Lump {
  double mass = 0;  // [kg]
  Vec3 centre{};    // [m] frame of the group's first link
  Mat3 inertia{};   // [kg m²] about the centre, axes of that frame
};

/// Three digits, for messages about numbers that are not in the file.
std::string rounded(double x) {
  std::ostringstream text;
  text << std::setprecision(3) << x;
  return text.str();
}

Mat3 turned(const Mat3& inertia, const Quat& q) {
  const Mat3 r = rotation_matrix(q);
  return r * inertia * transpose(r);
}

/// Mass of one link, in the frame of its group. Warns of a tensor that no body has.
Lump lump_of(const UrdfFile& file, const LinkGroup::Part& part, bool can_move, UrdfWarnings& warnings) {
  const urdf::Link& link = *part.link;
  if (!link.inertial) return {};
  const std::string place = file.link_place(link.name), subject = "link '" + link.name + "'";
  const urdf::Inertial& given = *link.inertial;
  if (!(given.mass >= 0) || !std::isfinite(given.mass))
    throw InputError(place + ": " + subject + ": expected a mass of at least 0, got " + format_real(given.mass));
  const Mat3 tensor{
      {given.ixx, given.ixy, given.ixz}, {given.ixy, given.iyy, given.iyz}, {given.ixz, given.iyz, given.izz}};
  if (!std::isfinite(norm2(tensor.r0) + norm2(tensor.r1) + norm2(tensor.r2)))
    throw InputError(place + ": " + subject + ": expected a finite inertia tensor");
  const Vec3 moments = principal_moments(tensor);
  if (can_move && given.mass > 0 && moments.x >= 0 && !triangle_inequality(moments))
    warnings.add(place, subject,
                 "no body has its inertia tensor, with principal moments " + rounded(moments.x) + ", " +
                     rounded(moments.y) + ", " + rounded(moments.z) + " kg m^2; used as it is");
  const Pose origin = part.pose * to_pose(given.origin, place);
  return {given.mass, origin.x, turned(tensor, origin.q)};
}

Lump lump_of(const UrdfFile& file, const LinkGroup& group, bool can_move, UrdfWarnings& warnings) {
  Lump sum;
  std::vector<Lump> lumps;
  for (const LinkGroup::Part& part : group.parts) {
    lumps.push_back(lump_of(file, part, can_move, warnings));
    sum.mass += lumps.back().mass;
  }
  if (!(sum.mass > 0)) return sum;
  for (const Lump& lump : lumps) sum.centre += (lump.mass / sum.mass) * lump.centre;
  for (const Lump& lump : lumps)
    sum.inertia = sum.inertia + lump.inertia + parallel_axis(lump.mass, lump.centre - sum.centre);
  return sum;
}

/// Collision shapes of the group, in the frame whose pose in that of its first link is `frame`.
ShapeDescription shape_of(const UrdfFile& file, const LinkGroup& group, const Pose& frame,
                          const RobotDescription& robot, UrdfWarnings& warnings) {
  ShapeDescription shape;
  for (const LinkGroup::Part& part : group.parts)
    for (std::size_t i = 0; i < part.link->collision_array.size(); ++i) {
      ShapeChild child = collision_shape(file, *part.link, i, robot.mesh_folders, warnings);
      const Pose in_group = part.pose * Pose{child.position, child.orientation};
      child.position = rotate_inverse(frame.q, in_group.x - frame.x);
      child.orientation = normalized(conjugate(frame.q) * in_group.q);
      shape.children.push_back(child);
    }
  if (!shape.children.empty()) shape.kind = ShapeDescription::Kind::compound;
  return shape;
}

BodyDescription body_of(const UrdfFile& file, const LinkGroup& group, bool can_move, const RobotDescription& robot,
                        UrdfWarnings& warnings) {
  BodyDescription body;
  const urdf::Link& link = group.first();
  const std::string place = file.link_place(link.name), subject = "link '" + link.name + "'";
  body.name = robot.name + "/" + link.name;
  body.group = robot.name;
  body.material = robot.material;
  body.motion = can_move ? Motion::dynamic : Motion::fixed;
  const Lump lump = lump_of(file, group, can_move, warnings);
  Pose frame{lump.centre, link.inertial ? to_pose(link.inertial->origin, place).q : Quat{}};
  if (lump.mass > 0) {
    const Mat3 inertia = turned(lump.inertia, conjugate(frame.q));
    body.mass = lump.mass;
    body.inertia = Vec3{inertia(0, 0), inertia(1, 1), inertia(2, 2)};
    body.inertia_products = {inertia(0, 1), inertia(0, 2), inertia(1, 2)};
    const double least = principal_moments(inertia).x;
    if (can_move && !(least > 0))
      throw InputError(place + ": " + subject +
                       ": expected a positive definite inertia tensor; the least principal moment " +
                       (group.parts.size() > 1 ? "of what moves with it " : "") + "is " + rounded(least) + " kg m^2");
  } else if (can_move) {
    throw InputError(place + ": " + subject +
                     ": it can move and has no mass; expected an <inertial> with a mass above 0, or a fixed joint to a "
                     "link that has one");
  }
  body.shape = shape_of(file, group, frame, robot, warnings);
  // Without a mass the compound is taken about its centroid (physics/collision/shapes.hpp): the body is placed there.
  if (!body.mass && !body.shape.children.empty())
    frame.x += rotate(frame.q, mass_properties(body.shape, place + ": " + subject).centre);
  const Pose world = group.world * frame;
  body.position = world.x;
  body.orientation = world.q;
  return body;
}

CoordinateDescription coordinate_of(const UrdfFile& file, const urdf::Joint& joint, double start,
                                    const RobotDescription& robot) {
  CoordinateDescription c;
  const std::string place = file.joint_place(joint.name) + ": joint '" + joint.name + "': ";
  c.start = start;
  if (robot.limits && joint.limits && joint.type != urdf::Joint::CONTINUOUS) {
    c.lower = joint.limits->lower;
    c.upper = joint.limits->upper;
  }
  if (robot.friction && joint.dynamics) {
    c.friction_dry = joint.dynamics->friction;
    c.friction_viscous = joint.dynamics->damping;
    if (!(c.friction_dry >= 0 && c.friction_viscous >= 0) || !std::isfinite(c.friction_dry + c.friction_viscous))
      throw InputError(place + "expected friction and damping of at least 0");
  }
  const auto found = robot.drives.find(joint.name);
  if (found == robot.drives.end()) return c;
  const RobotDrive& drive = found->second;
  c.driven = true;
  c.drive_stiffness = drive.stiffness;
  c.drive_damping = drive.damping;
  c.target = drive.target.value_or(TimeFunction(start));
  if (drive.effort) {
    c.effort = *drive.effort;
  } else if (joint.limits) {
    c.effort = joint.limits->effort;
    if (!(c.effort > 0))
      throw InputError(place + "its effort limit " + format_real(c.effort) +
                       " lets no drive act; give the drive an `effort` in the scene");
  }
  return c;
}

JointDescription joint_of(const UrdfFile& file, const LinkTree& tree, const MovingJoint& moving, double start,
                          const RobotDescription& robot) {
  JointDescription j;
  j.type = moving.joint->type == urdf::Joint::PRISMATIC ? "slider" : "hinge";
  j.name = robot.name + "/" + moving.joint->name;
  j.a = robot.name + "/" + tree.groups[moving.child].first().name;
  j.b = robot.name + "/" + tree.groups[moving.parent].first().name;
  j.anchor_a = j.anchor_b = moving.anchor;
  j.axis = moving.axis;
  j.coordinates = {coordinate_of(file, *moving.joint, start, robot)};
  return j;
}

JointDescription gear_of(const urdf::Joint& joint, const RobotDescription& robot) {
  JointDescription j;
  j.type = "gear";
  j.name = robot.name + "/" + joint.name + "/mimic";
  j.joint_1 = robot.name + "/" + joint.name;
  j.joint_2 = robot.name + "/" + joint.mimic->joint_name;
  j.ratio = joint.mimic->multiplier;
  j.offset = joint.mimic->offset;
  return j;
}

}  // namespace

void add_robot(const UrdfFile& file, const RobotDescription& robot, World& world, UrdfWarnings& warnings) {
  const std::map<std::string, double> start = start_coordinates(file, robot);
  const LinkTree tree = link_tree(file, {robot.position, normalized(robot.orientation)}, start);
  for (std::size_t g = 0; g < tree.groups.size(); ++g)
    world.bodies.push_back(body_of(file, tree.groups[g], g > 0 || !robot.fixed_base, robot, warnings));
  for (const MovingJoint& moving : tree.joints) {
    world.joints.push_back(joint_of(file, tree, moving, start.at(moving.joint->name), robot));
    if (robot.limits && moving.joint->limits && moving.joint->limits->velocity > 0)
      warnings.add(file.joint_place(moving.joint->name), "joint '" + moving.joint->name + "'",
                   "the velocity limit is not used");
  }
  for (const MovingJoint& moving : tree.joints)
    if (moving.joint->mimic) world.joints.push_back(gear_of(*moving.joint, robot));
  if (!robot.self_collision) world.no_collision.emplace_back(robot.name, robot.name);
}

}  // namespace clarke
