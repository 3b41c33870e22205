#include "scene/builders/domino_run.hpp"

#include "framework/text.hpp"
#include "scene/builders/bin.hpp"

#include <cmath>
#include <numbers>

namespace clarke {

void DominoRun::describe(SceneVisitor& v) {
  v.integer("rows", rows_, {.help = "rows that do not touch each other", .min = 1, .max = 10000});
  v.integer("count", count_, {.help = "dominoes in a row", .min = 1, .max = 10000});
  v.real("spacing", spacing_,
         {.help = "from domino to domino, centre to centre", .unit = "m", .min = 0.01, .max = 0.04});
  v.real("arc_radius", arc_radius_, {.help = "of the arc the row follows", .unit = "m", .min = 0.06});
  v.real("push", push_, {.help = "turning speed of the first domino of each row", .unit = "rad/s", .min = 0});
  v.vector("position", position_, {.help = "of the foot of the very first domino", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "dominoes are called <name>_<row>_<number>, from the pushed one on"});
  if (!v.reading()) return;
  const double longest = std::numbers::pi * arc_radius_ / spacing_;
  if (count_ > longest)
    v.refuse("count", "expected at most " + format_real(std::floor(longest)) +
                          " (half a turn of arc_radius), or rows would touch");
}

void DominoRun::add_to(World& world) const {
  const Vec3 half{0.00375, 0.012, 0.024};  // [m] along, across, up
  const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(rows_))));
  const double pitch = 2.5 * arc_radius_;
  for (int i = 0; i < rows_; ++i) {
    const int row = i / columns;
    const Vec3 start = position_ + Vec3{(i % columns) * pitch, row * pitch, half.z};
    for (int k = 0; k < count_; ++k) {
      const double heading = k * spacing_ / arc_radius_;
      BodyDescription domino;
      domino.name = name_ + "_" + std::to_string(i + 1) + "_" + std::to_string(k + 1);
      domino.material = material_;
      domino.shape = box_shape(half);
      domino.position = start + arc_radius_ * Vec3{std::sin(heading), 1 - std::cos(heading), 0};
      domino.orientation = from_axis_angle(Vec3{0, 0, 1}, heading);
      if (k == 0) {
        domino.angular_velocity = {0, push_, 0};
        domino.velocity = cross(domino.angular_velocity, Vec3{-half.x, 0, half.z});
      }
      world.bodies.push_back(domino);
    }
  }
}

}  // namespace clarke
