// A free mechanism with a joint of every type: joints, drives and friction inside it are internal forces. Linear
// momentum is constant to rounding, angular momentum to first order in h (q⁺ moves along u⁺ alone), energy never grows
// unless a drive feeds it, and positions do not drift, because every step asks for c(q⁺) = 0.

#include "physics/register.hpp"
#include "tests/jointed.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(joint_momentum)

namespace {

// Some hundred impulses of size one act per step, each twice with opposite sign; their roundings over a thousand steps.
constexpr double kRounding = 1e-11;
const std::string kSteps = kExactSteps + "-geometric_stiffness exact ";

/// A row of bodies one metre apart, each on the one before it; `next` adds a joint in the middle between the last two.
struct Row {
  World world;
  int bodies = 0;
  explicit Row(const BodyDescription& first) : world{} {
    world.gravity = {};
    world.bodies = {first};
    bodies = 1;
  }
  static std::string name(int i) { return "b" + std::to_string(i); }
  JointDescription& next(const std::string& type, Vec3 axis = {0, 0, 1}) {
    const double s = bodies;
    BodyDescription b = free_body(name(bodies), 1 + 0.3 * (bodies % 4), {0.08, 0.11, 0.1}, {s, 0.1 * (bodies % 3), 0});
    b.orientation = from_axis_angle(normalized(Vec3{1, s, -1}), 0.3 * s);
    world.bodies.push_back(b);
    const Vec3 middle{s - 0.5, 0.05, 0.02};
    // Ends in both orders.
    JointDescription j = joint_at(type, type, name(bodies), name(bodies - 1), middle, axis);
    if (bodies % 2 == 0) std::swap(j.a, j.b);
    ++bodies;
    world.joints.push_back(j);
    return world.joints.back();
  }
};

enum class Inside { nothing, dissipation, drives };

/// Every type once, the pin as a joint between two bodies, the gear between hinge and slider. It starts as a rigid body
/// that turns, or, `loose`, with spins that the joints have to share out in the first step.
World mechanism(Inside inside, bool loose) {
  Row row(free_body("b0", 1, {0.08, 0.11, 0.1}, {0, 0, 0}));
  const bool some = inside != Inside::nothing, drives = inside == Inside::drives;
  row.next("ball");
  CoordinateDescription hinge, slide, angle, along, first, second;
  if (some) {
    hinge.friction_viscous = 0.05;
    slide.friction_dry = 0.2;
    slide.lower = -0.2;
    slide.upper = 0.2;
    angle.friction_dry = 0.02;
    first.lower = -0.4;
    first.upper = 0.4;
    first.limit_compliance = 1e-3;
    first.limit_damping = 0.5;
  }
  if (drives) {
    hinge.driven = second.driven = along.driven = true;
    hinge.drive_stiffness = 3;
    hinge.drive_damping = 0.2;
    hinge.target = TimeFunction::expression("0.3 * sin(2 * t)");
    hinge.effort = 0.8;
    second.drive_stiffness = 0;
    second.drive_damping = 0.3;
    second.rate = 0.5;
    along.drive_stiffness = 40;
    along.drive_damping = 2;
    along.target = 0.1;
  }
  row.next("hinge", normalized(Vec3{0.2, 0.1, 1})).coordinates = {hinge};
  row.next("distance").anchor_a += Vec3{0.1, 0.2, 0.3};
  row.next("slider", normalized(Vec3{1, 0.2, 0.1})).coordinates = {slide};
  JointDescription& bush = row.next("weld");
  bush.compliance = {1e-4, 1e-4, 1e-4, 0.02, 0.02, 0.02};
  if (some) bush.damping = {1};
  row.next("cylindrical", normalized(Vec3{1, -0.3, 0.1})).coordinates = {angle, along};
  JointDescription& universal = row.next("universal");
  universal.axis_2 = {0, 1, 0};
  universal.coordinates = {first, second};
  row.next("pin");
  row.next("point_on_line", normalized(Vec3{0.2, 1, 0}));
  row.next("ball").name = "second ball";  // so that the line and the plane stay short
  World& w = row.world;
  JointDescription plane = joint_at("point_on_plane", "point_on_plane", Row::name(10), Row::name(8), {9.5, 0.2, 0.1});
  w.joints.push_back(plane);
  JointDescription gear = joint_at("gear", "gear", "", "", {});
  gear.joint_1 = "hinge";
  gear.joint_2 = "slider";
  gear.ratio = 0.7;
  w.joints.push_back(gear);
  const Vec3 spin{0.2, 0.5, 0.8}, velocity{0.1, -0.2, 0.3}, centre{5, 0, 0};
  for (int i = 0; i < row.bodies; ++i) {
    BodyDescription& b = w.bodies[i];
    b.velocity = velocity + cross(spin, b.position - centre);
    b.angular_velocity = spin;
    if (loose) b.angular_velocity += Vec3{std::sin(3.0 * i), std::cos(2.0 * i), std::sin(5.0 * i)};
  }
  return w;
}

Vec3 vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

struct Totals {
  Vec3 linear, angular;
};
Totals totals_of(const World& w) {
  Totals t{};
  for (const BodyDescription& b : w.bodies) {
    t.linear += *b.mass * b.velocity;
    const Vec3 s = rotate_inverse(b.orientation, b.angular_velocity), I = *b.inertia;
    t.angular += cross(b.position, *b.mass * b.velocity) + rotate(b.orientation, Vec3{I.x * s.x, I.y * s.y, I.z * s.z});
  }
  return t;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_registered_type_is_in_the_mechanism) {
  std::set<std::string> types;
  for (const JointDescription& j : mechanism(Inside::drives, false).joints) types.insert(j.type);
  for (const std::string& name : constraint_registry().names())
    BOOST_TEST(types.count(name) == 1u, name << " is missing");
}

BOOST_AUTO_TEST_CASE(momentum_is_conserved) {
  for (const Inside inside : {Inside::nothing, Inside::drives}) {
    const World w = mechanism(inside, false);
    const Totals start = totals_of(w);
    double last = 0;
    for (const int n : {60, 120, 240}) {
      const ScopedOptions scoped(kSteps);
      Model model(w, 1.0 / n);
      double linear = 0, angular = 0;
      const RunFigures f = run(model, n, [&](const StepReport& r) {
        linear = std::max(linear, norm(vec(r.verdict.linear_momentum) - start.linear));
        angular = norm(vec(r.verdict.angular_momentum) - start.angular);
      });
      BOOST_TEST(!f.failed);
      BOOST_TEST_MESSAGE(n << " steps: linear " << linear << ", angular " << angular << " of " << norm(start.angular)
                           << ", newton " << f.newton_mean);
      BOOST_TEST(linear < kRounding);
      if (last > 0)
        BOOST_TEST(std::fabs(std::log2(last / angular) - 1) < 0.15);  // order 1; the next terms show at n = 60
      last = angular;
    }
  }
}

BOOST_AUTO_TEST_CASE(energy_does_not_grow_without_drives) {
  for (const Inside inside : {Inside::nothing, Inside::dissipation})
    for (const bool loose : {false, true}) {
      const ScopedOptions scoped(kSteps);
      Model model(mechanism(inside, loose), 1.0 / 120);
      double energy = std::numeric_limits<double>::infinity(), growth = 0, first = 0;
      const RunFigures f = run(model, 240, [&](const StepReport& r) {
        const double now = r.verdict.kinetic_energy + r.verdict.elastic_energy;
        if (first == 0) first = now;
        growth = std::max(growth, now - energy);
        energy = now;
      });
      BOOST_TEST(!f.failed);
      BOOST_TEST_MESSAGE("energy " << first << " -> " << energy << " J, largest growth in a step " << growth);
      BOOST_TEST(growth <= 1e-10 * first);
      BOOST_TEST(energy < first);
    }
}

BOOST_AUTO_TEST_CASE(positions_do_not_drift_in_a_minute) {
  // Nothing but rigid joints: a ball, a hinge, a universal joint and a slider, 60 s long.
  Row row(free_body("b0", 1, {0.08, 0.11, 0.1}, {0, 0, 0}));
  row.next("ball");
  row.next("hinge", normalized(Vec3{0.2, 0.1, 1}));
  row.next("universal").axis_2 = {0, 1, 0};
  CoordinateDescription slide;
  slide.lower = -0.2;
  slide.upper = 0.2;
  row.next("slider", normalized(Vec3{1, 0.2, 0.1})).coordinates = {slide};
  for (int i = 0; i < row.bodies; ++i) row.world.bodies[i].angular_velocity = {std::sin(3.0 * i), std::cos(2.0 * i), 1};
  const ScopedOptions scoped(kSteps + "-snes_atol 1e-9");
  Model model(row.world, 1.0 / 120);
  const Frame start = model.frame();
  double violation = 0, apart = 0;
  const RunFigures f = run(model, 7200, [&](const StepReport& r) {
    violation = std::max(violation, r.verdict.bilateral_violation.value);
    if (r.step % 100 != 0) return;
    // The points that the first three joints hold together, from the poses alone.
    const Frame now = model.frame();
    for (int j = 0; j < 3; ++j) {
      const Vec3 p = start.joints[j].point;
      const auto carried = [&](int b) {
        const Vec3 arm = rotate_inverse(start.bodies[b].orientation, p - start.bodies[b].position);
        return now.bodies[b].position + rotate(now.bodies[b].orientation, arm);
      };
      apart = std::max(apart, norm(carried(j) - carried(j + 1)));
    }
  });
  BOOST_TEST(!f.failed);
  BOOST_TEST(f.steps == 7200);
  BOOST_TEST_MESSAGE("violation " << violation << ", apart " << apart << " m, newton " << f.newton_mean);
  BOOST_TEST(violation <= 1e-10);  // 1e-9 m/s times h, ten times
  BOOST_TEST(apart <= 2e-10);
}

BOOST_AUTO_TEST_SUITE_END()
