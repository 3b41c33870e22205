// clarke run SCENE.yaml [-option value ...]: steps through the scene, writes results, judges what the scene expects.

#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/session.hpp"
#include "cases/rest_watch.hpp"
#include "framework/error.hpp"
#include "framework/text.hpp"
#include "postprocess/output_writer.hpp"

#include <nlohmann/json.hpp>
#include <petscsys.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>

namespace clarke {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

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
        tracker_(session.scene().expect, session.scene().world),
        sensors_(session.scene().sensors, session.scene().world),
        rest_(session.options().rest_energy, session.options().rest_duration),
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
      if (report.failed) return fail(report, progress);
      last_done_ = report;
      record(report);
      for (const std::string& warning : session_.warnings()) progress.message(warning);
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
    for (const std::string& warning : check_unused_options())
      std::cerr << "clarke: warning: " << warning << std::endl;
    constexpr double kMuch = 1e8;  // [byte] below it nobody needs to know
    if (const OutputEstimate estimate = session_.output_estimate(contacts); estimate.bytes() > kMuch)
      std::cerr << "clarke: about " << estimate.text()
                << "; -output_every, -output_bodies poses and -output_fields make it less; memory so far "
                << byte_text(peak_memory()) << std::endl;
    writer_ =
        std::make_unique<OutputWriter>(session_.options().output_dir, session_.scene().world.name,
                                       session_.surfaces(), session_.provenance(), sensors_.names(),
                                       session_.selection());
    if (session_.options().output_every > 0) writer_->write_frame(initial_);
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

  nlohmann::json summary() const {
    const World& world = session_.scene().world;
    std::size_t tetrahedra = 0;
    for (const SoftDescription& body : world.softs) tetrahedra += body.mesh.tetrahedra.size();
    nlohmann::json summary = {{"dt", session_.options().time_step},
                              {"bodies", world.bodies.size()},
                              {"particles", world.particles.size()},
                              {"tetrahedra", tetrahedra},
                              {"joints", world.joints.size()},
                              {"at_rest", rest_.at_rest()},
                              {"at_rest_since", nullptr},
                              {"seconds_total", seconds_since(start_)}};
    if (rest_.at_rest()) summary["at_rest_since"] = *rest_.since();
    summary.update(session_.initial().record());
    summary.update(session_.overlaps().record());
    return summary;
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
    throw StepError("step " + std::to_string(report.step) + " (t = " + format_real(report.time) +
                    " s) failed: " + report.reason +
                    (worst.where.empty() ? ""
                                         : "; largest error " + format_real(worst.value) +
                                               " m/s at " + worst.where));
  }

  int stop_early(Progress& progress) {
    if (writer_) {
      nlohmann::json extra = summary();
      extra["interrupted"] = true;
      extra["expectations"] = expectation_record(tracker_.results());
      writer_->write_summary(extra);
    }
    progress.message("interrupted after step " + std::to_string(last_done_.step));
    return 1;
  }

  int finish(Progress& progress) {
    const std::vector<ExpectationResult> results = tracker_.results();
    nlohmann::json extra = summary();
    extra["expectations"] = expectation_record(results);
    writer_->write_summary(extra);
    progress.clear_bar();
    std::size_t held = 0;
    for (const ExpectationResult& result : results) {
      held += result.held ? 1 : 0;
      if (!result.held)
        std::cerr << "clarke: " << result.expectation.where << ": " << result.text() << std::endl;
    }
    std::string line =
        session_.scene().world.name + ": " + std::to_string(last_done_.step) + " steps";
    if (session_.options().until_rest)
      line += rest_.at_rest() ? ", at rest since " + format_real(*rest_.since()) + " s"
                              : std::string(", not at rest");
    if (!results.empty())
      line += ", " + std::to_string(held) + " of " + std::to_string(results.size()) +
              " expectations held";
    progress.message(line + ", results in " + session_.options().output_dir);
    return held == results.size() ? 0 : 1;
  }

  Session& session_;
  ExpectationTracker tracker_;
  Sensors sensors_;
  RestWatch rest_;
  Clock::time_point start_;
  Frame initial_;
  StepReport last_done_;
  std::unique_ptr<OutputWriter> writer_;
};

bool help_wanted() {
  PetscBool wanted = PETSC_FALSE;
  if (PetscOptionsHasHelp(nullptr, &wanted)) return false;
  return wanted == PETSC_TRUE;
}

}  // namespace

int command_run(const Arguments& arguments) {
  const bool help = help_wanted();
  if (help) std::cout << options_help() << std::flush;
  Session session(arguments.positionals[0]);
  if (help) return 0;  // PETSc has printed its part while the solvers were set up
  for (const std::string& line : session.initial().lines())
    std::cerr << "clarke: " << line << std::endl;
  for (const std::string& line : session.overlaps().lines())
    std::cerr << "clarke: " << line << std::endl;
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return Run(session).run();
}

}  // namespace clarke
