#pragma once
// Which pairs of colliders (shapes.hpp) are near enough to look at. Every pair closer than its contact margin is found; how
// many more are found is a matter of speed only. Colliders of one entity never touch, nor do those of entities that a
// filter keeps apart.
//
// Boxes around the shapes are computed by a kernel and swept on the host: sorted by their lower end along the axis
// along which their centres spread most, each is compared with those that begin before it ends. O(n log n + overlaps
// along that axis). Planes have no box: they are paired with everything that moves.

#include "physics/contact/collision_filter.hpp"
#include "physics/contact/shapes.hpp"

#include <vector>

namespace clarke {

/// Two colliders, first < second.
struct ColliderPair {
  int first, second;
  friend bool operator==(const ColliderPair&, const ColliderPair&) = default;
  friend auto operator<=>(const ColliderPair&, const ColliderPair&) = default;
};
using CandidatePairs = std::vector<ColliderPair>;

/// Gap below which a pair becomes a contact: base + speed × h (|v_a − v_b| + |ω_a| R_a + |ω_b| R_b), the second part
/// being `speed` times what the gap can lose in the step at the present velocities.
struct ContactMargin {
  double base = 0;   // [m]
  double speed = 1;  // [1]
};

/// Axis-aligned box in the world frame; lower > upper for shapes without one.
struct Aabb {
  Vec3 lower{1, 1, 1}, upper{-1, -1, -1};
};

/// Box of collider c at `pose` with its thickness, `extra` [m] larger on all sides. Planes have none.
KOKKOS_INLINE_FUNCTION Aabb bounding_box(const ShapeSet& s, int c, const Pose& pose, double extra) {
  const ShapeKind kind = s.kind(c);
  if (kind == ShapeKind::none || kind == ShapeKind::plane) return {};
  extra += s.thickness(c);
  if (kind == ShapeKind::sphere) {
    const double r = s.radius(c) + extra;
    return {pose.x - Vec3{r, r, r}, pose.x + Vec3{r, r, r}};
  }
  if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder) {
    const Vec3 axis = rotate(pose.q, s.axis(c));
    const double r = s.axis_radius(c), length2 = norm2(axis);
    Vec3 half;
    for (int k = 0; k < 3; ++k) {
      const double across2 = length2 - axis[k] * axis[k];  // a disc is this flat along k
      const double round = kind == ShapeKind::capsule ? r : r * std::sqrt((across2 > 0 ? across2 : 0) / length2);
      half[k] = std::fabs(axis[k]) + round + extra;
    }
    return {pose.x - half, pose.x + half};
  }
  const Mat3 rotation = rotation_matrix(pose.q);
  Vec3 lower{}, upper{};  // the origin of a collider is inside
  for (int i = s.vertex_begin(c); i < s.vertex_begin(c + 1); ++i) {
    const Vec3 x = rotation * s.vertex(i);
    for (int k = 0; k < 3; ++k) {
      if (x[k] < lower[k]) lower[k] = x[k];
      if (x[k] > upper[k]) upper[k] = x[k];
    }
  }
  return {pose.x + lower - Vec3{extra, extra, extra}, pose.x + upper + Vec3{extra, extra, extra}};
}

class BroadPhase {
 public:
  BroadPhase(const ShapeSet& shapes, const Entities& entities, CollisionFilter filter);

  /// Candidates in ascending order, at least one of each pair able to move, valid until the next call.
  const CandidatePairs& find_pairs(const State& state, double h, const ContactMargin& margin);

 private:
  bool may_touch(int i, int j) const;
  void add(int i, int j);

  ShapeSet shapes_;
  Entities entities_;
  CollisionFilter filter_;
  std::vector<int> entity_;      // host copies, per collider
  std::vector<ShapeKind> kind_;
  std::vector<double> radius_;   // [m] ρ
  std::vector<char> movable_;
  std::vector<int> planes_;  // colliders of kind plane
  std::vector<int> order_;   // colliders with a box, sorted along the axis of the last sweep
  View<Aabb> boxes_;
  HostView<Aabb> boxes_host_;
  CandidatePairs pairs_;
};

}  // namespace clarke
