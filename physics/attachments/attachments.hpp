#pragma once
// From attachment descriptions to pools: one for each of the sizes 2, 4 and 8, so that pairs cost what pairs cost.

#include "physics/attachments/multi_point_constraint.hpp"
#include "physics/joints/joint_pool.hpp"

namespace clarke {

inline constexpr int kMostAttachedPoints = 8;

/// Throws InputError naming the attachment for an unknown thing, a point beside a particle, too many points, or when
/// nothing can move.
std::vector<std::unique_ptr<JointPool>> build_attachments(const Entities& entities,
                                                          const std::vector<AttachmentDescription>& attachments,
                                                          const EntityLookup& lookup);

}  // namespace clarke
