// What acts along the coordinates of a joint: limits, drives, friction and prescribed motion.

#include "framework/text.hpp"
#include "scene/reader/scene_joint.hpp"

#include <cmath>
#include <limits>

namespace clarke {
namespace {

/// SI units of one coordinate.
struct CoordinateUnits {
  const char *value, *rate, *effort, *compliance, *stiffness, *damping;
};
constexpr CoordinateUnits kAngle = {"rad", "rad/s", "N m", "rad/(N m)", "N m/rad", "N m s/rad"};
constexpr CoordinateUnits kDisplacement = {"m", "m/s", "N", "m/N", "N/m", "N s/m"};

void describe_limits(SceneVisitor& v, CoordinateDescription& c, const CoordinateUnits& units) {
  v.optional_real("lower", c.lower, {.unit = units.value});
  v.optional_real("upper", c.upper, {.unit = units.value});
  v.real("compliance", c.limit_compliance, {.help = "0 is rigid", .unit = units.compliance, .min = 0});
  v.real("damping", c.limit_damping, {.help = "of a compliant limit", .unit = units.damping, .min = 0});
  if (!v.reading()) return;
  if (!c.lower && !c.upper) v.refuse("", "expected `lower`, `upper`, or both");
  if (c.lower && c.upper && *c.lower > *c.upper)
    v.refuse("lower", "expected at most `upper`, which is " + format_real(*c.upper) + ", got " + format_real(*c.lower));
  if (c.limit_damping > 0 && c.limit_compliance == 0)
    v.refuse("damping", "a rigid limit has no damping; give a compliance");
}

/// A number of at least 0, or the word `infinite`; 0 when it is not there.
double gain(SceneVisitor& v, const char* key, const char* help, const char* unit) {
  std::string word;
  std::optional<double> number;
  const bool given =
      v.choice_or_real(key, word, number, {"infinite"}, {.help = help, .unit = unit, .min = 0, .has_default = false});
  if (!given) return 0;
  return number ? *number : std::numeric_limits<double>::infinity();
}

void describe_drive(SceneVisitor& v, CoordinateDescription& c, const CoordinateUnits& units) {
  c.driven = true;
  c.drive_stiffness =
      gain(v, "stiffness", "holds the target; `infinite`: as long as the effort allows", units.stiffness);
  c.drive_damping =
      gain(v, "damping", "holds the rate; alone it is a velocity motor, an ideal one if `infinite`", units.damping);
  const bool has_target = v.time_function("target", c.target, {.help = "of the coordinate", .unit = units.value});
  const bool has_rate = v.time_function("rate", c.rate, {.help = "of the coordinate", .unit = units.rate});
  v.real("effort", c.effort,
         {.help = "the drive gives no more; default: without limit",
          .unit = units.effort,
          .min = 0,
          .open_min = true,
          .has_default = false});
  if (!v.reading()) return;

  if (c.drive_stiffness == 0 && c.drive_damping == 0) v.refuse("", "a drive has a stiffness, a damping, or both");
  if (std::isinf(c.drive_damping) && c.drive_stiffness > 0)
    v.refuse("damping", "can be infinite only without stiffness");
  if (std::isinf(c.drive_stiffness) && c.drive_damping > 0)
    v.refuse("damping", "has no effect beside an infinite stiffness");
  if (has_target && c.drive_stiffness == 0) v.refuse("target", "has no effect without `stiffness`");
  if (has_rate && c.drive_damping == 0) v.refuse("rate", "has no effect without `damping`");
}

void describe_friction(SceneVisitor& v, CoordinateDescription& c, const CoordinateUnits& units) {
  v.real("dry", c.friction_dry, {.help = "largest force of dry friction", .unit = units.effort, .min = 0});
  v.real("viscous", c.friction_viscous, {.unit = units.damping, .min = 0});
}

void check_start(SceneVisitor& v, const CoordinateDescription& c, const char* unit) {
  const bool low = c.lower && c.start < *c.lower, high = c.upper && c.start > *c.upper;
  if (!low && !high) return;
  v.refuse("start", "the coordinate starts at " + format_real(c.start) + " " + unit + ", " + (low ? "below" : "above") +
                        " its limit of " + format_real(low ? *c.lower : *c.upper) + " " + unit);
}

CoordinateDescription describe_coordinate(SceneVisitor& v, const CoordinateUnits& units) {
  CoordinateDescription c;
  v.real("start", c.start, {.help = "value of the coordinate in the configuration of the scene", .unit = units.value});
  v.object("limits", {.help = "between which the coordinate stays"},
           [&](SceneVisitor& l) { describe_limits(l, c, units); });
  v.object("drive", {.help = "a motor or spring along the coordinate"},
           [&](SceneVisitor& d) { describe_drive(d, c, units); });
  v.object("friction", {.help = "of the joint"}, [&](SceneVisitor& f) { describe_friction(f, c, units); });
  TimeFunction motion;
  const bool has_motion = v.time_function(
      "motion", motion, {.help = "the coordinate is this function of time", .unit = units.value, .has_default = false});
  if (!v.reading()) return c;
  if (has_motion) c.motion = motion;
  if (c.motion && c.driven) v.refuse("motion", "expected either `motion` or `drive`, not both");
  check_start(v, c, units.value);
  return c;
}

}  // namespace

void describe_coordinates(SceneVisitor& v, JointDescription& joint) {
  const auto under = [&](const char* key, const char* help, const CoordinateUnits& units) {
    CoordinateDescription c;
    v.object(key, {.help = help}, [&](SceneVisitor& o) { c = describe_coordinate(o, units); });
    joint.coordinates.push_back(c);
  };
  const JointTraits& traits = joint_traits(joint.type);
  for (int k = 0; k < traits.coordinates; ++k) {
    const CoordinateTraits& coordinate = traits.coordinate[k];
    const CoordinateUnits& units = coordinate.angle ? kAngle : kDisplacement;
    if (coordinate.key[0] == '\0')
      joint.coordinates.push_back(describe_coordinate(v, units));
    else
      under(coordinate.key, coordinate.help, units);
  }
}

}  // namespace clarke
