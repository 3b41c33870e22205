#pragma once
// Mechanisms for the tests of the constraints: rods with hinges about y, in the x-z plane and out of it.

#include "tests/jointed.hpp"

#include <numbers>

namespace clarke::test {

/// A rod of 1 kg between two points with unequal moments of inertia, its frame along the world's axes.
inline BodyDescription rod(const std::string& name, Vec3 from, Vec3 to) {
  BodyDescription b;
  b.name = name;
  b.mass = 1;
  b.inertia = Vec3{0.02, 0.05, 0.04};
  b.position = 0.5 * (from + to);
  return b;
}

inline JointDescription joint(const char* type, const std::string& name, const std::string& a, const std::string& b,
                              Vec3 at, Vec3 axis = {0, 1, 0}) {
  return joint_at(type, name, a, b, at, axis);
}

/// Crank, coupler and rocker on four hinges: 3 bodies, 20 rows, of which 3 are redundant; one motion is left.
inline World four_bar() {
  const Vec3 A{0, 0, 0}, B{0, 0, 0.5}, C{1.5, 0, 1}, D{1.5, 0, 0};
  World w;
  w.bodies = {rod("crank", A, B), rod("coupler", B, C), rod("rocker", C, D)};
  w.joints = {joint("hinge", "a", "crank", "world", A), joint("hinge", "b", "crank", "coupler", B),
              joint("hinge", "c", "coupler", "rocker", C), joint("hinge", "d", "rocker", "world", D)};
  return w;
}

/// A closed ring of `links` rods, tied by joints of one type with axes along y and free in space.
inline World ring(int links, const char* type) {
  const auto corner = [links](int k) {
    const double angle = 2 * std::numbers::pi * (k % links) / links;
    return Vec3{std::cos(angle), 0, std::sin(angle)};
  };
  World w;
  for (int k = 0; k < links; ++k) w.bodies.push_back(rod("link" + std::to_string(k), corner(k), corner(k + 1)));
  for (int k = 0; k < links; ++k)
    w.joints.push_back(joint(type, "j" + std::to_string(k), "link" + std::to_string(k),
                             "link" + std::to_string((k + links - 1) % links), corner(k)));
  return w;
}

/// What an InputError of building the model says; "" without one.
inline std::string refusal(const World& world) {
  try {
    Model model(world, 0.01);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

inline bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace clarke::test
