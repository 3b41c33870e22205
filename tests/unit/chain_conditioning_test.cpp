// Condition numbers of chains of springs in both forms, to the digits of an independent implementation, and that the
// two forms have the same spectrum [docs/theory.md, eq. V5].

#include "tests/model_run.hpp"
#include "verdict/conditioning.hpp"
#include "verdict/step_matrices.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include <array>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(chain_conditioning)

namespace {

constexpr double kStep = 0.1;
constexpr double kDigits = 5e-5;  // relative: four digits

struct Chain {
  int n;
  double ratio;  // h² k/m
  double first_stiffer = 1, last_stiffer = 1, end_heavier = 1;
};

/// Springs in all directions, three times the chain of one dimension.
ConditioningCard card_of(const Chain& c, double* spectra_differ = nullptr) {
  World w;
  w.gravity = {};
  for (int i = 0; i < c.n; ++i) {
    const std::string name = "node" + std::to_string(i);
    ParticleDescription p;
    p.name = name;
    p.mass = i == c.n - 1 ? c.end_heavier : 1;
    w.particles.push_back(p);
    JointDescription j;
    j.type = "ball";
    j.name = "spring" + std::to_string(i);
    j.a = name, j.b = i == 0 ? "world" : "node" + std::to_string(i - 1);
    const double k = c.ratio / (kStep * kStep) * (i == 0 ? c.first_stiffer : i == c.n - 1 ? c.last_stiffer : 1);
    j.compliance = {1 / k, 1 / k, 1 / k};
    w.joints.push_back(j);
  }
  const ScopedOptions scoped("-snes_type primal -geometric_stiffness none");
  Model model(w, kStep);
  BOOST_REQUIRE(!model.step().failed);
  if (spectra_differ) {
    // eig(M⁻¹ A) = eig(K B)
    const SaddlePointSystem& s = model.problem().system();
    const Eigen::MatrixXd J = step_jacobian(s), M = block_diagonal(s.mass), inverse = mass_roots(s).inverse;
    Eigen::VectorXd gamma(3 * c.n);
    for (int i = 0; i < c.n; ++i)
      for (int e = 0; e < 3; ++e) gamma(3 * i + e) = w.joints[i].compliance[0] / (kStep * kStep);
    const Eigen::MatrixXd E = gamma.asDiagonal(), K = gamma.cwiseInverse().asDiagonal();
    const auto eigenvalues = [](const Eigen::MatrixXd& A, const Eigen::MatrixXd& metric) {
      return Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd>(A, metric, Eigen::EigenvaluesOnly).eigenvalues();
    };
    const Eigen::VectorXd primal = eigenvalues(M + J.transpose() * K * J, M);
    const Eigen::VectorXd dual = eigenvalues(J * inverse * J.transpose() + E, E);
    *spectra_differ = ((primal - dual).array() / primal.array()).abs().maxCoeff();
  }
  return conditioning_card(model.problem(), 1e-7);
}

void check(double found, double expected) {
  BOOST_TEST(std::fabs(found / expected - 1) <= kDigits, found << " is not " << expected);
}

}  // namespace

// A spring that is r times as stiff at one end in the primal form is a particle that is r times as light at the other
// in the dual one: the same numbers.
BOOST_AUTO_TEST_CASE(stiff_spring_mirrors_light_particle) {
  const std::array<std::array<double, 3>, 6> expected{{{1, 4.803836, 2.618034},
                                                       {10, 11.79598, 6.364621},
                                                       {1e2, 99.30692, 51.26128},
                                                       {1e3, 975.4002, 501.2511},
                                                       {1e4, 9736.421, 5001.250},
                                                       {1e6, 973448.9, 500001.3}}};
  for (const auto& [r, ten, two] : expected)
    for (const auto& [n, kappa] : {std::pair{10, ten}, std::pair{2, two}}) {
      const ConditioningCard stiff = card_of({n, 1, r}), light = card_of({n, 1, 1, 1, 1 / r});
      check(stiff.primal_max / stiff.primal_min, kappa);
      check(light.dual_max / light.dual_min, kappa);
    }
}

BOOST_AUTO_TEST_CASE(heavy_end_on_hard_springs) {
  // primal, scaled primal, dual, scaled dual
  const std::array<std::array<double, 6>, 7> expected{{{10, 1, 175.1, 161.4, 175.1, 161.4},
                                                       {10, 1e2, 174.9, 161.3, 4010, 3705},
                                                       {10, 1e4, 161.6, 149.6, 3.548e5, 3.274e5},
                                                       {10, 1e6, 48.4, 48.4, 3.547e6, 3.273e6},
                                                       {2, 1, 6.854, 5.828, 6.854, 5.828},
                                                       {2, 1e2, 6.853, 5.828, 401.9, 401.9},
                                                       {2, 1e4, 6.734, 5.748, 3.922e4, 3.922e4}}};
  constexpr double kPrinted = 2e-3;  // three to four digits are given
  for (const auto& row : expected) {
    const ConditioningCard c = card_of({static_cast<int>(row[0]), 1e6, 1, 1, row[1]});
    const std::array<double, 4> found{c.primal_max / c.primal_min, c.primal_scaled_max / c.primal_scaled_min,
                                      c.dual_max / c.dual_min, c.eigenvalue_max / c.eigenvalue_min};
    for (int k = 0; k < 4; ++k)
      BOOST_TEST(std::fabs(found[k] / row[k + 2] - 1) <= kPrinted, found[k] << " is not " << row[k + 2]);
  }
}

BOOST_AUTO_TEST_CASE(stiff_last_spring) {
  const double hard = 1e5 / 3600;  // h² k/m at 1/60 s
  const std::array<std::array<double, 3>, 5> expected{
      {{1, 67.66, 62.6}, {10, 352, 193}, {1e2, 3432, 1588}, {1e3, 34240, 15560}, {1e4, 3.423e5, 1.553e5}}};
  constexpr double kPrinted = 2e-3;
  for (const auto& [r, raw, scaled] : expected) {
    const ConditioningCard c = card_of({10, hard, 1, r});
    BOOST_TEST(std::fabs(c.primal_max / c.primal_min / raw - 1) <= kPrinted);
    BOOST_TEST(std::fabs(c.primal_scaled_max / c.primal_scaled_min / scaled - 1) <= kPrinted);
    BOOST_TEST(c.dual_max / c.dual_min >= 67.6);  // hardly changes
    BOOST_TEST(c.dual_max / c.dual_min <= 67.9);
  }
}

BOOST_AUTO_TEST_CASE(both_forms_have_one_spectrum) {
  for (const Chain& c : {Chain{10, 1}, Chain{10, 30, 100}, Chain{7, 5, 1, 20, 50}}) {
    double differ = 1;
    (void)card_of(c, &differ);
    BOOST_TEST(differ <= 1e-12);
  }
}

BOOST_AUTO_TEST_SUITE_END()
