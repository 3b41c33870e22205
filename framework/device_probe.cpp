#include "framework/device_probe.hpp"

#include <Kokkos_Macros.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace clarke {

std::string missing_device() {
#if defined(KOKKOS_ENABLE_CUDA)
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0)
    return std::string("no CUDA device was found") +
           (error != cudaSuccess ? std::string(" (") + cudaGetErrorString(error) + ")" : "") +
           "; this program was built for one: use a build without CLARKE_CUDA here";
#endif
  return "";
}

}  // namespace clarke
