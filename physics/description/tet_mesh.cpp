#include "physics/description/tet_mesh.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <map>

namespace clarke {

TetMesh tet_box(const Vec3& low, const Vec3& high, int nx, int ny, int nz) {
  const auto planes = [](double from, double to, int bricks) {
    std::vector<double> out;
    for (int i = 0; i <= bricks; ++i) out.push_back(from + (to - from) * i / bricks);
    return out;
  };
  return tet_grid(planes(low.x, high.x, nx), planes(low.y, high.y, ny), planes(low.z, high.z, nz),
                  [](int, int, int) { return true; });
}

TetMesh tet_grid(const std::vector<double>& xs, const std::vector<double>& ys, const std::vector<double>& zs,
                 const std::function<bool(int, int, int)>& keep, std::vector<std::array<int, 3>>* brick) {
  const int nx = static_cast<int>(xs.size()) - 1, ny = static_cast<int>(ys.size()) - 1,
            nz = static_cast<int>(zs.size()) - 1;
  TetMesh mesh;
  const auto node = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  for (const double x : xs)
    for (const double y : ys)
      for (const double z : zs) mesh.nodes.push_back({x, y, z});
  // Corners of a cube as bits x, y, z; four tetrahedra cut off corners, the fifth is what remains.
  constexpr int kFive[5][4] = {{1, 0, 3, 5}, {2, 0, 6, 3}, {4, 0, 5, 6}, {7, 3, 6, 5}, {0, 3, 5, 6}};
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        if (!keep(i, j, k)) continue;
        for (const auto& five : kFive) {
          std::array<int, 4> tet{};
          for (int c = 0; c < 4; ++c) {
            const int corner = (i + j + k) % 2 == 0 ? five[c] : 7 - five[c];
            tet[c] = node(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2));
          }
          const auto& x = mesh.nodes;
          if (tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[2], tet[3]);
          mesh.tetrahedra.push_back(tet);
          if (brick) brick->push_back({i, j, k});
        }
      }
  drop_unreferenced_nodes(mesh);
  return mesh;
}

double least_quality(const TetMesh& mesh) {
  double least = 1;
  const auto& x = mesh.nodes;
  for (const std::array<int, 4>& t : mesh.tetrahedra)
    least = std::min(least, tet_quality(x[t[0]], x[t[1]], x[t[2]], x[t[3]]));
  return least;
}

int drop_unreferenced_nodes(TetMesh& mesh) {
  std::vector<int> number(mesh.nodes.size(), -1);
  for (const std::array<int, 4>& t : mesh.tetrahedra)
    for (const int n : t) number[n] = 0;
  std::vector<Vec3> kept;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    if (number[n] < 0) continue;
    number[n] = static_cast<int>(kept.size());
    kept.push_back(mesh.nodes[n]);
  }
  const int dropped = static_cast<int>(mesh.nodes.size() - kept.size());
  mesh.nodes = std::move(kept);
  for (std::array<int, 4>& t : mesh.tetrahedra)
    for (int& n : t) n = number[n];
  return dropped;
}

void check_tet_mesh(const TetMesh& mesh, const std::string& owner) {
  const int count = static_cast<int>(mesh.nodes.size());
  if (mesh.tetrahedra.empty()) throw InputError(owner + ": has no tetrahedra");
  std::map<std::array<double, 3>, int> places;
  for (int n = 0; n < count; ++n) {
    const Vec3& p = mesh.nodes[n];
    if (!(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)))
      throw InputError(owner + ": node " + std::to_string(n) + " is not finite");
    const auto [place, fresh] = places.try_emplace({p.x, p.y, p.z}, n);
    if (!fresh)
      throw InputError(owner + ": nodes " + std::to_string(place->second) + " and " + std::to_string(n) +
                       " are at the same place");
  }
  std::vector<char> used(count, 0);
  for (std::size_t e = 0; e < mesh.tetrahedra.size(); ++e) {
    const std::array<int, 4>& t = mesh.tetrahedra[e];
    const std::string element = owner + ": element " + std::to_string(e);
    for (const int n : t) {
      if (n < 0 || n >= count)
        throw InputError(element + " has node " + std::to_string(n) + " of " + std::to_string(count));
      used[n] = 1;
    }
    const auto& x = mesh.nodes;
    constexpr double kFlat = 1e-6;  // its stiffness would be 1e9 times that of a regular one
    const double quality = tet_quality(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
    if (quality < -kFlat) throw InputError(element + " is inverted: exchange two of its nodes");
    if (!(quality > kFlat)) throw InputError(element + " is flat");
  }
  const auto unused = std::find(used.begin(), used.end(), 0);
  if (unused != used.end())
    throw InputError(owner + ": node " + std::to_string(unused - used.begin()) + " belongs to no element");
}

}  // namespace clarke
