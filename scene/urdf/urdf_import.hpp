#pragma once
// A robot in URDF as bodies, joints and filters of a World.
//
// Links. Links tied by fixed joints are one body, named after the link nearest to the root: masses, tensors and
// collision shapes are joined. With (m_i, c_i, I_i) of the links and R_i from the axes of I_i to those of the body,
//
//   m = Σ m_i     c = Σ m_i c_i / m     I = Σ R_i I_i R_iᵀ + m_i (|c_i − c|² 1 − (c_i − c)(c_i − c)ᵀ)
//
// The frame of the body has its origin at c and the axes of the <inertial> of the link that gives the name. A body that
// can move needs a mass above 0 and a positive definite I. Tensors that no body of positive density has (a principal
// moment above the sum of the other two) are used as they are, with a warning: many files in use have them, and the
// equations of motion only need I to be positive definite. With a fixed base the root is a static body.
//
// Joints. a is the child, b the parent, so that the coordinate is the file's; all bodies stand where the coordinates at
// the start put them.
//
//   revolute    hinge with limits        continuous   hinge              prismatic   slider with limits
//   fixed       one body, see above      floating     no joint           planar      refused
//   mimic       the coordinate's hinge or slider, and a gear: own = multiplier · other + offset
//   dynamics    friction → dry friction [N m | N], damping → viscous friction [N m s/rad | N s/m]
//   limit       lower, upper → limits; effort → default effort of a drive; velocity is not used (warning)
//
// Shapes: urdf_geometry.hpp. Visual shapes and colours are not read.

#include "physics/description/world.hpp"
#include "scene/urdf/urdf_file.hpp"

#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clarke {

/// Drive of one joint: what CoordinateDescription says of it.
struct RobotDrive {
  double stiffness = 0;                // [N m/rad | N/m]
  double damping = 0;                  // [N m s/rad | N s/m]
  std::optional<double> effort;        // [N m | N]; from the file when absent
  std::optional<TimeFunction> target;  // [rad | m]; the coordinate at the start when absent
};

/// What a scene says about one robot, besides its file.
struct RobotDescription {
  std::string name;   // prefix of bodies and joints, and their group
  std::string where;  // "file:line" of the scene, for messages
  bool fixed_base = true;
  Vec3 position{};  // [m] of the frame of the root link
  Quat orientation{};
  std::vector<std::string> mesh_folders;
  std::string material;
  std::map<std::string, double> start;       // [rad | m] by joint; 0 where absent
  std::map<std::string, RobotDrive> drives;  // by joint
  bool limits = true, friction = true;
  bool self_collision = false;
};

/// Adds the robot's bodies and joints to `world`. Throws InputError for what cannot be represented, with the place in
/// the URDF file, and for coordinates outside their limits, with that in the scene.
void add_robot(const UrdfFile& file, const RobotDescription& robot, World& world, UrdfWarnings& warnings);

}  // namespace clarke
