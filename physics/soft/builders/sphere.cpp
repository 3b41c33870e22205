#include "physics/soft/builders/sphere.hpp"

namespace clarke {

TetMesh tet_sphere(double radius, int cells) {
  TetMesh mesh = tet_box({-1, -1, -1}, {1, 1, 1}, cells, cells, cells);
  for (Vec3& p : mesh.nodes) {
    const double x = p.x * p.x, y = p.y * p.y, z = p.z * p.z;
    const auto share = [](double a, double b) { return std::sqrt(1 - a / 2 - b / 2 + a * b / 3); };
    p = radius * Vec3{p.x * share(y, z), p.y * share(x, z), p.z * share(x, y)};
  }
  return mesh;
}

}  // namespace clarke
