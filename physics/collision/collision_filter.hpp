#pragma once
// Which entities never touch each other, wherever they are: jointed neighbours, links of one robot, groups of a scene.
//
//   apart(i, j)  =  (i, j) ∈ pairs  ∨  (i, g_j) ∈ mixed  ∨  (j, g_i) ∈ mixed  ∨  apart_groups(g_i, g_j)
//
// with g the group of an entity, or none. Groups are never written out as pairs: n members cost n integers and groups²
// bytes, and a test costs two or three binary searches in lists that only hold what was named. All lists are on the
// device, so that kernels can ask; a copy of the filter shares them.

#include "framework/device.hpp"
#include "physics/description/world.hpp"

#include <vector>

namespace clarke {

/// Two entities, first < second.
struct EntityPair {
  int first, second;
  friend bool operator==(const EntityPair&, const EntityPair&) = default;
  friend auto operator<=>(const EntityPair&,
                          const EntityPair&) = default;  // NOLINT(modernize-use-nullptr): false alarm of clang-tidy 14
};

class CollisionFilter {
 public:
  /// These pairs only (any order, first < second).
  explicit CollisionFilter(std::vector<EntityPair> pairs);
  /// `pairs` and what `world` says: `no_collision` and the groups of its bodies. Throws InputError for a name that is
  /// neither a body or particle nor a group, and for one that is both.
  CollisionFilter(const World& world, std::vector<EntityPair> pairs);

  KOKKOS_INLINE_FUNCTION bool keeps_apart(int i, int j) const {
    if (holds(pairs_, i < j ? i : j, i < j ? j : i)) return true;
    if (group_.extent(0) == 0) return false;
    const int gi = group_(i), gj = group_(j);
    if (gi >= 0 && gj >= 0 && apart_groups_(gi * groups_ + gj)) return true;
    return (gj >= 0 && holds(mixed_, i, gj)) || (gi >= 0 && holds(mixed_, j, gi));
  }

 private:
  KOKKOS_INLINE_FUNCTION static bool holds(const View<EntityPair>& list, int first, int second) {
    int begin = 0, end = static_cast<int>(list.extent(0));
    while (begin < end) {
      const int middle = begin + (end - begin) / 2;
      const EntityPair& pair = list(middle);
      if (pair.first == first && pair.second == second) return true;
      if (pair.first < first || (pair.first == first && pair.second < second)) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return false;
  }

  View<EntityPair> pairs_;   // sorted
  View<EntityPair> mixed_;   // sorted: entity and group, in this order
  View<int> group_;          // per entity, -1: none; empty where no group is kept apart from anything
  View<char> apart_groups_;  // groups × groups, symmetric
  int groups_ = 0;
};

}  // namespace clarke
