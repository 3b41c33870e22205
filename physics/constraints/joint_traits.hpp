#pragma once
// What a type of joint is to a scene, to sensors and to rows along its coordinates. The element says it (kTraits in its
// own file; none: two ends, an anchor, no axis); everybody else asks here by the name of the type.

#include <array>
#include <string>

namespace clarke {

/// A coordinate of a joint: the angle of a about an axis, or its displacement along it, relative to b.
struct CoordinateTraits {
  const char* key = "";      // under which a scene gives its limits, drive, …; "": among the keys of the joint
  const char* help = "";     // of that key
  bool angle = true;         // else a displacement
  bool second_axis = false;  // about axis_2, which a carries; else about `axis`, which b carries
};

/// Which keys a scene has for a joint.
enum class JointKeys {
  anchored,  // bodies, an anchor on each, axes
  pin,       // one body, held in the world
  distance,  // bodies, points on them that need not coincide, a length
  gear       // two joints
};

struct JointTraits {
  JointKeys keys = JointKeys::anchored;
  int axes = 0;  // `axis`, `axis_2`
  const char* axis_help = "carried by b, world frame at the start";
  int coordinates = 0;
  std::array<CoordinateTraits, 2> coordinate{};
  // Taken from the element itself.
  std::string help{};
  int rows = 0;           // 0: not known
  bool particles = true;  // its ends may be particles
};

/// Of a registered type; of an unknown one what a ball has.
const JointTraits& joint_traits(const std::string& type);
void add_joint_traits(const std::string& type, JointTraits traits);

/// Those of element E, whose summary says what it does and, behind a semicolon, how many rows it has.
template <class E>
JointTraits joint_traits_of() {
  JointTraits out;
  if constexpr (requires { E::kTraits; }) out = E::kTraits;
  out.help = std::string(E::kSummary).substr(0, std::string(E::kSummary).find(';'));
  out.rows = E::kRows;
  out.particles = !E::kNeedsOrientation;
  return out;
}

}  // namespace clarke
