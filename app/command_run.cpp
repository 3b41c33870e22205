// clarke run SCENE.yaml [-option value ...]: steps through the scene, writes results, judges what the scene expects.

#include "app/commands.hpp"
#include "app/convergence.hpp"
#include "app/element_counts.hpp"
#include "app/option_sources.hpp"
#include "app/progress.hpp"
#include "app/session.hpp"
#include "assembly/problem_capture.hpp"
#include "assembly/rest_watch.hpp"
#include "framework/error.hpp"
#include "framework/text.hpp"
#include "postprocess/atomic_file.hpp"
#include "postprocess/csv_records.hpp"
#include "postprocess/output_writer.hpp"
#include "postprocess/problem_writer.hpp"

#include <nlohmann/json.hpp>
#include <petscsys.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

namespace clarke {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

volatile std::sig_atomic_t interrupted = 0;

/// The first signal ends the run after the current step, with a valid summary; a second one ends the program.
extern "C" void on_interrupt(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

/// Joins the frames, tables and the summary of one run.
class Run {
 public:
  explicit Run(Session& session)
      : session_(session),
        tracker_(session.options().check_expectations ? session.scene().expect : std::vector<Expectation>(),
                 session.scene().world),
        sensors_(session.scene().sensors, session.scene().world),
        rest_(session.options().rest_energy, session.options().rest_duration),
        capture_(session.capture_options()),
        start_(Clock::now()),
        initial_(session.frame()) {
    tracker_.start(initial_);
    sensors_.start(initial_);
  }

  int run() {
    Progress progress(session_.options().progress, session_.steps());
    for (int step = 1; step <= session_.steps() && !interrupted && !ended_by_rest(); ++step) {
      StepReport report = one_step(step);
      if (step == 1) open_output(report.contacts);
      if (session_.stepped()) capture_.observe(report, session_.problem());
      record_conditioning(report);
      convergence_.observe(report);
      if (report.failed) return fail(report, progress);
      last_done_ = report;
      record(report);
      for (const std::string& warning : report.warnings) progress.message(warning);
      if (!report.explanation.empty()) progress.message(report.explanation);
      progress.step_done(report);
    }
    return interrupted ? stop_early(progress) : finish(progress);
  }

 private:
  bool ended_by_rest() const { return session_.options().until_rest && rest_.at_rest(); }

  StepReport one_step(int step) {
    try {
      return session_.step();
    } catch (const StepError& error) {
      return failed_step(step, error.what());
    } catch (const InputError& error) {  // a function of time that is no longer finite
      if (!writer_) throw;               // in the first step it may be an option
      return failed_step(step, error.what());
    }
  }

  StepReport failed_step(int step, const std::string& reason) const {
    StepReport report = last_done_;
    report.step = step;
    report.time = step * session_.options().time_step;
    report.reason = reason;
    report.failed = true;
    return report;
  }

  /// Only after the first step, when everybody has read his options: an earlier run's results are not removed for a run
  /// that is refused.
  void open_output(int contacts) {
    for (const std::string& warning : session_.unused_options())
      std::cerr << "clarke: warning: " << warning << std::endl;
    constexpr double kMuch = 1e8;  // [byte] below it nobody needs to know
    if (const OutputEstimate estimate = session_.output_estimate(contacts); estimate.bytes() > kMuch)
      std::cerr << "clarke: about " << estimate.text()
                << "; -output_every, -output_bodies poses and -output_fields make it less; memory so far "
                << byte_text(peak_memory()) << std::endl;
    writer_ =
        std::make_unique<OutputWriter>(session_.options().output_dir, session_.scene().world.name, session_.surfaces(),
                                       session_.provenance(), sensors_.names(), session_.selection());
    if (session_.options().output_every > 0) writer_->write_frame(initial_);
  }

  void record_conditioning(const StepReport& report) {
    if (!session_.options().conditioning || !session_.stepped()) return;
    const auto with_step = [](std::vector<std::string> cells, const std::string& step, const std::string& time) {
      cells.insert(cells.begin(), {step, time});
      return text_row(cells);
    };
    if (!conditioning_)
      conditioning_ =
          std::make_unique<RecordFile>(std::filesystem::path(session_.options().output_dir) / "conditioning.csv",
                                       with_step(ConditioningCard::columns(), "step", "time"));
    conditioning_->append(
        with_step(session_.conditioning().values(), std::to_string(report.step), format_real(report.time)));
  }

  void record(StepReport& report) {
    const Clock::time_point begin = Clock::now();
    rest_.observe(report.time, report.verdict.kinetic_energy);
    const int every = session_.options().output_every;
    const bool last = report.step == session_.steps() || interrupted || ended_by_rest();
    const bool wanted = every > 0 && (report.step % every == 0 || last);
    const bool needed = tracker_.needs_frames() || sensors_.needs_frames();
    const Frame frame = wanted || needed ? session_.frame() : Frame();
    if (wanted) writer_->write_frame(frame);
    tracker_.observe(report, frame);
    const std::vector<double> sensed = sensors_.values(report, frame);
    report.seconds.output += seconds_since(begin);
    writer_->write_step(report);
    if (!sensors_.empty()) writer_->write_sensors(report.step, report.time, sensed);
  }

  /// Files of the steps kept so far, in <output_dir>/problems: "box_pile-step0123-c456.hdf5".
  std::vector<std::string> write_problems() const {
    std::vector<std::string> files;
    for (const CapturedStep& captured : capture_.steps()) {
      const StepReport& r = captured.report;
      std::string number = std::to_string(r.step);
      number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
      const std::string name = session_.scene().world.name + "-step" + number + "-c" + std::to_string(r.contacts);
      const std::filesystem::path path = std::filesystem::path(session_.options().output_dir) / "problems" / name;
      nlohmann::json provenance = session_.provenance();
      provenance["step"] = {{"step", r.step},
                            {"time", r.time},
                            {"time_step", session_.options().time_step},
                            {"reason", r.reason},
                            {"newton_iterations", r.newton_iterations},
                            {"linear_iterations", r.linear_iterations},
                            {"velocity_error", r.verdict.velocity_error.value},
                            {"natural_map_relative", r.verdict.natural_map_relative},
                            {"seconds_solve", r.seconds.solve}};
      ContactProblem problem = captured.problem;
      problem.title = name;
      problem.description = "Step " + std::to_string(r.step) + " of " + session_.scene().world.name + ", " +
                            std::to_string(r.contacts) + " contacts, linearised where it ended (" + r.reason + ").";
      if (!problem.joint_lower.empty())
        problem.description +=
            " Some rows of G are bounded (clarke/joint_lower, joint_upper): as equalities they say more.";
      if (!problem.compliance.empty() || !problem.joint_compliance.empty())
        problem.description += " Some rows are compliant (clarke/contact_compliance, joint_compliance).";
      files.push_back(path.string() + ".hdf5");
      write_problem(files.back(), problem, provenance.dump(1));
      if (!session_.capture_options().local) continue;
      files.push_back(path.string() + "-local.hdf5");
      write_problem(files.back(), problem, delassus_form(problem), provenance.dump(1));
    }
    return files;
  }

  nlohmann::json summary() const {
    const World& world = session_.scene().world;
    const ElementCounts elements = count_elements(world);
    nlohmann::json summary = {{"dt", session_.options().time_step},
                              {"bodies", world.bodies.size()},
                              {"particles", world.particles.size()},
                              {"soft_bodies", world.softs.size()},
                              {"tetrahedra", elements.tetrahedra},
                              {"cloths", world.cloths.size()},
                              {"triangles", elements.triangles},
                              {"joints", world.joints.size()},
                              {"attachments", world.attachments.size()},
                              {"at_rest", rest_.at_rest()},
                              {"at_rest_since", nullptr},
                              {"seconds_total", seconds_since(start_)}};
    if (rest_.at_rest()) summary["at_rest_since"] = *rest_.since();
    summary.update(session_.initial().record());
    summary.update(session_.overlaps().record());
    if (nlohmann::json found = session_.feasibility_watch().record(); !found.is_null())
      summary["feasibility"] = std::move(found);
    if (session_.capture_options().problems > 0 || session_.capture_options().step > 0)
      summary["problems"] = write_problems();
    return summary;
  }

  /// What every run ends with, whatever became of it.
  std::string last_line(const std::string& expectations = "") const {
    std::string line = session_.scene().world.name + ": " + convergence_.text();
    if (session_.options().until_rest)
      line += rest_.at_rest() ? ", at rest since " + format_real(*rest_.since()) + " s" : std::string(", not at rest");
    return line + expectations + (writer_ ? ", results in " + session_.options().output_dir : "");
  }

  int fail(StepReport& report, Progress& progress) {
    writer_->write_step(report);
    const Residual& worst = report.verdict.velocity_error;
    nlohmann::json extra = summary();
    extra["failure"] = {{"step", report.step},
                        {"time", report.time},
                        {"reason", report.reason},
                        {"where", worst.where},
                        {"velocity_error", worst.value}};
    writer_->write_summary(extra);
    if (!report.explanation.empty()) progress.message(report.explanation);
    progress.message(last_line());
    throw StepError(
        "step " + std::to_string(report.step) + " (t = " + format_real(report.time) + " s) failed: " + report.reason +
        (worst.where.empty() ? "" : "; largest error " + format_real(worst.value) + " m/s at " + worst.where) +
        (report.feasibility.empty() ? "" : "; " + report.feasibility));
  }

  int stop_early(Progress& progress) {
    if (writer_) {
      nlohmann::json extra = summary();
      extra["interrupted"] = true;
      extra["expectations"] = expectation_record(tracker_.results());
      writer_->write_summary(extra);
    }
    progress.message("interrupted after step " + std::to_string(last_done_.step) + ": " + last_line());
    return 1;
  }

  int finish(Progress& progress) {
    const std::vector<ExpectationResult> results = tracker_.results();
    nlohmann::json extra = summary();
    extra["expectations"] = expectation_record(results);
    writer_->write_summary(extra);
    progress.clear_bar();
    if (extra.contains("problems") && extra["problems"].empty())
      std::cerr << "clarke: warning: no step was captured: none of those asked for had contacts, or was reached"
                << std::endl;
    if (const SystemDump& dump = session_.dump(); dump.wanted() && !dump.written())
      progress.message("warning: -dump_system: there was no linearisation in iteration " +
                       std::to_string(dump.options().iteration) + " of step " + std::to_string(dump.options().step));
    std::size_t held = 0;
    for (const ExpectationResult& result : results) {
      held += result.held ? 1 : 0;
      if (!result.held) std::cerr << "clarke: " << result.expectation.where << ": " << result.text() << std::endl;
    }
    std::string held_text;
    if (!results.empty())
      held_text = ", " + std::to_string(held) + " of " + std::to_string(results.size()) + " expectations held";
    progress.message(last_line(held_text));
    const bool unconverged = session_.options().fail_unconverged && convergence_.unconverged() > 0;
    if (unconverged)
      std::cerr << "clarke: -fail_unconverged: " << convergence_.unconverged() << " of " << last_done_.step
                << " steps did not converge" << std::endl;
    return held == results.size() && !unconverged ? 0 : 1;
  }

  Session& session_;
  ExpectationTracker tracker_;
  Sensors sensors_;
  RestWatch rest_;
  ProblemCapture capture_;
  Clock::time_point start_;
  Frame initial_;
  StepReport last_done_;
  Convergence convergence_;
  std::unique_ptr<OutputWriter> writer_;
  std::unique_ptr<RecordFile> conditioning_;
};

}  // namespace

int command_run(const Arguments& arguments) {
  const bool help = help_wanted();
  if (help) std::cout << options_help() << std::flush;
  Session session(arguments.positionals[0]);
  if (help) return 0;  // PETSc has printed its part while the solvers were set up
  for (const std::string& line : session.initial().lines()) std::cerr << "clarke: " << line << std::endl;
  for (const std::string& line : session.overlaps().lines()) std::cerr << "clarke: " << line << std::endl;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return Run(session).run();
}

}  // namespace clarke
