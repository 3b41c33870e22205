// A box on more points than it needs: n² normal forces, three equations. Every NCP function and solver then finds the
// same forces, those of least Σ W_nn λ²: λ_i ∝ 1/W_nn,i by symmetry, W_nn = 1/m + (x² + y²)/I_xx for the point (x, y).

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(redundant_box)

namespace {

constexpr double kMass = 10, kWeight = 98.1, kStep = 1.0 / 120;
constexpr Vec3 kHalf{0.5, 0.5, 0.25};
const double kInertia = kMass / 3 * (kHalf.y * kHalf.y + kHalf.z * kHalf.z);

World box_on_points(int n) {
  World w = world_with_plane(0.5);
  BodyDescription b = box("b", kHalf, kMass, {0, 0, kHalf.z});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      b.contact_points.push_back({kHalf.x * (2.0 * i / (n - 1) - 1), kHalf.y * (2.0 * j / (n - 1) - 1), -kHalf.z});
  w.bodies.push_back(b);
  return w;
}

double share(const Vec3& point) { return 1 / (1 / kMass + (point.x * point.x + point.y * point.y) / kInertia); }

}  // namespace

BOOST_AUTO_TEST_CASE(minimum_norm_forces) {
  // The shift of 1e-6, relative to the Schur diagonal, tilts the distribution by about that much of itself in the first
  // solve.
  constexpr double kShift = 1e-6 * 34.2;
  // A momentum residual of -snes_atol = 1e-12 m/s is a force of m/h times that: 1.2e-9 N.
  constexpr double kBalance = 1e-8;
  struct Row {
    int n;
    double least, most;  // [N] the reference's digits
  };
  for (const char* solver : {"preonly -pc_type cholesky", "pcr -ksp_max_it 200 -ksp_rtol 1e-12"}) {
    for (const char* start : {"zero", "warm"}) {
      for (const char* ncp : {"fischer_burmeister", "minimum_map"}) {
        for (const Row& row : {Row{2, 24.525, 24.525}, Row{3, 5.9, 34.2}, Row{4, 3.1, 11.7}}) {
          std::string options = "-newton_damping 1 -snes_max_it 30 -ncp_corner active -ksp_type ";
          options += solver;
          options += " -newton_start ";
          options += start;
          options += " -ncp_function ";
          options += ncp;
          const ScopedOptions scoped(options);
          Model model(box_on_points(row.n), kStep);
          const RunFigures f = run(model, 30);
          const Frame frame = model.frame();
          double sum = 0, total = 0, error = 0, least = 1e300, most = 0, friction = 0;
          for (const FrameContact& c : frame.contacts) sum += share(c.point);
          for (const FrameContact& c : frame.contacts) {
            const double force = norm(c.normal_force);
            total += force;
            error = std::max(error, std::fabs(force - kWeight * share(c.point) / sum));
            least = std::min(least, force);
            most = std::max(most, force);
            friction = std::max(friction, norm(c.friction_force));
          }
          BOOST_TEST_CONTEXT(options << ", " << row.n * row.n << " points") {
            BOOST_TEST(f.failed == 0);
            BOOST_TEST(f.velocity_error < 1e-12);  // -snes_atol
            BOOST_TEST(frame.contacts.size() == static_cast<std::size_t>(row.n * row.n));
            BOOST_TEST(std::fabs(total - kWeight) < kBalance);
            BOOST_TEST(error < kShift);
            BOOST_TEST(std::fabs(least - row.least) < 0.05);
            BOOST_TEST(std::fabs(most - row.most) < 0.05);
            BOOST_TEST(friction < kBalance);
            BOOST_TEST(norm(frame.bodies[1].position - Vec3{0, 0, kHalf.z}) < 1e-13);
          }
        }
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
