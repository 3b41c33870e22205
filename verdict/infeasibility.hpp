#pragma once
// Whether a step has a solution at all, and if not, who is to blame, by name [docs/theory.md, eq. V8].
//
//   v = v(u) + J δu,  Λ = 0     rigid rows of contacts and joints of the step, linearised where they are missed by
//                               least
//   impossible   no u has v_n ≥ 0 at all contacts, v = 0 in all bilateral rows, v ≥ 0 or ≤ 0 in limits: Farkas' d,
//                   Jᵀ d = 0,  d_n ≥ 0,  d·v < 0
//                whatever friction does. A proof: every motion misses one of the rows by the margin.
//   friction     no u has v_n ≥ μ |v_t| at all contacts: d in the cones, J M⁻¹ Jᵀ d = 0, d·v < 0, a direction in which
//                impulses grow at no cost. Then a solution is not guaranteed; it may exist.
//   solvable     some u has v_n > μ |v_t| at all contacts: there is a solution [Acary Cadoux Lemaréchal Malick 2011]
//   undecided    none of these was found
//
// Certificates and the existence margin are those of least_violation.hpp, checked by themselves. Rows with compliance,
// elements, and rows whose impulse has both bounds can always be satisfied and do not count; discs of rolling
// resistance and sections other than discs are left out, and with them nothing is called solvable.
//
// A step is nonlinear in u. So the rows are linearised where they are missed by least, which is searched for by
// Levenberg and Marquardt's method: the proof is one for motions near it, and what is called satisfied is satisfied by
// the rows themselves. Where W is given (a problem file), see step_demands.hpp.
//
// Limits: kRowsExamined rows, of a given W kGivenRowsExamined (dense eigenvalues). Evaluates the step elsewhere:
// whoever needs it at its solution evaluates it there again.

#include "framework/options.hpp"
#include "verdict/least_violation.hpp"

#include <nlohmann/json_fwd.hpp>

namespace clarke {

struct InfeasibilityOptions {
  bool certify = true;
  double above = 1e-6;
  void describe(OptionVisitor& v) {
    v.flag(
        "certify_infeasible", certify,
        {"", "look for a proof that a step or problem that was not solved has no solution, and name what contradicts"});
    v.real("infeasible_above", above,
           {"m/s or rad/s",
            "contacts and joints that contradict each other by less count as consistent; of a problem "
            "file -solve_tolerance times the largest free velocity",
            0.0, std::numeric_limits<double>::infinity(), true});
  }
};

inline constexpr int kRowsExamined = 10000, kGivenRowsExamined = 1200;

/// A contact or joint with its share in a contradiction.
struct BlamedItem {
  int contributor = 0, item = 0;
  std::string name;  // "contact ball/wall:0", "hinge door"
};

struct Infeasibility {
  enum class Finding { impossible, friction, solvable, undecided, not_examined };
  Finding finding = Finding::not_examined;
  std::vector<BlamedItem> items;     // with large entries in d, in the order of the rows
  std::vector<std::string> motions;  // "motion of wall": prescribed ones they touch, for whoever knows them to fill in
  double amount = 0, margin = 0;     // of an impossible one, see least_violation.hpp [m/s or rad/s]
  bool angles = false;               // all rows are in rad/s
  ExistenceMargin existence;         // where no proof of impossibility was found

  /// One line; "" where there is nothing to say.
  std::string text() const;
  nlohmann::json record() const;
};

/// Of the step that has begun; `above` as -infeasible_above.
Infeasibility examine_feasibility(StepProblem& problem, double above);

}  // namespace clarke
