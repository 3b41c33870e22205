#pragma once
// Wedge: half a cuboid, cut along a diagonal. A right triangle in x and z, the right angle at the low end, along y.
//
//   volume ½ l w h,   centroid (l/3, 0, h/3) from the edge of the right angle

#include "physics/description/polyhedra/polyhedron.hpp"

namespace clarke {

struct Wedge {
  static constexpr const char* kName = "wedge";
  static constexpr const char* kSummary = "half a cuboid: rises against x, right-angled, along y";
  static constexpr std::array<PolyhedronKey, 3> kKeys{
      {{"length", "of the base, along x"}, {"width", "along y"}, {"height", "of the upright side, along z"}}};
  double length, width, height;  // [m]

  static Wedge of(const PolyhedronNumbers& k) { return {k[0], k[1], k[2]}; }
  std::vector<Vec3> corners() const {
    std::vector<Vec3> out;
    for (const double y : {-0.5 * width, 0.5 * width})
      for (const Vec3& p : {Vec3{0, y, 0}, Vec3{length, y, 0}, Vec3{0, y, height}}) out.push_back(p);
    return out;
  }
};

}  // namespace clarke
