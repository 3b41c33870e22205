#include "linear/layout_change.hpp"

#include <string>

namespace clarke {

PetscErrorCode prepare_for_layout(PC pc, PetscInt velocities, PetscInt impulses) {
  PetscBool plain = PETSC_FALSE, splits = PETSC_FALSE;
  PCType type = nullptr;
  PetscFunctionBegin;
  // Those that PCReset is enough for.
  PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, &plain, PCNONE, PCJACOBI, "block_jacobi", PCPBJACOBI, PCLU,
                                      PCCHOLESKY, PCILU, PCICC, PCSOR, ""));
  if (plain) PetscFunctionReturn(0);
  PetscCall(PCGetType(pc, &type));
  const std::string name = type ? type : PCNONE;  // PETSc's text goes with the type
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(PCSetType(pc, name.c_str()));
  PetscCall(PCSetFromOptions(pc));
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCFIELDSPLIT, &splits));
  if (!splits || impulses == 0) PetscFunctionReturn(0);
  const struct {
    const char* name;
    PetscInt first, size;
  } fields[] = {{"velocity", 0, velocities}, {"impulse", velocities, impulses}};
  for (const auto& field : fields) {
    IS indices = nullptr;
    PetscCall(ISCreateStride(PetscObjectComm((PetscObject)pc), field.size, field.first, 1, &indices));
    PetscCall(PCFieldSplitSetIS(pc, field.name, indices));
    PetscCall(ISDestroy(&indices));
  }
  PetscFunctionReturn(0);
}

}  // namespace clarke
