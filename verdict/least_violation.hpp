#pragma once
// The motion that misses its constraints by least, and the proof that none does better [docs/theory.md, eq. V8].
//
//   v = w + B z              velocities of rigid rows; z the motion from a reference, of every body in units in which
//                            the rows see it alike (step_demands.hpp)
//   v ∈ C                    per demand: v = 0, v ≥ 0, v ≤ 0, or v_n ≥ μ |v_t| of a contact's three rows
//   z = argmin ½ dist²(v, C),   d = Π_C(v) − v
//
// Each demand is divided by the length of its first row of B, so that units and masses do not matter. At the minimum
// Bᵀ d = 0 and w·d = −|d|², and d is in the dual cone of C: of any sign, ≥ 0, ≤ 0, or in the Coulomb cone. Either d = 0
// and z satisfies everything, or d is a **certificate**: w·d + (B z)·d = w·d < 0 for every z, while v·d ≥ 0 wherever
// v ∈ C (Farkas). A certificate is checked by itself, whoever found it:
//
//   d in the dual cone,   |Bᵀ d| |z| < −w·d / 2 for all |z| ≤ kReach max|w|
//
// so rounding cannot make one: only motions kReach times as fast as what is asked for could escape it, whatever the
// masses.
//
// Method: proximal points of ½ dist² + ε/2 |z − z_k|², each by Newton's semismooth method with a line search and a
// sparse LDLᵀ; finite for half-lines, quickly convergent for cones. A direction that the demands constrain by less than
// √ε is found slowly; then the answer is `undecided`, and nothing is claimed. Time is that of some ten factorisations,
// kFactorisations at most.

#include "verdict/rigid_rows.hpp"

#include <string>
#include <vector>

namespace clarke {

/// What the velocity of a row, or of the three rows of a contact, has to be.
struct Demand {
  enum class Kind { zero, at_least_zero, at_most_zero, cone };
  Kind kind = Kind::zero;
  int row = 0;          // first row
  double friction = 0;  // of a cone, > 0
  int rows() const { return kind == Kind::cone ? 3 : 1; }
};

struct MotionDemands {
  RowMatrix jacobian;      // B
  Eigen::VectorXd offset;  // w [m/s or rad/s]
  std::vector<Demand> of;
};

struct LeastViolation {
  enum class Result { satisfied, impossible, undecided };
  Result result = Result::undecided;
  Eigen::VectorXd motion;       // z
  Eigen::VectorXd certificate;  // d per row, in the units of an impulse; zero unless impossible
  double amount = 0;            // −w·d / max|d|: by how much the demands contradict each other [m/s or rad/s]
  double margin = 0;            // −w·d / Σ|d|: every motion misses some row by at least this [m/s or rad/s]
  double reach = 0;             // −w·d / |Bᵀ d|: the certificate holds for all motions below; see kReach
};

/// Certified motions: those up to this many times as fast as the largest velocity that is asked for.
inline constexpr double kReach = 1e6;

/// Contradictions by an amount of up to `tolerance` [m/s or rad/s] count as satisfied.
LeastViolation least_violation(const MotionDemands& demands, double tolerance);

/// How far v = w + B z is from C.
struct Missed {
  double squares = 0;  // ½ Σ of scaled demands
  double largest = 0;  // of a row [m/s or rad/s]
};
Missed missed_by(const MotionDemands& demands, const Eigen::VectorXd& z);

/// argmin ½ dist² + damping/2 |z|²: a shorter motion that misses less, for rows that are linear only near z = 0.
Eigen::VectorXd damped_motion(const MotionDemands& demands, double damping);

/// Whether d proves that no motion satisfies the demands; fills amount, margin and reach.
bool is_certificate(const MotionDemands& demands, const Eigen::VectorXd& d, LeastViolation& out);

/// Largest t such that some motion opens all one-sided demands by t, v − t n ∈ C with n the normal of a contact or the
/// row itself: bounds from below and above [m/s or rad/s]. Above 0 a frictional problem has a solution [Acary Cadoux
/// Lemaréchal Malick 2011].
struct ExistenceMargin {
  double lower = -INFINITY, upper = INFINITY;
};
/// Searched up to `largest`; `tolerance` as above.
ExistenceMargin existence_margin(const MotionDemands& demands, double largest, double tolerance);

}  // namespace clarke
