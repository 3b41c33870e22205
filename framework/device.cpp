#include "framework/device.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace clarke {

std::shared_ptr<void> host_memory(std::size_t bytes) {
  constexpr std::size_t kCacheLine = 64;  // which threads share
  void* memory = std::aligned_alloc(kCacheLine, (bytes / kCacheLine + 1) * kCacheLine);
  if (!memory) throw std::bad_alloc();
  return {memory, std::free};
}

long& buffer_allocations() {
  static long count = 0;
  return count;
}

Transfers& transfers() {
  static Transfers all;
  return all;
}

Transfers::Count Transfers::total(const std::map<std::string, Count>& counts) {
  Count sum;
  for (const auto& [name, count] : counts) {
    sum.times += count.times;
    sum.bytes += count.bytes;
  }
  return sum;
}

void count_transfers() {
  if constexpr (kDeviceIsHost) return;
  Kokkos::Tools::Experimental::set_begin_deep_copy_callback([](Kokkos_Profiling_SpaceHandle to, const char* to_name,
                                                               const void*, Kokkos_Profiling_SpaceHandle from,
                                                               const char* from_name, const void*,
                                                               std::uint64_t bytes) {
    const auto on_host = [](const Kokkos_Profiling_SpaceHandle& space) {
      return std::strcmp(space.name, Kokkos::HostSpace::name()) == 0;
    };
    // A number that fills a view comes with the kernel, and crosses nothing.
    if (on_host(to) == on_host(from) || std::strcmp(from_name, "Scalar") == 0 || std::strcmp(from_name, "(none)") == 0)
      return;
    auto& count = on_host(to) ? transfers().to_host[from_name] : transfers().to_device[to_name];
    ++count.times;
    count.bytes += static_cast<long>(bytes);
  });
}

}  // namespace clarke
