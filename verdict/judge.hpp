#pragma once
// The verdict: how good a step is, recomputed from the state in double precision, by code that shares the laws'
// projections and nothing of the solvers (docs/theory.md, "The verdict"). Two depths: `norms` for every Newton
// iteration, `judge` with names for the end of a step.

#include "framework/accumulate.hpp"
#include "framework/report.hpp"
#include "framework/step_problem.hpp"
#include "verdict/contact_residuals.hpp"
#include "verdict/relative_residuals.hpp"
#include "verdict/row_residuals.hpp"

#include <vector>

namespace clarke {

class Judge {
 public:
  /// Residuals at the last evaluated point.
  ResidualNorms norms(const StepProblem& problem);
  /// The whole verdict of a solution that has just been evaluated; energies are the caller's.
  Verdict judge(const StepProblem& problem, const View<double>& impulse);
  /// Residuals of every contact at the last norms() or judge(), in contact order, copied to the host: for pictures.
  std::vector<ContactResiduals> contacts() const;

  struct Momentum {
    double weighted2;  // |g|² in M⁻¹ [J]
    double velocity;   // |M⁻¹ g|_inf
  };
  /// What crosses to the host of an evaluation, whatever the size of the system. 64 bits each, in device memory.
  struct MomentumFigures {
    double weighted2 = 0;
    Worst velocity;
    KOKKOS_INLINE_FUNCTION void merge(const MomentumFigures& later) {
      weighted2 += later.weighted2;
      velocity.merge(later.velocity);
    }
  };
  struct ContactFigures {
    Worst complementarity, friction, natural_map, cone_excess, desaxce_gap;
    double natural_scale = 0;
    int changed = 0;  // statuses that are not those of the evaluation before
    KOKKOS_INLINE_FUNCTION void merge(const ContactFigures& later) {
      complementarity.merge(later.complementarity);
      friction.merge(later.friction);
      natural_map.merge(later.natural_map);
      cone_excess.merge(later.cone_excess);
      desaxce_gap.merge(later.desaxce_gap);
      natural_scale = std::fmax(natural_scale, later.natural_scale);
      changed += later.changed;
    }
  };
  struct RowFigures {
    Worst error;
    int changed = 0;
    KOKKOS_INLINE_FUNCTION void merge(const RowFigures& later) {
      error.merge(later.error);
      changed += later.changed;
    }
  };
  struct Figures {
    MomentumFigures momentum;
    ContactFigures contact;
    RowFigures row;
  };
  // Public: device lambdas may not live in private members.
  /// Residuals of the last evaluated point, on the device, and their figures on the host.
  void evaluate(const StepProblem& problem);
  void evaluate_momentum(const SaddlePointSystem& system);
  void evaluate_contacts(const RowSet& rows);
  void evaluate_rows(const RowSet& rows);
  void gather_row_figures(int rows);
  /// The relative residuals of the last evaluated point, from the residuals that evaluate() has left. Elements of soft
  /// bodies and cloth have no part in them.
  void add_relative(const StepProblem& problem, Verdict& verdict);
  void add_relative_rows(const RowSet& rows, int first_row);
  /// The deepest gap of all contacts, with rows or without.
  Residual penetration(const StepProblem& problem);
  /// The largest |violation| of the rigid rows of `rows`.
  Worst rigid_violation(const RowSet& rows);
  /// The velocity error of norms(), by island.
  void island_errors(const StepProblem& problem, std::vector<double>& error) const;

 private:
  template <class A>
  A fetched(const View<A>& figures) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), figures);
    return host(0);
  }

  Buffer<ContactResiduals> contact_{"contact_residuals"};
  Buffer<Momentum> momentum_{"momentum_residuals"};
  Buffer<ContactStatus> last_status_{"contact_status"};
  // of every row that is no contact row; 0 and free elsewhere
  Buffer<double> row_error_{"row_residuals"};  // [m/s]
  Buffer<RowStatus> row_status_{"row_status"}, last_row_status_{"last_row_status"};
  int contacts_ = 0, last_contacts_ = 0, last_rows_ = 0;  // how many of each there are and were
  Buffer<Vec3> change_{"velocity_change"};                // u − ũ
  Buffer<double> row_change_{"row_change"};               // J (u − ũ)

  Figures found_;  // of the last evaluation
  Buffer<Figures> figures_{"judge_figures"};
  Buffer<MomentumFigures> momentum_parts_{"judge_momentum_parts"};
  Buffer<ContactFigures> contact_parts_{"judge_contact_parts"};
  Buffer<RowFigures> row_parts_{"judge_row_parts"};
  Buffer<RelativeResiduals> relative_{"judge_relative"}, relative_parts_{"judge_relative_parts"};
  Buffer<Worst> worst_{"judge_worst"}, worst_parts_{"judge_worst_parts"};
};

}  // namespace clarke
