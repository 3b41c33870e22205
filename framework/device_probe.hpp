#pragma once
// Is there a device for the backend that was compiled in? Asked before Kokkos starts, because Kokkos aborts without
// one.

#include <string>

namespace clarke {

/// "" when kernels can run here; otherwise one sentence that says what is missing. Needs no initialised Kokkos.
std::string missing_device();

}  // namespace clarke
