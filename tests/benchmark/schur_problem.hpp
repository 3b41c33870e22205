#pragma once
// The Schur operator of a scene, matrix-free and assembled.

#include "linear/operators/schur.hpp"
#include "linear/preconditioners/assembled_matrix.hpp"
#include "tests/benchmark/bytes.hpp"
#include "tests/benchmark/timed_scenes.hpp"
#include "tests/sparse_operator.hpp"

#include <memory>

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
      test::petsc(matrix_.create(form));
      test::petsc(matrix_.update(form));
    }
    return matrix_;
  }
  AijSize aij_size() {
    MatInfo info{};
    PetscInt groups = 0, *sizes = nullptr, limit = 0;
    const Mat mat = assembled().mat();
    test::petsc(MatGetInfo(mat, MAT_LOCAL, &info));
    test::petsc(MatInodeGetInodeSizes(mat, &groups, &sizes, &limit));
    const double n = form.size();
    return {info.nz_used, groups > 0 ? info.nz_used * groups / n : info.nz_used, n};
  }

  ShiftOptions shift;
  ReducedSystem reduced;
  SchurForm form{reduced};
  std::unique_ptr<test::OwnedMat> shell;

 private:
  AssembledMatrix matrix_;
};

/// The problem of a scene, kept until another is asked for.
SchurProblem& schur_problem_of(const TimedScene& scene, int size);

}  // namespace clarke::benchmark
