#include "scene/builders/card_house.hpp"

#include <cmath>

namespace clarke {

void CardHouse::describe(SceneVisitor& v) {
  v.integer("levels", levels_, {.help = "rows of leaning pairs", .min = 1, .max = 100});
  v.real("half_length", half_length_, {.help = "of a card", .unit = "m", .min = 0, .open_min = true});
  v.real("half_width", half_width_, {.help = "of a card, along y", .unit = "m", .min = 0, .open_min = true});
  v.real("half_thickness", half_thickness_,
         {.help = "of a card, rounding included", .unit = "m", .min = 0, .open_min = true});
  v.real("rounding", rounding_, {.help = "radius of the edges", .unit = "m", .min = 0});
  v.real("tilt", tilt_, {.help = "of a card from the vertical", .unit = "rad", .min = 0, .max = 1.2, .open_min = true});
  v.real("mass", mass_, {.help = "of a card", .unit = "kg", .min = 0, .open_min = true});
  v.vector("position", position_, {.help = "of the middle of the foot", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "first part of all names"});
  if (v.reading() && !(rounding_ < half_thickness_)) v.refuse("rounding", "expected less than half_thickness");
}

void CardHouse::add_to(World& world) const {
  const Vec3 half{half_thickness_ - rounding_, half_width_ - rounding_, half_length_ - rounding_};
  const auto card = [&](const std::string& name, const Vec3& at, const Quat& q, const Vec3& h) {
    BodyDescription b;
    b.name = name_ + "_" + name;
    b.shape.kind = ShapeDescription::Kind::box;
    b.shape.half = h;
    b.thickness = rounding_;
    b.mass = mass_;
    b.material = material_;
    b.position = position_ + at;
    b.orientation = q;
    world.bodies.push_back(std::move(b));
  };
  const double s = std::sin(tilt_), c = std::cos(tilt_);
  // Extent of a tilted card: its core's corners, and the rounding all around.
  const double rise = half.z * c + half.x * s + rounding_;  // centre above the foot
  // The inner upper corner of the core is at (half.z s − half.x c … ) from the centre; the cards of a pair touch there.
  const double reach = half.z * s + half.x * c + rounding_;  // centre to the line where the pair touches
  const double row = 2 * rise + 2 * half_thickness_;         // height of a level with its flat cards
  const double pitch = 4 * half.z * s * 1.15;                // from pair to pair: flat cards bridge it
  for (int level = 0; level < levels_; ++level) {
    const int pairs = levels_ - level;
    const double z = level * row + rise;
    const std::string number = std::to_string(level + 1);
    for (int p = 0; p < pairs; ++p) {
      const double x = (p - 0.5 * (pairs - 1)) * pitch;
      const std::string id = number + "_" + std::to_string(p + 1);
      // A card left of the touching line leans to the right.
      card("left_" + id, {x - reach, 0, z}, from_axis_angle(Vec3{0, 1, 0}, tilt_), half);
      card("right_" + id, {x + reach, 0, z}, from_axis_angle(Vec3{0, 1, 0}, -tilt_), half);
    }
    for (int p = 0; p + 1 < pairs; ++p) {
      const double x = (p + 0.5 - 0.5 * (pairs - 1)) * pitch;
      card("flat_" + number + "_" + std::to_string(p + 1), {x, 0, level * row + 2 * rise + half_thickness_}, {},
           {0.5 * pitch * 0.995 - rounding_, half.y, half.x});
    }
  }
}

}  // namespace clarke
