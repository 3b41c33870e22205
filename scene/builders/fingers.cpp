#include "scene/builders/fingers.hpp"

#include "physics/register.hpp"
#include "scene/meshes/soft_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace clarke {

Fingers::Fingers() {
  // Silicone rubber of the paper.
  made_of_.young = 1e7;
  made_of_.poisson = 0.47;
  made_of_.density = 1200;
}

void Fingers::describe(SceneVisitor& v) {
  v.integer("count", count_, {.help = "fingers around the ring", .min = 1, .max = 1000});
  v.real("radius", radius_, {.help = "from the axis to the inner sides", .unit = "m", .min = 0});
  describe_finger(v, shape_);
  v.choice("model", made_of_.model, soft_material_registry().names(), {.help = "energy of the deformation"});
  v.real("young", made_of_.young, {.help = "Young's modulus", .unit = "Pa", .min = 0, .open_min = true});
  v.real("poisson", made_of_.poisson, {.help = "Poisson's ratio", .min = -1, .max = 0.5, .open_min = true});
  v.real("density", made_of_.density, {.unit = "kg/m^3", .min = 0, .open_min = true});
  v.choice("rows", made_of_.rows, {"deformation_gradient", "strain", "stretch"}, {.help = "row form of the elements"});
  v.real("damping", made_of_.damping, {.help = "Rayleigh damping beta of the stiffness", .unit = "s", .min = 0});
  v.real("mass_damping", made_of_.mass_damping,
         {.help = "Rayleigh damping alpha of the mass: drag", .unit = "1/s", .min = 0});
  v.time_function("pressure", pressure_, {.help = "activation of the chambers", .unit = "Pa"});
  v.choice("layer", layer_, {"rods", "none"}, {.help = "what keeps the inner sides from stretching"});
  lifted_ = v.time_function(
      "lift", lift_,
      {.help = "of the upper ends, along z; default: they are fixed", .unit = "m", .has_default = false});
  v.vector("position", position_, {.help = "of the middle of the ring, at the upper ends", .unit = "m"});
  v.text("material", made_of_.material, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "fingers are called <name>_1, ..."});
}

void Fingers::add_to(World& world) const {
  for (int k = 0; k < count_; ++k) {
    SoftDescription finger = made_of_;
    finger.name = name_ + "_" + std::to_string(k + 1);
    finger.mesh = tet_finger(shape_);
    const double angle = 2 * std::numbers::pi * k / count_;
    // x of the finger points down, its z outwards.
    finger.orientation = from_axis_angle({0, 0, 1}, angle) * from_axis_angle({0, 1, 0}, std::numbers::pi / 2);
    finger.position = position_ + Vec3{radius_ * std::cos(angle), radius_ * std::sin(angle), 0};
    finger.regions.push_back({});
    finger.regions.back().name = "chambers";
    finger.regions.back().elements = finger.mesh.regions.at("chambers");
    finger.regions.back().pressure = pressure_;
    const std::vector<Vec3> X = finger.mesh.nodes;
    std::vector<int> ends, inner;
    for (int n = 0; n < static_cast<int>(X.size()); ++n) {
      if (X[n].x == 0) ends.push_back(n);
      if (X[n].z == 0) inner.push_back(n);
    }
    if (!lifted_) finger.fixed = ends;
    add_soft_body(world, finger);
    const int first = world.softs.back().first_particle;
    const auto joint = [&](const char* type, const std::string& what, int number, int a) -> JointDescription& {
      JointDescription j;
      j.type = type;
      j.name = finger.name + "_" + what + "_" + std::to_string(number);
      j.a = world.particles[first + a].name;
      j.b = "world";
      j.anchor_a = j.anchor_b = world.particles[first + a].position;
      world.joints.push_back(j);
      return world.joints.back();
    };
    for (std::size_t p = 0; lifted_ && p < ends.size(); ++p)
      joint("pin", "pin", static_cast<int>(p) + 1, ends[p]).motion = {0.0, 0.0, lift_};
    if (layer_ != "rods") continue;
    // Neighbours along the finger.
    std::sort(inner.begin(), inner.end(),
              [&X](int a, int b) { return std::pair(X[a].y, X[a].x) < std::pair(X[b].y, X[b].x); });
    int rods = 0;
    for (std::size_t p = 0; p + 1 < inner.size(); ++p) {
      if (X[inner[p]].y != X[inner[p + 1]].y) continue;
      JointDescription& rod = joint("distance", "rod", ++rods, inner[p]);
      rod.b = world.particles[first + inner[p + 1]].name;
      rod.anchor_b = world.particles[first + inner[p + 1]].position;
    }
  }
}

}  // namespace clarke
