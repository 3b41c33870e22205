#pragma once
// What a scene consists of, as plain host data: the hand-over from whoever describes a model (scene reader, builder, test)
// to the simulation. SI units, world frame, z up. Nothing here refers to a solver.

#include "framework/math/quat.hpp"

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clarke {

/// One shape in its own frame. `compound` children carry their own pose.
struct ShapeDescription {
  enum class Kind { none, sphere, box, plane, convex };
  Kind kind = Kind::none;  // none: no contact, no surface
  double radius = 0;       // [m] sphere
  Vec3 half{};             // [m] box half extents
  Vec3 normal{0, 0, 1};    // plane: unit outward normal; solid where normal·x < offset
  double offset = 0;       // [m] plane
  std::vector<Vec3> points;  // [m] convex: points whose hull is the shape, body frame as given by the user
};

struct MaterialDescription {
  double density = 1000;  // [kg/m^3]
  double friction = 0.5;  // Coulomb coefficient μ of a pair of equal materials
};

enum class Motion { dynamic, fixed, prescribed };

struct BodyDescription {
  std::string name;
  ShapeDescription shape;
  Motion motion = Motion::dynamic;  // prescribed: keeps `velocity` and `angular_velocity` for ever
  std::optional<double> mass;       // [kg]; from the material's density and the shape when absent
  std::optional<Vec3> inertia;      // [kg m^2] principal values in the body frame; from the shape when absent
  Vec3 position{};                  // [m] of the centre of mass
  Quat orientation{};
  Vec3 velocity{};                  // [m/s] of the centre of mass
  Vec3 angular_velocity{};          // [rad/s] world frame
  std::string material;             // "" is the default material
  double thickness = 0;             // [m] the surface is this far outside the shape
  std::vector<Vec3> contact_points; // [m] body frame: where given, only these points touch planes
};

struct ParticleDescription {
  std::string name;
  double mass = 1;    // [kg]
  double radius = 0;  // [m] touches others as a sphere of this radius
  Vec3 position{};    // [m]
  Vec3 velocity{};    // [m/s]
  std::string material;
  bool fixed = false;
};

struct JointDescription {
  std::string type;  // registered constraint, e.g. "ball", "distance"
  std::string name;
  std::string a, b;  // names of bodies or particles; "world" is the fixed frame
  Vec3 anchor_a{};   // [m] world frame at the start, on a
  Vec3 anchor_b{};   // [m] world frame at the start, on b (equal to anchor_a for a ball joint)
  double compliance = 0;         // [m/N]; 0 is rigid
  std::optional<double> length;  // [m] distance: rest length; the initial distance when absent
};

/// A whole model.
struct World {
  std::string name = "scene";
  Vec3 gravity{0, 0, -9.81};  // [m/s^2]
  std::map<std::string, MaterialDescription> materials;
  std::vector<BodyDescription> bodies;
  std::vector<ParticleDescription> particles;
  std::vector<JointDescription> joints;
};

}  // namespace clarke
