#include "framework/petsc_views.hpp"

#include <petsc/private/petscimpl.h>  // PetscObjectStateGet

#include <limits>

namespace clarke {

long& petsc_vector_copies() {
  static long count = 0;
  return count;
}

namespace {

constexpr const char* kDeviceVector = "ClarkeDeviceVector";

/// What a vector of PETSc is on the device, kept with it as long as it lives.
struct DeviceVector {
  PetscObjectId owner = 0;      // VecDuplicate hands on what is composed with a vector
  PetscObjectState state = -1;  // of the vector when both were the same
  View<double> values;
};

int local_size(Vec vec) {
  PetscInt n = 0;
  PetscCallAbort(PETSC_COMM_SELF, VecGetLocalSize(vec, &n));
  return static_cast<int>(n);
}

PetscObjectState state_of(Vec vec) {
  PetscObjectState state = 0;
  PetscCallAbort(PETSC_COMM_SELF, PetscObjectStateGet((PetscObject)vec, &state));
  return state;
}

PetscErrorCode destroy(void* vector) {
  delete static_cast<DeviceVector*>(vector);
  return 0;
}

/// Made when it is first wanted.
DeviceVector& device_vector(Vec vec) {
  PetscObjectId id = 0;
  PetscContainer container = nullptr;
  void* found = nullptr;
  PetscCallAbort(PETSC_COMM_SELF, PetscObjectGetId((PetscObject)vec, &id));
  PetscCallAbort(PETSC_COMM_SELF,
                 PetscObjectQuery((PetscObject)vec, kDeviceVector, reinterpret_cast<PetscObject*>(&container)));
  if (container) PetscCallAbort(PETSC_COMM_SELF, PetscContainerGetPointer(container, &found));
  if (found && static_cast<DeviceVector*>(found)->owner == id) return *static_cast<DeviceVector*>(found);
  auto* const made = new DeviceVector{id, -1, View<double>("petsc_copy", local_size(vec))};
  PetscCallAbort(PETSC_COMM_SELF, PetscContainerCreate(PETSC_COMM_SELF, &container));
  PetscCallAbort(PETSC_COMM_SELF, PetscContainerSetPointer(container, made));
  PetscCallAbort(PETSC_COMM_SELF, PetscContainerSetUserDestroy(container, destroy));
  PetscCallAbort(PETSC_COMM_SELF, PetscObjectCompose((PetscObject)vec, kDeviceVector, (PetscObject)container));
  PetscCallAbort(PETSC_COMM_SELF, PetscContainerDestroy(&container));
  return *made;
}

using HostArray = Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;

/// A view of what has these values on the host, which cross unless they have not changed since they did last.
View<double> view_of(Vec vec, const double* array) {
  double* const data = const_cast<double*>(array);
  if constexpr (kDeviceIsHost) return View<double>(data, local_size(vec));
  DeviceVector& device = device_vector(vec);
  if (device.state != state_of(vec)) {
    Kokkos::deep_copy(device.values, HostArray(data, device.values.extent(0)));
    ++petsc_vector_copies();
    device.state = state_of(vec);
  }
  return device.values;
}

/// The host has what was written on the device.
void download(const View<double>& view, double* array) {
  if constexpr (kDeviceIsHost) return;
  Kokkos::deep_copy(HostArray(array, view.extent(0)), view);
  ++petsc_vector_copies();
}

/// After PETSc has counted the change.
void is_as_on_device(Vec vec) {
  if constexpr (!kDeviceIsHost) device_vector(vec).state = state_of(vec);
}

}  // namespace

VecRead::VecRead(Vec vec) : vec_(vec) {
  PetscCallAbort(PETSC_COMM_SELF, VecGetArrayRead(vec, &array_));
  view_ = view_of(vec, array_);
}
VecRead::~VecRead() { (void)VecRestoreArrayRead(vec_, &array_); }

VecUpdate::VecUpdate(Vec vec) : vec_(vec) {
  PetscCallAbort(PETSC_COMM_SELF, VecGetArray(vec, &array_));
  view_ = view_of(vec, array_);
}
VecUpdate::~VecUpdate() {
  download(view_, array_);
  (void)VecRestoreArray(vec_, &array_);
  is_as_on_device(vec_);
}

VecWrite::VecWrite(Vec vec) : vec_(vec) {
  PetscCallAbort(PETSC_COMM_SELF, VecGetArrayWrite(vec, &array_));
  is_as_on_device(vec);  // from now on: nothing crosses
  view_ = view_of(vec, array_);
#if defined(CLARKE_FENCE_DEVICE)
  fill(view_, std::numeric_limits<double>::quiet_NaN());  // whoever does not write all of it is found out
#endif
}
VecWrite::~VecWrite() {
  download(view_, array_);
  (void)VecRestoreArrayWrite(vec_, &array_);
  is_as_on_device(vec_);
}

}  // namespace clarke
