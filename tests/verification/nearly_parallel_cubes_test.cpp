// Two cubes that overlap with faces nearly parallel are apart after one converged step [docs/theory.md, eq. N7]: the
// direction of least overlap is then often that of two edges, and one contact there lets the cubes turn about it.

#include "tests/model_run.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(nearly_parallel_cubes)

namespace {

constexpr double kHalf = 0.1;         // [m]
constexpr double kSeparate = 1e-9;    // [m] an overlap that is none
const std::string kRobust =
    "-snes_type ssnal -soft_form stiffness -newton_start nearest -snes_atol 1e-9 -natural_map_tolerance 1e-8 "
    "-snes_max_it 1000 -geometric_stiffness full -system_form stiffness -ksp_type preonly -pc_type lu "
    "-pc_factor_mat_ordering_type amd -pc_factor_zeropivot 1e-100 ";
constexpr double kLargeError = 1e-3;  // [m] a turn of 0.1 rad in a step, and a slip of 1 cm
const char* const kSolver =
    "-contact_law soc_fischer_burmeister -newton_start_sweeps 100 -regularisation_rule residual -ksp_type preonly "
    "-pc_type lu -snes_max_it 200 -snes_atol 1e-10 -newton_damping 1 ";

double overlap(const StepReport& report) { return report.verdict.geometric_penetration.value().value; }

World two_cubes(const Quat& turn, Vec3 place) {
  World w;
  w.gravity = Vec3{};
  w.materials["m"] = {1000, 0.5};
  w.bodies = {box("low", {kHalf, kHalf, kHalf}, 8, {}), box("high", {kHalf, kHalf, kHalf}, 8, place)};
  w.bodies[1].orientation = turn;
  return w;
}

/// The upper cube on the lower one, tilted, anywhere over it, its lowest corner `depth` below the face.
World tilted(Random& random, double tilt, double depth) {
  Quat q = from_axis_angle(random.unit_vector(), tilt);
  if (random.uniform(0, 1) < 0.5) q = q * from_axis_angle(Vec3{0, 0, 1}, random.uniform(-1.5, 1.5));
  double lowest = 0;
  for (int k = 0; k < 8; ++k)
    lowest =
        std::fmin(lowest, rotate(q, Vec3{k & 1 ? kHalf : -kHalf, k & 2 ? kHalf : -kHalf, k & 4 ? kHalf : -kHalf}).z);
  return two_cubes(q, {random.uniform(-kHalf, kHalf), random.uniform(-kHalf, kHalf), kHalf - lowest - depth});
}

struct Count {
  int steps = 0, unconverged = 0, overlapping = 0, large = 0;
  double contacts = 0, newton = 0, deepest = 0;
};

/// One step of every pair.
Count all_pairs(const std::string& options, int seeds, const std::string& solver = kSolver) {
  const ScopedOptions scope(solver + options);
  Count c;
  for (int seed = 0; seed < seeds; ++seed)
    for (const double depth : {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.03, 0.1})
      for (const double tilt : {1e-9, 1e-6, 1e-3, 0.01, 0.05, 0.15, 0.4}) {
        Random random(1000 + seed);
        Model model(tilted(random, tilt, depth), 1.0 / 120);
        const StepReport report = model.step();
        ++c.steps;
        c.contacts += report.contacts;
        c.newton += report.newton_iterations;
        if (report.reason != "converged") {
          ++c.unconverged;
          continue;
        }
        c.overlapping += overlap(report) > kSeparate;
        c.large += overlap(report) > kLargeError;
        c.deepest = std::fmax(c.deepest, overlap(report));
      }
  BOOST_TEST_MESSAGE(options << ": " << c.large << " of " << c.steps << " overlap by more than 1 mm, " << c.overlapping
                             << " by more than 1e-9 m, at most " << c.deepest << " m; " << c.unconverged
                             << " not converged; contacts " << c.contacts / c.steps << ", Newton iterations "
                             << c.newton / c.steps);
  return c;
}

}  // namespace

// One detection: what is left is what the turn within the step does to normals that it keeps.
BOOST_AUTO_TEST_CASE(one_detection) {
  const Count features = all_pairs("-manifold features", 3), clipped = all_pairs("-manifold clipped", 3);
  BOOST_TEST(features.deepest <= 4 * kLargeError);
  BOOST_TEST(clipped.deepest > 10 * features.deepest);
  BOOST_TEST(clipped.large > 2 * features.large);
}

BOOST_AUTO_TEST_CASE(detected_again) {
  const Count c = all_pairs("-manifold features -detect_again 30 -detect_again_depth 5e-10", 4, kRobust);
  BOOST_TEST(c.overlapping == 0);
  BOOST_TEST(c.unconverged == 0);
}

// What was found in a pile: nearly parallel faces, 31 mm deep, whose one contact was two edges.
BOOST_AUTO_TEST_CASE(a_pair_of_a_pile) {
  const Vec3 direction = normalized(Vec3{-0.054, 0.005, -0.999});
  const Quat turn = from_axis_angle(normalized(cross(Vec3{0, 0, -1}, direction)), 0.054);
  double deepest = 0;
  for (const double shift : {-0.08, -0.05, 0.0, 0.05, 0.08})
    for (const double across : {-0.07, 0.0, 0.07}) {
      const ScopedOptions scope(std::string(kSolver) + "-manifold features");
      Model model(two_cubes(turn, Vec3{shift, across, 2 * kHalf - 0.031}), 1.0 / 120);
      const StepReport report = model.step();
      BOOST_TEST(report.reason == "converged");
      deepest = std::fmax(deepest, overlap(report));
    }
  BOOST_TEST(deepest <= kLargeError);
}

BOOST_AUTO_TEST_SUITE_END()
