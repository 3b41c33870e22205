#pragma once

#include "framework/options.hpp"

namespace clarke {

struct ClothOptions {
  std::string form = "compliance";
  double least_stiffness = 1e-8;
  void describe(OptionVisitor& v) {
    v.choice("cloth_form", form, {"compliance", "strain", "stiffness", "automatic"},
             {"",
              "triangles of cloths as rows of F with compliance, as rows of Green's strain with compliance (of "
              "st_venant_kirchhoff), as forces with stiffness, which fold and which strategies in the velocity alone "
              "need; or strain where a sheet of that model is stiff beside its inertia, and stiffness elsewhere"});
    v.real("cloth_least_stiffness", least_stiffness,
           {"1", "least eigenvalue of a triangle's stiffness in Newton's matrix, relative to the shear modulus", 1e-12,
            1.0});
  }
};

}  // namespace clarke
