#include "physics/contact/collision_filter.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <map>

namespace clarke {
namespace {

using Numbers = std::map<std::string, int>;

/// Number of `name` in `numbers`; -1 where it is not there.
int number_of(const Numbers& numbers, const std::string& name) {
  const auto found = numbers.find(name);
  return found == numbers.end() ? -1 : found->second;
}

/// One name of a no_collision entry: an entity or a group.
struct Side {
  int entity, group;
};

Side side_named(const std::string& name, const Numbers& entities, const Numbers& groups) {
  const Side side{number_of(entities, name), number_of(groups, name)};
  if (side.entity >= 0 && side.group >= 0)
    throw InputError("no collision of '" + name + "': the name is that of a body or particle and of a group");
  if (side.entity >= 0 || side.group >= 0) return side;
  std::vector<std::string> names;
  for (const Numbers* numbers : {&entities, &groups})
    for (const auto& [known, number] : *numbers) names.push_back(known);
  throw InputError("no collision of '" + name + "': unknown body, particle or group" + suggestion(name, names));
}

}  // namespace

CollisionFilter::CollisionFilter(std::vector<EntityPair> pairs) : pairs_(std::move(pairs)) {
  std::sort(pairs_.begin(), pairs_.end());
}

CollisionFilter::CollisionFilter(const World& world, std::vector<EntityPair> pairs)
    : pairs_(std::move(pairs)) {
  Numbers entities, groups;
  int entity = 0;
  for (const BodyDescription& body : world.bodies) {
    entities[body.name] = entity++;
    if (body.group.empty()) continue;
    groups.insert({body.group, static_cast<int>(groups.size())});
  }
  for (const ParticleDescription& particle : world.particles) entities[particle.name] = entity++;
  groups_ = static_cast<int>(groups.size());

  bool any_group = false;
  apart_groups_.assign(static_cast<std::size_t>(groups_) * groups_, false);
  for (const auto& [first, second] : world.no_collision) {
    Side a = side_named(first, entities, groups), b = side_named(second, entities, groups);
    any_group = any_group || a.group >= 0 || b.group >= 0;
    if (a.entity >= 0 && b.entity >= 0) {
      pairs_.push_back({std::min(a.entity, b.entity), std::max(a.entity, b.entity)});
    } else if (a.group >= 0 && b.group >= 0) {
      apart_groups_[a.group * groups_ + b.group] = apart_groups_[b.group * groups_ + a.group] = true;
    } else {
      if (a.entity < 0) std::swap(a, b);
      mixed_.push_back({a.entity, b.group});
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  std::sort(mixed_.begin(), mixed_.end());
  if (!any_group) return;
  group_.assign(entity, -1);
  for (std::size_t e = 0; e < world.bodies.size(); ++e)
    group_[e] = number_of(groups, world.bodies[e].group);
}

bool CollisionFilter::keeps_apart(int i, int j) const {
  const auto holds = [](const std::vector<EntityPair>& list, const EntityPair& pair) {
    return std::binary_search(list.begin(), list.end(), pair);
  };
  if (holds(pairs_, {std::min(i, j), std::max(i, j)})) return true;
  if (group_.empty()) return false;
  const int gi = group_[i], gj = group_[j];
  if (gi >= 0 && gj >= 0 && apart_groups_[gi * groups_ + gj]) return true;
  return (gj >= 0 && holds(mixed_, {i, gj})) || (gi >= 0 && holds(mixed_, {j, gi}));
}

}  // namespace clarke
