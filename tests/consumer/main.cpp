// A study outside of Clarke: how far can a tower of boxes lean, and does the NCP function matter?
//
// It adds two things to Clarke, an NCP function and a builder, each by one call; makes its models in C++; steps them;
// and prints a figure. Statics: n equal boxes of half width a, each shifted by s against the one below, stand while the
// centre of the upper k lies over the box that carries them, (k + 1) s / 2 ≤ a. The upper n − 1 are the first to fall:
// s ≤ 2 a / n.
//
//   leaning_tower [-ncp_function NAME] [any other option of Clarke or PETSc]

#include "assembly/model.hpp"
#include "assembly/register.hpp"
#include "ncp/functions/ncp_function.hpp"
#include "scene/builders/builder.hpp"

#include <petscsys.h>

#include <cstdio>
#include <exception>

namespace {

using namespace clarke;

/// φ(a, b) = ⅔ (a + b − √(a² + b² − ab)), between the minimum map and Fischer-Burmeister [Kanzow Kleinmichel 1998]. The
/// plain formula: CONTRIBUTING.md has one without cancellation.
struct KanzowKleinmichel {
  static constexpr const char* kName = "kanzow_kleinmichel";
  NcpCorner corner{};

  template <class T>
  KOKKOS_INLINE_FUNCTION NcpValue<T> operator()(T a, T b) const {
    using std::sqrt;
    const T n = sqrt(a * a + b * b - a * b), value = T(2) * (a + b - n) / T(3);
    if (n <= T(corner.radius)) return {value, T(corner.da), T(corner.db)};
    return {value, T(2) * (T(1) - (a - b / T(2)) / n) / T(3), T(2) * (T(1) - (b - a / T(2)) / n) / T(3)};
  }
};

/// Boxes on one another, each shifted by `shift` in x against the one below.
class LeaningTower : public Builder {
 public:
  LeaningTower() = default;
  LeaningTower(int count, double shift) : count_(count), shift_(shift) {}
  const char* summary() const override { return "boxes on one another, each shifted against the one below"; }
  void describe(SceneVisitor& v) override {
    v.integer("count", count_, {.help = "number of boxes", .min = 1, .max = 1000});
    v.real("shift", shift_, {.help = "of each box against the one below, in x", .unit = "m"});
  }
  void add_to(World& world) const override {
    for (int i = 0; i < count_; ++i) {
      BodyDescription box;
      box.name = "box_" + std::to_string(i + 1);
      box.shape.kind = ShapeDescription::Kind::box;
      box.shape.half = {kHalf, kHalf, kHalf};
      box.position = {i * shift_, 0, (2 * i + 1) * kHalf};
      world.bodies.push_back(box);
    }
  }

  static constexpr double kHalf = 0.1;  // [m]

 private:
  int count_ = 5;
  double shift_ = 0;
};

void add_to_registries() {
  ncp_function_registry().add(KanzowKleinmichel::kName, "between the minimum map and Fischer-Burmeister",
                              "Kanzow Kleinmichel 1998",
                              [] { return std::make_unique<NcpBatch<KanzowKleinmichel>>(); });
  builder_registry().add("leaning_tower", LeaningTower().summary(), "",
                         [] { return std::make_unique<LeaningTower>(); });
}

/// How far the top box has sunk [m] after half a second.
double sinking(int count, double shift, double& newton_mean) {
  World world;
  BodyDescription ground;
  ground.name = "ground";
  ground.motion = Motion::fixed;
  ground.shape.kind = ShapeDescription::Kind::plane;
  world.bodies.push_back(ground);
  LeaningTower(count, shift).add_to(world);

  constexpr double kTimeStep = 0.01;  // [s]
  constexpr int kSteps = 50;
  Model model(world, kTimeStep);
  newton_mean = 0;
  for (int i = 0; i < kSteps; ++i) {
    const StepReport report = model.step();
    if (report.failed) throw StepError("step " + std::to_string(report.step) + ": " + report.reason);
    newton_mean += static_cast<double>(report.newton_iterations) / kSteps;
  }
  return world.bodies.back().position.z - model.frame().bodies.back().position.z;
}

int study() {
  register_all();
  add_to_registries();

  constexpr int kBoxes = 5;
  const double limit = 2 * LeaningTower::kHalf / kBoxes;
  std::printf("shift / limit   top sinks by [m]   Newton iterations per step\n");
  bool as_expected = true;
  for (const double part : {0.5, 0.9, 1.1, 1.5}) {
    double newton = 0;
    const double sunk = sinking(kBoxes, part * limit, newton);
    std::printf("%13.1f %18.2e %28.1f\n", part, sunk, newton);
    as_expected = as_expected && (sunk > 1e-3) == (part > 1);  // a tower that stands sinks by less than a millimetre
  }
  std::printf(as_expected ? "stands and falls where statics says\n" : "not as statics says\n");
  return as_expected ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  // PETSc first, then Kokkos; they end in the opposite order.
  if (PetscInitialize(&argc, &argv, nullptr, nullptr)) return 1;
  int code = 1;
  {
    const Kokkos::ScopeGuard kokkos;
    try {
      code = study();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "leaning_tower: %s\n", error.what());
    }
  }
  return PetscFinalize() ? 1 : code;
}
