// Every registered constraint, driven through the pool that the registry builds: J is the derivative of c along the
// kinematic map, nothing depends on where the world's origin is, and joints transmit force and torque without making
// any.

#include "tests/property/single_joint.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(constraints)

namespace {

void check_jacobian(const JointDescription& d, const Poses& start, const Poses& at, Random& random) {
  Joint joint(d.type, d, start);
  const std::vector<double> c = joint.evaluate(at);
  for (int k = 0; k < 3; ++k) {
    const Twists u = random_twists(random);
    joint.evaluate(at);
    const std::vector<double> slope = joint.product(u);
    const double remainder = taylor_slope(
        10 + length(c),
        [&](double e) {
          std::vector<double> there = joint.evaluate(moved(at, u, e));
          for (std::size_t r = 0; r < c.size(); ++r) there[r] -= c[r] + e * slope[r];
          return length(there);
        },
        1e-4);
    BOOST_TEST(remainder >= kTaylorSlope);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(jacobian_at_random_poses) {
  for_each_joint(kAllEnds, 6, [](const JointDescription& d, const Poses& start, Random& random) {
    check_jacobian(d, start, start, random);
    check_jacobian(d, start, random_poses(random), random);
  });
}

// Half turns of everything, of one end (but for the hundredth of a radian that keeps clear of a branch), and joints
// made there.
BOOST_AUTO_TEST_CASE(jacobian_at_half_turns) {
  for_each_joint(kAllEnds, 4, [](const JointDescription& d, const Poses& start, Random& random) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, random.unit_vector()}) {
      Poses all = start, one = start, made = random_poses(random);
      for (Quat& q : all.q) q = from_axis_angle(axis, kPi) * random.rotation();
      one.q[0] = from_axis_angle(axis, kPi - 0.01) * one.q[0];
      check_jacobian(d, start, all, random);
      check_jacobian(d, start, one, random);
      made.q[0] = made.q[1] = from_axis_angle(axis, kPi);
      if (const auto there = describe(d.type, d.a, d.b, random, made)) check_jacobian(*there, made, made, random);
    }
  });
}

// q and −q are the same orientation.
BOOST_AUTO_TEST_CASE(sign_of_the_quaternion) {
  for_each_joint(kAllEnds, 4, [](const JointDescription& d, const Poses& start, Random& random) {
    Joint joint(d.type, d, start);
    const Poses at = random_poses(random);
    const Twists u = random_twists(random);
    const std::vector<double> c = joint.evaluate(at), slope = joint.product(u);
    Poses flipped = at;
    for (int i = 0; i < kBodies; i += 2) {
      const Quat q = flipped.q[i];
      flipped.q[i] = {-q.w, -q.x, -q.y, -q.z};
    }
    const std::vector<double> cf = joint.evaluate(flipped), slope_f = joint.product(u);
    for (int r = 0; r < joint.rows; ++r) {
      BOOST_TEST(std::fabs(cf[r] - c[r]) <= kRounding);
      BOOST_TEST(std::fabs(slope_f[r] - slope[r]) <= kRounding);
    }
  });
}

// Moving both ends together changes no violation: rows may turn among themselves (a ball joint's are a world vector),
// their length stays.
BOOST_AUTO_TEST_CASE(rigid_motion_changes_nothing) {
  for_each_joint({{"a", "b"}, {"p", "a"}, {"p", "q"}}, 10,
                 [](const JointDescription& d, const Poses& start, Random& random) {
                   Joint joint(d.type, d, start);
                   const Quat Q = random.rotation();
                   const Vec3 t = random.vector(5), w = random.vector(1), v = random.vector(1);
                   BOOST_TEST(length(joint.evaluate(rigidly_moved(start, Q, t))) <= kRounding);
                   const Poses at = random_poses(random);
                   const std::vector<double> c = joint.evaluate(at);
                   Twists u(kEntities);
                   for (int e = 0; e < kEntities; ++e) u[e] = {v + cross(w, at.x[e]), w};
                   const std::vector<double> rate = joint.product(u);
                   double growth = 0;  // of ½|c|²
                   for (int r = 0; r < joint.rows; ++r) growth += c[r] * rate[r];
                   BOOST_TEST(std::fabs(growth) <= kRounding * (1 + length(c)) * (1 + length(c)));
                   BOOST_TEST(std::fabs(length(joint.evaluate(rigidly_moved(at, Q, t))) - length(c)) <=
                              kRounding * (1 + length(c)));
                 });
}

// A description is in world coordinates at the start: describing the moved world gives the same joint.
BOOST_AUTO_TEST_CASE(descriptions_move_with_the_world) {
  for_each_joint(kBodiesOnly, 10, [](const JointDescription& d, const Poses& start, Random& random) {
    const Quat Q = random.rotation();
    const Vec3 t = random.vector(5);
    JointDescription there = d;
    there.anchor_a = rotate(Q, d.anchor_a) + t;
    there.anchor_b = rotate(Q, d.anchor_b) + t;
    there.axis = rotate(Q, d.axis);
    there.axis_2 = rotate(Q, d.axis_2);
    Joint joint(d.type, d, start), moved_joint(d.type, there, rigidly_moved(start, Q, t));
    BOOST_TEST(length(moved_joint.evaluate(rigidly_moved(start, Q, t))) <= kRounding);
    // The coordinates of violated joints depend on where their angle is counted from, which is the world's affair.
    if (joint_traits(d.type).keys == JointKeys::gear) return;
    const Poses at = random_poses(random);
    BOOST_TEST(std::fabs(length(moved_joint.evaluate(rigidly_moved(at, Q, t))) - length(joint.evaluate(at))) <=
               10 * kRounding);
  });
}

// Jᵀ λ at a satisfied joint: opposite forces whose torques about the origin cancel.
BOOST_AUTO_TEST_CASE(no_net_force_and_torque) {
  for_each_joint({{"a", "b"}, {"p", "a"}, {"p", "q"}}, 10,
                 [](const JointDescription& d, const Poses& start, Random& random) {
                   Joint joint(d.type, d, start);
                   const Poses at = rigidly_moved(start, random.rotation(), random.vector(5));
                   joint.evaluate(at);
                   std::vector<double> lambda;
                   for (int r = 0; r < joint.rows; ++r) lambda.push_back(random.uniform(-1, 1));
                   const std::vector<Vec3> f = joint.force(lambda);
                   Vec3 force = f[0] + f[2] + f[4] + f[5], torque = f[1] + f[3];
                   const int entity_of_force[4][2] = {{0, 0}, {1, 2}, {3, 4}, {4, 5}};
                   double size = 0;
                   for (const auto& [e, block] : entity_of_force) {
                     torque += cross(at.x[e], f[block]);
                     size += norm(f[block]);
                   }
                   BOOST_TEST(norm(force) <= kRounding * size);
                   BOOST_TEST(norm(torque) <= 10 * kRounding * (1 + size));
                   BOOST_TEST((d.a != "a" || d.b != "b" || norm(f[0]) + norm(f[1]) > 0));
                 });
}

// F = c/h + E/h² Λ with B = E/h², and the energy ½ E λ².
BOOST_AUTO_TEST_CASE(compliance) {
  for_each_joint(kBodiesOnly, 3, [](const JointDescription& rigid, const Poses& start, Random& random) {
    const double E = 1e-4, h = 0.01;
    JointDescription d = rigid;
    d.compliance = {E};
    Joint joint(d.type, d, start), hard(d.type, rigid, start);
    const Poses at = random_poses(random);
    std::vector<double> impulse;
    for (int r = 0; r < joint.rows; ++r) impulse.push_back(random.uniform(-1, 1));
    const std::vector<double> F = joint.evaluate(at, impulse, h), c = hard.evaluate(at, impulse, 1);
    double energy = 0;
    for (int r = 0; r < joint.rows; ++r) {
      BOOST_TEST(std::fabs(F[r] - c[r] / h - E / (h * h) * impulse[r]) <= kRounding / h);
      BOOST_TEST(std::fabs(joint.b()[r] - E / (h * h)) <= kRounding);
      energy += 0.5 * E * impulse[r] * impulse[r] / (h * h);
    }
    BOOST_TEST(std::fabs(joint.pool().elastic_energy(to_device("impulse", impulse), h) - energy) <=
               kRounding * (1 + energy));
    for (double b : hard.b()) BOOST_TEST(b == 0);
  });
}

BOOST_AUTO_TEST_CASE(both_ends_fixed_is_refused) {
  Random random(12);
  const Poses start = random_poses(random);
  for (const std::string& type : constraint_registry().names()) {
    JointDescription d;
    d.type = type;
    d.name = "j";
    d.a = "static";
    d.b = "world";
    d.anchor_b = {1, 0, 0};
    d.joint_1 = "geared hinge";
    d.joint_2 = "geared slider";
    BOOST_CHECK_THROW(Joint(type, d, start), InputError);
  }
}

BOOST_AUTO_TEST_SUITE_END()
