#include "linear/krylov/krylov_method.hpp"

#include <petsc/private/kspimpl.h>

#include <exception>
#include <utility>

namespace clarke {

namespace {

#if PETSC_VERSION_LT(3, 23, 0)
using OptionItems = PetscOptionItems*;
#else
using OptionItems = PetscOptionItems;
#endif

/// What hangs at ksp->data.
struct KrylovData {
  std::unique_ptr<KrylovMethod> method;
  KrylovSystem system;
};

KrylovData* data_of(KSP ksp) { return static_cast<KrylovData*>(ksp->data); }

PetscErrorCode KSPSetUp_Clarke(KSP ksp) {
  PetscMPIInt processes = 1;
  PetscFunctionBegin;
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)ksp), &processes));
  PetscCheck(processes == 1, PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP, "KSP %s runs in one process, not in %d",
             ((PetscObject)ksp)->type_name, processes);
  PetscCall(data_of(ksp)->method->check(ksp));
  PetscFunctionReturn(0);
}

/// b and x, which are given back however the solve ends.
struct Lent {
  KrylovSystem& system;
  ~Lent() { system.end(); }
};

PetscErrorCode KSPSolve_Clarke(KSP ksp) {
  KrylovData& data = *data_of(ksp);
  PetscFunctionBegin;
  try {
    PetscCall(data.method->check(ksp));
    const Lent lent{data.system};
    PetscCall(data.system.begin(ksp));
    PetscCall(data.method->solve(data.system));
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "KSP %s: %s", ((PetscObject)ksp)->type_name, e.what());
  }
  PetscFunctionReturn(0);
}

PetscErrorCode KSPSetFromOptions_Clarke(KSP ksp, OptionItems) {
  PetscFunctionBegin;
  try {
    OptionReader reader;
    data_of(ksp)->method->describe(reader);
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER_INPUT, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

/// Prints the numbers of a method in -ksp_view.
class OptionViewer final : public OptionVisitor {
 public:
  explicit OptionViewer(PetscViewer viewer) : viewer_(viewer) {}
  void real(const char* name, double& value, const OptionInfo&) override {
    (void)PetscViewerASCIIPrintf(viewer_, "  %s=%g\n", name, value);
  }
  void integer(const char* name, int& value, const OptionInfo&) override {
    (void)PetscViewerASCIIPrintf(viewer_, "  %s=%d\n", name, value);
  }
  void flag(const char* name, bool& value, const OptionInfo&) override {
    (void)PetscViewerASCIIPrintf(viewer_, "  %s=%s\n", name, value ? "true" : "false");
  }
  void text(const char* name, std::string& value, const OptionInfo&) override {
    (void)PetscViewerASCIIPrintf(viewer_, "  %s=%s\n", name, value.c_str());
  }
  void choice(const char* name, std::string& value, const std::vector<std::string>&, const OptionInfo& info) override {
    text(name, value, info);
  }

 private:
  PetscViewer viewer_;
};

PetscErrorCode KSPView_Clarke(KSP ksp, PetscViewer viewer) {
  PetscBool ascii = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
  if (ascii) {
    OptionViewer printer(viewer);
    data_of(ksp)->method->describe(printer);
  }
  PetscFunctionReturn(0);
}

PetscErrorCode KSPDestroy_Clarke(KSP ksp) {
  PetscFunctionBegin;
  delete data_of(ksp);
  ksp->data = nullptr;
  PetscCall(KSPDestroyDefault(ksp));
  PetscFunctionReturn(0);
}

}  // namespace

KrylovMethod* krylov_method_of(KSP ksp) {
  return ksp->ops->solve == KSPSolve_Clarke ? data_of(ksp)->method.get() : nullptr;
}

PetscErrorCode install_krylov_method(KSP ksp, std::unique_ptr<KrylovMethod> method) {
  PetscFunctionBegin;
  ksp->data = new KrylovData{std::move(method), {}};
  ksp->ops->setup = KSPSetUp_Clarke;
  ksp->ops->solve = KSPSolve_Clarke;
  ksp->ops->setfromoptions = KSPSetFromOptions_Clarke;
  ksp->ops->view = KSPView_Clarke;
  ksp->ops->destroy = KSPDestroy_Clarke;
  ksp->ops->buildsolution = KSPBuildSolutionDefault;
  ksp->ops->buildresidual = KSPBuildResidualDefault;
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_PRECONDITIONED, PC_LEFT, 3));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_UNPRECONDITIONED, PC_LEFT, 2));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_NATURAL, PC_LEFT, 2));
  PetscCall(KSPSetSupportedNorm(ksp, KSP_NORM_NONE, PC_LEFT, 1));
  PetscFunctionReturn(0);
}

}  // namespace clarke
