#pragma once
// Which bodies overlap at the start of a run, and pushing them apart [docs/theory.md, eq. V4].
//
//   overlap of a pair  =  max over its contacts of −C  [m]          C: the gap (physics/collision/contact_set.hpp)
//
// -resolve_overlaps moves bodies until no pair overlaps by more than the tolerance: sweeps of detection and, at fixed
// contacts, of projections of one contact after another, in the order of their ids,
//
//   x_a ← x_a + w_a d n,   x_b ← x_b − w_b d n,   d = −C / (w_a + w_b) where C < 0
//   w = 1/mass, 0 for what cannot move
//
// (Gauss-Seidel on positions, mass-weighted; n is frozen between detections.) Bodies are moved, never turned. Static
// and prescribed bodies and those with a joint stay where they are, so that joints keep fitting.
//
// Limits: converges like a relaxation, slowly for tall stacks; bodies in a bin that is too small have no solution. When
// the budget of sweeps does not suffice the run is refused. Overlaps of bodies that never touch (filters) do not count.

#include "framework/options.hpp"
#include "physics/collision/detection.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace clarke {

struct OverlapOptions {
  double tolerance = 1e-5;  // [m]
  bool resolve = false;
  int sweeps = 200;
  void describe(OptionVisitor& v);
};

class InitialOverlaps {
 public:
  /// Reads its options from the database.
  InitialOverlaps();
  void describe(OptionVisitor& v) { options_.describe(v); }

  /// Finds the overlaps of `state` and, if asked, moves bodies out of them. Per entity: `mass` [kg], 0 or `stays` for
  /// what may not be moved, and `names`. Throws InputError naming the deepest pair when overlaps beyond the tolerance
  /// are left.
  void settle(ContactDetection& detection, const Entities& entities, State& state, const std::vector<double>& mass,
              const std::vector<char>& stays, const std::vector<std::string>& names);

  /// What there is to tell the user of settle(), a line each; deepest pairs first, at most ten. A first `step` [s]
  /// parts hard contacts.
  std::vector<std::string> lines(double step) const;
  /// Key of summary.json "initial_overlaps"; an empty object when nothing overlaps.
  nlohmann::json record() const;

 private:
  struct Overlap {
    int a, b;      // entities, a < b
    double depth;  // [m]
  };
  /// Pairs that overlap by more than `tolerance`, deepest first.
  std::vector<Overlap> find(ContactDetection& detection, const Entities& entities, const State& state) const;
  std::string text(const Overlap& overlap) const;

  OverlapOptions options_;
  std::vector<std::string> names_;
  std::vector<Overlap> before_;
  int sweeps_ = 0;    // made by -resolve_overlaps
  double after_ = 0;  // [m] largest overlap then
  double moved_ = 0;  // [m] largest displacement
  int moved_entity_ = -1;
};

}  // namespace clarke
