#pragma once
// Single pairs of shapes for tests of the narrow phase, and random polyhedra.

#include "framework/error.hpp"
#include "physics/collision/mass_properties.hpp"
#include "physics/collision/narrow_phase.hpp"

#include <algorithm>
#include <random>
#include <set>

namespace clarke::test {

/// Rounding of positions and gaps of bodies of size one near the origin.
inline constexpr double kRounding = 1e-14;
inline constexpr double kMargin = 0.01;  // [m]

/// The manifold of one pair with its points and poses.
struct PairManifold {
  PairManifold() = default;
  PairManifold(PairManifold&&) = default;  // m points into points: a move keeps that, a copy would not

  std::vector<ManifoldPoint> points = std::vector<ManifoldPoint>(kMaxManifold);
  Manifold m{points.data(), kMaxManifold};
  Pose a, b;

  int count() const { return m.count; }
  Vec3 normal() const { return m.normal; }
  double gap(int i) const { return gap_of(m, i, a, b); }
  double least_gap() const {
    double least = 1e300;
    for (int i = 0; i < count(); ++i) least = std::min(least, gap(i));
    return least;
  }
  Vec3 world_a(int i) const { return a.x + rotate(a.q, points[i].point_a); }
  Vec3 world_b(int i) const { return b.x + rotate(b.q, points[i].point_b); }
  std::set<std::uint32_t> features() const {
    std::set<std::uint32_t> s;
    for (int i = 0; i < count(); ++i) s.insert(points[i].feature);
    return s;
  }
};

/// Contacts of two polyhedra that are not moving; `radius` is the sum of both ρ [m].
inline PairManifold collide(const ConvexHull& a, const Pose& pose_a, const ConvexHull& b, const Pose& pose_b,
                            double margin = kMargin, double radius = 0) {
  PairManifold r;
  r.a = pose_a, r.b = pose_b;
  r.m.radius_a = r.m.radius_b = 0.5 * radius;
  convex_convex(a.shape(), b.shape(), pose_a, pose_b, pose_a, pose_b, margin, r.m);
  return r;
}

inline Quat tilt(const Vec3& axis, double angle) { return from_axis_angle(normalized(axis), angle); }

/// The same numbers on every platform.
struct RandomSolids {
  std::mt19937 engine;
  explicit RandomSolids(unsigned seed) : engine(seed) {}
  double number(double low, double high) {
    return low + (high - low) * static_cast<double>(engine()) / static_cast<double>(std::mt19937::max());
  }
  Vec3 in_cube(double half) { return {number(-half, half), number(-half, half), number(-half, half)}; }
  Quat rotation() { return normalized(Quat{number(-1, 1) + 1e-3, number(-1, 1), number(-1, 1), number(-1, 1)}); }
  /// Origin at the centre of mass, as in a ShapeSet.
  ConvexHull hull() {
    ConvexHull h;
    do {
      std::vector<Vec3> p;
      for (int n = 4 + static_cast<int>(number(0, 16)); n > 0; --n) p.push_back(in_cube(0.5));
      try {
        h = convex_hull(p, "cloud");
      } catch (const InputError& e) {  // one cloud in 10⁶ is flat: refused, as it should be
        if (std::string(e.what()).find("in one plane") == std::string::npos) throw;
      }
    } while (h.vertex.empty());
    translate(h, -hull_mass_properties(h).centre);
    return h;
  }
};

}  // namespace clarke::test
