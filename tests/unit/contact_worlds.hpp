#pragma once
// Worlds for tests of contact detection: entities and state as a simulation would build them, without one.

#include "framework/state.hpp"
#include "physics/description/world.hpp"

#include <string>
#include <vector>

namespace clarke::test {

/// Sphere of radius 0.5 or box of half extents (0.5, 0.5, 0.25), at rest.
inline BodyDescription make_body(const std::string& name, ShapeDescription::Kind kind, const Vec3& position,
                                 Motion motion = Motion::dynamic) {
  BodyDescription b;
  b.name = name;
  b.shape.kind = kind;
  b.shape.radius = 0.5;
  b.shape.half = {0.5, 0.5, 0.25};
  b.position = position;
  b.motion = motion;
  return b;
}

inline ParticleDescription make_particle(const std::string& name, const Vec3& position, double radius) {
  ParticleDescription p;
  p.name = name;
  p.position = position;
  p.radius = radius;
  return p;
}

inline Entities make_entities(const World& world) {
  Entities e;
  e.bodies = static_cast<int>(world.bodies.size());
  e.count = e.bodies + static_cast<int>(world.particles.size());
  e.block_of = View<EntityBlocks>("block_of", e.count);
  e.prescribed = View<Twist>("prescribed", e.count);
  const auto blocks = Kokkos::create_mirror_view(e.block_of);
  const auto prescribed = Kokkos::create_mirror_view(e.prescribed);
  for (int i = 0; i < e.count; ++i) {
    blocks(i) = {};
    prescribed(i) = {};
    if (i >= e.bodies) {
      if (!world.particles[i - e.bodies].fixed) blocks(i).v = e.blocks++;
      continue;
    }
    const BodyDescription& b = world.bodies[i];
    if (b.motion == Motion::prescribed) prescribed(i) = {b.velocity, b.angular_velocity};
    if (b.motion != Motion::dynamic) continue;
    blocks(i) = {e.blocks, e.blocks + 1};
    e.blocks += 2;
  }
  Kokkos::deep_copy(e.block_of, blocks);
  Kokkos::deep_copy(e.prescribed, prescribed);
  return e;
}

inline State make_state(const World& world, const Entities& entities) {
  State s;
  s.x = View<Vec3>("x", entities.count);
  s.orientation = View<Quat>("orientation", entities.bodies);
  s.u = View<Vec3>("u", entities.blocks);
  const auto x = Kokkos::create_mirror_view(s.x);
  const auto q = Kokkos::create_mirror_view(s.orientation);
  const auto u = Kokkos::create_mirror_view(s.u);
  const auto blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.block_of);
  for (int i = 0; i < entities.count; ++i) {
    const bool body = i < entities.bodies;
    x(i) = body ? world.bodies[i].position : world.particles[i - entities.bodies].position;
    if (body) q(i) = world.bodies[i].orientation;
    if (blocks(i).v >= 0)
      u(blocks(i).v) = body ? world.bodies[i].velocity : world.particles[i - entities.bodies].velocity;
    if (blocks(i).w >= 0) u(blocks(i).w) = world.bodies[i].angular_velocity;
  }
  Kokkos::deep_copy(s.x, x);
  Kokkos::deep_copy(s.orientation, q);
  Kokkos::deep_copy(s.u, u);
  return s;
}

}  // namespace clarke::test
