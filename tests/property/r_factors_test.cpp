// Every registered r-factor: positive, of the right unit, blind to what must not matter, and of no influence on
// solutions.

#include "ncp/r_factors/global.hpp"
#include "tests/model_run.hpp"
#include "tests/property/contact_batch.hpp"
#include "tests/property/random.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(r_factors)

namespace {

constexpr double kRounding = 1e-14;  // a few operations

struct Factors {
  std::vector<double> normal, friction;
};

Factors evaluate(RFactor& r, const std::vector<double>& w, double h) {
  std::vector<ContactSample> samples(w.size() / 3);
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].w = {w[3 * i], w[3 * i + 1], w[3 * i + 2]};
  for (ContactSample& s : samples) s.r_n = s.r_f = kPoison;
  const ContactBatch batch(samples, true);
  r.evaluate(batch.rows, h);
  fence();
  Factors out;
  to_host(batch.rows.r_normal, out.normal);
  to_host(batch.rows.r_friction, out.friction);
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
  for_each_factor([&](const std::string&, RFactor& r) {
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
  for_each_factor([&](const std::string&, RFactor& r) {
    const Factors f = evaluate(r, w, 0.01), g = evaluate(r, swapped, 0.01);
    for (std::size_t i = 0; i < f.normal.size(); ++i) {
      BOOST_TEST(std::fabs(f.normal[i] - g.normal[i]) <= kRounding * f.normal[i]);
      BOOST_TEST(std::fabs(f.friction[i] - g.friction[i]) <= kRounding * f.friction[i]);
    }
  });
}

// What an r-factor uses decides its unit: of W it takes 1/kg, so it is proportional to it and free of h; without W it
// is a number of its own. NaN in the other argument shows that it is not read.
BOOST_AUTO_TEST_CASE(unit_and_poison) {
  const std::vector<double> w = random_w(3, 50), poison(w.size(), kPoison);
  std::vector<double> tripled = w;
  for (double& value : tripled) value *= 3;
  for_each_factor([&](const std::string&, RFactor& r) {
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
  check("delassus_diagonal", 2, 5);
  check("delassus_trace", 4, 4);
  check("global", 7, 7);
}

// The Rayleigh quotient never falls, and approaches the largest eigenvalue: of a stack by an independent dense solver.
BOOST_AUTO_TEST_CASE(global_is_the_largest_eigenvalue) {
  World w = world_with_plane(0.5);
  for (int i = 0; i < 3; ++i)
    w.bodies.push_back(box("b" + std::to_string(i), {0.5, 0.4, 0.5}, 1 << i, {0, 0, 0.5 + i}));
  const ScopedOptions scoped("-r_factor global");
  Model model(w, 1.0 / 120);
  State state = model.state();
  StepProblem& problem = model.problem();
  problem.begin_step(state, 1.0 / 120, 1);
  const SaddlePointSystem& s = problem.system();
  int contacts = -1;
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* r = problem.contributor(i).rows(); r && r->kind == SetKind::cone) contacts = i;
  const RowSet& rows = *problem.contributor(contacts).rows();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(s.pattern.rows, 3 * s.blocks),
                  M = Eigen::MatrixXd::Zero(3 * s.blocks, 3 * s.blocks);
  const auto p = host_copy(s.pattern);
  const auto values = host_copy(s.jacobian.view());
  const auto inverse = host_copy(s.mass_inverse.view());
  for (int i = 0; i < p.items; ++i) {
    const int k = p.item_slot(i + 1) - p.item_slot(i);
    for (int r = 0; r < 3; ++r)
      for (int j = 0; j < k; ++j)
        for (int e = 0; e < 3; ++e)
          J(p.item_row(i) + r, 3 * p.slot_block(p.item_slot(i) + j) + e) = values(p.item_value(i) + r * k + j)[e];
  }
  for (int b = 0; b < s.blocks; ++b)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) M(3 * b + i, 3 * b + j) = inverse(b)(i, j);
  const double exact = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(J * M * J.transpose()).eigenvalues().maxCoeff();
  Global global;
  double last = 0;
  for (int n : {1, 2, 5, 20, 200}) {
    const double value = global.largest_eigenvalue(rows, n);
    BOOST_TEST(value >= last * (1 - kRounding));
    BOOST_TEST(value <= exact * (1 + kRounding));
    BOOST_TEST_MESSAGE(n << " products: " << value / exact << " of the largest eigenvalue");
    last = value;
  }
  BOOST_TEST(std::fabs(last / exact - 1) < 1e-9);
  BOOST_TEST(global.largest_eigenvalue(rows, 20) > 0.85 * exact);  // the default number of products; 0.89 here
}

// A single frictionless contact with the piecewise linear function: the same step by every r-factor, and no detours.
BOOST_AUTO_TEST_CASE(solution_does_not_depend_on_it) {
  for_each_factor([&](const std::string& name, RFactor&) {
    World w = world_with_plane(0);
    ParticleDescription p;
    p.name = "p";
    p.mass = 3;
    p.position = {0, 0, 0};
    p.velocity = {0, 0, -1};
    p.material = "m";
    w.particles.push_back(p);
    const ScopedOptions options("-r_factor " + name +
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
