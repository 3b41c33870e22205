#include "scene/builders/marble_funnel.hpp"

#include "physics/collision/mass_properties.hpp"
#include "scene/builders/bin.hpp"
#include "scene/builders/random_sequence.hpp"
#include "scene/builders/ring.hpp"

#include <cmath>

namespace clarke {

void MarbleFunnel::describe(SceneVisitor& v) {
  v.integer("count", count_, {.help = "number of marbles", .min = 1, .max = 1000000});
  v.integer("segments", segments_, {.help = "plates around the funnel", .min = 3, .max = 1000});
  v.real("radius", radius_, {.help = "of a marble", .unit = "m", .min = 0, .open_min = true});
  v.real("hole", hole_, {.help = "radius of the hole", .unit = "m", .min = 0, .open_min = true});
  v.real("rim", rim_, {.help = "radius of the rim", .unit = "m", .min = 0, .open_min = true});
  v.real("height", height_, {.help = "of the hole above the ground", .unit = "m", .min = 0, .open_min = true});
  v.real("slope", slope_,
         {.help = "of the plates from the horizontal", .unit = "rad", .min = 0, .max = 1.4, .open_min = true});
  v.real("wall", wall_, {.help = "thickness of the plates", .unit = "m", .min = 0, .open_min = true});
  v.vector("position", position_, {.help = "of the ground below the hole", .unit = "m"});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  v.text("funnel_material", funnel_material_, {.help = "a name from `materials`", .has_default = false});
  v.text("name", name_, {.help = "marbles are called <name>_1, <name>_2, ..., the funnel <name>_funnel"});
  if (!v.reading()) return;
  if (!(hole_ < rim_)) v.refuse("hole", "expected less than rim");
  if (!(radius_ < hole_)) v.refuse("radius", "expected less than hole");
}

ShapeDescription MarbleFunnel::funnel_shape() const {
  const double rise = (rim_ - hole_) * std::tan(slope_);
  ShapeDescription funnel;
  funnel.kind = ShapeDescription::Kind::compound;
  const RingProfile cone[4] = {
      {hole_, height_}, {rim_, height_ + rise}, {rim_ + wall_, height_ + rise}, {hole_ + wall_, height_}};
  const double spout = 2 * radius_;
  const RingProfile pipe[4] = {
      {hole_, height_ - spout}, {hole_, height_}, {hole_ + wall_, height_}, {hole_ + wall_, height_ - spout}};
  add_ring(funnel, cone, segments_);
  add_ring(funnel, pipe, segments_);
  return funnel;
}

void MarbleFunnel::add_to(World& world) const {
  const ShapeDescription shape = funnel_shape();
  // A compound has its origin at the centre of its parts.
  world.bodies.push_back(
      static_body(name_ + "_funnel", shape, position_ + mass_properties(shape, "funnel").centre, funnel_material_));
  const double cell = 2.5 * radius_, reach = 0.7 * rim_;
  const int cells = static_cast<int>(reach / cell);
  const double lowest = height_ + (rim_ - hole_) * std::tan(slope_) + cell;
  RandomSequence random(seed);
  for (int built = 0, layer = 0; built < count_; ++layer)
    for (int i = -cells; i <= cells; ++i)
      for (int k = -cells; k <= cells && built < count_; ++k) {
        const Vec3 at{i * cell, k * cell, lowest + layer * cell};
        if (std::hypot(at.x, at.y) > reach) continue;
        BodyDescription marble;
        marble.name = name_ + "_" + std::to_string(++built);
        marble.material = material_;
        marble.shape = sphere_shape(radius_);
        marble.position = position_ + at + random.offset(0.1 * radius_);
        world.bodies.push_back(marble);
      }
}

}  // namespace clarke
