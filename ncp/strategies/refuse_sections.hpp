#pragma once
// Friction cones that are no disc (framework/friction_section.hpp) and those who project on discs by themselves.

#include "framework/contact_rows.hpp"
#include "framework/error.hpp"
#include "framework/step_problem.hpp"

namespace clarke {

/// Throws InputError where the step has such cones.
inline void refuse_sections(const StepProblem& problem) {
  for (int i = 0; i < problem.contributors(); ++i)
    if (const ContactRows* c = problem.contributor(i).contact_rows(); c && c->section.extent(0) > 0)
      throw InputError("-snes_type nsgs, admm and desaxce, -newton_start_sweeps and -newton_merit natural_map know discs and "
                       "ellipses, not asymmetric and polygon friction cones");
}

}  // namespace clarke
