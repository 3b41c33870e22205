#pragma once
// Test support: models small enough for every method: one contact, four of one body near its cone, a stack, a mechanism
// that strikes, a soft cube that lands sliding.

#include "tests/model_run.hpp"
#include "tests/soft_worlds.hpp"

namespace clarke::test {

inline World particle() {
  World w = world_with_plane(0.5);
  ParticleDescription p;
  p.name = "p";
  p.mass = 2;
  p.radius = 0.1;
  p.position = {0, 0, 0.11};
  p.velocity = {1, 0.5, -1};
  p.material = "m";
  w.particles.push_back(p);
  return w;
}

inline World slope() {
  const Vec3 n = normalized(Vec3{0.4, 0.3, 0.8660254});
  World w = world_with_plane(0.3, n);
  BodyDescription b = box("b", {0.5, 0.5, 0.25}, 10, 0.25 * n);
  b.orientation = from_axis_angle(normalized(cross(Vec3{0, 0, 1}, n)), std::acos(n.z));
  w.bodies.push_back(b);
  return w;
}

inline World stack() {
  World w = world_with_plane(0.5);
  for (int i = 0; i < 3; ++i)
    w.bodies.push_back(box("b" + std::to_string(i), {0.5, 0.5, 0.5}, 1 << i, {0, 0, 0.5 + i}));
  return w;
}

/// Two rods on ball joints, the lower one about to hit the ground with its end.
inline World pendulum() {
  World w = world_with_plane(0.4);
  w.bodies.push_back(box("upper", {0.5, 0.05, 0.05}, 1, {0.5, 0, 0.6}));
  w.bodies.push_back(box("lower", {0.05, 0.05, 0.28}, 1, {1, 0, 0.6 - 0.28}));
  w.bodies.back().velocity = {0, 0, -1};
  w.bodies[1].angular_velocity = {0, 1, 0};
  w.bodies[1].velocity = {0, 0, -0.5};
  JointDescription hanger, elbow;
  hanger.type = elbow.type = "ball";
  hanger.name = "hanger", hanger.a = "upper", hanger.b = "world";
  hanger.anchor_a = hanger.anchor_b = {0, 0, 0.6};
  elbow.name = "elbow", elbow.a = "lower", elbow.b = "upper";
  elbow.anchor_a = elbow.anchor_b = {1, 0, 0.6};
  w.joints = {hanger, elbow};
  return w;
}

/// Five tetrahedra that land on the ground while they slide: rows with a dense compliance, contacts of places on faces.
inline World jelly() {
  World w = world_with_plane(0.5);
  SoftDescription cube = soft_box("cube", {0.1, 0.1, 0.1}, {1, 1, 1}, 2e4);
  cube.material = "m";
  cube.position = {0, 0, 0.001};
  cube.velocity = {0.1, 0, -0.1};
  add_soft_body(w, cube);
  return w;
}

struct SmallModel {
  const char* name;
  World world;
};
inline std::vector<SmallModel> small_models() {
  return {
      {"particle", particle()}, {"slope", slope()}, {"stack", stack()}, {"pendulum", pendulum()}, {"jelly", jelly()}};
}

}  // namespace clarke::test
