#pragma once
// Which pairs of colliders (shapes.hpp) are near enough to look at. Every pair closer than its contact margin is found;
// how many more are found is a matter of speed only. Colliders of one entity never touch, nor do those of entities that
// a filter keeps apart.
//
// Two trees of boxes (box_tree.hpp): one over the colliders that move, made anew at every call, and one over those at
// rest, made anew only when one of them has moved. So a mesh of 10⁶ static triangles costs a step nothing but the
// search, O(log n) for each collider that moves. Planes have no box; each is held against the box of every collider
// that can move,
//
//   n·m − Σ_k |n_k| e_k  <  offset + thickness + margin        m, e: centre and half edges of the box
//
// which is linear in their number, meant for tens of them.
//
// Order. Each collider that can move looks for partners, so a pair of two of them is found once, by the smaller number,
// and a pair with one at rest by the one that moves. Where that is `first`, its pairs lie in one segment, sorted there.
// The others come out sorted by `second` and are sorted by `first`, stably (radix_sort.hpp). No collider is `first` in
// both lists, so they are merged by segments. All of it on the device, without atomics: the result is one ascending
// list whatever the backend.

#include "physics/collision/box_tree.hpp"
#include "physics/collision/collision_filter.hpp"
#include "physics/collision/shapes.hpp"

namespace clarke {

/// Two colliders, first < second.
struct ColliderPair {
  int first, second;
  friend bool operator==(const ColliderPair&, const ColliderPair&) = default;
  friend auto operator<=>(const ColliderPair&, const ColliderPair&) =
      default;  // NOLINT(modernize-use-nullptr): false alarm of clang-tidy 14
};
using CandidatePairs = View<ColliderPair>;

/// Gap below which a pair becomes a contact: base + speed × h (|v_a − v_b| + |ω_a| R_a + |ω_b| R_b), the second part
/// being `speed` times what the gap can lose in the step at the present velocities.
struct ContactMargin {
  double base = 0;   // [m]
  double speed = 1;  // [1]
};

/// Box of collider c at `pose` with its thickness, `extra` [m] larger on all sides, and its contact points. Planes have
/// none.
KOKKOS_INLINE_FUNCTION Aabb bounding_box(const ShapeSet& s, int c, const Pose& pose, double extra) {
  const ShapeKind kind = s.kind(c);
  if (kind == ShapeKind::none || kind == ShapeKind::plane) return {};
  extra += s.thickness(c);
  Vec3 lower{}, upper{};  // the origin of a collider is inside
  if (kind == ShapeKind::sphere) {
    extra += s.radius(c);
  } else if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder) {
    // Along e_k a disc of radius r about the axis â reaches r √(1 − â_k²), a ball r.
    const Vec3 half = rotate(pose.q, s.axis(c));
    const double length2 = norm2(half), r = s.axis_radius(c);
    for (int k = 0; k < 3; ++k) {
      const double across2 = length2 > 0 ? 1 - half[k] * half[k] / length2 : 1;
      const double disc = r * std::sqrt(across2 > 0 ? across2 : 0);
      const double reach = std::fabs(half[k]) + (kind == ShapeKind::capsule ? r : disc);
      lower[k] = -reach;
      upper[k] = reach;
    }
  } else {
    const Mat3 rotation = rotation_matrix(pose.q);
    for (int own = 0; own < 2; ++own) {
      const View<int>& begin = own ? s.contact_point_begin : s.vertex_begin;
      for (int i = begin(c); i < begin(c + 1); ++i) {
        const Vec3 x = rotation * (own ? s.contact_point(i) : s.vertex(i));
        for (int k = 0; k < 3; ++k) {
          if (x[k] < lower[k]) lower[k] = x[k];
          if (x[k] > upper[k]) upper[k] = x[k];
        }
      }
    }
  }
  return {pose.x + lower - Vec3{extra, extra, extra}, pose.x + upper + Vec3{extra, extra, extra}};
}

/// Whether a part of `box` is in the half space of `plane` at `pose`, moved outwards by `extra` [m].
KOKKOS_INLINE_FUNCTION bool reaches_plane(const Aabb& box, const PlaneShape& plane, const Pose& pose, double extra) {
  const Vec3 n = rotate(pose.q, plane.normal), half = 0.5 * (box.upper - box.lower);
  const double height = dot(n, box.lower + half - pose.x) - plane.offset;
  return !(height - std::fabs(n.x) * half.x - std::fabs(n.y) * half.y - std::fabs(n.z) * half.z > extra);
}

class BroadPhase {
 public:
  BroadPhase(const ShapeSet& shapes, const Entities& entities, CollisionFilter filter);

  /// Candidates in ascending order, at least one of each pair able to move, valid until the next call.
  const CandidatePairs& find_pairs(const State& state, double h, const ContactMargin& margin);

 private:
  ShapeSet shapes_;
  Entities entities_;
  CollisionFilter filter_;

  // Colliders in ascending order, and the `last` of their boxes.
  View<int> movers_, mover_last_;     // with a box, of entities that can move or have a prescribed velocity
  View<int> resting_, resting_last_;  // with a box, of all others
  View<int> planes_;
  View<int> resting_entities_;
  View<Pose> resting_pose_;     // of those, when their tree was made
  double resting_margin_ = -1;  // [m] base for which it was made, -1: not yet

  View<Aabb> mover_box_, resting_box_;
  BoxTree mover_tree_, resting_tree_;
  Buffer<int> before_{"pairs_before"}, after_{"pairs_after"};  // per mover: first pair in each of the two lists
  Buffer<int> kept_{"pairs_kept"};                             // partners of each mover, found while they were counted
  Buffer<ColliderPair> own_{"pairs_own"};                      // first is the collider that looked
  Buffer<std::uint64_t> key_{"pairs_key"};                     // of the others: first
  Buffer<int> value_{"pairs_value"};                           // of the others: second
  RadixScratch scratch_;
  Buffer<ColliderPair> merged_{"pairs"};
  CandidatePairs pairs_;
};

}  // namespace clarke
