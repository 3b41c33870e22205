#include "linear/krylov/gauss_seidel.hpp"

#include "linear/krylov/krylov_method.hpp"

namespace clarke {

static void set_zero(const View<double>& x) {
  parallel_for(
      "gauss_seidel_zero", static_cast<int>(x.extent(0)), KOKKOS_LAMBDA(int i) { x(i) = 0; });
}

namespace {

class GaussSeidel final : public KrylovMethod {
 public:
  KrylovNeeds needs() const override { return {.definite = true, .schur_rows = true}; }
  PetscErrorCode check(KSP ksp) const override {
    Mat matrix = nullptr;
    PetscFunctionBegin;
    PetscCall(KSPGetOperators(ksp, &matrix, nullptr));
    const LinearOperator* op = operator_of(matrix);
    PetscCheck(op && op->has_gauss_seidel(), PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
               "-ksp_type gauss_seidel sweeps over the rows of the Schur form: use it with "
               "-system_form schur, not assembled");
    PetscFunctionReturn(0);
  }

  PetscErrorCode solve(KrylovSystem& system) override {
    const View<double> r = r_.resize(system.size()), z = z_.resize(system.size());
    const bool with_norm = !system.norm_free();
    ResidualSums sums;

    PetscFunctionBegin;
    const LinearOperator* op = system.linear_operator();
    PetscCheck(op, PETSC_COMM_SELF, PETSC_ERR_SUP, "gauss_seidel does not solve with the transpose");
    if (with_norm) {
      PetscCall(system.start(r, z, &sums));
    } else if (system.zero_guess()) {
      set_zero(system.x());
    }
    PetscCall(system.test(0, sums));
    for (int it = 1; system.running(); ++it) {
      op->gauss_seidel_sweep(system.b(), system.x());
      if (with_norm) PetscCall(system.residual(r, z, &sums));
      PetscCall(system.test(it, sums));
    }
    PetscFunctionReturn(0);
  }

 private:
  Buffer<double> r_{"gauss_seidel_r"}, z_{"gauss_seidel_z"};
};

}  // namespace

PetscErrorCode create_gauss_seidel(KSP ksp) {
  PetscFunctionBegin;
  PetscCall(install_krylov_method(ksp, std::make_unique<GaussSeidel>()));
  PetscFunctionReturn(0);
}

}  // namespace clarke
