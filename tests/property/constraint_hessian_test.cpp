// Second derivatives and energies of every registered constraint: the exact geometric stiffness against differences of
// the forces, and the forces of compliant rows as minus the slope of the elastic energy.

#include "framework/math/symmetric_eigen.hpp"
#include "tests/property/single_joint.hpp"
#include "tests/property/taylor.hpp"

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(constraint_hessian)

// The blocks of −∂(JᵀΛ)/∂q by central differences of JᵀΛ, made positive semi-definite like the exact ones.
BOOST_AUTO_TEST_CASE(geometric_stiffness_is_the_second_derivative) {
  constexpr double kStep = 1e-5;        // differences are right to its square,
  constexpr double kDifference = 1e-7;  // times third derivatives of poses within metres
  for_each_joint(kAllEnds, 3, [](const JointDescription& d, const Poses& start, Random& random) {
    // A half-turn of one end but for a hundredth of a radian, which keeps clear of the branch of rotation rows.
    Poses half_turn = start;
    half_turn.q[0] = from_axis_angle(random.unit_vector(), kPi - 0.01) * half_turn.q[0];
    for (const Poses& at : {start, random_poses(random), half_turn}) {
      Joint joint(d.type, d, start);
      std::vector<double> lambda;
      for (int r = 0; r < joint.rows; ++r) lambda.push_back(random.uniform(-1, 1));
      joint.evaluate(at);
      const std::vector<Mat3> exact = joint.geometric_stiffness(at, lambda);
      const int entity_of_block[6] = {0, 0, 1, 1, 3, 4};
      for (int block = 0; block < 6; ++block) {
        Mat3 K{};
        for (int e = 0; e < 3; ++e) {
          Twists u(kEntities);
          const bool turns = block < 4 && block % 2 == 1;
          (turns ? u[entity_of_block[block]].w : u[entity_of_block[block]].v)[e] = 1;
          joint.evaluate(moved(at, u, kStep));
          const Vec3 plus = joint.force(lambda)[block];
          joint.evaluate(moved(at, u, -kStep));
          const Vec3 slope = (plus - joint.force(lambda)[block]) / (2 * kStep);
          for (int r = 0; r < 3; ++r) K(r, e) = slope[r];
        }
        const Mat3 expected = positive_part(-1.0 * K);
        for (int r = 0; r < 3; ++r)
          BOOST_TEST(norm(expected[r] - exact[block][r]) <= kDifference * (1 + norm(expected[r])));
      }
    }
  });
}

// V(q) = ½ Σ k c²,  dV = Σ k c (J u): a damped row's energy is that of its spring, read off the configuration.
BOOST_AUTO_TEST_CASE(energy_slope_is_the_spring_force) {
  for_each_joint(kAllEnds, 3, [](const JointDescription& rigid, const Poses& start, Random& random) {
    const double k = 200;
    JointDescription d = rigid;
    d.compliance = {1 / k};
    d.damping = {1};
    Joint soft(d.type, d, start), hard(d.type, rigid, start);
    Poses half_turn = start;
    half_turn.q[0] = from_axis_angle(random.unit_vector(), kPi - 0.01) * half_turn.q[0];
    for (const Poses& at : {random_poses(random), half_turn}) {
      const Twists u = random_twists(random);
      const std::vector<double> c = hard.evaluate(at), rate = hard.product(u);
      double slope = 0;
      for (int r = 0; r < hard.rows; ++r) slope += k * c[r] * rate[r];
      const View<double> impulse("impulse", soft.rows);
      const auto energy = [&](double e) {
        soft.evaluate(moved(at, u, e));
        return soft.pool().elastic_energy(impulse, 1);
      };
      const double now = energy(0);
      // Both sides at once: the second-order term, which may happen to vanish, drops out, and the slope is three.
      BOOST_TEST(taylor_slope(
                     1 + now, [&](double e) { return std::fabs(energy(e) - energy(-e) - 2 * e * slope); }, 1e-3) >=
                 kTaylorSlope);
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
