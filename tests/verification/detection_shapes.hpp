#pragma once
// Random pairs of shapes for verification of the narrow phase: sizes from 0.1 to 10 m, aspect ratios to 20; apart,
// touching and overlapping.

#include "framework/error.hpp"
#include "physics/collision/narrow_phase.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

namespace clarke::test {

inline const std::vector<std::string>& solid_names() {
  static const std::vector<std::string> names{"sphere", "capsule", "cylinder", "box", "hull", "plane", "triangle"};
  return names;
}

/// The same numbers on every platform.
struct ShapeRandom {
  std::mt19937 engine;
  explicit ShapeRandom(unsigned seed) : engine(seed) {}
  double number(double low, double high) {
    return low + (high - low) * static_cast<double>(engine()) / static_cast<double>(std::mt19937::max());
  }
  double size() { return std::exp(number(std::log(0.1), std::log(10.0))); }
  double aspect() { return std::exp(number(0, std::log(20.0))); }
  Vec3 in_cube(double half) { return {number(-half, half), number(-half, half), number(-half, half)}; }
  Vec3 direction() {
    for (;;) {
      const Vec3 d = in_cube(1);
      if (norm2(d) > 0.01 && norm2(d) <= 1) return normalized(d);
    }
  }
  Quat rotation() { return normalized(Quat{number(-1, 1) + 1e-3, number(-1, 1), number(-1, 1), number(-1, 1)}); }
};

/// One random shape; `core` points into it.
struct Solid {
  int kind = 0;       // of solid_names()
  double radius = 0;  // [m] sphere, capsule, cylinder
  double half = 0;    // [m] half height of capsule and cylinder
  Vec3 box_half{};    // [m]
  std::array<Vec3, 3> corners{};
  std::array<Vec3, 1> normal{Vec3{0, 0, 1}};
  std::array<double, 1> zero{0};
  ConvexHull hull;
  ConvexCore core;

  Solid(int which, ShapeRandom& random) : kind(which) {
    const double large = random.size();
    const std::string& name = solid_names()[kind];
    if (name == "sphere") {
      radius = large;
    } else if (name == "capsule" || name == "cylinder") {
      const double small = large / random.aspect();
      const bool rod = name == "capsule" || random.number(0, 1) < 0.5;
      half = rod ? large : small, radius = rod ? small : large;
      core.kind = name == "capsule" ? CoreKind::segment : CoreKind::cylinder;
      core.axis = {0, 0, half};
      if (name == "cylinder") core.axis_radius = radius;
    } else if (name == "box") {
      box_half = {large, large / random.aspect(), large / random.aspect()};
      hull = box_hull(box_half, name);
    } else if (name == "hull") {
      const double y = 1 / random.aspect(), z = 1 / random.aspect();
      while (hull.vertex.empty()) {
        std::vector<Vec3> points;
        for (int i = 0; i < 12; ++i) {
          const Vec3 p = random.in_cube(large);
          points.push_back({p.x, y * p.y, z * p.z});
        }
        try {
          hull = convex_hull(points, name);
        } catch (const InputError&) {  // a few clouds in ten thousand are coplanar within a hair: the next one
        }
      }
    } else if (name == "triangle") {
      const double high = large / random.aspect();
      corners = {Vec3{-large, -0.5 * high, 0}, Vec3{large * random.number(0.5, 1), -high * random.number(0.2, 1), 0},
                 Vec3{large * random.number(-1, 1), high, 0}};
      core.kind = CoreKind::vertices;
      core.hull.vertex = corners.data(), core.hull.vertices = 3;
      core.hull.normal = normal.data(), core.hull.offset = zero.data(), core.hull.area = zero.data();
      core.hull.faces = 1;
      for (const Vec3& v : corners) core.hull.radius = std::max(core.hull.radius, norm(v));
    }
    if (!hull.vertex.empty()) {
      core.kind = CoreKind::vertices;
      core.hull = hull.shape();
    }
  }
  Solid(const Solid&) = delete;

  bool is(const char* name) const { return solid_names()[kind] == name; }
  /// ρ [m]
  double round() const { return is("sphere") || is("capsule") ? radius : 0; }
};

/// Poses of a pair. Mode 0, apart: in a random direction they are up to their smaller size apart. Mode 1, touching:
/// within a thousandth of it in the direction of least overlap found. Mode 2, overlapping: moved by up to 0.6 of what
/// parts them in that direction.
struct SolidPair {
  Pose a, b;
  SolidPair(const Solid& sa, const Solid& sb, int mode, ShapeRandom& random) {
    a = {random.in_cube(10), random.rotation()};
    b = {{}, random.rotation()};
    const PlacedCore ca = place(sa.core, a.q, {}), cb = place(sb.core, b.q, {});
    const double rho = sa.round() + sb.round();
    const double scale = std::min(ca.reach + sa.round(), cb.reach + sb.round());
    // Of a few directions the one of least overlap, so that most pairs that should overlap do.
    Vec3 d = random.direction();
    for (int i = 0; i < (mode == 0 ? 0 : 20); ++i) {
      const Vec3 other = random.direction();
      if (separation(ca, cb, other) > separation(ca, cb, d)) d = other;
    }
    if (sb.is("plane")) d = rotate(b.q, Vec3{0, 0, 1});
    const double touching = separation(ca, cb, d) - rho;
    if (mode == 2) {
      b.x = a.x + random.number(0, 0.6) * touching * d;
    } else {
      b.x = a.x + (touching - (mode == 0 ? random.number(0, 1) : random.number(-1e-3, 1e-3)) * scale) * d;
    }
  }
};

/// Our distance of the pair, plane on side b, and the normal from b to a.
inline Separation distance_of(const Solid& sa, const Pose& a, const Solid& sb, const Pose& b) {
  const PlacedCore ca = place(sa.core, a.q, {});
  Separation d;
  if (sb.is("plane")) {
    d.normal = rotate(b.q, Vec3{0, 0, 1});
    d.point_a = support(ca, -d.normal);
    d.distance = dot(d.normal, d.point_a - (b.x - a.x));
    d.point_b = d.point_a - d.distance * d.normal;
  } else {
    d = signed_distance(ca, place(sb.core, b.q, b.x - a.x));
  }
  d.distance -= sa.round() + sb.round();
  return d;
}

}  // namespace clarke::test
