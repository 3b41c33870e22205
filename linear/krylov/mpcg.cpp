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

struct MpcgVectors {
  View<double> x, r, s, p, q;
};

/// p·q is known: α, or an end, as a direction that A does not lengthen is one too.
KOKKOS_INLINE_FUNCTION void mpcg_take_alpha(KrylovNumbers& s, double pq) {
  if (s.end != KrylovEnd::none) return;
  take_curvature(s, pq);
  if (s.end == KrylovEnd::null_space) s.end = KrylovEnd::indefinite;
  s.alpha = s.rz / pq;
}

/// p·q, and α.
void mpcg_step_length(const MpcgVectors& v, const View<KrylovNumbers>& numbers, SumScratch<1>& scratch) {
  const View<KrylovNumbers> s = numbers;
  dot_into(
      v.p, v.q, scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 1>& sum) { mpcg_take_alpha(s(0), sum[0]); });
}

/// x += α p, r −= α q; nothing after the end.
void mpcg_update(const MpcgVectors& v, const View<KrylovNumbers>& numbers) {
  const MpcgVectors at = v;
  const View<KrylovNumbers> s = numbers;
  parallel_for(
      "mpcg_update", static_cast<int>(v.x.extent(0)), KOKKOS_LAMBDA(int i) {
        if (s(0).end != KrylovEnd::none) return;
        at.x(i) += s(0).alpha * at.p(i);
        at.r(i) -= s(0).alpha * at.q(i);
      });
}

/// The sums of r and s, and β.
void mpcg_residual(const MpcgVectors& v, const View<KrylovNumbers>& numbers, SumScratch<3>& scratch) {
  const View<KrylovNumbers> s = numbers;
  residual_sums_into(
      v.r, v.s, scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 3>& sum) { take_gradient(s(0), sum); });
}

/// p = s + β p
void mpcg_direction(const MpcgVectors& v, bool first, const View<KrylovNumbers>& numbers) {
  const MpcgVectors at = v;
  const View<KrylovNumbers> s = numbers;
  parallel_for(
      "mpcg_direction", static_cast<int>(v.s.extent(0)),
      KOKKOS_LAMBDA(int i) { at.p(i) = first ? at.s(i) : at.s(i) + s(0).beta * at.p(i); });
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
  const MpcgVectors v{system.x(), r_.resize(n), s_.resize(n), p_.resize(n), q_.resize(n)};
  const VelocityFilter& filter = filter_;
  ResidualSums sums;

  PetscFunctionBegin;
  const bool filtered = !filter.empty();
  if (filtered) {
    if (system.zero_guess()) Kokkos::deep_copy(v.x, 0.0);
    begin_at(filter, v.x);
    PetscCall(system.residual(v.r, v.s, &sums));
    filter.apply(v.r);
    PetscCall(system.precondition(v.r, v.s));
    filter.apply(v.s);
    sums = residual_sums(v.r, v.s, scratch3_);
  } else {
    PetscCall(system.start(v.r, v.s, &sums));
  }
  PetscCall(system.test(0, sums));
  PetscCall(iteration_.begin(system, sums, 0, kMpcgRounding * std::fabs(sums.rz)));
  const View<KrylovNumbers> numbers = iteration_.numbers();
  for (int it = 1; system.running(); ++it) {
    mpcg_direction(v, it == 1, numbers);
    PetscCall(system.apply(v.p, v.q));
    if (filtered) filter.apply(v.q);
    mpcg_step_length(v, numbers, scratch1_);
    mpcg_update(v, numbers);
    PetscCall(system.precondition(v.r, v.s));
    if (filtered) filter.apply(v.s);
    mpcg_residual(v, numbers, scratch3_);
    PetscCall(PetscLogFlops(15.0 * n));
    PetscCall(iteration_.look(system, it));
  }
  PetscFunctionReturn(0);
}

}  // namespace clarke
