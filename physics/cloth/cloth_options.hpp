#pragma once

#include "framework/options.hpp"

namespace clarke {

struct ClothOptions {
  double least_stiffness = 1e-8;
  void describe(OptionVisitor& v) {
    v.real("cloth_least_stiffness", least_stiffness,
           {"1", "least eigenvalue of a triangle's stiffness in Newton's matrix, relative to the shear modulus", 1e-12,
            1.0});
  }
};

}  // namespace clarke
