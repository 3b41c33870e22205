// A ball. A corner (i, j, k), 0 ≤ k ≤ j ≤ i ≤ n, of a sector with the corners a, b, c of the icosahedron lies in
// direction (i − j) a + (j − k) b + k c at the distance i/n of the radius. Cubes of such corners are cut into six
// tetrahedra along (0,0,0)-(1,1,1) [Freudenthal 1942]; those inside the sector fill it, and neighbouring sectors have
// the same triangles.

#include "physics/soft/meshes/tet_builders.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {
namespace {

/// Directions of the corners of an icosahedron; faces counter-clockwise seen from outside.
const Vec3* corners() {
  static const double g = 0.5 * (1 + std::sqrt(5.0));
  static const Vec3 c[12] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                             {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  return c;
}
constexpr int kFaces[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                               {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                               {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};

/// How much of each of the 12 corners: what names a node, whichever sector asks.
using Weights = std::map<int, int>;

}  // namespace

TetMesh tet_ball(double radius, int layers) {
  TetMesh mesh;
  std::map<Weights, int> numbers;
  const auto node = [&](const int(&face)[3], const std::array<int, 3>& p) {
    const int weight[3] = {p[0] - p[1], p[1] - p[2], p[2]};
    Weights key;
    Vec3 direction{};
    for (int c = 0; c < 3; ++c)
      if (weight[c] > 0) key[face[c]] = weight[c];
    // In the order of the corners, not of this sector's, so that all sectors that share a node would place it alike.
    for (const auto& [corner, w] : key) direction += static_cast<double>(w) * corners()[corner];
    const auto [place, fresh] = numbers.try_emplace(key, static_cast<int>(mesh.nodes.size()));
    if (fresh) mesh.nodes.push_back(p[0] == 0 ? Vec3{} : radius * p[0] / layers * normalized(direction));
    return place->second;
  };
  for (const auto& face : kFaces)
    for (int i = 0; i < layers; ++i)
      for (int j = 0; j <= i; ++j)
        for (int k = 0; k <= j; ++k) {
          std::array<int, 3> order{0, 1, 2};
          do {
            std::array<int, 3> p{i, j, k};
            std::array<int, 4> tet{};
            bool inside = true;
            for (int c = 0; c < 4 && inside; ++c) {
              inside = p[0] >= p[1] && p[1] >= p[2];
              if (inside) tet[c] = node(face, p);
              if (c < 3) ++p[order[c]];
            }
            if (!inside) continue;
            const auto& x = mesh.nodes;
            if (tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[2], tet[3]);
            mesh.tetrahedra.push_back(tet);
          } while (std::next_permutation(order.begin(), order.end()));
        }
  drop_unreferenced_nodes(mesh);
  return mesh;
}

}  // namespace clarke
