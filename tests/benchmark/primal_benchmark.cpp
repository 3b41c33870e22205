// One iteration of primal_descent on contacts that give way, in its parts and as a whole, and one of pcr on the Schur
// operator of the same scene in the same run; 10,000 bricks are the largest.

#include "ncp/strategies/primal_step.hpp"
#include "tests/benchmark/measure.hpp"
#include "tests/benchmark/schur_problem.hpp"

namespace clarke::benchmark {

namespace {

const std::string kRelaxed = "-contact_stiffness 1e8 -friction_stiffness 1e8";

/// PrimalStep::evaluate: what evaluate_bytes() has, the rows gathered (a row: v, γ in, v, γ, bounds out 48; an item:
/// friction, kind, dense out 16), and the relaxed law (a row: v, γ, bounds in, p, weight out 48; an item: friction,
/// kind in, energy out 20).
double evaluation_bytes(const Pattern& p, const Entities& e) {
  return evaluate_bytes(p, e, false) + 96.0 * p.rows + 36.0 * p.items;
}

/// PrimalStep::linearise.
///   geometric stiffness, slot: set, filled, gathered 216; block: M in, H out, copied 288
///   blocks of movers,    value: J in, of its own block and of the couple (v, ω) 48; row: weight 8, twice for both
///                        blocks 16; block: H 72; mover: the inverse out 216
double linearisation_bytes(const Pattern& p) {
  return 216.0 * p.slots + (288.0 + 72 + 108) * p.blocks + 48.0 * p.values + 16.0 * p.rows;
}

/// PrimalStep::apply.
///   rows,   value: J 24; row: weight in, t out 16; item: offsets; slot: block, pairs out 28; block: x 24
///   blocks, block: H, x in, y out 120; value: J 24; row: t 8; slot: gather lists, pairs 32
double apply_bytes(const Pattern& p) {
  return 144.0 * p.blocks + 48.0 * p.values + 24.0 * p.rows + 60.0 * p.slots + kItemOffsets * p.items;
}

/// Inverse of a mover (two blocks) 216, r, z 96; and what conjugate() has of vectors, per block: z, R, last R, d read,
/// d, last R written, d, H d read, u changed.
double vector_bytes(const Pattern& p) { return (108.0 + 48 + 11 * 24) * p.blocks; }

struct Parts {
  PrimalStep step;
  View<Vec3> u, R, z, d, last, Hd;
  View<double> impulse;
  SumScratch<3> scratch;

  explicit Parts(Model& model)
      : u("u", model.problem().system().blocks),
        R("R", u.extent(0)),
        z("z", u.extent(0)),
        d("d", u.extent(0)),
        last("last", u.extent(0)),
        Hd("Hd", u.extent(0)),
        impulse("p", model.problem().system().pattern.rows) {
    step.begin(model.problem(), true);
    Kokkos::deep_copy(u, model.state().u);
    step.evaluate(model.problem(), u, impulse);
    step.linearise(model.problem());
  }
};

/// As PrimalDescent does it with conjugate directions.
void iterate(Model& model, Parts& p) {
  const SaddlePointSystem& s = model.problem().system();
  const View<Vec3> u = p.u, R = s.momentum_residual, z = p.z, d = p.d, last = p.last, Hd = p.Hd;
  p.step.precondition(R, z);
  double sum[3];
  deterministic_sum<3>(
      "benchmark_beta", s.blocks,
      KOKKOS_LAMBDA(int b) {
        return Kokkos::Array<double, 3>{dot(z(b), R(b)), dot(z(b), last(b)), dot(R(b), d(b))};
      },
      p.scratch, sum);
  const double beta = sum[0] > 0 ? std::fmax(0.0, (sum[0] - sum[1]) / sum[0]) : 0;
  parallel_for(
      "benchmark_direction", s.blocks, KOKKOS_LAMBDA(int b) {
        d(b) = beta * d(b) - z(b);
        last(b) = R(b);
      });
  p.step.apply(s, d, Hd);
  deterministic_sum<3>(
      "benchmark_curvature", s.blocks,
      KOKKOS_LAMBDA(int b) {
        return Kokkos::Array<double, 3>{dot(d(b), Hd(b)), dot(R(b), d(b)), 0};
      },
      p.scratch, sum);
  const double a = sum[0] > 0 ? -sum[1] / sum[0] : 0;
  parallel_for(
      "benchmark_step", s.blocks, KOKKOS_LAMBDA(int b) { u(b) += a * d(b); });
  p.step.evaluate(model.problem(), u, p.impulse);
  p.step.linearise(model.problem());
}

void time_part(::benchmark::State& state, const TimedScene& scene, int size, const std::string& part) {
  Model& model = model_of(scene, size, kRelaxed);
  Parts p(model);
  StepProblem& problem = model.problem();
  const Pattern pattern = problem.system().pattern;
  const double evaluation = evaluation_bytes(pattern, problem.entities()), linearisation = linearisation_bytes(pattern),
               product = apply_bytes(pattern);
  for (auto _ : state) {
    if (part == "evaluate")
      p.step.evaluate(problem, p.u, p.impulse);
    else if (part == "linearise")
      p.step.linearise(problem);
    else if (part == "product")
      p.step.apply(problem.system(), p.u, p.Hd);
    else
      iterate(model, p);
    fence();
  }
  state.counters["rows"] = pattern.rows;
  record(state, part == "evaluate"    ? evaluation
                : part == "linearise" ? linearisation
                : part == "product"   ? product
                                      : evaluation + linearisation + product + vector_bytes(pattern));
}

/// The same contacts, condensed to impulses.
void time_pcr(::benchmark::State& state, const TimedScene& scene, int size) {
  SchurProblem problem(model_of(scene, size, kRelaxed));
  const int n = problem.form.size();
  time_solves(state, *problem.shell, n, "pcr");
  record(state, kPcrBytes * n + product_bytes(problem.reduced.pattern()), kSolveIterations);
}

const bool kRegistered = [] {
  const auto add = [](const TimedScene& scene, int size) {
    const std::string name = "primal/" + scene.name + "/" + std::to_string(size) + "/";
    for (const char* part : {"evaluate", "linearise", "product", "iteration"})
      add_benchmark(name + part, [scene, size, part](::benchmark::State& s) { time_part(s, scene, size, part); });
    add_benchmark(name + "pcr", [scene, size](::benchmark::State& s) { time_pcr(s, scene, size); });
  };
  for (const TimedScene& scene : timed_scenes())
    for (const int size : scene.sizes) add(scene, scene.name == "wall" && size > 5000 ? 10000 : size);
  return true;
}();

}  // namespace

}  // namespace clarke::benchmark
