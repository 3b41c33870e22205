// The factorisation of a Newton step's matrix in velocities, by Clarke's package and by PETSc's own.

#include "linear/operators/form.hpp"
#include "linear/preconditioners/assembled_matrix.hpp"
#include "tests/benchmark/measure.hpp"
#include "tests/benchmark/timed_scenes.hpp"
#include "tests/sparse_operator.hpp"

namespace clarke::benchmark {

namespace {

void time_factorisation(::benchmark::State& state, const TimedScene& scene, int size, const std::string& package) {
  Model& model = model_of(scene, size);
  linearise(model);
  ReducedSystem reduced;
  reduced.reduce(model.problem().system(), {});
  const auto form = create_form("stiffness", reduced);
  form->update();
  AssembledMatrix matrix;
  bool fresh = false;
  test::petsc(matrix.create(*form, MatrixStorage::sparse, &fresh));
  test::petsc(matrix.update(*form));
  const test::OwnedKsp ksp = test::solver(matrix.mat(), {.ksp = "preonly", .pc = "lu"});
  PC pc = nullptr;
  Mat factor = nullptr;
  test::petsc(KSPGetPC(ksp, &pc));
  test::petsc(PCFactorSetMatSolverType(pc, package.c_str()));
  test::petsc(PCFactorSetMatOrderingType(pc, MATORDERINGAMD));
  test::petsc(PCFactorSetZeroPivot(pc, 1e-100));  // as in the preset robust
  test::petsc(KSPSetUp(ksp));
  test::petsc(PCFactorGetMatrix(pc, &factor));
  MatFactorInfo info;
  test::petsc(MatFactorInfoInitialize(&info));
  info.zeropivot = 1e-100;
  for (auto _ : state) test::petsc(MatLUFactorNumeric(factor, matrix.mat(), &info));
  state.counters["unknowns"] = form->size();
}

const bool kRegistered = for_timed_scenes([](const TimedScene& scene, int size, const std::string& name) {
  for (const std::string package : {"multifrontal", "petsc"})
    add_benchmark("factorise/" + name + "/" + package,
                  [=](::benchmark::State& state) { time_factorisation(state, scene, size, package); });
});

}  // namespace

}  // namespace clarke::benchmark
