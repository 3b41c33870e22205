#include "framework/device.hpp"

namespace clarke {

long& buffer_allocations() {
  static long count = 0;
  return count;
}

}  // namespace clarke
