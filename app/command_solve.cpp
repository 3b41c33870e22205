// clarke solve PROBLEM.hdf5 ... [-option value ...]: solves contact problems from files and says how well.

#include "app/commands.hpp"
#include "app/option_sources.hpp"
#include "app/provenance.hpp"
#include "assembly/problem_model.hpp"
#include "assembly/solve_options.hpp"
#include "framework/error.hpp"
#include "framework/sha256.hpp"
#include "framework/text.hpp"
#include "postprocess/atomic_file.hpp"
#include "postprocess/problem_records.hpp"
#include "postprocess/problem_writer.hpp"
#include "postprocess/run_summary.hpp"
#include "scene/reader/problem_file.hpp"

#include <petscsys.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace clarke {
namespace {

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
  r.reason = report.step.reason == "converged" && !report.solved ? "stopped" : report.step.reason;
  r.recipe = report.step.recipe;
  r.solved = report.solved;
  r.newton_iterations = report.step.newton_iterations;
  r.linear_iterations = report.step.linear_iterations;
  r.seconds = report.seconds;
  r.seconds_prepare = report.seconds_prepare;
  r.siconos = report.residuals.siconos;
  r.fclib = report.residuals.fclib;
  r.scaled = report.residuals.scaled;
  r.strict = report.residuals.strict;
  r.velocity_error = report.residuals.velocity_error;
  r.growth = report.residuals.growth;
  r.open = report.residuals.open;
  r.stick = report.residuals.stick;
  r.slip = report.residuals.slip;
  if (report.infeasibility) {
    r.finding = report.infeasibility->record()["finding"];
    r.feasibility = report.infeasibility->text();
  }
  r.safeguards = report.step.safeguards;
  r.newton = report.step.newton;
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
void make_directory(const char* option, const std::filesystem::path& directory) {
  std::error_code error;
  if (!directory.empty()) std::filesystem::create_directories(directory, error);
  if (error) throw InputError(std::string(option) + ": " + directory.string() + ": " + error.message());
}

/// Where each problem goes with its solution; empty when none was asked for.
std::vector<std::filesystem::path> solution_files(const SolveOptions& options,
                                                  const std::vector<ContactProblem>& problems) {
  const std::filesystem::path place = options.solution;
  std::vector<std::filesystem::path> out;
  if (place.empty()) return out;
  if (problems.size() == 1) {
    if (std::filesystem::is_directory(place))
      throw InputError("-o: " + place.string() + " is a folder; of one problem expected a file");
    make_directory("-o", place.parent_path());
    return {place};
  }
  make_directory("-o", place);
  std::set<std::string> names;
  for (const ContactProblem& problem : problems) {
    const std::filesystem::path name = std::filesystem::path(problem.file).filename();
    if (!names.insert(name.string()).second)
      throw InputError("-o: two problems are called " + name.string() + ": solve them one by one");
    out.push_back(place / name);
  }
  return out;
}

/// The columns of the card that problems.csv does not have under a name of its own.
std::vector<std::pair<std::string, std::string>> conditioning_columns(const ConditioningCard& card) {
  const std::set<std::string> known = {"contacts", "velocities", "sticking", "sliding", "open"};
  const std::vector<std::string> names = ConditioningCard::columns(), values = card.values();
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!known.contains(names[i])) out.emplace_back(names[i], values[i]);
  return out;
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

/// The problem as it was read, with what was reached in the place of its solution and as a guess behind its own.
void write_solution(const std::filesystem::path& path, ContactProblem problem, const ProblemSolution& solution,
                    const ProblemRecord& record, const nlohmann::json& resolved) {
  nlohmann::json provenance = program_provenance();
  provenance["problem"] = {{"file", problem.file}, {"sha256", file_sha256(problem.file)}};
  if (!problem.provenance.empty()) {
    nlohmann::json before = nlohmann::json::parse(problem.provenance, nullptr, false);
    provenance["problem"]["provenance"] =
        before.is_discarded() ? nlohmann::json(problem.provenance) : std::move(before);
  }
  provenance["solution"] = problem_json(record);
  provenance["options"] = resolved;
  problem.solution = solution;
  problem.guesses.push_back(solution);
  write_problem(path, problem, provenance.dump(1));
}

}  // namespace

int command_solve(const Arguments& arguments) {
  const bool help = help_wanted();
  if (help) std::cout << options_help() << std::flush;
  add_preset(SolveOptions().preset, true);
  SolveOptions options;
  read_options(options);
  std::vector<ContactProblem> problems;  // all of them first: bad input is found before anything is solved
  for (const std::string& file : arguments.positionals) problems.push_back(read_problem(file));
  make_directory("-output_dir", options.output_dir);
  const std::vector<std::filesystem::path> solutions = solution_files(options, problems);

  std::vector<ProblemRecord> records;
  nlohmann::json resolved;
  int solved = 0;
  bool dumped = false;
  for (const ContactProblem& problem : problems) {
    ProblemModel model(problem);
    if (help) return 0;  // PETSc has printed its part while the solvers were set up
    const int number = static_cast<int>(records.size()) + 1;
    const ProblemReport report = model.solve(number);
    records.push_back(record_of(problem, report, number));
    if (options.conditioning) records.back().conditioning = conditioning_columns(model.conditioning());
    dumped = dumped || model.dumped();
    if (records.size() == 1) {
      for (const std::string& warning : check_unused_options())
        std::cerr << "clarke: warning: " << warning << std::endl;
      resolved = model.resolved_options();
      std::cout << problem_table_head() << std::endl;
    }
    std::cout << problem_table_row(records.back()) << std::endl;
    if (const std::string line = problem_fallback_line(records.back()); !line.empty()) std::cout << line << std::endl;
    if (!records.back().feasibility.empty()) std::cout << "  " << records.back().feasibility << std::endl;
    if (!solutions.empty()) write_solution(solutions[number - 1], problem, model.solution(), records.back(), resolved);
    solved += report.solved;
  }
  if (!dumped)
    std::cerr << "clarke: warning: -dump_system: no problem has that number and came to that iteration" << std::endl;
  if (options.conditioning) {
    std::cout << '\n' << conditioning_table_head() << '\n';
    for (const ProblemRecord& record : records) std::cout << conditioning_table_row(record) << '\n';
    std::cout << '\n';
  }
  if (!options.output_dir.empty()) write_results(options, records, resolved);
  const std::size_t count = records.size();
  std::cout << solved << " of " << count << " solved to a residual of "
            << format_real(resolved.value("solve_tolerance", 0.0))
            << (options.output_dir.empty() ? "" : ", results in " + options.output_dir) << std::endl;
  return static_cast<std::size_t>(solved) == count ? 0 : 1;
}

}  // namespace clarke
