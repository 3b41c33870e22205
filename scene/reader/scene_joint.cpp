// Joints of a scene file: their ends, anchors, axes and rows. Coordinates and gears have files of their own.

#include "scene/reader/scene_joint.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/joints/constraint_type.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {
namespace {

// [relative to the coordinates] anchor and particle are the same point
constexpr double kSamePoint = 1e-9;
// cosine of the angle between two axes that count as being at right angles
constexpr double kRightAngle = 1e-6;

/// The names of the two ends and the key they come from.
struct JointEnds {
  const char* key = "bodies";
  std::vector<std::string> names;
};

struct JointAnchors {
  Vec3 common{};
  std::vector<Vec3> separate;
  bool has_common = false, has_separate = false;
};

/// Both ends exist, differ, are of a kind that the joint can hold, and at least one can move.
void check_ends(SceneVisitor& v, const SceneNames& names, const JointTraits& traits, const JointEnds& ends,
                JointDescription& joint) {
  for (const std::string& name : ends.names) {
    if (!names.taken(name)) {
      std::vector<std::string> known = names.things();
      known.emplace_back("world");
      v.refuse(ends.key, "unknown body or particle '" + name + "'" + suggestion(name, known));
    }
    if (names.particle(name) && !traits.particles)
      v.refuse(ends.key,
               "'" + name + "' is a particle, which has no orientation; a " + joint.type + " joint holds bodies");
  }
  joint.a = ends.names[0];
  joint.b = ends.names[1];
  if (joint.a == joint.b) v.refuse(ends.key, "expected two different bodies, got '" + joint.a + "' twice");
  if (!names.can_move(joint.a) && !names.can_move(joint.b))
    v.refuse(ends.key, "neither '" + joint.a + "' nor '" + joint.b + "' can move");
}

/// A particle has no extent and no orientation: only its own position can be an anchor.
void check_anchor(SceneVisitor& v, const SceneNames& names, const char* key, const std::string& name,
                  const Vec3& anchor) {
  const ParticleDescription* particle = names.particle(name);
  if (!particle) return;
  const double scale = std::max(1.0, norm(particle->position));
  if (norm(anchor - particle->position) > kSamePoint * scale)
    v.refuse(key, "the anchor on particle '" + name + "' must be its position");
}

std::optional<Vec3> position_of(const SceneNames& names, const std::string& name) {
  if (const BodyDescription* body = names.body(name)) return body->position;
  if (const ParticleDescription* particle = names.particle(name)) return particle->position;
  return std::nullopt;
}

void describe_ends(SceneVisitor& v, JointEnds& ends) {
  v.texts("bodies", ends.names,
          {.help = "the two ends a and b: names of bodies or particles, or `world` for the fixed "
                   "frame",
           .required = true,
           .min_items = 2,
           .max_items = 2});
}

void describe_separate_anchors(SceneVisitor& v, JointAnchors& anchors, const char* help) {
  anchors.has_separate = v.vectors("anchors", anchors.separate,
                                   {.help = help, .unit = "m", .has_default = false, .min_items = 2, .max_items = 2});
}

void describe_anchors(SceneVisitor& v, JointAnchors& anchors) {
  anchors.has_common =
      v.vector("anchor", anchors.common,
               {.help = "of both ends, world frame at the start; or `anchors`", .unit = "m", .has_default = false});
  describe_separate_anchors(v, anchors, "one point on each end, instead of `anchor`");
}

void set_anchors(SceneVisitor& v, const SceneNames& names, const JointAnchors& anchors, JointDescription& joint) {
  if (anchors.has_common && anchors.has_separate)
    v.refuse("anchors", "expected either `anchor` or `anchors`, not both");
  if (!anchors.has_common && !anchors.has_separate)
    v.refuse("anchor", "missing; it is required, or `anchors` with one point on each end");
  const char* const key = anchors.has_common ? "anchor" : "anchors";
  joint.anchor_a = anchors.has_common ? anchors.common : anchors.separate[0];
  joint.anchor_b = anchors.has_common ? anchors.common : anchors.separate[1];
  check_anchor(v, names, key, joint.a, joint.anchor_a);
  check_anchor(v, names, key, joint.b, joint.anchor_b);
}

void describe_axes(SceneVisitor& v, JointDescription& joint, const JointTraits& traits) {
  if (traits.axes >= 1) v.vector("axis", joint.axis, {.help = traits.axis_help, .required = true});
  if (traits.axes >= 2)
    v.vector("axis_2", joint.axis_2,
             {.help = "carried by a, at right angles to `axis`, world frame at the start", .required = true});
}

void set_axes(SceneVisitor& v, JointDescription& joint, const JointTraits& traits) {
  const auto make_unit = [&](const char* key, Vec3& axis) {
    if (!(norm2(axis) > 0)) v.refuse(key, "expected an axis that is not zero");
    axis = normalized(axis);
  };
  if (traits.axes >= 1) make_unit("axis", joint.axis);
  if (traits.axes < 2) return;
  make_unit("axis_2", joint.axis_2);
  const double cosine = dot(joint.axis, joint.axis_2);
  if (!(std::fabs(cosine) <= kRightAngle))
    v.refuse("axis_2", "expected an axis at right angles to `axis`; the cosine of the angle is " + format_real(cosine));
  joint.axis_2 = normalized(joint.axis_2 - cosine * joint.axis);
}

void describe_name(SceneVisitor& v, JointDescription& joint) {
  v.text("name", joint.name, {.help = "unique among joints", .required = true});
}

void describe_collide(SceneVisitor& v, JointDescription& joint) {
  v.flag("collide", joint.collide, {.help = "the two ends may touch each other"});
}

void describe_anchored(SceneVisitor& v, World& world, const SceneNames& names, const std::string& type) {
  const JointTraits& traits = joint_traits(type);
  JointDescription joint;
  JointEnds ends;
  JointAnchors anchors;
  joint.type = type;
  describe_name(v, joint);
  describe_ends(v, ends);
  describe_anchors(v, anchors);
  describe_axes(v, joint, traits);
  describe_rows(v, joint, traits.rows);
  describe_rest(v, joint, traits.rows);
  describe_coordinates(v, joint);
  describe_collide(v, joint);
  if (!v.reading()) return;

  check_joint_name(v, names, joint.name);
  check_ends(v, names, traits, ends, joint);
  set_anchors(v, names, anchors, joint);
  set_axes(v, joint, traits);
  check_rows(v, joint);
  world.joints.push_back(joint);
}

void describe_pin(SceneVisitor& v, World& world, const SceneNames& names, const std::string& type) {
  const JointTraits& traits = joint_traits(type);
  JointDescription joint;
  JointEnds ends{"body", {"", "world"}};
  JointAnchors anchors;
  VectorFunction motion;
  joint.type = type;
  describe_name(v, joint);
  v.text("body", ends.names[0], {.help = "a body or particle", .required = true});
  describe_anchors(v, anchors);
  describe_rows(v, joint, traits.rows);
  describe_rest(v, joint, traits.rows);
  const bool moves = v.time_vector("motion", motion, {.help = "displacement of the held point", .unit = "m"});
  if (!v.reading()) return;

  check_joint_name(v, names, joint.name);
  if (ends.names[0] == "world") v.refuse("body", "expected a body or particle, got 'world'");
  check_ends(v, names, traits, ends, joint);
  set_anchors(v, names, anchors, joint);
  check_rows(v, joint);
  if (moves) joint.motion = {motion.x, motion.y, motion.z};
  world.joints.push_back(joint);
}

void describe_distance(SceneVisitor& v, World& world, const SceneNames& names, const std::string& type) {
  const JointTraits& traits = joint_traits(type);
  JointDescription joint;
  JointEnds ends;
  JointAnchors anchors;
  joint.type = type;
  describe_name(v, joint);
  describe_ends(v, ends);
  describe_separate_anchors(v, anchors,
                            "one point on each end, world frame at the start; default: the positions of the ends");
  v.optional_real("length", joint.length,
                  {.help = "rest length; default: the distance at the start", .unit = "m", .min = 0, .open_min = true});
  v.choice("side", joint.side, {"both", "rope", "strut"},
           {.help = "a rope is never longer, a strut never shorter than its length"});
  describe_rows(v, joint, traits.rows);
  describe_rest(v, joint, traits.rows);
  describe_collide(v, joint);
  if (!v.reading()) return;

  check_joint_name(v, names, joint.name);
  check_ends(v, names, traits, ends, joint);
  if (!anchors.has_separate) {
    for (const std::string& name : {joint.a, joint.b}) {
      const std::optional<Vec3> position = position_of(names, name);
      if (!position) v.refuse("anchors", "required when one end is `world`");
      anchors.separate.push_back(*position);
    }
    anchors.has_separate = true;
  }
  set_anchors(v, names, anchors, joint);
  if (!(norm(joint.anchor_a - joint.anchor_b) > 0))
    v.refuse("anchors", "the two points coincide, so that the distance has no direction; expected a ball joint");
  check_rows(v, joint);
  world.joints.push_back(joint);
}

FieldInfo per_row(int rows, const char* help, const char* unit) {
  FieldInfo info;
  info.help = help;
  info.unit = unit;
  info.min_items = rows > 0 ? static_cast<std::size_t>(rows) : 1;
  if (rows > 0) info.max_items = info.min_items;
  return info;
}

}  // namespace

void check_joint_name(SceneVisitor& v, const SceneNames& names, const std::string& name) {
  if (names.joint(name)) v.refuse("name", "the name '" + name + "' is used twice");
}

void describe_rows(SceneVisitor& v, JointDescription& joint, int rows) {
  FieldInfo compliance = per_row(rows, "of all rows, or a list with one entry per row; 0 is rigid", "m/N or rad/(N m)");
  compliance.min = 0;
  v.real_or_list("compliance", joint.compliance, compliance);
  FieldInfo damping = per_row(rows, "of compliant rows, in the same form", "N s/m or N m s/rad");
  damping.min = 0;
  v.real_or_list("damping", joint.damping, damping);
}

void describe_rest(SceneVisitor& v, JointDescription& joint, int rows) {
  v.real_or_list("rest", joint.rest, per_row(rows, "violation at which a row rests, in the same form", "m or rad"));
}

void check_rows(SceneVisitor& v, const JointDescription& joint) {
  const auto entry = [](const std::vector<double>& list, std::size_t row) {
    return list.empty() ? 0.0 : list[list.size() == 1 ? 0 : row];
  };
  const std::size_t rows = std::max(joint.compliance.size(), joint.damping.size());
  for (std::size_t row = 0; row < rows; ++row) {
    if (entry(joint.damping, row) > 0 && entry(joint.compliance, row) == 0)
      v.refuse("damping", (rows > 1 ? "row " + std::to_string(row + 1) + ": " : std::string()) +
                              "a rigid row has no damping; give a compliance");
  }
}

std::vector<SceneVisitor::Alternative> joint_alternatives(Scene& scene, SceneNames& names,
                                                          const std::vector<std::string>& joint_types) {
  World& world = scene.world;
  std::vector<SceneVisitor::Alternative> alternatives;
  for (const std::string& type : joint_types) {
    const JointTraits& traits = joint_traits(type);
    alternatives.push_back({type, traits.help, [&scene, &world, &names, &traits, type](SceneVisitor& v) {
                              const std::size_t before = world.joints.size();
                              switch (traits.keys) {
                                case JointKeys::gear:
                                  describe_gear(v, world, names);
                                  break;
                                case JointKeys::pin:
                                  describe_pin(v, world, names, type);
                                  break;
                                case JointKeys::distance:
                                  describe_distance(v, world, names, type);
                                  break;
                                case JointKeys::anchored:
                                  describe_anchored(v, world, names, type);
                              }
                              names.take_in();
                              for (std::size_t i = before; i < world.joints.size(); ++i)
                                scene.places["joint '" + type + " " + world.joints[i].name + "'"] = v.where();
                            }});
  }
  return alternatives;
}

const std::vector<std::string>& default_joint_types() { return constraint_registry().names(); }

}  // namespace clarke
