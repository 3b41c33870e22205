#include "scene/builders/spheres_column.hpp"

#include "scene/builders/bin.hpp"

#include <cmath>
#include <numbers>

namespace clarke {

void SpheresColumn::describe(SceneVisitor& v) {
  v.integer("count", count_, {.help = "spheres at least; the last layer is whole", .min = 1, .max = 1000000});
  v.integer("side", side_, {.help = "spheres along each side of a layer", .min = 2, .max = 1000});
  v.real("radius", radius_, {.help = "of a sphere", .unit = "m", .min = 0, .open_min = true});
  v.real("mass", mass_, {.help = "of a sphere", .unit = "kg", .min = 0, .open_min = true});
  v.real("mass_ratio", mass_ratio_, {.help = "mass of the weight over that of a sphere", .min = 0, .open_min = true});
  v.vector("position", position_, {.help = "of the middle of the floor", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`: spheres, floor, weight", .has_default = false});
  v.text("wall_material", wall_material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_,
         {.help = "spheres are called <name>_1, <name>_2, ..., the rest <name>_weight, <name>_tube_floor, _left, ..."});
}

void SpheresColumn::add_to(World& world) const {
  const double rise = std::numbers::sqrt2 * radius_;
  double z = radius_;
  int built = 0, layer = 0;
  for (; built < count_; ++layer, z += rise) {
    const int side = layer % 2 == 0 ? side_ : side_ - 1;
    for (int i = 0; i < side * side; ++i) {
      BodyDescription sphere;
      sphere.name = name_ + "_" + std::to_string(++built);
      sphere.material = material_;
      sphere.shape = sphere_shape(radius_);
      sphere.mass = mass_;
      const int row = i / side;
      sphere.position = position_ + Vec3{(2 * (i % side) - side + 1) * radius_, (2 * row - side + 1) * radius_, z};
      world.bodies.push_back(sphere);
    }
  }
  const double top = z - rise + radius_, half = side_ * radius_, weight_half = half - 0.1 * radius_;
  BodyDescription weight;
  weight.name = name_ + "_weight";
  weight.material = material_;
  weight.shape = round_shape(ShapeDescription::Kind::cylinder, weight_half, weight_half);
  weight.mass = mass_ratio_ * mass_;
  weight.position = position_ + Vec3{0, 0, top + weight_half};
  world.bodies.push_back(weight);

  Bin tube;
  tube.name = name_ + "_tube";
  tube.half_x = tube.half_y = half;
  tube.height = top + 2 * weight_half;
  tube.wall = 2 * radius_;
  tube.position = position_;
  tube.material = material_;
  tube.add_floor_to(world);
  tube.material = wall_material_;
  tube.add_walls_to(world);
}

}  // namespace clarke
