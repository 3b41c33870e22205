#pragma once
// Contact problems from HDF5 files in the layout of FCLIB [Acary Brémond Huber Koziara Pérignon 2014;
// docs/problems.md].
//
//   fclib_global            M, H = Jᵀ, G = Gᵀ, vectors f w b mu
//   fclib_local             W V R, vectors q s mu
//   solution, guesses/1 …   v u r l
//   clarke                  what FCLIB has no place for
//   a matrix                m n nzmax nz p i x
//                           nz = −1 columns compressed, −2 rows compressed, ≥ 0 that many triplets (i row, p column)
//
// Everything a solver may rely on is checked here: sizes, indices, finite numbers, μ ≥ 0, M symmetric and positive
// definite, three dimensions, no zero diagonal block of W and no zero diagonal of R. Whatever is wrong is one
// InputError that names file and data set. W may be unsymmetric and singular.

#include "framework/contact_problem.hpp"

namespace clarke {

/// Where both forms are there, the global one.
ContactProblem read_problem(const std::string& file);

/// max |W − Wᵀ| / max |W| of a square matrix; 0 where it is symmetric.
double asymmetry(const SparseMatrix& matrix);
/// The operator counts as symmetric up to this: sums of a few hundred terms in another order differ by less.
inline constexpr double kSymmetricUpTo = 1e-12;

/// Compressed rows from triplets; equal places add up, zeros are left out.
SparseMatrix compressed_rows(int rows, int columns, const std::vector<int>& row, const std::vector<int>& column,
                             const std::vector<double>& value);
SparseMatrix transposed(const SparseMatrix& matrix);

}  // namespace clarke
