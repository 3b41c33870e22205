#pragma once
// Newton's linear system of one iteration as files: in Matrix Market text and in PETSc's binary format, with a README
// beside them.
//
//   K = [H −Jᵀ; −A J  −B],   K (Δu, ΔΛ) = (−g, F)        framework/system.hpp
//   S = A J H⁻¹ Jᵀ + B,      S ΔΛ = A J H⁻¹ g − F        rows and columns in SI units, nothing scaled or shifted
//
// With a given Delassus operator R stands for J in Jᵀ, and is written as well.
// and the pieces M, H, J, A, B, g, F, with the name of every row.

#include "framework/options.hpp"
#include "framework/step_problem.hpp"

#include <string>

namespace clarke {

struct SystemDumpOptions {
  std::string directory;
  int step = 1, iteration = 0;
  void describe(OptionVisitor& v) {
    v.text(
        "dump_system", directory,
        {"",
         "folder for Newton's linear system and its pieces, as PETSc binary and Matrix Market; default: not written"});
    v.integer("dump_step", step, {"1", "step of -dump_system; of `clarke solve` the number of the problem", 1.0});
    v.integer("dump_iteration", iteration, {"1", "Newton iteration of -dump_system, the first is 0", 0.0});
  }
};

class SystemDump {
 public:
  /// Reads its options from the database.
  SystemDump() { read_options(options_); }
  bool wanted() const { return !options_.directory.empty(); }
  bool written() const { return written_; }
  const SystemDumpOptions& options() const { return options_; }
  /// After every linearisation: writes the one that was asked for. `unit`: what 1 in velocities and impulses is [m/s, N
  /// s]. Throws std::runtime_error when it cannot.
  void linearised(const StepProblem& problem, int iteration, double unit = 1);

 private:
  SystemDumpOptions options_;
  bool written_ = false;
};

}  // namespace clarke
