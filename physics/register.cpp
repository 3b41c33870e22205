#include "physics/register.hpp"

#include "framework/options.hpp"
#include "physics/constraints/ball.hpp"
#include "physics/constraints/constraint_pool.hpp"
#include "physics/constraints/distance.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "physics/rigid/bodies.hpp"

namespace clarke {

Registry<ConstraintType>& constraint_registry() {
  static Registry<ConstraintType> registry("constraint");
  return registry;
}

namespace {

template <ConstraintElement E>
void add_constraint(const char* citation) {
  constraint_registry().add(E::kName, E::kSummary, citation,
                            [] { return std::make_unique<ConstraintTypeOf<E>>(); });
}

}  // namespace

int EntityLookup::find(const std::string& name, const std::string& joint) const {
  if (name == "world") return -1;
  const auto it = index.find(name);
  if (it != index.end()) return it->second;
  std::vector<std::string> names{"world"};
  for (const auto& [known, i] : index) names.push_back(known);
  throw InputError("joint '" + joint + "': unknown body '" + name + "'" + suggestion(name, names));
}

void register_physics() {
  add_constraint<Ball>("Macklin 2020, ch. 2");
  add_constraint<Distance>("Macklin 2020, ch. 2");

  add_option_group<BodyOptions>("bodies", "mass and inertial forces of rigid bodies");
  add_option_group<ContactOptions>("contact", "which pairs of surfaces become contacts");
  add_option_group<WarmStartOptions>("warm start", "how impulses are handed from step to step");
}

}  // namespace clarke
