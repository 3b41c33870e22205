// clarke run SCENE.yaml [-option value ...]: steps through the scene, writes results, judges what the scene expects.
// clarke run -restart FILE: the same from a checkpoint on.

#include "app/captured_problems.hpp"
#include "app/checkpoint.hpp"
#include "app/commands.hpp"
#include "app/convergence.hpp"
#include "app/element_counts.hpp"
#include "app/interruption.hpp"
#include "app/option_sources.hpp"
#include "app/progress.hpp"
#include "app/session.hpp"
#include "assembly/problem_capture.hpp"
#include "assembly/rest_watch.hpp"
#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/text.hpp"
#include "postprocess/checkpoint_file.hpp"
#include "postprocess/output_writer.hpp"

#include <nlohmann/json.hpp>
#include <petscsys.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <new>
#include <optional>

namespace clarke {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Joins the frames, tables and the summary of one run.
class Run {
 public:
  Run(Session& session, const RunOrigin& origin, std::optional<StateArchive> continued)
      : session_(session),
        origin_(origin),
        continued_(std::move(continued)),
        tracker_(judged(), session.scene().world),
        sensors_(session.scene().sensors, session.scene().world),
        rest_(session.options().rest_energy, session.options().rest_duration),
        capture_(session.capture_options()),
        schedule_(session.options().checkpoint_every),
        start_(Clock::now()),
        initial_(session.frame()) {
    tracker_.start(initial_);
    sensors_.start(initial_);
  }

  int run() {
    Progress progress(session_.options().progress, session_.steps());
    if (continued_) begin_from_checkpoint(progress);
    try {
      return go_on(progress);
    } catch (const std::bad_alloc&) {
      return end_without_memory(progress);
    }
  }

 private:
  /// What this run is judged by.
  std::vector<Expectation> judged() {
    if (!session_.options().check_expectations) return {};
    std::vector<Expectation> all = session_.scene().expect;
    if (!session_.scene().build_options.empty()) not_judged_ = take_recorded(all);
    return all;
  }

  int go_on(Progress& progress) {
    for (int step = session_.steps_done() + 1; step <= session_.steps() && !interruption() && !ended_by_rest();
         ++step) {
      StepReport report = one_step(step);
      if (!writer_) open_output(report.contacts);
      if (session_.stepped()) capture_.observe(report, session_.problem());
      record_conditioning(report);
      if (report.failed) return fail(report, progress);
      convergence_.observe(report);
      last_done_ = report;
      record(report);
      for (const std::string& warning : report.warnings) progress.message(warning);
      if (!report.explanation.empty()) progress.message(report.explanation);
      progress.step_done(report);
      // After the last step the summary comes first: a run that is killed in between has to go on from somewhere.
      if (!complete() && schedule_.due(report.step)) write_checkpoint_or_warn(progress);
    }
    return interruption() && !complete() ? stop_early(progress) : finish(progress);
  }

  void begin_from_checkpoint(Progress& progress) {
    carry_over(*continued_);
    checkpoints_ = 1;
    const int done = session_.steps_done();
    if (complete())
      throw InputError(session_.options().restart + ": nothing is left to do: " + std::to_string(done) + " of " +
                       std::to_string(session_.steps()) + " steps are done; a later -time_end goes on");
    if (session_.capture_options().problems > 0)
      progress.message("warning: -capture_problems knows the steps from " + std::to_string(done + 1) + " on only");
    progress.message("continues after step " + std::to_string(done));
  }

  /// Everything but the output, which is there after the first step.
  void carry_over(StateArchive& archive) {
    double seconds = seconds_before_ + seconds_since(start_);
    archive.real("seconds", seconds);
    if (archive.reading()) seconds_before_ = seconds;
    archive.group("model", [&] { session_.carry_over(archive); });
    archive.group("expectations", [&] { tracker_.carry_over(archive); });
    archive.group("rest", [&] { rest_.carry_over(archive); });
    archive.group("convergence", [&] { convergence_.carry_over(archive); });
  }

  void write_checkpoint() {
    StateArchive archive;
    origin_.carry_over(archive);
    carry_over(archive);
    archive.group("output", [&] { writer_->carry_over(archive); });
    clarke::write_checkpoint(writer_->checkpoint_path(), archive.record(), program_name());
    schedule_.written();
    ++checkpoints_;
  }

  /// A run whose disk is full ends when it cannot write its results, and not before. Returns whether there is one.
  bool write_checkpoint_or_warn(Progress& progress) {
    try {
      write_checkpoint();
      return true;
    } catch (const std::runtime_error& error) {
      progress.message(std::string("warning: no checkpoint: ") + error.what());
      schedule_.written();
      return false;
    }
  }

  /// "; go on with: …", where there is a checkpoint.
  std::string how_to_go_on(const char* with = "") const {
    if (checkpoints_ == 0) return "";
    return std::string("; go on with") + with + ": clarke run -restart " + writer_->checkpoint_path().string();
  }

  bool complete() const { return session_.steps_done() >= session_.steps() || ended_by_rest(); }
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
    const auto open = [&] {
      writer_ = std::make_unique<OutputWriter>(session_.options().output_dir, session_.scene().world.name,
                                               session_.surfaces(), session_.provenance(), sensors_.names(),
                                               session_.selection(), continued_ ? &*continued_ : nullptr);
    };
    continued_ ? continued_->group("output", open) : open();
    if (!writer_->locked())
      std::cerr << "clarke: warning: the file system of " << session_.options().output_dir
                << " has no locks: see to it that no other run writes there" << std::endl;
    if (session_.options().output_every > 0 && !continued_) writer_->write_frame(initial_);
    continued_.reset();
  }

  void record_conditioning(const StepReport& report) {
    if (!session_.options().conditioning || !session_.stepped()) return;
    const auto with_step = [](std::vector<std::string> cells, const std::string& step, const std::string& time) {
      cells.insert(cells.begin(), {step, time});
      return cells;
    };
    writer_->write_conditioning(
        with_step(ConditioningCard::columns(), "step", "time"),
        with_step(session_.conditioning().values(), std::to_string(report.step), format_real(report.time)));
  }

  void record(StepReport& report) {
    const Clock::time_point begin = Clock::now();
    rest_.observe(report.time, report.verdict.kinetic_energy);
    const int every = session_.options().output_every;
    const bool last = report.step == session_.steps() || interruption() || ended_by_rest();
    const bool regular = every > 0 && report.step % every == 0;
    const bool wanted = regular || (every > 0 && last);
    const bool needed = tracker_.needs_frames() || sensors_.needs_frames();
    const Frame frame = wanted || needed ? session_.frame() : Frame();
    if (wanted) writer_->write_frame(frame, regular);
    tracker_.observe(report, frame);
    const std::vector<double> sensed = sensors_.values(report, frame);
    report.seconds.output += seconds_since(begin);
    writer_->write_step(report);
    if (!sensors_.empty()) writer_->write_sensors(report.step, report.time, sensed);
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
                              {"seconds_total", seconds_before_ + seconds_since(start_)}};
    if (rest_.at_rest()) summary["at_rest_since"] = *rest_.since();
    for (const Expectation& e : not_judged_) summary["expectations_not_judged"].push_back(e.text());
    summary.update(session_.initial().record());
    summary.update(session_.overlaps().record());
    if (nlohmann::json found = session_.feasibility_watch().record(); !found.is_null())
      summary["feasibility"] = std::move(found);
    if (session_.capture_options().problems > 0 || session_.capture_options().step > 0)
      summary["problems"] = write_captured_problems(session_, capture_.steps());
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
    // The state is that of the last good step: other options may take it further.
    if (schedule_.wanted() && last_done_.step > 0) write_checkpoint_or_warn(progress);
    convergence_.observe(report);
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
        (report.feasibility.empty() ? "" : "; " + report.feasibility) + how_to_go_on(" other options"));
  }

  /// With what there is: the summary of the steps done, and the last checkpoint as it was.
  int end_without_memory(Progress& progress) {
    const std::string reason = "out of memory after step " + std::to_string(last_done_.step);
    if (writer_) {
      nlohmann::json extra = summary();
      extra["failure"] = {{"step", last_done_.step + 1}, {"reason", "out of memory"}};
      writer_->write_summary(extra);
      progress.message(last_line());
    }
    throw StepError(reason + (writer_ ? how_to_go_on() : ""));
  }

  int stop_early(Progress& progress) {
    std::string go_on;
    if (writer_) {
      if (write_checkpoint_or_warn(progress)) go_on = how_to_go_on();
      nlohmann::json extra = summary();
      extra["interrupted"] = true;
      extra["expectations"] = expectation_record(tracker_.results());
      writer_->write_summary(extra);
    }
    progress.message("interrupted by " + std::string(interruption()) + " after step " +
                     std::to_string(last_done_.step) + ": " + last_line() + go_on);
    return 1;
  }

  int finish(Progress& progress) {
    const std::vector<ExpectationResult> results = tracker_.results();
    nlohmann::json extra = summary();
    extra["expectations"] = expectation_record(results);
    writer_->write_summary(extra);
    // From which a later -time_end goes on.
    if (checkpoints_ > 0 || schedule_.due(last_done_.step)) write_checkpoint_or_warn(progress);
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
    for (const Expectation& e : not_judged_)
      std::cerr << "clarke: " << e.where << ": not judged: " << e.text() << ", recorded without -"
                << session_.scene().build_options.front().first << std::endl;
    std::string held_text;
    if (!results.empty())
      held_text = ", " + std::to_string(held) + " of " + std::to_string(results.size()) + " expectations held";
    const bool unconverged = session_.options().fail_unconverged && convergence_.unconverged() > 0;
    // Other presets have a budget, and using it up is what they are for.
    if (!unconverged && convergence_.unconverged() > 0 && session_.options().preset == RunOptions().preset)
      progress.message("warning: " + std::to_string(convergence_.unconverged()) +
                       " steps did not converge: what is written of them is the best that was found, and no solution; "
                       "docs/failures.md says what to try, and -fail_unconverged true makes it exit code 1");
    progress.message(last_line(held_text));
    if (unconverged)
      std::cerr << "clarke: -fail_unconverged: " << convergence_.unconverged() << " of " << last_done_.step
                << " steps did not converge" << std::endl;
    return held == results.size() && !unconverged ? 0 : 1;
  }

  Session& session_;
  RunOrigin origin_;
  std::optional<StateArchive> continued_;  // the checkpoint, until the output is open
  std::vector<Expectation> not_judged_;    // of a scene of other sizes
  ExpectationTracker tracker_;
  Sensors sensors_;
  RestWatch rest_;
  ProblemCapture capture_;
  CheckpointSchedule schedule_;
  int checkpoints_ = 0;  // that are there: written, or begun with
  double seconds_before_ = 0;
  Clock::time_point start_;
  Frame initial_;
  StepReport last_done_;
  Convergence convergence_;
  std::unique_ptr<OutputWriter> writer_;
};

/// "." for a bare name.
std::string directory_of(const std::string& file) {
  const std::filesystem::path directory = std::filesystem::path(file).parent_path();
  return directory.empty() ? "." : directory.string();
}

}  // namespace

int command_run(const Arguments& arguments) {
  const bool help = help_wanted();
  if (help) std::cout << options_help() << std::flush;
  const std::string checkpoint = database_value("restart").value_or("");
  std::optional<StateArchive> continued;
  std::optional<RunOrigin> before;
  if (!checkpoint.empty()) {
    continued.emplace(read_checkpoint(checkpoint));
    before.emplace(*continued);
    for (const std::string& warning : before->restore_options())
      std::cerr << "clarke: warning: " << warning << std::endl;
    if (!database_value("output_dir")) set_database_option("output_dir", directory_of(checkpoint));
  }
  if (arguments.positionals.empty() && !before)
    throw InputError("a file name is missing; usage: clarke run SCENE.yaml [-option value ...], or clarke run " +
                     std::string("-restart FILE"));
  RunOrigin origin(arguments.positionals.empty() ? before->scene_file() : arguments.positionals[0]);
  Session session(origin.scene_file());
  origin.set_scene(session.scene());
  if (before)
    if (const std::string warning = before->check(session.scene(), checkpoint); !warning.empty())
      std::cerr << "clarke: warning: " << warning << std::endl;
  if (help) return 0;  // PETSc has printed its part while the solvers were set up
  for (const std::string& line : session.initial().lines()) std::cerr << "clarke: " << line << std::endl;
  for (const std::string& line : session.overlaps().lines(session.options().time_step))
    std::cerr << "clarke: " << line << std::endl;
  watch_signals();
  return Run(session, origin, std::move(continued)).run();
}

}  // namespace clarke
