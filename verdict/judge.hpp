#pragma once
// The verdict: how good a step is, recomputed from the state in double precision, by code that shares the laws'
// projections and nothing of the solvers (docs/theory.md, "The verdict"). Two depths: `norms` for every Newton
// iteration, `judge` with names for the end of a step.

#include "framework/report.hpp"
#include "framework/step_problem.hpp"
#include "verdict/contact_residuals.hpp"
#include "verdict/relative_residuals.hpp"
#include "verdict/row_residuals.hpp"

namespace clarke {

class Judge {
 public:
  /// Residuals at the last evaluated point.
  ResidualNorms norms(const StepProblem& problem);
  /// The whole verdict of a solution that has just been evaluated; energies are the caller's.
  Verdict judge(const StepProblem& problem, const View<double>& impulse);
  /// Residuals of every contact at the last norms() or judge(), host side, in contact order.
  const std::vector<ContactResiduals>& contacts() const { return contact_host_; }

  struct Momentum {
    double weighted2;  // |g|² in M⁻¹ [J]
    double velocity;   // |M⁻¹ g|_inf
  };
  /// Fills the host-side residuals from the last evaluated point. (Public: device lambdas may not live in private
  /// members.)
  void evaluate(const StepProblem& problem);
  void evaluate_rows(const RowSet& rows);
  /// The relative residuals of the last evaluated point, from the residuals that evaluate() has left. Elements of soft
  /// bodies and cloth have no part in them.
  void add_relative(const StepProblem& problem, Verdict& verdict);

 private:
  /// The deepest gap of all contacts, with rows or without.
  static Residual penetration(const StepProblem& problem);
  /// The velocity error of norms(), by island.
  void island_errors(const StepProblem& problem, std::vector<double>& error) const;

  Buffer<ContactResiduals> contact_{"contact_residuals"};
  Buffer<Momentum> momentum_{"momentum_residuals"};
  std::vector<ContactResiduals> contact_host_;
  std::vector<Momentum> momentum_host_;
  std::vector<ContactStatus> last_status_;
  // of every row that is no contact row; 0 and free elsewhere
  Buffer<double> row_error_{"row_residuals"};  // [m/s]
  Buffer<RowStatus> row_status_{"row_status"};
  std::vector<double> row_error_host_;
  std::vector<RowStatus> row_status_host_, last_row_status_;
  Buffer<Vec3> change_{"velocity_change"};   // u − ũ
  Buffer<double> row_change_{"row_change"};  // J (u − ũ)
};

}  // namespace clarke
