#pragma once
// Test support: the scenes of relaxed steps, and what is read from them.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>

namespace clarke::test {

/// Two particles on springs of 1 m in line with a fixed point, released horizontally.
inline World pendulum(double k1, double k2, double m2) {
  World w;
  ParticleDescription upper, tip;
  upper.name = "upper", upper.mass = 1, upper.position = {1, 0, 0};
  tip.name = "tip", tip.mass = m2, tip.position = {2, 0, 0};
  w.particles = {upper, tip};
  JointDescription first, second;
  first.type = second.type = "distance";
  first.name = "first", first.a = "upper", first.b = "world", first.anchor_a = {1, 0, 0}, first.anchor_b = {0, 0, 0};
  second.name = "second", second.a = "upper", second.b = "tip", second.anchor_a = {1, 0, 0},
  second.anchor_b = {2, 0, 0};
  first.compliance = {1 / k1}, second.compliance = {1 / k2};
  w.joints = {first, second};
  return w;
}

struct Stretch {
  double upper = 0, lower = 0;
  Vec3 tip{};
  int unconverged = 0;
};

/// Largest elongations over 60 steps of 1/60 s.
inline Stretch swing(const World& world, const std::string& options) {
  const ScopedOptions scoped(options);
  Model model(world, 1.0 / 60);
  Stretch out;
  run(model, 60, [&](const StepReport& r) {
    const Frame frame = model.frame();
    const Vec3 a = frame.particles[0].position;
    out.tip = frame.particles[1].position;
    out.upper = std::max(out.upper, std::fabs(norm(a) - 1));
    out.lower = std::max(out.lower, std::fabs(norm(out.tip - a) - 1));
    out.unconverged += r.reason != "converged";
  });
  BOOST_TEST_MESSAGE("stretch " << out.upper << " " << out.lower << ", tip " << out.tip.x << " " << out.tip.z << ", "
                                << out.unconverged << " steps unconverged");
  return out;
}

inline bool within_share(double value, double expected, double share) {
  return std::fabs(value - expected) <= share * expected;
}

/// 8 … 32768 kg in equal ratios on contacts of 1e8 N/m.
inline World heavy_stack() {
  World w = world_with_plane(0.5);
  for (int k = 0; k < 6; ++k)
    w.bodies.push_back(box("b" + std::to_string(k), {0.5, 0.5, 0.5}, 8 * std::pow(4096.0, k / 5.0), {0, 0, 0.5 + k}));
  return w;
}
inline const double kSlope = std::acos(-1.0) / 6;  // [rad]

/// A box that lies on a slope.
inline World slope(double mu) {
  const double a = kSlope;
  const Vec3 up{-std::sin(a), 0, std::cos(a)};
  World w = world_with_plane(mu, up);
  w.bodies.push_back(box("box", {0.5, 0.5, 0.25}, 10, 0.25 * up));
  w.bodies.back().orientation = from_axis_angle({0, 1, 0}, -a);
  return w;
}
inline double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::max(out, norm(a[i] - b[i]));
  return out;
}

}  // namespace clarke::test
