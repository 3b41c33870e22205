#include "verdict/rigid_rows.hpp"

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>

namespace clarke {

RowMatrix RigidRows::scaled_jacobian() const {
  std::vector<Eigen::Triplet<double>> entries;
  for (int row = 0; row < jacobian.outerSize(); ++row)
    for (RowMatrix::InnerIterator it(jacobian, row); it; ++it) {
      const int block = static_cast<int>(it.col()) / 3, k = static_cast<int>(it.col()) % 3;
      for (int j = 0; j <= k; ++j)  // L is lower triangular
        entries.emplace_back(row, 3 * block + j, it.value() * mass_root[block](k, j));
    }
  RowMatrix out(jacobian.rows(), jacobian.cols());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

double RigidRows::largest_violation(int* row) const {
  double largest = 0;
  int at = -1;
  for (int r = 0; r < count(); ++r)
    if (at < 0 || !(std::fabs(violation(r)) <= largest)) {
      largest = std::fabs(violation(r));
      at = r;
      if (std::isnan(largest)) break;
    }
  if (row) *row = at;
  return largest;
}

bool RigidRows::finite() const {
  for (int r = 0; r < jacobian.outerSize(); ++r)
    for (RowMatrix::InnerIterator it(jacobian, r); it; ++it)
      if (!std::isfinite(it.value())) return false;
  for (const Eigen::Matrix3d& L : mass_root)
    if (!L.allFinite()) return false;
  return violation.allFinite();
}

JointConfiguration::JointConfiguration(StepProblem& problem) : problem_(problem) {
  struct Range {
    Contributor* contributor;
    int first_item, items, first_row, rows;
  };
  std::vector<Range> ranges;
  for (int i = 0; i < problem.contributors(); ++i) {
    Contributor& c = problem.contributor(i);
    if (!c.rows() || c.rows()->rigid.extent(0) == 0) continue;
    const int item = builder_.items(), row = builder_.rows();
    c.pattern(builder_);
    ranges.push_back({&c, item, builder_.items() - item, row, builder_.rows() - row});
  }
  const Entities& entities = problem.entities();
  system_.resize(storage_.build(builder_, entities.blocks), entities.blocks, {});
  for (const Range& r : ranges)
    parts_.push_back({r.contributor, slice_of(system_, r.first_item, r.items, r.first_row, r.rows)});
  // The law of bounded rows divides by nothing, but should not meet what was never written either.
  Kokkos::deep_copy(system_.delassus_diagonal.view(), 1.0);
  zero_velocity_ = View<Vec3>("zero_velocity", entities.blocks);
  zero_impulse_ = View<double>("zero_impulse", system_.pattern.rows);
  rotational_.assign(entities.blocks, false);
  const auto block_of = host_copy(entities.block_of);
  for (int e = 0; e < entities.count; ++e)
    if (block_of(e).w >= 0) rotational_[block_of(e).w] = true;
}

RigidRows JointConfiguration::evaluate(const State& state) {
  // Targets are those of the end of a step, and functions of time may have no value before its start: a step of no
  // length but for the divisions by it.
  constexpr double kInstant = 1e-30;  // [s]
  const StepContext context{state.t, kInstant, kInstant, 1};
  Kokkos::deep_copy(system_.u_tilde.view(), state.u);
  for (int i = 0; i < problem_.contributors(); ++i) problem_.contributor(i).fill_mass(context, state, system_);
  const StepPoint point{zero_velocity_, zero_impulse_, state.x, state.orientation};
  for (const Part& part : parts_) {
    part.contributor->begin_step(context, state);
    part.contributor->evaluate(context, point, part.slice, false);
  }

  RigidRows out;
  beyond_.clear();
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> violation;
  for (const Part& part : parts_) append(part, out, entries, violation);
  out.violation = Eigen::Map<const Eigen::VectorXd>(violation.data(), out.count());
  out.jacobian.resize(out.count(), 3 * system_.blocks);
  out.jacobian.setFromTriplets(entries.begin(), entries.end());
  const auto inverse_mass = host_copy(system_.mass_inverse.view());
  for (int b = 0; b < system_.blocks; ++b) {
    Eigen::Matrix3d M;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) M(i, j) = inverse_mass(b)(i, j);
    out.mass_root.push_back(M.llt().matrixL());
  }
  return out;
}

void JointConfiguration::append(const Part& part, RigidRows& out, std::vector<Eigen::Triplet<double>>& entries,
                                std::vector<double>& violations) {
  const RowSet& rows = *part.contributor->rows();
  const auto violation = host_copy(rows.violation), lower = host_copy(rows.lower), upper = host_copy(rows.upper),
             compliance = host_copy(rows.compliance);
  const auto rigid = host_copy(rows.rigid);
  const auto pattern = host_copy(part.slice.pattern);
  const auto values = host_copy(part.slice.jacobian);
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (int i = 0; i < part.slice.items; ++i) {
    const int item = part.slice.first_item + i;
    const int first = pattern.item_row(item) - part.slice.first_row;
    const int m = pattern.item_row(item + 1) - pattern.item_row(item);
    const int slot = pattern.item_slot(item), slots = pattern.item_slot(item + 1) - slot;
    bool named = false;
    for (int r = 0; r < m; ++r) {
      const int row = first + r;
      bool is_angle = true;
      for (int k = 0; k < slots; ++k) {
        const Vec3 v = values(pattern.item_value(item) + r * slots + k);
        if (!rotational_[pattern.slot_block(slot + k)] && dot(v, v) > 0) is_angle = false;
      }
      const bool at_least = lower(row) == 0 && upper(row) == kInf, at_most = upper(row) == 0 && lower(row) == -kInf;
      if (compliance(row) == 0 && (at_least || at_most)) {
        const double beyond = at_least ? -violation(row) : violation(row);
        if (!(beyond <= 0)) beyond_.push_back({part.contributor->item_name(i), beyond, is_angle});
      }
      if (!rigid(row)) continue;
      if (!named) out.names.push_back(part.contributor->item_name(i));
      named = true;
      const int at = out.count();
      for (int k = 0; k < slots; ++k) {
        const Vec3 v = values(pattern.item_value(item) + r * slots + k);
        for (int e = 0; e < 3; ++e)
          if (v[e] != 0) entries.emplace_back(at, 3 * pattern.slot_block(slot + k) + e, v[e]);
      }
      out.item.push_back(static_cast<int>(out.names.size()) - 1);
      out.is_angle.push_back(is_angle);
      violations.push_back(violation(row));
    }
  }
}

void JointConfiguration::remember() {
  for (const Part& part : parts_)
    part.contributor->end_step(Kokkos::subview(
        zero_impulse_, Kokkos::make_pair(part.slice.first_row, part.slice.first_row + part.slice.rows)));
}

}  // namespace clarke
