#pragma once

#include "framework/options.hpp"

namespace clarke {

struct SoftOptions {
  double least_stiffness = 1e-3;
  std::string projection = "clamp", stretch_compliance = "full";
  void describe(OptionVisitor& v) {
    v.real("soft_least_stiffness", least_stiffness,
           {"1", "least eigenvalue of an element's stiffness in Newton's matrix, relative to the shear modulus", 1e-12, 1.0});
    v.choice("soft_projection", projection, {"clamp", "absolute"},
             {"", "negative eigenvalues of an element's stiffness in Newton's matrix: raised to the least, or mirrored"});
    v.choice("soft_stretch_compliance", stretch_compliance, {"full", "diagonal"},
             {"", "compliance of `stretch` rows: with or without coupling of the three stretches"});
  }
};

}  // namespace clarke
