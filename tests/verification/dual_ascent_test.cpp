// Dual ascent: to the solution of the primal form where it converges, beside it with increments that keep their
// directions, and the failures it is known for [Macklin Erleben Müller Chentanez Jeschke Kim 2020, figures 4, 5, 8].

#include "tests/verification/relaxed_worlds.hpp"
#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(dual_ascent)

namespace {

constexpr double kAgreement = 1e-9;  // [m/s]
const std::string kDual =
    "-snes_type dual_ascent -newton_start unconstrained -accept_velocity_error 1e300 "
    "-snes_max_it 20 -detect_again 0 ";
const std::string kGaussSeidel = kDual + "-dual_update fast -dual_sweep gauss_seidel ";

}  // namespace

// 500 sweeps of one step from a sliding start.
BOOST_AUTO_TEST_CASE(same_answer_as_the_primal_form) {
  for (const double mu : {0.3, 0.8}) {
    World world = slope(mu);
    world.bodies.back().velocity = 0.2 * Vec3{-std::cos(kSlope), 0, -std::sin(kSlope)};
    const auto velocity = [&](const std::string& options) {
      const ScopedOptions scoped(kDual + options + "-contact_stiffness 1e5 -friction_stiffness 1e3 -snes_atol 1e-12");
      Model model(world, 1.0 / 120);
      const StepReport report = model.step();
      BOOST_TEST_REQUIRE(!report.failed);
      BOOST_TEST_MESSAGE(report.newton_iterations << " iterations, velocity error "
                                                  << report.verdict.velocity_error.value);
      std::vector<Vec3> u;
      to_host(model.state().u, u);
      return u;
    };
    const std::vector<Vec3> primal = velocity("-snes_type primal_descent -snes_max_it 500 ");
    for (const char* sweep : {"jacobi", "gauss_seidel"}) {
      const std::vector<Vec3> dual = velocity(std::string("-snes_max_it 500 -dual_sweep ") + sweep + " ");
      BOOST_TEST(largest_difference(primal, dual) <= kAgreement);
    }
  }
}

BOOST_AUTO_TEST_CASE(pendulum_of_equal_masses) {
  for (const double k : {1e5, 1e9}) {  // what stiffness is asked for hardly matters
    const World w = pendulum(1e5, k, 1);
    const Stretch split = swing(w, kDual), in_turn = swing(w, kGaussSeidel);
    BOOST_TEST(within_share(split.upper, 6.5e-4, 0.02));
    BOOST_TEST(within_share(in_turn.upper, 5.33e-4, 0.02));
  }
}

// `fast` keeps the direction each increment was made in: however many iterations, it ends beside the solution.
BOOST_AUTO_TEST_CASE(fast_is_biased) {
  const World w = pendulum(1e5, 1e5, 1);
  const Stretch many = swing(w, kGaussSeidel + "-snes_max_it 300 -snes_atol 1e-9 ");
  BOOST_TEST(many.unconverged > 50);
  const Stretch initial = swing(w, kDual + "-snes_max_it 300 -snes_atol 1e-9 ");
  BOOST_TEST(initial.unconverged == 0);
}

// What is expected of the dual is to fail: a heavy end, and a stack with the heaviest on top.
BOOST_AUTO_TEST_CASE(heavy_ends_are_lost) {
  BOOST_TEST(swing(pendulum(1e8, 1e8, 1e4), kGaussSeidel).upper > 1);
  const ScopedOptions scoped(kDual + "-contact_stiffness 1e8 -friction_stiffness 1e8");
  Model model(heavy_stack(), 1.0 / 120);
  double penetration = 0;
  run(model, 60, [&](const StepReport& r) { penetration = r.verdict.penetration.value; });
  BOOST_TEST_MESSAGE("penetration " << penetration);
  BOOST_TEST(penetration > 0.3);
}

BOOST_AUTO_TEST_SUITE_END()
