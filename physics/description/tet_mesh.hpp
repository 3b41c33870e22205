#pragma once
// A mesh of tetrahedra: nodes and four node numbers per element, positively oriented; regular builders; what can be
// wrong with one.
//
//   volume of (a, b, c, d)   V = (x_b − x_a) · ((x_c − x_a) × (x_d − x_a)) / 6 > 0
//   quality                  q = 12 (3 V)^(2/3) / Σ |edge|²: 1 for a regular tetrahedron, 0 for a flat one
//   regular builders         every cube of a grid becomes five tetrahedra, mirrored cube by cube so that faces match

#include "framework/math/mat3.hpp"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clarke {

struct TetMesh {
  std::vector<Vec3> nodes;  // [m]
  std::vector<std::array<int, 4>> tetrahedra;
  std::map<std::string, std::vector<int>> regions;  // named sets of elements; they may overlap
};

KOKKOS_INLINE_FUNCTION double tet_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return dot(b - a, cross(c - a, d - a)) / 6;
}
KOKKOS_INLINE_FUNCTION double tet_quality(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const double edges = norm2(b - a) + norm2(c - a) + norm2(d - a) + norm2(c - b) + norm2(d - b) + norm2(d - c);
  const double volume = tet_volume(a, b, c, d), size = std::cbrt(3 * std::fabs(volume));
  return edges > 0 ? (volume < 0 ? -12 : 12) * size * size / edges : 0;
}

/// A box of nx × ny × nz cubes or bricks between `low` and `high`; five tetrahedra each.
TetMesh tet_box(const Vec3& low, const Vec3& high, int nx, int ny, int nz);

/// Bricks between the planes x = xs[i], y = ys[j], z = zs[k] (ascending), five tetrahedra each; only those for which
/// keep(i, j, k). `brick`, where given, gets the brick (i, j, k) of each element.
TetMesh tet_grid(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
                 const std::function<bool(int, int, int)>& keep, std::vector<std::array<int, 3>>* brick = nullptr);

/// Least quality of all elements; below zero where one is inverted.
double least_quality(const TetMesh& mesh);

/// Removes nodes that no element uses; the others keep their order. Returns how many.
int drop_unreferenced_nodes(TetMesh& mesh);

/// Throws InputError naming `owner` and the first node or element (from 0) that is wrong: a node number out of range,
/// an element that is inverted or flat (quality below 1e-6), a node that is not finite, that no element uses, or that
/// is there twice.
void check_tet_mesh(const TetMesh& mesh, const std::string& owner);

}  // namespace clarke
