#pragma once
// The hardest steps of a run as contact problems by themselves: for other solvers, and for `clarke solve`.
//
// A step is linearised where it ended, at (u, Λ), so that what solved the step solves the problem:
//
//   M, J, G, μ, γ, E, bounds    of the step, at q⁺(u)
//   f = M ũ                      [N s]
//   w = v̂(u, Λ) − J u − γ Λ      [m/s]     v̂ = (ĉ, v_t): the arguments of the contact law, compliance included
//   b = v(u, Λ) − G u − E Λ_G    [m/s, rad/s]
//
// with the meanings of framework/contact_problem.hpp. Rows of joints that are switched off (l = u = 0) are left out.
// Where the normals, lever arms and joint axes turn much within a step, the linear problem is not the step's own
// nonlinear one; it shares its solution.
//
// Only the K hardest are kept in memory; they are handed out at the end of the run.

#include "framework/contact_problem.hpp"
#include "framework/options.hpp"
#include "framework/step_problem.hpp"

#include <string>
#include <vector>

namespace clarke {

struct CaptureOptions {
  int problems = 0;
  std::string by = "newton_iterations";
  int step = 0;
  bool local = false;
  void describe(OptionVisitor& v) {
    v.integer("capture_problems", problems,
              {"1", "how many of the hardest steps become problem files in <output_dir>/problems", 0.0});
    v.choice(
        "capture_by", by, {"newton_iterations", "residual", "seconds"},
        {"",
         "what makes a step hard: Newton iterations, the velocity error it ends with, or the seconds of its solve; "
         "a failed step is harder than any other"});
    v.integer("capture_step", step, {"1", "one step that becomes a problem file whatever it cost; 0: none", 0.0});
    v.flag("capture_local", local,
           {"", "write each captured problem in the local form as well, the Delassus operator formed"});
  }
};

/// The step that `problem` has solved last, at the point where it was evaluated last.
ContactProblem linearised_step(const StepProblem& problem);

struct CapturedStep {
  StepReport report;
  ContactProblem problem;
  double difficulty = 0;  // by -capture_by
};

class ProblemCapture {
 public:
  explicit ProblemCapture(const CaptureOptions& options) : options_(options) {}
  /// After every step, also a failed one. Steps without contacts are no problems, nor are those that ended with NaN.
  void observe(const StepReport& report, const StepProblem& problem);
  /// In the order of the steps.
  const std::vector<CapturedStep>& steps() const { return steps_; }

 private:
  double difficulty(const StepReport& report) const;

  CaptureOptions options_;
  std::vector<CapturedStep> steps_;
};

}  // namespace clarke
