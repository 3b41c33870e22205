#include "ncp/contact_laws/section_laws.hpp"

#include "ncp/contact_laws/decoupled.hpp"

namespace clarke {

namespace {

constexpr const char* kDecoupled = "decoupled";  // the law that is made of parts: it takes what its friction map takes

/// "a, b or c"
std::string alternatives(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
  return out;
}

}  // namespace

std::string laws_with_sections() {
  std::vector<std::string> whole, maps;
  for (const std::string& name : friction_map_registry().names())
    if (friction_map_registry().create(name)->takes_sections()) maps.push_back(name);
  for (const std::string& name : contact_law_registry().names())
    if (name != kDecoupled && contact_law_registry().create(name)->takes_sections()) whole.push_back(name);
  std::string out;
  if (!whole.empty()) out = "-contact_law " + alternatives(whole);
  if (!maps.empty())
    out += (whole.empty() ? "" : ", or ") + std::string("-contact_law ") + kDecoupled + " with -friction_map " +
           alternatives(maps);
  return out;
}

}  // namespace clarke
