#pragma once
// PETSc vectors as Views. On host backends the vector's own array is viewed in place. On a device backend the vector
// has a twin there, which lives as long as it does: what is viewed stays valid after the scope, as on the host, until
// somebody changes the vector. Copies between the two are counted. What has not changed since it crossed does not cross
// again; PETSc counts the changes of its objects (PetscObjectStateGet). Scoped: the array is given back to PETSc by the
// destructor.

#include "framework/device.hpp"

#include <petscvec.h>

namespace clarke {

/// Host-device copies of whole PETSc vectors made by this process; 0 on host backends.
long& petsc_vector_copies();

/// Read-only view of a Vec.
class VecRead {
 public:
  explicit VecRead(Vec vec);
  ~VecRead();
  VecRead(const VecRead&) = delete;
  VecRead& operator=(const VecRead&) = delete;
  const View<double>& view() const { return view_; }

 private:
  Vec vec_;
  const PetscScalar* array_ = nullptr;
  View<double> view_;
};

/// Write-only view of a Vec; what was in it before is undefined.
class VecWrite {
 public:
  explicit VecWrite(Vec vec);
  ~VecWrite();
  VecWrite(const VecWrite&) = delete;
  VecWrite& operator=(const VecWrite&) = delete;
  const View<double>& view() const { return view_; }

 private:
  Vec vec_;
  PetscScalar* array_ = nullptr;
  View<double> view_;
};

/// View of a Vec for reading and writing.
class VecUpdate {
 public:
  explicit VecUpdate(Vec vec);
  ~VecUpdate();
  VecUpdate(const VecUpdate&) = delete;
  VecUpdate& operator=(const VecUpdate&) = delete;
  const View<double>& view() const { return view_; }

 private:
  Vec vec_;
  PetscScalar* array_ = nullptr;
  View<double> view_;
};

/// The leading 3 × blocks scalars of v as 3-vectors, starting at scalar `first`.
KOKKOS_INLINE_FUNCTION View<Vec3> as_vec3(const View<double>& v, int first, int blocks) {
  return View<Vec3>(reinterpret_cast<Vec3*>(v.data() + first), blocks);
}

}  // namespace clarke
