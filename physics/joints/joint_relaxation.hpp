#pragma once
// Joints that give way: every rigid row of joints, limits, attachments becomes a spring, λ = −k (c − c*), E = 1/k
// [docs/theory.md, eqs. B1, A2].
//
// What strategies need that eliminate impulses. Rows with a compliance of their own keep it.

#include "framework/options.hpp"

namespace clarke {

struct JointRelaxationOptions {
  double stiffness = 0;  // [N/m, N m/rad]
  void describe(OptionVisitor& v) {
    v.real("joint_relaxation", stiffness,
           {"N/m | N m/rad", "stiffness of the rows of joints that are rigid; 0: they stay rigid", 0.0});
  }
};

}  // namespace clarke
