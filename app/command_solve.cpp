// clarke solve PROBLEM.hdf5 ... [-option value ...]: solves contact problems from files and says how well.

#include "app/commands.hpp"
#include "app/option_sources.hpp"
#include "app/provenance.hpp"
#include "cases/file_hash.hpp"
#include "cases/problem_file.hpp"
#include "cases/problem_model.hpp"
#include "cases/solve_options.hpp"
#include "framework/error.hpp"
#include "framework/text.hpp"
#include "postprocess/atomic_file.hpp"
#include "postprocess/problem_records.hpp"
#include "postprocess/run_summary.hpp"

#include <petscsys.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace clarke {
namespace {

bool help_wanted() {
  PetscBool wanted = PETSC_FALSE;
  if (PetscOptionsHasHelp(nullptr, &wanted)) return false;
  return wanted == PETSC_TRUE;
}

ProblemRecord record_of(const ContactProblem& problem, const ProblemReport& report, int index) {
  ProblemRecord r;
  r.index = index;
  r.name = std::filesystem::path(problem.file).stem().string();
  r.file = problem.file;
  r.form = problem.local() ? "local" : "global";
  r.contacts = report.contacts;
  r.velocities = report.velocities;
  r.joint_rows = report.joint_rows;
  r.asymmetry = report.asymmetry;
  // What ended the iteration, unless that is not what the user asked for.
  r.reason = report.result.reason == "converged" && !report.solved ? "stopped" : report.result.reason;
  r.solved = report.solved;
  r.newton_iterations = report.result.newton_iterations;
  r.linear_iterations = report.result.linear_iterations;
  r.seconds = report.seconds;
  r.siconos = report.residuals.siconos;
  r.fclib = report.residuals.fclib;
  r.scaled = report.residuals.scaled;
  r.velocity_error = report.residuals.velocity_error;
  r.open = report.residuals.open;
  r.stick = report.residuals.stick;
  r.slip = report.residuals.slip;
  r.safeguards = report.result.safeguards;
  r.newton = report.result.newton;
  r.siconos_history = report.siconos_history;
  return r;
}

std::string file_sha256(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return sha256(text.str());
}

/// Before anything is solved: nobody wants to learn at the end that there is no place for the results.
void make_directory(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw InputError("-output_dir: " + directory + ": " + error.message());
}

void write_results(const SolveOptions& options, const std::vector<ProblemRecord>& records,
                   const nlohmann::json& resolved) {
  const std::filesystem::path directory = options.output_dir;
  write_whole_file(directory / "problems.csv", problems_csv(records));
  write_whole_file(directory / "newton.csv", problem_newton_csv(records));
  nlohmann::json provenance = program_provenance(), problems = nlohmann::json::array(), files = problems;
  int solved = 0;
  double seconds = 0;
  for (const ProblemRecord& r : records) {
    problems.push_back(problem_json(r));
    files.push_back({{"file", r.file}, {"sha256", file_sha256(r.file)}});
    solved += r.solved;
    seconds += r.seconds;
  }
  provenance["problems"] = std::move(files);
  SolveOptions copy = options;
  provenance["solve"] = options_record([&copy](OptionVisitor& v) { copy.describe(v); });
  provenance["options"] = resolved;
  write_whole_file(directory / "summary.json", json_text({{"problems", std::move(problems)},
                                                          {"solved", solved},
                                                          {"count", records.size()},
                                                          {"seconds_solve", seconds},
                                                          {"provenance", std::move(provenance)}}));
}

}  // namespace

int command_solve(const Arguments& arguments) {
  const bool help = help_wanted();
  if (help) std::cout << options_help() << std::flush;
  add_preset("problem");
  SolveOptions options;
  read_options(options);
  std::vector<ContactProblem> problems;  // all of them first: bad input is found before anything is solved
  for (const std::string& file : arguments.positionals) problems.push_back(read_problem(file));
  if (!options.output_dir.empty()) make_directory(options.output_dir);

  std::vector<ProblemRecord> records;
  nlohmann::json resolved;
  int solved = 0;
  for (const ContactProblem& problem : problems) {
    ProblemModel model(problem);
    if (help) return 0;  // PETSc has printed its part while the solvers were set up
    const ProblemReport report = model.solve();
    records.push_back(record_of(problem, report, static_cast<int>(records.size()) + 1));
    if (records.size() == 1) {
      for (const std::string& warning : check_unused_options())
        std::cerr << "clarke: warning: " << warning << std::endl;
      resolved = model.resolved_options();
      std::cout << problem_table_head() << std::endl;
    }
    std::cout << problem_table_row(records.back()) << std::endl;
    solved += report.solved;
  }
  if (!options.output_dir.empty()) write_results(options, records, resolved);
  const std::size_t count = records.size();
  std::cout << solved << " of " << count << " solved to a residual of "
            << format_real(resolved.value("solve_tolerance", 0.0))
            << (options.output_dir.empty() ? "" : ", results in " + options.output_dir) << std::endl;
  return static_cast<std::size_t>(solved) == count ? 0 : 1;
}

}  // namespace clarke
