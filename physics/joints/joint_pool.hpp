#pragma once
// What every pool of joint rows offers beside its rows: reactions by joint, for sensors and pictures.

#include "framework/contributor.hpp"

#include <array>
#include <memory>

namespace clarke {

/// Of one joint, all its rows together: own constraint, limits, drives, friction.
struct JointReaction {
  Vec3 force{};                    // [N] on a
  Vec3 torque{};                   // [N m] on a about its centre of mass
  std::array<double, 2> effort{};  // [N m | N] along its coordinates
  double violation = 0;            // [m or rad] largest of its unbounded rows: |c| of rigid ones, else h |v|
};

/// Poses of all entities on the host; entity -1 is the world.
struct HostPoses {
  std::vector<Vec3> x;
  std::vector<Quat> q;  // bodies only
  Pose of(int entity) const {
    if (entity < 0) return {};
    return {x[entity], entity < static_cast<int>(q.size()) ? q[entity] : Quat{}};
  }
};

class JointPool : public Contributor {
 public:
  /// What makes equations of bounded rows; a pool whose rows()->bounded is true needs one before its first step.
  virtual void set_law(std::shared_ptr<RowLaw> law) = 0;
  /// Rigid rows become springs of this stiffness [N/m, N m/rad]. Before the first step.
  virtual void relax(double stiffness) = 0;
  /// Adds the reactions at `poses` of the impulses Λ over the step h to those of each item's joint.
  virtual void add_reactions(const HostPoses& poses, const View<double>& impulse, double h,
                             std::vector<JointReaction>& joints) const = 0;
};

}  // namespace clarke
