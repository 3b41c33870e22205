#pragma once
// Clarke runs as one process. MPI, which PETSc brings along, is told so before it starts: Open MPI otherwise starts a
// daemon for every run and makes directories in TMPDIR, which runs that begin at the same moment fight over ("A call to
// mkdir was unable to create the desired directory"). Both are parameters of Open MPI 4 in the environment; other
// implementations do not read them, what the user has set stays, and under mpiexec nothing is changed.

#include <cstdlib>

namespace clarke {

/// To be called before PetscInitialize().
inline void start_as_single_process() {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr) return;
  (void)setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  (void)setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
}

}  // namespace clarke
