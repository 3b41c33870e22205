// What beginning anew by descent stands on (ncp/strategies/proximal_descent.hpp): a slope that is that of the potential
// of the proximal step, for bodies that turn far, and geometric stiffness without its negative part.

#include "ncp/strategies/proximal_rows.hpp"
#include "ncp/strategies/step_energy.hpp"
#include "ncp/strategies/step_vectors.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"
#include "tests/verification/pressed_world.hpp"
#include "verdict/step_matrices.hpp"

#include <Eigen/Eigenvalues>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <vector>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(proximal_descent)

namespace {

constexpr double kStep = 0.02;
const std::string kWhole =
    "-snes_type ssnal -geometric_stiffness full -system_form stiffness -ksp_type preonly -pc_type lu ";

double least_eigenvalue(const SaddlePointSystem& s) {
  const Eigen::MatrixXd K = Eigen::MatrixXd(step_hessian(s)) - Eigen::MatrixXd(block_diagonal(s.mass.view()));
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (K + K.transpose()), Eigen::EigenvaluesOnly)
      .eigenvalues()
      .minCoeff();
}

}  // namespace

/// A step of that world that has begun.
struct Pressed {
  ScopedOptions scoped{kWhole};
  Model model{pressed_world(), kStep};
  StepProblem& problem = model.problem();
  const SaddlePointSystem& s = problem.system();
  Pressed() { model.prepare(); }
};

BOOST_FIXTURE_TEST_CASE(a_momentum_that_is_no_number_is_infinite, Pressed) {
  for (int b = 0; b < s.blocks; ++b)
    for (int e = 0; e < 3; ++e) {
      std::vector<Vec3> g(s.blocks, Vec3{1, 2, 3});
      BOOST_TEST(std::isfinite(largest_velocity(s, to_device("g", g))));
      g[b][e] = std::numeric_limits<double>::quiet_NaN();
      BOOST_TEST(std::isinf(largest_velocity(s, to_device("g", g))));
    }
}

BOOST_FIXTURE_TEST_CASE(slope_of_the_potential, Pressed) {
  Random random(3);
  BOOST_REQUIRE(s.pattern.items >= 9);
  int kinks = 0, steep = 0;
  constexpr int kTrials = 40;
  for (int trial = 0; trial < kTrials; ++trial) {
    // Turns of about half a radian in the step.
    std::vector<Vec3> u(s.blocks), d(s.blocks), at(s.blocks);
    std::vector<double> y(s.size());
    for (int b = 0; b < s.blocks; ++b) {
      u[b] = random.vector(20), d[b] = random.vector(1);
      for (int e = 0; e < 3; ++e) y[3 * b + e] = d[b][e];
    }
    std::vector<double> impulse(s.pattern.rows);
    for (double& f : impulse) f = random.uniform(0, 1);
    const View<double> r = to_device("r", impulse);
    const View<Vec3> du("du", s.blocks);
    ProximalRows rows;
    StepEnergy energy;
    bool first = true;
    const auto potential = [&](const std::vector<Vec3>& velocity) {
      problem.evaluate(to_device("u", velocity), r, true);
      problem.add_geometric_stiffness();
      rows.linearise(problem, to_device("u", velocity), r);
      if (first) rows.weigh(s);
      rows.begin(r);
      rows.project(s, du, r, {1, 0}, true);
      if (first) rows.freeze_radii(s);
      first = false;
      return energy.value(problem) + rows.envelope(s, r);
    };
    const double start = potential(u);
    const double slope = rows.slope(problem, to_device("y", y));
    steep += std::fabs(slope) > 1e-3 * start;
    const auto remainder = [&](double e) {
      for (int b = 0; b < s.blocks; ++b) at[b] = u[b] + e * d[b];
      return std::fabs(potential(at) - start - e * slope);
    };
    constexpr double kFirst = 1e-3;  // short enough that hardly any direction crosses a kink of the projection
    kinks += taylor_slope(start, remainder, kFirst) < kTaylorSlope;
  }
  BOOST_TEST(steep > kTrials / 2);  // else there is nothing to get wrong
  BOOST_TEST(kinks <= 2);           // where the remainder is of lower order; g·y fails in 38 of 40
}

BOOST_FIXTURE_TEST_CASE(positive_stiffness, Pressed) {
  constexpr double kRounding = 1e-12;  // of the largest entry, by hundreds of terms
  Random random(4);
  const View<Vec3> still = to_device("u", std::vector<Vec3>(s.blocks));  // where nothing turns T = 1
  const auto set = [&](bool positive) {
    for (int c = 0; c < problem.contributors(); ++c) problem.contributor(c).set_positive_stiffness(positive);
    problem.add_geometric_stiffness();
  };
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> impulse(s.pattern.rows);
    for (double& f : impulse) f = random.uniform(-1, 1);
    problem.evaluate(still, to_device("r", impulse), true);
    set(false);
    const double negative = least_eigenvalue(s);
    BOOST_TEST(negative < -1e-4);  // b times impulses of 1 N s on arms of 0.1 m
    set(true);
    BOOST_TEST(least_eigenvalue(s) >= kRounding * negative);
    set(false);
    BOOST_TEST(least_eigenvalue(s) == negative);
  }
}

BOOST_AUTO_TEST_SUITE_END()
