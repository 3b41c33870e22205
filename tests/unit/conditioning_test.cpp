// The conditioning card on models whose figures are known by hand.

#include "verdict/conditioning.hpp"

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(conditioning)

namespace {

constexpr double kTolerance = 1e-7;  // -constraint_rank_tolerance
const std::string kExact = "-ksp_type preonly -pc_type cholesky -snes_atol 1e-10 -snes_max_it 60 -contact_margin 1e-3 ";

}  // namespace

// One box on a plane: four contacts, twelve rows over six velocities, so half of the rows are redundant.
BOOST_AUTO_TEST_CASE(a_box_on_a_plane) {
  const ScopedOptions scoped(kExact);
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("b", {0.5, 0.5, 0.5}, 2, {0, 0, 0.5}));
  Model model(w, 0.01);
  BOOST_TEST(!model.step().failed);
  const ConditioningCard card = conditioning_card(model.problem(), kTolerance);
  BOOST_TEST(card.contacts == 4);
  BOOST_TEST(card.velocities == 6);
  BOOST_TEST(card.contact_density == 2.0);
  BOOST_TEST(card.rows == 12);
  BOOST_TEST(card.rank == 6);
  BOOST_TEST(card.rank_ratio == 0.5);
  BOOST_TEST(card.redundant.size() >= 2U);  // six dependent rows are more than one contact has
  BOOST_TEST(card.sticking == 4);
  BOOST_TEST(card.sliding + card.open == 0);
  BOOST_TEST(card.islands == 1);
  BOOST_TEST(card.mass_ratio == 1);
  BOOST_TEST(card.schur_asymmetry == 0);
  // The trace of a matrix with unit diagonal is its size: the six eigenvalues that are not zero sum to 12.
  constexpr double kZero = 1e-10;  // rounding of products of order 1, through an eigenvalue of order 4
  BOOST_TEST(std::fabs(card.eigenvalue_min) <= kZero);
  BOOST_TEST(card.eigenvalue_max >= 2);
  BOOST_TEST(card.eigenvalue_max <= 12);
}

// A ball: one contact, three rows, none redundant. Its Delassus operator is diagonal, so scaled it is the identity.
BOOST_AUTO_TEST_CASE(a_ball_on_a_plane) {
  const ScopedOptions scoped(kExact);
  World w = world_with_plane(0.5);
  BodyDescription ball = box("b", {}, 3, {0, 0, 0.2});
  ball.shape.kind = ShapeDescription::Kind::sphere;
  ball.shape.radius = 0.2;
  ball.velocity = {1, 0, 0};
  w.bodies.push_back(ball);
  ball.name = "light";
  ball.mass = 0.5;
  ball.position.x = 2;
  w.bodies.push_back(ball);
  ball.name = "flying";
  ball.mass = 100;  // touches nothing: does not count
  ball.position.z = 5;
  w.bodies.push_back(ball);
  Model model(w, 0.01);
  BOOST_TEST(!model.step().failed);
  const ConditioningCard card = conditioning_card(model.problem(), kTolerance);
  constexpr double kRounding = 1e-12;
  BOOST_TEST(card.rank == 6);
  BOOST_TEST(card.redundant.empty());
  BOOST_TEST(std::fabs(card.eigenvalue_min - 1) <= kRounding);
  BOOST_TEST(std::fabs(card.eigenvalue_max - 1) <= kRounding);
  BOOST_TEST(card.sliding == 2);
  BOOST_TEST(card.islands == 2);
  BOOST_TEST(card.velocities == 12);
  BOOST_TEST(std::fabs(card.mass_ratio - 6) <= kRounding);
  BOOST_TEST(ConditioningCard::columns().size() == card.values().size());
}

// An unsymmetric law shows in the asymmetry.
BOOST_AUTO_TEST_CASE(asymmetry_of_the_law) {
  const ScopedOptions scoped(
      "-contact_law soc_fischer_burmeister -ksp_type preonly -pc_type lu -snes_max_it 30 -snes_atol 1e-10");
  World w = world_with_plane(0.3);
  BodyDescription slider = box("b", {0.5, 0.5, 0.1}, 2, {0, 0, 0.1});
  slider.velocity = {2, 1, 0};
  w.bodies.push_back(slider);
  Model model(w, 0.01);
  BOOST_TEST(!model.step().failed);
  const ConditioningCard card = conditioning_card(model.problem(), kTolerance);
  BOOST_TEST(card.schur_asymmetry > 1e-3);  // μ of the normal force turns up in the friction rows only
  BOOST_TEST(card.schur_asymmetry <= 2);    // by the triangle inequality
}

BOOST_AUTO_TEST_SUITE_END()
