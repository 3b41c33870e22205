#include "framework/registry.hpp"

namespace clarke {

std::vector<Registration>& registrations() {
  static std::vector<Registration> list;
  return list;
}

}  // namespace clarke
