#pragma once
// The members of ConstraintPool (constraint_pool.hpp).

#include "framework/row_assembly.hpp"
#include "physics/joints/constraint_pool.hpp"

namespace clarke {

/// Writes the rows of J of an item: `column` says where the blocks of its frames stand, −1 nowhere.
template <int m, int kSlots>
KOKKOS_INLINE_FUNCTION void write_jacobian(const JacobianSlice& s, int i, const View<int>& column,
                                           const Vec3 (&J)[m][kSlots]) {
  const int item = s.first_item + i, columns = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item);
  int v = s.pattern.item_value(item);
  for (int r = 0; r < m; ++r, v += columns) {
    for (int k = 0; k < columns; ++k) s.jacobian(v + k) = {};
    for (int k = 0; k < kSlots; ++k)
      if (const int to = column(kSlots * i + k); to >= 0) s.jacobian(v + to) += J[r][k];
  }
}

/// Poses of the frames of item i in the given configuration.
template <int kFrames>
KOKKOS_INLINE_FUNCTION void poses_of_item(int i, const View<int>& entity, int bodies, const View<Vec3>& x,
                                          const View<Quat>& orientation, Pose (&pose)[kFrames]) {
  for (int f = 0; f < kFrames; ++f) {
    const int e = entity(kFrames * i + f);
    pose[f] = e < 0 ? Pose{} : pose_of(e, bodies, x, orientation);
  }
}

template <ConstraintElement E>
ConstraintPool<E>::ConstraintPool(const Entities& entities, std::vector<ConstraintItem<E>> items)
    : entities_(entities),
      items_(std::move(items)),
      count_(static_cast<int>(items_.size())),
      element_("element", count_),
      entity_("entity", kFrames * count_),
      column_("column", kSlots * count_),
      stiffness_("stiffness", m * count_),
      damping_("damping", m * count_),
      lower_("lower", m * count_),
      upper_("upper", m * count_),
      target_("target", m * count_),
      rate_("rate", m * count_),
      bias_("bias", m * count_),
      last_impulse_("last_impulse", m * count_) {
  const int rows = m * count_;
  const auto element = Kokkos::create_mirror_view(element_);
  const auto entity = Kokkos::create_mirror_view(entity_), column = Kokkos::create_mirror_view(column_);
  const auto k = Kokkos::create_mirror_view(stiffness_), d = Kokkos::create_mirror_view(damping_);
  const auto lower = Kokkos::create_mirror_view(lower_), upper = Kokkos::create_mirror_view(upper_);
  target_host_ = Kokkos::create_mirror_view(target_);
  rate_host_ = Kokkos::create_mirror_view(rate_);
  rows_.items = count_;
  rows_.rows = rows;
  rows_.violation = View<double>("violation", rows);
  rows_.velocity = View<double>("velocity", rows);
  rows_.lower = View<double>("lower_impulse", rows);
  rows_.upper = View<double>("upper_impulse", rows);
  rows_.compliance = View<double>("row_compliance", rows);
  rows_.rigid = View<int>("rigid", rows);
  const auto rigid = Kokkos::create_mirror_view(rows_.rigid);
  const auto block_of = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.block_of);
  for (int i = 0; i < count_; ++i) {
    const ConstraintItem<E>& item = items_[i];
    element(i) = item.element;
    for (int f = 0; f < kFrames; ++f) entity(kFrames * i + f) = item.entity[f];
    place(i, block_of, column);
    for (int r = 0; r < m; ++r) {
      const RowMechanics& row = item.law[r];
      k(i * m + r) = row.stiffness;
      d(i * m + r) = row.damping;
      lower(i * m + r) = row.lower;
      upper(i * m + r) = row.upper;
      rigid(i * m + r) = row.rigid() && !row.bounded();
      rows_.bounded = rows_.bounded || row.bounded();
      constant_ = constant_ && item.target[r].is_constant() && item.rate[r].is_constant();
      target_host_(i * m + r) = item.target[r](0);
      rate_host_(i * m + r) = row.rigid() ? 0 : item.rate[r](0);
    }
  }
  Kokkos::deep_copy(element_, element);
  Kokkos::deep_copy(entity_, entity);
  Kokkos::deep_copy(column_, column);
  Kokkos::deep_copy(stiffness_, k);
  Kokkos::deep_copy(damping_, d);
  Kokkos::deep_copy(lower_, lower);
  Kokkos::deep_copy(upper_, upper);
  Kokkos::deep_copy(target_, target_host_);
  Kokkos::deep_copy(rate_, rate_host_);
  Kokkos::deep_copy(rows_.rigid, rigid);
}

/// Finds the velocity blocks of an item, each once: two frames of a gear may be the same body.
template <ConstraintElement E>
void ConstraintPool<E>::place(int i, const HostView<EntityBlocks>& block_of, const HostView<int>& column) {
  const ConstraintItem<E>& item = items_[i];
  std::vector<int> blocks;
  for (int f = 0; f < kFrames; ++f) {
    const int e = item.entity[f];
    if (E::kNeedsOrientation && e >= entities_.bodies)
      throw InputError(item.name + ": ties orientations, and a particle has none");
    const int found[2] = {e < 0 ? -1 : block_of(e).v, e < 0 ? -1 : block_of(e).w};
    for (int k = 0; k < 2; ++k) {
      int& c = column(kSlots * i + 2 * f + k);
      c = -1;
      if (found[k] < 0) continue;
      const auto at = std::find(blocks.begin(), blocks.end(), found[k]);
      c = static_cast<int>(at - blocks.begin());
      if (at == blocks.end()) blocks.push_back(found[k]);
    }
  }
  if (blocks.empty() || (kFrames == 2 && item.entity[0] == item.entity[1]))
    throw InputError(item.name + ": needs two different ends, one of which can move");
  blocks_.push_back(blocks);
}

template <ConstraintElement E>
void ConstraintPool<E>::update_targets(const StepContext& context) {
  if (constant_) return;
  for (int i = 0; i < count_; ++i)
    for (int r = 0; r < m; ++r) {
      const ConstraintItem<E>& item = items_[i];
      const double now = item.target[r](context.t + context.h);
      target_host_(i * m + r) = now;
      // A rigid row follows the mean rate of its target; only the velocity level looks at it.
      rate_host_(i * m + r) =
          item.law[r].rigid() ? (now - item.target[r](context.t)) / context.h : item.rate[r](context.t + context.h);
    }
  Kokkos::deep_copy(target_, target_host_);
  Kokkos::deep_copy(rate_, rate_host_);
}

/// Bounds of the step, and at velocity level what depends on the positions at its start.
template <ConstraintElement E>
void ConstraintPool<E>::lag_positions(const StepContext& context, const State& state) {
  const View<E> element = element_;
  const View<int> entity = entity_;
  const View<double> k = stiffness_, d = damping_, lower = lower_, upper = upper_, target = target_, rate = rate_,
                     bias = bias_;
  const RowSet rows = rows_;
  const Entities& all = entities_;
  const State s = state;
  const StepContext at = context;
  parallel_for(
      "joint_bounds", count_,
      KOKKOS_LAMBDA(int i) {
        double c[m], velocity[m] = {};
        if (at.level.velocity) {
          Pose pose[kFrames];
          Vec3 J[m][kSlots];
          poses_of_item(i, entity, all.bodies, s.x, s.orientation, pose);
          element(i).evaluate(pose, c, J);
          for (int r = 0; r < m; ++r) {
            velocity[r] = 0;
            for (int f = 0; f < kFrames; ++f) {
              const int e = entity(kFrames * i + f);
              if (e < 0) continue;
              const Twist t = twist_of(e, all.block_of, all.prescribed, s.u);
              velocity[r] += dot(J[r][2 * f], t.v) + dot(J[r][2 * f + 1], t.w);
            }
          }
        }
        for (int r = 0; r < m; ++r) {
          const int row = i * m + r;
          rows.lower(row) = at.h * lower(row);
          rows.upper(row) = at.h * upper(row);
          rows.compliance(row) = row_weights(k(row), d(row), at).compliance;
          bias(row) = 0;
          if (!at.level.velocity || k(row) != kInfinite) continue;
          // At q⁻ against the target at the start of the step; `rate` is its mean rate.
          const double error = c[r] - (target(row) - at.h * rate(row));
          bias(row) = at.level.stabilisation * error / at.h;
          // A one-sided row acts only where its side is reached by half a step of the present motion.
          const double predicted = error + 0.5 * at.h * (velocity[r] - rate(row));
          if ((lower(row) == 0 && predicted > 0) || (upper(row) == 0 && predicted < 0))
            rows.lower(row) = rows.upper(row) = 0;
        }
      },
      64);
}

template <ConstraintElement E>
void ConstraintPool<E>::begin_step(const StepContext& context, const State& state) {
  if (rows_.bounded && !law_) throw std::logic_error(std::string(E::kName) + ": bounded rows without a joint law");
  if constexpr (requires { E::check_step(context); }) E::check_step(context);
  update_targets(context);
  lag_positions(context, state);
}

template <ConstraintElement E>
void ConstraintPool<E>::end_step(const View<double>& impulse) {
  Kokkos::deep_copy(last_impulse_, impulse);
  remember_poses(last_point_.x, last_point_.orientation);
}

template <ConstraintElement E>
void ConstraintPool<E>::carry_over(StateArchive& archive) {
  archive.view("impulse", last_impulse_);
  if constexpr (RemembersPoses<E>) {
    const auto element = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), element_);
    std::vector<double> memory;
    for (int i = 0; i < count_; ++i)
      for (double* value : element(i).memory()) memory.push_back(*value);
    const std::size_t values = memory.size();
    archive.reals("memory", memory);
    if (memory.size() != values) throw InputError("checkpoint: another number of joint coordinates");
    std::size_t k = 0;
    for (int i = 0; i < count_; ++i)
      for (double* value : element(i).memory()) *value = memory[k++];
    Kokkos::deep_copy(element_, element);
  }
}

template <ConstraintElement E>
void ConstraintPool<E>::remember_poses(const View<Vec3>& x, const View<Quat>& orientation) {
  if constexpr (RemembersPoses<E>) {
    const View<E> element = element_;
    const View<int> entity = entity_;
    const View<Vec3> at = x;
    const View<Quat> turned = orientation;
    const int bodies = entities_.bodies;
    parallel_for(
        "joint_remember", count_,
        KOKKOS_LAMBDA(int i) {
          Pose pose[kFrames];
          poses_of_item(i, entity, bodies, at, turned, pose);
          element(i).remember(pose);
        },
        64);
  }
}

template <ConstraintElement E>
void ConstraintPool<E>::configuration_rows(const State& state, const JacobianSlice& slice,
                                           const ConfigurationRows& out) const {
  std::vector<double> now(m * count_);
  for (int i = 0; i < count_; ++i)
    for (int r = 0; r < m; ++r) now[i * m + r] = items_[i].target[r](state.t);
  const View<double> target = to_device("configuration_target", now), k = stiffness_, lower = lower_, upper = upper_;
  const View<E> element = element_;
  const View<int> entity = entity_, column = column_;
  const int bodies = entities_.bodies;
  const State at = state;
  const JacobianSlice s = slice;
  const ConfigurationRows rows = out;
  parallel_for(
      "joint_configuration", count_,
      KOKKOS_LAMBDA(int i) {
        Pose pose[kFrames];
        double c[m];
        Vec3 J[m][kSlots];
        poses_of_item(i, entity, bodies, at.x, at.orientation, pose);
        element(i).evaluate(pose, c, J);
        write_jacobian(s, i, column, J);
        for (int r = 0; r < m; ++r) {
          const int row = i * m + r;
          rows.violation(row) = c[r] - target(row);
          rows.lower(row) = lower(row);
          rows.upper(row) = upper(row);
          rows.hard(row) = k(row) == kInfinite;
        }
      },
      64);
}

template <ConstraintElement E>
void ConstraintPool<E>::evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                                 bool linearise) {
  const View<E> element = element_;
  const View<int> entity = entity_, column = column_;
  const View<double> stiffness = stiffness_, damping = damping_, target = target_, rate = rate_, bias = bias_;
  const Entities& all = entities_;
  const SystemSlice& s = slice;
  const StepPoint at = last_point_ = point;
  const RowSet rows = rows_;
  const StepContext step = context;
  parallel_for(
      E::kName, count_,
      KOKKOS_LAMBDA(int i) {
        Pose pose[kFrames];
        Twist twist[kFrames];
        double c[m];
        Vec3 J[m][kSlots];
        poses_of_item(i, entity, all.bodies, at.x, at.orientation, pose);
        for (int f = 0; f < kFrames; ++f) {
          const int e = entity(kFrames * i + f);
          twist[f] = e < 0 ? Twist{} : twist_of(e, all.block_of, all.prescribed, at.u);
        }
        element(i).evaluate(pose, c, J);
        write_jacobian(s, i, column, J);
        for (int r = 0; r < m; ++r) {
          const int row = i * m + r;
          double speed = 0;
          for (int k = 0; k < kSlots; ++k) speed += dot(J[r][k], k % 2 == 0 ? twist[k / 2].v : twist[k / 2].w);
          const RowWeights w = row_weights(stiffness(row), damping(row), step);
          rows.violation(row) = c[r] - target(row);
          rows.velocity(row) = w.position * rows.violation(row) + w.velocity * (speed - rate(row)) + bias(row) +
                               w.compliance * at.impulse(s.first_row + row);
          s.residual(row) = rows.velocity(row);
          s.a(row) = 1;
          s.b(row) = w.compliance;
        }
        s.slip_frame(2 * i) = 1;
        s.slip_frame(2 * i + 1) = 0;
      },
      64);
  bind_rows(rows_, point, slice);
  evaluate_bounds(law_.get(), rows_, point, linearise);
}

template <ConstraintElement E>
void ConstraintPool<E>::delassus_diagonal_known(const StepContext&, const SystemSlice& slice) {
  rows_.out = slice;
}

template <ConstraintElement E>
void ConstraintPool<E>::relax(double stiffness) {
  const auto k = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), stiffness_);
  const auto rigid = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows_.rigid);
  for (int row = 0; row < m * count_; ++row) {
    RowMechanics& law = items_[row / m].law[row % m];
    if (!law.rigid()) continue;
    law.stiffness = k(row) = stiffness;
    rigid(row) = 0;
  }
  Kokkos::deep_copy(stiffness_, k);
  Kokkos::deep_copy(rows_.rigid, rigid);
}

template <ConstraintElement E>
double ConstraintPool<E>::elastic_energy(const View<double>& impulse, double h) const {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), impulse);
  const auto c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows_.violation);
  double energy = 0;
  for (int i = 0; i < m * count_; ++i) {
    const RowMechanics& law = items_[i / m].law[i % m];
    if (law.rigid() || !law.passive || law.stiffness == 0) continue;
    // ½ λ²/k of a spring alone; beside a damper or at a bound λ is not the spring's. A slack limit has a bound of 0.
    const double force =
        law.damping == 0 && !law.bounded() ? host(i) / h : std::clamp(-law.stiffness * c(i), law.lower, law.upper);
    energy += 0.5 * force * force / law.stiffness;
  }
  return energy;
}

template <ConstraintElement E>
void ConstraintPool<E>::add_reactions(const HostPoses& poses, const View<double>& impulse, double h,
                                      std::vector<JointReaction>& joints) const {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), impulse);
  const auto element = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), element_);
  const auto velocity = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), rows_.velocity);
  for (int i = 0; i < count_; ++i) {
    const ConstraintItem<E>& item = items_[i];
    if (item.joint < 0) continue;
    JointReaction& out = joints[item.joint];
    Pose pose[kFrames];
    for (int f = 0; f < kFrames; ++f) pose[f] = poses.of(item.entity[f]);
    double c[m];
    Vec3 J[m][kSlots];
    element(i).evaluate(pose, c, J);
    for (int r = 0; r < m; ++r) {
      const double force = host(i * m + r) / h;
      out.force += force * J[r][0];
      out.torque += force * J[r][1];
      if (item.coordinate >= 0) out.effort[item.coordinate] += force;
      if (!item.law[r].bounded())
        out.violation = std::max(out.violation, item.law[r].rigid() ? std::fabs(c[r] - target_host_(i * m + r))
                                                                    : h * std::fabs(velocity(i * m + r)));
    }
  }
}

}  // namespace clarke
