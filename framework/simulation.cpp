#include "framework/simulation.hpp"

#include "framework/state_archive.hpp"
#include "framework/text.hpp"
#include "framework/worst_verdict.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <functional>
#include <optional>

namespace clarke {

namespace {

constexpr int kUnsolvedRounds = 5;     // of -detect_again that end without a solution: another is hardly ever found
constexpr int kUnsolvedSteps = 15000;  // and Newton steps of theirs, after which there are no more of them
// Of -detect_again_depth: the judge computes depths in another way, and what lies nearly as deep need not be one more
// pair of features.
constexpr double kSlack = 3.5;

/// Seconds since the last lap.
class Laps {
 public:
  double lap() {
    const double seconds = timer_.seconds();
    timer_.reset();
    return seconds;
  }

 private:
  Kokkos::Timer timer_;
};

StepTransfers transfers_so_far() {
  StepTransfers now;
  if constexpr (kDeviceIsHost) return now;
  const Transfers& all = transfers();
  const Transfers::Count to_host = Transfers::total(all.to_host), to_device = Transfers::total(all.to_device);
  now = {to_host.times, to_device.times, to_host.bytes, to_device.bytes, 0};
  for (const auto& [name, times] : all.results) now.results += times;
  return now;
}

StepTransfers operator-(const StepTransfers& a, const StepTransfers& b) {
  return {a.to_host - b.to_host, a.to_device - b.to_device, a.to_host_bytes - b.to_host_bytes,
          a.to_device_bytes - b.to_device_bytes, a.results - b.results};
}

/// Costs add up over the attempts at a step; how it ended is that of the last one.
void add_solve(SolveResult& solved, StepReport& report) {
  for (NewtonIteration& row : solved.newton) row.iteration += report.newton_iterations;
  for (LinearIteration& row : solved.linear) row.newton_iteration += report.newton_iterations;
  report.newton_iterations += solved.newton_iterations;
  report.linear_iterations += solved.linear_iterations;
  report.newton_iterations_per_row += solved.newton_iterations_per_row;
  report.linear_iterations_per_row += solved.linear_iterations_per_row;
  report.reason = std::move(solved.reason);
  report.failed = solved.failed;
  report.newton.insert(report.newton.end(), solved.newton.begin(), solved.newton.end());
  report.linear.insert(report.linear.end(), solved.linear.begin(), solved.linear.end());
  for (const auto& [name, times] : solved.safeguards) report.safeguards[name] += times;
  report.velocity_rounding = solved.velocity_rounding;
}

void add_mechanical_state(const StepProblem& problem, const State& state, Verdict& verdict) {
  MechanicalState sum;
  for (int i = 0; i < problem.contributors(); ++i) sum += problem.contributor(i).mechanical_state(state);
  verdict.kinetic_energy = sum.kinetic;
  verdict.potential_energy = sum.potential;
  for (int k = 0; k < 3; ++k) {
    verdict.linear_momentum[k] = sum.linear[k];
    verdict.angular_momentum[k] = sum.angular[k];
  }
}

void copy_motion(const State& from, const State& to) {
  Kokkos::deep_copy(to.x, from.x);
  Kokkos::deep_copy(to.orientation, from.orientation);
  Kokkos::deep_copy(to.u, from.u);
}

/// A try of a step that was not the last: what it left unsolved, and where it ended.
struct StepTry {
  double left;
  StepReport report;
  View<Vec3> u;
  View<double> impulse;
};

template <class T>
View<T> copy_of(const View<T>& from) {
  View<T> out("copy", from.extent(0));
  Kokkos::deep_copy(out, from);
  return out;
}

/// Whether more than `depth` overlaps at the poses, beyond what the contacts know of themselves, as compliant ones do.
bool overlaps(const Verdict& verdict, double depth) {
  return verdict.geometric_penetration &&
         verdict.geometric_penetration->value > verdict.penetration.value + kSlack * depth;
}

}  // namespace

Simulation::Simulation(State start, std::unique_ptr<StepProblem> problem)
    : state_(std::move(start)), problem_(std::move(problem)), u_("u", state_.u.extent(0)) {}

void Simulation::prepare(double h) {
  problem_->set_general_rows(solver_->general_rows());
  problem_->set_whole_stiffness(solver_->whole_stiffness());
  problem_->begin_step(state_, h, steps_ + 1);
  solver_->prepare(*problem_);
}

StepReport Simulation::step(double h) {
  StepReport report;
  report.step = steps_ + 1;
  report.substeps = 0;
  const StepTransfers before = transfers_so_far();
  const double begin = state_.t, end = h == h_ ? origin_ + (steps_of_h_ + 1) * h_ : begin + h;
  advance(h, end, halvings, report);
  report.time = end;
  if (!report.failed) count(h, begin, report);

  Laps time;
  if (geometry && !report.failed) report.verdict.geometric_penetration = geometry(report.step, state_);
  if (detect_again > 0 && report.reason == "converged" && overlaps(report.verdict, detect_again_depth)) {
    report.reason = "overlap";
    ++unconverged_;
  }
  report.seconds.geometry = time.lap();
  report.unconverged_steps = unconverged_;
  add_mechanical_state(*problem_, state_, report.verdict);
  report.seconds.verdict += time.lap();
  report.transfers = transfers_so_far() - before;
  return report;
}

void Simulation::advance(double h, double end, int halvings_left, StepReport& report) {
  for (StepObserver* observer : observers_) observer->begin_step(state_, h);
  solver_->begin_step();
  for (Fallback& fallback : fallbacks_) fallback.solver->begin_step();
  attempt(*solver_, h, report);
  fall_back(h, report);

  Laps time;
  const bool halve = halvings_left > 0 && report.reason != "converged";
  problem_->count_safeguards(report.safeguards);
  if (examine && !halve && report.reason != "converged" && examine(*problem_, report)) evaluate_last();
  const bool refused = halve || report.failed;
  if (refused || !report.recipe.empty()) solver_->undo_step();
  for (Fallback& fallback : fallbacks_)
    if (refused || report.recipe != fallback.name) fallback.solver->undo_step();
  if (report.failed && !halve)
    report.reason += report.recipe.empty() ? "" : " (with the last recipe of -fallback_sequence too)";
  else if (!halve)
    accept(h, end, report);
  report.seconds.verdict += time.lap();
  if (halve) advance_in_halves(h, end, halvings_left - 1, report);
}

void Simulation::advance_in_halves(double h, double end, int halvings_left, StepReport& report) {
  StateArchive before;
  carry_over(before);
  report.warnings.push_back("warning: step " + std::to_string(report.step) + " did not converge: " + report.reason +
                            "; in two steps of " + format_real(h / 2) + " s instead");
  ++report.safeguards["step_halvings"];
  const double middle = state_.t + (end - state_.t) / 2;
  std::string reason, recipe;
  Verdict worst;
  double rounding = 0;
  for (const double to : {middle, end}) {
    report.recipe.clear();
    advance(h / 2, to, halvings_left, report);
    rounding = std::max(rounding, report.velocity_rounding);
    worst = to == middle ? report.verdict : worst_verdict(worst, report.verdict);
    if (reason.empty() || reason == "converged" || report.failed) reason = report.reason;
    if (!report.recipe.empty()) recipe = report.recipe;
    if (report.failed) break;
  }
  report.verdict = worst;
  report.velocity_rounding = rounding;
  report.reason = reason;
  report.recipe = recipe;
  if (!report.failed) return;
  StateArchive back(before.record());
  carry_over(back);
}

void Simulation::fall_back(double h, StepReport& report) {
  const auto left_now = [&] { return remaining ? remaining(report) : report.failed ? 1.0 : 0.0; };
  std::optional<StepTry> best;
  double left = fallbacks_.empty() ? 0 : left_now();
  for (Fallback& fallback : fallbacks_) {
    if (left == 0) break;
    if (remaining && (!best || left < best->left)) best = {left, report, copy_of(u_), copy_of(impulse_)};
    report.warnings.push_back("warning: step " + std::to_string(report.step) + " failed: " + report.reason +
                              "; once more with recipe " + fallback.name);
    report.recipe = fallback.name;
    ++report.safeguards["fallback_sequence"];
    const std::shared_ptr<void> in_force = fallback.put_in_force();
    attempt(*fallback.solver, h, report);
    left = left_now();
  }
  if (!best || left < best->left) return;
  report.reason = best->report.reason;
  report.failed = best->report.failed;
  report.recipe = best->report.recipe;
  report.verdict = best->report.verdict;
  report.velocity_rounding = best->report.velocity_rounding;
  Kokkos::deep_copy(u_, best->u);
  Kokkos::deep_copy(impulse_, best->impulse);
}

void Simulation::attempt(StepSolver& solver, double h, StepReport& report) {
  report.time = state_.t + h;
  if (const std::string warning = problem_->integrator().warning(); report.step == 1 && !warning.empty())
    report.warnings.push_back(warning);
  const std::vector<Stage> stages = problem_->integrator().stages(h, history_);
  if (stages.empty())
    solve(solver, state_, h, report);
  else
    attempt_stages(solver, stages, report);
}

void Simulation::attempt_stages(StepSolver& solver, const std::vector<Stage>& stages, StepReport& report) {
  if (stage_.x.extent(0) != state_.x.extent(0)) set_up_stages();
  Verdict worst;
  double rounding = 0;
  std::string reason = "converged";
  for (std::size_t k = 0; k < stages.size(); ++k) {
    const Stage& stage = stages[k];
    stage_.t = state_.t + stage.end - stage.length;
    start_of_stage(stage, problem_->entities(), state_, history_, first_stage_, stage_);
    solve(solver, stage_, stage.length, report);
    worst = k == 0 ? report.verdict : worst_verdict(worst, report.verdict);
    rounding = std::max(rounding, report.velocity_rounding);
    if (reason == "converged") reason = report.reason;
    if (report.failed) break;
    acceleration_of_stage(stage, u_, stage_.u, acceleration_);
    if (problem_->integrator().contact_weight() != 1) leave_out_contacts(stage.length);
    turning_of_stage(problem_->entities(), problem_->system().mass, u_, acceleration_, turning_);
    if (stage.probe) {
      Kokkos::deep_copy(history_.acceleration, acceleration_);
      Kokkos::deep_copy(history_.turning, turning_);
    } else if (k + 1 < stages.size()) {
      problem_->end_step(u_, impulse_);
      copy_motion(stage_, first_stage_);
    }
  }
  report.verdict = worst;
  report.velocity_rounding = rounding;
  report.reason = reason;
}

/// What contacts do of u̇: they are implicit.
void Simulation::leave_out_contacts(double length) {
  problem_->impulse_of_contacts(impulse_, contact_impulse_);
  const View<Vec3> a = acceleration_, impulse = contact_impulse_;
  const View<Mat3> inverse = problem_->system().mass_inverse;
  parallel_for(
      "leave_out_contacts", static_cast<int>(a.extent(0)),
      KOKKOS_LAMBDA(int b) { a(b) -= (1 / length) * (inverse(b) * impulse(b)); }, 12);
}

/// Room for what the stages are made of.
void Simulation::set_up_stages() {
  const auto room = [this] {
    State s;
    s.x = View<Vec3>("stage_x", state_.x.extent(0));
    s.orientation = View<Quat>("stage_orientation", state_.orientation.extent(0));
    s.u = View<Vec3>("stage_u", state_.u.extent(0));
    copy_motion(state_, s);
    return s;
  };
  stage_ = room();
  first_stage_ = room();
  const State last = room(), acceleration = room();
  history_.x = last.x;
  history_.orientation = last.orientation;
  history_.u = last.u;
  history_.acceleration = acceleration.u;
  acceleration_ = room().u;
  contact_impulse_ = room().u;
  history_.turning = View<Vec3>("stage_turning_before", state_.u.extent(0));
  turning_ = View<Vec3>("stage_turning", state_.u.extent(0));
  problem_->foresee_turning(history_.turning);
}

void Simulation::solve(StepSolver& solver, State& start, double h, StepReport& report) {
  Laps time;
  problem_->set_general_rows(solver.general_rows());
  problem_->set_whole_stiffness(solver.whole_stiffness());
  problem_->detect(start, h, report.step);
  report.contacts = problem_->contacts();
  report.seconds.detect += time.lap();

  int unsolved = 0, spent = 0, found = 0, rounds = 0;
  double looking = 0;  // [s] within a solve
  const auto look = [&] {
    Laps own;
    found = problem_->detect_again(u_, impulse_, detect_again_depth);
    looking += own.lap();
    return found > 0;
  };
  for (int again = 0;; ++again) {
    problem_->lay_out();
    problem_->start();
    check_rows_of_stages(*problem_);
    impulse_ = impulse_storage_.resize(problem_->system().pattern.rows);
    report.islands = problem_->system().islands.count;
    report.island_rows_max = problem_->system().islands.largest_rows;
    report.seconds.assemble += time.lap();

    // Where contacts are missing, the last digits of a step without them are for nothing. What touches nothing seldom
    // comes to; it is asked at its end.
    if (again < detect_again && h > 0 && report.contacts > 0)
      solver.interim = {detect_again_accuracy / h, std::ref(look)};
    solver.further_round = rounds > 0;
    found = 0;
    looking = 0;
    SolveResult solved = solver.solve(*problem_, u_, impulse_);
    solver.interim = {};
    solver.further_round = false;
    ++rounds;
    add_solve(solved, report);
    report.seconds.solve += time.lap() - looking;
    report.seconds.detect += looking;

    if (found == 0 && !report.failed && asks_again(report)) {
      --again;
      continue;
    }
    if (report.reason != "converged") {
      ++unsolved;
      spent += solved.newton_iterations;
    }
    if (again == detect_again || report.failed || unsolved > kUnsolvedRounds || spent > kUnsolvedSteps) break;
    if (found == 0) {
      found = problem_->detect_again(u_, impulse_, detect_again_depth);
      report.seconds.detect += time.lap();
    }
    if (found == 0) break;
    report.contacts = problem_->contacts();
    ++report.safeguards["detect_again"];
  }

  problem_->evaluate(u_, impulse_, false, false);
  report.verdict = judge(*problem_, impulse_);
  if (report.reason == "nan") report.reason += problem_->not_finite();
  report.seconds.verdict += time.lap();
}

bool Simulation::asks_again(StepReport& report) {
  const std::vector<std::string> options = problem_->again(u_, impulse_);
  for (const std::string& option : options) ++report.safeguards[option];
  return !options.empty();
}

void Simulation::accept(double h, double end, StepReport& report) {
  problem_->end_step(u_, impulse_);
  if (stage_.x.extent(0) > 0) {
    Kokkos::deep_copy(history_.x, state_.x);
    Kokkos::deep_copy(history_.orientation, state_.orientation);
    Kokkos::deep_copy(history_.u, state_.u);
    Kokkos::deep_copy(history_.acceleration, acceleration_);
    Kokkos::deep_copy(history_.turning, turning_);
    history_.h = h;
    history_.accelerated = true;
    copy_motion(stage_, state_);
  }
  state_.t = report.time = end;
  ++report.substeps;
  for (StepObserver* observer : observers_) observer->end_step(state_, h, report);
}

void Simulation::count(double h, double begin, const StepReport& report) {
  ++steps_;
  unconverged_ += report.reason != "converged";
  if (h != h_) {
    h_ = h;
    origin_ = begin;
    steps_of_h_ = 0;
  }
  ++steps_of_h_;
}

}  // namespace clarke
