#pragma once
// Tables of `clarke solve`: problems.csv, a row per problem, and newton.csv, a row per problem and Newton iteration.
// Format as in csv_records.hpp.

#include "framework/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace clarke {

/// One solved problem, flat.
struct ProblemRecord {
  int index = 0;                 // 1 for the first file of the command line; `step` in newton.csv
  std::string name, file, form;  // form: local or global
  int contacts = 0, velocities = 0, joint_rows = 0;
  double asymmetry = 0;        // max |W − Wᵀ| / max |W| of a given W
  std::string reason, recipe;  // recipe: of -fallback_sequence, whose result this is; "" for the own options
  bool solved = false;
  int newton_iterations = 0, linear_iterations = 0;
  double seconds = 0, seconds_prepare = 0;  // of the solve, and of what comes between it and reading
  double siconos = 0, fclib = 0, scaled = 0, strict = 0, velocity_error = 0,
         growth = 0;                  // verdict/problem_residuals.hpp
  int open = 0, stick = 0, slip = 0;  // contacts
  std::string finding, feasibility;   // of what was not solved, and the line that says it; or empty
  std::map<std::string, long> safeguards;
  std::vector<std::pair<std::string, std::string>> conditioning;  // further columns, the same in every record; or none
  std::vector<NewtonIteration> newton;
  std::vector<double> siconos_history;  // per row of `newton`; empty where they do not correspond
};

std::string problems_csv(const std::vector<ProblemRecord>& records);
/// The columns of newton.csv of a run, with `step` the index of the problem, and siconos_residual.
std::string problem_newton_csv(const std::vector<ProblemRecord>& records);
/// The row of problems.csv as an object, with safeguards.
nlohmann::json problem_json(const ProblemRecord& record);
/// Heading and line of the tables on the terminal: how the problem was solved, and how hard it is.
std::string problem_table_head();
std::string problem_table_row(const ProblemRecord& record);
/// Below it, of a problem whose fallbacks were needed; else empty.
std::string problem_fallback_line(const ProblemRecord& record);
std::string conditioning_table_head();
std::string conditioning_table_row(const ProblemRecord& record);

}  // namespace clarke
