#pragma once
// H⁻¹ where H is block-sparse (framework/force_items.hpp): assembled, factorised once per linearisation, and applied as
// often as the Schur form asks [docs/theory.md, eq. L2].
//
//   H v = f        H symmetric, 3 × 3 blocks; velocity blocks that no force touches stand by themselves
//
// The solver is a KSP of PETSc with the prefix `hessian_`: -hessian_ksp_type preonly and -hessian_pc_type cholesky
// unless told otherwise. Cholesky wants H positive definite: with -soft_projection none it need not be, and then the
// step fails with the number of negative eigenvalues, whether or not the package would have gone on (PETSc's own
// factorises any H = U D Uᵀ without pivots).
// -hessian_pc_type lu takes any H that is regular. An iterative solver, say `-hessian_ksp_type cg -hessian_pc_type
// icc`, makes the Schur operator as inexact as -hessian_ksp_rtol (1e-10).
//
// Bytes: one product is two triangular solves, 12 per entry of a factor each (8 and a 4-byte index) and 48 per
// velocity.

#include "linear/reduced_system.hpp"

#include <petscksp.h>

#include <string>

namespace clarke {

class HessianSolver {
 public:
  HessianSolver() = default;
  ~HessianSolver();
  HessianSolver(const HessianSolver&) = delete;
  HessianSolver& operator=(const HessianSolver&) = delete;

  /// Creates the KSP and reads its options; nothing when that is done.
  PetscErrorCode configure(bool symmetric);
  /// nullptr before configure().
  KSP ksp() const { return ksp_; }
  /// Assembles and factorises the H of the last reduce(). "" or why it cannot be; then solve() gives zeros.
  std::string update(const ReducedSystem& reduced);
  /// v = H⁻¹ f
  void solve(const View<Vec3>& f, const View<Vec3>& v);
  /// Why an iterative solve did not end since the last update(); "".
  const std::string& failure() const { return failure_; }

  struct Count {
    long solves = 0, iterations = 0, budgets = 0;  // budgets: solves that ended at -hessian_ksp_max_it
  };
  /// Since the last call.
  Count take_count();

 private:
  PetscErrorCode create_matrix(const ReducedSystem& reduced);
  PetscErrorCode factorise(const ReducedSystem& reduced);
  PetscErrorCode check_definite();
  PetscErrorCode solve_now();

  KSP ksp_ = nullptr;
  Mat mat_ = nullptr;
  Vec f_ = nullptr, v_ = nullptr;
  std::vector<int> rows_, columns_, new_rows_, new_columns_;
  std::uint64_t layout_stamp_ = 0;
  HostView<double> values_;
  std::string failure_;
  Count count_;
};

}  // namespace clarke
