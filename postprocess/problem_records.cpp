#include "postprocess/problem_records.hpp"

#include "framework/text.hpp"
#include "postprocess/csv_records.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>

namespace clarke {

using nlohmann::json;

namespace {

/// A column is its name and its value; text and numbers in CSV and JSON come from the same list.
struct ProblemColumn {
  const char* name;
  json (*value)(const ProblemRecord&);
};

constexpr ProblemColumn kColumns[] = {
    {"problem", [](const ProblemRecord& r) -> json { return r.index; }},
    {"name", [](const ProblemRecord& r) -> json { return r.name; }},
    {"file", [](const ProblemRecord& r) -> json { return r.file; }},
    {"form", [](const ProblemRecord& r) -> json { return r.form; }},
    {"contacts", [](const ProblemRecord& r) -> json { return r.contacts; }},
    {"velocities", [](const ProblemRecord& r) -> json { return r.velocities; }},
    {"joint_rows", [](const ProblemRecord& r) -> json { return r.joint_rows; }},
    {"asymmetry", [](const ProblemRecord& r) -> json { return r.asymmetry; }},
    {"newton_iterations", [](const ProblemRecord& r) -> json { return r.newton_iterations; }},
    {"linear_iterations", [](const ProblemRecord& r) -> json { return r.linear_iterations; }},
    {"seconds", [](const ProblemRecord& r) -> json { return r.seconds; }},
    {"seconds_prepare", [](const ProblemRecord& r) -> json { return r.seconds_prepare; }},
    {"reason", [](const ProblemRecord& r) -> json { return r.reason; }},
    {"recipe", [](const ProblemRecord& r) -> json { return r.recipe; }},
    {"solved", [](const ProblemRecord& r) -> json { return r.solved ? 1 : 0; }},
    {"siconos_residual", [](const ProblemRecord& r) -> json { return r.siconos; }},
    {"fclib_residual", [](const ProblemRecord& r) -> json { return r.fclib; }},
    {"scaled_residual", [](const ProblemRecord& r) -> json { return r.scaled; }},
    {"strict_residual", [](const ProblemRecord& r) -> json { return r.strict; }},
    {"velocity_error", [](const ProblemRecord& r) -> json { return r.velocity_error; }},
    {"impulse_growth", [](const ProblemRecord& r) -> json { return r.growth; }},
    {"open", [](const ProblemRecord& r) -> json { return r.open; }},
    {"stick", [](const ProblemRecord& r) -> json { return r.stick; }},
    {"slip", [](const ProblemRecord& r) -> json { return r.slip; }},
    {"feasibility", [](const ProblemRecord& r) -> json { return r.finding; }},
};

std::string csv_text(const json& value) {
  if (value.is_number_float()) return shortest_number(value.get<double>());
  if (!value.is_string()) return value.dump();
  std::string text = value.get<std::string>();
  for (char& c : text) {
    if (c == ',') c = ';';
    if (c == '"') c = '\'';
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  return text;
}

std::string line_of(const std::vector<std::string>& cells) { return csv_header(cells); }

}  // namespace

std::string problems_csv(const std::vector<ProblemRecord>& records) {
  std::vector<std::string> cells;
  for (const ProblemColumn& column : kColumns) cells.emplace_back(column.name);
  if (!records.empty())
    for (const auto& [name, value] : records.front().conditioning) cells.push_back(name);
  std::string text = line_of(cells);
  for (const ProblemRecord& record : records) {
    cells.clear();
    for (const ProblemColumn& column : kColumns) cells.push_back(csv_text(column.value(record)));
    for (const auto& [name, value] : record.conditioning) cells.push_back(csv_text(value));
    text += line_of(cells);
  }
  return text;
}

std::string problem_newton_csv(const std::vector<ProblemRecord>& records) {
  std::vector<std::string> columns = newton_columns();
  columns.emplace_back("siconos_residual");
  std::string text = csv_header(columns);
  for (const ProblemRecord& record : records)
    for (std::size_t i = 0; i < record.newton.size(); ++i) {
      NewtonIteration row = record.newton[i];
      row.step = record.index;
      std::string line = newton_row(row);
      line.pop_back();  // the line break
      const bool known = record.siconos_history.size() == record.newton.size();
      text += line + ',' + (known ? shortest_number(record.siconos_history[i]) : "nan") + '\n';
    }
  return text;
}

json problem_json(const ProblemRecord& record) {
  json out = json::object();
  for (const ProblemColumn& column : kColumns) {
    json value = column.value(record);
    if (value.is_number_float() && !std::isfinite(value.get<double>())) value = nullptr;
    out[column.name] = std::move(value);
  }
  out["solved"] = record.solved;
  out["safeguards"] = record.safeguards;
  if (!record.feasibility.empty()) out["feasibility_text"] = record.feasibility;
  for (const auto& [name, value] : record.conditioning) {
    const auto number = parse_real(value);
    out[name] = number && std::isfinite(*number) ? json(*number) : number ? json() : json(value);
  }
  return out;
}

std::string problem_table_head() {
  char line[256];
  std::snprintf(line, sizeof line, "%-38s %8s %6s %6s %7s %9s  %-10s %9s %9s %9s %9s %9s", "problem", "contacts",
                "veloc.", "newton", "linear", "seconds", "reason", "siconos", "fclib", "scaled", "strict", "err [m/s]");
  return line;
}

std::string problem_table_row(const ProblemRecord& r) {
  char line[512];
  std::snprintf(line, sizeof line, "%-38.38s %8d %6d %6d %7d %9.3g  %-10.40s %9.2e %9.2e %9.2e %9.2e %9.2e%s",
                r.name.c_str(), r.contacts, r.velocities, r.newton_iterations, r.linear_iterations, r.seconds,
                r.reason.c_str(), r.siconos, r.fclib, r.scaled, r.strict, r.velocity_error,
                r.solved ? "" : "  NOT SOLVED");
  return line;
}

std::string problem_fallback_line(const ProblemRecord& r) {
  const auto tried = r.safeguards.find("fallback_sequence");
  if (tried == r.safeguards.end()) return "";
  return "  -fallback_sequence: " + std::to_string(tried->second) + " tried; this is " +
         (r.recipe.empty() ? "without a recipe" : "by recipe " + r.recipe);
}

std::string conditioning_table_head() {
  char line[256];
  std::snprintf(line, sizeof line, "%-38s %8s %8s %8s %9s %9s %9s %9s %8s", "problem", "density", "rows", "rank/row",
                "eig. min", "eig. max", "asymmetry", "masses", "islands");
  return line;
}

std::string conditioning_table_row(const ProblemRecord& r) {
  const auto cell = [&r](const char* name) {
    for (const auto& [column, value] : r.conditioning)
      if (column == name) return parse_real(value).value_or(NAN);
    return static_cast<double>(NAN);
  };
  char line[512];
  std::snprintf(line, sizeof line, "%-38.38s %8.3g %8.0f %8.3g %9.2e %9.2e %9.2e %9.2e %8.0f", r.name.c_str(),
                cell("contact_density"), cell("rows"), cell("rank_ratio"), cell("eigenvalue_min"),
                cell("eigenvalue_max"), cell("schur_asymmetry"), cell("mass_ratio"), cell("islands"));
  return line;
}

}  // namespace clarke
