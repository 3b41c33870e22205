// How r-factors change Newton's convergence: the velocity error per iteration of the first step, from zero, with exact
// linear solves.

#include "tests/scene_file.hpp"
#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(r_factor)

namespace {

// The reference prints one digit, and its program differs in details (clamps, frames).
constexpr double kFactor = 5;
// Below this, in m/s, rounding decides.
constexpr double kFloor = 1e-9;

std::vector<double> history(const World& w, const std::string& options) {
  const ScopedOptions scoped(budget(kDirect, 20, 1, "1", "zero") + options);
  Model model(w, 1.0 / 120);
  std::vector<double> errors;
  std::string line;
  for (const NewtonIteration& n : model.step().newton) {
    errors.push_back(n.velocity_error);
    char text[20];
    std::snprintf(text, sizeof text, " %.0e", n.velocity_error);
    line += text;
  }
  BOOST_TEST_MESSAGE(options << ":" << line);
  return errors;
}

/// Each error above kFloor like the reference's, up to kFactor; below, below.
void check_like(const std::vector<double>& errors, const std::vector<double>& reference) {
  for (std::size_t i = 0; i < std::min(errors.size(), reference.size()); ++i) {
    BOOST_TEST_CONTEXT("iteration " << i << ": " << errors[i] << " against " << reference[i]) {
      BOOST_TEST(errors[i] <= kFactor * std::max(reference[i], kFloor));
      BOOST_TEST(errors[i] >= reference[i] / kFactor * (reference[i] > kFloor));
    }
  }
  BOOST_TEST(errors.size() + 1 >= reference.size());
}

/// Iterations until the error is below `tolerance`; a large number when it never is.
int iterations(const std::vector<double>& errors, double tolerance) {
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (errors[i] < tolerance) return static_cast<int>(i);
  return 1000;
}

/// A 10 kg box on a slope of 30 degrees, friction 0.3, sliding downhill with 1 m/s.
World slide() {
  return scene_from(
             "time: {step: 0.1, end: 1}\nmaterials: {m: {friction: 0.3}}\nbuild: [{slope: {angle_deg: 30, half: [0.5, "
             "0.5, 0.25], mass: 10, speed: 1, material: m}}]\n")
      .world;
}

/// The arch of cases/arch.yaml with 10 stones.
World arch() {
  return scene_from(
             "time: {step: 0.1, end: 1}\nmaterials: {m: {friction: 0.6, density: 100}}\nbodies: [{name: floor, shape: "
             "{plane: {normal: [0, 0, 1], offset: 0}}, static: true, material: m}]\nbuild: [{arch: {stones: 10, span: "
             "8, rise: 6, thickness: 0.8, depth: 1, material: m}}]\n")
      .world;
}

/// Six unit boxes of 8 … 32768 kg, the heaviest on top.
World stack() {
  World w = world_with_plane(0.5);
  for (int k = 0; k < 6; ++k) {
    std::string name = "b";
    name += std::to_string(k);
    w.bodies.push_back(box(name, {0.5, 0.5, 0.5}, 8 * std::pow(4096.0, k / 5.0), {0, 0, 0.5 + k}));
  }
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(sliding_box) {
  const World w = slide();
  // One digit of the reference's tables each. Its first row is that of the coupled map: with the radius lagged, the
  // load that friction moves to the leading corners is seen one iteration later.
  check_like(history(w, "-friction_map disc_projection_coupled -pc_type lu"), {9e-1, 5e-2, 7e-8, 5e-11, 1e-14});
  check_like(history(w, "-friction_map disc_projection"), {9e-1, 2e-2, 2e-3, 5e-9, 2e-12});
  const auto mass = history(w, "-friction_map fixed_point");
  check_like(mass, {9e-1, 2e-2, 3e-3, 1e-5, 2e-7, 5e-9});
  const auto dt_squared = history(w, "-friction_map fixed_point -r_factor dt_squared");
  check_like(dt_squared, {9e-1, 2e-2, 3e-3, 1e-4, 7e-6, 2e-7, 1e-8});
  BOOST_TEST(iterations(dt_squared, 1e-7) > iterations(mass, 1e-7));
}

BOOST_AUTO_TEST_CASE(identity_does_not_converge) {
  const World w = slide();
  for (const char* ncp : {"fischer_burmeister", "minimum_map"}) {
    for (const char* map : {"disc_projection", "fixed_point"}) {
      std::string options = "-r_factor identity -ncp_function ";
      options += ncp;
      options += " -friction_map ";
      options += map;
      const auto errors = history(w, options);
      BOOST_TEST(errors.size() == 21u);
      BOOST_TEST(*std::min_element(errors.begin(), errors.end()) > 5e-3);  // the reference: 2e-2, or cycles up to 1
    }
  }
}

BOOST_AUTO_TEST_CASE(arch_of_ten_stones) {
  const World w = arch();
  const auto mass = history(w, "-friction_map disc_projection");
  check_like(mass, {8e-2, 7e-2, 1e-7, 1e-9, 1e-13});
  const auto dt_squared = history(w, "-friction_map disc_projection -r_factor dt_squared");
  check_like(dt_squared, {8e-2, 7e-2, 9e-3, 4e-4, 2e-5, 7e-7});
  BOOST_TEST(iterations(dt_squared, 1e-8) > iterations(mass, 1e-8));
  check_like(history(w, "-friction_map fixed_point"), {8e-2, 7e-2, 1e-2, 2e-4, 7e-8, 1e-11});
  // The reference: 13 iterations; here the corner is active.
  for (const char* r : {"dt_squared", "identity"}) {
    std::string options = "-friction_map fixed_point -ncp_function minimum_map -r_factor ";
    options += r;
    BOOST_TEST(iterations(history(w, options), 1e-8) <= 13);
  }
}

// At the corner C = Λ = 0, where every resting contact starts, the slope decides, not r.
BOOST_AUTO_TEST_CASE(stack_from_the_corner) {
  const World w = stack();
  const int reference[] = {13, 15, 20};  // iterations to 1e-6 with slopes (0, 1) and damping 0.75
  const char* const factors[] = {"delassus_diagonal", "dt_squared", "identity"};
  for (int i = 0; i < 3; ++i) {
    std::string r = "-r_factor ";
    r += factors[i];
    check_like(history(w, r + " -ncp_corner active"), {8e-2, 5e-4, 6e-6, 7e-8});
    const int slow = iterations(history(w, r + " -ncp_corner inactive -newton_damping 0.75 -snes_max_it 30"), 1e-6);
    BOOST_TEST(std::abs(slow - reference[i]) <= 4);
  }
}

BOOST_AUTO_TEST_SUITE_END()
