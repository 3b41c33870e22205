#include "scene/builders/box_pile.hpp"

#include "scene/builders/bin.hpp"
#include "scene/builders/random_sequence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace clarke {

void BoxPile::describe(SceneVisitor& v) {
  v.integer("count", count_, {.help = "number of boxes", .min = 1, .max = 1000000});
  v.integer("layers", layers_, {.help = "of the lattice they fall from: the depth of the pile", .min = 1, .max = 1000});
  v.real("edge", edge_, {.help = "of a box", .unit = "m", .min = 0, .open_min = true});
  v.real("tilt", tilt_, {.help = "largest turn of a box at the start", .unit = "rad", .min = 0, .max = 3.1416});
  v.real("offset", offset_, {.help = "largest displacement from the lattice, in edges", .min = 0, .max = 10});
  v.vector("position", position_, {.help = "of the middle of the floor", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "boxes are called <name>_1, <name>_2, ..., the bin <name>_bin_floor, _left, ..."});
}

void BoxPile::add_to(World& world) const {
  const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(count_) / layers_) - 1e-9));
  const int used = (count_ + side * side - 1) / (side * side);
  const double turned = std::min(tilt_, std::atan(std::numbers::sqrt2));
  const double width = std::cos(turned) + std::numbers::sqrt2 * std::sin(turned);
  const double cell = (width + 2 * offset_ + 0.01) * edge_, rise = 1.2 * cell;
  Bin bin;
  bin.name = name_ + "_bin";
  bin.material = material_;
  bin.half_x = bin.half_y = 0.5 * (side + 0.5) * cell;
  bin.height = (used + 0.5) * rise;
  bin.wall = 0.5 * edge_;
  bin.position = position_;
  bin.add_to(world);

  RandomSequence random(seed);
  for (int i = 0; i < count_; ++i) {
    const int layer = i / (side * side), row = i / side % side, column = i % side;
    const double shift = (layer % 2 == 0 ? -0.25 : 0.25) * cell;
    BodyDescription box;
    box.name = name_ + "_" + std::to_string(i + 1);
    box.material = material_;
    box.shape = box_shape(0.5 * Vec3{edge_, edge_, edge_});
    box.position =
        position_ +
        Vec3{(column - 0.5 * (side - 1)) * cell + shift, (row - 0.5 * (side - 1)) * cell + shift, (layer + 1) * rise} +
        random.offset(offset_ * edge_);
    box.orientation = random.tilt(tilt_);
    world.bodies.push_back(box);
  }
}

}  // namespace clarke
