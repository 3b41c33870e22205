// Elements of soft bodies: rows or forces of one Newton iteration with their linearisation, in elements per second.

#include "tests/benchmark/measure.hpp"
#include "tests/benchmark/timed_scenes.hpp"
#include "tests/soft_worlds.hpp"

#include <memory>

namespace clarke::benchmark {

namespace {

/// A beam of n³ bricks of five tetrahedra each, held at one end and bent by its first steps.
World beam(int n, const std::string& model) {
  SoftDescription body = test::soft_box("beam", {0.4, 0.1, 0.1}, {n, n, n}, 1e5);
  body.model = model;
  body.fixed = test::nodes_at(body, 0, 0);
  return test::world_of(body, {0, 0, -9.81});
}

/// Bytes that one evaluation must move, every array once (soft_pool.hpp, soft_forces.hpp, framework/force_items.hpp):
///   element   192, four nodes: positions 96 and, where there are no rows, indices 16;
///   rows      nine of J 4 × 24, F, a, b, error 32, Λ 8; linearised B 81 × 8; then g: J and Λ again,
///             M, u, ũ, g of a block 144
///   forces    f 96 and again for g, 144 per block; linearised T 16 × 72 and again for H, 72 per block of H
double bytes(const StepProblem& problem, int elements, bool rows) {
  const SaddlePointSystem& s = problem.system();
  const double element = 192.0 + 96 + 16, block = 144.0 * s.blocks;
  if (rows) return elements * (element + 9 * (96.0 + 40) + 648 + 9 * 104.0) + block;
  return elements * (element + 2 * 96.0 + 2 * 1152.0) + block + 72.0 * (s.blocks + s.forces.off.entries);
}

void time_elements(::benchmark::State& state, int n, const std::string& model, const std::string& form) {
  const bool rows = form == "compliance";
  const test::ScopedOptions scoped(
      "-soft_form " + form + (rows ? "" : " -system_form stiffness") +
      " -newton_damping 1 -snes_max_it 2 -ksp_type pcr -pc_type block_jacobi -ksp_max_it 10");
  const auto body = std::make_unique<Model>(beam(n, model), 1.0 / 120);
  for (int i = 0; i < 2; ++i) body->step();
  const Standing at = linearise(*body);
  for (auto _ : state) {
    body->problem().evaluate(at.u, at.impulse, true);
    fence();
  }
  const int elements = 5 * n * n * n;
  state.counters["elements"] = elements;
  state.counters["elements/s"] = ::benchmark::Counter(elements, ::benchmark::Counter::kIsIterationInvariantRate);
  record(state, bytes(body->problem(), elements, rows));
}

const bool kRegistered = [] {
  for (const int n : {4, 12})
    for (const std::string form : {"compliance", "stiffness"})
      for (const std::string model : {"stable_neo_hookean", "corotational"})
        add_benchmark("soft/" + std::to_string(5 * n * n * n) + "/" + model + "/" + form,
                      [=](::benchmark::State& state) { time_elements(state, n, model, form); });
  return true;
}();

}  // namespace

}  // namespace clarke::benchmark
