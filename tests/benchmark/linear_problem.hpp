#pragma once
// Linear systems to time: what a problem must offer, and how it gets its benchmarks. A new operator is one factory.

#include "tests/sparse_operator.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clarke::benchmark {

struct LinearProblem {
  std::unique_ptr<LinearOperator> op;
  double bytes_per_product = 0;  // that one op->apply() has to move
  test::OwnedMat assembled;      // the same matrix as AIJ; may be null
  double assembled_bytes = 0;    // that one product with it has to move
};

/// Called when the benchmark runs, so after PETSc and Kokkos were started.
using LinearProblemFactory = std::function<LinearProblem(int rows)>;

/// Registers, for each size, one iteration of pcr, pcg and PETSc's cr on the operator, of pcr and cr on the assembled matrix,
/// and the product with the operator alone. Returns true, to be called from a static initialiser.
bool add_krylov_benchmarks(const std::string& name, LinearProblemFactory factory,
                           const std::vector<int>& sizes);

/// Bytes per second of a(i) = b(i) + s c(i) over arrays far larger than any cache; measured once per process.
double triad_bandwidth();

}  // namespace clarke::benchmark
