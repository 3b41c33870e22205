#pragma once
// A KSP type from a method that knows nothing of PETSc's internals: derive from KrylovMethod, do the arithmetic on
// Views, and let register_linear() call add_krylov_method<M>().
//
//   class M : public KrylovMethod { kName; kSummary; kCitation;  needs();  solve(); }
//
// With options of its own it also has   struct Options { …; void describe(OptionVisitor&); }   by which the reference
// knows them, a member of that type, and   void describe(OptionVisitor& v) override { options_.describe(v); }   by
// which they are read and recorded.

#include "framework/options.hpp"
#include "framework/registry.hpp"
#include "linear/krylov/krylov_support.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace clarke {

/// What a method asks of A; what cannot be had is refused before the first step.
struct KrylovNeeds {
  bool symmetric = false;
  bool definite = false;  // x·Ax > 0, or < 0, for all x: not the saddle-point form, whose symmetric part is indefinite
  bool schur_rows = false;  // works on the rows of the Schur form, matrix-free
};

/// A method that improves x until `system.running()` is false. Lives as long as its KSP, and keeps its work vectors.
class KrylovMethod {
 public:
  virtual ~KrylovMethod() = default;
  virtual KrylovNeeds needs() const { return {}; }
  /// Solves the groups of a partition each on its own (islands).
  virtual bool by_island() const { return false; }
  /// Refuses, with a PETSc error, what the method cannot solve.
  virtual PetscErrorCode check(KSP /*ksp*/) const { return 0; }
  virtual PetscErrorCode solve(KrylovSystem& system) = 0;
  /// The method's own options. They have no prefix, whatever the prefix of the KSP.
  virtual void describe(OptionVisitor& /*visitor*/) {}
};

/// Makes `ksp` a KSP of `method`, with the residual norms preconditioned (default), unpreconditioned, natural √(r·z),
/// none.
PetscErrorCode install_krylov_method(KSP ksp, std::unique_ptr<KrylovMethod> method);

/// The method of a KSP of Clarke's; null for PETSc's own types.
KrylovMethod* krylov_method_of(KSP ksp);

template <class M>
PetscErrorCode create_krylov_method(KSP ksp) {
  return install_krylov_method(ksp, std::make_unique<M>());
}

/// Registers M as KSP type M::kName, with its options.
template <class M>
void add_krylov_method() {
  if (KSPRegister(M::kName, create_krylov_method<M>))
    throw std::runtime_error(std::string("PETSc refused to register ") + M::kName);
  registrations().push_back({"ksp_type", M::kName, M::kSummary, M::kCitation});
  if constexpr (requires { typename M::Options; })
    add_option_group<typename M::Options>(M::kName, std::string(M::kSummary) + " (-ksp_type " + M::kName + ")");
}

}  // namespace clarke
