// -islands on against off: the same solution, for less work; refusals.

#include "framework/error.hpp"
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(separate_islands)

namespace {

/// Five stacks of 1 to 9 boxes, two metres apart, each dropped from 1 mm, and a box in free flight.
World scattered_stacks() {
  World w = world_with_plane(0.5);
  for (int s = 0; s < 5; ++s)
    for (int i = 0; i <= 2 * s; ++i)
      w.bodies.push_back(box("stack_" + std::to_string(s) + "_" + std::to_string(i), {0.2, 0.2, 0.1}, 8.0,
                             {2.0 * s, 0.03 * i, 0.101 + 0.2 * i}));
  w.bodies.push_back(box("flying", {0.1, 0.1, 0.1}, 1, {0, 5, 100}));
  return w;
}

struct Outcome {
  std::vector<Vec3> positions;
  double newton = 0, linear = 0, newton_per_row = 0, linear_per_row = 0, error = 0;
  int islands = 0, failed = 0;
};

Outcome outcome(const std::string& options, int steps) {
  const ScopedOptions scoped(options);
  Model model(scattered_stacks(), 1.0 / 120);
  Outcome o;
  const RunFigures f = run(model, steps, [&](const StepReport& r) {
    o.newton_per_row += r.newton_iterations_per_row / steps;
    o.linear_per_row += r.linear_iterations_per_row / steps;
    o.islands = r.islands;
  });
  o.newton = f.newton_mean;
  o.linear = f.linear_mean;
  o.error = f.velocity_error;
  o.failed = f.failed;
  for (const auto& body : model.frame().bodies) o.positions.push_back(body.position);
  BOOST_TEST_MESSAGE(options << ": newton " << o.newton << " (per row " << o.newton_per_row << "), linear " << o.linear
                             << " (per row " << o.linear_per_row << "), error " << o.error);
  return o;
}

const std::string kConverged =
    "-snes_max_it 60 -snes_atol 1e-11 -accept_budget false -newton_damping 1 -contact_law decoupled ";

double difference(const Outcome& a, const Outcome& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i) d = std::fmax(d, norm(a.positions[i] - b.positions[i]));
  return d;
}

constexpr int kSteps = 30;
/// 30 steps of 1/120 s at a velocity error of 1e-11 m/s, and stacks whose contact forces have a null space.
constexpr double kSamePosition = 1e-9;

}  // namespace

BOOST_AUTO_TEST_CASE(same_converged_result_for_less_work) {
  for (const std::string solver :
       {"-ksp_type pcr -ksp_max_it 400", "-ksp_type pcg -ksp_max_it 400",
        "-ksp_type pcr -pc_type block_jacobi -ksp_max_it 400", "-ksp_type preonly -pc_type cholesky"}) {
    BOOST_TEST_CONTEXT(solver) {
      const Outcome off = outcome(kConverged + solver, kSteps);
      const Outcome on = outcome(kConverged + solver + " -islands on", kSteps);
      BOOST_TEST(off.failed == 0);
      BOOST_TEST(on.failed == 0);
      BOOST_TEST(on.islands == 5);
      BOOST_TEST(difference(on, off) < kSamePosition);
      // Stacks at rest begin a step at the tolerance: whether one needs an iteration is for the last digits to say.
      BOOST_TEST(on.newton_per_row < off.newton_per_row + 0.2);
      // A direct solve has no iterations to save.
      if (solver.find("preonly") == std::string::npos) BOOST_TEST(on.linear_per_row < 0.6 * off.linear_per_row);
    }
  }
}

/// Without separation every row pays for all; also where a type tests an iterate after several Newton steps only.
BOOST_AUTO_TEST_CASE(per_row_means_are_the_totals_when_islands_are_together) {
  for (const std::string& options : {std::string("-ksp_type pcr"), preset_options("robust")})
    BOOST_TEST_CONTEXT(options) {
      const Outcome off = outcome(options, 5);
      BOOST_TEST(off.newton > 0);
      BOOST_TEST(off.newton_per_row == off.newton, boost::test_tools::tolerance(1e-12));
      BOOST_TEST(off.linear_per_row == off.linear, boost::test_tools::tolerance(1e-12));
    }
}

/// One island: nothing to separate, so the iterates are the same up to the order of additions.
BOOST_AUTO_TEST_CASE(one_island_iterates_as_before) {
  World w = world_with_plane(0.5);
  for (int i = 0; i < 5; ++i)
    w.bodies.push_back(box("b" + std::to_string(i), {0.2, 0.2, 0.1}, 8.0, {0, 0.02 * i, 0.1 + 0.2 * i}));
  for (const std::string type : {"pcr", "pcg"}) {
    std::vector<double> error[2];
    for (int on = 0; on < 2; ++on) {
      const ScopedOptions scoped("-newton_start zero -ksp_type " + type + (on ? " -islands on" : ""));
      Model model(w, 1.0 / 120);
      run(model, 3, [&](const StepReport& r) {
        for (const NewtonIteration& n : r.newton) error[on].push_back(n.velocity_error);
      });
    }
    BOOST_TEST(error[0].size() == error[1].size());
    // Twenty iterations amplify the rounding of two different orders of addition.
    constexpr double kOrderOfAddition = 1e-6;
    for (std::size_t i = 0; i < std::min(error[0].size(), error[1].size()); ++i)
      BOOST_TEST(std::fabs(error[0][i] - error[1][i]) <= kOrderOfAddition * (error[0][i] + 1e-6));
  }
}

BOOST_AUTO_TEST_CASE(other_snes_types_refuse) {
  const ScopedOptions scoped("-islands on -snes_type newtonls");
  BOOST_CHECK_EXCEPTION(Model(scattered_stacks(), 1.0 / 120), InputError, [](const InputError& e) {
    return std::string(e.what()).find("-islands on needs -snes_type nonsmooth_newton") == 0;
  });
}

BOOST_AUTO_TEST_SUITE_END()
