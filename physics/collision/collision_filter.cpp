#include "physics/collision/collision_filter.hpp"

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

View<EntityPair> sorted(std::vector<EntityPair> pairs) {
  std::sort(pairs.begin(), pairs.end());
  return to_device("filter_pairs", pairs);
}

}  // namespace

CollisionFilter::CollisionFilter(std::vector<EntityPair> pairs) : pairs_(sorted(std::move(pairs))) {}

CollisionFilter::CollisionFilter(const World& world, std::vector<EntityPair> pairs) {
  Numbers entities, groups;
  int entity = 0;
  for (const BodyDescription& body : world.bodies) {
    entities[body.name] = entity++;
    if (body.group.empty()) continue;
    groups.insert({body.group, static_cast<int>(groups.size())});
  }
  for (const ParticleDescription& particle : world.particles) {
    entities[particle.name] = entity++;
    if (!particle.group.empty()) groups.insert({particle.group, static_cast<int>(groups.size())});
  }
  groups_ = static_cast<int>(groups.size());

  bool any_group = false;
  std::vector<EntityPair> mixed;
  std::vector<char> apart_groups(static_cast<std::size_t>(groups_) * groups_, 0);
  for (const auto& [first, second] : world.no_collision) {
    Side a = side_named(first, entities, groups), b = side_named(second, entities, groups);
    any_group = any_group || a.group >= 0 || b.group >= 0;
    if (a.entity >= 0 && b.entity >= 0) {
      pairs.push_back({std::min(a.entity, b.entity), std::max(a.entity, b.entity)});
    } else if (a.group >= 0 && b.group >= 0) {
      apart_groups[a.group * groups_ + b.group] = apart_groups[b.group * groups_ + a.group] = 1;
    } else {
      if (a.entity < 0) std::swap(a, b);
      mixed.push_back({a.entity, b.group});
    }
  }
  pairs_ = sorted(std::move(pairs));
  mixed_ = sorted(std::move(mixed));
  if (!any_group) return;
  apart_groups_ = to_device("filter_groups", apart_groups);
  std::vector<int> group(entity, -1);
  for (std::size_t e = 0; e < world.bodies.size(); ++e) group[e] = number_of(groups, world.bodies[e].group);
  for (std::size_t e = 0; e < world.particles.size(); ++e)
    group[world.bodies.size() + e] = number_of(groups, world.particles[e].group);
  group_ = to_device("filter_group", group);
}

}  // namespace clarke
