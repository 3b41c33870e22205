// Newton steps of elements: the rotation of what they tie together is one (ncp/strategies/turning_parts.hpp).

#include "ncp/strategies/turning_parts.hpp"

#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <vector>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(turning_parts)

namespace {

constexpr double kStep = 0.01;          // s
constexpr double kRounding = 1e-13;     // of distances of a metre's tenth, and of speeds of some metres per second
constexpr double kOfDistances = 1e-11;  // relative: of positions of metres, between nodes that are centimetres apart
constexpr double kStretched = 1e-2;     // relative: what half a radian straight on stretches, and more
constexpr double kHundred = 100;        // rad/s: a radian per step

/// Two boxes of soft matter, a body and a particle.
World two_boxes() {
  World w = world_of(soft_box("a", {0.1, 0.1, 0.1}, {1, 1, 1}, 1e9));
  SoftDescription b = soft_box("b", {0.2, 0.05, 0.1}, {2, 1, 1}, 1e9);
  b.position = {1, 2, 3};
  add_soft_body(w, b);
  w.bodies.push_back(free_body("body", 2, {1, 1, 1}, {5, 0, 0}));
  w.particles.push_back(free_particle("alone", 1, {0, 5, 0}));
  return w;
}

}  // namespace

/// A step that has begun, velocities where a change of them begins, and what the parts make of it.
struct Begun {
  ScopedOptions scoped{"-soft_form stiffness "};
  Model model{two_boxes(), kStep};
  StepProblem& problem = model.problem();
  State state = model.state();
  TurningParts parts;
  std::vector<Vec3> u, x;  // x: where u leads, per block of a particle
  std::vector<int> part;   // 0, 1 of nodes; −1: of none
  std::vector<double> mass;

  Begun() {
    problem.begin_step(state, kStep, 1);
    const SaddlePointSystem& s = problem.system();
    parts.find(problem);
    Random random(1);
    std::vector<Vec3> q;
    std::vector<Mat3> inverse;
    to_host(state.x, q);
    to_host(s.mass_inverse.view(), inverse);
    const auto block_of = host_copy(problem.entities().block_of);
    x.resize(s.blocks), part.assign(s.blocks, -1), mass.assign(s.blocks, 0);
    for (int b = 0; b < s.blocks; ++b) u.push_back(random.vector(1));
    for (int e = 0; e < problem.entities().count; ++e) {
      const int b = block_of(e).v;
      if (block_of(e).w >= 0) continue;
      x[b] = q[e] + kStep * u[b];
      mass[b] = 1 / inverse[b](0, 0);
      part[b] = norm(q[e]) < 0.5 ? 0 : norm(q[e] - Vec3{1, 2, 3}) < 0.5 ? 1 : -1;
    }
  }
  Vec3 centre(int of) const {
    Vec3 sum{};
    double all = 0;
    for (std::size_t b = 0; b < u.size(); ++b)
      if (part[b] == of) sum += mass[b] * x[b], all += mass[b];
    return (1 / all) * sum;
  }
  /// d of a part that moves as a rigid body.
  void add_motion(int of, Vec3 v, Vec3 omega, std::vector<Vec3>& d) const {
    const Vec3 c = centre(of);
    for (std::size_t b = 0; b < u.size(); ++b)
      if (part[b] == of) d[b] += v + cross(omega, x[b] - c);
  }
  std::vector<Vec3> taken(const std::vector<Vec3>& d, double scale) {
    const std::vector<Vec3> none(u.size());
    std::vector<Vec3> out(u.size(), Vec3{7, 7, 7});
    const View<Vec3> to = to_device("out", out);
    parts.take(problem, to_device("u", u), to_device("from", none), to_device("d", d), scale, to);
    to_host(to, out);
    return out;
  }
  double largest_stretch(int of, const std::vector<Vec3>& d) const {
    double largest = 0;
    for (std::size_t a = 0; a < u.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        if (part[a] != of || part[b] != of) continue;
        const double now = norm(x[a] + kStep * d[a] - x[b] - kStep * d[b]);
        largest = std::max(largest, std::fabs(now / norm(x[a] - x[b]) - 1));
      }
    return largest;
  }
};

BOOST_FIXTURE_TEST_CASE(rigid_motions_stretch_nothing, Begun) {
  BOOST_REQUIRE(parts.any());
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Vec3> d(u.size());
    const Vec3 omega[2] = {random.vector(kHundred), random.vector(kHundred)};
    for (const int of : {0, 1}) add_motion(of, random.vector(5), omega[of], d);
    const std::vector<Vec3> turned = taken(d, 1);
    BOOST_TEST(parts.angle() == kStep * std::max(norm(omega[0]), norm(omega[1])), boost::test_tools::tolerance(1e-10));
    for (const int of : {0, 1}) {
      BOOST_TEST(largest_stretch(of, turned) < kOfDistances);
      if (kStep * norm(omega[of]) > 0.5) BOOST_TEST(largest_stretch(of, d) > kStretched);
    }
    for (std::size_t b = 0; b < u.size(); ++b)
      if (part[b] < 0) BOOST_TEST(turned[b].x == 7);  // bodies and lone particles are not theirs
  }
}

BOOST_FIXTURE_TEST_CASE(first_order_is_the_step, Begun) {
  Random random(3);
  std::vector<Vec3> d(u.size());
  for (const int of : {0, 1}) add_motion(of, random.vector(5), random.vector(kHundred), d);
  for (std::size_t b = 0; b < u.size(); ++b) d[b] += random.vector(2);
  const auto remainder = [&](double a) {
    const std::vector<Vec3> turned = taken(d, a);
    double sum = 0;
    for (std::size_t b = 0; b < u.size(); ++b)
      if (part[b] >= 0) sum += norm2(turned[b] - a * d[b]);
    return std::sqrt(sum);
  };
  BOOST_TEST(remainder(1) > 0.1);
  BOOST_TEST(taylor_slope(1.0, remainder, 0.1) > kTaylorSlope);
}

BOOST_FIXTURE_TEST_CASE(what_does_not_turn_goes_straight_on, Begun) {
  std::vector<Vec3> d(u.size());
  for (const int of : {0, 1}) {
    const Vec3 c = centre(of);
    for (std::size_t b = 0; b < u.size(); ++b)
      if (part[b] == of) d[b] = Vec3{1, 2, 3} + 5.0 * (x[b] - c);
  }
  const std::vector<Vec3> turned = taken(d, 1);
  BOOST_TEST(parts.angle() < kRounding);
  for (std::size_t b = 0; b < u.size(); ++b)
    if (part[b] >= 0) BOOST_TEST(norm(turned[b] - d[b]) < kRounding);
}

BOOST_FIXTURE_TEST_CASE(stretch_turns_with_the_part, Begun) {
  std::vector<Vec3> d(u.size()), stretched(u.size());
  const Vec3 omega{0, 0, 60}, c = centre(0);
  add_motion(0, {}, omega, d);
  for (std::size_t b = 0; b < u.size(); ++b)
    if (part[b] == 0) stretched[b] = 3.0 * (x[b] - c), d[b] += stretched[b];  // an angular momentum of none
  const std::vector<Vec3> turned = taken(d, 1);
  for (std::size_t b = 0; b < u.size(); ++b)
    if (part[b] == 0)
      BOOST_TEST(norm(x[b] + kStep * turned[b] - c) == norm(x[b] + kStep * stretched[b] - c),
                 boost::test_tools::tolerance(kOfDistances));
}

BOOST_AUTO_TEST_SUITE_END()
