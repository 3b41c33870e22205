#pragma once
// What pcr and pcg share when they solve the groups of a Partition each on its own (-islands on): which groups are
// still open, their norms, when each is done, and what was spent. The decisions fall on the host from a few sums per
// group.
//
// A group is done when its own residual norm is below max(ksp_rtol · its first, ksp_atol), at -ksp_max_it, or at a
// breakdown of the method (round-off, null space); indefiniteness and NaN in any group end the whole solve. The norms
// that PETSc records and monitors are those of all groups together.

#include "linear/krylov/krylov_support.hpp"
#include "linear/partition.hpp"

namespace clarke {

/// One number per group on the device, and on the host (the same memory where device and host are one).
template <class T>
class PerGroup {
 public:
  explicit PerGroup(const char* label) : device_(label) {}
  void resize(int n) {
    if (n == static_cast<int>(host_.extent(0))) return;  // a mirror on a device is an allocation
    device_.resize(n);
    host_ = Kokkos::create_mirror_view(device_.view());
  }
  T& operator[](int i) { return host_(i); }
  const View<T>& device() const { return device_.view(); }
  void to_device() { Kokkos::deep_copy(device_.view(), host_); }
  void to_host() { Kokkos::deep_copy(host_, device_.view()); }

 private:
  Buffer<T> device_;
  HostView<T> host_;
};

class IslandIteration;
/// sums[g] = Σ a_i b_i over every open group.
void group_dots(const View<double>& a, const View<double>& b, IslandIteration& islands, PerGroup<double>& sums);

class IslandIteration {
 public:
  /// Opens all groups whose residual is not zero; r and z = P r are those of the start.
  PetscErrorCode start(KrylovSystem& system, const View<double>& r, const View<double>& z, double breakdown);
  /// New residual sums (z·z, r·r, r·z) have been computed into residual_sums(): closes what is done, records, monitors.
  PetscErrorCode test(KrylovSystem& system, int it);
  /// residual_sums() of r and z, for those that could not be summed while they were made.
  void sum_residuals(const View<double>& r, const View<double>& z);
  /// Ends the solve of group g.
  void close(int g);
  bool open(int g) { return closed_[g] == 0; }
  /// Call after close() and before the next kernel.
  void update() { closed_.to_device(); }
  bool any_open() const { return open_groups_ > 0; }

  const Partition& partition() const { return *partition_; }
  const View<int>& closed() const { return closed_.device(); }
  PerGroup<double>& residual_sums() { return sums_; }
  double rz(int g) { return sums_[3 * g + 2]; }
  GroupSumScratch& scratch() { return scratch_; }

 private:
  /// The norm of group g that the KSP tests.
  double norm(const KrylovSystem& system, int g);

  const Partition* partition_ = nullptr;
  int iteration_ = 0, open_groups_ = 0;
  PerGroup<int> closed_{"group_closed"};
  PerGroup<double> sums_{"group_residual"};
  std::vector<double> first_norm_, round_off_;
  GroupSumScratch scratch_;
};

}  // namespace clarke
