#pragma once
// Options of contact detection.

#include "framework/options.hpp"

namespace clarke {

struct DetectAgainOptions {
  int times = 0;
  double depth = 3e-7;  // [m]
  double accuracy = 1;
  bool turning = true;
  void describe(OptionVisitor& v) {
    v.integer(
        "detect_again", times,
        {"1",
         "how often at most a step is solved again with the contacts that are found at its end, where its own left "
         "an overlap; counted",
         0});
    v.real("detect_again_depth", depth, {"m", "overlaps up to this are left alone by -detect_again", 0.0});
    v.real("detect_again_accuracy", accuracy,
           {"1",
            "-detect_again looks as soon as a time step at the velocity error leads this fraction of "
            "-detect_again_depth astray, and the step is solved to its tolerance where it finds nothing; 0: looks at "
            "solved steps only",
            0.0, 1e3});
    v.flag("detect_again_turning", turning,
           {"",
            "contacts that -detect_again finds follow what they touch with, faces, edges and round shapes, wherever "
            "bodies turn to until the end of the step, instead of keeping the normal and the points they were found "
            "with; counted"});
  }
};

struct ContactOptions {
  double margin = 0.005;      // [m] should not be below g h²: what a body at rest falls in one step
  double margin_speed = 1.0;  // [1]
  std::string manifold = "features";
  std::string reduction = "none";

  void describe(OptionVisitor& v) {
    v.real("contact_margin", margin, {"m", "pairs with a smaller gap become contacts, even at rest", 0.0});
    v.real("contact_margin_speed", margin_speed,
           {"1", "what a pair's speed times the step length adds to its contact margin, as a factor", 0.0});
    v.choice("manifold", manifold, {"clipped", "features"},
             {"",
              "features: where two shapes are nearest at edges, what lies over their faces joins that one point; "
              "clipped: it stands alone"});
    v.choice("contact_reduction", reduction, {"none", "hull"},
             {"", "hull: of the points of a pair only the corners of their patch and the deepest become contacts"});
  }
};

}  // namespace clarke
