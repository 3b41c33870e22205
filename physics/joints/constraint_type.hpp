#pragma once
// From joint descriptions to pools: what a registered constraint type does. Beside its own rows a joint may have rows
// along its coordinates; those of all joints together make one more pool (build_coordinate_rows).

#include "framework/registry.hpp"
#include "physics/constraints/coordinate.hpp"
#include "physics/joints/constraint_pool.hpp"

namespace clarke {

/// Row r of a joint as described: rigid, or a spring of compliance E with damping d, resting at `rest`. Throws
/// InputError for a list of the wrong length and for a rigid row with damping.
RowMechanics described_row(const JointDescription& d, int row, int rows);
double described_rest(const JointDescription& d, int row, int rows);

/// Entities at the ends of a joint: a and b, or those of the two joints a gear refers to.
template <int kFrames>
std::array<int, kFrames> joint_ends(const JointDescription& d, const EntityLookup& lookup) {
  if constexpr (kFrames == 2) {
    return {lookup.find(d.a, d.name), lookup.find(d.b, d.name)};
  } else {
    std::array<int, kFrames> ends{};
    int k = 0;
    for (const std::string& name : {d.joint_1, d.joint_2}) {
      const int j = lookup.find_joint(name);
      if (j < 0) throw InputError("joint '" + d.name + "': unknown joint '" + name + "'");
      ends[k++] = lookup.find(lookup.joints[j].a, d.name);
      ends[k++] = lookup.find(lookup.joints[j].b, d.name);
    }
    return ends;
  }
}

/// A particle has no orientation to carry an anchor that lies away from it: the force there would have a torque nobody
/// takes.
void require_anchor_on_particle(const Entities& entities, int entity, const Vec3& anchor, const JointDescription& d,
                                const EntityLookup& lookup);

/// Builds the pool of one registered constraint type.
class ConstraintType {
 public:
  virtual ~ConstraintType() = default;
  virtual int rows() const = 0;
  /// Whether the ends must be bodies (or the world).
  virtual bool needs_orientation() const = 0;
  virtual std::unique_ptr<JointPool> build(const Entities& entities, const std::vector<JointDescription>& joints,
                                           const EntityLookup& lookup) const = 0;
};

template <JointElement E>
class ConstraintTypeOf final : public ConstraintType {
 public:
  int rows() const override { return E::kRows; }
  bool needs_orientation() const override { return E::kNeedsOrientation; }
  std::unique_ptr<JointPool> build(const Entities& entities, const std::vector<JointDescription>& joints,
                                   const EntityLookup& lookup) const override {
    std::vector<ConstraintItem<E>> items;
    for (const JointDescription& d : joints) {
      const std::array<int, E::kFrames> ends = joint_ends<E::kFrames>(d, lookup);
      if (E::kFrames == 2) {
        require_anchor_on_particle(entities, ends[0], d.anchor_a, d, lookup);
        require_anchor_on_particle(entities, ends[1], d.anchor_b, d, lookup);
      }
      Pose pose[E::kFrames];
      for (int f = 0; f < E::kFrames; ++f) pose[f] = lookup.pose_at(ends[f]);
      ConstraintItem<E> item{E::from_description(d, pose, lookup),
                             ends,
                             {},
                             {},
                             {},
                             std::string(E::kName) + " " + d.name,
                             lookup.find_joint(d.name),
                             -1};
      for (int r = 0; r < E::kRows; ++r) {
        item.law[r] = described_row(d, r, E::kRows);
        item.target[r] = described_rest(d, r, E::kRows);
        if (r < static_cast<int>(d.motion.size())) item.target[r] = d.motion[r];
      }
      if (d.side == "rope") item.law[0].upper = 0;
      if (d.side == "strut") item.law[0].lower = 0;
      items.push_back(std::move(item));
    }
    return std::make_unique<ConstraintPool<E>>(entities, std::move(items));
  }
};

/// Rows along the coordinates of all joints: limits, drives, friction, prescribed motion. Null when there are none.
std::unique_ptr<JointPool> build_coordinate_rows(const Entities& entities, const std::vector<JointDescription>& joints,
                                                 const EntityLookup& lookup);

Registry<ConstraintType>& constraint_registry();

}  // namespace clarke
