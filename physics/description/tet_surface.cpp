#include "physics/description/tet_surface.hpp"

#include <algorithm>
#include <map>

namespace clarke {

std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh) {
  static constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::map<std::array<int, 3>, int> elements;  // of each face
  const auto face_of = [](const std::array<int, 4>& t, int f) {
    return std::array<int, 3>{t[kFaces[f][0]], t[kFaces[f][1]], t[kFaces[f][2]]};
  };
  const auto sorted = [](std::array<int, 3> face) {
    std::sort(face.begin(), face.end());
    return face;
  };
  for (const std::array<int, 4>& t : mesh.tetrahedra)
    for (int f = 0; f < 4; ++f) ++elements[sorted(face_of(t, f))];
  std::vector<std::array<int, 3>> out;
  for (const std::array<int, 4>& t : mesh.tetrahedra)
    for (int f = 0; f < 4; ++f)
      if (elements.at(sorted(face_of(t, f))) == 1) out.push_back(face_of(t, f));
  return out;
}

std::vector<char> surface_nodes(const TetMesh& mesh) {
  std::vector<char> out(mesh.nodes.size(), 0);
  for (const std::array<int, 3>& face : surface_triangles(mesh))
    for (const int n : face) out[n] = 1;
  return out;
}

}  // namespace clarke
