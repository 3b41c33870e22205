// Every registered r-factor: positive, of the right unit, blind to what must not matter, and of no influence on solutions.

#include "ncp/r_factors/r_factor.hpp"
#include "tests/model_run.hpp"
#include "tests/property/contact_batch.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(r_factors)

namespace {

constexpr double kRounding = 1e-14;  // a few operations

struct Factors {
  std::vector<double> normal, friction;
};

Factors evaluate(const RFactor& r, const std::vector<double>& w, double h) {
  const int n = static_cast<int>(w.size() / 3);
  const std::vector<double> poison(n, kPoison);
  const View<double> normal = to_device("r_n", poison), friction = to_device("r_f", poison);
  r.evaluate(n, h, to_device("w", w), normal, friction);
  fence();
  Factors out;
  to_host(normal, out.normal);
  to_host(friction, out.friction);
  return out;
}

template <class F>
void for_each_factor(F f) {
  for (const std::string& name : r_factor_registry().names()) BOOST_TEST_CONTEXT(name) {
      f(name, *r_factor_registry().create(name));
    }
}

std::vector<double> random_w(std::uint64_t seed, int contacts) {
  Random random(seed);
  std::vector<double> w;
  for (int i = 0; i < 3 * contacts; ++i) w.push_back(random.log_uniform(1e-6, 1e6));
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(positive_and_finite) {
  const std::vector<double> w = random_w(1, 200);
  for_each_factor([&](const std::string&, const RFactor& r) {
    for (double h : {1e-4, 1.0 / 120, 1.0}) {
      const Factors f = evaluate(r, w, h);
      for (std::size_t i = 0; i < f.normal.size(); ++i) {
        BOOST_TEST((f.normal[i] > 0 && std::isfinite(f.normal[i])));
        BOOST_TEST((f.friction[i] > 0 && std::isfinite(f.friction[i])));
      }
    }
  });
}

// The two tangents are a choice of frame.
BOOST_AUTO_TEST_CASE(tangents_are_equal) {
  const std::vector<double> w = random_w(2, 50);
  std::vector<double> swapped = w;
  for (std::size_t i = 0; i < w.size(); i += 3) std::swap(swapped[i + 1], swapped[i + 2]);
  for_each_factor([&](const std::string&, const RFactor& r) {
    const Factors f = evaluate(r, w, 0.01), g = evaluate(r, swapped, 0.01);
    for (std::size_t i = 0; i < f.normal.size(); ++i) {
      BOOST_TEST(std::fabs(f.normal[i] - g.normal[i]) <= kRounding * f.normal[i]);
      BOOST_TEST(std::fabs(f.friction[i] - g.friction[i]) <= kRounding * f.friction[i]);
    }
  });
}

// What an r-factor uses decides its unit: of W it takes 1/kg, so it is proportional to it and free of h; without W it is a
// number of its own. NaN in the other argument shows that it is not read.
BOOST_AUTO_TEST_CASE(unit_and_poison) {
  const std::vector<double> w = random_w(3, 50), poison(w.size(), kPoison);
  std::vector<double> tripled = w;
  for (double& value : tripled) value *= 3;
  for_each_factor([&](const std::string&, const RFactor& r) {
    const bool uses_w = std::isnan(evaluate(r, poison, 0.01).normal[0]);
    if (!uses_w) {
      const Factors f = evaluate(r, poison, 0.01), g = evaluate(r, w, 0.01);
      BOOST_TEST(f.normal == g.normal);
      BOOST_TEST(f.friction == g.friction);
      return;
    }
    const Factors f = evaluate(r, w, kPoison), g = evaluate(r, tripled, kPoison);
    for (std::size_t i = 0; i < f.normal.size(); ++i) {
      BOOST_TEST(std::fabs(g.normal[i] - 3 * f.normal[i]) <= kRounding * g.normal[i]);
      BOOST_TEST(std::fabs(g.friction[i] - 3 * f.friction[i]) <= kRounding * g.friction[i]);
    }
  });
}

BOOST_AUTO_TEST_CASE(documented_values) {
  const double h = 1.0 / 120;
  const std::vector<double> w{2, 3, 7};
  const auto check = [&](const char* name, double normal, double friction) {
    const Factors f = evaluate(*r_factor_registry().create(name), w, h);
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(std::fabs(f.normal[0] - normal) <= kRounding * normal);
      BOOST_TEST(std::fabs(f.friction[0] - friction) <= kRounding * friction);
    }
  };
  check("identity", 1 / (h * h), 1 / h);
  check("dt_squared", 1, 1);
  check("effective_mass", 2, 5);
  check("effective_mass_contact", 4, 4);
}

// A single frictionless contact with the piecewise linear function: the same step by every r-factor, and no detours.
BOOST_AUTO_TEST_CASE(solution_does_not_depend_on_it) {
  for_each_factor([&](const std::string& name, const RFactor&) {
    World w = world_with_plane(0);
    ParticleDescription p;
    p.name = "p";
    p.mass = 3;
    p.position = {0, 0, 0};
    p.velocity = {0, 0, -1};
    p.material = "m";
    w.particles.push_back(p);
    const ScopedOptions options(
        "-r_factor " + name +
        " -ncp_function minimum_map -newton_start unconstrained "
        "-ksp_type preonly -pc_type cholesky -snes_atol 1e-11 -snes_max_it 20");
    Model model(w, 1.0 / 120);
    const StepReport report = model.step();
    constexpr double kSolved = 1e-10;  // ten times the requested velocity error
    BOOST_TEST(report.reason == "converged");
    BOOST_TEST(report.newton_iterations <= 2);
    BOOST_TEST(std::fabs(model.frame().particles[0].velocity.z) < kSolved);
    // The impulse that stops it and carries its weight.
    std::vector<double> impulse;
    to_host(model.impulse(), impulse);
    BOOST_TEST(std::fabs(impulse.at(0) - 3 * (1 + 9.81 / 120)) < kSolved);
  });
}

BOOST_AUTO_TEST_SUITE_END()
