#pragma once
// What Clarke's Krylov methods and relaxations see of a KSP: A and P on Views, residual norms, and the bookkeeping that
// PETSc expects.
//
//   A   a LinearOperator is applied to Views directly; any other matrix through PETSc, on the Views' own memory.
//   P   PCJACOBI becomes a View of reciprocal diagonal entries, fetched once per linearisation, so that methods fuse
//       z = P r into their vector kernels; a preconditioner of Clarke's is applied to Views; any other through PETSc.
//
// On host backends b and x are PETSc's own arrays, on a device their twins there (framework/petsc_views.hpp): b and a
// guess go up unless they were made there, and x comes down once. Nothing is allocated in a solve while the size stays
// the same. One process only: sums are over the local entries.

#include "framework/petsc_views.hpp"
#include "linear/operators/linear_operator.hpp"

#include <petscksp.h>

#include <optional>

namespace clarke {

/// The three inner products of the residual r and z = P r from which every residual norm follows.
struct ResidualSums {
  double zz = 0;  // preconditioned norm, squared
  double rr = 0;  // unpreconditioned norm, squared
  double rz = 0;  // natural norm, squared: |r|_P
};

/// A curvature (y·z, p·q) more negative than this multiple of the stagnation threshold is no round-off: the matrix is
/// indefinite.
inline constexpr double kClearlyNegative = 1e4;

/// What a preconditioner of Clarke's composes under kPcViewApply: z = P r on Views.
using PcViewApply = PetscErrorCode (*)(PC pc, const View<double>& r, const View<double>& z);
inline constexpr const char* kPcViewApply = "ClarkePcViewApply_C";

/// A x = b with its preconditioner P and its convergence test, as a KrylovMethod sees it.
class KrylovSystem {
 public:
  int size() const { return size_; }
  const View<double>& b() const { return b_; }
  const View<double>& x() const { return x_; }
  int max_iterations() const;
  /// No residual norm is asked for (-ksp_norm_type none).
  bool norm_free() const;
  /// x is to start at zero.
  bool zero_guess() const;
  /// A as Clarke's operator, or nullptr.
  const LinearOperator* linear_operator() const { return operator_; }
  /// P is the diagonal matrix inverse_diagonal(); otherwise it is known by precondition() only.
  bool diagonal() const { return diagonal_; }
  const View<double>& inverse_diagonal() const { return inverse_diagonal_.view(); }
  /// Changes whenever A or P did.
  long stamp() const { return stamp_; }

  /// y = A v
  PetscErrorCode apply(const View<double>& v, const View<double>& y);
  /// z = P r
  PetscErrorCode precondition(const View<double>& r, const View<double>& z);
  /// r = b − A x, z = P r and their sums.
  PetscErrorCode residual(const View<double>& r, const View<double>& z, ResidualSums* sums);
  /// The same for the initial guess, which is set to zero unless one was given: then without a product with A.
  PetscErrorCode start(const View<double>& r, const View<double>& z, ResidualSums* sums);

  /// Groups of unknowns that A does not couple and that are to be solved each on its own; nullptr: one for all.
  const Partition* partition() const { return operator_ ? operator_->partition() : nullptr; }
  /// y = A v for the groups that are not closed.
  PetscErrorCode apply_open(const View<double>& v, const View<double>& y, const View<int>& closed);
  /// Which of the sums z·z, r·r, r·z (0, 1, 2) is the square of the norm that -ksp_norm_type asks for; -1: none.
  int tested_sum() const;
  /// The square of that norm.
  double tested_norm(const ResidualSums& sums) const;
  /// PETSc's default test for a part of the unknowns with its own norms; false where the KSP's test is another.
  bool small_enough(double norm, double first) const;
  /// PETSc's test of iterate 1, 2, … as two bounds, for kernels: it ends the solve when the root of tested_norm() is at
  /// most `low` or at least `high`. After test(0). False where only test() knows, or a monitor wants every iterate.
  bool foreseeable(double& low, double& high) const;
  /// Records and monitors iterate `it`, and ends the solve on NaN; does not test.
  PetscErrorCode record(int it, const ResidualSums& sums);

  /// Records, monitors and tests iterate `it`. Running out of iterations ends the solve too.
  PetscErrorCode test(int it, const ResidualSums& sums);
  bool running() const;
  /// Ends the solve; `why` goes to -info.
  PetscErrorCode stop(KSPConvergedReason reason, const char* why);
  /// Ends the solve when `value`, an inner product, is NaN or infinite.
  PetscErrorCode check_finite(double value);

  // For the KSP callbacks only: look up A and P, b and x; give b and x back.
  PetscErrorCode begin(KSP ksp);
  void end();

 private:
  /// Identity and state of everything that the caches depend on.
  struct Key {
    PetscObjectId a = -1, p = -1, pc = -1;
    PetscObjectState a_state = -1, p_state = -1;
    int size = -1;
    bool diagonal = false;
    bool operator==(const Key&) const = default;
  };
  enum class Product { kOperator, kPreconditioner };
  /// A product by PETSc, on the Views' own memory when the host can reach it.
  PetscErrorCode through_petsc(Product product, const View<double>& in, const View<double>& out);
  PetscErrorCode find_fast_paths();

  KSP ksp_ = nullptr;
  Mat matrix_ = nullptr;
  int size_ = 0;
  View<double> b_, x_;
  std::optional<VecRead> right_hand_side_;
  std::optional<VecWrite> solution_;  // of a zero guess; else guess_
  std::optional<VecUpdate> guess_;
  const LinearOperator* operator_ = nullptr;
  PcViewApply view_preconditioner_ = nullptr;
  bool diagonal_ = false;
  Key key_;
  long stamp_ = 0;
  Buffer<double> ones_{"krylov_ones"}, inverse_diagonal_{"krylov_P"};
  SumScratch<3> scratch_;
};

/// Σ v_i w_i
double dot(const View<double>& v, const View<double>& w, SumScratch<1>& scratch);
/// The sums of r and z.
ResidualSums residual_sums(const View<double>& r, const View<double>& z, SumScratch<3>& scratch);

}  // namespace clarke
