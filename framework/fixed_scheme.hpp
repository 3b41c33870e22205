#pragma once
// An integrator that also says how its steps are solved: explicit ones, and those that are one Newton step
// [docs/theory.md, eq. T4].

#include <string>
#include <utility>
#include <vector>

namespace clarke {

class FixedScheme {
 public:
  virtual ~FixedScheme() = default;
  /// Forces and rows are those of q⁻, u⁻: nothing depends on u⁺ but the momentum.
  virtual bool laws_at_start() const = 0;
  /// A step is one Newton step, which has converged when its linear system has.
  virtual bool one_newton_step() const = 0;
  /// Solver options that it is made of, instead of those of a preset; nobody else may set them.
  virtual std::vector<std::pair<std::string, std::string>> solver_options() const = 0;
};

}  // namespace clarke
