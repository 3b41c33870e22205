// Stacks of unit boxes with the heaviest on top, up to 4096 times heavier than the lowest: what Krylov methods carry and relaxation
// does not [Macklin et al. 2019, figure 20; Andrews Erleben 2021].

#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(heavy_stack)

namespace {

constexpr double kStep = 1.0 / 120, kGravity = 9.81;
const std::string kDirect = "preonly -pc_type cholesky";

/// Boxes from the lowest up; box k stands `offset` cos k, `offset` sin 2k beside the axis.
World stack(const std::vector<double>& masses, double offset = 0) {
  World w = world_with_plane(0.5);
  for (std::size_t k = 0; k < masses.size(); ++k) {
    std::string name = "b";
    name += std::to_string(k);
    w.bodies.push_back(box(name, {0.5, 0.5, 0.5}, masses[k],
                           {offset * std::cos(1.0 * k), offset * std::sin(2.0 * k), 0.5 + k}));
  }
  return w;
}

/// 8 … 32768 kg in equal ratios.
std::vector<double> masses(int count) {
  std::vector<double> m;
  for (int k = 0; k < count; ++k) m.push_back(8 * std::pow(4096.0, k / (count - 1.0)));
  return m;
}

double weight(const std::vector<double>& m) {
  double sum = 0;
  for (double x : m) sum += kGravity * x;
  return sum;
}

struct Stand {
  RunFigures figures;
  double drift = 0, foot = 0;
};

Stand stand(const World& w, int steps, const std::string& options) {
  const ScopedOptions scoped(options);
  Model model(w, kStep);
  const std::vector<Vec3> start = body_positions(model);
  Stand s;
  s.figures = run(model, steps);
  s.drift = drift_since(start, model);
  s.foot = normal_force_on("ground", model);
  BOOST_TEST_MESSAGE(options << ": drift " << s.drift << " penetration " << s.figures.penetration << " error "
                             << s.figures.velocity_error << " foot " << s.foot << " newton " << s.figures.newton_mean
                             << " linear " << s.figures.linear_mean << (s.figures.failed ? " FAILED" : ""));
  return s;
}

}  // namespace
BOOST_AUTO_TEST_CASE(offset) {
  for (double off : {0.1, 0.02})
  for (int count : {5, 6}) {
    const World w = stack(masses(count), off);
    stand(w, 60, budget(kDirect, 10, 1, 1, "zero"));
    for (const char* ksp : {"pcr", "pcg", "minres", "cr"})
    for (int lin : {20, 40, 80})
    for (const char* start : {"zero", "warm"})
    for (const char* map : {"tangent", "fixed_point"})
      stand(w, 60, budget(ksp, 6, lin, 0.75, start) + "-friction_map " + map);
    stand(w, 60, budget("jacobi", 6, 20, 0.75, "warm"));
    stand(w, 60, budget("gauss_seidel", 6, 20, 0.75, "warm"));
    stand(w, 60, budget("gauss_seidel", 6, 20, 0.75, "zero"));
  }
}
BOOST_AUTO_TEST_SUITE_END()
