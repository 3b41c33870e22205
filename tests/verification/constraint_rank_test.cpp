// Redundant and contradictory joints are found whatever the units and the size, and named.

#include "tests/verification/mechanisms.hpp"
#include "verdict/row_space.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <random>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(constraint_rank)

namespace {

ConstraintRank rank_of(const World& world) {
  const ScopedOptions options("");
  return Model(world, 0.01).constraint_rank();
}

int redundant_rows(const ConstraintRank& rank) {
  int rows = 0;
  for (const DependentJoint& j : rank.redundant) rows += j.rows;
  return rows;
}

/// A matrix of `rows` sparse rows of which `rank` are independent, in random order.
RowMatrix sparse_rows(int rows, int rank, int columns, std::mt19937& random) {
  std::normal_distribution<double> value;
  std::uniform_int_distribution<int> column(0, columns - 1), of(0, rank - 1);
  Eigen::MatrixXd B = Eigen::MatrixXd::Zero(rows, columns);
  for (int r = 0; r < rank; ++r)
    for (int k = 0; k < 4; ++k) B(r, k == 0 ? r : column(random)) = value(random);
  for (int r = rank; r < rows; ++r)
    for (int k = 0; k < 3; ++k) B.row(r) += value(random) * B.row(of(random));
  std::vector<int> order(rows);
  for (int r = 0; r < rows; ++r) order[r] = r;
  std::shuffle(order.begin(), order.end(), random);
  Eigen::MatrixXd shuffled(rows, columns);
  for (int r = 0; r < rows; ++r) shuffled.row(r) = B.row(order[r]);
  return shuffled.sparseView();
}

}  // namespace

BOOST_AUTO_TEST_CASE(relations_of_random_rows_hold) {
  std::mt19937 random(7);
  for (const auto& [rows, rank, columns] : {std::array{40, 25, 60}, {60, 30, 30}, {200, 150, 180}, {12, 12, 20}}) {
    const RowMatrix B = sparse_rows(rows, rank, columns, random);
    const int dense_rank =
        static_cast<int>(Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(Eigen::MatrixXd(B)).setThreshold(1e-9).rank());
    const RowSpace space(B, 1e-8);
    BOOST_TEST(space.rank() == dense_rank);
    const std::vector<DependentRow> dependent = space.dependent();
    BOOST_TEST(static_cast<int>(dependent.size()) == rows - dense_rank);
    std::vector<bool> is_dependent(rows, false);
    for (const DependentRow& d : dependent) is_dependent[d.row] = true;
    for (const DependentRow& d : dependent) {
      Eigen::RowVectorXd left = Eigen::RowVectorXd(B.row(d.row));
      double scale = left.norm();
      for (const auto& [row, y] : d.of) {
        BOOST_TEST(!is_dependent[row]);
        left -= y * Eigen::RowVectorXd(B.row(row));
        scale += std::fabs(y) * B.row(row).norm();
      }
      // Coefficients below 1e-7 of the largest are dropped.
      BOOST_TEST(left.norm() < 1e-6 * scale);
    }
    // The shortest solution: that of the dense complete decomposition.
    const Eigen::VectorXd x =
        Eigen::VectorXd::NullaryExpr(columns, [&random] { return std::normal_distribution<double>()(random); });
    const Eigen::VectorXd right = B * x;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> complete;
    complete.setThreshold(1e-9);
    const Eigen::VectorXd dense = complete.compute(Eigen::MatrixXd(B)).solve(right);
    BOOST_TEST((space.shortest(right) - dense).norm() < 1e-8 * (1 + dense.norm()));
  }
}

BOOST_AUTO_TEST_CASE(planar_four_bar_has_three_redundant_rows) {
  const ConstraintRank rank = rank_of(four_bar());
  BOOST_TEST(rank.rows == 20);
  BOOST_TEST(rank.rank == 17);
  BOOST_TEST(redundant_rows(rank) == 3);
  BOOST_TEST(rank.contradictory.empty());
  BOOST_REQUIRE(rank.redundant.size() == 1);
  BOOST_TEST(rank.redundant[0].text() == "hinge d is implied by hinge a, hinge b, hinge c (3 of 5 rows)");
  BOOST_TEST(rank.record()["redundant"].size() == 1);
}

BOOST_AUTO_TEST_CASE(rank_does_not_depend_on_units_and_mass) {
  for (double metre : {1e-3, 1.0, 1e3})
    for (double heavy : {1.0, 1e6}) {
      World w = four_bar();
      for (BodyDescription& b : w.bodies) {
        b.position = metre * b.position;
        b.inertia = metre * metre * *b.inertia;
      }
      w.bodies[2].mass = heavy;
      w.bodies[2].inertia = heavy * *w.bodies[2].inertia;
      for (JointDescription& j : w.joints) j.anchor_a = j.anchor_b = metre * j.anchor_a;
      BOOST_TEST(rank_of(w).rank == 17);
    }
}

BOOST_AUTO_TEST_CASE(doubled_joint_is_implied_by_the_first) {
  World w = four_bar();
  w.joints = {w.joints[0], w.joints[1]};
  w.joints.push_back(w.joints[1]);
  w.joints[2].name = "again";
  const ConstraintRank rank = rank_of(w);
  BOOST_TEST(rank.rank == 10);
  BOOST_REQUIRE(rank.redundant.size() == 1);
  BOOST_TEST(rank.redundant[0].text() == "hinge again is implied by hinge b (5 of 5 rows)");
}

BOOST_AUTO_TEST_CASE(chain_has_nothing_to_report) {
  World w = four_bar();
  w.joints.pop_back();
  const ConstraintRank rank = rank_of(w);
  BOOST_TEST(rank.rank == 15);
  BOOST_TEST(rank.rows == 15);
  BOOST_TEST(rank.redundant.empty());
  BOOST_TEST(rank.lines().size() == 1);
  // A compliant joint that closes the loop is no constraint.
  w = four_bar();
  w.joints[3].compliance = {1e-6};
  BOOST_TEST(rank_of(w).rows == 15);
}

BOOST_AUTO_TEST_CASE(contradiction_is_named_with_its_size) {
  World w;
  w.bodies = {rod("door", {0, 0, 0}, {1, 0, 0})};
  w.joints = {joint("ball", "a", "door", "world", {0, 0, 0}), joint("ball", "b", "door", "world", {0, 0, 0})};
  w.joints[1].anchor_b = {0, 0.003, 0};
  const ScopedOptions options("-initial_violation_max 0.01");
  Model model(w, 0.01);
  // The option is also what counts as a contradiction: 3 mm is none, to 10 mm.
  BOOST_TEST(model.constraint_rank().contradictory.empty());
  BOOST_TEST(model.constraint_rank().redundant.size() == 1);

  const ScopedOptions strict("-check_constraints");
  const std::string text = refusal(w);
  BOOST_TEST(holds(text, "ball b contradicts ball a by 3 mm"), text);

  // Two anchors 1 m apart on the door and 1.003 m apart on the world: along the line only.
  w.joints[1].anchor_a = {1, 0, 0};
  w.joints[1].anchor_b = {1.003, 0, 0};
  const std::string stretched = refusal(w);
  BOOST_TEST(holds(stretched, "ball b contradicts ball a by 3 mm"), stretched);
}

BOOST_AUTO_TEST_CASE(row_of_zeros_depends_on_nothing) {
  RowMatrix B(2, 3);
  B.insert(1, 2) = 4;
  const RowSpace space(B, 1e-8);
  BOOST_TEST(space.rank() == 1);
  BOOST_REQUIRE(space.dependent().size() == 1);
  BOOST_TEST(space.dependent()[0].row == 0);
  BOOST_TEST(space.dependent()[0].of.empty());
  BOOST_TEST(space.shortest(Eigen::Vector2d(0, 2))(2) == 0.5);
}

BOOST_AUTO_TEST_CASE(prescribed_motions_count) {
  World w = four_bar();
  w.joints = {w.joints[0]};
  w.joints[0].coordinates.resize(1);
  w.joints[0].coordinates[0].motion = TimeFunction(0.0);
  JointDescription twice = w.joints[0];
  twice.name = "twice";
  w.joints.push_back(twice);
  const ConstraintRank rank = rank_of(w);
  BOOST_TEST(rank.rows == 12);
  BOOST_TEST(rank.rank == 6);
  BOOST_TEST(redundant_rows(rank) == 6);
  bool motion = false;
  for (const DependentJoint& j : rank.redundant)
    motion = motion || j.text() == "hinge twice: motion is implied by hinge a: motion (1 of 1 rows)";
  BOOST_TEST(motion);
}

BOOST_AUTO_TEST_CASE(rings) {
  const ConstraintRank small = rank_of(ring(20, "hinge"));
  BOOST_TEST(small.rows == 100);
  BOOST_TEST(small.rank ==
             97);  // of 120: a planar ring of n links moves in n - 3 ways in its plane, and in 6 as a whole
  BOOST_REQUIRE(small.redundant.size() == 1);
  BOOST_TEST(small.redundant[0].name == "hinge j19");
  BOOST_TEST(small.redundant[0].implied_by.size() == 19);
  BOOST_TEST(rank_of(ring(20, "ball")).redundant.empty());
  // In seconds, or the test's limit of time is passed.
  const ConstraintRank large = rank_of(ring(2000, "hinge"));
  BOOST_TEST(large.rows == 10000);
  BOOST_TEST(large.rank == 9997);
  BOOST_TEST(holds(large.redundant.at(0).text(), "more"));
}

BOOST_AUTO_TEST_CASE(many_redundant_joints) {
  // Every hinge of a chain three times.
  World w;
  constexpr int kLinks = 300;
  for (int k = 0; k < kLinks; ++k) {
    const std::string name = "link" + std::to_string(k);
    w.bodies.push_back(rod(name, {1.0 * k, 0, 0}, {k + 1.0, 0, 0}));
    for (const char* copy : {"a", "b", "c"})
      w.joints.push_back(joint("hinge", copy + std::to_string(k), name, k ? "link" + std::to_string(k - 1) : "world",
                               {1.0 * k, 0, 0}));
  }
  const ConstraintRank rank = rank_of(w);
  BOOST_TEST(rank.rank == 5 * kLinks);
  BOOST_TEST(redundant_rows(rank) == 10 * kLinks);
  BOOST_TEST(rank.redundant.size() == 2 * kLinks);
  BOOST_TEST(rank.redundant[0].text() == "hinge b0 is implied by hinge a0 (5 of 5 rows)");
}

BOOST_AUTO_TEST_CASE(failed_step_explains_itself) {
  const ScopedOptions options("-snes_max_it 2 -snes_atol 1e-300 -accept_budget false");
  Model model(four_bar(), 0.01);
  const StepReport report = model.step();
  BOOST_REQUIRE(report.failed);
  BOOST_TEST(holds(report.explanation, "17 of 20 rows"), report.explanation);
  BOOST_TEST(holds(report.explanation, "hinge d is implied by"));
}

BOOST_AUTO_TEST_SUITE_END()
