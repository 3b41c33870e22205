#include "assembly/step_explanation.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace clarke {
namespace {

constexpr std::size_t kFirst = 5, kLast = 10;  // iterations that are told of a long solve
constexpr std::size_t kRecent = 5;             // iterations whose errors say whether there is progress
constexpr double kStalled = 0.9;               // the least of them over the largest, above which there is none

std::string iteration_line(const NewtonIteration& n) {
  char line[256];
  std::snprintf(line, sizeof line, "  Newton %2d: error %.3e m/s, %d contacts or bounds changed status", n.iteration,
                n.velocity_error, n.changed_contacts);
  std::string out = line;
  if (!n.linear_reason.empty()) {  // the last iterate has no solve behind it
    std::snprintf(line, sizeof line, "; linear: %d its to %.1e (%s)", n.linear_iterations, n.linear_residual,
                  n.linear_reason.c_str());
    out += line;
  }
  return out + '\n';
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string linear_advice(const std::string& reason) {
  if (holds(reason, "INDEFINITE_PC"))
    return "  the preconditioner is not positive definite, which the Krylov method needs: -pc_type block_jacobi, "
           "jacobi "
           "or gamg,\n"
           "  or a direct solve, -recipe schur_lu\n";
  if (holds(reason, "INDEFINITE_MAT"))
    return "  the linear system is not positive definite, which the Krylov method needs: -ksp_type gmres or minres, or "
           "a direct\n"
           "  solve, -recipe schur_lu\n";
  if (holds(reason, "PC_FAILED"))
    return "  the preconditioner or factorisation could not be set up (a pivot of zero: redundant rows?): -pc_type lu\n"
           "  -pc_factor_mat_solver_type mumps, -regularisation_relative 1e-4, or -check_constraints true to see which "
           "rows repeat others\n";
  return "  the Krylov method gave up: another -pc_type or -ksp_type (gmres takes any system), or a direct solve, "
         "-recipe schur_lu\n";
}

/// Whether the error has stayed and no contact changed: the iteration neither comes nearer nor jumps.
bool stalled(const std::vector<NewtonIteration>& newton) {
  if (newton.size() < kRecent) return false;
  const auto first = newton.end() - kRecent;
  const auto [least, most] = std::minmax_element(
      first, newton.end(),
      [](const NewtonIteration& a, const NewtonIteration& b) { return a.velocity_error < b.velocity_error; });
  return least->velocity_error > kStalled * most->velocity_error &&
         std::all_of(first, newton.end(), [](const NewtonIteration& n) { return n.changed_contacts == 0; });
}

std::string iteration_advice(const StepReport& report, const std::string& strategy) {
  if (stalled(report.newton))
    return "  the error stays and no contact or bound changes: what is asked of the step cannot all hold (motions or "
           "limits against each\n"
           "  other: -check_constraints true; bodies pressed together: look at the place named), or masses or "
           "stiffnesses "
           "are too far\n"
           "  apart for double precision\n";
  if (strategy == "ssnal")
    return "  what often helps: a smaller -time_step, a larger -snes_max_it, compliance of contacts "
           "(contact_stiffness) or of joints;\n"
           "  whether a solution exists at all is said next, where that could be found out (docs/failures.md)\n";
  if (report.contacts > 0)
    return "  -preset robust solves most of such steps; where contacts wedge or strike, one of these often converges:\n"
           "  -newton_damping 0.75, -regularisation_rule residual, a larger -snes_max_it, a smaller -time_step,\n"
           "  -contact_law soc_fischer_burmeister -ksp_type gmres (docs/guide.md, \"When a step fails\")\n";
  return "  -preset robust solves most of such steps; without contacts these often converge: a smaller -time_step,\n"
         "  -newton_damping 0.75, a larger -snes_max_it, -geometric_stiffness exact; contradictory joints are found "
         "by\n"
         "  -check_constraints true\n";
}

}  // namespace

std::string advice(const StepReport& report, const std::string& strategy) {
  if (!report.failed) return "";
  const std::string& reason = report.reason;
  if (reason.starts_with("linear solve failed")) return linear_advice(reason);
  if (reason.starts_with("nan"))
    return "  a number overflowed, nearly always since the iteration grew in full steps: -newton_damping 0.75, a "
           "smaller "
           "-time_step,\n"
           "  fewer -snes_max_it (docs/failures.md)\n";
  // PETSc's own globalisations minimise |F|, which has kinks where contacts change.
  if (reason.starts_with("DIVERGED_"))
    return "  PETSc's own SNES type gave up (" + reason.substr(0, reason.find(' ')) +
           "): take -snes_type ssnal, or nonsmooth_newton, whose full steps cross\n"
           "  kinks, with -newton_damping 0.75, or -newton_line_search gll -newton_merit natural_map\n";
  return iteration_advice(report, strategy);
}

std::string explanation(const StepReport& report, const std::string& strategy) {
  char line[256];
  std::string out;
  const auto add = [&](const char* what, const Residual& r, const char* unit) {
    if (r.where.empty()) return;
    std::snprintf(line, sizeof line, "  %-20s %.3e %s at %s\n", what, r.value, unit, r.where.c_str());
    out += line;
  };
  std::snprintf(line, sizeof line, "step %d (t = %g s) ended by '%s' after %d Newton and %d linear iterations\n",
                report.step, report.time, report.reason.c_str(), report.newton_iterations, report.linear_iterations);
  out += line;
  add("velocity error", report.verdict.velocity_error, "m/s");
  add("momentum", report.verdict.momentum_residual, "sqrt(J)");
  add("joint violation", report.verdict.bilateral_violation, "m or rad");
  add("complementarity", report.verdict.complementarity, "m/s");
  add("natural map", report.verdict.natural_map, "N s");
  const std::size_t count = report.newton.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (k == kFirst && count > kFirst + kLast) {
      out += "  ... " + std::to_string(count - kFirst - kLast) + " more in newton.csv\n";
      k = count - kLast;
    }
    out += iteration_line(report.newton[k]);
  }
  return out + advice(report, strategy);
}

}  // namespace clarke
