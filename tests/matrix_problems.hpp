#pragma once
// Test support: small contact problems with known solutions, and a run of one under options of its own.

#include "assembly/problem_model.hpp"
#include "scene/reader/problem_file.hpp"
#include "tests/model_run.hpp"

#include <array>

namespace clarke::test {

inline SparseMatrix dense(int rows, int columns, const std::vector<double>& values) {
  std::vector<int> r, c;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      r.push_back(i);
      c.push_back(j);
    }
  return compressed_rows(rows, columns, r, c, values);
}

inline ContactProblem local_problem(const std::vector<double>& w, const std::vector<double>& q,
                                    const std::vector<double>& mu) {
  ContactProblem p;
  p.contacts = static_cast<int>(mu.size());
  p.friction = mu;
  p.delassus = dense(3 * p.contacts, 3 * p.contacts, w);
  p.free_velocity = q;
  return p;
}

struct Solved {
  ProblemReport report;
  ProblemSolution solution;
};

/// The preset of `clarke solve`, tolerances of rounding size, and whatever else a test wants.
inline const char* kDirectNewton =
    "-r_factor delassus_trace -newton_start unconstrained -accept_velocity_error 1e300 -snes_max_it 200 -snes_atol 0 "
    "-solve_tolerance 1e-12 -regularisation_rule residual ";

inline Solved solve(const ContactProblem& problem, const std::string& options) {
  const ScopedOptions scope(kDirectNewton + options);
  ProblemModel model(problem);
  Solved out{model.solve(), {}};
  out.solution = model.solution();
  return out;
}

}  // namespace clarke::test
