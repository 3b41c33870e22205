#include "scene/builders/slope.hpp"

#include <cmath>
#include <numbers>

namespace clarke {

void Slope::describe(SceneVisitor& v) {
  v.real("angle_deg", angle_deg_,
         {.help = "of the plane against the horizontal", .unit = "deg", .min = 0, .max = 89, .required = true});
  v.real("heading_deg", heading_deg_, {.help = "direction of the fall line, from x towards y", .unit = "deg"});
  v.vector("half", half_, {.help = "half extents of the box", .unit = "m", .min = 0, .open_min = true});
  v.real("mass", mass_, {.help = "of the box", .unit = "kg", .min = 0, .open_min = true});
  v.real("speed", speed_, {.help = "of the box at the start, downhill", .unit = "m/s"});
  v.text("material", material_, {.help = "of box and plane, a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "of the box"});
  v.text("plane_name", plane_name_, {.help = "of the plane"});
}

void Slope::add_to(World& world) const {
  const double angle = angle_deg_ * std::numbers::pi / 180, heading = heading_deg_ * std::numbers::pi / 180;
  const Quat orientation = from_axis_angle(Vec3{0, 0, 1}, heading) * from_axis_angle(Vec3{0, 1, 0}, angle);
  const Vec3 normal{std::sin(angle) * std::cos(heading), std::sin(angle) * std::sin(heading), std::cos(angle)};
  const Vec3 downhill{std::cos(angle) * std::cos(heading), std::cos(angle) * std::sin(heading), -std::sin(angle)};

  BodyDescription plane;
  plane.name = plane_name_;
  plane.material = material_;
  plane.motion = Motion::fixed;
  plane.shape.kind = ShapeDescription::Kind::plane;
  plane.shape.normal = normal;
  world.bodies.push_back(plane);

  BodyDescription box;
  box.name = name_;
  box.material = material_;
  box.mass = mass_;
  box.shape.kind = ShapeDescription::Kind::box;
  box.shape.half = half_;
  box.orientation = orientation;
  box.position = half_.z * normal;
  box.velocity = speed_ * downhill;
  world.bodies.push_back(box);
}

}  // namespace clarke
