// cone_usage of a contact whose normal impulse is rounding beside the largest is 0: a ratio of two roundings says
// nothing.

#include "ncp/strategies/snes_step_solver.hpp"
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(cone_usage)

namespace {

constexpr double kFriction = 0.5, kUsed = 0.8;

/// Ends with impulses of its own: 1 N s at all contacts but the first, which has `share` of that, all with friction at
/// kUsed of its cone.
class GivenImpulses final : public StepSolver {
 public:
  explicit GivenImpulses(double share) : share_(share) {}
  void prepare(StepProblem& problem) override { solver_.prepare(problem); }
  SolveResult solve(StepProblem& problem, View<Vec3>& u, View<double>& impulse) override {
    SolveResult result = solver_.solve(problem, u, impulse);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), impulse);
    for (std::size_t i = 0; i < host.extent(0); i += 3) {
      host(i) = i == 0 ? share_ : 1;
      host(i + 1) = kUsed * kFriction * host(i);
      host(i + 2) = 0;
    }
    Kokkos::deep_copy(impulse, host);
    return result;
  }

 private:
  double share_;
  SnesStepSolver solver_;
};

/// Usages of the contacts of a box on the floor, ascending.
std::vector<double> usages(double share) {
  World w = world_with_plane(kFriction);
  w.bodies.push_back(box("brick", {0.1, 0.1, 0.1}, 1, {0, 0, 0.1}));
  const ScopedOptions options("-accept_velocity_error 1e9");
  Model model(w, 0.01);
  model.simulation().set_solver(std::make_unique<GivenImpulses>(share));
  (void)model.step();
  std::vector<double> out;
  const Frame frame = model.frame();
  for (const FrameContact& c : frame.contacts) out.push_back(c.cone_usage);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(of_a_normal_force_that_is_rounding) {
  constexpr double kRounding = 1e-14;  // a few operations on numbers of order one
  for (const double share : {1e-13, 1e-16, 0.0}) {
    const std::vector<double> rounding = usages(share);
    BOOST_TEST_REQUIRE(rounding.size() == 4u);
    BOOST_TEST(rounding[0] == 0);
    for (int i = 1; i < 4; ++i) BOOST_TEST(std::fabs(rounding[i] - kUsed) <= kRounding);
  }
  for (const double usage : usages(1e-9)) BOOST_TEST(std::fabs(usage - kUsed) <= kRounding);  // small, and a force
}

BOOST_AUTO_TEST_SUITE_END()
