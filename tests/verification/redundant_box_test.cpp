// redundant
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(redundant_box)

namespace {
constexpr double kMass = 10;
constexpr Vec3 kHalf{0.5, 0.5, 0.25};

World box_on_points(int n) {
  World w = world_with_plane(0.5);
  BodyDescription b = box("b", kHalf, kMass, {0, 0, kHalf.z});
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      b.contact_points.push_back({kHalf.x * (2. * i / (n - 1) - 1), kHalf.y * (2. * j / (n - 1) - 1), -kHalf.z});
  w.bodies.push_back(b);
  return w;
}
}  // namespace

BOOST_AUTO_TEST_CASE(all) {
  for (const char* solver : {"-ksp_type preonly -pc_type cholesky", "-ksp_type pcr -ksp_max_it 200 -ksp_rtol 1e-14"})
  for (const char* start : {"zero", "warm"})
  for (const char* ncp : {"fischer_burmeister", "minimum_map"})
  for (int n : {2, 3, 4}) {
    const ScopedOptions scoped(std::string(solver) + " -snes_max_it 30 -newton_start " + start + " -ncp_function " + ncp);
    Model model(box_on_points(n), 1. / 120);
    const RunFigures f = run(model, 30);
    const double ixx = kMass / 3 * (kHalf.y * kHalf.y + kHalf.z * kHalf.z);
    double sum = 0;
    const auto weight = [&](const Vec3& p) { return 1 / (1 / kMass + (p.x * p.x + p.y * p.y) / ixx); };
    const Frame fr = model.frame();
    for (const auto& c : fr.contacts) sum += weight(c.point);
    double worst = 0, lo = 1e9, hi = 0, fric = 0;
    for (const auto& c : fr.contacts) {
      const double expect = kMass * 9.81 * weight(c.point) / sum;
      worst = std::max(worst, std::fabs(norm(c.normal_force) - expect));
      lo = std::min(lo, norm(c.normal_force)), hi = std::max(hi, norm(c.normal_force)), fric = std::max(fric, norm(c.friction_force));
    }
    BOOST_TEST_MESSAGE(solver << " " << start << " " << ncp << " " << n * n << ": " << lo << " .. " << hi << " from minimum norm " << worst << " contacts " << fr.contacts.size() << " newton " << f.newton_mean << " err " << f.velocity_error << " fric " << fric);
  }
}

BOOST_AUTO_TEST_SUITE_END()
