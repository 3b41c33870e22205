#include "physics/contact/broad_phase.hpp"

#include "physics/contact/narrow_phase.hpp"

#include <algorithm>

namespace clarke {

BroadPhase::BroadPhase(const ShapeSet& shapes, const Entities& entities,
                       CollisionFilter filter)
    : shapes_(shapes),
      entities_(entities),
      filter_(std::move(filter)),
      boxes_("contact_boxes", shapes.count),
      boxes_host_(Kokkos::create_mirror_view(boxes_)) {
  const auto entity = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.entity);
  const auto kind = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.kind);
  const auto radius = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.radius);
  const auto thickness = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.thickness);
  const auto blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.block_of);
  for (int c = 0; c < shapes.count; ++c) {
    entity_.push_back(entity(c));
    kind_.push_back(kind(c));
    radius_.push_back(thickness(c) + (kind(c) == ShapeKind::sphere ? radius(c) : 0.0));
    movable_.push_back(blocks(entity(c)).v >= 0);
    if (kind(c) == ShapeKind::plane) {
      planes_.push_back(c);
    } else if (kind(c) != ShapeKind::none) {
      order_.push_back(c);
    }
  }
}

/// Whether contacts between the two make sense, wherever they are.
bool BroadPhase::may_touch(int i, int j) const {
  if (!movable_[i] && !movable_[j]) return false;
  if (entity_[i] == entity_[j]) return false;
  // Two points have no surface that could touch.
  if (kind_[i] == ShapeKind::sphere && kind_[j] == ShapeKind::sphere && !(radius_[i] + radius_[j] > 0))
    return false;
  return !filter_.keeps_apart(entity_[i], entity_[j]);
}

void BroadPhase::add(int i, int j) { pairs_.push_back({std::min(i, j), std::max(i, j)}); }

const CandidatePairs& BroadPhase::find_pairs(const State& state, double h,
                                             const ContactMargin& margin) {
  const ShapeSet shapes = shapes_;
  const Entities entities = entities_;
  const View<Vec3> x = state.x, u = state.u;
  const View<Quat> orientation = state.orientation;
  const View<Aabb> boxes = boxes_;
  parallel_for(
      "contact_boxes", shapes.count,
      KOKKOS_LAMBDA(int c) {
        // Half of the base and each body's own speed: together at least the margin of any pair.
        const int e = shapes.entity(c);
        const Twist twist = twist_of(e, entities.block_of, entities.prescribed, u);
        const double motion = h * (norm(twist.v) + norm(twist.w) * collider_reach(shapes, c));
        const Pose pose = pose_of(e, entities.bodies, x, orientation);
        boxes(c) = bounding_box(shapes, c, collider_pose(shapes, c, pose),
                                0.5 * margin.base + margin.speed * motion);
      },
      100);
  fence();
  Kokkos::deep_copy(boxes_host_, boxes_);
  const Aabb* box = boxes_host_.data();

  pairs_.clear();
  for (int plane : planes_)
    for (int c : order_)
      if (may_touch(plane, c)) add(plane, c);

  Vec3 mean{}, spread{};
  for (int c : order_)
    mean += 0.5 * (box[c].lower + box[c].upper) / static_cast<double>(order_.size());
  for (int c : order_) {
    const Vec3 d = 0.5 * (box[c].lower + box[c].upper) - mean;
    spread += Vec3{d.x * d.x, d.y * d.y, d.z * d.z};
  }
  const int k = spread.x >= spread.y && spread.x >= spread.z ? 0 : (spread.y >= spread.z ? 1 : 2);
  const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
  std::sort(order_.begin(), order_.end(), [box, k](int i, int j) {
    return box[i].lower[k] < box[j].lower[k] || (box[i].lower[k] == box[j].lower[k] && i < j);
  });
  for (std::size_t p = 0; p < order_.size(); ++p) {
    const int i = order_[p];
    const Aabb& a = box[i];
    for (std::size_t q = p + 1; q < order_.size(); ++q) {
      const int j = order_[q];
      const Aabb& b = box[j];
      if (b.lower[k] > a.upper[k]) break;
      if (a.lower[k1] > b.upper[k1] || b.lower[k1] > a.upper[k1] || a.lower[k2] > b.upper[k2] ||
          b.lower[k2] > a.upper[k2])
        continue;
      if (may_touch(i, j)) add(i, j);
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace clarke
