#pragma once
// A KSP type from a method that knows nothing of PETSc's internals: derive from KrylovMethod, do the arithmetic on
// Views, and let the type's create function call install_krylov_method().

#include "framework/options.hpp"
#include "linear/krylov/krylov_support.hpp"

#include <memory>

namespace clarke {

/// A method that improves x until `system.running()` is false. Lives as long as its KSP, and keeps its work vectors.
class KrylovMethod {
 public:
  virtual ~KrylovMethod() = default;
  /// Refuses, with a PETSc error, what the method cannot solve.
  virtual PetscErrorCode check(KSP /*ksp*/) const { return 0; }
  virtual PetscErrorCode solve(KrylovSystem& system) = 0;
  /// The method's own options. They have no prefix, whatever the prefix of the KSP.
  virtual void describe(OptionVisitor& /*visitor*/) {}
};

/// Makes `ksp` a KSP of `method`, with the residual norms preconditioned (default), unpreconditioned, natural √(r·z),
/// none.
PetscErrorCode install_krylov_method(KSP ksp, std::unique_ptr<KrylovMethod> method);

}  // namespace clarke
