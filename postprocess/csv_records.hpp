#pragma once
// One line of text per step (steps.csv, sensors.csv), per Newton iteration (newton.csv) and per linear iteration
// (linear.csv): what plots and studies read.
//
// Format: comma separated, first line the column names, no quoting, '.' as decimal point whatever the locale. Numbers
// are the shortest text that reads back to the same double (at most 17 digits); what is not finite is `nan`, `inf` or
// `-inf`. Texts never hold a comma, a quote or a line break: they are replaced. The meaning and unit of each figure is
// that of the member of StepReport, Verdict or NewtonIteration with the same name (framework/report.hpp).

#include "framework/report.hpp"

#include <string>
#include <vector>

namespace clarke {

/// Column names of steps.csv, newton.csv and linear.csv, in order.
std::vector<std::string> step_columns();
std::vector<std::string> newton_columns();
std::vector<std::string> linear_columns();

/// "step", "time", then the sensors.
std::vector<std::string> sensor_columns(const std::vector<std::string>& sensors);

/// Lines with their line break; the names above with the same separators.
std::string csv_header(const std::vector<std::string>& columns);
std::string step_row(const StepReport& report);
std::string newton_row(const NewtonIteration& iteration);
std::string linear_row(const LinearIteration& iteration);
std::string sensor_row(int step, double time, const std::vector<double>& values);
std::string text_row(const std::vector<std::string>& cells);

/// The shortest text that reads back to `value`.
std::string shortest_number(double value);

}  // namespace clarke
