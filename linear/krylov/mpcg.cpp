#include "linear/krylov/mpcg.hpp"

#include <cmath>

namespace clarke {

namespace {

constexpr double kMpcgRounding = 1e-20;  // of r·s: squares of relative rounding

/// x ← z + S x
void begin_at(const VelocityFilter& filter, const View<double>& iterate) {
  filter.apply(iterate);
  const View<Vec3> z = filter.given;
  const View<double> x = iterate;
  parallel_for(
      "mpcg_begin", static_cast<int>(z.extent(0)), KOKKOS_LAMBDA(int b) {
        for (int k = 0; k < 3; ++k) x(3 * b + k) += z(b)[k];
      });
}

/// x += α p, r −= α q
void advance(const View<double>& iterate, const View<double>& residual, const View<double>& direction,
             const View<double>& image, double alpha) {
  const View<double> x = iterate, r = residual, p = direction, q = image;
  parallel_for(
      "mpcg_update", static_cast<int>(x.extent(0)), KOKKOS_LAMBDA(int i) {
        x(i) += alpha * p(i);
        r(i) -= alpha * q(i);
      });
}

/// p = s + β p
void direct(const View<double>& filtered, const View<double>& direction, double beta) {
  const View<double> s = filtered, p = direction;
  parallel_for(
      "mpcg_direction", static_cast<int>(s.extent(0)),
      KOKKOS_LAMBDA(int i) { p(i) = beta == 0 ? s(i) : s(i) + beta * p(i); });
}

}  // namespace

PetscErrorCode Mpcg::check(KSP ksp) const {
  Mat matrix = nullptr;
  PetscContainer container = nullptr;
  PetscInt rows = 0;
  PetscFunctionBegin;
  filter_ = {};
  PetscCall(KSPGetOperators(ksp, &matrix, nullptr));
  PetscCall(PetscObjectQuery((PetscObject)matrix, kVelocityFilter, (PetscObject*)&container));
  if (!container) PetscFunctionReturn(0);
  void* found = nullptr;
  PetscCall(PetscContainerGetPointer(container, &found));
  filter_ = *static_cast<const VelocityFilter*>(found);
  PetscCall(MatGetLocalSize(matrix, &rows, nullptr));
  PetscCheck(3 * static_cast<PetscInt>(filter_.keep.extent(0)) == rows, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ,
             "mpcg: a filter of %d blocks for %d unknowns", static_cast<int>(filter_.keep.extent(0)),
             static_cast<int>(rows));
  PetscFunctionReturn(0);
}

PetscErrorCode Mpcg::solve(KrylovSystem& system) {
  const int n = system.size();
  const View<double> x = system.x(), r = r_.resize(n), s = s_.resize(n), p = p_.resize(n), q = q_.resize(n);
  const VelocityFilter& filter = filter_;
  ResidualSums sums;

  PetscFunctionBegin;
  const bool filtered = !filter.empty();
  if (filtered) {
    if (system.zero_guess()) Kokkos::deep_copy(x, 0.0);
    begin_at(filter, x);
    PetscCall(system.residual(r, s, &sums));
    filter.apply(r);
    PetscCall(system.precondition(r, s));
    filter.apply(s);
    sums = residual_sums(r, s, scratch3_);
  } else {
    PetscCall(system.start(r, s, &sums));
  }
  const double least = kMpcgRounding * std::fabs(sums.rz);
  PetscCall(system.test(0, sums));
  double before = 0;
  for (int it = 1; system.running(); ++it) {
    if (sums.rz < -least) {
      PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_PC, "mpcg: r·s < 0"));
      break;
    }
    if (sums.rz <= least) {
      PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "mpcg: the residual is round-off"));
      break;
    }
    direct(s, p, it == 1 ? 0 : sums.rz / before);
    PetscCall(system.apply(p, q));
    if (filtered) filter.apply(q);
    const double pq = dot(p, q, scratch1_);
    PetscCall(system.check_finite(pq));
    if (!system.running()) break;
    if (!(pq > 0)) {
      PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_MAT, "mpcg: p·Ap <= 0"));
      break;
    }
    before = sums.rz;
    advance(x, r, p, q, sums.rz / pq);
    PetscCall(system.precondition(r, s));
    if (filtered) filter.apply(s);
    sums = residual_sums(r, s, scratch3_);
    PetscCall(PetscLogFlops(15.0 * n));
    PetscCall(system.test(it, sums));
  }
  PetscFunctionReturn(0);
}

}  // namespace clarke
