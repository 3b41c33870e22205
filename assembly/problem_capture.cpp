#include "assembly/problem_capture.hpp"

#include "framework/error.hpp"
#include "framework/row_law.hpp"
#include "verdict/step_matrices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clarke {
namespace {

template <class T>
std::vector<T> host(const View<T>& view) {
  std::vector<T> out;
  to_host(view, out);
  return out;
}

SparseMatrix empty_rows(int columns) {
  SparseMatrix out;
  out.columns = columns;
  return out;
}

void append_row(const RowMatrix& from, int row, SparseMatrix& to) {
  for (RowMatrix::InnerIterator e(from, row); e; ++e) {
    to.column.push_back(static_cast<int>(e.col()));
    to.value.push_back(e.value());
  }
  ++to.rows;
  to.start.push_back(static_cast<int>(to.column.size()));
}

double product(const SparseMatrix& matrix, int row, const std::vector<double>& x) {
  double sum = 0;
  for (int k = matrix.start[row]; k < matrix.start[row + 1]; ++k) sum += matrix.value[k] * x[matrix.column[k]];
  return sum;
}

std::vector<double> flat(const std::vector<Vec3>& blocks) {
  std::vector<double> out;
  out.reserve(3 * blocks.size());
  for (const Vec3& v : blocks) out.insert(out.end(), {v.x, v.y, v.z});
  return out;
}

bool any_above_zero(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double v) { return v > 0; });
}

void append_contacts(const Contributor& contributor, const RowSet& rows, int first_row, const RowMatrix& jacobian,
                     ContactProblem& out) {
  const std::vector<double> velocity = host(rows.velocity), gamma = host(rows.compliance), impulse = host(rows.impulse),
                            mu = host(rows.friction);
  for (int i = 0; i < rows.items; ++i) {
    out.friction.push_back(mu[i]);
    out.contact_names.push_back(contributor.item_name(i));
    for (int k = 0; k < 3; ++k) {
      const int r = 3 * i + k;
      const double v = velocity[r];
      append_row(jacobian, first_row + r, out.jacobian);
      out.compliance.push_back(gamma[r]);
      out.solution.contact_velocity.push_back(v);
      out.solution.contact_impulse.push_back(impulse[r]);
      out.offset.push_back(v - product(out.jacobian, out.jacobian.rows - 1, out.solution.velocity) -
                           gamma[r] * impulse[r]);
    }
  }
  out.contacts += rows.items;
}

void append_joints(const Contributor& contributor, const RowSet& rows, int first_row, int first_item,
                   const HostView<int>& row_item, const RowMatrix& jacobian, ContactProblem& out) {
  const std::vector<double> v = host(rows.velocity), gamma = host(rows.compliance), impulse = host(rows.impulse),
                            lower = host(rows.lower), upper = host(rows.upper);
  for (int r = 0; r < rows.rows; ++r) {
    if (lower[r] == 0 && upper[r] == 0) continue;
    append_row(jacobian, first_row + r, out.joint_jacobian);
    out.joint_row_names.push_back(contributor.item_name(row_item(first_row + r) - first_item));
    out.joint_compliance.push_back(gamma[r]);
    out.joint_lower.push_back(lower[r]);
    out.joint_upper.push_back(upper[r]);
    out.solution.joint_impulse.push_back(impulse[r]);
    out.joint_offset.push_back(v[r] - product(out.joint_jacobian, out.joint_jacobian.rows - 1, out.solution.velocity) -
                               gamma[r] * impulse[r]);
  }
}

}  // namespace

ContactProblem linearised_step(const StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  const RowMatrix jacobian = step_jacobian(s), mass = block_diagonal(s.mass);
  const HostView<int> row_item = host_copy(s.pattern.row_item);
  ContactProblem out;
  out.mass = out.jacobian = out.joint_jacobian = empty_rows(3 * s.blocks);
  for (int r = 0; r < 3 * s.blocks; ++r) append_row(mass, r, out.mass);
  out.solution.velocity = flat(host(problem.point().u));
  const std::vector<double> free_velocity = flat(host(s.u_tilde.view()));
  for (int r = 0; r < out.mass.rows; ++r) out.force.push_back(product(out.mass, r, free_velocity));
  for (int i = 0; i < problem.contributors(); ++i) {
    const Contributor& c = problem.contributor(i);
    const SystemSlice slice = problem.slice(i);
    const RowSet* rows = c.rows();
    if (!rows || slice.items == 0) continue;
    const bool contacts = rows->kind == SetKind::cone;
    if (contacts && rows->sections())
      throw InputError(
          "-capture_problems, -capture_step: problem files hold coefficients of discs and ellipses, no other friction "
          "cones");
    if (contacts)
      append_contacts(c, *rows, slice.first_row, jacobian, out);
    else if (rows->kind == SetKind::disc)
      throw InputError(
          "-capture_problems, -capture_step: problem files hold bounds of single rows, not the discs of "
          "rolling_friction");
    else if (!rows->dense())
      append_joints(c, *rows, slice.first_row, slice.first_item, row_item, jacobian, out);
    else
      throw InputError("-capture_problems, -capture_step: problem files have no place for the elements of '" +
                       c.item_name(0) + "': contacts and joints only");
  }
  // What says nothing is left out: no compliance, and no bounds.
  if (!any_above_zero(out.compliance)) out.compliance.clear();
  if (!any_above_zero(out.joint_compliance)) out.joint_compliance.clear();
  const auto free = [](double bound) { return std::isinf(bound); };
  if (std::all_of(out.joint_lower.begin(), out.joint_lower.end(), free) &&
      std::all_of(out.joint_upper.begin(), out.joint_upper.end(), free)) {
    out.joint_lower.clear();
    out.joint_upper.clear();
  }
  return out;
}

double ProblemCapture::difficulty(const StepReport& report) const {
  if (report.failed) return std::numeric_limits<double>::infinity();
  if (options_.by == "residual") return report.verdict.velocity_error.value;
  if (options_.by == "seconds") return report.seconds.solve;
  const double error = report.verdict.velocity_error.value;
  return report.newton_iterations + error / (1 + error);  // a budget makes many equal: then by what is left
}

void ProblemCapture::observe(const StepReport& report, const StepProblem& problem) {
  const bool named = options_.step > 0 && report.step == options_.step;
  const auto asked_for = [this](const CapturedStep& s) { return s.report.step == options_.step; };
  if (report.contacts == 0 || !std::isfinite(report.verdict.velocity_error.value)) return;
  CapturedStep captured{report, {}, difficulty(report)};
  auto easiest = steps_.end();
  if (!named) {
    const long others = std::count_if(steps_.begin(), steps_.end(), [&](const auto& s) { return !asked_for(s); });
    if (others >= options_.problems) {
      for (auto s = steps_.begin(); s != steps_.end(); ++s)  // of equals the first one stays
        if (!asked_for(*s) && (easiest == steps_.end() || s->difficulty <= easiest->difficulty)) easiest = s;
      if (easiest == steps_.end() || !(captured.difficulty > easiest->difficulty)) return;
    }
  }
  captured.problem = linearised_step(problem);
  if (easiest != steps_.end()) steps_.erase(easiest);
  steps_.push_back(std::move(captured));
}

}  // namespace clarke
