#pragma once
// One joint of any registered type on its own small layout, between two bodies, a static body, two particles and the
// world, for tests that every constraint must pass.

#include "physics/register.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

namespace clarke::test {

inline constexpr double kPi = 3.14159265358979323846;
// A few rotations of vectors of length ten.
inline constexpr double kRounding = 1e-12;

/// Bodies a, b, a static body, and particles p, q: entities 0 … 4.
inline constexpr int kBodies = 3, kEntities = 5;
inline const char* const kNames[kEntities] = {"a", "b", "static", "p", "q"};

struct Poses {
  std::vector<Vec3> x{kEntities};
  std::vector<Quat> q{kBodies};
  Pose of(int e) const { return {x[e], e < kBodies ? q[e] : Quat{}}; }
};

/// Velocities by entity.
using Twists = std::vector<Twist>;

/// q⁺ = q + e G u.
inline Poses moved(const Poses& poses, const Twists& u, double e) {
  Poses out = poses;
  for (int i = 0; i < kEntities; ++i) out.x[i] += e * u[i].v;
  for (int i = 0; i < kBodies; ++i) out.q[i] = advance(poses.q[i], u[i].w, e);
  return out;
}

/// The whole world turned by Q about its origin and moved by t.
inline Poses rigidly_moved(const Poses& poses, const Quat& Q, const Vec3& t) {
  Poses out = poses;
  for (Vec3& x : out.x) x = rotate(Q, x) + t;
  for (Quat& q : out.q) q = Q * q;
  return out;
}

/// What a gear between a and b refers to: a hinge between them and a slider back; harmless for other types.
inline std::vector<JointDescription> geared_joints(const JointDescription& d) {
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
    system_.resize(storage_.build(builder, entities_.blocks), entities_.blocks, {});
    rows = builder.rows();
  }

  /// c, with the impulse and step given F = c/h + …; J and the linearisation stay for the calls below.
  std::vector<double> evaluate(const Poses& poses, const std::vector<double>& impulse = {}, double h = 1) {
    for (auto* values : {&system_.residual, &system_.a, &system_.b}) Kokkos::deep_copy(values->view(), std::nan(""));
    Kokkos::deep_copy(system_.jacobian.view(), Vec3{std::nan(""), 0, 0});
    const std::vector<double> zero(rows, 0.0);
    const StepPoint point{to_device("u", std::vector<Vec3>(entities_.blocks)),
                          to_device("impulse", impulse.empty() ? zero : impulse), to_device("x", poses.x),
                          to_device("q", poses.q)};
    const StepContext context{0, h, h, 1, {}};
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
    const StepPoint point{to_device("u", std::vector<Vec3>(entities_.blocks)), to_device("impulse", lambda),
                          to_device("x", poses.x), to_device("q", poses.q)};
    pool_->geometric_stiffness({0, 1, 1, 1}, point, slice_of(system_, 0, 1, 0, rows), K);
    fence();
    std::vector<Mat3> out(entities_.blocks), slots;
    to_host(K, slots);
    for (int j = 0; j < system_.pattern.slots; ++j) out[host_copy(system_.pattern.slot_block)(j)] = slots[j];
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

inline double length(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

inline Poses random_poses(Random& random) {
  Poses p;
  for (Vec3& x : p.x) x = random.vector(3);
  for (Quat& q : p.q) q = random.rotation();
  return p;
}

inline Twists random_twists(Random& random) {
  Twists u;
  for (int e = 0; e < kEntities; ++e) u.push_back({random.vector(2), random.vector(2)});
  u[2] = {};  // static
  return u;
}

/// Description of a joint between `a` and `b` that is satisfied at the start: with two anchors where the type allows
/// that, with one otherwise. Empty when the type refuses these ends. The anchor on a particle is where the particle is.
inline std::optional<JointDescription> describe(const std::string& type, const std::string& a, const std::string& b,
                                                Random& random, const Poses& start) {
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
void for_each_joint(const std::vector<std::pair<std::string, std::string>>& ends, int repeats, F f) {
  for (const std::string& type : constraint_registry().names()) {
    Random random(11);
    int accepted = 0;
    for (const auto& [a, b] : ends)
      for (int i = 0; i < repeats; ++i) {
        const Poses start = random_poses(random);
        const auto d = describe(type, a, b, random, start);
        if (!d) continue;
        ++accepted;
        BOOST_TEST_CONTEXT(type << " between " << a << " and " << b << ", sample " << i) { f(*d, start, random); }
      }
    BOOST_TEST_CONTEXT(type) BOOST_TEST(accepted > 0);
  }
}

inline const std::vector<std::pair<std::string, std::string>> kBodiesOnly{{"a", "b"}};
inline const std::vector<std::pair<std::string, std::string>> kAllEnds{
    {"a", "b"}, {"a", "world"}, {"world", "a"}, {"a", "static"}, {"static", "b"},
    {"p", "a"}, {"a", "p"},     {"p", "q"},     {"p", "world"},  {"static", "p"}};

}  // namespace clarke::test
