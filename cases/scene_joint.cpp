// Joints of a scene file.

#include "cases/scene_model.hpp"
#include "framework/error.hpp"
#include "framework/text.hpp"

#include <algorithm>

namespace clarke {
namespace {

constexpr double kSamePoint =
    1e-9;  // [relative to the coordinates] anchor and particle are the same point

struct JointEnds {
  std::vector<std::string> names;
};

/// Both ends exist, differ, and at least one can move.
void check_ends(SceneVisitor& v, const World& world, JointDescription& joint,
                const JointEnds& ends) {
  const SceneNames names(world);
  if (names.joint_taken(joint.name))
    v.refuse("name", "the name '" + joint.name + "' is used twice");
  std::vector<std::string> known = names.things();
  known.emplace_back("world");
  for (const std::string& name : ends.names) {
    if (!names.taken(name))
      v.refuse("bodies", "unknown body or particle '" + name + "'" + suggestion(name, known));
  }
  joint.a = ends.names[0];
  joint.b = ends.names[1];
  if (joint.a == joint.b)
    v.refuse("bodies", "expected two different bodies, got '" + joint.a + "' twice");
  if (!names.can_move(joint.a) && !names.can_move(joint.b))
    v.refuse("bodies", "neither '" + joint.a + "' nor '" + joint.b + "' can move");
}

/// A particle has no extent and no orientation: only its own position can be an anchor.
void check_anchor(SceneVisitor& v, const World& world, const char* key, const std::string& name,
                  const Vec3& anchor) {
  const ParticleDescription* particle = SceneNames(world).particle(name);
  if (!particle) return;
  const double scale = std::max(1.0, norm(particle->position));
  if (norm(anchor - particle->position) > kSamePoint * scale)
    v.refuse(key, "the anchor on particle '" + name + "' must be its position");
}

std::optional<Vec3> position_of(const World& world, const std::string& name) {
  const SceneNames names(world);
  if (const BodyDescription* body = names.body(name)) return body->position;
  if (const ParticleDescription* particle = names.particle(name)) return particle->position;
  return std::nullopt;
}

void describe_ends(SceneVisitor& v, JointDescription& joint, JointEnds& ends) {
  v.text("name", joint.name, {.help = "unique among joints", .required = true});
  v.texts("bodies", ends.names,
          {.help = "the two ends: names of bodies or particles, or `world` for the fixed frame",
           .required = true,
           .min_items = 2,
           .max_items = 2});
}

void describe_compliance(SceneVisitor& v, JointDescription& joint) {
  double compliance = 0;
  if (v.real("compliance", compliance, {.help = "0 is rigid", .unit = "m/N", .min = 0}))
    joint.compliance = {compliance};
}

void describe_anchored(SceneVisitor& v, World& world, const std::string& type) {
  JointDescription joint;
  JointEnds ends;
  joint.type = type;
  describe_ends(v, joint, ends);
  v.vector("anchor", joint.anchor_a,
           {.help = "world frame at the start", .unit = "m", .required = true});
  describe_compliance(v, joint);
  if (!v.reading()) return;

  check_ends(v, world, joint, ends);
  check_anchor(v, world, "anchor", joint.a, joint.anchor_a);
  check_anchor(v, world, "anchor", joint.b, joint.anchor_a);
  joint.anchor_b = joint.anchor_a;
  world.joints.push_back(joint);
}

void describe_distance(SceneVisitor& v, World& world) {
  JointDescription joint;
  JointEnds ends;
  std::vector<Vec3> anchors;
  joint.type = "distance";
  describe_ends(v, joint, ends);
  v.vectors(
      "anchors", anchors,
      {.help =
           "one point on each end, world frame at the start; default: the positions of the ends",
       .unit = "m",
       .has_default = false,
       .min_items = 2,
       .max_items = 2});
  v.optional_real("length", joint.length,
                  {.help = "rest length; default: the distance at the start",
                   .unit = "m",
                   .min = 0,
                   .open_min = true});
  describe_compliance(v, joint);
  if (!v.reading()) return;

  check_ends(v, world, joint, ends);
  if (anchors.empty()) {
    for (const std::string& name : {joint.a, joint.b}) {
      const std::optional<Vec3> position = position_of(world, name);
      if (!position) v.refuse("anchors", "required when one end is `world`");
      anchors.push_back(*position);
    }
  }
  joint.anchor_a = anchors[0];
  joint.anchor_b = anchors[1];
  check_anchor(v, world, "anchors", joint.a, joint.anchor_a);
  check_anchor(v, world, "anchors", joint.b, joint.anchor_b);
  if (!(norm(joint.anchor_a - joint.anchor_b) > 0))
    v.refuse(
        "anchors",
        "the two points coincide, so that the distance has no direction; expected a ball joint");
  world.joints.push_back(joint);
}

}  // namespace

std::vector<SceneVisitor::Alternative> joint_alternatives(
    World& world, const std::vector<std::string>& joint_types) {
  std::vector<SceneVisitor::Alternative> alternatives;
  for (const std::string& type : joint_types) {
    if (type == "distance") {
      alternatives.push_back({type, "two points keep their distance",
                              [&world](SceneVisitor& v) { describe_distance(v, world); }});
    } else {
      alternatives.push_back({type, "holds at one point", [&world, type](SceneVisitor& v) {
                                describe_anchored(v, world, type);
                              }});
    }
  }
  return alternatives;
}

}  // namespace clarke
