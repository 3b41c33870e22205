#include "app/captured_problems.hpp"

#include "postprocess/problem_writer.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace clarke {

std::vector<std::string> write_captured_problems(Session& session, const std::vector<CapturedStep>& steps) {
  std::vector<std::string> files;
  for (const CapturedStep& captured : steps) {
    const StepReport& r = captured.report;
    std::string number = std::to_string(r.step);
    number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
    const std::string name = session.scene().world.name + "-step" + number + "-c" + std::to_string(r.contacts);
    const std::filesystem::path path = std::filesystem::path(session.options().output_dir) / "problems" / name;
    nlohmann::json provenance = session.provenance();
    provenance["step"] = {{"step", r.step},
                          {"time", r.time},
                          {"time_step", session.options().time_step},
                          {"reason", r.reason},
                          {"newton_iterations", r.newton_iterations},
                          {"linear_iterations", r.linear_iterations},
                          {"velocity_error", r.verdict.velocity_error.value},
                          {"natural_map_relative", r.verdict.natural_map_relative},
                          {"seconds_solve", r.seconds.solve}};
    ContactProblem problem = captured.problem;
    problem.title = name;
    problem.description = "Step " + std::to_string(r.step) + " of " + session.scene().world.name + ", " +
                          std::to_string(r.contacts) + " contacts, linearised where it ended (" + r.reason + ").";
    if (!problem.joint_lower.empty())
      problem.description +=
          " Some rows of G are bounded (clarke/joint_lower, joint_upper): as equalities they say more.";
    if (!problem.compliance.empty() || !problem.joint_compliance.empty())
      problem.description += " Some rows are compliant (clarke/contact_compliance, joint_compliance).";
    files.push_back(path.string() + ".hdf5");
    write_problem(files.back(), problem, provenance.dump(1));
    if (!session.capture_options().local) continue;
    files.push_back(path.string() + "-local.hdf5");
    write_problem(files.back(), problem, delassus_form(problem), provenance.dump(1));
  }
  return files;
}

}  // namespace clarke
