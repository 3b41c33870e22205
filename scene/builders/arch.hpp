#pragma once
// A self-supporting parabolic arch of voussoirs, held by contact and friction alone.
//
//   centre line   z(x) = z0 + rise (1 − (x / a)²),  a = span / 2,  x in [−a, a] about `position`          [m]
//   joints        at equal steps of x, normal to the centre line, `thickness` long; cut in the middle by it
//   springings    the first and the last joint are horizontal instead, at the height z0 of the ground; the thickness
//                 measured along them is thickness · sqrt(1 + s²) / |s| with the slope s = ∓4 rise / span there
//
// Stone i is the prism of `depth` along y between joints i−1 and i: 8 corners, of which neighbours share 4. All corners
// and centroids lie on a grid of 2^-40 m (1e-12 m), so that "centroid + corner" is exact in floating point and shared
// corners are equal to the last bit. A thrust line exists inside the stones only if they are thick enough; nothing here
// checks that. Refused: inner edges that cross (thickness above twice the radius of curvature at the crown).
//
// Masses: with 20 stones, span 8, rise 6, thickness 0.8, depth 1 m and density 100 kg/m³ from 32.01 to 96.38 kg,
// 1202.35 kg in all. Macklin et al. 2019 have masses from 15 to 110 kg; with rise 15.5 and density 46.25 these are 15.0
// to 109.9 kg.

#include "scene/builders/builder.hpp"

namespace clarke {

class Arch final : public Builder {
 public:
  const char* summary() const override { return "parabolic arch of dry voussoirs along x"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int stones_ = 20;
  double span_ = 8, rise_ = 6, thickness_ = 0.8, depth_ = 1;  // [m]
  std::optional<double> density_;                             // [kg/m^3]; that of the material when absent
  Vec3 position_{};                                           // [m] of the middle of the springing line
  std::string material_, name_ = "stone";
};

}  // namespace clarke
