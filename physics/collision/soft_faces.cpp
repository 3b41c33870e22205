#include "physics/collision/soft_faces.hpp"

#include <algorithm>
#include <map>

namespace clarke {

std::vector<std::array<int, 6>> face_neighbours(const std::vector<std::array<int, 3>>& triangles) {
  std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> edges;  // triangle and its edge
  std::map<int, int> lowest;                                              // triangle at each corner
  const int count = static_cast<int>(triangles.size());
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const int from = triangles[t][k], to = triangles[t][(k + 1) % 3];
      edges[{std::min(from, to), std::max(from, to)}].push_back({t, k});
      lowest.try_emplace(from, t);
    }
  std::vector<std::array<int, 6>> out(triangles.size(), {-1, -1, -1, -1, -1, -1});
  for (const auto& [ends, sides] : edges) {
    if (sides.size() != 2) continue;
    const auto [t, k] = sides[0];
    const auto [u, l] = sides[1];
    if (triangles[t][k] == triangles[u][l]) continue;  // wound in opposite senses
    out[t][k] = u;
    out[u][l] = t;
  }
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) out[t][3 + k] = lowest.at(triangles[t][k]);
  return out;
}

void refresh_soft_faces(const ShapeSet& shapes, const Entities& entities, const State& state) {
  const ShapeSet s = shapes;
  const Entities& all = entities;
  const View<Vec3> x = state.x, u = state.u;
  parallel_for(
      "soft_faces", s.count - s.soft_begin,
      KOKKOS_LAMBDA(int i) {
        const int c = s.soft_begin + i, v = s.vertex_begin(c), f = s.face_begin(c);
        const FaceNodes nodes = s.soft_node(i);
        Vec3 middle{}, mean{}, velocity[3];
        for (int k = 0; k < 3; ++k) {
          velocity[k] = twist_of(nodes.node[k], all.block_of, all.prescribed, u).v;
          middle += x(nodes.node[k]) / 3.0;
          mean += velocity[k] / 3.0;
        }
        double reach2 = 0, spread2 = 0;
        for (int k = 0; k < 3; ++k) {
          const Vec3 arm = x(nodes.node[k]) - middle, off = velocity[k] - mean;
          s.vertex(v + k) = arm;
          if (norm2(arm) > reach2) reach2 = norm2(arm);
          if (norm2(off) > spread2) spread2 = norm2(off);
        }
        const Vec3 across = cross(s.vertex(v + 1) - s.vertex(v), s.vertex(v + 2) - s.vertex(v));
        const double length = norm(across);
        s.centre(c) = middle;
        s.radius(c) = std::sqrt(reach2);
        s.face_normal(f) = length > 0 ? across / length : Vec3{};
        s.face_area(f) = 0.5 * length;
        s.face_offset(f) = dot(s.face_normal(f), s.vertex(v));
        s.soft_velocity(i) = mean;
        s.soft_spread(i) = std::sqrt(spread2);
      },
      60);
}

}  // namespace clarke
