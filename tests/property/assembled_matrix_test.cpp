// Matrices with entries of systems of real models in mid-Newton: sparse and dense, they multiply as the form does.

#include "linear/preconditioners/assembled_matrix.hpp"

#include "framework/petsc_views.hpp"
#include "linear/operators/form.hpp"
#include "tests/property/newton_systems.hpp"
#include "tests/sparse_operator.hpp"

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(assembled_matrix)

namespace {

constexpr double kRounding = 1e-13;  // sums of a few dozen terms, relative to matrix and vector
constexpr double kShifts[] = {0, 1e-3};
const char* const kForms[] = {"schur", "saddle", "stiffness"};

VectorXd host(const View<double>& v) {
  std::vector<double> out;
  to_host(v, out);
  return Eigen::Map<VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
}

/// The matrix times x.
VectorXd product(Mat mat, const View<double>& x) {
  Vec in = nullptr, out = nullptr;
  petsc(MatCreateVecs(mat, &in, &out));
  {
    const VecWrite to(in);
    Kokkos::deep_copy(to.view(), x);
  }
  petsc(MatMult(mat, in, out));
  const VectorXd y = host(VecRead(out).view());
  petsc(VecDestroy(&in));
  petsc(VecDestroy(&out));
  return y;
}

double norm_of(Mat mat) {
  PetscReal norm = 0;
  petsc(MatNorm(mat, NORM_FROBENIUS, &norm));
  return norm;
}

}  // namespace

BOOST_AUTO_TEST_CASE(has_the_products_of_its_form) {
  Random random(4);
  int in_blocks = 0, kept_rows = 0;
  for_each_system([&](MidNewton& m) {
    for (double shift : kShifts) {
      RegularisationOptions options;
      options.relative = shift;
      ReducedSystem reduced;
      reduced.reduce(m.system(), options);
      for (const std::string name : kForms) {
        if (name == "schur" && m.system().sparse_hessian()) continue;  // products only
        const auto form = create_form(name, reduced);
        BOOST_TEST(form->update() == "");
        in_blocks += form->in_blocks();
        kept_rows += form->kept_rows() > 0;
        std::vector<double> values(form->size());
        for (double& value : values) value = random.uniform(-1, 1);
        const View<double> x = to_device("x", values), expected("Sx", form->size());
        form->apply(x, expected);
        for (MatrixStorage storage : {MatrixStorage::sparse, MatrixStorage::dense}) {
          AssembledMatrix matrix;
          for (bool first : {true, false}) {  // the same layout finds its matrix again
            bool fresh = !first;
            petsc(matrix.create(*form, storage, &fresh));
            BOOST_TEST(fresh == first);
            petsc(matrix.update(*form));
          }
          const VectorXd difference = product(matrix.mat(), x) - host(expected);
          BOOST_TEST_CONTEXT(name << " shift " << shift << " dense " << (storage == MatrixStorage::dense))
          BOOST_TEST(difference.norm() < kRounding * norm_of(matrix.mat()) * host(x).norm());
        }
      }
    }
  });
  BOOST_TEST(in_blocks > 0);
  BOOST_TEST(kept_rows > 0);
}

BOOST_AUTO_TEST_SUITE_END()
