#pragma once
// What a scene consists of, as plain host data: the hand-over from whoever describes a model (scene reader, builder,
// test) to the simulation. SI units, world frame, z up. Nothing here refers to a solver.

#include "framework/math/quat.hpp"
#include "framework/time_function.hpp"
#include "physics/description/attachment_description.hpp"
#include "physics/description/cloth_description.hpp"
#include "physics/description/friction_description.hpp"
#include "physics/description/soft_description.hpp"
#include "physics/description/volume_description.hpp"

#include <array>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clarke {

struct ShapeChild;

/// One shape in its own frame. `compound` children carry their own pose.
struct ShapeDescription {
  enum class Kind { none, sphere, box, plane, convex, compound, capsule, cylinder, height_field, mesh };
  Kind kind = Kind::none;    // none: no contact, no surface
  double radius = 0;         // [m] sphere, capsule, cylinder
  double half_height = 0;    // [m] capsule: half the length of its axis, without the caps; cylinder. The axis is z.
  Vec3 half{};               // [m] box half extents
  Vec3 normal{0, 0, 1};      // plane: unit outward normal; solid where normal·x < offset
  double offset = 0;         // [m] plane
  std::vector<Vec3> points;  // [m] convex: points whose hull is the shape, body frame as given by the user
  /// convex: where given, of four `points` each; volume, centre and inertia are theirs and not those of the hull.
  std::vector<std::array<int, 4>> tetrahedra;
  std::vector<ShapeChild> children;           // compound: spheres, capsules, cylinders, boxes and convex shapes
  std::vector<std::array<int, 3>> triangles;  // mesh: corners among `points`, counter-clockwise seen from outside
  // height_field: heights z [m] over a grid in x (columns) and y (rows), row by row, centred on the origin; solid below
  int columns = 0, rows = 0;
  double spacing_x = 1, spacing_y = 1;  // [m]
  std::vector<double> heights;
};

/// A part of a compound shape, placed in the frame of the whole.
struct ShapeChild {
  ShapeDescription shape;
  Vec3 position{};  // [m]
  Quat orientation{};
};

struct MaterialDescription {
  double density = 1000;   // [kg/m^3]
  double friction = 0.5;   // Coulomb coefficient μ of a pair of equal materials
  double restitution = 0;  // e of a pair of equal materials; needs an integrator at velocity level
  // Compliant contact: of a pair of equal materials, like friction; two different ones act in series (compliance.hpp).
  double contact_stiffness = std::numeric_limits<double>::infinity();   // k_n [N/m] per contact point
  double contact_damping = 0;                                           // d_n [N s/m] beside k_n
  double friction_stiffness = std::numeric_limits<double>::infinity();  // k_f, see compliance.hpp for its unit
  FrictionDescription surface{};  // cones beyond the disc of `friction`, and what else friction may be
};

enum class Motion { dynamic, fixed, prescribed };

struct BodyDescription {
  std::string name;
  ShapeDescription shape;
  Motion motion = Motion::dynamic;  // prescribed: keeps `velocity` and `angular_velocity` for ever
  std::optional<double> mass;       // [kg]; from the material's density and the shape when absent
  std::optional<Vec3> inertia;      // [kg m^2] Ixx, Iyy, Izz in the body frame; from the shape when absent
  Vec3 inertia_products{};          // [kg m^2] Ixy, Ixz, Iyz in the body frame, with `inertia`
  Vec3 position{};                  // [m] of the centre of mass
  Quat orientation{};
  Vec3 velocity{};                   // [m/s] of the centre of mass
  Vec3 angular_velocity{};           // [rad/s] world frame
  std::string material;              // "" is the default material
  double thickness = 0;              // [m] the surface is this far outside the shape
  std::vector<Vec3> contact_points;  // [m] body frame: where given, only these points touch planes
  std::string group;                 // for collision filters; "" is in no group
};

struct ParticleDescription {
  std::string name;
  double mass = 1;          // [kg]
  double radius = 0;        // [m] touches others as a sphere of this radius
  Vec3 position{};          // [m]
  Vec3 velocity{};          // [m/s]
  double mass_damping = 0;  // Rayleigh's alpha [1/s]
  std::string material;
  bool fixed = false;
  std::string group;     // for collision filters; "" is in no group
  bool collides = true;  // false: touches nothing, as a node inside a soft body
};

/// Triangles of particles that touch other things as a surface: that of a soft body or of a cloth. The particles
/// themselves have collides = false.
struct SurfaceDescription {
  std::string name;
  std::vector<std::array<int, 3>> triangles;  // in World::particles, counter-clockwise seen from outside
  double thickness = 0;                       // [m] the surface is this far outside the triangles
  bool two_sided = false;                     // outside is on both sides, as of a cloth
};

/// What acts along one coordinate of a joint: the angle θ [rad] of a about its axis relative to b, or the displacement
/// s [m] of a along its axis relative to b. Units below are of the angle | of the displacement.
struct CoordinateDescription {
  double start = 0;  // value of the coordinate in the configuration the scene gives [rad | m]

  // limits: unilateral rows
  std::optional<double> lower, upper;  // [rad | m]
  double limit_compliance = 0;         // [rad/(N m) | m/N]; 0 is rigid
  double limit_damping = 0;            // [N m s/rad | N s/m]; of a compliant limit

  // drive: τ = k (target − θ⁺) + d (rate − θ̇⁺), |τ| ≤ effort; k = 0 is a velocity motor, d infinite an ideal one
  bool driven = false;
  double drive_stiffness = 0;  // k [N m/rad | N/m]; infinite: holds the target as long as the effort allows
  double drive_damping = 0;    // d [N m s/rad | N s/m]; infinite with k = 0
  TimeFunction target, rate;   // [rad | m], [rad/s | m/s]
  double effort = std::numeric_limits<double>::infinity();  // [N m | N] largest |τ|

  // joint friction
  double friction_dry = 0;      // [N m | N] largest force of dry friction
  double friction_viscous = 0;  // [N m s/rad | N s/m]

  std::optional<TimeFunction> motion;  // prescribed: the coordinate is this function of time [rad | m]
};

struct JointDescription {
  std::string type;  // registered constraint, e.g. "ball", "hinge"
  std::string name;
  std::string a, b;    // names of bodies or particles; "world" is the fixed frame
  Vec3 anchor_a{};     // [m] world frame at the start, on a
  Vec3 anchor_b{};     // [m] world frame at the start, on b (equal to anchor_a where the joint fits)
  Vec3 axis{0, 0, 1};  // world frame at the start: hinge, slider, cylindrical; normal of the plane and direction of the
                       // line, carried by b; first axis of a universal joint, carried by b
  Vec3 axis_2{1, 0, 0};          // universal: second axis, carried by a, at right angles to the first
  std::optional<double> length;  // [m] distance: rest length; the initial distance when absent
  std::string side = "both";     // distance: both, rope (never longer), strut (never shorter)

  // Per row of the joint, in the order the element's file states; one entry holds for all rows, none means 0.
  std::vector<double> compliance;    // [m/N | rad/(N m)]; 0 is rigid
  std::vector<double> damping;       // [N s/m | N m s/rad]; of compliant rows
  std::vector<double> rest;          // [m | rad] value of the row's violation at which it rests
  std::vector<TimeFunction> motion;  // pin: three functions of time, the displacement of the held point [m]

  // gear: coordinate `index` of joint_1 = ratio · coordinate of joint_2 + offset
  std::string joint_1, joint_2;
  int coordinate_1 = 0, coordinate_2 = 0;  // 0 or 1: which coordinate of those joints
  double ratio = 1;
  std::optional<double> offset;  // [rad | m]; what holds at the start when absent

  std::vector<CoordinateDescription>
      coordinates;       // those of the type, in its order (physics/constraints/joint_traits.hpp)
  bool collide = false;  // the two ends may touch each other
};

/// A force and a torque that act on a body or particle as functions of time.
struct LoadDescription {
  std::string name;
  std::string body;
  VectorFunction force;     // [N]
  VectorFunction torque;    // [N m]; not on particles
  Vec3 point{};             // [m] body frame, relative to the centre of mass: where the force acts
  bool body_frame = false;  // force and torque turn with the body
};

/// A whole model.
struct World {
  std::string name = "scene";
  VectorFunction gravity = Vec3{0, 0, -9.81};  // [m/s^2]
  std::map<std::string, MaterialDescription> materials;
  std::vector<BodyDescription> bodies;
  std::vector<ParticleDescription> particles;
  std::vector<SoftDescription> softs;  // their nodes are among the particles; see add_soft_body()
  std::vector<SurfaceDescription> surfaces;
  std::vector<ClothDescription> cloths;    // likewise; see add_cloth()
  std::vector<VolumeDescription> volumes;  // see add_volume()
  std::vector<JointDescription> joints;
  std::vector<AttachmentDescription> attachments;
  std::vector<LoadDescription> loads;
  /// Pairs that never touch: names of bodies, particles or groups; a group with itself means its members.
  std::vector<std::pair<std::string, std::string>> no_collision;
};

}  // namespace clarke
