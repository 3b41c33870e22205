#pragma once
// For tests of linear solvers: small systems with known properties as a LinearOperator and as a PETSc matrix with the
// same entries, and one call that solves them.

#include "framework/device.hpp"
#include "linear/operators/linear_operator.hpp"
#include "linear/register.hpp"

#include <petscksp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace clarke::test {

inline void petsc(PetscErrorCode error) { PetscCallAbort(PETSC_COMM_SELF, error); }

/// Runs f with PETSc's error output off.
template <class F>
PetscErrorCode quietly(F f) {
  petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr));
  const PetscErrorCode error = f();
  petsc(PetscPopErrorHandler());
  return error;
}

/// register_linear(), unless register_all() did it already.
inline void ensure_registered() {
  PetscErrorCode (*create)(KSP) = nullptr;
  petsc(KSPInitializePackage());
  petsc(PetscFunctionListFind(KSPList, "pcr", &create));
  if (!create) register_linear();
}

/// Compressed rows on the host.
struct Rows {
  std::vector<int> start{0}, column;
  std::vector<double> value;
  int size() const { return static_cast<int>(start.size()) - 1; }
  void add(int j, double v) {
    column.push_back(j);
    value.push_back(v);
  }
  void end_row() { start.push_back(static_cast<int>(column.size())); }
  std::vector<double> times(const std::vector<double>& x) const {
    std::vector<double> y(size(), 0.0);
    for (int i = 0; i < size(); ++i)
      for (int k = start[i]; k < start[i + 1]; ++k) y[i] += value[k] * x[column[k]];
    return y;
  }
};

/// tri(−1, 2, −1): eigenvalues 2 − 2 cos(k π/(n+1)).
inline Rows laplacian(int n) {
  Rows a;
  for (int i = 0; i < n; ++i) {
    if (i > 0) a.add(i - 1, -1);
    a.add(i, 2);
    if (i + 1 < n) a.add(i + 1, -1);
    a.end_row();
  }
  return a;
}

inline Rows diagonal_matrix(const std::vector<double>& d) {
  Rows a;
  for (int i = 0; i < static_cast<int>(d.size()); ++i) {
    a.add(i, d[i]);
    a.end_row();
  }
  return a;
}

/// Schur complement J M⁻¹ Jᵀ of a tower of particles of mass 1 … ratio, heaviest on top, with `copies` redundant
/// contacts per interface: rank `particles`, so singular when copies > 1.
inline Rows tower(int particles, int copies, double ratio, double shift = 0) {
  const auto mass = [&](int k) { return std::pow(ratio, k / std::max(1.0, particles - 1.0)); };
  const auto weight = [](int c) { return 1 + 0.25 * c; };
  Rows a;
  for (int k = 0; k < particles; ++k)
    for (int c = 0; c < copies; ++c) {
      for (int l = std::max(0, k - 1); l <= std::min(particles - 1, k + 1); ++l)
        for (int d = 0; d < copies; ++d) {
          double s = l == k ? 1 / mass(k) + (k > 0 ? 1 / mass(k - 1) : 0) : -1 / mass(std::min(k, l));
          s *= weight(c) * weight(d);
          if (l == k && d == c) s *= 1 + shift;
          a.add(l * copies + d, s);
        }
      a.end_row();
    }
  return a;
}

/// Rows as one of Clarke's operators, with point blocks of a given size.
class SparseOperator : public LinearOperator {
 public:
  explicit SparseOperator(Rows rows, int block = 1) : rows_(std::move(rows)), block_(block) {
    start_ = upload(rows_.start);
    column_ = upload(rows_.column);
    value_ = upload(rows_.value);
  }
  int size() const override { return rows_.size(); }
  void apply(const View<double>& x, const View<double>& y) const override {
    ++products;
    const auto start = start_, column = column_;
    const auto value = value_;
    parallel_for(
        "sparse_operator", size(),
        KOKKOS_LAMBDA(int i) {
          double sum = 0;
          for (int k = start(i); k < start(i + 1); ++k) sum += value(k) * x(column(k));
          y(i) = sum;
        },
        4);
  }
  void apply_transpose(const View<double>& x, const View<double>& y) const override { apply(x, y); }
  void diagonal(const View<double>& d) const override {
    const auto start = start_, column = column_;
    const auto value = value_;
    parallel_for(
        "sparse_diagonal", size(), KOKKOS_LAMBDA(int i) {
          for (int k = start(i); k < start(i + 1); ++k)
            if (column(k) == i) d(i) = value(k);
        });
  }
  bool symmetric() const override { return true; }
  bool positive_definite() const override { return true; }
  void prepare_block_inverse() override { ++factorisations; }
  /// Gauss elimination on the host, block by block: slow and obvious.
  void apply_block_inverse(const View<double>& x, const View<double>& y) const override {
    const auto in = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
    const auto out = Kokkos::create_mirror_view(y);
    for (int first = 0; first < size(); first += block_) {
      const int m = std::min(block_, size() - first);
      std::vector<double> a(m * m, 0.0), rhs(m);
      for (int i = 0; i < m; ++i) {
        rhs[i] = in(first + i);
        for (int k = rows_.start[first + i]; k < rows_.start[first + i + 1]; ++k) {
          const int j = rows_.column[k] - first;
          if (j >= 0 && j < m) a[i * m + j] = rows_.value[k];
        }
      }
      for (int k = 0; k < m; ++k)
        for (int i = k + 1; i < m; ++i) {
          const double f = a[i * m + k] / a[k * m + k];
          for (int j = k; j < m; ++j) a[i * m + j] -= f * a[k * m + j];
          rhs[i] -= f * rhs[k];
        }
      for (int i = m - 1; i >= 0; --i) {
        for (int j = i + 1; j < m; ++j) rhs[i] -= a[i * m + j] * rhs[j];
        rhs[i] /= a[i * m + i];
        out(first + i) = rhs[i];
      }
    }
    Kokkos::deep_copy(y, out);
  }
  bool has_gauss_seidel() const override { return sweeps_available; }
  void gauss_seidel_sweep(const View<double>& b, const View<double>& x) const override {
    const auto start = start_, column = column_;
    const auto value = value_;
    const int n = size();
    parallel_for(
        "sparse_gauss_seidel", 1, KOKKOS_LAMBDA(int) {
          for (int i = 0; i < n; ++i) {
            double sum = b(i), diagonal = 1;
            for (int k = start(i); k < start(i + 1); ++k) {
              if (column(k) == i) {
                diagonal = value(k);
              } else {
                sum -= value(k) * x(column(k));
              }
            }
            x(i) = sum / diagonal;
          }
        });
  }

  mutable long products = 0;
  long factorisations = 0;
  bool sweeps_available = true;

 private:
  template <class T>
  static View<T> upload(const std::vector<T>& host) {
    View<T> view("sparse_operator", host.size());
    Kokkos::deep_copy(view,
                      Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(host.data(), host.size()));
    return view;
  }
  Rows rows_;
  int block_;
  View<int> start_, column_;
  View<double> value_;
};

/// Owns a PETSc object.
template <class T, PetscErrorCode (*Destroy)(T*)>
class Owned {
 public:
  explicit Owned(T object = nullptr) : object_(object) {}
  ~Owned() { (void)Destroy(&object_); }
  Owned(Owned&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owned& operator=(Owned&&) = delete;
  operator T() const { return object_; }
  T* address() { return &object_; }

 private:
  T object_;
};
using OwnedMat = Owned<Mat, MatDestroy>;
using OwnedVec = Owned<Vec, VecDestroy>;
using OwnedKsp = Owned<KSP, KSPDestroy>;

inline OwnedMat shell_of(LinearOperator& op) {
  OwnedMat mat;
  petsc(create_operator_shell(&op, mat.address()));
  petsc(MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY));
  return mat;
}

inline OwnedMat assembled(const Rows& rows) {
  OwnedMat mat;
  const int n = rows.size();
  std::vector<PetscInt> count(n);
  for (int i = 0; i < n; ++i) count[i] = rows.start[i + 1] - rows.start[i];
  petsc(MatCreateSeqAIJ(PETSC_COMM_SELF, n, n, 0, count.data(), mat.address()));
  for (int i = 0; i < n; ++i)
    for (int k = rows.start[i]; k < rows.start[i + 1]; ++k)
      petsc(MatSetValue(mat, i, rows.column[k], rows.value[k], INSERT_VALUES));
  petsc(MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY));
  return mat;
}

inline OwnedVec vector_of(const std::vector<double>& values) {
  OwnedVec vec;
  petsc(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(values.size()), vec.address()));
  PetscScalar* array = nullptr;
  petsc(VecGetArrayWrite(vec, &array));
  std::copy(values.begin(), values.end(), array);
  petsc(VecRestoreArrayWrite(vec, &array));
  return vec;
}

inline std::vector<double> values_of(Vec vec) {
  PetscInt n = 0;
  const PetscScalar* array = nullptr;
  petsc(VecGetSize(vec, &n));
  petsc(VecGetArrayRead(vec, &array));
  std::vector<double> values(array, array + n);
  petsc(VecRestoreArrayRead(vec, &array));
  return values;
}

/// Reproducible values in [−1, 1).
inline std::vector<double> scatter(int n, unsigned seed = 1) {
  std::vector<double> v(n);
  unsigned state = 2654435761u * seed + 12345u;
  for (double& x : v) {
    state = 1664525u * state + 1013904223u;
    x = state / 2147483648.0 - 1;
  }
  return v;
}

inline double norm_of(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += x * x;
  return std::sqrt(sum);
}

inline double distance(const std::vector<double>& v, const std::vector<double>& w) {
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += (v[i] - w[i]) * (v[i] - w[i]);
  return std::sqrt(sum);
}

struct Settings {
  std::string ksp = "pcr", pc = "jacobi";
  KSPNormType norm = KSP_NORM_PRECONDITIONED;
  int max_it = 1000;
  double rtol = 1e-10;
  bool skip = false;  // fixed budget
  std::vector<double> guess{};
};

struct Result {
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  int iterations = 0;
  std::vector<double> x, history;
};

inline OwnedKsp solver(Mat mat, const Settings& s) {
  ensure_registered();
  OwnedKsp ksp;
  PC pc = nullptr;
  petsc(KSPCreate(PETSC_COMM_SELF, ksp.address()));
  petsc(KSPSetType(ksp, s.ksp.c_str()));
  petsc(KSPSetOperators(ksp, mat, mat));
  petsc(KSPGetPC(ksp, &pc));
  petsc(PCSetType(pc, s.pc.c_str()));
  petsc(KSPSetNormType(ksp, s.norm));
  petsc(KSPSetTolerances(ksp, s.rtol, 1e-300, 1e10, s.max_it));
  if (s.skip) petsc(KSPSetConvergenceTest(ksp, KSPConvergedSkip, nullptr, nullptr));
  petsc(KSPSetFromOptions(ksp));
  return ksp;
}

inline Result run(KSP ksp, const std::vector<double>& b, const std::vector<double>& guess = {}) {
  const OwnedVec rhs = vector_of(b);
  const OwnedVec x = vector_of(guess.empty() ? std::vector<double>(b.size(), 0.0) : guess);
  std::vector<PetscReal> history(20000);
  petsc(KSPSetInitialGuessNonzero(ksp, guess.empty() ? PETSC_FALSE : PETSC_TRUE));
  petsc(KSPSetResidualHistory(ksp, history.data(), static_cast<PetscInt>(history.size()), PETSC_TRUE));
  petsc(KSPSolve(ksp, rhs, x));
  Result result;
  PetscInt n = 0;
  petsc(KSPGetConvergedReason(ksp, &result.reason));
  petsc(KSPGetIterationNumber(ksp, &n));
  result.iterations = static_cast<int>(n);
  petsc(KSPGetResidualHistory(ksp, nullptr, &n));
  result.history.assign(history.begin(), history.begin() + n);
  petsc(KSPSetResidualHistory(ksp, nullptr, 0, PETSC_TRUE));
  result.x = values_of(x);
  return result;
}

inline Result solve(Mat mat, const std::vector<double>& b, const Settings& s) {
  return run(solver(mat, s), b, s.guess);
}

/// Largest relative difference of the first `count` entries.
inline double history_difference(const Result& a, const Result& b, int count) {
  double worst = 0;
  for (int k = 0; k < count; ++k)
    worst = std::max(worst, std::abs(a.history.at(k) - b.history.at(k)) / b.history.at(k));
  return worst;
}

}  // namespace clarke::test
