#include "physics/constraints/joint_traits.hpp"

#include <map>

namespace clarke {

namespace {

std::map<std::string, JointTraits>& all_traits() {
  static std::map<std::string, JointTraits> all;
  return all;
}

}  // namespace

const JointTraits& joint_traits(const std::string& type) {
  static const JointTraits plain{.help = "holds at one point"};
  const auto found = all_traits().find(type);
  return found == all_traits().end() ? plain : found->second;
}

void add_joint_traits(const std::string& type, JointTraits traits) { all_traits()[type] = std::move(traits); }

}  // namespace clarke
