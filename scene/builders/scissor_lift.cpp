#include "scene/builders/scissor_lift.hpp"

#include <cmath>

namespace clarke {

void ScissorLift::describe(SceneVisitor& v) {
  v.integer("stages", stages_, {.help = "number of crossed pairs", .min = 1, .max = 1000});
  v.real("half_length", half_length_, {.help = "of a bar", .unit = "m", .min = 0, .open_min = true});
  v.real("angle", angle_,
         {.help = "of the bars with the ground at the start", .unit = "rad", .min = 0, .max = 1.57, .open_min = true});
  v.real("bar_mass", bar_mass_, {.unit = "kg", .min = 0, .open_min = true});
  v.real("foot_mass", foot_mass_, {.help = "of the sliding foot", .unit = "kg", .min = 0, .open_min = true});
  v.real("load", load_, {.help = "on top", .unit = "kg", .min = 0, .open_min = true});
  v.time_function("motion", motion_, {.help = "prescribed displacement of the foot along x", .unit = "m"});
  v.text("name", name_, {.help = "first part of all names"});
}

void ScissorLift::add_to(World& world) const {
  const double l = half_length_, w = l * std::cos(angle_), H = 2 * l * std::sin(angle_);
  const Vec3 y{0, 1, 0};
  const std::string group = name_ + "_parts";
  const auto body = [&](const std::string& name, const Vec3& position, const Vec3& half, double mass,
                        const Quat& orientation) {
    BodyDescription b;
    b.name = name;
    b.shape.kind = ShapeDescription::Kind::box;
    b.shape.half = half;
    b.mass = mass;
    b.position = position;
    b.orientation = orientation;
    b.group = group;
    world.bodies.push_back(std::move(b));
  };
  const auto hinge = [&](const std::string& name, const std::string& a, const std::string& b, const Vec3& anchor) {
    JointDescription j;
    j.type = "hinge";
    j.name = name_ + "_" + name;
    j.a = a;
    j.b = b;
    j.anchor_a = j.anchor_b = anchor;
    j.axis = y;
    world.joints.push_back(std::move(j));
  };
  const auto bar = [&](int stage, const char* side) { return name_ + "_" + side + "_" + std::to_string(stage + 1); };
  const std::string foot = name_ + "_foot";
  body(foot, {2 * w, 0, 0}, {0.05, 0.05, 0.05}, foot_mass_, {});
  JointDescription slider;
  slider.type = "slider";
  slider.name = name_ + "_spindle";
  slider.a = foot;
  slider.b = "world";
  slider.anchor_a = slider.anchor_b = {2 * w, 0, 0};
  slider.axis = {1, 0, 0};
  slider.coordinates.resize(1);
  slider.coordinates[0].motion = motion_;
  world.joints.push_back(slider);
  // "up" rises towards +x, "down" falls towards +x; a positive turn about y lowers the +x end.
  const Quat up = from_axis_angle(y, -angle_), down = from_axis_angle(y, angle_);
  for (int s = 0; s < stages_; ++s) {
    const Vec3 middle{w, 0, (s + 0.5) * H};
    const Vec3 half{l, 0.02, 0.02};
    body(bar(s, "up"), middle, half, bar_mass_, up);
    body(bar(s, "down"), middle, half, bar_mass_, down);
    const std::string stage = std::to_string(s + 1);
    hinge("cross_" + stage, bar(s, "up"), bar(s, "down"), middle);
    const Vec3 left{0, 0, s * H}, right{2 * w, 0, s * H};
    if (s == 0) {
      hinge("left_1", bar(0, "up"), "world", left);
      hinge("right_1", bar(0, "down"), foot, right);
    } else {
      hinge("left_" + stage, bar(s, "up"), bar(s - 1, "down"), left);
      hinge("right_" + stage, bar(s, "down"), bar(s - 1, "up"), right);
    }
  }
  const std::string load = name_ + "_load";
  const Vec3 top{0, 0, stages_ * H};
  body(load, top, {0.1, 0.1, 0.05}, load_, {});
  hinge("load", load, bar(stages_ - 1, "down"), top);
  world.no_collision.emplace_back(group, group);
}

}  // namespace clarke
