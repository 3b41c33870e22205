// Every registered hyperelastic material: P is the derivative of Ψ and ∂²Ψ/∂F² that of P, at ordinary, repeated, flat
// and inverted states; nothing at rest; Hooke's law for small strains; no change by rotations; the projection is the
// nearest one.

#include "framework/scoped_options.hpp"
#include "physics/register.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(materials)

namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
using Matrix9 = Eigen::Matrix<double, 9, 9, Eigen::RowMajor>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

struct Elastic {
  double young, poisson;
};
// Soft and stiff, with a negative ratio, without lateral contraction, rubber, and nearly incompressible.
const Elastic kElastic[] = {{1, -0.4}, {1e5, 0}, {2e11, 0.3}, {1e4, 0.45}, {1e5, 0.4999}};

std::unique_ptr<SoftMaterial> make(const std::string& name, const Elastic& e) {
  auto m = soft_material_registry().create(name);
  m->set(lame(e.young, e.poisson, "test"));
  return m;
}

Vector9 vec(const Mat3& m) {
  Vector9 out;
  for (int k = 0; k < 9; ++k) out(k) = m(k / 3, k % 3);
  return out;
}
Mat3 random_matrix(Random& random) { return {random.vector(1), random.vector(1), random.vector(1)}; }
Mat3 with_stretches(Random& random, const Vec3& s) {
  return compose(rotation_matrix(random.rotation()), s, rotation_matrix(random.rotation()));
}
Matrix9 hessian(const SoftMaterial& m, const Mat3& f) {
  Matrix9 H;
  assemble_spectrum(
      m.spectrum(f), [](double e) { return e; }, H.data());
  return H;
}

/// Deformations at which derivatives are checked; inverted ones only for materials that are defined there.
std::vector<Mat3> states(Random& random, bool invertible) {
  std::vector<Mat3> out{Mat3::identity(), Mat3::diagonal(2, 2, 2), Mat3::diagonal(2, 0.5, 0.5)};
  for (int k = 0; k < 10; ++k) {
    out.push_back(Mat3::identity() + 0.3 * random_matrix(random));
    if (determinant(out.back()) < 0.1) out.back() = Mat3::identity();
    out.push_back(with_stretches(random, {1, 1, 1}));
    out.push_back(with_stretches(random, {1.5, 1.5, 0.7}));
    out.push_back(with_stretches(random, {1.5, 0.7, 0.7}));
    out.push_back(with_stretches(random, {1.5, 0.7, 0.7 * (1 - 1e-9)}));  // repeated but for rounding
    if (!invertible) continue;
    out.push_back(with_stretches(random, {1.2, 0.9, 1e-9}));  // flat
    out.push_back(with_stretches(random, {1.2, 0.9, 0}));
    out.push_back(with_stretches(random, {1.2, 0.9, -0.5}));  // inverted
    out.push_back(with_stretches(random, {3, 0.8, -0.2}));
    out.push_back(random_matrix(random));
  }
  return out;
}

/// Where P is not differentiable: the polar decomposition jumps at s₂ + s₃ = 0. Steps below are up to 1e-3.
bool smooth(const std::string& name, const Mat3& f) {
  const Vec3 s = svd(f).s;
  return (name != "corotational" && name != "strain_limited") || s.y + s.z > 0.1;
}

}  // namespace

BOOST_AUTO_TEST_CASE(stress_is_the_derivative_of_energy) {
  for (const std::string& name : soft_material_registry().names())
    for (const Elastic& e : kElastic) {
      Random random(11);
      const auto m = make(name, e);
      for (const Mat3& f : states(random, m->invertible())) {
        if (!smooth(name, f)) continue;
        const Mat3 d = random_matrix(random);
        const double psi = m->energy(f), slope_term = vec(m->stress(f)).dot(vec(d));
        const double young = hessian(*m, f).norm();
        const double slope = taylor_slope(std::fabs(psi) + young, [&](double step) {
          return std::fabs(m->energy(f + step * d) - psi - step * slope_term);
        });
        BOOST_TEST_INFO(name << ", E = " << e.young << ", nu = " << e.poisson << ", det F = " << determinant(f));
        BOOST_TEST(slope > kTaylorSlope);
      }
    }
}

BOOST_AUTO_TEST_CASE(hessian_is_the_derivative_of_stress) {
  for (const std::string& name : soft_material_registry().names())
    for (const Elastic& e : kElastic) {
      Random random(12);
      const auto m = make(name, e);
      for (const Mat3& f : states(random, m->invertible())) {
        if (!smooth(name, f)) continue;
        const Mat3 d = random_matrix(random);
        const Matrix9 H = hessian(*m, f);
        const Vector9 P = vec(m->stress(f)), Hd = H * vec(d);
        const double slope = taylor_slope(
            P.norm() + H.norm(), [&](double step) { return (vec(m->stress(f + step * d)) - P - step * Hd).norm(); });
        BOOST_TEST_INFO(name << ", E = " << e.young << ", nu = " << e.poisson << ", det F = " << determinant(f));
        BOOST_TEST(slope > kTaylorSlope);
        BOOST_TEST((H - H.transpose()).cwiseAbs().maxCoeff() == 0);
      }
    }
}

// Strains below a limit cost nothing: derivatives on both sides of it, and nothing within.
BOOST_AUTO_TEST_CASE(strain_limits) {
  const ScopedOptions scoped("-strain_limit 0.05 -soft_form stiffness");
  for (const double poisson : {0.0, 0.3}) {
    const auto m = make("strain_limited", {1e5, poisson});
    Random random(17);
    // Steps of the derivatives are up to 1e-3: none crosses a limit.
    for (const Vec3& s : {Vec3{1.3, 1.02, 0.7}, Vec3{1.2, 1.2, 1.1}, Vec3{1.08, 0.99, 0.9}, Vec3{1.5, 0.98, 0.97}}) {
      const Mat3 f = with_stretches(random, s), d = random_matrix(random);
      const double psi = m->energy(f), along = vec(m->stress(f)).dot(vec(d));
      const Matrix9 H = hessian(*m, f);
      const Vector9 P = vec(m->stress(f)), Hd = H * vec(d);
      BOOST_TEST(psi > 0);
      BOOST_TEST(taylor_slope(std::fabs(psi) + H.norm(), [&](double step) {
                   return std::fabs(m->energy(f + step * d) - psi - step * along);
                 }) > kTaylorSlope);
      BOOST_TEST(taylor_slope(P.norm() + H.norm(), [&](double step) {
                   return (vec(m->stress(f + step * d)) - P - step * Hd).norm();
                 }) > kTaylorSlope);
    }
    const Mat3 inside = with_stretches(random, {1.04, 1, 0.96});
    BOOST_TEST(m->energy(inside) == 0);
    BOOST_TEST(vec(m->stress(inside)).norm() == 0);
    BOOST_TEST(hessian(*m, inside).norm() == 0);
  }
}

BOOST_AUTO_TEST_CASE(in_stretches_the_same) {
  for (const std::string& name : soft_material_registry().names()) {
    const auto m = make(name, {1e4, 0.4});
    BOOST_TEST(m->isotropic() == (name != "linear"));
    if (!m->isotropic()) {
      BOOST_TEST(std::isnan(m->stretch_energy({1, 1, 1})));
      continue;
    }
    Random random(13);
    for (const Mat3& f : states(random, m->invertible())) {
      const Svd d = svd(f);
      const double scale = hessian(*m, f).norm();
      // An SVD, and some fifty operations on terms of the size of ∂²Ψ.
      const double rounding = 256 * kEpsilon * scale;
      BOOST_TEST(std::fabs(m->stretch_energy(d.s) - m->energy(f)) <= rounding);
      BOOST_TEST((vec(compose(d.u, m->stretch_gradient(d.s), d.v)) - vec(m->stress(f))).norm() <= rounding);
      // The order of repeated stretches is arbitrary, so derivatives are of functions of any three numbers.
      const Vec3 s = d.s, direction = random.vector(1);
      const double psi = m->stretch_energy(s), first = dot(m->stretch_gradient(s), direction);
      BOOST_TEST(taylor_slope(std::fabs(psi) + scale, [&](double step) {
                   return std::fabs(m->stretch_energy(s + step * direction) - psi - step * first);
                 }) > kTaylorSlope);
      const Vec3 g = m->stretch_gradient(s), second = m->stretch_hessian(s) * direction;
      BOOST_TEST(taylor_slope(norm(g) + scale, [&](double step) {
                   return norm(m->stretch_gradient(s + step * direction) - g - step * second);
                 }) > kTaylorSlope);
    }
  }
}

BOOST_AUTO_TEST_CASE(nothing_at_rest) {
  for (const std::string& name : soft_material_registry().names())
    for (const Elastic& e : kElastic) {
      const auto m = make(name, e);
      const double rounding = 8 * kEpsilon * hessian(*m, Mat3::identity()).norm();
      BOOST_TEST(std::fabs(m->energy(Mat3::identity())) <= rounding);
      BOOST_TEST(vec(m->stress(Mat3::identity())).norm() <= rounding);
    }
}

BOOST_AUTO_TEST_CASE(hooke_for_small_strains) {
  for (const std::string& name : soft_material_registry().names())
    for (const Elastic& e : kElastic) {
      const auto m = make(name, e);
      const double mu = e.young / (2 * (1 + e.poisson));
      const double lambda = e.young * e.poisson / ((1 + e.poisson) * (1 - 2 * e.poisson));
      Matrix9 expected;
      for (int r = 0; r < 9; ++r)
        for (int c = 0; c < 9; ++c) {
          const int i = r / 3, j = r % 3, k = c / 3, l = c % 3;
          expected(r, c) = mu * ((i == k && j == l) + (i == l && j == k)) + lambda * (i == j && k == l);
        }
      const Matrix9 H = hessian(*m, Mat3::identity());
      BOOST_TEST_INFO(name << ", nu = " << e.poisson);
      BOOST_TEST((H - expected).norm() <= 64 * kEpsilon * expected.norm());
    }
}

BOOST_AUTO_TEST_CASE(rotations_change_nothing) {
  for (const std::string& name : soft_material_registry().names()) {
    const auto m = make(name, {1e4, 0.4});
    Random random(14);
    bool same = true;
    for (const Mat3& f : states(random, m->invertible())) {
      const Mat3 q = rotation_matrix(random.rotation());
      const Matrix9 H = hessian(*m, f);
      const double rounding = 1024 * kEpsilon * H.norm();  // of H itself, and two products of matrices
      same = same && std::fabs(m->energy(q * f) - m->energy(f)) <= rounding &&
             (vec(m->stress(q * f)) - vec(q * m->stress(f))).norm() <= rounding;
      if (m->isotropic()) same = same && (vec(m->stress(f * q)) - vec(m->stress(f) * q)).norm() <= rounding;
      if (!smooth(name, f)) continue;
      Matrix9 turn = Matrix9::Zero();  // vec(q X) = turn vec(X)
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int k = 0; k < 3; ++k) turn(3 * i + k, 3 * j + k) = q(i, j);
      same = same && (hessian(*m, q * f) - turn * H * turn.transpose()).norm() <= 64 * rounding;
    }
    BOOST_TEST_INFO(name);
    BOOST_TEST(same == (name != "linear"));  // the one that is known to change
  }
}

/// Of the eigenvalues of the spectrum against those of a library, and of the projection and its inverse made of them.
BOOST_AUTO_TEST_CASE(projection_and_its_inverse) {
  for (const std::string& name : soft_material_registry().names()) {
    const auto m = make(name, {1e4, 0.45});
    Random random(15);
    bool indefinite = false;
    for (const Mat3& f : states(random, m->invertible())) {
      const Spectrum s = m->spectrum(f);
      const Matrix9 H = hessian(*m, f);
      const Eigen::SelfAdjointEigenSolver<Matrix9> solver(H);
      Vector9 own;
      for (int k = 0; k < 9; ++k) own(k) = s.value(k);
      std::sort(own.data(), own.data() + 9);
      const double rounding = 256 * kEpsilon * H.norm();
      BOOST_TEST((own - solver.eigenvalues()).norm() <= rounding);
      indefinite = indefinite || own(0) < -rounding;

      const double least = 10;  // [Pa]
      Matrix9 positive, inverse;
      assemble_spectrum(
          s, [=](double e) { return std::fmax(e, least); }, positive.data());
      assemble_spectrum(
          s, [=](double e) { return 1 / std::fmax(e, least); }, inverse.data());
      const Matrix9 expected =
          solver.eigenvectors() * solver.eigenvalues().cwiseMax(least).asDiagonal() * solver.eigenvectors().transpose();
      BOOST_TEST((positive - expected).norm() <= 16 * rounding);
      BOOST_TEST((positive * inverse - Matrix9::Identity()).norm() <= 16 * rounding / least);
    }
    BOOST_TEST_INFO(name);
    BOOST_TEST(indefinite == (name != "linear"));  // else the projection was not tested
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_defined_is_reported) {
  for (const std::string& name : soft_material_registry().names()) {
    const auto m = make(name, {1e4, 0.45});
    const Mat3 flat = Mat3::diagonal(1, 1, 0), inverted = Mat3::diagonal(1, 1, -1);
    for (const Mat3& f : {flat, inverted, Mat3{}}) {
      BOOST_TEST(std::isfinite(m->energy(f)) == m->invertible());
      BOOST_TEST(std::isfinite(vec(m->stress(f)).norm()) == m->invertible());
    }
  }
}

BOOST_AUTO_TEST_CASE(constants_are_checked) {
  const auto refused = [](double young, double poisson, const std::string& part) {
    try {
      lame(young, poisson, "soft body 'b'");
    } catch (const InputError& error) {
      const std::string text = error.what();
      return text.find("soft body 'b'") != std::string::npos && text.find(part) != std::string::npos;
    }
    return false;
  };
  BOOST_TEST(refused(1, 0.5, "incompressible"));
  BOOST_TEST(refused(1, 0.6, "-1 and 0.5"));
  BOOST_TEST(refused(1, -1, "-1 and 0.5"));
  BOOST_TEST(refused(1, std::nan(""), "-1 and 0.5"));
  BOOST_TEST(refused(0, 0.3, "> 0"));
  BOOST_TEST(refused(std::nan(""), 0.3, "> 0"));
  BOOST_TEST(lame(1, 0.4999, "").lambda > 1000);
}

BOOST_AUTO_TEST_SUITE_END()
