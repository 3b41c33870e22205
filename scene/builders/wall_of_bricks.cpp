#include "scene/builders/wall_of_bricks.hpp"

#include "scene/builders/bin.hpp"

namespace clarke {

void WallOfBricks::describe(SceneVisitor& v) {
  v.integer("courses", courses_, {.help = "layers of bricks", .min = 1, .max = 10000});
  v.integer("bricks", bricks_, {.help = "whole bricks in a course", .min = 1, .max = 10000});
  v.real("ball_radius", ball_radius_, {.unit = "m", .min = 0, .open_min = true});
  v.real("speed", speed_, {.help = "of the ball along +y; 0: no ball", .unit = "m/s", .min = 0});
  v.real("distance", distance_, {.help = "of the ball's surface from the wall at the start", .unit = "m", .min = 0});
  v.vector("position", position_, {.help = "of the middle of the wall's foot", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("ball_material", ball_material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "bricks are called <name>_<course>_<number>, the ball <name>_ball"});
}

void WallOfBricks::add_to(World& world) const {
  const Vec3 half{0.125, 0.06, 0.0325};  // [m]
  for (int course = 0; course < courses_; ++course) {
    const bool whole = course % 2 == 0;
    const int count = whole ? bricks_ : bricks_ + 1;
    double x = -bricks_ * half.x;
    for (int i = 0; i < count; ++i) {
      const double half_x = !whole && (i == 0 || i == count - 1) ? 0.5 * half.x : half.x;
      BodyDescription brick;
      brick.name = name_ + "_" + std::to_string(course + 1) + "_" + std::to_string(i + 1);
      brick.material = material_;
      brick.shape = box_shape({half_x, half.y, half.z});
      brick.position = position_ + Vec3{x + half_x, 0, (2 * course + 1) * half.z};
      world.bodies.push_back(brick);
      x += 2 * half_x;
    }
  }
  if (speed_ == 0) return;
  BodyDescription ball;
  ball.name = name_ + "_ball";
  ball.material = ball_material_;
  ball.shape = sphere_shape(ball_radius_);
  ball.position = position_ + Vec3{0, -half.y - distance_ - ball_radius_, courses_ * half.z};
  ball.velocity = {0, speed_, 0};
  world.bodies.push_back(ball);
}

}  // namespace clarke
