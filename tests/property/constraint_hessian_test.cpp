// The exact geometric stiffness of every registered constraint against differences of its forces.

#include "framework/math/symmetric_eigen.hpp"
#include "tests/property/single_joint.hpp"

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(constraint_hessian)

// The blocks of −∂(JᵀΛ)/∂q by central differences of JᵀΛ, made positive semi-definite like the exact ones.
BOOST_AUTO_TEST_CASE(geometric_stiffness_is_the_second_derivative) {
  constexpr double kStep = 1e-5;       // differences are right to its square,
  constexpr double kDifference = 1e-7; // times third derivatives of poses within metres
  for_each_joint(kAllEnds, 3, [](const JointDescription& d, const Poses& start, Random& random) {
    for (const Poses& at : {start, random_poses(random)}) {
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

BOOST_AUTO_TEST_SUITE_END()
