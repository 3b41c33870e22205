#include "linear/operators/hessian_solver.hpp"

#include "framework/communicator.hpp"
#include "framework/petsc_views.hpp"
#include "linear/layout_change.hpp"
#include "linear/mumps_room.hpp"
#include "linear/operators/form.hpp"

#include <stdexcept>

namespace clarke {

namespace {

void petsc_check(PetscErrorCode error, const char* what) {
  if (error) throw std::runtime_error(std::string("PETSc failed in ") + what + " of H");
}

}  // namespace

HessianSolver::~HessianSolver() {
  (void)KSPDestroy(&ksp_);
  (void)MatDestroy(&mat_);
  (void)VecDestroy(&f_);
  (void)VecDestroy(&v_);
}

PetscErrorCode HessianSolver::configure(bool symmetric) {
  PC pc = nullptr;
  PetscFunctionBegin;
  if (ksp_) PetscFunctionReturn(0);
  PetscCall(KSPCreate(simulation_communicator(), &ksp_));
  PetscCall(KSPSetOptionsPrefix(ksp_, "hessian_"));
  PetscCall(KSPSetType(ksp_, KSPPREONLY));
  PetscCall(KSPGetPC(ksp_, &pc));
  PetscCall(PCSetType(pc, symmetric ? PCCHOLESKY : PCLU));
  PetscCall(KSPSetTolerances(ksp_, 1e-10, 1e-50, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(KSPSetFromOptions(ksp_));
  PetscFunctionReturn(0);
}

PetscErrorCode HessianSolver::create_matrix(const ReducedSystem& reduced) {
  const PetscInt n = 3 * reduced.blocks();
  PC pc = nullptr;
  PetscFunctionBegin;
  PetscCall(KSPReset(ksp_));
  PetscCall(MatDestroy(&mat_));
  PetscCall(VecDestroy(&f_));
  PetscCall(VecDestroy(&v_));
  rows_ = new_rows_;
  columns_ = new_columns_;
  values_ = HostView<double>("hessian_coo_values", rows_.size());
  PetscCall(MatCreate(simulation_communicator(), &mat_));
  PetscCall(MatSetSizes(mat_, n, n, n, n));
  PetscCall(MatSetType(mat_, MATSEQAIJ));
  PetscCall(MatSetBlockSize(mat_, 3));
  // MatSetPreallocationCOO overwrites its index arrays, so it gets copies.
  std::vector<int> i = rows_, j = columns_;
  PetscCall(MatSetPreallocationCOO(mat_, static_cast<PetscCount>(i.size()), i.data(), j.data()));
  const PetscBool symmetric = reduced.symmetric_hessian() ? PETSC_TRUE : PETSC_FALSE;
  PetscCall(MatSetOption(mat_, MAT_SYMMETRIC, symmetric));
  PetscCall(MatSetOption(mat_, MAT_SYMMETRY_ETERNAL, symmetric));
  PetscCall(MatCreateVecs(mat_, &v_, &f_));
  PetscCall(KSPGetPC(ksp_, &pc));
  PetscCall(prepare_for_layout(pc, n, 0));
  PetscFunctionReturn(0);
}

/// PETSc's own Cholesky is U D Uᵀ and does not mind a negative D; MUMPS neither. CHOLMOD does not tell, and is refused.
PetscErrorCode HessianSolver::check_definite() {
  PC pc = nullptr;
  PetscBool cholesky = PETSC_FALSE;
  MatSolverType package = nullptr;
  Mat factor = nullptr;
  PetscInt negative = 0;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(ksp_, &pc));
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCCHOLESKY, &cholesky));
  if (!cholesky) PetscFunctionReturn(0);
  PetscCall(PCFactorGetMatSolverType(pc, &package));
  const std::string name = package ? package : MATSOLVERPETSC;
  PetscCall(PCFactorGetMatrix(pc, &factor));
  if (name == MATSOLVERPETSC) {
    PetscInt zero = 0, positive = 0;
    PetscCall(MatGetInertia(factor, &negative, &zero, &positive));
  } else if (name == MATSOLVERMUMPS) {
    constexpr PetscInt kNegativePivots = 12;  // INFOG
    PetscCall(MatMumpsGetInfog(factor, kNegativePivots, &negative));
  }
  if (negative > 0)
    failure_ = "H is indefinite (" + std::to_string(negative) +
               " negative eigenvalues): -hessian_pc_type lu, or -soft_projection clamp";
  PetscFunctionReturn(0);
}

PetscErrorCode HessianSolver::factorise(const ReducedSystem& reduced) {
  PC pc = nullptr;
  PCFailedReason reason = PC_NOERROR;
  PetscFunctionBegin;
  PetscCall(configure(reduced.symmetric_hessian()));
  bool changed = false;
  if (!mat_ || layout_stamp_ != reduced.layout_stamp()) {  // most new layouts have other contacts and the same H
    new_rows_.clear();
    new_columns_.clear();
    add_hessian_coordinates(reduced, new_rows_, new_columns_);
    changed = !mat_ || new_rows_ != rows_ || new_columns_ != columns_;
    if (changed) PetscCall(create_matrix(reduced));
    layout_stamp_ = reduced.layout_stamp();
  }
  std::size_t n = 0;
  add_hessian_values(reduced, [&](const Mat3& block) {
    for (int e = 0; e < 9; ++e) values_(n++) = block(e / 3, e % 3);
  });
  PetscCall(MatSetValuesCOO(mat_, values_.data(), INSERT_VALUES));
  PetscCall(KSPSetOperators(ksp_, mat_, mat_));
  if (changed) PetscCall(give_mumps_room(ksp_));
  PetscCall(KSPSetUp(ksp_));
  PetscCall(KSPGetPC(ksp_, &pc));
  PetscCall(PCGetFailedReason(pc, &reason));
  if (reason == PC_NOERROR) {
    PetscCall(check_definite());
  } else {
    PCType type = nullptr;
    PetscCall(PCGetType(pc, &type));
    failure_ =
        std::string("-hessian_pc_type ") + type + " failed on H: it is singular, or not positive definite; try lu";
  }
  PetscFunctionReturn(0);
}

std::string HessianSolver::update(const ReducedSystem& reduced) {
  failure_.clear();
  petsc_check(factorise(reduced), "the factorisation");
  return failure_;
}

PetscErrorCode HessianSolver::solve_now() {
  KSPConvergedReason reason;
  PetscInt iterations = 0;
  PetscFunctionBegin;
  PetscCall(KSPSolve(ksp_, f_, v_));
  PetscCall(KSPGetIterationNumber(ksp_, &iterations));
  PetscCall(KSPGetConvergedReason(ksp_, &reason));
  ++count_.solves;
  count_.iterations += iterations;
  count_.budgets += reason == KSP_DIVERGED_ITS;
  if (reason < 0 && reason != KSP_DIVERGED_ITS)
    failure_ = std::string("-hessian_ksp_type: ") + KSPConvergedReasons[reason];
  PetscFunctionReturn(0);
}

void HessianSolver::solve(const View<Vec3>& f, const View<Vec3>& v) {
  if (!failure_.empty()) {
    fill(v, Vec3{});
    return;
  }
  const int blocks = static_cast<int>(f.extent(0));
  {
    const VecWrite in(f_);
    Kokkos::deep_copy(as_vec3(in.view(), 0, blocks), f);
  }
  petsc_check(solve_now(), "a solve");
  const VecRead out(v_);
  Kokkos::deep_copy(v, as_vec3(out.view(), 0, blocks));
}

HessianSolver::Count HessianSolver::take_count() {
  const Count out = count_;
  count_ = {};
  return out;
}

}  // namespace clarke
