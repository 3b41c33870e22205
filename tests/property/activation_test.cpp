// Every material under pressure: P_a is the derivative of Ψ_a, its spectrum that of the stress, its row forms give the
// same forces, and rotations change nothing.

#include "physics/soft/activation.hpp"

#include "physics/materials/linear.hpp"
#include "physics/materials/neo_hookean.hpp"
#include "physics/materials/st_venant_kirchhoff.hpp"
#include "physics/materials/stable_neo_hookean.hpp"
#include "physics/materials/stable_neo_hookean_log.hpp"
#include "physics/materials/strain.hpp"
#include "physics/soft/rows/deformation_gradient.hpp"
#include "physics/soft/rows/stretch.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/mpl/list.hpp>
#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(activation)

namespace {

using Isotropic = boost::mpl::list<Corotational, NeoHookean, StVenantKirchhoff, StableNeoHookean, StableNeoHookeanLog>;
using All =
    boost::mpl::list<Linear, Corotational, NeoHookean, StVenantKirchhoff, StableNeoHookean, StableNeoHookeanLog>;

double inner(const Mat3& a, const Mat3& b) { return dot(a.r0, b.r0) + dot(a.r1, b.r1) + dot(a.r2, b.r2); }
Mat3 random_matrix(Random& random) { return {random.vector(1), random.vector(1), random.vector(1)}; }
double size(const Mat3& a) { return std::sqrt(inner(a, a)); }

/// Deformations away from flatness, repeated stretches among them: what is defined and smooth for every material.
std::vector<Mat3> states(Random& random) {
  std::vector<Mat3> out{Mat3::identity(), Mat3::diagonal(1.3, 1.3, 1.3)};
  for (int k = 0; k < 10; ++k) {
    out.push_back(Mat3::identity() + 0.2 * random_matrix(random));
    const Mat3 u = rotation_matrix(random.rotation()), v = rotation_matrix(random.rotation());
    out.push_back(compose(u, {1.5, 1.5, 0.7}, v));
    out.push_back(compose(u, {1.6, 1.1, 0.6}, v));
  }
  return out;
}

// Pressures of the order of the shear modulus, both signs.
constexpr double kPressures[] = {3e4, -3e4};
const Lame kLame{3e4, 2e5};

template <class M>
Activated<M> make(double pressure) {
  return {M::from(kLame), pressure};
}

/// Σ σ_k B_k: the stress a row form stands for.
template <class Form, class M>
Mat3 stress_of_rows(const M& material, const Mat3& f) {
  SoftRows<Form::kRows> rows;
  Form::evaluate(material, f, {}, true, {}, rows);
  Mat3 sum{};
  for (int k = 0; k < Form::kRows; ++k) sum = sum + rows.stress[k] * rows.basis[k];
  return sum;
}

}  // namespace

BOOST_AUTO_TEST_CASE_TEMPLATE(stress_is_the_derivative_of_energy, M, All) {
  Random random(3);
  for (const double p : kPressures)
    for (const Mat3& f : states(random)) {
      const auto m = make<M>(p);
      const Mat3 d = random_matrix(random), P = m.stress(f);
      const double slope = taylor_slope(std::fabs(m.energy(f)) + kLame.lambda, [&](double step) {
        return std::fabs(m.energy(f + step * d) - m.energy(f) - step * inner(P, d));
      });
      BOOST_TEST(slope > kTaylorSlope);
      // At rest the stress is the pressure alone, p of tension needed to hold it: P = −p 1.
      BOOST_TEST(size(m.stress(Mat3::identity()) + p * Mat3::identity()) < 1e-9 * std::fabs(p));  // roundings of λ + μ
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(spectrum_is_the_derivative_of_stress, M, Isotropic) {
  Random random(4);
  for (const double p : kPressures)
    for (const Mat3& f : states(random)) {
      const auto m = make<M>(p);
      const Mat3 d = random_matrix(random), P = m.stress(f);
      double H[kEntries * kEntries];
      assemble_spectrum(
          m.spectrum(f), [](double e) { return e; }, H);
      Mat3 Hd{};
      for (int r = 0; r < kEntries; ++r)
        for (int c = 0; c < kEntries; ++c) Hd(r / 3, r % 3) += H[kEntries * r + c] * d(c / 3, c % 3);
      const double slope = taylor_slope(size(P) + kLame.lambda,
                                        [&](double step) { return size(m.stress(f + step * d) - P - step * Hd); });
      BOOST_TEST(slope > kTaylorSlope);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(row_forms_have_the_same_forces, M, Isotropic) {
  Random random(5);
  for (const double p : kPressures)
    for (const Mat3& f : states(random)) {
      const auto m = make<M>(p);
      const Mat3 P = m.stress(f);
      const double rounding = 1e-12 * (size(P) + kLame.lambda);  // some hundred operations on moduli
      BOOST_TEST(size(stress_of_rows<DeformationGradientRows<Activated<M>>>(m, f) - P) < rounding);
      BOOST_TEST(size(stress_of_rows<StretchRows<Activated<M>>>(m, f) - P) < rounding);
      if constexpr (std::is_same_v<M, Corotational>) BOOST_TEST(size(stress_of_rows<StrainRows>(m, f) - P) < rounding);
    }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(rotations_change_nothing, M, Isotropic) {
  Random random(6);
  for (const Mat3& f : states(random)) {
    const auto m = make<M>(kPressures[0]);
    const Mat3 R = rotation_matrix(random.rotation());
    BOOST_TEST(m.energy(R * f) == m.energy(f),
               boost::test_tools::tolerance(1e-10));  // differences of energies of 1e5 J/m³
    BOOST_TEST(size(m.stress(R * f) - R * m.stress(f)) < 1e-12 * (size(m.stress(f)) + kLame.lambda));
  }
}

BOOST_AUTO_TEST_SUITE_END()
