#include "postprocess/delassus_form.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>

#include <stdexcept>

namespace clarke {
namespace {

using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

Sparse to_eigen(const SparseMatrix& a) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.start[r]; k < a.start[r + 1]; ++k) entries.emplace_back(r, a.column[k], a.value[k]);
  Sparse out(a.rows, a.columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

SparseMatrix from_eigen(const Sparse& a) {
  SparseMatrix out;
  out.rows = static_cast<int>(a.rows());
  out.columns = static_cast<int>(a.cols());
  out.start.assign(1, 0);
  for (int r = 0; r < out.rows; ++r) {
    for (Sparse::InnerIterator e(a, r); e; ++e) {
      out.column.push_back(static_cast<int>(e.col()));
      out.value.push_back(e.value());
    }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

Eigen::VectorXd to_eigen(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

std::vector<double> from_eigen(const Eigen::VectorXd& x) { return {x.data(), x.data() + x.size()}; }

/// ½ (A + Aᵀ) + diag d
Sparse symmetric(const Sparse& a, const std::vector<double>& d) {
  Sparse out = 0.5 * (a + Sparse(a.transpose()));
  for (std::size_t i = 0; i < d.size(); ++i)
    out.coeffRef(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(i)) += d[i];
  return out;
}

}  // namespace

DelassusForm delassus_form(const ContactProblem& problem) {
  const Sparse J = to_eigen(problem.jacobian), G = to_eigen(problem.joint_jacobian);
  const Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> M(Eigen::SparseMatrix<double>(to_eigen(problem.mass)));
  if (M.info() != Eigen::Success) throw std::runtime_error("the mass matrix is not positive definite");
  const Eigen::VectorXd free_velocity = M.solve(to_eigen(problem.force));
  const Eigen::SparseMatrix<double> spread = M.solve(Eigen::SparseMatrix<double>(J.transpose()));
  DelassusForm out;
  out.W = from_eigen(symmetric(Sparse(J * spread), problem.compliance));
  out.q = from_eigen(J * free_velocity + to_eigen(problem.offset));
  if (problem.joint_rows() == 0) return out;
  const Eigen::SparseMatrix<double> joint_spread = M.solve(Eigen::SparseMatrix<double>(G.transpose()));
  out.V = from_eigen(Sparse(J * joint_spread));
  out.R = from_eigen(symmetric(Sparse(G * joint_spread), problem.joint_compliance));
  out.s = from_eigen(G * free_velocity + to_eigen(problem.joint_offset));
  return out;
}

}  // namespace clarke
