#pragma once

#include "framework/options.hpp"

namespace clarke {

struct SoftOptions {
  double least_stiffness = 1e-3;
  std::string form = "compliance", mass = "lumped", projection = "clamp", stretch_compliance = "full";
  void describe(OptionVisitor& v) {
    v.choice(
        "soft_form", form, {"compliance", "stiffness"},
        {"", "elements as compliant rows, or as forces in the momentum and stiffness in H; then H is block-sparse"});
    v.choice(
        "soft_mass", mass, {"lumped", "consistent"},
        {"",
         "mass of elements: a quarter at each node, or that of linear shape functions (with -soft_form stiffness)"});
    v.real("soft_least_stiffness", least_stiffness,
           {"1", "least eigenvalue of an element's stiffness in Newton's matrix, relative to the shear modulus", 1e-12,
            1.0});
    v.choice("soft_projection", projection, {"clamp", "absolute", "none", "automatic"},
             {"",
              "negative eigenvalues of an element's stiffness in Newton's matrix: raised to the least, mirrored, "
              "kept (none: with -soft_form stiffness), or kept where elements are forces and mirrored where they are "
              "rows (automatic; raised where triangles of cloth are forces)"});
    v.choice("soft_stretch_compliance", stretch_compliance, {"full", "diagonal"},
             {"", "compliance of `stretch` rows: with or without coupling of the three stretches"});
  }
};

}  // namespace clarke
