#pragma once
// Test support: two boxes on each other, an inch into the floor and into each other, so that all corners touch; a bar
// on a hinge.

#include "tests/cross/small_models.hpp"

namespace clarke::test {

inline World pressed_world() {
  World w = world_with_plane(0.5);
  constexpr double kOverlap = 0.025;
  w.bodies.push_back(box("low", {0.1, 0.1, 0.1}, 2, {0, 0, 0.1 - kOverlap}));
  w.bodies.push_back(box("high", {0.08, 0.1, 0.1}, 1, {0.01, 0, 0.3 - 2 * kOverlap}));
  w.bodies.push_back(box("bar", {0.2, 0.02, 0.02}, 0.5, {0.31, 0, 0.4}));
  JointDescription j;
  j.type = "hinge";
  j.name = "hinge";
  j.a = "bar";
  j.b = "high";
  j.anchor_a = j.anchor_b = {0.1, 0, 0.35};
  j.axis = {0, 0.6, 0.8};
  w.joints.push_back(j);
  return w;
}

}  // namespace clarke::test
