#include "physics/joints/joint_reading.hpp"

#include "framework/state_archive.hpp"
#include "physics/joints/constraint_type.hpp"

namespace clarke {
JointReading::JointReading(const JointDescription& joint, const EntityLookup& lookup)
    : name_(joint.name), type_(joint.type) {
  const JointTraits& traits = joint_traits(joint.type);
  JointDescription at = joint;
  if (traits.keys == JointKeys::gear) {  // is seen where its first joint is
    const JointDescription& first = lookup.joints.at(lookup.find_joint(joint.joint_1));
    at.a = first.a;
    at.b = first.b;
    at.anchor_a = first.anchor_a;
  }
  a_ = lookup.find(at.a, at.name);
  b_ = lookup.find(at.b, at.name);
  const Pose a = lookup.pose_at(a_), b = lookup.pose_at(b_);
  anchor_a_ = rotate_inverse(a.q, at.anchor_a - a.x);
  if (traits.axes > 0) axis_ = rotate_inverse(b.q, normalized(joint.axis));
  for (int k = 0; k < traits.coordinates; ++k) coordinates_.push_back(JointCoordinate::of(joint, k, a, b));
}

FrameJoint JointReading::read(const HostPoses& poses, const std::function<Twist(int entity)>& twist) const {
  const Pose pose[2] = {poses.of(a_), poses.of(b_)};
  const Twist rate[2] = {twist(a_), twist(b_)};
  FrameJoint f;
  f.name = name_;
  f.type = type_;
  f.body_a = a_;
  f.body_b = b_;
  f.point = pose[0].x + rotate(pose[0].q, anchor_a_);
  f.axis = rotate(pose[1].q, axis_);
  for (const JointCoordinate& c : coordinates_) {
    double q[1];
    Vec3 J[1][4];
    c.evaluate(pose, q, J);
    f.coordinate.push_back(q[0]);
    f.rate.push_back(dot(J[0][0], rate[0].v) + dot(J[0][1], rate[0].w) + dot(J[0][2], rate[1].v) +
                     dot(J[0][3], rate[1].w));
  }
  return f;
}

void JointReading::carry_over(StateArchive& archive) {
  for (std::size_t k = 0; k < coordinates_.size(); ++k) archive.real(std::to_string(k), *coordinates_[k].memory()[0]);
}

void JointReading::remember(const HostPoses& poses) {
  const Pose pose[2] = {poses.of(a_), poses.of(b_)};
  for (JointCoordinate& c : coordinates_) c.remember(pose);
}

}  // namespace clarke
