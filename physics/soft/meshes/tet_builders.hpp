#pragma once
// Regular meshes of tetrahedra: one function per file of this folder. Lengths in m, own frame; all elements are
// positively oriented.
//
//   tet_ball     an icosahedron of 20 tetrahedra around the centre, each cut into n³, its layers pushed out to spheres
//   tet_torus    a disc of 6 n² triangles, extruded around the z axis; three tetrahedra per prism
//   tet_rod      the same disc, extruded along the x axis
//   tet_finger   bricks of a bar with chambers on top (PneuNet); five tetrahedra per brick
//
// Least quality (12 (3V)^(2/3)/Σ|edge|², tet_mesh.hpp; tests hold these floors): ball 0.45 for any n; torus 0.2 where
// the length of a segment at the outer side, 2π(R + r)/segments, is between a half and twice the thickness r/n of a
// layer; finger 0.3 where no edge of a brick is more than three times another.

#include "physics/description/tet_mesh.hpp"

namespace clarke {

/// radius > 0; layers ≥ 1: 20 layers³ elements.
TetMesh tet_ball(double radius, int layers);

/// ring_radius R > tube_radius r > 0; layers ≥ 1 in the tube, segments ≥ 3 around the ring: 18 layers² segments
/// elements.
TetMesh tet_torus(double ring_radius, double tube_radius, int layers, int segments);

/// A cylinder about the x axis, its middle at the origin: 18 layers² segments elements, segments ≥ 1 along it.
TetMesh tet_rod(double radius, double length, int layers, int segments);

/// A finger along x from 0, y centred, from z = 0 up: a base without gaps, and on it chambers with gaps between them.
/// Regions: `base`, `chambers` (what a pressure expands, so that the finger bends towards −z) and `layer`, the lowest
/// row of bricks of the base.
struct FingerShape {
  double length = 0.1, width = 0.02;
  double base_height = 0.005, chamber_height = 0.011;
  double gap = 0.1;  // share of a gap in the pitch of the chambers, between 0 and 1
  int chambers = 8;
  int chamber_cells = 2;  // bricks along each chamber
  int width_cells = 2, base_cells = 1, height_cells = 2;
};
TetMesh tet_finger(const FingerShape& shape);

}  // namespace clarke
