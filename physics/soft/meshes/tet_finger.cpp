// A finger of a pneumatic gripper, of bricks. After Ilievski et al. 2011 (PneuNet): chambers in a row on a base whose
// lower side does not stretch; when they swell, the finger curls. The chambers are solid here (activation.hpp).

#include "physics/soft/meshes/tet_builders.hpp"

namespace clarke {

TetMesh tet_finger(const FingerShape& s) {
  std::vector<double> xs{0};
  std::vector<char> chamber;                             // per brick along x
  const double pitch = s.length / (s.chambers - s.gap);  // no gap after the last chamber
  for (int c = 0; c < s.chambers; ++c) {
    for (int i = 1; i <= s.chamber_cells; ++i) {
      xs.push_back(pitch * (c + (1 - s.gap) * i / s.chamber_cells));
      chamber.push_back(1);
    }
    if (c + 1 == s.chambers) break;
    xs.push_back(pitch * (c + 1));
    chamber.push_back(0);
  }
  std::vector<double> ys, zs;
  for (int j = 0; j <= s.width_cells; ++j) ys.push_back(s.width * (static_cast<double>(j) / s.width_cells - 0.5));
  for (int k = 0; k <= s.base_cells; ++k) zs.push_back(s.base_height * k / s.base_cells);
  for (int k = 1; k <= s.height_cells; ++k) zs.push_back(s.base_height + s.chamber_height * k / s.height_cells);
  std::vector<std::array<int, 3>> brick;
  TetMesh mesh = tet_grid(
      xs, ys, zs, [&](int i, int, int k) { return k < s.base_cells || chamber[i]; }, &brick);
  for (std::size_t e = 0; e < brick.size(); ++e) {
    const int k = brick[e][2], number = static_cast<int>(e);
    mesh.regions[k < s.base_cells ? "base" : "chambers"].push_back(number);
    if (k == 0) mesh.regions["layer"].push_back(number);
  }
  return mesh;
}

}  // namespace clarke
