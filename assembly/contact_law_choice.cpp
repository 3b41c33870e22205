#include "assembly/contact_law_choice.hpp"

#include "ncp/contact_laws/decoupled.hpp"

namespace clarke {

void ContactLawChoice::describe(OptionVisitor& v) {
  v.choice("contact_law", contact_law, contact_law_registry().names(),
           {"", "how contact and friction become equations"});
}

std::unique_ptr<RowLaw> ContactLawChoice::create() const { return contact_law_registry().create(contact_law); }

}  // namespace clarke
