#include "physics/attachments/attachments.hpp"

#include "framework/text.hpp"
#include "physics/joints/constraint_pool.hpp"

#include <cmath>

namespace clarke {
namespace {

// [relative to the coordinates] a point of a particle is its position
constexpr double kSamePoint = 1e-9;

template <int n>
std::unique_ptr<JointPool> pool(const Entities& entities, const std::vector<const AttachmentDescription*>& list,
                                const EntityLookup& lookup) {
  if (list.empty()) return nullptr;
  std::vector<ConstraintItem<MultiPointConstraint<n>>> items;
  for (const AttachmentDescription* d : list) {
    ConstraintItem<MultiPointConstraint<n>> item;
    item.name = "attachment " + d->name;
    item.entity.fill(-1);
    for (std::size_t i = 0; i < d->points.size(); ++i) {
      const AttachedPoint& p = d->points[i];
      const auto found = lookup.index.find(p.thing);
      if (p.thing != "world" && found == lookup.index.end())
        throw InputError("attachment '" + d->name + "': unknown body or particle '" + p.thing + "'");
      const int e = p.thing == "world" ? -1 : found->second;
      const Pose at = lookup.pose_at(e);
      if (e >= entities.bodies && norm(p.point - at.x) > kSamePoint * std::fmax(1.0, norm(at.x)))
        throw InputError("attachment '" + d->name + "': the point on particle '" + p.thing + "' must be its position");
      item.entity[i] = e;
      item.element.anchor[i] = e >= entities.bodies ? Vec3{} : rotate_inverse(at.q, p.point - at.x);
      item.element.weight[i] = p.weight;
    }
    for (RowMechanics& row : item.law) {
      if (d->compliance > 0) row.stiffness = 1 / d->compliance;
      row.damping = d->compliance > 0 ? d->damping : 0;
    }
    items.push_back(std::move(item));
  }
  return std::make_unique<ConstraintPool<MultiPointConstraint<n>>>(entities, std::move(items));
}

}  // namespace

std::vector<std::unique_ptr<JointPool>> build_attachments(const Entities& entities,
                                                          const std::vector<AttachmentDescription>& attachments,
                                                          const EntityLookup& lookup) {
  std::vector<const AttachmentDescription*> pairs, fours, eights;
  for (const AttachmentDescription& d : attachments) {
    const std::size_t n = d.points.size();
    if (n < 1 || n > kMostAttachedPoints)
      throw InputError("attachment '" + d.name + "': expected 1 to " + std::to_string(kMostAttachedPoints) +
                       " points, got " + std::to_string(n));
    (n <= 2 ? pairs : (n <= 4 ? fours : eights)).push_back(&d);
  }
  std::vector<std::unique_ptr<JointPool>> out;
  out.push_back(pool<2>(entities, pairs, lookup));
  out.push_back(pool<4>(entities, fours, lookup));
  out.push_back(pool<8>(entities, eights, lookup));
  return out;
}

}  // namespace clarke
