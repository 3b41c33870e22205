// The exact local solver of one contact against the natural map of the verdict, over random contacts and all regimes.

#include "framework/sets/local_contact.hpp"

#include "tests/property/random.hpp"
#include "verdict/contact_residuals.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(local_contact)

namespace {

/// Symmetric positive definite with eigenvalues between 1/spread and 1, as J M⁻¹ Jᵀ of a contact may be.
Mat3 random_block(Random& random, double spread) {
  const Quat q = random.rotation();
  Mat3 W{};
  for (int k = 0; k < 3; ++k) {
    Vec3 e{};
    e[k] = 1;
    const Vec3 d = rotate(q, e);
    W = W + random.log_uniform(1 / spread, 1) * outer(d, d);
  }
  return W;
}

/// Natural map and its scale at Λ [N s].
ContactResiduals residuals(const Mat3& W, const Vec3& q, double mu, const Vec3& impulse) {
  const Vec3 v = q + W * impulse;
  return contact_residuals({v.x, v.y, v.z, impulse.x, impulse.y, impulse.z, mu, W(0, 0), W(1, 1), W(2, 2)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(natural_map_vanishes_in_every_regime) {
  // Rounding of q + W Λ, times the condition number of W: 1e3.
  constexpr double kSolved = 1e-11;
  Random random(1);
  int count[3] = {}, most = 0;
  double sliding = 0, cold = 0, near = 0;  // with friction: solutions, evaluations from nothing and from nearby
  for (const double mu : {0.0, 0.01, 0.1, 0.3, 0.6, 1.0, 1.5, 2.0})
    for (int k = 0; k < 2000; ++k) {
      const Mat3 W = random.log_uniform(1e-4, 1e4) * random_block(random, 1e3);
      const Vec3 q = random.log_uniform(1e-6, 1e2) * random.unit_vector();
      const LocalSolution s = solve_local_contact(W, q, mu);
      const ContactResiduals r = residuals(W, q, mu, s.impulse);
      // With little friction and W nearly singular the impulse may exceed q/W by the condition number.
      const double scale = std::fmax(r.natural_scale, norm(s.impulse));
      BOOST_TEST(r.natural_map <= kSolved * scale, "mu " << mu << ": " << r.natural_map / scale);
      BOOST_TEST(s.impulse.x >= 0);
      ++count[static_cast<int>(s.regime)];
      most = std::max(most, s.iterations);
      if (s.regime != LocalRegime::slip || mu == 0) continue;
      constexpr double kNearby = 1e-3;  // of the impulse
      const Vec3 nearby = (1 + kNearby) * s.impulse + kNearby * norm(s.impulse) * Vec3{0, 1, 0};
      const LocalSolution again = solve_local_contact(W, q, mu, nearby);
      BOOST_TEST(residuals(W, q, mu, again.impulse).natural_map <= kSolved * scale);
      most = std::max(most, again.iterations);
      ++sliding;
      cold += s.iterations;
      near += again.iterations;
    }
  BOOST_TEST_MESSAGE("open " << count[0] << ", stick " << count[1] << ", slip " << count[2] << "; evaluations "
                             << cold / sliding << ", from nearby " << near / sliding << ", at most " << most);
  for (const int n : count) BOOST_TEST(n > 1000);
  BOOST_TEST(most < 100);
  BOOST_TEST(cold < 6 * sliding);  // half of what Newton's steps on f take from s = tr W_tt
  BOOST_TEST(near < 5 * sliding);
}

BOOST_AUTO_TEST_CASE(by_hand) {
  constexpr double kRounding = 1e-15;
  const Mat3 W = Mat3::diagonal(2, 4, 4);
  // Open, stuck to rest, and sliding against v_t with μ Λ_n.
  BOOST_TEST(norm(solve_local_contact(W, {1, 5, 5}, 0.5).impulse) == 0);
  const Vec3 stick = solve_local_contact(W, {-2, 0.4, 0}, 0.5).impulse;
  BOOST_TEST(norm(stick - Vec3{1, -0.1, 0}) < kRounding);
  const Vec3 slip = solve_local_contact(W, {-2, 0, 8}, 0.5).impulse;
  BOOST_TEST(norm(slip - Vec3{1, 0, -0.5}) < kRounding);
  const Vec3 smooth = solve_local_contact(W, {-2, 0, 8}, 0).impulse;
  BOOST_TEST(norm(smooth - Vec3{1, 0, 0}) < kRounding);
}

BOOST_AUTO_TEST_CASE(no_mobility_along_a_tangent) {
  // The second tangent cannot move and is not asked to: a contact of a body that a joint guides.
  const Mat3 W = Mat3::diagonal(1, 1, 0);
  const Vec3 impulse = solve_local_contact(W, {-1, 3, 0}, 0.5).impulse;
  BOOST_TEST(norm(impulse - Vec3{1, -0.5, 0}) < 1e-14);
}

BOOST_AUTO_TEST_SUITE_END()
