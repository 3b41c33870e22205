#include "linear/krylov/unseen_iteration.hpp"

namespace clarke {

/// The host has seen what there is.
static void go_on(const View<KrylovNumbers>& seen) {
  const View<KrylovNumbers> numbers = seen;
  parallel_for(
      "krylov_go_on", 1, KOKKOS_LAMBDA(int) {
        numbers(0).unseen = 0;
        if (numbers(0).end == KrylovEnd::tested) numbers(0).end = KrylovEnd::none;
      });
}

PetscErrorCode UnseenIteration::begin(KrylovSystem& system, const ResidualSums& sums, double stagnation,
                                      double round_off) {
  double low, high;
  PetscFunctionBegin;
  const bool foreseeable = system.foreseeable(low, high);
  const int norm = foreseeable ? system.tested_sum() : -1;
  const double rz = sums.rz;
  const View<KrylovNumbers> numbers = numbers_.resize(1);
  parallel_for(
      "krylov_begin", 1, KOKKOS_LAMBDA(int) {
        KrylovNumbers& s = numbers(0);
        s.rz = rz;
        s.curvature = s.beta = s.alpha = s.culprit = 0;
        s.stagnation = stagnation;
        s.round_off = round_off;
        s.low = low;
        s.high = high;
        s.norm = norm;
        s.end = end_by_round_off(rz, round_off);
        s.unseen = 0;
      });
  unseen_ = kDeviceIsHost || !foreseeable ? 1 : kMostUnseen;
  seen_count_ = 0;
  if (system.running() && rz <= round_off) PetscCall(see(system));  // no product with A
  PetscFunctionReturn(0);
}

PetscErrorCode UnseenIteration::look(KrylovSystem& system, int& it) {
  PetscFunctionBegin;
  if (it - seen_count_ < unseen_ && it < system.max_iterations()) PetscFunctionReturn(0);
  PetscCall(see(system));
  it = seen_count_;
  PetscFunctionReturn(0);
}

PetscErrorCode UnseenIteration::stop(KrylovSystem& system, KSPConvergedReason reason, const std::string& why) {
  PetscFunctionBegin;
  PetscCall(system.stop(reason, (method_ + ": " + why).c_str()));
  PetscFunctionReturn(0);
}

PetscErrorCode UnseenIteration::see(KrylovSystem& system) {
  PetscFunctionBegin;
  if constexpr (!kDeviceIsHost) {
    if (seen_.extent(0) == 0) seen_ = Kokkos::create_mirror_view(numbers_.view());
    Kokkos::deep_copy(seen_, numbers_.view());
  } else {
    seen_ = numbers_.view();
  }
  const KrylovNumbers& s = seen_(0);
  const KrylovEnd end = s.end;
  for (int k = 0; k < s.unseen && system.running(); ++k) PetscCall(system.test(++seen_count_, s.sums[k]));
  if (!system.running()) PetscFunctionReturn(0);
  switch (end) {
    case KrylovEnd::none:
    case KrylovEnd::tested:
      break;
    case KrylovEnd::round_off:
      PetscCall(stop(system, KSP_CONVERGED_HAPPY_BREAKDOWN, "the residual is round-off"));
      break;
    case KrylovEnd::indefinite_preconditioner:
      PetscCall(stop(system, KSP_DIVERGED_INDEFINITE_PC, "P is not positive"));
      break;
    case KrylovEnd::not_finite:
      PetscCall(system.check_finite(s.culprit));
      break;
    case KrylovEnd::null_space:
      PetscCall(stop(system, KSP_CONVERGED_HAPPY_BREAKDOWN, "what is left is in the null space"));
      break;
    case KrylovEnd::indefinite:
      PetscCall(stop(system, KSP_DIVERGED_INDEFINITE_MAT, curvature_ + " < 0"));
      break;
    case KrylovEnd::no_step:
      PetscCall(stop(system, KSP_CONVERGED_HAPPY_BREAKDOWN, "A p = 0"));
      break;
  }
  if (!system.running()) PetscFunctionReturn(0);
  go_on(numbers_);
  PetscFunctionReturn(0);
}

}  // namespace clarke
