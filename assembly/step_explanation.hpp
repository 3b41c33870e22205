#pragma once
// Why a step ended as it did, in words: what the verdict says, what each Newton iteration did, and after a failure what
// to try. What to try follows from how the step failed, and from nothing else.

#include "framework/report.hpp"

#include <string>

namespace clarke {

/// Lines, each with its end. Of long iterations the first and the last; all are in newton.csv.
std::string explanation(const StepReport& report);

/// What to try after a failure, in a few lines; "" where nothing is known to help.
std::string advice(const StepReport& report);

}  // namespace clarke
