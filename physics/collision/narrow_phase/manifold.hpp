#pragma once
// What the narrow phase says about one pair: points with one common normal, or each with its own, in the terms of
// contact_set.hpp.
//
// Features. Every point lies on a feature of a and a feature of b, which name it for as long as it lasts, whichever
// face was the reference: vertex on face, face under vertex, edge across edge, or a numbered point of a body with at
// most one contact per number (sphere, vertices over a plane).

#include "framework/state.hpp"

#include <cstdint>

namespace clarke {

inline constexpr int kFeatureIndexBits = 11;
inline constexpr int kFeatureBits = 2 + 2 * kFeatureIndexBits;
/// Points of one convex-convex manifold; more support points than this change nothing a rigid body could notice.
inline constexpr int kMaxManifold = 32;

enum class FeatureKind : std::uint32_t { point = 0, vertex_face = 1, face_vertex = 2, edge_edge = 3 };

/// Key of feature `on_a` of a against `on_b` of b; for `point`, on_a < 2^22 is the number and on_b is not used.
KOKKOS_INLINE_FUNCTION constexpr std::uint32_t feature_key(FeatureKind kind, int on_a, int on_b = 0) {
  const std::uint32_t pair = kind == FeatureKind::point ? static_cast<std::uint32_t>(on_a)
                                                        : (static_cast<std::uint32_t>(on_a) << kFeatureIndexBits) |
                                                              static_cast<std::uint32_t>(on_b);
  return (static_cast<std::uint32_t>(kind) << (2 * kFeatureIndexBits)) | pair;
}

/// Numbers of points from the largest down are those of contacts that join others of their pair (-detect_again).
inline constexpr int kLastPoint = (1 << 2 * kFeatureIndexBits) - 1;
inline constexpr int kMostJoined = 1 << kFeatureIndexBits;

struct ManifoldPoint {
  Vec3 point_a, point_b;  // [m] frames of the two colliders
  std::uint32_t feature;
};

/// Filled by the functions of this folder: at most `capacity` points are kept at `points`.
struct Manifold {
  ManifoldPoint* points;
  int capacity;
  double radius_a = 0, radius_b = 0;  // [m] ρ
  Vec3 normal{};                      // world frame, from b to a
  int count = 0;
  /// One per point where each has its own (faces.hpp, and pairs of features below), as `normal`.
  Vec3* normals = nullptr;

  KOKKOS_INLINE_FUNCTION void add(const Vec3& point_a, const Vec3& point_b, std::uint32_t feature) {
    if (count < capacity) points[count++] = {point_a, point_b, feature};
  }
  KOKKOS_INLINE_FUNCTION void add(const Vec3& point_a, const Vec3& point_b, const Vec3& n, std::uint32_t feature) {
    if (count >= capacity) return;
    normals[count] = n;
    points[count++] = {point_a, point_b, feature};
  }
  KOKKOS_INLINE_FUNCTION const Vec3& normal_of(int i) const { return normals ? normals[i] : normal; }
  /// Gives the points from `from` on the normal n.
  KOKKOS_INLINE_FUNCTION void set_normals(int from, const Vec3& n) const {
    for (int i = from; normals && i < count; ++i) normals[i] = n;
  }
  /// Point `from` in the place of point `to`.
  KOKKOS_INLINE_FUNCTION void move(int from, int to) const {
    points[to] = points[from];
    if (normals) normals[to] = normals[from];
  }
  KOKKOS_INLINE_FUNCTION bool has(std::uint32_t feature) const {
    for (int i = 0; i < count; ++i)
      if (points[i].feature == feature) return true;
    return false;
  }
  KOKKOS_INLINE_FUNCTION double radii() const { return radius_a + radius_b; }
};

/// Gap C of a point [m] (contact_set.hpp).
KOKKOS_INLINE_FUNCTION double gap_of(const Manifold& m, int i, const Pose& a, const Pose& b) {
  const ManifoldPoint& p = m.points[i];
  return dot(m.normal_of(i), (a.x - b.x) + (rotate(a.q, p.point_a) - rotate(b.q, p.point_b))) - m.radii();
}

/// Drops points of m whose gap at the poses now is not below the margin.
KOKKOS_INLINE_FUNCTION void keep_near(const Pose& pose_a, const Pose& pose_b, double margin, Manifold& m) {
  int kept = 0;
  for (int i = 0; i < m.count; ++i)
    if (gap_of(m, i, pose_a, pose_b) < margin) m.move(i, kept++);
  m.count = kept;
}

/// Exchanges the roles of a and b; only for `point` features, which do not name a side.
KOKKOS_INLINE_FUNCTION void exchange_sides(Manifold& m) {
  for (int i = 0; i < m.count; ++i) {
    const Vec3 p = m.points[i].point_a;
    m.points[i].point_a = m.points[i].point_b;
    m.points[i].point_b = p;
    if (m.normals) m.normals[i] = -m.normals[i];
  }
  const double r = m.radius_a;
  m.radius_a = m.radius_b;
  m.radius_b = r;
  m.normal = -m.normal;
}

}  // namespace clarke
