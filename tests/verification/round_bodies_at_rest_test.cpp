// Capsules and cylinders dropped on a plane, on a slab and on each other's like come to rest at the height of their
// shape.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(round_bodies_at_rest)

namespace {

using Kind = ShapeDescription::Kind;

constexpr double kStep = 0.01, kRadius = 0.2, kHalf = 0.3, kMass = 2;
constexpr int kSteps = 150;
const std::string kConverged = "-ksp_type preonly -pc_type cholesky -snes_atol 1e-9 -snes_max_it 60 ";
// 1e-9 m/s over a step is 1e-11 m; kEqualLength of the radius is where a rim counts as level.
constexpr double kHeight = 2e-6;  // [m]
constexpr double kAtRest = 1e-6;  // [m/s]

BodyDescription round_body(const std::string& name, Kind kind, const Vec3& position, const Quat& q) {
  BodyDescription b;
  b.name = name;
  b.shape.kind = kind;
  b.shape.radius = kRadius;
  b.shape.half_height = kHalf;
  b.mass = kMass;
  // Of the solid cylinder, for both: any would do.
  const double across = kMass * (kRadius * kRadius / 4 + kHalf * kHalf / 3);
  b.inertia = Vec3{across, across, kMass * kRadius * kRadius / 2};
  b.position = position;
  b.orientation = q;
  return b;
}

const Quat kLying = from_axis_angle(Vec3{0, 1, 0}, 1.5707963267948966);

/// Height of the dropped body after kSteps, which must be at rest by then.
double height_at_rest(World w, const BodyDescription& b) {
  const ScopedOptions scoped(kConverged);
  w.bodies.push_back(b);
  Model model(w, kStep);
  double speed = 1e300, energy = 0;
  const RunFigures f = run(model, kSteps, [&](const StepReport& r) { energy = r.verdict.kinetic_energy; });
  speed = std::sqrt(2 * energy / kMass);
  BOOST_TEST(f.failed == 0);
  BOOST_TEST(speed <= kAtRest, b.name << " moves at " << speed);
  return model.frame().bodies.back().position.z;
}

World slab_world() {
  World w = world_with_plane(0.5);
  BodyDescription slab = box("slab", {2, 2, 0.1}, 1, {0, 0, -0.1});
  slab.motion = Motion::fixed;
  w.bodies = {slab};
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(on_a_plane_and_on_a_slab) {
  const Quat turned = from_axis_angle(Vec3{0, 0, 1}, 0.4);
  const Quat leaning = turned * from_axis_angle(Vec3{0, 1, 0}, 0.05);
  for (const World& w : {world_with_plane(0.5), slab_world()}) {
    const double drop = 0.02;
    BOOST_TEST(std::fabs(height_at_rest(w, round_body("standing", Kind::cylinder, {0, 0, kHalf + drop}, turned)) -
                         kHalf) <= kHeight);
    BOOST_TEST(std::fabs(height_at_rest(w, round_body("leaning", Kind::cylinder, {0, 0, kHalf + drop}, leaning)) -
                         kHalf) <= kHeight);
    BOOST_TEST(
        std::fabs(height_at_rest(w, round_body("lying", Kind::cylinder, {0, 0, kRadius + drop}, turned * kLying)) -
                  kRadius) <= kHeight);
    BOOST_TEST(
        std::fabs(height_at_rest(w, round_body("capsule", Kind::capsule, {0, 0, kRadius + drop}, turned * kLying)) -
                  kRadius) <= kHeight);
  }
}

BOOST_AUTO_TEST_CASE(stack_of_cylinders) {
  World w = world_with_plane(0.5);
  w.bodies.push_back(round_body("lower", Kind::cylinder, {0, 0, kHalf}, {}));
  const double height = height_at_rest(
      w, round_body("upper", Kind::cylinder, {0.02, 0.01, 3 * kHalf + 0.01}, from_axis_angle(Vec3{0, 0, 1}, 1.0)));
  BOOST_TEST(std::fabs(height - 3 * kHalf) <= kHeight);
}

BOOST_AUTO_TEST_SUITE_END()
