#include "linear/mumps_room.hpp"

#include <string>

namespace clarke {

namespace {
constexpr PetscInt kMumpsWorkspacePercent = 200;
}

PetscErrorCode give_mumps_room(KSP ksp) {
  PC pc = nullptr;
  MatSolverType package = nullptr;
  PetscBool factorises = PETSC_FALSE;
  Mat factor = nullptr;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, &factorises, PCLU, PCCHOLESKY, ""));
  if (!factorises) PetscFunctionReturn(0);
  PetscCall(PCFactorGetMatSolverType(pc, &package));
  if (!package || std::string(package) != MATSOLVERMUMPS) PetscFunctionReturn(0);
  PetscCall(PCFactorSetUpMatSolverType(pc));
  PetscCall(PCFactorGetMatrix(pc, &factor));
  PetscCall(MatMumpsSetIcntl(factor, 14, kMumpsWorkspacePercent));
  PetscFunctionReturn(0);
}

}  // namespace clarke
