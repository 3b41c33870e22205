#pragma once
// Why a step ended as it did, in words: what the verdict says, what each Newton iteration did, and after a failure what
// to try. What to try follows from how the step failed, and from the SNES type, whose options alone can help.

#include "framework/report.hpp"

#include <string>

namespace clarke {

/// Lines, each with its end. Of long iterations the first and the last; all are in newton.csv.
std::string explanation(const StepReport& report, const std::string& strategy);

/// What to try after a failure of that -snes_type, in a few lines; "" where nothing is known to help.
std::string advice(const StepReport& report, const std::string& strategy);

}  // namespace clarke
