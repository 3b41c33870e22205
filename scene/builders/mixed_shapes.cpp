#include "scene/builders/mixed_shapes.hpp"

#include "scene/builders/bin.hpp"
#include "scene/builders/random_sequence.hpp"

#include <cmath>

namespace clarke {
namespace {

/// A square foot and an edge askew above it: six corners, faces of three and four.
ShapeDescription wedge(double r) {
  ShapeDescription shape;
  shape.kind = ShapeDescription::Kind::convex;
  shape.points = {{-0.57 * r, -0.57 * r, -0.57 * r}, {0.57 * r, -0.57 * r, -0.57 * r}, {0.57 * r, 0.57 * r, -0.57 * r},
                  {-0.57 * r, 0.57 * r, -0.57 * r},  {-0.3 * r, -0.2 * r, 0.7 * r},    {0.3 * r, 0.4 * r, 0.5 * r}};
  return shape;
}

ShapeDescription cross_of_bars(double r) {
  ShapeDescription shape;
  shape.kind = ShapeDescription::Kind::compound;
  const double l = 0.95 * r, w = 0.2 * r;
  for (const Vec3& half : {Vec3{l, w, w}, Vec3{w, l, w}, Vec3{w, w, l}})
    shape.children.push_back({box_shape(half), {}, {}});
  return shape;
}

/// A shape more is a line more.
std::vector<ShapeDescription> shapes_within(double r) {
  return {
      sphere_shape(0.7 * r),
      box_shape({0.7 * r, 0.5 * r, 0.4 * r}),
      wedge(r),
      cross_of_bars(r),
      round_shape(ShapeDescription::Kind::capsule, 0.3 * r, 0.6 * r),
      round_shape(ShapeDescription::Kind::cylinder, 0.5 * r, 0.6 * r),
  };
}

}  // namespace

void MixedShapes::describe(SceneVisitor& v) {
  v.integer("count", count_, {.help = "number of bodies", .min = 1, .max = 1000000});
  v.integer("layers", layers_, {.help = "of the lattice they fall from", .min = 1, .max = 1000});
  v.real("radius", radius_, {.help = "of the sphere each body fits into", .unit = "m", .min = 0, .open_min = true});
  v.vector("position", position_, {.help = "of the middle of the floor", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "bodies are called <name>_1, <name>_2, ..., the bin <name>_bin_floor, _left, ..."});
}

void MixedShapes::add_to(World& world) const {
  const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count_) / layers_) - 1e-9));
  const double cell = 2.2 * radius_;
  const int used = (count_ + side * side - 1) / (side * side);
  Bin bin;
  bin.name = name_ + "_bin";
  bin.material = material_;
  bin.half_x = bin.half_y = 0.5 * side * cell;
  bin.height = (used + 0.5) * cell;
  bin.wall = radius_;
  bin.position = position_;
  bin.add_to(world);

  const std::vector<ShapeDescription> shapes = shapes_within(radius_);
  RandomSequence random(seed);
  for (int i = 0; i < count_; ++i) {
    BodyDescription body;
    body.name = name_ + "_" + std::to_string(i + 1);
    body.material = material_;
    body.shape = shapes[static_cast<std::size_t>(i + i / side) % shapes.size()];
    const int row = i / side % side, layer = i / (side * side);
    body.position = position_ + cell * Vec3{i % side - 0.5 * (side - 1), row - 0.5 * (side - 1), layer + 0.75};
    const Quat heading = random.heading();
    body.orientation = random.tilt(3) * heading;
    world.bodies.push_back(body);
  }
}

}  // namespace clarke
