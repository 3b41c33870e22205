#pragma once
// What a run says about itself: per Newton iteration, per step, and at the end. Filled by the simulation and the
// verdict, written by postprocess/. All residuals are those of the verdict (docs/theory.md, "The verdict"): they mean
// the same for every solver.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clarke {

/// A residual and where it is largest. `where` names the entity, joint or contact; empty when there is none.
struct Residual {
  double value = 0;
  std::string where;
};

struct Verdict {
  Residual momentum_residual;    // ‖M(u−ũ) − JᵀΛ‖ weighted by M^(-1/2) [√J], and the worst body
  Residual bilateral_violation;  // max |c| [m or rad], compliance accounted for
  Residual penetration;          // max(0, −C) over the contacts that were found [m]
  /// Deepest overlap of two solids at the poses, whatever was found [m]; nothing where it was not looked at.
  std::optional<Residual> geometric_penetration;
  Residual complementarity;         // max |min(C/h, W_nn Λ_n)| [m/s]
  Residual cone_excess;             // max(0, |Λ_f| − μ Λ_n) [N s]
  Residual desaxce_gap;             // |Λ·(v + μ|v_t| n)| [J], energy mismatch of the contact law
  Residual natural_map;             // |Λ − Π_K(Λ − (v + μ|v_t| n)/ρ)| [N s]
  double natural_map_relative = 0;  // natural_map / max(|Λ|, |v|/ρ, 1e-5 m/s /ρ) over all contacts
  Residual velocity_error;          // the largest of all of the above as a velocity [m/s]: what Newton is judged by
  // natural map of all contacts and joints over what is asked for, in variables of equal units (theory.md, V9)
  double scaled_residual = 0;  // over the largest of ‖q‖, ‖Λ‖, ‖v‖
  double strict_residual = 0;  // over ‖q‖, of all together and of the worst one: growing impulses do not flatter it
  double impulse_growth = 0;   // ‖Λ‖/‖q‖
  double kinetic_energy = 0, potential_energy = 0, elastic_energy = 0;  // [J]
  std::array<double, 3> linear_momentum{}, angular_momentum{};          // [N s], [N m s] about the origin
};

/// One row of newton.csv. `iteration`: Newton steps made in the time step so far, in all of its rounds; where one
/// begins there is a row more with the same number.
struct NewtonIteration {
  int step = 0, iteration = 0;
  double velocity_error = 0, momentum_residual = 0, natural_map = 0;  // verdict at this iterate
  double function_norm = 0;                                           // ‖F‖₂ in √J
  int linear_iterations = 0;                                          // of the solve that led to the next iterate
  double linear_residual = 0;  // last residual norm of that solve, relative to its start
  std::string linear_reason;
  double damping = 1;
  int changed_contacts =
      0;  // contacts whose status (open, stick, slip) changed, and joint rows that met or left a bound
};

/// One row of linear.csv.
struct LinearIteration {
  int step = 0, newton_iteration = 0;  // the solve led from this iterate to the next
  int iteration = 0;                   // 0 is the start
  double residual = 0;                 // the norm that the method monitors (-ksp_norm_type)
};

struct PhaseSeconds {
  double detect = 0, assemble = 0, solve = 0, verdict = 0, geometry = 0, output = 0;
};

/// What crossed between host and device; nothing where they are one (framework/device.hpp).
struct StepTransfers {
  long to_host = 0, to_device = 0;              // copies
  long to_host_bytes = 0, to_device_bytes = 0;  // [byte]
  long results = 0;                             // numbers that kernels hand back: sums, maxima, sizes
};

struct StepReport {
  int step = 0;
  double time = 0;  // at the end of the step [s]
  int contacts = 0;
  int newton_iterations = 0, linear_iterations = 0;
  int islands = 0, island_rows_max = 0;  // groups of bodies that touch or are joined, and the rows of the largest
  double newton_iterations_per_row = 0, linear_iterations_per_row = 0;  // means over rows; see -islands
  std::string reason;  // "converged", "budget", "stalled", "overlap" (after -detect_again), or why it failed
  bool failed = false;
  long unconverged_steps = 0;    // accepted so far, this one included, though they did not converge
  std::string recipe;            // of -fallback_sequence, with which the step was solved; "" for the run's own options
  int substeps = 1;              // that the step was made in; more than one with -step_halvings
  double velocity_rounding = 0;  // bound of what rounding makes of the velocity error, where it ended for that [m/s]
  Verdict verdict;
  PhaseSeconds seconds;
  StepTransfers transfers;
  std::map<std::string, long> safeguards;  // name of the safeguard's option -> how often it acted in this step
  std::vector<NewtonIteration> newton;
  std::vector<LinearIteration> linear;  // with -output_linear
  std::string explanation;              // -explain: why the step stalled
  std::string feasibility;              // whether it could be solved at all, where it was not and somebody looked
  std::vector<std::string> warnings;    // what the user is told, a line each
};

}  // namespace clarke
