#include "verdict/step_demands.hpp"

#include "framework/row_law.hpp"
#include "framework/sets/near_rigid_law.hpp"
#include "verdict/step_matrices.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>

namespace clarke {
namespace {

using Eigen::VectorXd;

/// What the impulse of a box row may do without bound decides what its velocity has to be.
void demand_of_box(double lower, double upper, int row, std::vector<Demand>& out) {
  if (std::isinf(lower) && std::isinf(upper)) out.push_back({Demand::Kind::zero, row, 0});
  if (!std::isinf(lower) && std::isinf(upper)) out.push_back({Demand::Kind::at_least_zero, row, 0});
  if (std::isinf(lower) && !std::isinf(upper)) out.push_back({Demand::Kind::at_most_zero, row, 0});
}

void add_contacts(const RowSet& rows, int first, StepDemands& out) {
  const std::vector<double> gamma = softness(rows);
  const auto mu = host_copy(rows.friction), v = host_copy(rows.velocity);
  out.discs_only = out.discs_only && !rows.sections();
  for (int i = 0; i < rows.items; ++i) {
    const int n = 3 * i;
    if (gamma[n] > 0) continue;
    const Demand normal{Demand::Kind::at_least_zero, first + n, 0};
    out.frictionless.of.push_back(normal);
    out.largest = std::fmax(out.largest, std::fabs(v(n)));
    const bool grips = mu(i) > 0 && !(gamma[n + 1] > 0) && !rows.sections();
    out.frictional.of.push_back(grips ? Demand{Demand::Kind::cone, first + n, mu(i)} : normal);
    out.has_friction = out.has_friction || grips;
  }
}

void add_box(const RowSet& rows, int first, StepDemands& out) {
  const auto gamma = host_copy(rows.compliance), lower = host_copy(rows.lower), upper = host_copy(rows.upper);
  for (int r = 0; r < rows.rows; ++r) {
    if (gamma(r) > 0) continue;
    const bool bounds = lower.extent(0) > 0;
    demand_of_box(bounds ? lower(r) : -INFINITY, bounds ? upper(r) : INFINITY, first + r, out.frictionless.of);
  }
}

/// A root of the given W, so that rows·rowsᵀ = W: eigenvectors scaled, those of eigenvalues that are zero left out.
RowMatrix root_of_delassus(const SaddlePointSystem& system, const RowMatrix& jacobian, const MassRoots& roots) {
  const RowMatrix W = jacobian * RowMatrix(roots.inverse * RowMatrix(step_transpose(system).transpose()));
  const Eigen::MatrixXd dense = 0.5 * (Eigen::MatrixXd(W) + Eigen::MatrixXd(W).transpose());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(dense);
  Eigen::MatrixXd root = eigen.eigenvectors();
  const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < root.cols(); ++k)
    root.col(k) *= eigen.eigenvalues()(k) > kFlat * largest ? std::sqrt(eigen.eigenvalues()(k)) : 0;
  return root.sparseView();
}

/// S of the columns of J; 1 where there is no row.
VectorXd column_scale(const RowMatrix& jacobian) {
  VectorXd largest = VectorXd::Zero(jacobian.cols() / 3);
  for (int r = 0; r < jacobian.outerSize(); ++r) {
    for (RowMatrix::InnerIterator e(jacobian, r); e;) {
      const Eigen::Index block = e.col() / 3;
      double square = 0;
      for (; e && e.col() / 3 == block; ++e) square += e.value() * e.value();
      largest(block) = std::fmax(largest(block), std::sqrt(square));
    }
  }
  VectorXd out = VectorXd::Ones(jacobian.cols());
  for (Eigen::Index c = 0; c < out.size(); ++c)
    if (largest(c / 3) > 0) out(c) = 1 / largest(c / 3);
  return out;
}

}  // namespace

StepDemands demands_of(const StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  StepDemands out;
  VectorXd w = VectorXd::Zero(s.pattern.rows);
  out.contributor.assign(s.pattern.rows, 0);
  for (int i = 0; i < problem.contributors(); ++i) {
    const RowSet* rows = problem.contributor(i).rows();
    const int first = problem.slice(i).first_row;
    if (!rows || rows->items == 0) continue;
    const auto v = host_copy(rows->velocity);
    for (int r = 0; r < rows->rows; ++r) w(first + r) = v(r), out.contributor[first + r] = i;
    const auto near_rigid = host_copy(rows->near_rigid);
    for (std::size_t k = 0; k < near_rigid.extent(0); ++k)
      if (near_rigid(k) > 0) w(first + 3 * k) += kNearRigidFolds * rows->near_rigid_fold;
    if (rows->kind == SetKind::cone)
      add_contacts(*rows, first, out);
    else if (rows->kind == SetKind::disc)
      out.discs_only = false;
    else if (!rows->dense())
      add_box(*rows, first, out);
  }
  const RowMatrix J = step_jacobian(s);
  RowMatrix B;
  if (s.traits.separate_transpose) {
    B = root_of_delassus(s, J, mass_roots(s));
  } else {
    out.scale = column_scale(J);
    B = J * out.scale.asDiagonal();
  }
  std::vector<Demand> joints;
  for (const Demand& d : out.frictionless.of)
    if (problem.contributor(out.contributor[d.row]).rows()->kind != SetKind::cone) joints.push_back(d);
  out.frictional.of.insert(out.frictional.of.end(), joints.begin(), joints.end());
  out.frictionless.jacobian = out.frictional.jacobian = B;
  out.frictionless.offset = out.frictional.offset = w;
  return out;
}

}  // namespace clarke
