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

JointConfiguration::JointConfiguration(StepProblem& problem) : blocks_(problem.entities().blocks) {
  for (int i = 0; i < problem.contributors(); ++i) {
    ItemGeometry& geometry = problem.contributor(i);
    items_of_.push_back(&geometry);
    if (!geometry.has_configuration_rows()) continue;
    JacobianSlice slice;
    slice.first_item = builder_.items();
    slice.first_row = builder_.rows();
    geometry.pattern(builder_);
    slice.items = builder_.items() - slice.first_item;
    slice.rows = builder_.rows() - slice.first_row;
    const auto size = static_cast<std::size_t>(slice.rows);
    parts_.push_back({&geometry,
                      slice,
                      {View<double>("violation", size), View<double>("lower", size), View<double>("upper", size),
                       View<int>("hard", size)}});
  }
  const Pattern pattern = storage_.build(builder_, blocks_);
  const View<Vec3> jacobian("configuration_jacobian", pattern.values);
  for (Part& part : parts_) {
    part.slice.pattern = pattern;
    part.slice.jacobian = jacobian;
  }
  inverse_mass_ = View<Mat3>("configuration_inverse_mass", blocks_);
  rotational_.assign(blocks_, false);
  const auto block_of = host_copy(problem.entities().block_of);
  for (int e = 0; e < problem.entities().count; ++e)
    if (block_of(e).w >= 0) rotational_[block_of(e).w] = true;
}

RigidRows JointConfiguration::evaluate(const State& state) {
  for (const ItemGeometry* items : items_of_) items->inverse_mass(state, inverse_mass_);
  for (const Part& part : parts_) part.geometry->configuration_rows(state, part.slice, part.rows);

  RigidRows out;
  beyond_.clear();
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<double> violation;
  for (const Part& part : parts_) append(part, out, entries, violation);
  out.violation = Eigen::Map<const Eigen::VectorXd>(violation.data(), out.count());
  out.jacobian.resize(out.count(), 3 * blocks_);
  out.jacobian.setFromTriplets(entries.begin(), entries.end());
  const auto inverse_mass = host_copy(inverse_mass_);
  for (int b = 0; b < blocks_; ++b) {
    Eigen::Matrix3d M;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) M(i, j) = inverse_mass(b)(i, j);
    out.mass_root.push_back(M.llt().matrixL());
  }
  return out;
}

void JointConfiguration::append(const Part& part, RigidRows& out, std::vector<Eigen::Triplet<double>>& entries,
                                std::vector<double>& violations) {
  const auto violation = host_copy(part.rows.violation), lower = host_copy(part.rows.lower),
             upper = host_copy(part.rows.upper);
  const auto hard = host_copy(part.rows.hard);
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
      if (hard(row) && (at_least || at_most)) {
        const double beyond = at_least ? -violation(row) : violation(row);
        if (!(beyond <= 0)) beyond_.push_back({part.geometry->item_name(i), beyond, is_angle});
      }
      const bool bounded = lower(row) > -kInf || upper(row) < kInf;
      if (!hard(row) || bounded) continue;
      if (!named) out.names.push_back(part.geometry->item_name(i));
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

void JointConfiguration::remember(const State& state) {
  for (ItemGeometry* items : items_of_) items->remember(state);
}

}  // namespace clarke
