#pragma once
// Test support: worlds of bodies and joints in a line each, solved until nothing is left, and the figures of one step.

#include "tests/model_run.hpp"

namespace clarke::test {

inline constexpr double kGravity = 9.81;     // [m/s²] along −z
inline constexpr double kSolved = 1e-11;     // [m/s, rad/s] what every Newton step below is solved to
inline constexpr double kTenSolved = 1e-10;  // ten times that

/// Full steps to kSolved with a direct solve; a step that does not get there has failed.
inline const std::string kExactSteps =
    "-ksp_type preonly -pc_type cholesky -newton_damping 1 -snes_max_it 100 -snes_atol 1e-11 -accept_budget false ";

/// Both ends are tied at `point`; `axis` matters to the types that have one.
inline JointDescription joint_at(const std::string& type, const std::string& name, const std::string& a,
                                 const std::string& b, Vec3 point, Vec3 axis = {0, 0, 1}) {
  JointDescription j;
  j.type = type;
  j.name = name;
  j.a = a;
  j.b = b;
  j.anchor_a = j.anchor_b = point;
  j.axis = axis;
  return j;
}

/// A body without shape: it touches nothing.
inline BodyDescription free_body(const std::string& name, double mass, Vec3 inertia, Vec3 position,
                                 Quat orientation = {}) {
  BodyDescription b;
  b.name = name;
  b.mass = mass;
  b.inertia = inertia;
  b.position = position;
  b.orientation = orientation;
  return b;
}

inline ParticleDescription free_particle(const std::string& name, double mass, Vec3 position, Vec3 velocity = {}) {
  ParticleDescription p;
  p.name = name;
  p.mass = mass;
  p.position = position;
  p.velocity = velocity;
  return p;
}

/// A drive without limit that holds its coordinate at `target`.
inline CoordinateDescription held_at(double target) {
  CoordinateDescription c;
  c.driven = true;
  c.drive_stiffness = std::numeric_limits<double>::infinity();
  c.target = target;
  return c;
}

}  // namespace clarke::test
