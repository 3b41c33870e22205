#include "scene/builders/bin.hpp"

namespace clarke {

ShapeDescription box_shape(const Vec3& half) {
  ShapeDescription shape;
  shape.kind = ShapeDescription::Kind::box;
  shape.half = half;
  return shape;
}

ShapeDescription sphere_shape(double radius) {
  ShapeDescription shape;
  shape.kind = ShapeDescription::Kind::sphere;
  shape.radius = radius;
  return shape;
}

ShapeDescription round_shape(ShapeDescription::Kind kind, double radius, double half_height) {
  ShapeDescription shape;
  shape.kind = kind;
  shape.radius = radius;
  shape.half_height = half_height;
  return shape;
}

BodyDescription static_body(std::string name, ShapeDescription shape, const Vec3& position, std::string material) {
  BodyDescription body;
  body.name = std::move(name);
  body.shape = std::move(shape);
  body.position = position;
  body.material = std::move(material);
  body.motion = Motion::fixed;
  return body;
}

void Bin::add_floor_to(World& world) const {
  world.bodies.push_back(static_body(name + "_floor", box_shape({half_x + wall, half_y + wall, 0.5 * wall}),
                                     position + Vec3{0, 0, -0.5 * wall}, material));
}

void Bin::add_walls_to(World& world) const {
  const Vec3 side{0.5 * wall, half_y + wall, 0.5 * height}, front{half_x, 0.5 * wall, 0.5 * height};
  const auto add = [&](const char* which, const Vec3& half, const Vec3& at) {
    world.bodies.push_back(static_body(name + which, box_shape(half), position + at, material));
  };
  add("_left", side, {-half_x - 0.5 * wall, 0, 0.5 * height});
  add("_right", side, {half_x + 0.5 * wall, 0, 0.5 * height});
  add("_front", front, {0, -half_y - 0.5 * wall, 0.5 * height});
  add("_back", front, {0, half_y + 0.5 * wall, 0.5 * height});
}

}  // namespace clarke
