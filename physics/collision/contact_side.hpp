#pragma once
// One side of a contact: an entity, or a place on a deforming surface (contact_set.hpp). To the rows a place is a
// particle that is spread over up to three: its pose is Σ w_k x_k, its twist Σ w_k v_k, and its part of J is w_k d for
// node k.

#include "framework/state.hpp"
#include "physics/collision/contact_set.hpp"

namespace clarke {

KOKKOS_INLINE_FUNCTION bool is_barycentric(const View<BarycentricPoint>& place, int i) {
  return place.extent(0) > 0 && place(i).node[0] >= 0;
}

KOKKOS_INLINE_FUNCTION Pose side_pose(const View<BarycentricPoint>& place, int i, int entity, int bodies,
                                      const View<Vec3>& x, const View<Quat>& orientation) {
  if (!is_barycentric(place, i)) return pose_of(entity, bodies, x, orientation);
  const BarycentricPoint& p = place(i);
  Vec3 sum{};
  for (int k = 0; k < 3 && p.node[k] >= 0; ++k) sum += p.weight[k] * x(p.node[k]);
  return {sum, Quat{}};
}

KOKKOS_INLINE_FUNCTION Twist side_twist(const View<BarycentricPoint>& place, int i, int entity,
                                        const View<EntityBlocks>& block_of, const View<Twist>& prescribed,
                                        const View<Vec3>& u) {
  if (!is_barycentric(place, i)) return twist_of(entity, block_of, prescribed, u);
  const BarycentricPoint& p = place(i);
  Vec3 sum{};
  for (int k = 0; k < 3 && p.node[k] >= 0; ++k) sum += p.weight[k] * twist_of(p.node[k], block_of, prescribed, u).v;
  return {sum, {}};
}

/// Writes the velocity blocks of one side at the places k and following, in the order of write_side().
KOKKOS_INLINE_FUNCTION void add_side_blocks(const View<BarycentricPoint>& place, int i, int entity,
                                            const View<EntityBlocks>& block_of, const View<int>& block, int& k) {
  if (!is_barycentric(place, i)) {
    const EntityBlocks b = block_of(entity);
    if (b.v >= 0) block(k++) = b.v;
    if (b.w >= 0) block(k++) = b.w;
    return;
  }
  const BarycentricPoint& p = place(i);
  for (int n = 0; n < 3 && p.node[n] >= 0; ++n)
    if (block_of(p.node[n]).v >= 0) block(k++) = block_of(p.node[n]).v;
}

/// Writes the part of one row with direction d, at the values v and following: a slot per velocity block, in the order
/// of the pattern.
KOKKOS_INLINE_FUNCTION void write_side(const View<BarycentricPoint>& place, int i, int entity,
                                       const View<EntityBlocks>& block_of, const Vec3& d, const Vec3& arm,
                                       const View<Vec3>& jacobian, int& v) {
  if (!is_barycentric(place, i)) {
    const EntityBlocks b = block_of(entity);
    if (b.v >= 0) jacobian(v++) = d;
    if (b.w >= 0) jacobian(v++) = cross(arm, d);
    return;
  }
  const BarycentricPoint& p = place(i);
  for (int k = 0; k < 3 && p.node[k] >= 0; ++k)
    if (block_of(p.node[k]).v >= 0) jacobian(v++) = p.weight[k] * d;
}

}  // namespace clarke
