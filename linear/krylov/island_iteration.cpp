#include "linear/krylov/island_iteration.hpp"

#include <cmath>

namespace clarke {

void IslandIteration::sum_residuals(const View<double>& r, const View<double>& z) {
  group_sums<3>(
      "island_residual_sums", partition(), closed(),
      KOKKOS_LAMBDA(int i) {
        return Kokkos::Array<double, 3>{{z(i) * z(i), r(i) * r(i), r(i) * z(i)}};
      },
      scratch_, sums_.device());
}

void group_dots(const View<double>& a, const View<double>& b, IslandIteration& islands, PerGroup<double>& sums) {
  group_sums<1>(
      "group_dots", islands.partition(), islands.closed(),
      KOKKOS_LAMBDA(int i) { return Kokkos::Array<double, 1>{{a(i) * b(i)}}; }, islands.scratch(), sums.device());
  sums.to_host();
}

double IslandIteration::norm(const KrylovSystem& system, int g) {
  const double squared = system.tested_norm({sums_[3 * g], sums_[3 * g + 1], sums_[3 * g + 2]});
  return squared > 0 ? std::sqrt(squared) : 0;
}

PetscErrorCode IslandIteration::start(KrylovSystem& system, const View<double>& r, const View<double>& z,
                                      double breakdown) {
  PetscFunctionBegin;
  partition_ = system.partition();
  const int groups = partition_->groups;
  partition_->row_iterations = 0;
  open_groups_ = groups;
  closed_.resize(groups);
  sums_.resize(3 * groups);
  for (int g = 0; g < groups; ++g) {
    closed_[g] = 0;
    for (int k = 0; k < 3; ++k) sums_[3 * g + k] = 0;
  }
  sums_.to_device();
  update();
  sum_residuals(r, z);
  sums_.to_host();
  first_norm_.resize(groups);
  round_off_.resize(groups);
  for (int g = 0; g < groups; ++g) {
    first_norm_[g] = norm(system, g);
    round_off_[g] = breakdown * breakdown * std::abs(rz(g));
  }
  PetscCall(test(system, 0));
  PetscFunctionReturn(0);
}

void IslandIteration::close(int g) {
  if (closed_[g]) return;
  closed_[g] = 1;
  --open_groups_;
  partition_->row_iterations += static_cast<long>(iteration_) * partition_->size[g];
}

PetscErrorCode IslandIteration::test(KrylovSystem& system, int it) {
  PetscFunctionBegin;
  iteration_ = it;
  if (it > 0) sums_.to_host();
  ResidualSums all;
  for (int g = 0; g < partition_->groups; ++g) {
    all.zz += sums_[3 * g];
    all.rr += sums_[3 * g + 1];
    all.rz += sums_[3 * g + 2];
  }
  PetscCall(system.record(it, all));
  for (int g = 0; g < partition_->groups && system.running(); ++g) {
    if (!open(g)) continue;
    if (rz(g) < -round_off_[g]) {
      PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_PC, "r·z < 0 in an island"));
    } else if (rz(g) <= round_off_[g] || system.small_enough(norm(system, g), first_norm_[g])) {
      close(g);
    }
  }
  if (!system.running()) PetscFunctionReturn(0);
  if (!any_open()) {
    PetscCall(system.stop(KSP_CONVERGED_RTOL, "all islands are done"));
  } else if (it >= system.max_iterations()) {
    for (int g = 0; g < partition_->groups; ++g) close(g);
    PetscCall(system.stop(KSP_DIVERGED_ITS, "islands left at the limit of iterations"));
  }
  update();
  PetscFunctionReturn(0);
}

}  // namespace clarke
