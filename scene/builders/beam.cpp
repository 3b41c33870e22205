#include "scene/builders/beam.hpp"

namespace clarke {

void Beam::describe(SceneVisitor& v) {
  v.integer("parts", parts_, {.help = "number of boxes", .min = 2, .max = 10000});
  v.real("length", length_, {.help = "of the whole beam, along x", .unit = "m", .min = 0, .open_min = true});
  v.real("half_width", section_.y, {.help = "half extent along y", .unit = "m", .min = 0, .open_min = true});
  v.real("half_height", section_.z, {.help = "half extent along z", .unit = "m", .min = 0, .open_min = true});
  v.real("part_mass", part_mass_, {.help = "of each box", .unit = "kg", .min = 0, .open_min = true});
  v.real("bending_stiffness", bending_, {.help = "of each joint", .unit = "N m/rad", .min = 0, .open_min = true});
  v.real("torsion_stiffness", torsion_, {.help = "of each joint", .unit = "N m/rad", .min = 0, .open_min = true});
  v.real("damping", damping_, {.help = "of each joint against bending and twisting", .unit = "N m s/rad", .min = 0});
  v.vector("position", position_, {.help = "of the middle of its left face", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "boxes are called <name>_1, <name>_2, ... from the left"});
}

void Beam::add_to(World& world) const {
  const double part = length_ / parts_;
  for (int i = 0; i < parts_; ++i) {
    BodyDescription box;
    box.name = name_ + "_" + std::to_string(i + 1);
    box.shape.kind = ShapeDescription::Kind::box;
    box.shape.half = {0.5 * part, section_.y, section_.z};
    box.mass = part_mass_;
    box.position = position_ + Vec3{(i + 0.5) * part, 0, 0};
    box.material = material_;
    box.group = name_ + "_parts";
    world.bodies.push_back(std::move(box));
    if (i == 0) continue;
    JointDescription joint;
    joint.type = "weld";
    joint.name = name_ + "_joint_" + std::to_string(i);
    joint.a = name_ + "_" + std::to_string(i + 1);
    joint.b = name_ + "_" + std::to_string(i);
    joint.anchor_a = joint.anchor_b = position_ + Vec3{i * part, 0, 0};
    joint.compliance = {0, 0, 0, 1 / torsion_, 1 / bending_, 1 / bending_};
    joint.damping = {0, 0, 0, damping_, damping_, damping_};
    world.joints.push_back(std::move(joint));
  }
  world.no_collision.emplace_back(name_ + "_parts", name_ + "_parts");
}

}  // namespace clarke
