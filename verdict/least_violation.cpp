#include "verdict/least_violation.hpp"

#include "framework/sets/coulomb_cone.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace clarke {
namespace {

using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double kProximal = 1e-8;  // ε: directions constrained by less than 1e-4 of a row's length converge slowly
constexpr int kProximalPoints = 40;
constexpr int kFactorisations = 200;  // of one search: its cost is bounded, and then it is undecided
constexpr int kNewton = 60;           // per proximal point; half-lines take about ten
constexpr double kRounding = 1e-15;   // of Bᵀ d, relative to w
constexpr double kOnCone = 1e-9;  // a certificate may be outside its dual cone by this, relative to its largest entry

/// d = Π_C(v) − v of one demand, and (1 − Π')(v) where Q is given (rows × rows).
void missing(const Demand& demand, const double* v, double* d, double* Q = nullptr) {
  if (demand.kind == Demand::Kind::cone) {
    // v_n ≥ μ |v_t| is the Coulomb cone of coefficient 1/μ.
    double P[9];
    const ConeProjection at = cone_projection(nullptr, 1 / demand.friction, {v[0], v[1], v[2]}, Q ? P : nullptr);
    for (int r = 0; r < 3; ++r) d[r] = at.point[r] - v[r];
    if (Q)
      for (int e = 0; e < 9; ++e) Q[e] = (e % 4 == 0 ? 1 : 0) - P[e];
    return;
  }
  const bool missed = demand.kind == Demand::Kind::zero || (demand.kind == Demand::Kind::at_least_zero && v[0] < 0) ||
                      (demand.kind == Demand::Kind::at_most_zero && v[0] > 0);
  d[0] = missed ? -v[0] : 0;
  if (Q) Q[0] = missed ? 1 : 0;
}

/// How far d is outside the dual cone of its demand.
double outside_dual(const Demand& demand, const double* d) {
  switch (demand.kind) {
    case Demand::Kind::zero:
      return 0;
    case Demand::Kind::at_least_zero:
      return std::fmax(0.0, -d[0]);
    case Demand::Kind::at_most_zero:
      return std::fmax(0.0, d[0]);
    case Demand::Kind::cone:
      return std::fmax(0.0, std::hypot(d[1], d[2]) - demand.friction * d[0]);
  }
  return INFINITY;
}

/// The demands with rows divided by their lengths, and the minimisation over them.
class MotionSearch {
 public:
  explicit MotionSearch(const MotionDemands& demands, double proximal = kProximal)
      : demands_(demands), B_(demands.jacobian), w_(demands.offset), proximal_(proximal) {
    length_ = VectorXd::Ones(w_.size());
    for (const Demand& d : demands.of) {
      const double length = demands.jacobian.row(d.row).norm();
      for (int r = d.row; r < d.row + d.rows(); ++r)
        if (length > 0) length_(r) = length;
    }
    for (int r = 0; r < B_.outerSize(); ++r)
      for (RowMatrix::InnerIterator e(B_, r); e; ++e) e.valueRef() /= length_(r);
    w_ = w_.cwiseQuotient(length_);
    z_ = VectorXd::Zero(B_.cols());
    d_ = VectorXd::Zero(w_.size());
    identity_.resize(B_.cols(), B_.cols());
    identity_.setIdentity();
  }

  /// The next proximal point from the present one.
  void advance() {
    const VectorXd centre = z_;
    VectorXd gradient;
    double value = evaluate(z_, centre, &gradient);
    for (int k = 0; k < kNewton && !spent() && gradient.norm() > kRounding * w_.norm(); ++k) {
      if (!factorise()) return;
      const VectorXd step = -solver_.solve(gradient);
      constexpr double kDecrease = 1e-4, kShortest = 1e-10;  // Armijo's; shorter steps are rounding
      double along = 1, slope = gradient.dot(step);
      VectorXd next_gradient;
      for (;; along /= 2) {
        const VectorXd trial = z_ + along * step;
        const double next = evaluate(trial, centre, &next_gradient);
        if (next <= value + kDecrease * along * slope || (along == 1 && next_gradient.norm() < 0.5 * gradient.norm())) {
          z_ = trial, value = next, gradient = next_gradient;
          break;
        }
        if (along < kShortest) {
          (void)evaluate(z_, centre, &gradient);
          return;
        }
      }
    }
  }

  /// d with what is left of Bᵀ d taken out, over the rows that are missed; half-lines only keep their sign.
  void polish() {
    std::vector<char> missed(static_cast<std::size_t>(w_.size()), 0);
    for (const Demand& demand : demands_.of)
      if (demand.kind != Demand::Kind::cone && d_(demand.row) != 0) missed[demand.row] = 1;
    VectorXd only = d_;
    for (Eigen::Index r = 0; r < only.size(); ++r)
      if (!missed[r]) only(r) = 0;
    if (only != d_ || !factorise()) return;
    for (int again = 0; again < 3; ++again) {
      const VectorXd change = B_ * VectorXd(solver_.solve(VectorXd(B_.transpose() * d_)));
      for (Eigen::Index r = 0; r < d_.size(); ++r)
        if (missed[r]) d_(r) -= change(r);
    }
  }

  Missed missed_at(const VectorXd& z) {
    VectorXd gradient;
    (void)evaluate(z, z, &gradient);
    return {0.5 * d_.squaredNorm(), largest_missing()};
  }
  const VectorXd& motion() const { return z_; }
  bool spent() const { return factorisations_ >= kFactorisations; }
  VectorXd certificate() const { return d_.cwiseQuotient(length_); }
  /// d of the unscaled rows: what is missing [m/s or rad/s].
  double largest_missing() const { return d_.size() ? d_.cwiseProduct(length_).cwiseAbs().maxCoeff() : 0; }

 private:
  /// ½ |d|² + ε/2 |z − centre|²; leaves d at z.
  double evaluate(const VectorXd& z, const VectorXd& centre, VectorXd* gradient) {
    v_ = w_ + B_ * z;
    for (const Demand& demand : demands_.of) missing(demand, v_.data() + demand.row, d_.data() + demand.row);
    *gradient = proximal_ * (z - centre) - VectorXd(B_.transpose() * d_);
    return 0.5 * d_.squaredNorm() + 0.5 * proximal_ * (z - centre).squaredNorm();
  }

  /// Bᵀ (1 − Π') B + ε at the last z.
  bool factorise() {
    ++factorisations_;
    std::vector<Eigen::Triplet<double>> entries;
    const VectorXd v = w_ + B_ * z_;
    for (const Demand& demand : demands_.of) {
      double Q[9], d[3];
      const int m = demand.rows();
      missing(demand, v.data() + demand.row, d, Q);
      for (int r = 0; r < m; ++r)
        for (int c = 0; c < m; ++c)
          if (Q[m * r + c] != 0) entries.emplace_back(demand.row + r, demand.row + c, Q[m * r + c]);
    }
    RowMatrix Q(w_.size(), w_.size());
    Q.setFromTriplets(entries.begin(), entries.end());
    const Sparse H = Sparse(B_.transpose() * RowMatrix(Q * B_)) + proximal_ * identity_;
    solver_.compute(H);
    return solver_.info() == Eigen::Success;
  }

  const MotionDemands& demands_;
  RowMatrix B_;
  VectorXd w_, length_, z_, d_, v_;
  double proximal_;
  Sparse identity_;
  int factorisations_ = 0;
  Eigen::SimplicialLDLT<Sparse> solver_;
};

/// Which way a one-sided demand opens; 0 for those with two sides.
double opening_side(const Demand& demand) {
  if (demand.kind == Demand::Kind::zero) return 0;
  return demand.kind == Demand::Kind::at_most_zero ? -1 : 1;
}

/// One-sided demands with v − t n in the place of v.
MotionDemands closer_by(const MotionDemands& demands, double t) {
  MotionDemands out = demands;
  for (const Demand& d : out.of) out.offset(d.row) -= opening_side(d) * t;
  return out;
}

/// Smallest opening of all one-sided demands at z: v_n − μ |v_t| of cones; none where z misses the others.
double least_opening(const MotionDemands& demands, const VectorXd& z, double tolerance) {
  const VectorXd v = demands.offset + demands.jacobian * z;
  double out = INFINITY;
  for (const Demand& d : demands.of) {
    const double slip = d.kind == Demand::Kind::cone ? d.friction * std::hypot(v(d.row + 1), v(d.row + 2)) : 0;
    if (const double side = opening_side(d); side != 0)
      out = std::fmin(out, side * v(d.row) - slip);
    else if (!(std::fabs(v(d.row)) <= tolerance))
      return -INFINITY;
  }
  return out;
}

}  // namespace

Missed missed_by(const MotionDemands& demands, const VectorXd& z) { return MotionSearch(demands).missed_at(z); }

VectorXd damped_motion(const MotionDemands& demands, double damping) {
  MotionSearch search(demands, damping);
  search.advance();
  return search.motion();
}

bool is_certificate(const MotionDemands& demands, const VectorXd& d, LeastViolation& out) {
  const double largest = d.size() ? d.cwiseAbs().maxCoeff() : 0;
  if (!(largest > 0) || !std::isfinite(largest)) return false;
  for (const Demand& demand : demands.of)
    if (!(outside_dual(demand, d.data() + demand.row) <= kOnCone * largest)) return false;
  const double product = -demands.offset.dot(d), rest = VectorXd(demands.jacobian.transpose() * d).norm();
  // What is asked for, as a motion: the largest w over the length of its row.
  double asked = 0;
  for (Eigen::Index r = 0; r < d.size(); ++r) {
    const double length = demands.jacobian.row(r).norm();
    if (d(r) != 0 && length > 0) asked = std::fmax(asked, std::fabs(demands.offset(r)) / length);
  }
  out.amount = product / largest;
  out.margin = product / d.cwiseAbs().sum();
  out.reach = rest > 0 ? product / rest : INFINITY;
  return product > 0 && out.reach >= 2 * kReach * asked;
}

LeastViolation least_violation(const MotionDemands& demands, double tolerance) {
  LeastViolation out;
  MotionSearch search(demands);
  out.certificate = VectorXd::Zero(demands.offset.size());
  if (!demands.offset.allFinite()) return out;
  for (int k = 0; k < kProximalPoints && !search.spent(); ++k) {
    search.advance();
    out.motion = search.motion();
    if (search.largest_missing() <= tolerance / 2) {
      out.result = LeastViolation::Result::satisfied;
      return out;
    }
    search.polish();
    const VectorXd d = search.certificate();
    if (!is_certificate(demands, d, out)) continue;
    const bool counts = out.amount > tolerance;
    out.result = counts ? LeastViolation::Result::impossible : LeastViolation::Result::satisfied;
    if (counts) out.certificate = d;
    return out;
  }
  return out;
}

ExistenceMargin existence_margin(const MotionDemands& demands, double largest, double tolerance) {
  ExistenceMargin out;
  double t = largest;
  constexpr int kCuts = 12;
  for (int k = 0; k < kCuts; ++k) {
    const MotionDemands closer = closer_by(demands, t);
    const LeastViolation found = least_violation(closer, tolerance);
    if (found.motion.size() > 0) out.lower = std::fmax(out.lower, least_opening(demands, found.motion, tolerance));
    if (found.result != LeastViolation::Result::impossible) break;
    double normals = 0;
    for (const Demand& d : demands.of) normals += opening_side(d) * found.certificate(d.row);
    if (!(normals > 0)) {  // impossible without any of them
      out.upper = -INFINITY;
      break;
    }
    // v·d ≥ t Σ d_n for every motion whose contacts open by t.
    t = demands.offset.dot(found.certificate) / normals;
    out.upper = std::fmin(out.upper, t);
  }
  return out;
}

}  // namespace clarke
