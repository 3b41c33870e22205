#include "scene/builders/bowls.hpp"

#include "physics/collision/mass_properties.hpp"
#include "scene/builders/random_sequence.hpp"
#include "scene/builders/ring.hpp"

#include <cmath>
#include <numbers>

namespace clarke {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kFoot = 25 * kDegree, kRim = 65 * kDegree;  // θ [rad]

}  // namespace

void Bowls::describe(SceneVisitor& v) {
  v.integer("count", count_, {.help = "number of bowls", .min = 1, .max = 100000});
  v.integer("segments", segments_, {.help = "plates around a bowl", .min = 3, .max = 1000});
  v.integer("rings", rings_, {.help = "plates from foot to rim", .min = 1, .max = 100});
  v.real("radius", radius_, {.help = "of the sphere a bowl is cut from", .unit = "m", .min = 0, .open_min = true});
  v.real("thickness", thickness_, {.help = "of a bowl", .unit = "m", .min = 0, .open_min = true});
  v.real("gap", gap_,
         {.help = "more than nested bowls need, between bowls and below the first", .unit = "m", .min = 0});
  v.vector("position", position_, {.help = "of the ground below the bowls", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "bowls are called <name>_1, <name>_2, ... from the lowest up"});
  if (v.reading() && !(thickness_ < 0.5 * radius_)) v.refuse("thickness", "expected less than half of radius");
}

ShapeDescription Bowls::bowl_shape() const {
  ShapeDescription bowl;
  bowl.kind = ShapeDescription::Kind::compound;
  const double foot = radius_ * (1 - std::cos(kFoot));
  const auto at = [&](double theta, double r) {  // the foot stands on z = 0
    return RingProfile{r * std::sin(theta), radius_ - r * std::cos(theta) - foot};
  };
  const double inner = radius_ - thickness_;
  add_disc(bowl, at(kFoot, radius_), at(kFoot, inner), segments_);
  for (int ring = 0; ring < rings_; ++ring) {
    const double low = kFoot + (kRim - kFoot) * ring / rings_, high = kFoot + (kRim - kFoot) * (ring + 1) / rings_;
    const RingProfile profile[4] = {at(low, inner), at(high, inner), at(high, radius_), at(low, radius_)};
    add_ring(bowl, profile, segments_);
  }
  return bowl;
}

void Bowls::add_to(World& world) const {
  const ShapeDescription shape = bowl_shape();
  const Vec3 centre = mass_properties(shape, "bowl").centre;
  const double rise = thickness_ / std::cos(kRim) + gap_;
  RandomSequence random(seed);
  for (int i = 0; i < count_; ++i) {
    BodyDescription bowl;
    bowl.name = name_ + "_" + std::to_string(i + 1);
    bowl.material = material_;
    bowl.shape = shape;
    bowl.position = position_ + Vec3{0, 0, gap_ + i * rise + centre.z};
    bowl.orientation = random.tilt(0.02) * from_axis_angle(Vec3{0, 0, 1}, (i % 2) * std::numbers::pi / segments_);
    world.bodies.push_back(bowl);
  }
}

}  // namespace clarke
