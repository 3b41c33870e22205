// A program with fenced device memory, for tests/fence/planted_access.py: what is allowed, then, if asked for, one host
// access that is not.
//
//   fence_probe            kernels, sums, sizes and declared copies; prints what crossed
//   fence_probe read       and the host reads an element of a view
//   fence_probe write      … writes one
//   fence_probe released   … reads one that no view has any more
//   fence_probe stale      a kernel reads one that no view has any more, which no page forbids; prints what it found

#include "framework/device.hpp"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>

using namespace clarke;

namespace {

bool allowed() {
  constexpr int kMany = 2 * kGrain;  // on all threads, through Kokkos; half of it is a plain loop
  const View<double> gap("contact_gap", kMany);
  const View<Vec3> normal("contact_normal", 100);
  parallel_for(
      "fill", kMany, KOKKOS_LAMBDA(int i) { gap(i) = i; });
  parallel_for(
      "fill_some", 100, KOKKOS_LAMBDA(int i) {
        normal(i) = {gap(2 * i), 0, 1};
      });
  Kokkos::deep_copy(Kokkos::subview(gap, Kokkos::make_pair(0, 10)), 3.0);

  std::vector<Vec3> host;
  to_host(normal, host);
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), gap);
  SumScratch<1> scratch;
  double sum[1];
  deterministic_sum<1>(
      "sum", kMany, KOKKOS_LAMBDA(int i) { return Kokkos::Array<double, 1>{{gap(i)}}; }, scratch, sum);
  const double largest = largest_of(
      "largest", kMany, KOKKOS_LAMBDA(int i) { return gap(i); });
  const View<int> first("first", 100);
  const int total = prefix_sum(
      "sizes", 100, first, KOKKOS_LAMBDA(int i) { return i; });
  const View<int> back = to_device("back", std::vector<int>{1, 2, 3});

  const double expected = 0.5 * kMany * (kMany - 1) - 45 + 30;  // 0 … 9 became ten times 3
  return host[60].x == 120 && mirror(kMany - 1) == kMany - 1 && mirror(5) == 3 && sum[0] == expected &&
         largest == kMany - 1 && total == 4950 && back.extent(0) == 3;
}

void list(const char* way, const std::map<std::string, Transfers::Count>& counts) {
  for (const auto& [name, count] : counts) std::printf("%s %s %ld %ld\n", way, name.c_str(), count.times, count.bytes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string planted = argc > 1 ? argv[1] : "";
  const Kokkos::ScopeGuard kokkos;
  count_transfers();
  if (!allowed()) return 1;
  list("to_host", transfers().to_host);
  list("to_device", transfers().to_device);
  for (const auto& [name, times] : transfers().results) std::printf("result %s %ld\n", name.c_str(), times);
  std::fflush(stdout);

  View<double> secret("impulse_of_joints", 50);
  volatile double value = 1;
  const double* const element = secret.data() + 3;
  if (planted == "read") value = secret(3);
  if (planted == "write") secret(3) = value;
  if (planted == "released") {
    secret = View<double>();
    value = *element;
  }
  if (planted == "stale") {
    const View<double> found("found", 1);
    fill(secret, 1.0);
    secret = View<double>();
    parallel_for(
        "stale", 1, KOKKOS_LAMBDA(int i) { found(i) = *element; });
    std::vector<double> host;
    to_host(found, host);
    std::printf("stale %g\n", std::fabs(host[0]));
  }
  return 0;
}
