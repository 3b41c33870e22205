#include "postprocess/csv_records.hpp"

#include <charconv>
#include <cmath>

namespace clarke {
namespace {

std::string cell(double value) { return shortest_number(value); }
std::string cell(int value) { return std::to_string(value); }
std::string cell(std::string text) {
  for (char& c : text) {
    if (c == ',') c = ';';
    if (c == '"') c = '\'';
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return text;
}

/// A column is its name and where its value comes from: there is no second list to keep in the same order.
template <class Record>
struct Column {
  const char* name;
  std::string (*text)(const Record&);
};

constexpr Column<StepReport> kStepColumns[] = {
    {"step", [](const StepReport& r) { return cell(r.step); }},
    {"time", [](const StepReport& r) { return cell(r.time); }},
    {"contacts", [](const StepReport& r) { return cell(r.contacts); }},
    {"newton_iterations", [](const StepReport& r) { return cell(r.newton_iterations); }},
    {"linear_iterations", [](const StepReport& r) { return cell(r.linear_iterations); }},
    {"reason", [](const StepReport& r) { return cell(r.reason); }},
    {"momentum_residual", [](const StepReport& r) { return cell(r.verdict.momentum_residual.value); }},
    {"bilateral_violation", [](const StepReport& r) { return cell(r.verdict.bilateral_violation.value); }},
    {"penetration", [](const StepReport& r) { return cell(r.verdict.penetration.value); }},
    {"geometric_penetration",
     [](const StepReport& r) {
       return r.verdict.geometric_penetration ? cell(r.verdict.geometric_penetration->value) : std::string();
     }},
    {"geometric_penetration_pair",
     [](const StepReport& r) {
       return r.verdict.geometric_penetration ? cell(r.verdict.geometric_penetration->where) : std::string();
     }},
    {"complementarity", [](const StepReport& r) { return cell(r.verdict.complementarity.value); }},
    {"cone_excess", [](const StepReport& r) { return cell(r.verdict.cone_excess.value); }},
    {"desaxce_gap", [](const StepReport& r) { return cell(r.verdict.desaxce_gap.value); }},
    {"natural_map", [](const StepReport& r) { return cell(r.verdict.natural_map.value); }},
    {"natural_map_relative", [](const StepReport& r) { return cell(r.verdict.natural_map_relative); }},
    {"kinetic_energy", [](const StepReport& r) { return cell(r.verdict.kinetic_energy); }},
    {"potential_energy", [](const StepReport& r) { return cell(r.verdict.potential_energy); }},
    {"elastic_energy", [](const StepReport& r) { return cell(r.verdict.elastic_energy); }},
    {"seconds_detect", [](const StepReport& r) { return cell(r.seconds.detect); }},
    {"seconds_assemble", [](const StepReport& r) { return cell(r.seconds.assemble); }},
    {"seconds_solve", [](const StepReport& r) { return cell(r.seconds.solve); }},
    {"seconds_verdict", [](const StepReport& r) { return cell(r.seconds.verdict); }},
    {"seconds_geometry", [](const StepReport& r) { return cell(r.seconds.geometry); }},
    {"seconds_output", [](const StepReport& r) { return cell(r.seconds.output); }},
    {"islands", [](const StepReport& r) { return cell(r.islands); }},
    {"island_rows_max", [](const StepReport& r) { return cell(r.island_rows_max); }},
    {"newton_iterations_per_row", [](const StepReport& r) { return cell(r.newton_iterations_per_row); }},
    {"linear_iterations_per_row", [](const StepReport& r) { return cell(r.linear_iterations_per_row); }},
    {"recipe", [](const StepReport& r) { return cell(r.recipe); }},
    {"velocity_error", [](const StepReport& r) { return cell(r.verdict.velocity_error.value); }},
    {"scaled_residual", [](const StepReport& r) { return cell(r.verdict.scaled_residual); }},
    {"strict_residual", [](const StepReport& r) { return cell(r.verdict.strict_residual); }},
    {"impulse_growth", [](const StepReport& r) { return cell(r.verdict.impulse_growth); }},
    {"substeps", [](const StepReport& r) { return cell(r.substeps); }},
    {"velocity_rounding", [](const StepReport& r) { return cell(r.velocity_rounding); }},
};

constexpr Column<NewtonIteration> kNewtonColumns[] = {
    {"step", [](const NewtonIteration& n) { return cell(n.step); }},
    {"iteration", [](const NewtonIteration& n) { return cell(n.iteration); }},
    {"velocity_error", [](const NewtonIteration& n) { return cell(n.velocity_error); }},
    {"momentum_residual", [](const NewtonIteration& n) { return cell(n.momentum_residual); }},
    {"natural_map", [](const NewtonIteration& n) { return cell(n.natural_map); }},
    {"function_norm", [](const NewtonIteration& n) { return cell(n.function_norm); }},
    {"linear_iterations", [](const NewtonIteration& n) { return cell(n.linear_iterations); }},
    {"linear_residual", [](const NewtonIteration& n) { return cell(n.linear_residual); }},
    {"linear_reason", [](const NewtonIteration& n) { return cell(n.linear_reason); }},
    {"damping", [](const NewtonIteration& n) { return cell(n.damping); }},
    {"changed_contacts", [](const NewtonIteration& n) { return cell(n.changed_contacts); }},
};

constexpr Column<LinearIteration> kLinearColumns[] = {
    {"step", [](const LinearIteration& l) { return cell(l.step); }},
    {"newton_iteration", [](const LinearIteration& l) { return cell(l.newton_iteration); }},
    {"iteration", [](const LinearIteration& l) { return cell(l.iteration); }},
    {"residual", [](const LinearIteration& l) { return cell(l.residual); }},
};

template <class Record, std::size_t N>
std::vector<std::string> names(const Column<Record> (&columns)[N]) {
  std::vector<std::string> result;
  for (const auto& column : columns) result.emplace_back(column.name);
  return result;
}

template <class Record, std::size_t N>
std::string row(const Column<Record> (&columns)[N], const Record& record) {
  std::string line;
  for (const auto& column : columns) {
    if (!line.empty()) line += ',';
    line += column.text(record);
  }
  return line += '\n';
}

}  // namespace

std::vector<std::string> step_columns() { return names(kStepColumns); }
std::vector<std::string> newton_columns() { return names(kNewtonColumns); }
std::vector<std::string> linear_columns() { return names(kLinearColumns); }
std::string step_row(const StepReport& report) { return row(kStepColumns, report); }
std::string newton_row(const NewtonIteration& iteration) { return row(kNewtonColumns, iteration); }
std::string linear_row(const LinearIteration& iteration) { return row(kLinearColumns, iteration); }

std::vector<std::string> sensor_columns(const std::vector<std::string>& sensors) {
  std::vector<std::string> columns = {"step", "time"};
  for (const std::string& sensor : sensors) columns.push_back(cell(sensor));
  return columns;
}

std::string sensor_row(int step, double time, const std::vector<double>& values) {
  std::string line = cell(step) + ',' + cell(time);
  for (const double value : values) line += ',' + cell(value);
  return line += '\n';
}

std::string csv_header(const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& column : columns) {
    if (!line.empty()) line += ',';
    line += column;
  }
  return line += '\n';
}

std::string text_row(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) line += (i ? "," : "") + cell(cells[i]);
  return line += '\n';
}

std::string shortest_number(double value) {
  if (std::isnan(value)) return "nan";  // to_chars would keep its sign, which means nothing
  char buffer[32];                      // the longest is 24: -1.2345678901234567e-308
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end.ptr};
}

}  // namespace clarke
