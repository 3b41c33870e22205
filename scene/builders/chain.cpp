#include "scene/builders/chain.hpp"

namespace clarke {

void Chain::describe(SceneVisitor& v) {
  v.integer("links", links_, {.help = "number of links", .min = 1, .max = 10000});
  v.real("link_mass", link_mass_, {.help = "of each link", .unit = "kg", .min = 0, .open_min = true});
  v.real("weight", weight_, {.help = "mass of the weight at the end", .unit = "kg", .min = 0, .open_min = true});
  v.real("length", length_, {.help = "of each link", .unit = "m", .min = 0, .open_min = true});
  v.real("thickness", thickness_, {.help = "of the links", .unit = "m", .min = 0, .open_min = true});
  v.real("radius", radius_, {.help = "of the weight", .unit = "m", .min = 0, .open_min = true});
  v.vector("position", position_, {.help = "of the point it hangs from", .unit = "m"});
  v.vector("direction", direction_, {.help = "in which the chain points at the start"});
  v.text("name", name_, {.help = "links are called <name>_1, ..., the weight <name>_weight"});
  if (!v.reading()) return;
  if (!(norm(direction_) > 0)) v.refuse("direction", "expected a direction that is not zero");
  direction_ = normalized(direction_);
}

void Chain::add_to(World& world) const {
  // Turns the x axis, along which links are built, into the direction.
  const Vec3 x{1, 0, 0}, axis = cross(x, direction_);
  const double s = norm(axis), c = dot(x, direction_);
  const Quat turn = s > 0 ? from_axis_angle(axis / s, std::atan2(s, c))
                          : (c > 0 ? Quat{} : from_axis_angle(Vec3{0, 0, 1}, std::acos(-1.0)));
  std::string before = "world";
  const auto add = [&](BodyDescription body, double along, double joint_at) {
    body.position = position_ + along * direction_;
    body.orientation = turn;
    JointDescription joint;
    joint.type = "ball";
    joint.name = body.name + "_joint";
    joint.a = body.name;
    joint.b = before;
    joint.anchor_a = joint.anchor_b = position_ + joint_at * direction_;
    before = body.name;
    world.bodies.push_back(std::move(body));
    world.joints.push_back(std::move(joint));
  };
  for (int i = 0; i < links_; ++i) {
    BodyDescription link;
    link.name = name_ + "_" + std::to_string(i + 1);
    link.shape.kind = ShapeDescription::Kind::box;
    link.shape.half = {0.5 * length_, 0.5 * thickness_, 0.5 * thickness_};
    link.mass = link_mass_;
    add(link, (i + 0.5) * length_, i * length_);
  }
  BodyDescription weight;
  weight.name = name_ + "_weight";
  weight.shape.kind = ShapeDescription::Kind::sphere;
  weight.shape.radius = radius_;
  weight.mass = weight_;
  add(weight, links_ * length_ + radius_, links_ * length_);
  world.no_collision.emplace_back(name_ + "_chain", name_ + "_chain");
  for (std::size_t i = world.bodies.size() - static_cast<std::size_t>(links_) - 1; i < world.bodies.size(); ++i)
    world.bodies[i].group = name_ + "_chain";
}

}  // namespace clarke
