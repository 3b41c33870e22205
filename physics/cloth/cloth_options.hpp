#pragma once

#include "framework/options.hpp"

namespace clarke {

struct ClothOptions {
  std::string form = "compliance";
  double least_stiffness = 1e-8;
  void describe(OptionVisitor& v) {
    v.choice("cloth_form", form, {"compliance", "stiffness"},
             {"",
              "triangles of cloths as rows with compliance, or as forces with stiffness, which fold and which "
              "strategies in the velocity alone need"});
    v.real("cloth_least_stiffness", least_stiffness,
           {"1", "least eigenvalue of a triangle's stiffness in Newton's matrix, relative to the shear modulus", 1e-12,
            1.0});
  }
};

}  // namespace clarke
