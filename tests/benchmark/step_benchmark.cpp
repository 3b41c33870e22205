// Contact detection, and whole steps: at the interactive budget and with a direct linear solver.

#include "physics/collision/detection.hpp"
#include "tests/benchmark/measure.hpp"
#include "tests/benchmark/schur_problem.hpp"

namespace clarke::benchmark {

namespace {

/// Candidate pairs of the present configuration.
double pairs_of(Model& model, const ShapeSet& shapes, double h) {
  const ContactOptions options;
  BroadPhase broad_phase(shapes, model.problem().entities(), CollisionFilter({}));
  return static_cast<double>(
      broad_phase.find_pairs(model.state(), h, {options.margin, options.margin_speed}).extent(0));
}

void time_detection(::benchmark::State& state, const TimedScene& scene, int size) {
  Model& model = model_of(scene, size);
  const Entities& entities = model.problem().entities();
  ContactDetection detection(model.world(), entities, ContactOptions{});
  ContactSet contacts;
  for (auto _ : state) {
    detection.detect(model.state(), scene.time_step, contacts);
    fence();
  }
  const double pairs = pairs_of(model, detection.shapes(), scene.time_step);
  state.counters["pairs"] = pairs;
  state.counters["contacts"] = contacts.count;
  record(state, detection_bytes(model.problem().system().pattern, pairs, detection.shapes()));
}

struct Solver {
  const char *name, *options;
  bool direct;
};
/// Without a tolerance, so that every step spends its whole budget.
constexpr Solver kSolvers[] = {{"6x20", "-snes_atol 0 -ksp_rtol 0", false},
                               {"6xcholesky", "-snes_atol 0 -ksp_type preonly -pc_type cholesky", true}};

/// Newton evaluates the start and every iterate with slopes; begin_step and the judgement at the end do without. Of the
/// linear solve, right-hand side and solution are not counted, nor is the judge.
double step_bytes(Model& model, double newton, double linear, const ShapeSet& shapes, double pairs, bool direct) {
  const StepProblem& problem = model.problem();
  const Pattern& p = problem.system().pattern;
  const Entities& e = problem.entities();
  double bytes = detection_bytes(p, pairs, shapes) + 2 * evaluate_bytes(p, e, false) +
                 (newton + 1) * evaluate_bytes(p, e, true) + newton * reduce_bytes(p);
  if (!direct) return bytes + linear * (kPcrBytes * p.rows + product_bytes(p));
  SchurProblem schur(model);
  std::vector<int> rows, columns;
  schur.form.coordinates(rows, columns);
  const AijSize aij = schur.aij_size();
  return bytes + newton * (update_bytes(p, static_cast<double>(rows.size()), aij) + cholesky_bytes(aij));
}

void time_step(::benchmark::State& state, const TimedScene& scene, int size, const Solver& solver) {
  Model& model = model_of(scene, size, solver.options);
  double steps = 0, newton = 0, linear = 0;
  PhaseSeconds phases;
  for (auto _ : state) {
    const StepReport r = model.step();
    if (r.failed) {
      state.SkipWithError(r.reason.c_str());
      break;
    }
    steps += 1;
    newton += r.newton_iterations;
    linear += r.linear_iterations;
    phases.detect += r.seconds.detect;
    phases.assemble += r.seconds.assemble;
    phases.solve += r.seconds.solve;
    phases.verdict += r.seconds.verdict;
  }
  if (steps == 0) return;
  const double sum = phases.detect + phases.assemble + phases.solve + phases.verdict;
  state.counters["rows"] = model.problem().system().pattern.rows;
  state.counters["newton"] = newton / steps;
  state.counters["linear"] = linear / steps;
  state.counters["detect"] = phases.detect / sum;
  state.counters["layout"] = phases.assemble / sum;
  state.counters["solve"] = phases.solve / sum;
  state.counters["verdict"] = phases.verdict / sum;
  const ContactDetection detection(model.world(), model.problem().entities(), ContactOptions{});
  const double pairs = pairs_of(model, detection.shapes(), scene.time_step);
  record(state, step_bytes(model, newton / steps, linear / steps, detection.shapes(), pairs, solver.direct));
}

const bool kRegistered = for_timed_scenes([](const TimedScene& scene, int size, const std::string& name) {
  add_benchmark("detection/" + name, [=](::benchmark::State& state) { time_detection(state, scene, size); });
  for (const Solver& solver : kSolvers)
    if (!solver.direct || scene.name == "arch")
      add_benchmark("step/" + name + "/" + solver.name,
                    [=](::benchmark::State& state) { time_step(state, scene, size, solver); });
});

}  // namespace

}  // namespace clarke::benchmark
