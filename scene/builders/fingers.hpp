#pragma once
// A ring of pneumatic fingers, hanging: soft bodies that curl inwards when their chambers are under pressure.
//
//   finger k of n   at the angle 2π k/n around z, inner side `radius` from the axis, down from the height of `position`
//   chambers        on the outer side, under `pressure` (activation.hpp); the mesh is that of tet_finger
//   layer           rods of constant length along the inner side, from node to node: it bends and does not stretch
//   lift            all nodes of the upper ends move by this function of time along z; without it they are fixed
//
// Bodies are <name>_1, …; rods <name>_1_rod_1, …; the pins of the upper ends <name>_1_pin_1, …. After Ilievski et al.
// 2011 and the gripper of Macklin 2020, fig. 2; the geometry is ours.

#include "physics/soft/meshes/tet_builders.hpp"
#include "scene/builders/builder.hpp"

namespace clarke {

class Fingers final : public Builder {
 public:
  Fingers();
  const char* summary() const override { return "a ring of pneumatic fingers that curl inwards"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int count_ = 3;
  double radius_ = 0.045;  // [m]
  FingerShape shape_;
  SoftDescription made_of_;
  std::string layer_ = "rods", name_ = "finger";
  TimeFunction pressure_, lift_;  // [Pa], [m]
  bool lifted_ = false;
  Vec3 position_{0, 0, 0.15};  // [m] of the middle of the ring, at the upper ends
};

}  // namespace clarke
