#include "scene/builders/redundant_box.hpp"

namespace clarke {

void RedundantBox::describe(SceneVisitor& v) {
  v.integer("points", points_,
            {.help = "along each edge: 2, 3, 4 give 4, 9, 16 contacts", .min = 2, .max = 100, .required = true});
  v.vector("half", half_, {.help = "half extents", .unit = "m", .min = 0, .open_min = true});
  v.real("mass", mass_, {.unit = "kg", .min = 0, .open_min = true});
  v.vector("position", position_, {.help = "of the middle of the lower face", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {});
}

void RedundantBox::add_to(World& world) const {
  BodyDescription box;
  box.name = name_;
  box.material = material_;
  box.mass = mass_;
  box.shape.kind = ShapeDescription::Kind::box;
  box.shape.half = half_;
  box.position = position_ + Vec3{0, 0, half_.z};
  const auto along = [this](int i, double half) { return half * (2.0 * i / (points_ - 1) - 1); };
  for (int i = 0; i < points_; ++i) {
    for (int j = 0; j < points_; ++j) box.contact_points.push_back({along(i, half_.x), along(j, half_.y), -half_.z});
  }
  world.bodies.push_back(box);
}

}  // namespace clarke
