#pragma once
// Which laws take cones whose section is no disc, for the message of one that does not.

#include <string>

namespace clarke {

/// The options that choose one, asked of the registries: "-contact_law natural_map or jean_moreau, or …".
std::string laws_with_sections();

}  // namespace clarke
