#pragma once
// Test support: H of a step is the derivative of its momentum residual, and that the derivative of its potential. For
// worlds whose forces are all followed: elements in stiffness form without rows.

#include "ncp/strategies/step_energy.hpp"
#include "tests/jointed.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"
#include "verdict/step_matrices.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

namespace clarke::test {

inline void check_step_derivatives(const World& world) {
  Model model(world, 1.0 / 120);
  StepProblem& problem = model.problem();
  State state = model.state();
  problem.begin_step(state, 1.0 / 120, 1);
  const SaddlePointSystem& s = problem.system();
  Random random(31);
  std::vector<Vec3> u, d;
  for (int b = 0; b < s.blocks; ++b) {
    u.push_back(random.vector(2));
    d.push_back(random.vector(1));
  }
  const View<double> no_impulse("impulse", 0);
  StepEnergy energy;
  struct At {
    Eigen::VectorXd g;
    double energy;
  };
  const auto at = [&](double step, bool linearise) {
    std::vector<Vec3> there, g;
    for (std::size_t b = 0; b < u.size(); ++b) there.push_back(u[b] + step * d[b]);
    problem.evaluate(to_device("u", there), no_impulse, linearise);
    to_host(s.momentum_residual.view(), g);
    At out{Eigen::VectorXd(3 * s.blocks), energy.value(problem)};
    for (int b = 0; b < s.blocks; ++b) out.g.segment<3>(3 * b) << g[b].x, g[b].y, g[b].z;
    return out;
  };
  const At here = at(0, true);
  Eigen::VectorXd direction(3 * s.blocks);
  for (int b = 0; b < s.blocks; ++b) direction.segment<3>(3 * b) << d[b].x, d[b].y, d[b].z;
  const RowMatrix H = step_hessian(s);
  const Eigen::VectorXd Hd = H * direction;
  // Terms of g are sums of some forty elements' stresses, which nearly cancel.
  BOOST_TEST(taylor_slope(
                 100 * H.norm(), [&](double step) { return (at(step, false).g - here.g - step * Hd).norm(); }, 0.1) >
             kTaylorSlope);
  BOOST_TEST(
      taylor_slope(
          100 * std::fabs(here.energy),
          [&](double step) { return std::fabs(at(step, false).energy - here.energy - step * here.g.dot(direction)); },
          0.1) > kTaylorSlope);
}

}  // namespace clarke::test
