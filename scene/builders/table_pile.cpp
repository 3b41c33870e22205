#include "scene/builders/table_pile.hpp"

#include "physics/collision/mass_properties.hpp"
#include "scene/builders/bin.hpp"
#include "scene/builders/random_sequence.hpp"

namespace clarke {
namespace {

/// The feet stand on z = 0.
ShapeDescription table_shape() {
  constexpr double kTopX = 0.35, kTopY = 0.25, kTopZ = 0.01, kLegXY = 0.0125, kLegZ = 0.2;  // half extents [m]
  ShapeDescription table;
  table.kind = ShapeDescription::Kind::compound;
  table.children.push_back({box_shape({kTopX, kTopY, kTopZ}), {0, 0, 2 * kLegZ + kTopZ}, {}});
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      table.children.push_back(
          {box_shape({kLegXY, kLegXY, kLegZ}), {x * (kTopX - kLegXY), y * (kTopY - kLegXY), kLegZ}, {}});
  return table;
}

}  // namespace

void TablePile::describe(SceneVisitor& v) {
  v.integer("count", count_, {.help = "number of tables", .min = 1, .max = 100000});
  v.integer("columns", columns_, {.help = "tables along each side of a layer", .min = 1, .max = 1000});
  v.real("pitch", pitch_, {.help = "from table to table in a layer", .unit = "m", .min = 0.95});
  v.real("stagger", stagger_, {.help = "of odd layers against even ones, in pitches", .min = 0, .max = 0.5});
  v.real("turn", turn_,
         {.help = "largest turn about the vertical at the start", .unit = "rad", .min = 0, .max = 3.1416});
  v.real("tilt", tilt_, {.help = "largest tilt of a table at the start", .unit = "rad", .min = 0, .max = 0.15});
  v.real("density", density_, {.help = "a table is 0.008 m^3", .unit = "kg/m^3", .min = 0, .open_min = true});
  v.vector("position", position_, {.help = "of the ground below the middle", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "tables are called <name>_1, <name>_2, ... from the lowest layer up"});
}

void TablePile::add_to(World& world) const {
  constexpr double kRise = 0.6, kLowest = 0.1;  // [m] from layer to layer, and of the feet above the ground
  const ShapeDescription shape = table_shape();
  const MassProperties properties = mass_properties(shape, "table");
  RandomSequence random(seed);
  for (int i = 0; i < count_; ++i) {
    const int layer = i / (columns_ * columns_), row = i / columns_ % columns_, column = i % columns_;
    const double shift = (layer % 2 == 0 ? -0.5 : 0.5) * stagger_ * pitch_;
    BodyDescription table;
    table.name = name_ + "_" + std::to_string(i + 1);
    table.material = material_;
    table.shape = shape;
    table.mass = density_ * properties.volume;
    table.position =
        position_ + Vec3{(column - 0.5 * (columns_ - 1)) * pitch_ + shift,
                         (row - 0.5 * (columns_ - 1)) * pitch_ + shift, layer * kRise + kLowest + properties.centre.z};
    const Quat heading = from_axis_angle(Vec3{0, 0, 1}, random.uniform(-turn_, turn_));
    table.orientation = random.tilt(tilt_) * heading;
    world.bodies.push_back(table);
  }
}

}  // namespace clarke
