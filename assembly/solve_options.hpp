#pragma once
// What `clarke solve` does with contact problems, beside the options of the solvers.

#include "assembly/presets.hpp"
#include "framework/options.hpp"

namespace clarke {

struct SolveOptions {
  std::string preset = "robust";
  std::string recipe, output_dir, solution;
  bool conditioning = false;

  void describe(OptionVisitor& v) {
    v.choice("preset", preset, preset_names(), {"", "set of options that everything else overrides"});
    v.text("recipe", recipe,
           {"",
            "solver options from a file: the name of one that comes with the program, or a path; the command line "
            "overrides it"});
    v.text("output_dir", output_dir,
           {"", "where problems.csv, newton.csv and summary.json go; none are written where it is not given"});
    v.text("o", solution,
           {"", "the problem with the solution reached, also as its last guess: a file; of several problems a folder"});
    v.flag("conditioning", conditioning,
           {"",
            "density, rank, eigenvalues, status, mass ratio, islands of every problem: a table, and columns of "
            "problems.csv"});
  }
};

}  // namespace clarke
