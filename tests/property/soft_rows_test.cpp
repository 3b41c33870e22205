// Row forms of soft elements, of every material: their forces are those of the energy, their bases derivatives of what
// they measure, and their compliance makes Newton's row exact; and the viscosity, as rows and as forces.

#include "physics/materials/corotational.hpp"
#include "physics/materials/linear.hpp"
#include "physics/materials/neo_hookean.hpp"
#include "physics/materials/st_venant_kirchhoff.hpp"
#include "physics/materials/stable_neo_hookean.hpp"
#include "physics/materials/stable_neo_hookean_log.hpp"
#include "physics/materials/strain.hpp"
#include "physics/materials/strain_limited.hpp"
#include "physics/register.hpp"
#include "physics/soft/rows/deformation_gradient.hpp"
#include "physics/soft/rows/stretch.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include <set>
#include <string>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_rows)

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
const Lame kLame = lame(1e4, 0.4, "test");
const SoftRowOptions kOptions{};
using Matrix9 = Eigen::Matrix<double, 9, 9, Eigen::RowMajor>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

Vector9 vec(const Mat3& m) {
  Vector9 out;
  for (int k = 0; k < 9; ++k) out(k) = m(k / 3, k % 3);
  return out;
}
Mat3 random_matrix(Random& random) { return {random.vector(1), random.vector(1), random.vector(1)}; }
Mat3 with_stretches(Random& random, const Vec3& s) {
  return compose(rotation_matrix(random.rotation()), s, rotation_matrix(random.rotation()));
}
/// Ordinary, repeated, nearly flat and, for materials that are defined there, inverted ones.
std::vector<Mat3> states(Random& random, bool invertible) {
  std::vector<Mat3> out;
  for (int k = 0; k < 8; ++k) {
    for (const Vec3& s :
         {Vec3{1, 1, 1}, Vec3{1.4, 1.1, 0.8}, Vec3{1.5, 1.5, 0.7}, Vec3{1.5, 0.7, 0.7}, Vec3{1.2, 0.9, 1e-3}})
      out.push_back(with_stretches(random, s));
    if (!invertible) continue;
    for (const Vec3& s : {Vec3{1.2, 0.9, 1e-9}, Vec3{1.2, 0.9, -0.5}, Vec3{3, 0.8, -0.2}})
      out.push_back(with_stretches(random, s));
  }
  return out;
}

/// Calls f(material) for each of them.
template <class F>
void for_materials(F f) {
  f(Linear::from(kLame));
  f(Corotational::from(kLame));
  f(NeoHookean::from(kLame));
  f(StVenantKirchhoff::from(kLame));
  f(StableNeoHookean::from(kLame));
  f(StableNeoHookeanLog::from(kLame));
  f(StrainLimited::from(kLame));
}

template <class Form, class M>
Mat3 force(const M& material, const Mat3& f, const Viscosity& viscosity = {}) {
  SoftRows<Form::kRows> rows;
  Form::evaluate(material, f, viscosity, true, kOptions, rows);
  Mat3 out{};
  for (int k = 0; k < Form::kRows; ++k) out = out + rows.stress[k] * rows.basis[k];
  return out;
}

template <class M>
double stiffness_norm(const M& material, const Mat3& f) {
  Matrix9 H;
  assemble_spectrum(
      material.spectrum(f), [](double e) { return e; }, H.data());
  return H.norm();
}

}  // namespace

/// Σ σ_k B_k = P: Jᵀλ is the force of the energy, for every form and at every state.
BOOST_AUTO_TEST_CASE(forces_are_those_of_the_energy) {
  std::set<std::string> tried;
  for_materials([&tried](const auto& material) { tried.insert(std::decay_t<decltype(material)>::kName); });
  for (const std::string& name : soft_material_registry().names())
    BOOST_TEST(tried.count(name) == 1u, name << " belongs into for_materials()");
  for_materials([](const auto& material) {
    using M = std::decay_t<decltype(material)>;
    Random random(21);
    for (const Mat3& f : states(random, M::kInvertible)) {
      const Mat3 P = material.stress(f);
      const double rounding = 256 * kEpsilon * stiffness_norm(material, f);  // an SVD and some fifty operations
      BOOST_TEST_INFO(M::kName << ", det F = " << determinant(f));
      BOOST_TEST((vec(force<DeformationGradientRows<M>>(material, f)) - vec(P)).norm() <= rounding);
      if constexpr (StretchEnergy<M>) BOOST_TEST((vec(force<StretchRows<M>>(material, f)) - vec(P)).norm() <= rounding);
      if constexpr (std::is_same_v<M, Corotational>)
        BOOST_TEST((vec(force<StrainRows>(Activated<Corotational>{material, 0}, f)) - vec(P)).norm() <= rounding);
    }
  });
}

/// B_k = ∂s_k/∂F where stretches are distinct, and ∂c/∂F of strains along what does not turn R.
BOOST_AUTO_TEST_CASE(bases_are_derivatives) {
  Random random(22);
  const StableNeoHookean rubber = StableNeoHookean::from(kLame);
  const Activated<Corotational> hooke{Corotational::from(kLame), 0};
  for (const Vec3& s : {Vec3{1.4, 1.1, 0.8}, Vec3{1.2, 0.9, 1e-3}, Vec3{1.2, 0.9, -0.5}, Vec3{3, 0.8, -0.2}})
    for (int n = 0; n < 8; ++n) {
      const Mat3 f = with_stretches(random, s), d = random_matrix(random);
      SoftRows<3> rows;
      StretchRows<StableNeoHookean>::evaluate(rubber, f, {}, true, kOptions, rows);
      for (int k = 0; k < 3; ++k) {
        const double along = vec(rows.basis[k]).dot(vec(d));
        BOOST_TEST(taylor_slope(10, [&](double step) {
                     return std::fabs(svd(f + step * d).s[k] - s[k] - step * along);
                   }) > kTaylorSlope);
      }
      const Svd parts = svd(f);
      const Mat3 R = polar_rotation(parts), x = random_matrix(random), stretching = R * (x + transpose(x));
      // A symmetric change of S leaves R as it is.
      SoftRows<6> strains;
      StrainRows::evaluate(hooke, f, {}, true, kOptions, strains);
      double c0[6];
      StrainRows::strains(parts, c0);
      for (int k = 0; k < 6; ++k) {
        const double along = vec(strains.basis[k]).dot(vec(stretching));
        BOOST_TEST(taylor_slope(10, [&](double step) {
                     double c[6];
                     StrainRows::strains(svd(f + step * stretching), c);
                     return std::fabs(c[k] - c0[k] - step * along);
                   }) > kTaylorSlope);
      }
    }
}

/// Where ∂²Ψ/∂F² is positive definite, K⁻¹ (σ(F + δ) − σ(F)) = δ to first order: the row that Newton sees is exact,
/// viscosity included.
BOOST_AUTO_TEST_CASE(nine_rows_are_linearised_exactly) {
  int checked = 0;
  for_materials([&checked](const auto& material) {
    using M = std::decay_t<decltype(material)>;
    if (std::is_same_v<M, Linear>) return;  // infinitesimal rotations have no stiffness: projected everywhere
    for (const double rate : {0.0, 3e3}) {
      Random random(23);
      for (const Mat3& f : states(random, M::kInvertible)) {
        const Spectrum s = material.spectrum(f);
        bool definite = true;
        for (int k = 0; k < 9; ++k) definite = definite && s.value(k) > kOptions.least_stiffness * material.mu;
        // The strain grows in all directions, so that the viscosity's first term is not projected either.
        const Viscosity viscosity{rate, 0.8 * f};
        if (!definite) continue;
        ++checked;
        const Mat3 d = random_matrix(random);
        SoftRows<9> at;
        DeformationGradientRows<M>::evaluate(material, f, viscosity, true, kOptions, at);
        const Eigen::Map<const Matrix9> inverse(at.compliance);
        const Eigen::Map<const Vector9> stress(at.stress);
        const double scale = inverse.norm() * (stress.norm() + stiffness_norm(material, f));
        BOOST_TEST_INFO(M::kName << ", viscosity " << rate << ", det F = " << determinant(f));
        BOOST_TEST(taylor_slope(scale, [&](double step) {
                     SoftRows<9> there;
                     DeformationGradientRows<M>::evaluate(material, f + step * d, viscosity, true, kOptions, there);
                     return (inverse * (Eigen::Map<const Vector9>(there.stress) - stress) - step * vec(d)).norm();
                   }) > kTaylorSlope);
      }
    }
  });
  BOOST_TEST(checked > 100);
}

BOOST_AUTO_TEST_CASE(viscosity) {
  Random random(24);
  bool indefinite = false;
  for (const Mat3& f : states(random, true))
    for (const Mat3& old :
         {Mat3::identity(), with_stretches(random, {1.3, 0.8, 0.4}), with_stretches(random, {0.9, 0.5, -0.3})}) {
      const Viscosity v{7, old};
      const Mat3 d = random_matrix(random);
      Matrix9 exact = Matrix9::Zero(), positive = Matrix9::Zero();
      add_strain_rate_stiffness(v, f, true, 1, exact.data());
      add_strain_rate_stiffness(v, f, false, 1, positive.data());
      const double energy = strain_rate_energy(v, f), scale = 100 * v.rate;
      const Vector9 stress = vec(strain_rate_stress(v, f));
      BOOST_TEST(energy >= 0);
      BOOST_TEST(taylor_slope(scale, [&](double step) {
                   return std::fabs(strain_rate_energy(v, f + step * d) - energy - step * stress.dot(vec(d)));
                 }) > kTaylorSlope);
      BOOST_TEST(taylor_slope(scale, [&](double step) {
                   return (vec(strain_rate_stress(v, f + step * d)) - stress - step * exact * vec(d)).norm();
                 }) > kTaylorSlope);
      const Eigen::SelfAdjointEigenSolver<Matrix9> of_exact(exact), of_positive(positive);
      indefinite = indefinite || of_exact.eigenvalues()(0) < -1e-3 * scale;
      BOOST_TEST(of_positive.eigenvalues()(0) >= -256 * kEpsilon * positive.norm());
      // Symmetric Kirchhoff stress: no torque. No stress at all from a rotation, however large.
      const Mat3 kirchhoff = strain_rate_stress(v, f) * transpose(f);
      BOOST_TEST((vec(kirchhoff) - vec(transpose(kirchhoff))).norm() <= 64 * kEpsilon * scale);
      const Mat3 turned = rotation_matrix(random.rotation()) * old;
      BOOST_TEST(vec(strain_rate_stress(v, turned)).norm() <= 64 * kEpsilon * scale);
    }
  BOOST_TEST(indefinite);  // else the projection was not tested
}

/// In strains and in stretches it is the potential of those: no force without their change, and against it.
BOOST_AUTO_TEST_CASE(viscosity_of_other_rows) {
  Random random(25);
  const Activated<Corotational> hooke{Corotational::from(kLame), 0};
  for (int n = 0; n < 20; ++n) {
    const Mat3 old = with_stretches(random, {1.3, 1.0, 0.6}), f = old + 0.05 * random_matrix(random);
    const Viscosity v{1e3, old};
    const Mat3 turned = rotation_matrix(random.rotation()) * old;
    const double rounding = 256 * kEpsilon * (v.rate + 1e4);
    const auto change = [](const Mat3& with, const Mat3& without) -> Vector9 { return vec(with) - vec(without); };
    BOOST_TEST(change(force<StrainRows>(hooke, turned, v), force<StrainRows>(hooke, turned)).norm() <= rounding);
    BOOST_TEST(
        change(force<StretchRows<Corotational>>(hooke, turned, v), force<StretchRows<Corotational>>(hooke, turned))
            .norm() <= rounding);
    BOOST_TEST(change(force<StrainRows>(hooke, f, v), force<StrainRows>(hooke, f)).dot(vec(f - old)) > 0);
    BOOST_TEST(change(force<StretchRows<Corotational>>(hooke, f, v), force<StretchRows<Corotational>>(hooke, f))
                   .dot(vec(f - old)) > 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
