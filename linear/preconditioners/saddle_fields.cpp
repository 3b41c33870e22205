#include "linear/preconditioners/saddle_fields.hpp"

namespace clarke {

PetscErrorCode name_saddle_fields(PC pc, PetscInt velocities, PetscInt impulses) {
  PetscBool splits = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCFIELDSPLIT, &splits));
  if (!splits) PetscFunctionReturn(0);
  // Fields cannot be exchanged, only added: begin anew.
  PetscCall(PCSetType(pc, PCNONE));
  PetscCall(PCSetType(pc, PCFIELDSPLIT));
  PetscCall(PCSetFromOptions(pc));
  const struct {
    const char* name;
    PetscInt first, size;
  } fields[] = {{"velocity", 0, velocities}, {"impulse", velocities, impulses}};
  for (const auto& field : fields) {
    IS indices = nullptr;
    PetscCall(ISCreateStride(PETSC_COMM_SELF, field.size, field.first, 1, &indices));
    PetscCall(PCFieldSplitSetIS(pc, field.name, indices));
    PetscCall(ISDestroy(&indices));
  }
  PetscFunctionReturn(0);
}

}  // namespace clarke
