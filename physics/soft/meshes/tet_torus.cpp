// A torus and a rod. The section is a hexagon of 6 n² triangles whose rings are pushed out to circles; a prism between
// two sections with the corners a < b < c becomes (a b c c'), (a b b' c'), (a a' b' c'), so the diagonal of each side
// goes from its lower number, and neighbours agree.

#include "physics/soft/meshes/tet_builders.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace clarke {
namespace {

struct Section {
  std::vector<std::array<double, 2>> points;  // of the unit disc
  std::vector<std::array<int, 3>> triangles;
};

/// Ring k has 6 k points; point 0 is the centre.
Section disc(int layers) {
  Section out;
  out.points.push_back({0, 0});
  for (int ring = 1; ring <= layers; ++ring)
    for (int p = 0; p < 6 * ring; ++p) {
      const double angle = std::numbers::pi / 3 * p / ring, r = static_cast<double>(ring) / layers;
      out.points.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
  const auto number = [](int ring, int p) { return ring == 0 ? 0 : 3 * ring * (ring - 1) + 1 + p % (6 * ring); };
  for (int ring = 1; ring <= layers; ++ring)
    for (int side = 0; side < 6; ++side)
      for (int p = 0; p < ring; ++p) {
        const int outer = side * ring + p, inner = side * (ring - 1) + p;
        out.triangles.push_back({number(ring - 1, inner), number(ring, outer), number(ring, outer + 1)});
        if (p + 1 < ring)
          out.triangles.push_back({number(ring - 1, inner), number(ring, outer + 1), number(ring - 1, inner + 1)});
      }
  return out;
}

}  // namespace

namespace {

/// Prisms from section to section, of three tetrahedra each; `closed` joins the last to the first.
void add_prisms(TetMesh& mesh, const Section& section, int sections, bool closed) {
  const int count = static_cast<int>(section.points.size());
  for (int s = 0; s + (closed ? 0 : 1) < sections; ++s)
    for (std::array<int, 3> t : section.triangles) {
      std::sort(t.begin(), t.end());
      const auto here = [&](int k) { return s * count + t[k]; };
      const auto next = [&](int k) { return (s + 1) % sections * count + t[k]; };
      for (std::array<int, 4> tet :
           {std::array{here(0), here(1), here(2), next(2)}, std::array{here(0), here(1), next(1), next(2)},
            std::array{here(0), next(0), next(1), next(2)}}) {
        const auto& x = mesh.nodes;
        if (tet_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) < 0) std::swap(tet[2], tet[3]);
        mesh.tetrahedra.push_back(tet);
      }
    }
}

}  // namespace

TetMesh tet_rod(double radius, double length, int layers, int segments) {
  TetMesh mesh;
  const Section section = disc(layers);
  for (int s = 0; s <= segments; ++s)
    for (const auto& [y, z] : section.points)
      mesh.nodes.push_back({length * (static_cast<double>(s) / segments - 0.5), radius * y, radius * z});
  add_prisms(mesh, section, segments + 1, false);
  return mesh;
}

TetMesh tet_torus(double ring_radius, double tube_radius, int layers, int segments) {
  TetMesh mesh;
  const Section section = disc(layers);
  for (int s = 0; s < segments; ++s) {
    const double angle = 2 * std::numbers::pi * s / segments;
    for (const auto& [x, y] : section.points) {
      const double r = ring_radius + tube_radius * x;
      mesh.nodes.push_back({r * std::cos(angle), r * std::sin(angle), tube_radius * y});
    }
  }
  add_prisms(mesh, section, segments, true);
  return mesh;
}

}  // namespace clarke
