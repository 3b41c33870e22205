#pragma once
// What a material says of friction, as plain host data: the cone of its surface, the field that its axes follow, how
// the coefficient changes with the speed of sliding, and resistance to spinning and rolling. How two surfaces combine
// is in pairing.hpp.

#include "framework/math/vec3.hpp"

#include <array>
#include <string>
#include <vector>

namespace clarke {

/// Directions and coefficients over a surface, in the frame of its body, or of the mesh of a soft body at rest
/// [structure_field.hpp].
struct StructureDescription {
  enum class Kind { constant, radial, spiral, grid, vertices };
  enum class Projection { planar, cylindrical, triplanar, texture };
  Kind kind = Kind::constant;
  Vec3 direction{1, 0, 0};  // constant
  Vec3 centre{};            // [m] radial, spiral: a point of the axis; grid: the middle of the picture
  Vec3 axis{0, 0,
            1};      // radial, spiral: around which; grid: normal of the planar projection, axis of the cylindrical one
  double angle = 0;  // [rad] spiral: from the radial direction, right-handed about the axis
  // grid: samples row by row in +v, each row in +u; repeated beyond its edges
  Projection projection = Projection::planar;
  Vec3 u_axis{1, 0, 0};           // planar: along the rows of the picture
  double size_u = 1, size_v = 1;  // [m] of the picture; cylindrical: size_u is a full turn
  int columns = 0, rows = 0;
  std::vector<double> cosine, sine;  // direction cos u + sin v
  std::vector<double> factor;        // of all coefficients
  // Per vertex of a triangle mesh, node of a soft body or of a cloth.
  std::vector<double> texture_u, texture_v;  // grid with the projection `texture`: 0 to 1 over the picture
  std::vector<Vec3> vertex_direction;        // vertices: need not be of length one
  std::vector<double> vertex_factor;         // vertices: of all coefficients
  bool signless = true;  // s and −s mean the same: sampled between its points by the doubled angle
};

struct FrictionDescription {
  std::string cone = "isotropic";  // a registered friction cone
  /// Numbers of the cone, in the order of its kKeys; the isotropic coefficient is MaterialDescription::friction.
  std::array<double, 4> numbers{};
  StructureDescription structure;
  // static_kinetic.hpp
  double kinetic = 1;            // coefficient of fast sliding over that of rest
  double stribeck_speed = 0.01;  // [m/s]
  double viscous = 0;            // [s/m] of the coefficient, over that of rest
  // rolling_resistance.hpp
  double rolling = 0, torsional = 0;  // [m] largest moment over the normal force
};

}  // namespace clarke
