#include "linear/krylov/krylov_support.hpp"

#include "framework/petsc_views.hpp"

#include <petsc/private/kspimpl.h>

#include <limits>

namespace clarke {

double dot(const View<double>& v, const View<double>& w, SumScratch<1>& scratch) {
  double sum[1];
  deterministic_sum<1>(
      "krylov_dot", static_cast<int>(v.extent(0)),
      KOKKOS_LAMBDA(int i) { return Kokkos::Array<double, 1>{{v(i) * w(i)}}; }, scratch, sum);
  return sum[0];
}

ResidualSums residual_sums(const View<double>& r, const View<double>& z, SumScratch<3>& scratch) {
  double sum[3];
  deterministic_sum<3>(
      "krylov_residual_sums", static_cast<int>(r.extent(0)),
      KOKKOS_LAMBDA(int i) {
        return Kokkos::Array<double, 3>{{z(i) * z(i), r(i) * r(i), r(i) * z(i)}};
      },
      scratch, sum);
  return {sum[0], sum[1], sum[2]};
}

/// r = b − y, z = d r; y may be z.
static ResidualSums fused_residual(const View<double>& b, const View<double>& y, const View<double>& d,
                                   const View<double>& r, const View<double>& z, SumScratch<3>& scratch) {
  double sum[3];
  deterministic_sum<3>(
      "krylov_residual", static_cast<int>(r.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const double ri = b(i) - y(i), zi = d(i) * ri;
        r(i) = ri;
        z(i) = zi;
        return Kokkos::Array<double, 3>{{zi * zi, ri * ri, ri * zi}};
      },
      scratch, sum);
  return {sum[0], sum[1], sum[2]};
}

/// r = b, z = d r, x = 0.
static ResidualSums fused_start(const View<double>& b, const View<double>& d, const View<double>& x,
                                const View<double>& r, const View<double>& z, SumScratch<3>& scratch) {
  double sum[3];
  deterministic_sum<3>(
      "krylov_start", static_cast<int>(r.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const double ri = b(i), zi = d(i) * ri;
        x(i) = 0;
        r(i) = ri;
        z(i) = zi;
        return Kokkos::Array<double, 3>{{zi * zi, ri * ri, ri * zi}};
      },
      scratch, sum);
  return {sum[0], sum[1], sum[2]};
}

/// r = b − y
static void subtract(const View<double>& b, const View<double>& y, const View<double>& r) {
  parallel_for(
      "krylov_subtract", static_cast<int>(r.extent(0)), KOKKOS_LAMBDA(int i) { r(i) = b(i) - y(i); });
}

/// r = b, x = 0
static void copy_and_zero(const View<double>& b, const View<double>& r, const View<double>& x) {
  parallel_for(
      "krylov_copy_and_zero", static_cast<int>(r.extent(0)), KOKKOS_LAMBDA(int i) {
        r(i) = b(i);
        x(i) = 0;
      });
}

/// z = d r
static void scale(const View<double>& d, const View<double>& r, const View<double>& z) {
  parallel_for(
      "krylov_scale", static_cast<int>(r.extent(0)), KOKKOS_LAMBDA(int i) { z(i) = d(i) * r(i); });
}

static void fill(const View<double>& v, double value) {
  parallel_for(
      "krylov_fill", static_cast<int>(v.extent(0)), KOKKOS_LAMBDA(int i) { v(i) = value; });
}

/// Products with Clarke's operators bypass MatMult and its event.
static PetscLogEvent operator_event() {
  static PetscLogEvent event = -1;
  if (event < 0) PetscCallAbort(PETSC_COMM_SELF, PetscLogEventRegister("ClarkeOperator", KSP_CLASSID, &event));
  return event;
}

/// Vec to View and back, on device backends.
static PetscErrorCode upload(Vec vec, const View<double>& view) {
  const PetscScalar* array = nullptr;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(vec, &array));
  Kokkos::deep_copy(view,
                    Kokkos::View<const double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(array, view.extent(0)));
  PetscCall(VecRestoreArrayRead(vec, &array));
  ++petsc_vector_copies();
  PetscFunctionReturn(0);
}

static PetscErrorCode download(const View<double>& view, Vec vec) {
  PetscScalar* array = nullptr;
  PetscFunctionBegin;
  PetscCall(VecGetArrayWrite(vec, &array));
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(array, view.extent(0)), view);
  PetscCall(VecRestoreArrayWrite(vec, &array));
  ++petsc_vector_copies();
  PetscFunctionReturn(0);
}

int KrylovSystem::max_iterations() const { return static_cast<int>(ksp_->max_it); }
bool KrylovSystem::norm_free() const { return ksp_->normtype == KSP_NORM_NONE; }
bool KrylovSystem::zero_guess() const { return ksp_->guess_zero; }
bool KrylovSystem::running() const { return ksp_->reason == KSP_CONVERGED_ITERATING; }

PetscErrorCode KrylovSystem::through_petsc(Product product, const View<double>& in, const View<double>& out) {
  PetscFunctionBegin;
  // KSPReset frees the vectors but leaves their number.
  if (!ksp_->work || ksp_->nwork < 2) PetscCall(KSPSetWorkVecs(ksp_, 2));
  Vec source = ksp_->work[0], target = ksp_->work[1];
  if constexpr (kDeviceIsHost) {
    PetscCall(VecPlaceArray(source, in.data()));
    PetscCall(VecPlaceArray(target, out.data()));
  } else {
    PetscCall(download(in, source));
  }
  if (product == Product::kOperator) {
    PetscCall(KSP_MatMult(ksp_, matrix_, source, target));
  } else {
    PetscCall(KSP_PCApply(ksp_, source, target));
  }
  if constexpr (kDeviceIsHost) {
    PetscCall(VecResetArray(source));
    PetscCall(VecResetArray(target));
  } else {
    PetscCall(upload(target, out));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::apply(const View<double>& v, const View<double>& y) {
  PetscFunctionBegin;
  if (operator_) {
    PetscCall(PetscLogEventBegin(operator_event(), ksp_, 0, 0, 0));
    operator_->apply(v, y);
    PetscCall(PetscLogEventEnd(operator_event(), ksp_, 0, 0, 0));
  } else {
    PetscCall(through_petsc(Product::kOperator, v, y));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::apply_open(const View<double>& v, const View<double>& y, const View<int>& closed) {
  PetscFunctionBegin;
  PetscCall(PetscLogEventBegin(operator_event(), ksp_, 0, 0, 0));
  operator_->apply_open(v, y, closed);
  PetscCall(PetscLogEventEnd(operator_event(), ksp_, 0, 0, 0));
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::precondition(const View<double>& r, const View<double>& z) {
  PetscFunctionBegin;
  if (diagonal_) {
    scale(inverse_diagonal_.view(), r, z);
    PetscCall(PetscLogFlops(1.0 * size_));
  } else if (view_preconditioner_) {
    PetscCall(view_preconditioner_(ksp_->pc, r, z));
  } else {
    PetscCall(through_petsc(Product::kPreconditioner, r, z));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::residual(const View<double>& r, const View<double>& z, ResidualSums* sums) {
  PetscFunctionBegin;
  PetscCall(apply(x_, z));
  if (diagonal_) {
    *sums = fused_residual(b_, z, inverse_diagonal_.view(), r, z, scratch_);
  } else {
    subtract(b_, z, r);
    PetscCall(precondition(r, z));
    *sums = residual_sums(r, z, scratch_);
  }
  PetscCall(PetscLogFlops(8.0 * size_));
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::start(const View<double>& r, const View<double>& z, ResidualSums* sums) {
  PetscFunctionBegin;
  if (!ksp_->guess_zero) {
    PetscCall(residual(r, z, sums));
    PetscFunctionReturn(0);
  }
  if (diagonal_) {
    *sums = fused_start(b_, inverse_diagonal_.view(), x_, r, z, scratch_);
  } else {
    copy_and_zero(b_, r, x_);
    PetscCall(precondition(r, z));
    *sums = residual_sums(r, z, scratch_);
  }
  PetscCall(PetscLogFlops(7.0 * size_));
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::check_finite(double value) {
  PetscFunctionBegin;
  KSPCheckDot(ksp_, value);
  PetscFunctionReturn(0);
}

int KrylovSystem::tested_sum() const {
  switch (ksp_->normtype) {
    case KSP_NORM_PRECONDITIONED:
      return 0;
    case KSP_NORM_UNPRECONDITIONED:
      return 1;
    case KSP_NORM_NATURAL:
      return 2;
    default:
      return -1;
  }
}

double KrylovSystem::tested_norm(const ResidualSums& sums) const {
  const int which = tested_sum();
  return which == 0 ? sums.zz : which == 1 ? sums.rr : which == 2 ? sums.rz : 0;
}

bool KrylovSystem::small_enough(double norm, double first) const {
  if (norm_free() || ksp_->converged != KSPConvergedDefault) return false;
  return norm <= ksp_->rtol * first || norm <= ksp_->abstol;
}

bool KrylovSystem::foreseeable(double& low, double& high) const {
  low = -1;
  high = std::numeric_limits<double>::infinity();
  if (ksp_->numbermonitors > 0) return false;
  if (ksp_->converged == KSPConvergedSkip) return true;
  if (norm_free() || ksp_->converged != KSPConvergedDefault || ksp_->chknorm > 0) return false;
  low = ksp_->ttol;
  high = ksp_->divtol * ksp_->rnorm0;
  return true;
}

PetscErrorCode KrylovSystem::record(int it, const ResidualSums& sums) {
  PetscFunctionBegin;
  ksp_->its = it;
  PetscCall(check_finite(sums.rz));
  if (!running()) PetscFunctionReturn(0);
  const double squared = tested_norm(sums);
  ksp_->rnorm = squared > 0 ? PetscSqrtReal(squared) : 0;
  PetscCall(KSPLogResidualHistory(ksp_, ksp_->rnorm));
  if (ksp_->numbermonitors > 0) {
    if constexpr (kDeviceIsHost) {
      // x changed behind PETSc's back: norms it remembers are not x's any more.
      PetscCall(PetscObjectStateIncrease((PetscObject)ksp_->vec_sol));
    } else {
      PetscCall(download(x_, ksp_->vec_sol));
    }
    PetscCall(KSPMonitor(ksp_, it, ksp_->rnorm));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::test(int it, const ResidualSums& sums) {
  PetscFunctionBegin;
  PetscCall(record(it, sums));
  if (!running()) PetscFunctionReturn(0);
  PetscCall((*ksp_->converged)(ksp_, it, ksp_->rnorm, &ksp_->reason, ksp_->cnvP));
  if (running() && it >= ksp_->max_it) ksp_->reason = KSP_DIVERGED_ITS;
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::stop(KSPConvergedReason reason, const char* why) {
  PetscFunctionBegin;
  ksp_->reason = reason;
  PetscCall(PetscInfo(ksp_, "%s\n", why));
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::find_fast_paths() {
  PetscFunctionBegin;
  Mat preconditioned = nullptr;
  MatNullSpace null_space = nullptr;
  PetscCall(PCGetOperators(ksp_->pc, &matrix_, &preconditioned));
  PetscCall(MatGetNullSpace(matrix_, &null_space));
  operator_ = ksp_->transpose_solve ? nullptr : operator_of(matrix_);

  // As PCApply does: notices a matrix that changed without KSPSetOperators.
  PetscCall(PCSetUp(ksp_->pc));
  // PETSc removes the null space it was told of after each PCApply, so those solves go through PETSc.
  const bool plain = !ksp_->transpose_solve && !null_space;
  PetscBool jacobi = PETSC_FALSE;
  PetscCall(PetscObjectTypeCompare((PetscObject)ksp_->pc, PCJACOBI, &jacobi));
  diagonal_ = false;
  view_preconditioner_ = nullptr;
  if (plain) PetscCall(PetscObjectQueryFunction((PetscObject)ksp_->pc, kPcViewApply, &view_preconditioner_));

  Key key;
  key.size = size_;
  key.diagonal = plain && jacobi;
  PetscCall(PetscObjectGetId((PetscObject)matrix_, &key.a));
  PetscCall(PetscObjectGetId((PetscObject)preconditioned, &key.p));
  PetscCall(PetscObjectGetId((PetscObject)ksp_->pc, &key.pc));
  PetscCall(PetscObjectStateGet((PetscObject)matrix_, &key.a_state));
  PetscCall(PetscObjectStateGet((PetscObject)preconditioned, &key.p_state));
  if (!(key == key_)) {
    key_ = Key();  // valid only when all of the below succeeded
    ++stamp_;
    if (key.diagonal) {
      // PCJACOBI applied to ones is its diagonal, whatever its own options made of it.
      const View<double> ones = ones_.resize(size_);
      fill(ones, 1);
      PetscCall(through_petsc(Product::kPreconditioner, ones, inverse_diagonal_.resize(size_)));
    }
    key_ = key;
  }
  diagonal_ = key.diagonal;
  PetscFunctionReturn(0);
}

PetscErrorCode KrylovSystem::begin(KSP ksp) {
  PetscFunctionBegin;
  PetscInt n = 0;
  PetscBool scaled = PETSC_FALSE;
  ksp_ = ksp;
  PetscCall(VecGetLocalSize(ksp->vec_rhs, &n));
  PetscCall(PCGetDiagonalScale(ksp->pc, &scaled));
  PetscCheck(!scaled, PETSC_COMM_SELF, PETSC_ERR_SUP, "KSP %s does not support diagonal scaling",
             ((PetscObject)ksp)->type_name);
  size_ = static_cast<int>(n);
  ksp->its = 0;
  ksp->reason = KSP_CONVERGED_ITERATING;
  PetscCall(find_fast_paths());
  right_hand_side_.emplace(ksp->vec_rhs);
  b_ = right_hand_side_->view();
  if (ksp->guess_zero) {
    solution_.emplace(ksp->vec_sol);
    x_ = solution_->view();
  } else {
    guess_.emplace(ksp->vec_sol);
    x_ = guess_->view();
  }
  PetscFunctionReturn(0);
}

void KrylovSystem::end() {
  b_ = x_ = View<double>();
  right_hand_side_.reset();
  solution_.reset();
  guess_.reset();
}

}  // namespace clarke
