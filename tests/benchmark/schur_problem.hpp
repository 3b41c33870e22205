#pragma once
// The Schur operator of a scene, matrix-free and assembled.

#include "linear/operators/schur.hpp"
#include "linear/preconditioners/assembled_matrix.hpp"
#include "tests/benchmark/bytes.hpp"
#include "tests/benchmark/timed_scenes.hpp"
#include "tests/model_run.hpp"
#include "tests/sparse_operator.hpp"

#include <memory>
#include <stdexcept>

namespace clarke::benchmark {

class SchurProblem {
 public:
  explicit SchurProblem(Model& model) {
    linearise(model);
    reduced.reduce(model.problem().system(), shift);
    form.update();
    shell = std::make_unique<test::OwnedMat>(test::shell_of(form));
  }
  /// The same matrix as AIJ, made at the first call.
  AssembledMatrix& assembled() {
    if (!matrix_.mat()) {
      bool fresh = false;
      test::petsc(matrix_.create(form, MatrixStorage::sparse, &fresh));
      test::petsc(matrix_.update(form));
    }
    return matrix_;
  }
  /// The AIJ matrix, with PETSc's default of multiplying rows of equal pattern together ("inodes"), or row by row.
  Mat aij(bool grouped) {
    if (grouped) return assembled().mat();
    if (!ungrouped_) {
      ungrouped_ = std::make_unique<test::OwnedMat>();
      // MatDuplicate would copy the groups.
      test::petsc(MatConvert(assembled().mat(), MATSEQBAIJ, MAT_INITIAL_MATRIX, ungrouped_->address()));
      const test::ScopedOptions scoped("-mat_no_inode true");
      test::petsc(MatConvert(*ungrouped_, MATSEQAIJ, MAT_INPLACE_MATRIX, ungrouped_->address()));
    }
    return *ungrouped_;
  }
  AijSize aij_size(bool grouped = true) {
    MatInfo info{};
    PetscInt groups = 0, *sizes = nullptr, limit = 0;
    const Mat mat = aij(grouped);
    test::petsc(MatGetInfo(mat, MAT_LOCAL, &info));
    test::petsc(MatInodeGetInodeSizes(mat, &groups, &sizes, &limit));
    if (grouped != (groups > 0)) throw std::runtime_error("inodes are not as asked for");
    const double n = form.size();
    return {info.nz_used, groups > 0 ? info.nz_used * groups / n : info.nz_used, n};
  }

  RegularisationOptions shift;
  ReducedSystem reduced;
  SchurForm form{reduced};
  std::unique_ptr<test::OwnedMat> shell;

 private:
  AssembledMatrix matrix_;
  std::unique_ptr<test::OwnedMat> ungrouped_;
};

/// Iterations of a Krylov method per solve that is timed.
inline constexpr int kSolveIterations = 20;

/// Times solves by `ksp` with the matrix of size n, all of which make kSolveIterations.
inline void time_solves(::benchmark::State& state, Mat mat, int n, const char* ksp_type) {
  // cr stops only where PETSc's test says so, and pcr's breakdown is out of reach within the budget.
  const test::OwnedKsp ksp = test::solver(mat, {.ksp = ksp_type, .max_it = kSolveIterations, .skip = true});
  const test::OwnedVec b = test::vector_of(test::scatter(n)), x = test::vector_of(test::scatter(n));
  test::petsc(KSPSolve(ksp, b, x));
  for (auto _ : state) test::petsc(KSPSolve(ksp, b, x));
  PetscInt iterations = 0;
  test::petsc(KSPGetIterationNumber(ksp, &iterations));
  if (iterations != kSolveIterations) state.SkipWithError("stopped early");
  state.counters["rows"] = n;
}

/// The problem of a scene, kept until another is asked for.
SchurProblem& schur_problem_of(const TimedScene& scene, int size);

}  // namespace clarke::benchmark
