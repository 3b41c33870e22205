#include "physics/contact/broad_phase.hpp"

#include "physics/contact/narrow_phase.hpp"

#include <algorithm>

namespace clarke {

BroadPhase::BroadPhase(const ShapeSet& shapes, const Entities& entities,
                       std::vector<EntityPair> excluded)
    : shapes_(shapes),
      entities_(entities),
      excluded_(std::move(excluded)),
      boxes_("contact_boxes", shapes.count),
      boxes_host_(Kokkos::create_mirror_view(boxes_)) {
  std::sort(excluded_.begin(), excluded_.end());
  const auto kind = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.kind);
  const auto radius = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.radius);
  const auto thickness = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.thickness);
  const auto blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.block_of);
  for (int e = 0; e < shapes.count; ++e) {
    kind_.push_back(kind(e));
    radius_.push_back(thickness(e) + (kind(e) == ShapeKind::sphere ? radius(e) : 0.0));
    movable_.push_back(blocks(e).v >= 0);
    if (kind(e) == ShapeKind::plane) {
      planes_.push_back(e);
    } else if (kind(e) != ShapeKind::none) {
      order_.push_back(e);
    }
  }
}

/// Whether contacts between the two make sense, wherever they are.
bool BroadPhase::may_touch(int i, int j) const {
  if (!movable_[i] && !movable_[j]) return false;
  // Two points have no surface that could touch.
  if (kind_[i] == ShapeKind::sphere && kind_[j] == ShapeKind::sphere)
    return radius_[i] + radius_[j] > 0;
  return true;
}

void BroadPhase::add(int i, int j) {
  const EntityPair pair{std::min(i, j), std::max(i, j)};
  if (!std::binary_search(excluded_.begin(), excluded_.end(), pair)) pairs_.push_back(pair);
}

const CandidatePairs& BroadPhase::find_pairs(const State& state, double h,
                                             const ContactMargin& margin) {
  const ShapeSet shapes = shapes_;
  const Entities entities = entities_;
  const View<Vec3> x = state.x, u = state.u;
  const View<Quat> orientation = state.orientation;
  const View<Aabb> boxes = boxes_;
  parallel_for(
      "contact_boxes", shapes.count,
      KOKKOS_LAMBDA(int e) {
        // Half of the base and each body's own speed: together at least the margin of any pair.
        const Twist twist = twist_of(e, entities.block_of, entities.prescribed, u);
        const double motion = h * (norm(twist.v) + norm(twist.w) * shapes.radius(e));
        boxes(e) = bounding_box(shapes, e, pose_of(e, entities.bodies, x, orientation),
                                0.5 * margin.base + margin.speed * motion);
      },
      100);
  fence();
  Kokkos::deep_copy(boxes_host_, boxes_);
  const Aabb* box = boxes_host_.data();

  pairs_.clear();
  for (int plane : planes_)
    for (int e : order_)
      if (may_touch(plane, e)) add(plane, e);

  Vec3 mean{}, spread{};
  for (int e : order_)
    mean += 0.5 * (box[e].lower + box[e].upper) / static_cast<double>(order_.size());
  for (int e : order_) {
    const Vec3 d = 0.5 * (box[e].lower + box[e].upper) - mean;
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
