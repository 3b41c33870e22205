#pragma once
// The communicator of a simulation. Everything of PETSc's that belongs to a step is made on it, or on that of the
// object it is part of, so that distribution has one place to begin. One process so far.

#include <petscsys.h>

namespace clarke {

inline MPI_Comm simulation_communicator() { return PETSC_COMM_SELF; }

}  // namespace clarke
