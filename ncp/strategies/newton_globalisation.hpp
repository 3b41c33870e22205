#pragma once
// What may be done to a Newton step that does not bring the merit θ down, each by option and counted [docs/theory.md,
// eq. N5].
//
//   armijo    halve α until θ(x − α y) ≤ (1 − 2 σ α) θ_ref,  θ_ref = θ(x)
//   gll       the same with θ_ref the largest of the last 8 [Grippo Lampariello Lucidi 1986]
//   watchdog  full steps; if in N of them θ never fell by that measure below its best value, back to where that was,
//             and from there one step by the line search [Chamberlain Powell Lemaréchal Pedersen 1982]
//   θ         function: ½ |F|² of the step's equations;   natural_map: natural_merit.hpp
//             energy: Φ(u) = ½ (u − ũ)ᵀ M (u − ũ) + the potential of the forces, with ∇Φ = g, for steps without rows;
//             then a decrease is Φ(u − α y) ≤ Φ_ref − σ α g·y, up to rounding
//
// σ = 1e-4. A search that ends without the decrease takes the α with the least θ it has seen, counted as exhausted.
// Rows that only set their multiplier are not damped in the first trial, as without a search; in shorter ones they are.

#include "framework/options.hpp"
#include "ncp/strategies/natural_merit.hpp"
#include "ncp/strategies/step_energy.hpp"

#include <petscsnes.h>

#include <array>

namespace clarke {

class SnesStepSolver;

struct GlobalisationOptions {
  std::string line_search = "none", merit = "function";
  int halvings = 8, watchdog = 0;
  void describe(OptionVisitor& v) {
    v.choice(
        "newton_line_search", line_search, {"none", "armijo", "gll"},
        {"",
         "step length: always -newton_damping, or halved until the merit falls, below its last value (armijo) or the "
         "largest of the last 8 (gll)"});
    v.integer("newton_line_search_halvings", halvings, {"1", "most halvings of one search", 1, 50});
    v.choice("newton_merit", merit, {"function", "natural_map", "energy"},
             {"",
              "what a line search and the watchdog compare: half of |F|², or of the natural map's, which no law or "
              "r-factor takes part in, or the potential of the step (line search only, without rows: -soft_form "
              "stiffness)"});
    v.integer(
        "newton_watchdog", watchdog,
        {"1", "full steps without a decrease of the merit before Newton goes back to its best point; 0: never", 0});
  }
  bool any() const { return line_search != "none" || watchdog > 0; }
};

class NewtonGlobalisation {
 public:
  GlobalisationOptions options;

  /// Before the first step from X.
  PetscErrorCode begin(SNES snes);
  /// X ← X − α Y for the α that is right. `complete` moves the rows that are not damped by the rest of the step, given
  /// α.
  PetscErrorCode step(SNES snes, Vec Y, double damping, PetscErrorCode (*complete)(SNES, Vec, double), double& alpha);
  PetscErrorCode destroy();

 private:
  static constexpr int kMemory = 8;
  PetscErrorCode merit(SNES snes, double& value);
  bool energy() const { return options.merit == "energy"; }
  /// g·Y at the last evaluated point.
  double slope(SNES snes, Vec Y);
  PetscErrorCode search(SNES snes, Vec from, Vec Y, double first, double at_start, double reference, double slope,
                        PetscErrorCode (*complete)(SNES, Vec, double), double& alpha, double& value);
  PetscErrorCode watch(SNES snes, Vec Y, double damping, PetscErrorCode (*complete)(SNES, Vec, double), double& alpha);

  NaturalMerit natural_;
  StepEnergy energy_;
  std::array<double, kMemory> memory_{};
  int remembered_ = 0, without_decrease_ = 0;
  double present_ = 0, best_ = 0;
  Vec before_ = nullptr, best_x_ = nullptr, best_y_ = nullptr;
};

}  // namespace clarke
