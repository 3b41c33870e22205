// Every scene of cases/ with tetrahedra, by elements as compliant rows and as forces with stiffness in H: the same
// converged steps. Two models of the scene run side by side; after every step the second gets the state of the first,
// so each step starts from the same state and what is compared is that step alone. A new scene takes part without a
// line here.
//
// BOOST_TEST_MESSAGE prints the table of docs/verification/soft_forms.md:
//   build/tests_cross --run_test=soft_cases --log_level=message

#include "scene/scene.hpp"
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <map>
#include <sstream>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_cases)

namespace {

constexpr double kTolerance = 1e-8;  // [m/s] -snes_atol

/// What a scene needs to be different from the rest: how many steps, and how many of them must be solved in both forms.
struct Plan {
  int steps = 5, least = steps;
};
const std::map<std::string, Plan> kPlans{
    {"mixed_pile", {19}},         // the cushion lands in the 13th, two falling bodies meet in the 18th
    {"soft_drop", {14}},          // the ball meets the block's edge in the 11th
    {"inverted_cube", {20, 15}},  // from inside out Newton's way is chaotic: the first step is solved by one form only
    {"pneumatic_finger", {2}},
    {"pneunet", {2}},
    {"soft_grasp_smooth", {5, 4}},  // pads that only just touch: the first step is solved as forces only
    {"sandwich", {3}}               // thousands of rows each, and two dozen iterations
};

/// What Newton on rows needs there; the default of `run` needs none of it.
const std::map<std::string, std::string> kOptions{
    {"gel_stroke", " -friction_map disc_projection_coupled -contact_margin 0.002"},
    {"mixed_pile", " -contact_law soc_fischer_burmeister -contact_margin 0.002 -newton_start unconstrained"},
    {"soft_link", " -geometric_stiffness exact"},
    {"stretch_bar", " -newton_start zero"}};

/// Direct solves of a matrix of the size of the velocities. The scene's own options come before it. What unfolds from a
/// large stretch does so from zero velocity only, which is where `nearest` begins then.
const std::string kSolver =
    " -system_form stiffness -ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps -newton_damping 1 "
    "-snes_max_it 50 "
    "-accept_budget true -accept_velocity_error 1e300 -soft_projection clamp -snes_atol 1e-8 ";

std::string options_of(const std::string& case_name, const Scene& scene, const std::string& form) {
  std::string out = "-preset accurate -newton_start nearest";
  for (const auto& [name, value] : scene.options)
    if (name != "preset") out += " -" + name + " " + value;
  if (const auto found = kOptions.find(case_name); found != kOptions.end()) out += found->second;
  return out + kSolver + "-soft_form " + form;
}

void copy_state(const Model& from, const Model& to) {
  Kokkos::deep_copy(to.state().x, from.state().x);
  Kokkos::deep_copy(to.state().orientation, from.state().orientation);
  Kokkos::deep_copy(to.state().u, from.state().u);
}

/// Largest difference of two velocities [m/s, rad/s], and the largest velocity.
std::pair<double, double> velocities_differ(const Model& a, const Model& b) {
  std::vector<Vec3> ua, ub;
  to_host(a.state().u, ua);
  to_host(b.state().u, ub);
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < ua.size(); ++i) {
    difference = std::fmax(difference, norm(ua[i] - ub[i]));
    largest = std::fmax(largest, norm(ua[i]));
  }
  return {difference, largest};
}

std::vector<std::string> all_scenes() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CLARKE_SOURCE_DIR) + "/cases"))
    if (entry.path().extension() == ".yaml") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

struct Agreement {
  int steps = 0, contacts = 0;  // of the steps solved in both forms
  double difference = 0, largest = 0, rows_newton = 0, forces_newton = 0;
};

std::unique_ptr<Model> model_of(const Scene& scene, const std::string& form) {
  const ScopedOptions scoped(options_of(std::filesystem::path(scene.file).stem().string(), scene, form));
  auto model = std::make_unique<Model>(scene.world, scene.time_step);
  model->prepare();
  return model;
}

Agreement compare(const Scene& scene, const Plan& plan) {
  Agreement out;
  const std::unique_ptr<Model> rows = model_of(scene, "compliance"), forces = model_of(scene, "stiffness");
  for (int i = 0; i < plan.steps; ++i) {
    const StepReport a = rows->step(), b = forces->step();
    const auto solved = [](const StepReport& r) { return !r.failed && r.verdict.velocity_error.value <= kTolerance; };
    if (solved(a) && solved(b)) {
      const auto [difference, largest] = velocities_differ(*rows, *forces);
      ++out.steps;
      out.difference = std::fmax(out.difference, difference);
      out.largest = std::fmax(out.largest, largest);
      out.contacts = std::max(out.contacts, a.contacts);
      out.rows_newton += a.newton_iterations;
      out.forces_newton += b.newton_iterations;
    }
    copy_state(*forces, *rows);
  }
  return out;
}

std::string row(const std::string& name, const Plan& plan, const Agreement& a) {
  std::ostringstream out;
  out << std::setprecision(2) << "| `" << name << "` | " << a.steps << " of " << plan.steps << " | " << a.contacts
      << " | " << a.rows_newton / a.steps << ", " << a.forces_newton / a.steps << " | " << a.largest << " | "
      << a.difference << " |";
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_forms_on_every_case) {
  int compared = 0;
  for (const std::string& file : all_scenes()) {
    const Scene scene = read_scene(file);
    if (scene.world.softs.empty()) continue;  // cloths and ropes have rows only
    // Strategies in the velocity alone take elements as forces only.
    const std::pair<std::string, std::string> primal("snes_type", "primal");
    if (std::find(scene.options.begin(), scene.options.end(), primal) != scene.options.end()) continue;
    const std::string name = std::filesystem::path(file).stem().string();
    const auto found = kPlans.find(name);
    const Plan plan = found == kPlans.end() ? Plan{} : found->second;
    const Agreement a = compare(scene, plan);
    ++compared;
    BOOST_TEST_MESSAGE(row(name, plan, a));
    BOOST_TEST_CONTEXT(row(name, plan, a)) {
      BOOST_TEST(a.steps >= plan.least);
      // Both are measured as changes of velocity if one row or one node alone were put right, |M⁻¹ g| of a node: modes
      // of many elements, an activated strip's least of all, add up to some sixty times that.
      BOOST_TEST(a.difference < 200 * kTolerance);
    }
  }
  BOOST_TEST(compared >= 15);  // else the folder was not found
}

BOOST_AUTO_TEST_SUITE_END()
