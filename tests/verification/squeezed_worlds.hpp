#pragma once
// Test support: small worlds whose first step has no solution, and their twins at the boundary, which have one.
//
//   kinds 0–4   bodies between prescribed ones that close in on them; twins: standing still, closing 1 µm less than the
//               free space, moving together, or one of the contacts compliant
//   kinds 5–9   joints with motions that contradict each other; twins: motions that agree to the last bit or to
//               1e-9 m/s, standing still, or one joint compliant
//
// Everything else is random: sizes, masses, directions, speeds, coefficients of friction.

#include "tests/model_run.hpp"
#include "tests/verification/mechanisms.hpp"

#include <random>

namespace clarke::test {

inline constexpr int kSqueezedKinds = 10;
inline constexpr double kSqueezedStep = 0.01;  // [s]

struct SqueezedWorld {
  World world;
  std::vector<std::string> blamed;  // what the certificate must name
};

namespace squeezed {

enum class Twin { impossible, still, nearly, together, compliant };

struct Dice {
  std::mt19937 generator;
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(generator); }
  Vec3 direction() {
    const Vec3 d{between(-1, 1), between(-1, 1), between(-1, 1)};
    return norm(d) > 0.2 ? normalized(d) : Vec3{1, 0, 0};
  }
};

/// The rotation that takes x to n.
inline Quat x_to(const Vec3& n) {
  const Vec3 half = normalized(Vec3{1 + n.x, n.y, n.z});
  return normalized(Quat{half.x, 0, -half.z, half.y});
}

inline BodyDescription wall(const std::string& name, const Vec3& n, double face, double speed) {
  // Its face looks along n (face < 0) or −n (face > 0), at `face` from the origin along n; it moves with speed n.
  constexpr double kThick = 0.2, kWide = 3;
  BodyDescription b = box(name, {kThick, kWide, kWide}, 1, (face + (face < 0 ? -kThick : kThick)) * n);
  b.orientation = x_to(n);
  b.motion = Motion::prescribed;
  b.velocity = speed * n;
  b.mass.reset();
  return b;
}

/// Speed with which `free` metres are used up within a step, and more, or not.
inline double closing_speed(Dice& dice, Twin twin, double free) {
  constexpr double kLess = 1e-6;  // [m]
  if (twin == Twin::impossible || twin == Twin::compliant) return free / kSqueezedStep + dice.between(0.01, 1);
  return twin == Twin::nearly ? (free - kLess) / kSqueezedStep : 0;
}

/// `count` things of width 2r in a row along n between two walls, of which the right one may stand still.
inline SqueezedWorld row_between_walls(Dice& dice, Twin twin, int count, bool boxes, bool press = false) {
  SqueezedWorld out;
  World& w = out.world;
  w.materials["m"] = {1000, dice.between(0, 1)};
  if (twin == Twin::compliant) w.materials["m"].contact_stiffness = dice.between(1e4, 1e7);
  const Vec3 n = dice.direction();
  const double r = dice.between(0.05, 0.4), gap = dice.between(1e-5, 1e-3);  // gap at every contact
  const double width = 2 * r * count + gap * (count + 1), closing = closing_speed(dice, twin, gap * (count + 1));
  const double share = press ? 1 : dice.between(0, 1),
               along = press || twin == Twin::still ? 0 : dice.between(-0.5, 0.5);
  w.bodies.push_back(wall("left", n, -width / 2, along + share * closing));
  w.bodies.push_back(wall("right", n, width / 2, along - (1 - share) * closing));
  for (int k = 0; k < count; ++k) {
    const std::string name = "body" + std::to_string(k);
    const Vec3 at = (-width / 2 + gap + r + k * (2 * r + gap)) * n;
    const double mass = std::pow(10, dice.between(-1, 2));
    BodyDescription b = boxes ? box(name, {r, dice.between(0.5, 1.5) * r, dice.between(0.5, 1.5) * r}, mass, at)
                              : ball(name, r, mass, at);
    b.orientation = x_to(n);
    w.bodies.push_back(b);
    out.blamed.push_back(name);
  }
  out.blamed.insert(out.blamed.end(), {"contact ", "left", "right", "motion of left"});
  return out;
}

/// What one coordinate does: rate·t, held by a motion, or by a spring where it is compliant.
inline CoordinateDescription moving(double rate, bool compliant) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g*t", rate);
  CoordinateDescription c;
  if (!compliant) {
    c.motion = TimeFunction::expression(text);
    return c;
  }
  c.driven = true;
  c.drive_stiffness = 1e5;
  c.target = TimeFunction::expression(text);
  return c;
}

/// By how much the last of several motions misses what the others ask of it [m/s or rad/s].
inline double miss(Dice& dice, Twin twin) {
  constexpr double kAgreeing = 1e-9;
  if (twin == Twin::impossible || twin == Twin::compliant) return dice.between(0.02, 1);
  return twin == Twin::nearly ? kAgreeing : 0;
}

/// A loop of `count` sliders along one axis, each with a motion, that does not close.
inline SqueezedWorld slider_loop(Dice& dice, Twin twin, int count) {
  SqueezedWorld out;
  World& w = out.world;
  w.gravity = Vec3{0, 0, 0};
  const Vec3 n = dice.direction();
  double sum = 0;
  for (int k = 0; k < count; ++k) {
    const bool last = k + 1 == count;
    if (!last) w.bodies.push_back(rod("link" + std::to_string(k), {0.0 + k, 0, 0}, {1.0 + k, 0, 0}));
    JointDescription j = joint("slider", "s" + std::to_string(k), last ? "world" : "link" + std::to_string(k),
                               k ? "link" + std::to_string(k - 1) : "world", {1.0 * k, 0, 0}, n);
    const double rate = last ? miss(dice, twin) - sum : twin == Twin::still ? 0 : dice.between(-1, 1);
    sum += rate;
    j.coordinates = {moving(rate, last && twin == Twin::compliant)};
    w.joints.push_back(j);
    out.blamed.push_back("slider s" + std::to_string(k) + ": motion");
  }
  return out;
}

/// A body on two hinges about one axis that are to turn at two rates.
inline SqueezedWorld two_hinges(Dice& dice, Twin twin) {
  SqueezedWorld out;
  World& w = out.world;
  const Vec3 axis = dice.direction();
  w.bodies = {rod("shaft", {0, 0, 0}, {1, 0, 0})};
  const double rate = twin == Twin::still ? 0 : dice.between(-3, 3), other = rate + miss(dice, twin);
  w.joints = {joint("hinge", "a", "shaft", "world", {0, 0, 0}, axis),
              joint("hinge", "b", "shaft", "world", dice.between(0.1, 1) * axis, axis)};
  w.joints[0].coordinates = {moving(rate, false)};
  w.joints[1].coordinates = {moving(other, twin == Twin::compliant)};
  out.blamed = {"hinge a: motion", "hinge b: motion", "rad/s"};
  return out;
}

/// A rod on two ball joints, or a body on two ropes, between carriages that move apart along it.
inline SqueezedWorld pulled_apart(Dice& dice, Twin twin, bool ropes) {
  SqueezedWorld out;
  World& w = out.world;
  const Vec3 n = dice.direction();
  const double length = dice.between(0.3, 2), slack = ropes ? dice.between(1e-5, 1e-3) : 0;
  const double apart = ropes ? closing_speed(dice, twin, 2 * slack) : miss(dice, twin),
               along = twin == Twin::still ? 0 : dice.between(-0.5, 0.5);
  w.bodies = {rod("rod", {0, 0, 0}, length * n), rod("front", length * n, 2 * length * n),
              rod("rear", -length * n, {0, 0, 0})};
  for (const int k : {1, 2}) {
    w.bodies[k].motion = Motion::prescribed;
    w.bodies[k].velocity = (along + (k == 1 ? apart : 0)) * n;
  }
  w.joints = {joint(ropes ? "distance" : "ball", "f", "rod", "front", length * n),
              joint(ropes ? "distance" : "ball", "r", "rod", "rear", {0, 0, 0})};
  if (ropes)
    for (JointDescription& j : w.joints) {
      j.anchor_a = 0.5 * length * n;
      j.side = "rope";
      j.length = 0.5 * length + slack;
    }
  if (twin == Twin::compliant) w.joints[0].compliance = {1e-6};
  out.blamed = {w.joints[0].type + " f", w.joints[1].type + " r", "motion of front"};
  return out;
}

inline SqueezedWorld make(int kind, unsigned seed, Twin twin) {
  Dice dice{std::mt19937(1000 * seed + kind)};
  const auto of = [&dice](int a, int b) { return static_cast<int>(dice.between(a, b + 0.999)); };
  switch (kind) {
    case 0:
      return row_between_walls(dice, twin, 1, false);
    case 1:
      return row_between_walls(dice, twin, 1, true);
    case 2:
      return row_between_walls(dice, twin, of(2, 5), false);
    case 3:
      return row_between_walls(dice, twin, of(2, 3), true);
    case 4:
      return row_between_walls(dice, twin, 1, false, true);
    case 5:
      return slider_loop(dice, twin, 2);
    case 6:
      return slider_loop(dice, twin, of(3, 6));
    case 7:
      return two_hinges(dice, twin);
    case 8:
      return pulled_apart(dice, twin, false);
    default:
      return pulled_apart(dice, twin, true);
  }
}

}  // namespace squeezed
}  // namespace clarke::test
