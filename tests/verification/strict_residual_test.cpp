// The measure that tolerances of `solve` mean: nothing that a solver does to the impulses makes it small, and neither
// do units and heavy bodies. And what a solve that does not get there returns.

#include "assembly/problem_capture.hpp"
#include "tests/jointed.hpp"
#include "tests/matrix_problems.hpp"
#include "verdict/problem_residuals.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(strict_residual)

namespace {

/// A ball of mass m between two frictionless walls that both close in on it at 1 m/s: no impulses part the ball from
/// both. W = [1 −1; −1 1]/m in the normal rows.
ContactProblem squeezed_ball(double m) {
  std::vector<double> w(36, 0.0);
  const double k = 1 / m;
  w[0] = w[21] = k;
  w[3] = w[18] = -k;
  for (const int r : {1, 2, 4, 5}) w[7 * r] = k;
  return local_problem(w, {-1, 0, 0, -1, 0, 0}, {0, 0});
}

/// A small ball rests on the floor, and beside it one of `heavy` kg; both fall at 0.1 m/s.
ContactProblem light_beside_heavy(double heavy) {
  std::vector<double> w(36, 0.0);
  for (int r = 0; r < 6; ++r) w[7 * r] = r < 3 ? 1.0 : 1 / heavy;
  return local_problem(w, {-0.1, 0, 0, -0.1, 0, 0}, {0.5, 0.5});
}

}  // namespace

BOOST_AUTO_TEST_CASE(growing_impulses_do_not_flatter) {
  const ContactProblem problem = squeezed_ball(2);
  ProblemJudge judge(problem);
  for (double impulse = 1; impulse < 1e12; impulse *= 10) {
    const ProblemResiduals r = judge.judge({impulse, 0, 0, impulse, 0, 0}, {});
    BOOST_TEST(r.siconos <= 2 / impulse);  // "solved" by an impulse that is large enough
    BOOST_TEST(r.strict >= 0.5);
  }
}

BOOST_AUTO_TEST_CASE(units_change_nothing) {
  // The same problem in grams and millimetres: W [1/g] = 1e-3 W, q in mm/s, impulses in g mm/s.
  const std::vector<double> w{1.5, 0.2, 0.1, 0.2, 2, 0.3, 0.1, 0.3, 1.8};
  std::vector<double> w_grams = w;
  for (double& x : w_grams) x *= 1e-3;
  const ContactProblem metres = local_problem(w, {-0.5, 0.3, 0.1}, {0.4}),
                       millimetres = local_problem(w_grams, {-500, 300, 100}, {0.4});
  ProblemJudge in_metres(metres), in_millimetres(millimetres);
  const double one = in_metres.judge({0.3, -0.05, 0.02}, {}).strict,
               other = in_millimetres.judge({0.3e6, -0.05e6, 0.02e6}, {}).strict;
  BOOST_TEST(one > 0.01);
  BOOST_TEST(std::fabs(one - other) <= 1e-12 * one);  // rounding
}

BOOST_AUTO_TEST_CASE(a_heavy_body_hides_no_light_one) {
  // The heavy ball is exactly at rest; of the light one a tenth of its fall is left.
  const ContactProblem problem = light_beside_heavy(1e8);
  ProblemJudge judge(problem);
  const ProblemResiduals r = judge.judge({0.09, 0, 0, 0.1 * 1e8, 0, 0}, {});
  BOOST_TEST(r.siconos <= 1e-8);
  BOOST_TEST(r.scaled <= 1e-4);
  BOOST_TEST(r.strict >= 0.05);
}

BOOST_AUTO_TEST_CASE(what_has_no_solution_is_not_solved) {
  const ContactProblem problem = squeezed_ball(1);
  for (const char* options :
       {"-contact_law soc_fischer_burmeister -ksp_type preonly -pc_type lu",
        "-contact_law natural_map -ksp_type preonly -pc_type lu", "-contact_law decoupled", "-snes_type nsgs"}) {
    const Solved out = solve(problem, std::string(options) + " -solve_tolerance 1e-8 -solve_measure strict");
    BOOST_TEST(!out.report.solved, options);
  }
  // Nor by a measure that impulses of 1e8 and more make as small as one likes: there is a proof against it.
  for (const char* measure : {"siconos", "scaled", "fclib", "strict"})
    for (const char* law : {"natural_map", "soc_fischer_burmeister", "decoupled"}) {
      const Solved out = solve(problem, "-ksp_type preonly -pc_type lu -solve_tolerance 1e-8 -contact_law " +
                                            std::string(law) + " -solve_measure " + measure);
      BOOST_TEST(!out.report.solved, law << ", " << measure);
      BOOST_REQUIRE(out.report.infeasibility.has_value());
      BOOST_TEST((out.report.infeasibility->finding == Infeasibility::Finding::impossible), law << ", " << measure);
      BOOST_TEST(std::fabs(out.report.infeasibility->margin - 1) <= 1e-6);
    }
}

// v = q beside impulses of 8e32 is rounded away: the natural map is exactly zero, and nothing is solved.
BOOST_AUTO_TEST_CASE(rounding_hides_no_velocity) {
  const ContactProblem problem = squeezed_ball(1);
  ProblemJudge judge(problem);
  for (const double impulse : {1e17, 8e32, 1e100}) {
    const ProblemResiduals r = judge.judge({impulse, 0, 0, impulse, 0, 0}, {});
    BOOST_TEST(r.siconos == 0);
    BOOST_TEST(r.strict >= 1);
    BOOST_TEST(r.growth >= 0.5 * impulse);
  }
  BOOST_TEST(!judge.judge({1e200, 0, 0, 1e200, 0, 0}, {}).finite());  // squares are beyond all numbers
}

// A step that was stopped early has the figures that `solve` gives its captured problem.
BOOST_AUTO_TEST_CASE(a_run_has_the_residuals_of_solve) {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("low", {0.1, 0.1, 0.1}, 1, {0, 0, 0.1}));
  w.bodies.push_back(box("high", {0.1, 0.1, 0.1}, 30, {0.03, 0, 0.3}));
  w.bodies.push_back(box("arm", {0.1, 0.02, 0.02}, 2, {1, 0, 1}));
  w.bodies[2].velocity = {0.3, 0.1, -0.2};
  w.joints.push_back(joint_at("hinge", "h", "arm", "world", {0.9, 0, 1}, {0, 1, 0}));
  for (const int iterations : {0, 1, 2}) {
    const ScopedOptions options("-ksp_type preonly -pc_type lu -newton_damping 1 -newton_start zero -snes_max_it " +
                                std::to_string(iterations));
    Model model(w, 0.01);
    const Verdict run = model.step().verdict;
    BOOST_TEST(run.strict_residual > 1e-6);
    if (iterations == 0) {  // nothing moves: every contact is content, and momentum does not balance
      BOOST_TEST(run.strict_residual > 0.5);
      continue;
    }
    const ContactProblem problem = linearised_step(model.problem());
    const ProblemResiduals solve =
        ProblemJudge(problem).judge(problem.solution.contact_impulse, problem.solution.joint_impulse);
    constexpr double kTurned = 0.02;  // arms and axes turn within the step; u of the problem is that of the impulses
    const auto same = [](double a, double b) { return std::fabs(a - b) <= kTurned * std::fmax(a, b); };
    BOOST_TEST(same(run.strict_residual, solve.strict), run.strict_residual << " " << solve.strict);
    BOOST_TEST(same(run.scaled_residual, solve.scaled), run.scaled_residual << " " << solve.scaled);
    BOOST_TEST(same(run.impulse_growth, solve.growth), run.impulse_growth << " " << solve.growth);
  }
}

// One entry of H beyond all arithmetic: finite, and not solved.
BOOST_AUTO_TEST_CASE(overflow_is_not_solved) {
  ContactProblem problem = read_problem(std::string(CLARKE_SOURCE_DIR) + "/cases/problems/pile_1_layers_mass_1.hdf5");
  BOOST_TEST(solve(problem, "-contact_law soc_fischer_burmeister -ksp_type preonly -pc_type lu").report.solved);
  problem.jacobian.value[0] = 1e100;
  for (const char* law : {"natural_map", "soc_fischer_burmeister", "decoupled", "alart_curnier"})
    for (const char* measure : {"siconos -newton_start_sweeps 10", "siconos", "scaled", "fclib", "strict",
                                "strict -newton_start_sweeps 100"}) {
      const Solved out = solve(problem, "-ksp_type preonly -pc_type lu -solve_tolerance 1e-8 -contact_law " +
                                            std::string(law) + " -solve_measure " + measure);
      BOOST_TEST(!out.report.solved, law << ", " << measure << ": " << out.report.step.reason << ", strict "
                                         << out.report.residuals.strict << ", growth " << out.report.residuals.growth);
    }
}

BOOST_AUTO_TEST_CASE(the_best_iterate_is_returned) {
  // Damped steps that overshoot on purpose: a budget of iterations whose last is not the best.
  const std::vector<double> w{1.5, 0.9, 0.1, 0.9, 2, 0.3, 0.1, 0.3, 1.8};
  const ContactProblem problem = local_problem(w, {-0.5, 0.3, 0.1}, {0.9});
  const std::string options =
      "-solve_tolerance 1e-14 -newton_damping 1 -friction_map fixed_point -contact_law decoupled ";
  int better = 0;
  for (int budget = 1; budget <= 12; ++budget) {
    const std::string its = "-snes_max_it " + std::to_string(budget);
    const double kept = solve(problem, options + its).report.residuals.strict,
                 last = solve(problem, options + "-keep_best_iterate false " + its).report.residuals.strict;
    BOOST_TEST(kept <= last);
    better += kept < last;
  }
  BOOST_TEST_MESSAGE("better in " << better << " of 12");
}

BOOST_AUTO_TEST_SUITE_END()
