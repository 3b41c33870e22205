// What one Newton iteration does before its linear solve: rows and their linearisation, the reduced system, the AIJ
// matrix.

#include "tests/benchmark/measure.hpp"
#include "tests/benchmark/schur_problem.hpp"

namespace clarke::benchmark {

namespace {

void time_evaluate(::benchmark::State& state, const TimedScene& scene, int size, bool with_slopes) {
  Model& model = model_of(scene, size);
  StepProblem& problem = model.problem();
  const Standing at = linearise(model);
  for (auto _ : state) {
    problem.evaluate(at.u, at.impulse, with_slopes);
    fence();
  }
  state.counters["rows"] = problem.system().pattern.rows;
  record(state, evaluate_bytes(problem.system().pattern, problem.entities(), with_slopes));
}

void time_reduce(::benchmark::State& state, const TimedScene& scene, int size) {
  Model& model = model_of(scene, size);
  linearise(model);
  const SaddlePointSystem& system = model.problem().system();
  ReducedSystem reduced;
  const RegularisationOptions shift;
  for (auto _ : state) {
    reduced.reduce(system, shift);
    fence();
  }
  state.counters["rows"] = system.pattern.rows;
  record(state, reduce_bytes(system.pattern));
}

void time_update(::benchmark::State& state, const TimedScene& scene, int size) {
  SchurProblem& problem = schur_problem_of(scene, size);
  AssembledMatrix& matrix = problem.assembled();
  for (auto _ : state) test::petsc(matrix.update(problem.form));
  std::vector<int> rows, columns;
  problem.form.coordinates(rows, columns);
  state.counters["rows"] = problem.form.size();
  state.counters["coordinates"] = static_cast<double>(rows.size());
  record(state, update_bytes(problem.reduced.pattern(), static_cast<double>(rows.size()), problem.aij_size()));
}

const bool kRegistered = for_timed_scenes([](const TimedScene& scene, int size, const std::string& name) {
  const auto add = [&](const std::string& what, auto function) {
    add_benchmark("assembly/" + name + "/" + what, function);
  };
  for (bool with_slopes : {false, true})
    add(with_slopes ? "evaluate_linearise" : "evaluate",
        [=](::benchmark::State& state) { time_evaluate(state, scene, size, with_slopes); });
  add("reduce", [=](::benchmark::State& state) { time_reduce(state, scene, size); });
  add("update_aij", [=](::benchmark::State& state) { time_update(state, scene, size); });
});

}  // namespace

}  // namespace clarke::benchmark
