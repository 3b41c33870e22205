#include "scene/builders/spring_sheet.hpp"

namespace clarke {

void SpringSheet::describe(SceneVisitor& v) {
  v.text("name", name_, {.help = "nodes are the particles <name>:0, ..., springs the joints <name>_spring_1, ..."});
  v.integer("columns", columns_, {.help = "cells along x", .min = 2, .max = 1000});
  v.integer("rows", rows_, {.help = "cells along y", .min = 2, .max = 1000});
  v.real("width", width_, {.help = "along x", .unit = "m", .min = 0, .open_min = true});
  v.real("depth", depth_, {.help = "along y", .unit = "m", .min = 0, .open_min = true});
  v.real("mass", mass_, {.help = "of all nodes together", .unit = "kg", .min = 0, .open_min = true});
  v.real("load", load_, {.help = "mass added to the middle node", .unit = "kg", .min = 0});
  v.real("stiffness", stiffness_, {.help = "of every spring", .unit = "N/m", .min = 0, .open_min = true});
  v.integer("corners", corners_, {.help = "fixed: none, two of one side, or all four", .min = 0, .max = 4});
  v.vector("position", position_, {.help = "of the middle", .unit = "m"});
  if (v.reading() && corners_ % 2 == 1) v.refuse("corners", "expected 0, 2 or 4");
}

Vec3 SpringSheet::node(int k) const {
  const int i = k % (columns_ + 1), j = k / (columns_ + 1);
  return position_ +
         Vec3{(static_cast<double>(i) / columns_ - 0.5) * width_, (static_cast<double>(j) / rows_ - 0.5) * depth_, 0};
}

void SpringSheet::add_spring(World& world, int a, int b) const {
  JointDescription spring;
  spring.type = "distance";
  spring.a = name_ + ":" + std::to_string(a);
  spring.b = name_ + ":" + std::to_string(b);
  spring.anchor_a = node(a);
  spring.anchor_b = node(b);
  spring.compliance = {1 / stiffness_};
  world.joints.push_back(std::move(spring));
}

void SpringSheet::add_to(World& world) const {
  const int across = columns_ + 1, nodes = across * (rows_ + 1);
  const auto fixed = [&](int i, int j) {
    return (i == 0 || i == columns_) && ((j == rows_ && corners_ > 0) || (j == 0 && corners_ > 2));
  };
  for (int k = 0; k < nodes; ++k) {
    ParticleDescription p;
    p.name = name_ + ":" + std::to_string(k);
    p.mass = mass_ / nodes;
    if (k == rows_ / 2 * across + columns_ / 2) p.mass += load_;
    p.position = node(k);
    p.fixed = fixed(k % across, k / across);
    p.group = name_;
    world.particles.push_back(std::move(p));
  }
  world.no_collision.emplace_back(name_, name_);
  const std::size_t before = world.joints.size();
  for (int j = 0; j <= rows_; ++j)
    for (int i = 0; i <= columns_; ++i) {
      const int k = j * across + i;
      if (i < columns_) add_spring(world, k, k + 1);
      if (j < rows_) add_spring(world, k, k + across);
      if (i < columns_ && j < rows_) add_spring(world, k, k + across + 1);
    }
  for (std::size_t k = before; k < world.joints.size(); ++k)
    world.joints[k].name = name_ + "_spring_" + std::to_string(k - before + 1);
}

}  // namespace clarke
