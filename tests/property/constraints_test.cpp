// Every registered constraint, driven through the pool that the registry builds: J is the derivative of c along the kinematic map,
// nothing depends on where the world's origin is, and joints transmit force and torque without making any.

#include "framework/math/symmetric_eigen.hpp"
#include "physics/register.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(constraints)

namespace {

constexpr double kPi = 3.14159265358979323846;
// A few rotations of vectors of length ten.
constexpr double kRounding = 1e-12;

/// Bodies a, b, a static body, and particles p, q: entities 0 … 4.
constexpr int kBodies = 3, kEntities = 5;
const char* const kNames[kEntities] = {"a", "b", "static", "p", "q"};

struct Poses {
  std::vector<Vec3> x{kEntities};
  std::vector<Quat> q{kBodies};
  Pose of(int e) const { return {x[e], e < kBodies ? q[e] : Quat{}}; }
};

/// Velocities by entity.
using Twists = std::vector<Twist>;

/// q⁺ = q + e G u.
Poses moved(const Poses& poses, const Twists& u, double e) {
  Poses out = poses;
  for (int i = 0; i < kEntities; ++i) out.x[i] += e * u[i].v;
  for (int i = 0; i < kBodies; ++i) out.q[i] = advance(poses.q[i], u[i].w, e);
  return out;
}

/// The whole world turned by Q about its origin and moved by t.
Poses rigidly_moved(const Poses& poses, const Quat& Q, const Vec3& t) {
  Poses out = poses;
  for (Vec3& x : out.x) x = rotate(Q, x) + t;
  for (Quat& q : out.q) q = Q * q;
  return out;
}

/// What a gear between a and b refers to: a hinge between them and a slider back; harmless for other types.
std::vector<JointDescription> geared_joints(const JointDescription& d) {
  JointDescription hinge = d, slider = d;
  hinge.type = "hinge";
  hinge.name = "geared hinge";
  slider.type = "slider";
  slider.name = "geared slider";
  std::swap(slider.a, slider.b);
  std::swap(slider.anchor_a, slider.anchor_b);
  slider.axis = d.axis_2;
  return {hinge, slider};
}

/// One joint of a registered type between two entities ("world" too), on its own small layout with h = 1, where F = c.
class Joint {
 public:
  Joint(const std::string& type, const JointDescription& d, const Poses& start) {
    std::vector<EntityBlocks> blocks{{0, 1}, {2, 3}, {-1, -1}, {4, -1}, {5, -1}};
    entities_.bodies = kBodies;
    entities_.count = kEntities;
    entities_.blocks = 6;
    entities_.block_of = to_device("block_of", blocks);
    entities_.prescribed = to_device("prescribed", std::vector<Twist>(kEntities));
    EntityLookup lookup;
    for (int e = 0; e < kEntities; ++e) {
      lookup.index[kNames[e]] = e;
      lookup.pose.push_back(start.of(e));
    }
    lookup.joints = geared_joints(d);
    pool_ = constraint_registry().create(type)->build(entities_, {d}, lookup);
    PatternBuilder builder;
    pool_->pattern(builder);
    system_.resize(storage_.build(builder, entities_.blocks), entities_.blocks, true);
    rows = builder.rows();
  }

  /// c, with the impulse and step given F = c/h + …; J and the linearisation stay for the calls below.
  std::vector<double> evaluate(const Poses& poses, const std::vector<double>& impulse = {},
                               double h = 1) {
    for (auto* values : {&system_.residual, &system_.a, &system_.b})
      Kokkos::deep_copy(values->view(), std::nan(""));
    Kokkos::deep_copy(system_.jacobian.view(), Vec3{std::nan(""), 0, 0});
    const std::vector<double> zero(rows, 0.0);
    const StepPoint point{to_device("u", std::vector<Vec3>(entities_.blocks)),
                          to_device("impulse", impulse.empty() ? zero : impulse),
                          to_device("x", poses.x), to_device("q", poses.q)};
    const StepContext context{0, h, h, 1};
    pool_->begin_step(context, {0, point.x, point.orientation, point.u});
    pool_->evaluate(context, point, slice_of(system_, 0, 1, 0, rows), true);
    fence();
    std::vector<double> c;
    to_host(system_.residual.view(), c);
    return c;
  }
  /// a J u of the last evaluate().
  std::vector<double> product(const Twists& u) {
    std::vector<Vec3> blocks{u[0].v, u[0].w, u[1].v, u[1].w, u[3].v, u[4].v};
    const View<double> y("y", rows);
    multiply(system_.pattern, system_.jacobian, to_device("u", blocks), y);
    fence();
    std::vector<double> out, a;
    to_host(y, out);
    to_host(system_.a.view(), a);
    for (int r = 0; r < rows; ++r) out[r] *= a[r];
    return out;
  }
  /// Jᵀ λ of the last evaluate(), by velocity block.
  std::vector<Vec3> force(const std::vector<double>& lambda) {
    const View<Vec3> f("f", entities_.blocks);
    multiply_transpose(system_.pattern, system_.jacobian, to_device("lambda", lambda), f);
    fence();
    std::vector<Vec3> out;
    to_host(f, out);
    return out;
  }
  std::vector<double> b() {
    std::vector<double> out;
    to_host(system_.b.view(), out);
    return out;
  }
  /// Geometric stiffness by velocity block for b = h = 1 at the poses of the last evaluate().
  std::vector<Mat3> geometric_stiffness(const Poses& poses, const std::vector<double>& lambda) {
    const View<Mat3> K("K", system_.pattern.slots);
    const StepPoint point{to_device("u", std::vector<Vec3>(entities_.blocks)),
                          to_device("impulse", lambda), to_device("x", poses.x),
                          to_device("q", poses.q)};
    pool_->geometric_stiffness({0, 1, 1, 1}, point, slice_of(system_, 0, 1, 0, rows), K);
    fence();
    std::vector<Mat3> out(entities_.blocks), slots;
    to_host(K, slots);
    for (int j = 0; j < system_.pattern.slots; ++j)
      out[host_copy(system_.pattern.slot_block)(j)] = slots[j];
    return out;
  }
  Contributor& pool() { return *pool_; }

  int rows = 0;

 private:
  Entities entities_;
  std::unique_ptr<Contributor> pool_;
  PatternStorage storage_;
  SaddlePointSystem system_;
};

double length(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

Poses random_poses(Random& random) {
  Poses p;
  for (Vec3& x : p.x) x = random.vector(3);
  for (Quat& q : p.q) q = random.rotation();
  return p;
}

Twists random_twists(Random& random) {
  Twists u;
  for (int e = 0; e < kEntities; ++e) u.push_back({random.vector(2), random.vector(2)});
  u[2] = {};  // static
  return u;
}

/// Description of a joint between `a` and `b` that is satisfied at the start: with two anchors where the type allows that,
/// with one otherwise. Empty when the type refuses these ends. The anchor on a particle is where the particle is.
std::optional<JointDescription> describe(const std::string& type, const std::string& a,
                                         const std::string& b, Random& random, const Poses& start) {
  std::optional<Vec3> at_a, at_b;
  for (int e = kBodies; e < kEntities; ++e) {
    if (a == kNames[e]) at_a = start.x[e];
    if (b == kNames[e]) at_b = start.x[e];
  }
  JointDescription d;
  d.type = type;
  d.name = "j";
  d.a = a;
  d.b = b;
  d.axis = random.unit_vector();
  Vec3 unused;
  tangent_frame(d.axis, d.axis_2, unused);
  d.joint_1 = "geared hinge";
  d.joint_2 = "geared slider";
  d.ratio = 0.7;
  const Vec3 here = random.vector(2), there = here + 1.5 * random.unit_vector();
  for (const bool apart : {true, false}) {
    d.anchor_a = at_a.value_or(apart ? here : at_b.value_or(here));
    d.anchor_b = at_b.value_or(apart ? there : d.anchor_a);
    try {
      if (length(Joint(type, d, start).evaluate(start)) < kRounding) return d;
    } catch (const InputError&) {}
  }
  return std::nullopt;
}

/// f(type, description, start) for every type and several random joints with the given ends.
template <class F>
void for_each_joint(const std::vector<std::pair<std::string, std::string>>& ends, int repeats,
                    F f) {
  for (const std::string& type : constraint_registry().names()) {
    Random random(11);
    int accepted = 0;
    for (const auto& [a, b] : ends)
      for (int i = 0; i < repeats; ++i) {
        const Poses start = random_poses(random);
        const auto d = describe(type, a, b, random, start);
        if (!d) continue;
        ++accepted;
        BOOST_TEST_CONTEXT(type << " between " << a << " and " << b << ", sample " << i) {
          f(*d, start, random);
        }
      }
    BOOST_TEST_CONTEXT(type) BOOST_TEST(accepted > 0);
  }
}

const std::vector<std::pair<std::string, std::string>> kBodiesOnly{{"a", "b"}};
const std::vector<std::pair<std::string, std::string>> kAllEnds{
    {"a", "b"}, {"a", "world"}, {"world", "a"}, {"a", "static"}, {"static", "b"},
    {"p", "a"}, {"a", "p"},     {"p", "q"},     {"p", "world"},  {"static", "p"}};

void check_jacobian(const JointDescription& d, const Poses& start, const Poses& at,
                    Random& random) {
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

// Half turns of everything, of one end (but for the hundredth of a radian that keeps clear of a branch), and joints made there.
BOOST_AUTO_TEST_CASE(jacobian_at_half_turns) {
  for_each_joint(kAllEnds, 4, [](const JointDescription& d, const Poses& start, Random& random) {
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, random.unit_vector()}) {
      Poses all = start, one = start, made = random_poses(random);
      for (Quat& q : all.q) q = from_axis_angle(axis, kPi) * random.rotation();
      one.q[0] = from_axis_angle(axis, kPi - 0.01) * one.q[0];
      check_jacobian(d, start, all, random);
      check_jacobian(d, start, one, random);
      made.q[0] = made.q[1] = from_axis_angle(axis, kPi);
      if (const auto there = describe(d.type, d.a, d.b, random, made))
        check_jacobian(*there, made, made, random);
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

// Moving both ends together changes no violation: rows may turn among themselves (a ball joint's are a world vector), their length stays.
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
                   BOOST_TEST(std::fabs(length(joint.evaluate(rigidly_moved(at, Q, t))) -
                                        length(c)) <= kRounding * (1 + length(c)));
                 });
}

// A description is in world coordinates at the start: describing the moved world gives the same joint.
BOOST_AUTO_TEST_CASE(descriptions_move_with_the_world) {
  for_each_joint(
      kBodiesOnly, 10, [](const JointDescription& d, const Poses& start, Random& random) {
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
        if (d.type == "gear") return;
        const Poses at = random_poses(random);
        BOOST_TEST(std::fabs(length(moved_joint.evaluate(rigidly_moved(at, Q, t))) -
                             length(joint.evaluate(at))) <= 10 * kRounding);
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
  for_each_joint(
      kBodiesOnly, 3, [](const JointDescription& rigid, const Poses& start, Random& random) {
        const double E = 1e-4, h = 0.01;
        JointDescription d = rigid;
        d.compliance = {E};
        Joint joint(d.type, d, start), hard(d.type, rigid, start);
        const Poses at = random_poses(random);
        std::vector<double> impulse;
        for (int r = 0; r < joint.rows; ++r) impulse.push_back(random.uniform(-1, 1));
        const std::vector<double> F = joint.evaluate(at, impulse, h),
                                  c = hard.evaluate(at, impulse, 1);
        double energy = 0;
        for (int r = 0; r < joint.rows; ++r) {
          BOOST_TEST(std::fabs(F[r] - c[r] / h - E / (h * h) * impulse[r]) <= kRounding / h);
          BOOST_TEST(std::fabs(joint.b()[r] - E / (h * h)) <= kRounding);
          energy += 0.5 * E * impulse[r] * impulse[r] / (h * h);
        }
        BOOST_TEST(std::fabs(joint.pool().elastic_energy(to_device("impulse", impulse), h) -
                             energy) <= kRounding * (1 + energy));
        for (double b : hard.b()) BOOST_TEST(b == 0);
      });
}

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
