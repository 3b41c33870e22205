#pragma once
// One picture of the model for files and observers: plain host data, so that postprocess/ needs no solver.

#include "framework/math/quat.hpp"

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace clarke {

/// A polygonal surface in the frame of its body, given once per run. Spheres and planes come tessellated.
struct Surface {
  std::vector<Vec3> points;                // [m]
  std::vector<std::vector<int>> polygons;  // outward orientation
  // Where the surface has a friction cone or a field (physics/friction/): per polygon, at its middle.
  std::vector<Vec3>
      structure{};  // direction of the grain, a unit vector in the polygon's plane; zero where there is none
  std::vector<Vec3> friction{};  // coefficients along and across it, and against it
};

struct FrameBody {
  std::string name;
  int surface = -1;  // index into Frame surfaces; -1: none
  Vec3 position{};   // [m]
  Quat orientation{};
  Vec3 velocity{}, angular_velocity{};  // [m/s], [rad/s]
  double mass = 0;                      // [kg]; 0 for static bodies
};

struct FrameParticle {
  std::string name;
  double radius = 0, mass = 0;
  Vec3 position{}, velocity{};
  bool node = false;  // of a soft body, which shows it
};

enum class ContactStatus { open = 0, stick = 1, slip = 2 };

struct FrameContact {
  Vec3 point{};           // [m] midway between the two surfaces
  Vec3 normal{};          // from b to a
  Vec3 normal_force{};    // [N] on a
  Vec3 friction_force{};  // [N] on a
  Vec3 slip_velocity{};   // [m/s] of a against b, tangential
  double gap = 0;         // [m]
  /// [m] how deep the solids of its two entities overlap at the poses of the frame; NaN where nobody has looked.
  double geometric_penetration = std::numeric_limits<double>::quiet_NaN();
  double cone_usage = 0;    // |λ_f| / (μ λ_n), 0 when open
  double residual = 0;      // natural map [N s]
  Vec3 axis_1{}, axis_2{};  // principal axes of the friction cone, as long as the coefficient along them
  ContactStatus status = ContactStatus::open;
  int body_a = 0, body_b = 0;  // entity indices
  long long id = 0;
};

/// Two solids that overlap at the poses of the frame, whether there is a contact between them or not.
struct FrameOverlap {
  std::string where;  // "a/b"
  double depth = 0;   // [m]
};

/// A joint at the end of a step. Forces are the mean over the step.
struct FrameJoint {
  std::string name, type;
  int body_a = -1, body_b = -1;  // entity indices; -1 is the world
  Vec3 point{};                  // [m] the anchor on a
  Vec3 axis{};                   // world frame; zero where the joint has none
  Vec3 force{};                  // [N] on a, of all rows of the joint
  Vec3 torque{};                 // [N m] on a about `point`
  double violation = 0;          // [m or rad] largest violation of its bilateral rows, compliance accounted for
  // per coordinate (0, 1 or 2 of them): angle [rad] or displacement [m], its rate, and the effort [N m or N] of
  // drives, limits, friction and prescribed motion along it
  std::vector<double> coordinate, rate, effort;
};

/// A soft body or a cloth: nodes and elements, with what they say of its deformation.
struct FrameSoft {
  std::string name;
  std::vector<Vec3> position, displacement, velocity;  // per node [m], [m], [m/s]
  std::vector<std::array<int, 4>> tetrahedra;
  std::vector<std::array<int, 3>> triangles;  // of a cloth: elements too, after the tetrahedra
  std::vector<double> volumetric_strain;      // per element: det F − 1; of a triangle the strain of its area
  std::vector<double> von_mises;              // [Pa] of the Cauchy stress
  std::vector<double> quality;                // 1 regular, 0 flat, negative inverted
  // per node of a surface that has a friction cone or a field: as in Surface, carried by the deformation; no grain
  // inside
  std::vector<Vec3> structure, friction;
};

/// A closed surface and the pressure inside of it.
struct FrameVolume {
  std::string name;
  double volume = 0;    // [m³]
  double pressure = 0;  // [Pa] above the pressure outside
};

struct Frame {
  int index = 0;  // 0 is the initial state
  double time = 0;
  std::vector<FrameBody> bodies;
  std::vector<FrameParticle> particles;  // nodes of soft bodies too
  std::vector<FrameSoft> softs;
  std::vector<FrameContact> contacts;
  std::vector<FrameOverlap> overlaps;  // the deepest first; none where nobody has looked
  std::vector<FrameVolume> volumes;    // in the order of the model
  std::vector<FrameJoint> joints;      // in the order of the model, also in frame 0 (there without forces)
};

}  // namespace clarke
