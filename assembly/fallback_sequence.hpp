#pragma once
// The fallback sequence of recipes: what is tried when a step has failed (docs/failures.md).
//
//   -fallback_sequence a,b     a failed step is solved again from its start with the options of recipe a, then of b;
//                              the next step begins with the run's own options again. Which recipe solved a step is in
//                              its report. When all fail, the step has failed.
//
// Each fallback has a solver and a contact law of its own, made from the run's options with the recipe's over them.

#include "assembly/contact_law_choice.hpp"
#include "assembly/recipes.hpp"
#include "framework/options.hpp"
#include "framework/simulation.hpp"

#include <functional>
#include <string>

namespace clarke {

struct FallbackOptions {
  std::string sequence;
  void describe(OptionVisitor& v) {
    v.text(
        "fallback_sequence", sequence,
        {"", "recipes for a step that has failed, tried in turn: names or paths of option files, separated by commas"});
  }
};

class FallbackSequence {
 public:
  /// Reads -fallback_sequence and all its recipes, and calls make() for each in turn, with the recipe in the database:
  /// it makes law and solver. Throws InputError for unknown recipes and options, and for options that neither law nor
  /// solver reads.
  void set_up(const std::function<void(const Recipe&)>& make);
  void describe(OptionVisitor& v) { options_.describe(v); }

 private:
  FallbackOptions options_;
};

/// Solves by `solver` with what the database says while `recipe` is in it. `law`: of the run, which the recipe may
/// change; `exchange` puts a law in force and returns the one that was.
Fallback fallback_of(const Recipe& recipe, std::unique_ptr<StepSolver> solver, ContactLawChoice law,
                     std::function<std::unique_ptr<RowLaw>(std::unique_ptr<RowLaw>)> exchange);

}  // namespace clarke
