#pragma once
// A rectangular bin of five static boxes, for builders that fill one: <name>_floor, <name>_left and _right (−x, +x),
// <name>_front and _back (−y, +y). Inside it reaches from −half to +half of `position` in x and y, and from position.z
// up.

#include "physics/description/world.hpp"

#include <string>

namespace clarke {

struct Bin {
  std::string name = "bin", material;
  double half_x = 1, half_y = 1;  // [m] inside
  double height = 1;              // [m] of the walls above the floor
  double wall = 0.1;              // [m] thickness of floor and walls
  Vec3 position{};                // [m] of the middle of the floor

  void add_to(World& world) const {
    add_floor_to(world);
    add_walls_to(world);
  }
  void add_floor_to(World& world) const;
  void add_walls_to(World& world) const;
};

/// A body of `shape` that cannot move, as part of a builder's surroundings.
BodyDescription static_body(std::string name, ShapeDescription shape, const Vec3& position, std::string material);

ShapeDescription box_shape(const Vec3& half);
ShapeDescription sphere_shape(double radius);
/// A capsule or cylinder about z.
ShapeDescription round_shape(ShapeDescription::Kind kind, double radius, double half_height);

}  // namespace clarke
