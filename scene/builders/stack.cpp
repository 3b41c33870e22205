#include "scene/builders/stack.hpp"

#include <cmath>

namespace clarke {

void Stack::describe(SceneVisitor& v) {
  v.integer("count", count_, {.help = "number of boxes", .min = 1, .max = 100000, .required = true});
  v.vector("half", half_, {.help = "half extents of each box", .unit = "m", .min = 0, .open_min = true});
  v.real("mass", mass_, {.help = "of the lowest box", .unit = "kg", .min = 0, .open_min = true});
  v.real("mass_ratio", ratio_, {.help = "from a box to the one above it", .min = 0, .open_min = true});
  const bool has_masses = v.reals("masses", masses_,
                                  {.help = "from the lowest box up, instead of mass and mass_ratio",
                                   .unit = "kg",
                                   .min = 0,
                                   .open_min = true,
                                   .has_default = false});
  v.vector("position", position_, {.help = "of the middle of the foot", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "boxes are called <name>_1, <name>_2, ... from the lowest up"});
  if (!v.reading()) return;
  if (has_masses && masses_.size() != static_cast<std::size_t>(count_))
    v.refuse("masses", "expected one mass for each of the " + std::to_string(count_) + " boxes, got " +
                           std::to_string(masses_.size()));
  if (!std::isfinite(mass_ * std::pow(ratio_, count_ - 1))) v.refuse("mass_ratio", "the mass of the top box overflows");
}

void Stack::add_to(World& world) const {
  for (int i = 0; i < count_; ++i) {
    BodyDescription box;
    box.name = name_ + "_" + std::to_string(i + 1);
    box.material = material_;
    box.shape.kind = ShapeDescription::Kind::box;
    box.shape.half = half_;
    box.mass = masses_.empty() ? mass_ * std::pow(ratio_, i) : masses_[static_cast<std::size_t>(i)];
    box.position = position_ + Vec3{0, 0, (2 * i + 1) * half_.z};
    world.bodies.push_back(box);
  }
}

}  // namespace clarke
