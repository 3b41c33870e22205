#pragma once
// -step_halvings: what a run may do with a step that did not converge (docs/failures.md, "Half steps"). Never by
// itself: a shorter step is another problem, and hides that this one was not solved.

#include "framework/options.hpp"

namespace clarke {

struct StepHalvingOptions {
  int times = 0;
  void describe(OptionVisitor& v) {
    v.integer("step_halvings", times,
              {"1",
               "a step that did not converge is undone and made in two halves, each of which may be halved again, so "
               "many times; announced, counted, and in the column substeps; 0: never",
               0, 20});
  }
};

}  // namespace clarke
