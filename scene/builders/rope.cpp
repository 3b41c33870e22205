#include "scene/builders/rope.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

void Rope::describe(SceneVisitor& v) {
  v.text("name", name_,
         {.help = "nodes are the particles <name>:0, <name>:1, ..., segments the joints <name>_segment_1, ..."});
  v.vector("from", from_, {.help = "first node", .unit = "m"});
  v.vector("to", to_, {.help = "last node", .unit = "m"});
  v.vector("sag", sag_,
           {.help = "to this side a rope hangs at the start that is longer than the distance of its ends"});
  v.integer("segments", segments_, {.help = "number of segments", .min = 1, .max = 100000});
  v.real("length", length_, {.help = "at rest; 0: the distance of its ends", .unit = "m", .min = 0});
  v.real("linear_density", linear_density_, {.help = "mass per length", .unit = "kg/m", .min = 0, .open_min = true});
  v.real("stiffness", stiffness_, {.help = "EA; 0: inextensible", .unit = "N", .min = 0});
  v.real("damping", damping_, {.help = "of the stiffness", .unit = "s", .min = 0});
  v.real("bending_stiffness", bending_stiffness_, {.help = "EI; 0: none", .unit = "N m^2", .min = 0});
  v.real("radius", radius_, {.help = "nodes touch other things as spheres of this radius", .unit = "m", .min = 0});
  v.flag("slack", slack_, {.help = "segments only pull"});
  v.texts("ends", ends_,
          {.help = "what the ends are tied to: bodies, particles, `world`, or `free`", .min_items = 2, .max_items = 2});
  v.text("material", material_, {.help = "a name from `materials`", .has_default = false});
  if (!v.reading()) return;
  const double distance = norm(to_ - from_);
  if (!(distance > 0)) v.refuse("to", "expected another point than `from`");
  if (length_ == 0) length_ = distance;
  constexpr double kSame = 1e-12;  // relative; a length given in digits is the distance but for rounding
  if (length_ < distance * (1 - kSame) && stiffness_ == 0)
    v.refuse("length",
             "an inextensible rope is at least as long as the distance of its ends, " + format_real(distance) + " m");
  if (length_ > distance * (1 + kSame) && !(norm(cross(sag_, to_ - from_)) > 0))
    v.refuse("sag", "expected a direction that is not along the rope");
  if (damping_ > 0 && stiffness_ == 0) v.refuse("damping", "an inextensible rope has none; give a stiffness");
}

std::vector<Vec3> Rope::nodes() const {
  const Vec3 across = to_ - from_;
  const double distance = norm(across), ratio = std::fmin(distance / length_, 1.0);
  const int n = segments_;
  std::vector<Vec3> out;
  double low = 0, high = std::acos(-1.0) / n;
  for (int k = 0; k < 100; ++k) {  // bisection to rounding
    const double a = 0.5 * (low + high);
    (std::sin(n * a) > ratio * n * std::sin(a) ? low : high) = a;
  }
  constexpr double kStraight = 1e-8;  // half angle of a segment below which the arc is a line to rounding
  const double a = 0.5 * (low + high);
  const Vec3 along = across / distance;
  for (int i = 0; i <= n; ++i) {
    if (n == 1 || a < kStraight) {
      out.push_back(from_ + (static_cast<double>(i) / n) * across);
      continue;
    }
    const Vec3 down = normalized(sag_ - dot(sag_, along) * along);
    const double radius = length_ / (2 * n * std::sin(a)), at = (2 * i - n) * a;
    out.push_back(0.5 * (from_ + to_) + radius * std::sin(at) * along +
                  radius * (std::cos(at) - std::cos(n * a)) * down);
  }
  return out;
}

void Rope::add_end(World& world, const std::string& to, int node, const char* which) const {
  const std::string particle = name_ + ":" + std::to_string(node);
  if (to == "world" || to == "free") return;
  const auto named = [&to](const auto& thing) { return thing.name == to; };
  if (std::none_of(world.bodies.begin(), world.bodies.end(), named) &&
      std::none_of(world.particles.begin(), world.particles.end(), named))
    throw InputError("ends: unknown body or particle '" + to + "'");
  JointDescription joint;
  joint.type = "ball";
  joint.name = name_ + "_" + which;
  joint.a = particle;
  joint.b = to;
  joint.anchor_a = joint.anchor_b = node == 0 ? from_ : to_;
  world.joints.push_back(std::move(joint));
}

void Rope::add_to(World& world) const {
  const std::vector<Vec3> x = nodes();
  const double l = length_ / segments_;
  for (int i = 0; i <= segments_; ++i) {
    ParticleDescription p;
    const bool first = i == 0, last = i == segments_;
    p.name = name_ + ":" + std::to_string(i);
    p.mass = linear_density_ * l * (first || last ? 0.5 : 1.0);
    p.radius = radius_;
    p.position = first ? from_ : (last ? to_ : x[i]);
    p.fixed = (first && ends_[0] == "world") || (last && ends_[1] == "world");
    p.material = material_;
    p.group = name_;
    world.particles.push_back(std::move(p));
  }
  world.no_collision.emplace_back(name_, name_);
  for (int i = 1; i <= segments_; ++i) {
    JointDescription segment;
    segment.type = "distance";
    segment.name = name_ + "_segment_" + std::to_string(i);
    segment.a = name_ + ":" + std::to_string(i - 1);
    segment.b = name_ + ":" + std::to_string(i);
    segment.anchor_a = x[i - 1];
    segment.anchor_b = x[i];
    segment.length = l;
    segment.side = slack_ ? "rope" : "both";
    if (stiffness_ > 0) segment.compliance = {l / stiffness_};
    if (damping_ > 0) segment.damping = {damping_ * stiffness_ / l};
    world.joints.push_back(std::move(segment));
  }
  for (int i = 1; i < segments_ && bending_stiffness_ > 0; ++i) {
    AttachmentDescription bend;
    bend.name = name_ + "_bend_" + std::to_string(i);
    bend.compliance = l * l * l / bending_stiffness_;
    for (const int k : {-1, 0, 1})
      bend.points.push_back({name_ + ":" + std::to_string(i + k), k == 0 ? -2.0 : 1.0, x[i + k]});
    world.attachments.push_back(std::move(bend));
  }
  add_end(world, ends_[0], 0, "start");
  add_end(world, ends_[1], segments_, "end");
}

}  // namespace clarke
