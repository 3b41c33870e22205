#include "verdict/infeasibility.hpp"

#include "framework/row_law.hpp"
#include "verdict/step_demands.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace clarke {
namespace {

using Eigen::VectorXd;
using Result = LeastViolation::Result;

constexpr double kNotable = 1e-3;  // entries of d that are named, of the largest

/// Evaluates the step at motions of our own.
class Points {
 public:
  explicit Points(StepProblem& problem)
      : problem_(problem),
        u_("feasibility_u", problem.system().blocks),
        impulse_("feasibility_impulse", problem.system().pattern.rows) {
    Kokkos::deep_copy(u_, problem.system().u_tilde.view());
  }
  StepDemands demands() {
    problem_.evaluate(u_, impulse_, false);
    return demands_of(problem_);
  }
  /// u ← u + δu
  void move(const VectorXd& change) {
    auto host = host_copy(u_);
    for (int b = 0; b < problem_.system().blocks; ++b)
      host(b) = host(b) + Vec3{change(3 * b), change(3 * b + 1), change(3 * b + 2)};
    Kokkos::deep_copy(u_, host);
  }

 private:
  StepProblem& problem_;
  View<Vec3> u_;
  View<double> impulse_;
};

/// Only those rows of d that hang together with its largest: contradictions apart from each other are several.
void keep_one_island(const StepProblem& problem, const MotionDemands& demands, VectorXd& d) {
  Eigen::Index largest = 0;
  d.cwiseAbs().maxCoeff(&largest);
  const std::vector<int>& island = problem.islands().of_row();
  const auto row_item = host_copy(problem.system().pattern.row_item);
  VectorXd kept = d;
  for (Eigen::Index r = 0; r < d.size(); ++r) {
    const bool together = island[r] == island[largest] && (island[r] != kNoIsland || row_item(r) == row_item(largest));
    if (!together) kept(r) = 0;
  }
  if (LeastViolation check; is_certificate(demands, kept, check)) d = kept;
}

/// A row that acts on rotations only; blocks of no entity that turns are none.
bool is_angle(const StepProblem& problem, int row) {
  const auto p = host_copy(problem.system().pattern);
  const auto values = host_copy(problem.system().jacobian.view());
  const auto block_of = host_copy(problem.entities().block_of);
  std::set<int> turning;
  for (int e = 0; e < problem.entities().count; ++e) turning.insert(block_of(e).w);
  const int item = p.row_item(row), slot = p.item_slot(item), slots = p.item_slot(item + 1) - slot;
  if (slots == 0) return false;
  for (int k = 0; k < slots; ++k) {
    const Vec3 v = values(p.item_value(item) + (row - p.item_row(item)) * slots + k);
    if (norm2(v) > 0 && turning.count(p.slot_block(slot + k)) == 0) return false;
  }
  return true;
}

void blame(const StepProblem& problem, const StepDemands& step, const MotionDemands& demands, const VectorXd& d,
           Infeasibility& out) {
  // In the units of an energy, so that torques and forces compare.
  VectorXd weight = d.cwiseAbs();
  for (Eigen::Index r = 0; r < d.size(); ++r)
    if (const double length = demands.jacobian.row(r).norm(); length > 0) weight(r) *= length;
  const double largest = weight.maxCoeff();
  const auto row_item = host_copy(problem.system().pattern.row_item);
  std::set<std::pair<int, int>> known;
  out.angles = true;
  for (Eigen::Index r = 0; r < d.size(); ++r) {
    if (!(weight(r) > kNotable * largest)) continue;
    const int c = step.contributor[r], item = row_item(r) - problem.slice(c).first_item;
    out.angles = out.angles && is_angle(problem, static_cast<int>(r));
    if (!known.insert({c, item}).second) continue;
    const bool contact = problem.contributor(c).rows()->kind == SetKind::cone;
    const std::string name = problem.contributor(c).item_name(item);
    out.items.push_back({c, item, contact && name.rfind("contact", 0) != 0 ? "contact " + name : name});
  }
}

bool finite(const MotionDemands& demands) {
  return demands.offset.allFinite() && std::isfinite(demands.jacobian.norm());
}

/// The motion at which the frictionless rows are missed by least, and what the rows linearised there say.
class Nearest {
 public:
  Nearest(StepProblem& problem, double above)
      : points_(problem),
        above_(above),
        linear_(problem.system().traits.separate_transpose),
        here_(points_.demands()),
        largest_(here_.largest) {}

  LeastViolation search() {
    double amount = 0;
    for (int k = 0; k < kLinearisations; ++k) {
      if (!finite(here_.frictionless)) return {};
      LeastViolation found = least_violation(here_.frictionless, above_);
      const bool impossible = found.result == Result::impossible;
      if (linear_ || (impossible && std::fabs(found.amount - amount) <= kSettled * amount)) return found;
      amount = impossible ? found.amount : 0;
      if (found.motion.size() > 0 && take(found.motion)) {
        if (missed_ > above_) continue;
        found.result = Result::satisfied;  // by the rows themselves, not by their linearisation
        return found;
      }
      if (impossible && amount_is_last(found)) return found;
      if (!damped()) break;
    }
    return {};
  }
  const StepDemands& demands() const { return here_; }
  /// Largest normal velocity of a contact without impulses [m/s].
  double largest() const { return largest_; }

 private:
  static constexpr int kLinearisations = 40;
  static constexpr double kSettled = 1e-3;  // the amount of a contradiction, from one linearisation to the next

  /// Moves by z where that takes the rows nearer to what they have to be.
  bool take(const VectorXd& z) {
    const VectorXd change = here_.scale.cwiseProduct(z);
    points_.move(change);
    StepDemands there = points_.demands();
    const VectorXd none = VectorXd::Zero(z.size());
    const Missed before = missed_by(here_.frictionless, none),
                 after = finite(there.frictionless) ? missed_by(there.frictionless, none) : Missed{INFINITY, INFINITY};
    if (!(after.squares < before.squares)) {
      points_.move(-change);
      return false;
    }
    here_ = std::move(there);
    missed_ = after.largest;
    return true;
  }

  /// No motion takes the rows nearer to first order: this is the nearest.
  bool amount_is_last(const LeastViolation& found) const {
    const Missed now = missed_by(here_.frictionless, VectorXd::Zero(found.motion.size())),
                 then = missed_by(here_.frictionless, found.motion);
    return then.squares >= (1 - kSettled) * now.squares;
  }

  /// A shorter motion, the longest of a power of ten that helps.
  bool damped() {
    constexpr double kLeast = 1e-8, kMost = 1e6;
    for (damping_ = std::fmax(kLeast, damping_ / 100); damping_ < kMost; damping_ *= 10)
      if (take(damped_motion(here_.frictionless, damping_))) return true;
    return false;
  }

  Points points_;
  double above_;
  bool linear_;
  StepDemands here_;
  double largest_;
  double missed_ = INFINITY, damping_ = 1e-6;
};

}  // namespace

Infeasibility examine_feasibility(StepProblem& problem, double above) {
  Infeasibility out;
  const SaddlePointSystem& s = problem.system();
  const int limit = s.traits.separate_transpose ? kGivenRowsExamined : kRowsExamined;
  if (s.pattern.rows == 0 || s.pattern.rows > limit || !s.traits.symmetric_delassus) return out;
  Nearest nearest(problem, above);
  LeastViolation found = nearest.search();
  const StepDemands& step = nearest.demands();
  if (!finite(step.frictionless)) return out;
  out.finding = Infeasibility::Finding::undecided;
  if (found.result == Result::impossible) {
    keep_one_island(problem, step.frictionless, found.certificate);
    if (!is_certificate(step.frictionless, found.certificate, found)) return out;
    out.finding = Infeasibility::Finding::impossible;
    out.amount = found.amount;
    out.margin = found.margin;
    blame(problem, step, step.frictionless, found.certificate, out);
    return out;
  }
  if (found.result != Result::satisfied || problem.contacts() == 0) return out;
  found = least_violation(step.frictional, above);
  const double cap = nearest.largest() > 0 ? nearest.largest() : 1;  // [m/s]
  out.existence = existence_margin(step.frictional, cap, above);
  if (!step.discs_only) out.existence.lower = -INFINITY;  // the true cones are larger
  if (found.result == Result::impossible && step.has_friction && out.existence.upper < 0) {
    out.finding = Infeasibility::Finding::friction;
    keep_one_island(problem, step.frictional, found.certificate);
    blame(problem, step, step.frictional, found.certificate, out);
  } else if (out.existence.lower > above) {
    out.finding = Infeasibility::Finding::solvable;
  }
  return out;
}

}  // namespace clarke
