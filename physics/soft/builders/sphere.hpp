#pragma once
// A ball of tetrahedra: a cube of cells, five tetrahedra each, rounded.
//
//   (x, y, z) in [−1, 1]³  →  R (x √(1 − y²/2 − z²/2 + y²z²/3), …, …)       shells of the cube become spheres
//
// The qualities (tet_mesh.hpp) are above 0.17 up to 10 cells. An even number of cells has a node in the middle. The volume is 3 %
// too small with 6 cells, 2 % with 8: the surface is inscribed.

#include "physics/soft/tet_mesh.hpp"

namespace clarke {

/// Of `radius` [m] around the origin, `cells` across; > 0.
TetMesh tet_sphere(double radius, int cells);

}  // namespace clarke
