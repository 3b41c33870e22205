#include "scene/builders/spring_chain.hpp"

namespace clarke {

void SpringChain::describe(SceneVisitor& v) {
  v.text("name", name_, {.help = "nodes are the particles <name>:1, ..., springs the joints <name>_spring_1, ..."});
  v.integer("count", count_, {.help = "nodes", .min = 1, .max = 10000});
  v.real("mass", mass_, {.help = "of a node", .unit = "kg", .min = 0, .open_min = true});
  v.real("stiffness", stiffness_, {.help = "of a spring", .unit = "N/m", .min = 0, .open_min = true});
  v.real("first_stiffness_ratio", first_ratio_,
         {.help = "of the spring that does not move at one end to the others", .min = 0, .open_min = true});
  v.real("last_stiffness_ratio", last_ratio_,
         {.help = "of the spring at the free end to the others", .min = 0, .open_min = true});
  v.real("end_mass_ratio", end_ratio_,
         {.help = "of the node at the free end to the others", .min = 0, .open_min = true});
}

void SpringChain::add_to(World& world) const {
  const auto node = [this](int k) { return name_ + ":" + std::to_string(k); };
  for (int k = 1; k <= count_; ++k) {
    ParticleDescription p;
    p.name = node(k);
    p.mass = mass_ * (k == count_ ? end_ratio_ : 1);
    p.group = name_;
    world.particles.push_back(std::move(p));
    const double stiffness = stiffness_ * (k == 1 ? first_ratio_ : 1) * (k == count_ ? last_ratio_ : 1);
    JointDescription spring;
    spring.type = "ball";
    spring.name = name_ + "_spring_" + std::to_string(k);
    spring.a = node(k);
    spring.b = k == 1 ? "world" : node(k - 1);
    spring.compliance.assign(3, 1 / stiffness);
    world.joints.push_back(std::move(spring));
  }
  world.no_collision.emplace_back(name_, name_);
}

}  // namespace clarke
