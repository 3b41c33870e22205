#include "framework/petsc_views.hpp"

namespace clarke {

long& petsc_vector_copies() {
  static long count = 0;
  return count;
}

namespace {

int local_size(Vec vec) {
  PetscInt n = 0;
  PetscCallAbort(PETSC_COMM_SELF, VecGetLocalSize(vec, &n));
  return static_cast<int>(n);
}

using HostArray = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

}  // namespace

VecRead::VecRead(Vec vec) : vec_(vec) {
  PetscCallAbort(PETSC_COMM_SELF, VecGetArrayRead(vec, &array_));
  const int n = local_size(vec);
  double* data = const_cast<double*>(array_);
  if constexpr (kDeviceIsHost) {
    view_ = View<double>(data, n);
  } else {
    view_ = View<double>("petsc_copy", n);
    Kokkos::deep_copy(view_, HostArray(data, n));
    ++petsc_vector_copies();
  }
}
VecRead::~VecRead() { (void)VecRestoreArrayRead(vec_, &array_); }

VecUpdate::VecUpdate(Vec vec) : vec_(vec) {
  PetscCallAbort(PETSC_COMM_SELF, VecGetArray(vec, &array_));
  const int n = local_size(vec);
  if constexpr (kDeviceIsHost) {
    view_ = View<double>(array_, n);
  } else {
    view_ = View<double>("petsc_copy", n);
    Kokkos::deep_copy(view_, HostArray(array_, n));
    ++petsc_vector_copies();
  }
}
VecUpdate::~VecUpdate() {
  if constexpr (!kDeviceIsHost) {
    Kokkos::deep_copy(HostArray(array_, view_.extent(0)), view_);
    ++petsc_vector_copies();
  }
  (void)VecRestoreArray(vec_, &array_);
}

VecWrite::VecWrite(Vec vec) : vec_(vec) {
  PetscCallAbort(PETSC_COMM_SELF, VecGetArrayWrite(vec, &array_));
  const int n = local_size(vec);
  if constexpr (kDeviceIsHost) {
    view_ = View<double>(array_, n);
  } else {
    view_ = View<double>("petsc_copy", n);
  }
}
VecWrite::~VecWrite() {
  if constexpr (!kDeviceIsHost) {
    Kokkos::deep_copy(HostArray(array_, view_.extent(0)), view_);
    ++petsc_vector_copies();
  }
  (void)VecRestoreArrayWrite(vec_, &array_);
}

}  // namespace clarke
