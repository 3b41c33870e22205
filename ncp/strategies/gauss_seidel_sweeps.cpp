#include "ncp/strategies/gauss_seidel_sweeps.hpp"

#include "framework/sets/local_solution.hpp"

#include <algorithm>
#include <limits>

namespace clarke {

namespace {

constexpr int kRound = 10;         // sweeps between two looks at their progress
constexpr double kDiverged = 1e3;  // times what the first sweep changed
constexpr int kSweepCost = 300;    // of an item of a sweep, in units of a light one
// Items per level from which threads, or a device, gain by sweeping over levels.
constexpr int kSweepWidth = kDeviceIsHost ? 4 * kGrain / kSweepCost : 32;

/// What one sweep works on.
struct SweepData {
  StepRows rows;
  View<Vec3> R, du;
  View<Mat3> inverse;
  View<double> block, start, impulse;
  View<int> inverted;
  View<Vec3> g;
  OffDiagonal off;  // of H; no entries in most layouts
};

/// Λ += change, and u with it: H⁻¹ once for each block that the item touches.
KOKKOS_INLINE_FUNCTION void add_impulse(const SweepData& d, int item, int rows, const double* change) {
  const Pattern& p = d.rows.pattern;
  const int row = p.item_row(item), s0 = p.item_slot(item), k = p.item_slot(item + 1) - s0, v0 = p.item_value(item);
  for (int r = 0; r < rows; ++r) d.impulse(row + r) += change[r];
  for (int j = 0; j < k; ++j) {
    Vec3 push{};
    for (int r = 0; r < rows; ++r) push += change[r] * d.R(v0 + r * k + j);
    const int b = p.slot_block(s0 + j);
    d.du(b) += d.inverse(b) * push;
  }
}

/// Solves one item; returns the largest change as a velocity.
KOKKOS_INLINE_FUNCTION double sweep_item(const SweepData& d, int item, double relaxation) {
  const AdmissibleSet set = admissible_set(d.rows, item);
  const int row = d.rows.pattern.item_row(item);
  double v[kMaxItemRows] = {}, old[kMaxItemRows] = {}, change[kMaxItemRows] = {};
  velocities_at(d.rows, d.du, d.impulse, d.start, item, v);
  for (int r = 0; r < set.rows; ++r) old[r] = d.impulse(row + r);
  const double largest = solve_local(set, d.block.data() + d.rows.pattern.item_square(item), d.inverted(item) != 0, v,
                                     old, relaxation, change);
  bool changes = false;  // most open contacts stay open
  for (int r = 0; r < set.rows; ++r) changes = changes || change[r] != 0;
  if (changes) add_impulse(d, item, set.rows, change);
  return largest;
}

/// Puts the momentum of block b right with all others as they are; returns by how much its velocity changed. Only where
/// forces couple blocks: elsewhere add_impulse() has done so already.
KOKKOS_INLINE_FUNCTION double sweep_block(const SweepData& d, int b) {
  const Pattern& p = d.rows.pattern;
  const Vec3 push = block_gather(p, d.R, d.impulse, b) - block_gather(p, d.R, d.start, b);
  const Vec3 now = d.inverse(b) * (push - d.g(b) - off_diagonal_product(d.off, d.du, b));
  const double change = norm(now - d.du(b));
  d.du(b) = now;
  return change;
}

}  // namespace

/// H⁻¹, and W_ii + E of every item, ready for its local solution.
void GaussSeidelSweeps::prepare_blocks(const SaddlePointSystem& s, bool of_mass) {
  const StepRows& rows = rows_.rows();
  const Pattern& p = s.pattern;
  const View<Vec3> J = s.jacobian, R = s.right();
  const View<Mat3> H = of_mass ? s.mass.view() : s.hessian.view(), inverse = inverse_.resize(s.blocks);
  const View<double> block = block_.resize(p.squares);
  const View<int> inverted = inverted_.resize(p.items);
  parallel_for(
      "sweep_hessian_inverse", s.blocks, KOKKOS_LAMBDA(int b) { inverse(b) = clarke::inverse(H(b)); }, 30);
  parallel_for(
      "sweep_blocks", p.items,
      KOKKOS_LAMBDA(int i) {
        const int m = p.item_row(i + 1) - p.item_row(i), q = p.item_square(i);
        const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0, v0 = p.item_value(i);
        for (int r = 0; r < m; ++r)
          for (int e = 0; e < m; ++e) {
            double sum = compliance_entry(rows, i, r, e);
            for (int j = 0; j < k; ++j)
              sum += dot(J(v0 + r * k + j), inverse(p.slot_block(s0 + j)) * R(v0 + e * k + j));
            block(q + r * m + e) = sum;
          }
        inverted(i) = prepare_local(admissible_set(rows, i), block.data() + q);
      },
      300);
}

SweepRound GaussSeidelSweeps::sweep(const SaddlePointSystem& s, const View<double>& impulse, int coupled_blocks,
                                    const SweepOrder& order) {
  const SweepData d{rows_.rows(), s.right(),           du_,         inverse_, block_, start_, impulse,
                    inverted_,    s.momentum_residual, s.forces.off};
  const View<SweepRound> round = round_.resize(1);
  const int items = s.pattern.items;
  levels_.find(s.pattern, s.layout_stamp, kSweepWidth);
  const bool wide = levels_.wide();
  if (wide) {  // the bits of the sweep in order, one sweep at a time
    const View<double> changes = changes_.resize(items);
    const double relaxation = order.relaxation;
    levels_.for_each(
        "nsgs_sweep", order.backwards(0), KOKKOS_LAMBDA(int i) { changes(i) = sweep_item(d, i, relaxation); },
        kSweepCost);
    fill(worst_.resize(1), Worst{});
    accumulate(
        "nsgs_change", items, KOKKOS_LAMBDA(int i, Worst& sum) { sum.add(changes(i), i); }, parts_,
        worst_.view().data());
  }
  const View<Worst> worst = worst_.view();
  const SweepOrder o = order;
  parallel_for(
      "nsgs_sweep", 1, KOKKOS_LAMBDA(int) {
        SweepRound out{0, o.first, 0};
        const int sweeps = wide ? 1 : o.sweeps;
        bool goes_on = true;
        while (goes_on && out.made < sweeps) {
          const bool backwards = o.backwards(out.made);
          Worst change;
          if (wide) change = worst(0);
          for (int i = 0; i < items && !wide; ++i)
            change.add(sweep_item(d, backwards ? items - 1 - i : i, o.relaxation), i);
          for (int k = 0; k < coupled_blocks; ++k)
            change.add(sweep_block(d, backwards ? coupled_blocks - 1 - k : k), k);
          if (!(out.first >= 0)) out.first = change.value;
          out.change = change.value;
          ++out.made;
          goes_on = change.value > o.tolerance && change.value <= o.most * out.first;
        }
        round(0) = out;
      });
  if constexpr (kDeviceIsHost) {
    return round(0);
  } else {
    return host_copy(round)(0);
  }
}

int GaussSeidelSweeps::run(StepProblem& problem, const View<Vec3>& u, const View<double>& impulse,
                           const SweepPlan& plan, const NsgsOptions& options) {
  SaddlePointSystem& s = problem.system();
  change_ = 0;
  rows_.gather(problem);
  prepare_blocks(s, plan.of_mass);
  const View<Vec3> du = du_.resize(s.blocks), g = s.momentum_residual, velocity = u;
  const View<Mat3> inverse = inverse_;
  const View<double> x = impulse, start = start_.resize(s.pattern.rows);
  parallel_for(
      "sweep_momentum", s.blocks, KOKKOS_LAMBDA(int b) { du(b) = -(inverse(b) * g(b)); }, 16);
  parallel_for(
      "sweep_start", s.pattern.rows, KOKKOS_LAMBDA(int r) { start(r) = x(r); });
  const bool watched = plan.progress < 1;
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const double most = watched ? kDiverged : kNone;
  double first = -1, last = kNone;  // change of the first sweep, once there is one; at the last look at the progress
  int made = 0;
  const int coupled_blocks = s.sparse_hessian() && !plan.of_mass ? s.blocks : 0;
  while (made < plan.sweeps && (s.pattern.items > 0 || coupled_blocks > 0)) {
    const int next = std::min(plan.sweeps - made, kRound - made % kRound);
    const SweepRound round = sweep(s, impulse, coupled_blocks,
                                   {next, options.relaxation, options.tolerance, most, first, options.symmetric, made});
    made += round.made;
    first = round.first;
    change_ = round.change;
    if (!(change_ > options.tolerance && change_ <= most * first)) break;
    if (!watched || made % kRound != 0) continue;
    if (!(change_ <= plan.progress * last)) break;
    last = change_;
  }
  parallel_for(
      "sweep_velocity", s.blocks, KOKKOS_LAMBDA(int b) { velocity(b) += du(b); }, 3);
  return made;
}

}  // namespace clarke
