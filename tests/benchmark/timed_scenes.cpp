#include "tests/benchmark/timed_scenes.hpp"

#include "assembly/presets.hpp"
#include "scene/scene.hpp"
#include "tests/model_run.hpp"

#include <cmath>
#include <memory>

namespace clarke::benchmark {

namespace {

World arch(int) { return read_scene(std::string(CLARKE_SOURCE_DIR) + "/cases/arch.yaml").world; }

/// Bricks of 1 × 0.5 × 0.5 m, twice as many to a course as there are courses. Every other course begins and ends with
/// half a brick. The bricks of a course do not touch.
World wall(int bricks) {
  constexpr double kJoint = 0.05, kHeight = 0.5;  // [m]
  World w = test::world_with_plane(0.6);
  const auto add = [&w](double from, double to, int course) {
    const Vec3 half{0.5 * (to - from - kJoint), 0.5 * kHeight, 0.5 * kHeight};
    w.bodies.push_back(test::box("brick_" + std::to_string(w.bodies.size()), half, 100 * 8 * half.x * half.y * half.z,
                                 {0.5 * (from + to), 0, (course + 0.5) * kHeight}));
  };
  const int width = static_cast<int>(std::lround(std::sqrt(2.0 * bricks)));
  for (int course = 0; course < bricks / width; ++course) {
    const double shift = 0.5 * (course % 2);
    if (shift > 0) add(0, shift, course);
    for (double x = shift; x + 1 <= width; x += 1) add(x, x + 1, course);
    if (shift > 0) add(width - shift, width, course);
  }
  return w;
}

constexpr int kSettle = 4;  // steps

std::string interactive() {
  std::string options;
  for (const auto& [name, value] : find_preset("interactive").options) options += "-" + name + " " + value + " ";
  return options;
}

struct Kept {
  std::string key;
  std::unique_ptr<Model> model;
};

Kept& kept() {
  static Kept one = [] {
    // Before Kokkos ends, and PETSc after it.
    Kokkos::push_finalize_hook([] { kept().model.reset(); });
    return Kept{};
  }();
  return one;
}

}  // namespace

const std::vector<TimedScene>& timed_scenes() {
  static const std::vector<TimedScene> all{{"arch", {20}, arch, 1.0 / 120}, {"wall", {32, 512, 8192}, wall, 1.0 / 120}};
  return all;
}

Model& model_of(const TimedScene& scene, int size, const std::string& options) {
  const std::string key = scene.name + "/" + std::to_string(size) + " " + options;
  Kept& one = kept();
  if (one.key != key) {
    one.key.clear();
    one.model.reset();
    const test::ScopedOptions scoped(interactive() + options);
    one.model = std::make_unique<Model>(scene.world(size), scene.time_step);
    for (int i = 0; i < kSettle; ++i)
      if (one.model->step().failed) throw std::runtime_error(key + ": step failed");
    one.key = key;
  }
  return *one.model;
}

Standing linearise(Model& model) {
  Standing s{View<Vec3>("u", model.state().u.extent(0)), View<double>("impulse", model.impulse().extent(0))};
  Kokkos::deep_copy(s.u, model.state().u);
  Kokkos::deep_copy(s.impulse, model.impulse());
  model.problem().evaluate(s.u, s.impulse, true);
  return s;
}

}  // namespace clarke::benchmark
