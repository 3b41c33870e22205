#pragma once
// Which entities never touch each other, wherever they are: jointed neighbours, links of one robot, groups of a scene.
//
//   apart(i, j)  =  (i, j) ∈ pairs  ∨  (i, g_j) ∈ mixed  ∨  (j, g_i) ∈ mixed  ∨  apart_groups(g_i, g_j)
//
// with g the group of an entity, or none. Groups are never written out as pairs: n members cost n integers and groups² bits,
// and a test costs two or three binary searches in lists that only hold what was named.

#include "physics/world.hpp"

#include <vector>

namespace clarke {

/// Two entities, first < second.
struct EntityPair {
  int first, second;
  friend bool operator==(const EntityPair&, const EntityPair&) = default;
  friend auto operator<=>(const EntityPair&, const EntityPair&) = default;
};

class CollisionFilter {
 public:
  /// These pairs only (any order, first < second).
  explicit CollisionFilter(std::vector<EntityPair> pairs);
  /// `pairs` and what `world` says: `no_collision` and the groups of its bodies. Throws InputError for a name that is
  /// neither a body or particle nor a group, and for one that is both.
  CollisionFilter(const World& world, std::vector<EntityPair> pairs);

  bool keeps_apart(int i, int j) const;

 private:
  std::vector<EntityPair> pairs_;   // sorted
  std::vector<EntityPair> mixed_;   // sorted: entity and group, in this order
  std::vector<int> group_;          // per entity, -1: none; empty where no group is kept apart from anything
  std::vector<bool> apart_groups_;  // groups × groups, symmetric
  int groups_ = 0;
};

}  // namespace clarke
