#include "verdict/problem_residuals.hpp"

#include "framework/error.hpp"
#include "verdict/relative_residuals.hpp"
#include "verdict/row_residuals.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace clarke {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// y += A x
void add_product(const SparseMatrix& a, const std::vector<double>& x, std::vector<double>& y) {
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.start[r]; k < a.start[r + 1]; ++k) y[r] += a.value[k] * x[a.column[k]];
}

/// y += Aᵀ x
template <class Vector>
void add_transposed_product(const SparseMatrix& a, const std::vector<double>& x, Vector& y) {
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.start[r]; k < a.start[r + 1]; ++k) y[a.column[k]] += a.value[k] * x[r];
}

double diagonal_of(const SparseMatrix& a, int row) {
  for (int k = a.start[row]; k < a.start[row + 1]; ++k)
    if (a.column[k] == row) return a.value[k];
  return 0;
}

double over(double a, double b) { return b > 0 ? a / b : a; }

/// Sums of squares with ρ = 1, which adds N s and m/s.
struct Norms {
  double map = 0, q = 0, impulse = 0, v = 0;
  void add(double f, double free, double l, double velocity) {
    map += f * f, q += free * free, impulse += l * l, v += velocity * velocity;
  }
  double relative() const { return over(std::sqrt(map), std::sqrt(std::max({q, impulse, v}))); }
};

/// F of one contact [as in the header], after scaling by S.
Vec3 natural_map(const Vec3& impulse, const Vec3& v, double mu, double s) {
  const Vec3 x = (1 / s) * impulse, y = s * v;
  return x - project_on_cone(x - Vec3{y.x + mu * std::hypot(y.y, y.z), y.y, y.z}, mu);
}

}  // namespace

struct ProblemJudge::Mass {
  Eigen::SimplicialLLT<Sparse> factor;
};

ProblemJudge::~ProblemJudge() = default;

ProblemJudge::ProblemJudge(const ContactProblem& problem) : problem_(problem) {
  if (!problem.local()) {
    mass_ = std::make_unique<Mass>();
    std::vector<Eigen::Triplet<double>> entries;
    const SparseMatrix& m = problem.mass;
    for (int r = 0; r < m.rows; ++r)
      for (int k = m.start[r]; k < m.start[r + 1]; ++k) entries.emplace_back(r, m.column[k], m.value[k]);
    Sparse mass(m.rows, m.columns);
    mass.setFromTriplets(entries.begin(), entries.end());
    mass_->factor.compute(mass);
    if (mass_->factor.info() != Eigen::Success) throw InputError(problem.file + ": M is not positive definite");
  }
  velocities(std::vector<double>(3 * problem.contacts, 0.0), std::vector<double>(problem.joint_rows(), 0.0));
  q_ = v_;
  q_joint_ = v_joint_;
  hidden_ = hidden_by_free_velocity();
  find_scales();
}

void ProblemJudge::find_scales() {
  const auto diagonal = [this](const SparseMatrix& j, int row) {  // of J M⁻¹ Jᵀ
    Eigen::VectorXd e = Eigen::VectorXd::Zero(j.columns);
    for (int k = j.start[row]; k < j.start[row + 1]; ++k) e(j.column[k]) = j.value[k];
    return e.dot(Eigen::VectorXd(mass_->factor.solve(e)));
  };
  const int n = 3 * problem_.contacts;
  delassus_diagonal_.assign(n, 0.0);
  for (int r = 0; r < n; ++r) {
    if (problem_.local()) {
      delassus_diagonal_[r] = diagonal_of(problem_.delassus, r);
    } else {
      delassus_diagonal_[r] = diagonal(problem_.jacobian, r);
      if (!problem_.compliance.empty()) delassus_diagonal_[r] += problem_.compliance[r];
    }
  }
  joint_delassus_diagonal_.assign(problem_.joint_rows(), 0.0);
  for (int r = 0; r < problem_.joint_rows(); ++r) {
    if (problem_.local()) {
      joint_delassus_diagonal_[r] = diagonal_of(problem_.joint_delassus, r);
      continue;
    }
    joint_delassus_diagonal_[r] = diagonal(problem_.joint_jacobian, r);
    if (!problem_.joint_compliance.empty()) joint_delassus_diagonal_[r] += problem_.joint_compliance[r];
  }
}

void ProblemJudge::velocities(const std::vector<double>& contact, const std::vector<double>& joint) {
  if (problem_.local()) {
    v_ = problem_.free_velocity;
    add_product(problem_.delassus, contact, v_);
    add_product(problem_.joint_coupling, joint, v_);
    v_joint_ = problem_.joint_offset;
    add_transposed_product(problem_.joint_coupling, contact, v_joint_);
    add_product(problem_.joint_delassus, joint, v_joint_);
    return;
  }
  Eigen::VectorXd f = Eigen::Map<const Eigen::VectorXd>(problem_.force.data(), problem_.mass.rows);
  add_transposed_product(problem_.jacobian, contact, f);
  add_transposed_product(problem_.joint_jacobian, joint, f);
  const Eigen::VectorXd u = mass_->factor.solve(f);
  u_.assign(u.data(), u.data() + u.size());
  v_ = problem_.offset;
  add_product(problem_.jacobian, u_, v_);
  for (std::size_t r = 0; r < problem_.compliance.size(); ++r) v_[r] += problem_.compliance[r] * contact[r];
  v_joint_ = problem_.joint_offset;
  add_product(problem_.joint_jacobian, u_, v_joint_);
  for (std::size_t r = 0; r < problem_.joint_compliance.size(); ++r)
    v_joint_[r] += problem_.joint_compliance[r] * joint[r];
}

double ProblemJudge::hidden_by_free_velocity() const {
  const SparseMatrix& rows = problem_.local() ? problem_.delassus : problem_.jacobian;
  std::vector<double> sizes;
  double largest = 0;
  for (int i = 0; i < problem_.contacts; ++i) {
    double size = 0;
    for (int r = 3 * i; r < 3 * i + 3; ++r) {
      largest = std::fmax(largest, std::fabs(q_[r]));
      double sum = problem_.local() ? 0 : std::fabs(problem_.offset[r]);
      for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
        if (problem_.local() && rows.value[k] != 0) sum = std::fmax(sum, std::fabs(q_[rows.column[k]]));
        if (!problem_.local()) sum += std::fabs(rows.value[k] * u_[rows.column[k]]);
      }
      size = std::fmax(size, sum);
    }
    if (size > 0) sizes.push_back(size);
  }
  if (sizes.empty()) return 0;
  const auto median = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), median, sizes.end());
  return std::numeric_limits<double>::epsilon() * largest / *median;
}

double ProblemJudge::energy_root() const {
  double sum = 0;
  for (int i = 0; i < problem_.contacts; ++i) {
    double q2 = 0, w = 0;
    for (int r = 3 * i; r < 3 * i + 3; ++r) {
      q2 += q_[r] * q_[r];
      w += delassus_diagonal_[r] / 3;
    }
    sum += q2 / w;
  }
  for (std::size_t r = 0; r < q_joint_.size(); ++r) sum += q_joint_[r] * q_joint_[r] / joint_delassus_diagonal_[r];
  const double count = problem_.contacts + static_cast<double>(q_joint_.size());
  return count > 0 ? std::sqrt(sum / count) : 0;
}

double ProblemJudge::largest_free() const {
  double out = 0;
  for (int i = 0; i < problem_.contacts; ++i) out = std::fmax(out, norm(Vec3{q_[3 * i], q_[3 * i + 1], q_[3 * i + 2]}));
  for (const double q : q_joint_) out = std::fmax(out, std::fabs(q));
  return out;
}

double ProblemJudge::mass_ratio() const {
  double least = INFINITY, most = 0;
  for (std::size_t r = 0; r < delassus_diagonal_.size(); r += 3) {
    least = std::min(least, delassus_diagonal_[r]);
    most = std::max(most, delassus_diagonal_[r]);
  }
  return most > 0 ? most / least : 1;
}

ProblemResiduals ProblemJudge::judge(const std::vector<double>& contact, const std::vector<double>& joint) {
  velocities(contact, joint);
  ProblemResiduals out;
  const auto worst = [&out](double value) {
    if (!(value <= out.velocity_error)) out.velocity_error = value;  // NaN wins
  };
  Norms raw;
  RelativeResiduals relative;
  const auto three = [](const std::vector<double>& list, int i) {
    return Vec3{list[3 * i], list[3 * i + 1], list[3 * i + 2]};
  };
  for (int i = 0; i < problem_.contacts; ++i) {
    const Vec3 l = three(contact, i), v = three(v_, i), q = three(q_, i), w = three(delassus_diagonal_, i);
    const double mu = problem_.friction[i], s = 1 / std::sqrt((w.x + w.y + w.z) / 3);
    const Vec3 f = natural_map(l, v, mu, 1), fs = natural_map(l, v, mu, s);
    relative.add(norm(fs) / s, norm(q), norm(l), norm(v), 1 / (s * s));
    for (int r = 0; r < 3; ++r) raw.add(f[r], q[r], l[r], v[r]);
    const ContactResiduals c = contact_residuals({v.x, v.y, v.z, l.x, l.y, l.z, mu, w.x, w.y, w.z});
    worst(c.complementarity);
    worst(c.friction);
    out.open += c.status == ContactStatus::open;
    out.stick += c.status == ContactStatus::stick;
    out.slip += c.status == ContactStatus::slip;
  }
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const bool bounded = !problem_.joint_lower.empty();
  for (int r = 0; r < problem_.joint_rows(); ++r) {
    const double lower = bounded ? problem_.joint_lower[r] : -kInf, upper = bounded ? problem_.joint_upper[r] : kInf;
    const double v = v_joint_[r], l = joint[r], w = joint_delassus_diagonal_[r];
    raw.add(std::fabs(interval_natural_map(v, l, lower, upper, 1)), q_joint_[r], l, v);
    const double velocity = std::fabs(interval_natural_map(v, l, lower, upper, w));
    worst(velocity);
    relative.add(velocity, std::fabs(q_joint_[r]), std::fabs(l), std::fabs(v), w);
  }
  out.map = std::sqrt(raw.map);
  out.siconos = raw.relative();
  out.fclib = over(out.map, std::sqrt(raw.q));
  out.scaled = relative.scaled();
  out.strict = relative.strict();
  out.hidden = std::max(relative.hidden(), hidden_);
  if (out.hidden > RelativeResiduals::kVisible && out.strict < out.hidden) out.strict = out.hidden;
  out.growth = relative.growth();
  return out;
}

ProblemSolution ProblemJudge::solution(const std::vector<double>& contact, const std::vector<double>& joint) {
  velocities(contact, joint);
  return {u_, v_, contact, joint};
}

}  // namespace clarke
