#include "framework/step_problem.hpp"

#include "framework/fixed_scheme.hpp"
#include "framework/state_archive.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace clarke {

StepProblem::StepProblem(Entities entities, std::vector<std::string> block_names,
                         std::vector<std::unique_ptr<Contributor>> contributors, std::unique_ptr<Integrator> integrator)
    : entities_(std::move(entities)),
      block_names_(std::move(block_names)),
      contributors_(std::move(contributors)),
      integrator_(std::move(integrator)),
      island_finder_(entities_.block_of) {
  x_.resize(entities_.count);
  orientation_.resize(entities_.bodies);
}

void StepProblem::detect(State& state, double h, int step) {
  state_ = &state;
  length_ = h;
  context_ = integrator_->begin_step(state, h, step);
  for (int i = 0; i < contributors(); ++i) contributors_[i]->begin_step(context(i), state);
}

void StepProblem::shorten(double share) {
  context_ = integrator_->begin_step(*state_, share * length_, context_.step);
  start();
}

int StepProblem::detect_again(const View<Vec3>& u, const View<double>& impulse, double tolerance) {
  integrator_->configuration(context_, entities_, *state_, u, x_, orientation_);
  const State now{context_.t + context_.h, x_, orientation_, u};
  int found = 0;
  for (int i = 0; i < contributors(); ++i) {
    const Range& r = ranges_[i];
    found += contributors_[i]->detect_again(
        context(i), *state_, now, Kokkos::subview(impulse, Kokkos::make_pair(r.first_row, r.first_row + r.rows)),
        tolerance);
  }
  if (found > 0)
    for (auto& c : contributors_) c->items_changed();
  return found;
}

std::vector<std::string> StepProblem::again(const View<Vec3>& u, const View<double>& impulse) {
  std::vector<std::string> options;
  if (std::none_of(contributors_.begin(), contributors_.end(), [](const auto& c) { return c->may_ask_again(); }))
    return options;
  evaluate(u, impulse, false);
  for (int i = 0; i < contributors(); ++i)
    if (const char* option = contributors_[i]->again()) options.push_back(option);
  return options;
}

void StepProblem::set_general_rows(bool general) {
  has_layout_ = has_layout_ && general == general_rows_;
  general_rows_ = general;
}

void StepProblem::set_whole_stiffness(bool whole) {
  has_layout_ = has_layout_ && whole == whole_stiffness_;
  whole_stiffness_ = whole;
  for (auto& c : contributors_) c->set_whole_stiffness(whole);
}

void StepProblem::lay_out() {
  bool changed = !has_layout_;
  for (auto& c : contributors_) changed = changed || c->pattern_changed();
  if (changed) rebuild_layout();
}

void StepProblem::start() {
  const State& state = *state_;
  Kokkos::deep_copy(system_.u_tilde.view(), state.u);
  const State of_mass = state_of_mass();
  for (auto& c : contributors_) c->fill_mass(context_, of_mass, system_);
  Kokkos::deep_copy(system_.hessian.view(), system_.mass.view());

  // J at q⁻ gives the Delassus diagonal that r-factors and scalings are made of: lagged over the step.
  const View<Vec3> u0 = zero_velocity_.resize(system_.blocks);
  const View<double> impulse0 = zero_impulse_.resize(system_.pattern.rows);
  fill(u0, Vec3{});
  fill(impulse0, 0.0);
  point_ = {u0, impulse0, x_, orientation_, nullptr, false};
  integrator_->configuration(context_, entities_, state, u0, x_, orientation_);
  for (int i = 0; i < contributors(); ++i) contributors_[i]->evaluate(context(i), point_, slice(i), false);
  compute_delassus_diagonal(system_);
  compute_scaling(system_);
  for (int i = 0; i < contributors(); ++i) contributors_[i]->delassus_diagonal_known(context(i), slice(i));
  if (!system_.has_forces()) return;
  for (int i = 0; i < contributors(); ++i) contributors_[i]->start_force(slice(i));
}

/// The state with the orientations at which M and the loads are taken, and the velocities of gyroscopic terms.
State StepProblem::state_of_mass() {
  State out = *state_;
  if (!integrator_->mass_at_end()) return out;
  out.orientation = orientation_of_mass_.resize(entities_.bodies);
  out.u = velocity_of_mass_.resize(entities_.blocks);
  const State from = *state_;
  const View<Quat> to = out.orientation;
  const View<Vec3> u = out.u, turning = turning_;
  const Entities& all = entities_;
  const double b = context_.b;
  const bool known = turning.extent(0) > 0;
  parallel_for(
      "velocity_of_mass", all.blocks, KOKKOS_LAMBDA(int k) { u(k) = known ? from.u(k) + b * turning(k) : from.u(k); },
      6);
  parallel_for(
      "orientation_of_mass", all.bodies,
      KOKKOS_LAMBDA(int e) { to(e) = advance(from.orientation(e), twist_of(e, all.block_of, all.prescribed, u).w, b); },
      30);
  return out;
}

void StepProblem::rebuild_layout() {
  builder_.clear();
  ranges_.clear();
  RowTraits traits;
  bool mixed = false;  // rows with and without a transpose of their own
  for (auto& c : contributors_) {
    Range r{builder_.items(), 0, builder_.rows(), 0};
    c->pattern(builder_);
    r.items = builder_.items() - r.first_item;
    r.rows = builder_.rows() - r.first_row;
    ranges_.push_back(r);
    RowTraits own = c->traits();
    own.dense_compliance = own.dense_compliance && r.rows > 0;
    mixed = mixed || (r.items > 0 && r.first_item > 0 && traits.separate_transpose != own.separate_transpose);
    traits = traits & own;
  }
  if (general_rows_) traits.symmetric = false;
  traits.symmetric_hessian = traits.symmetric_hessian && !whole_stiffness_;
  if (mixed) throw std::logic_error("step problem: a given Delassus operator beside other rows");
  system_.resize(pattern_storage_.build(builder_, entities_.blocks), entities_.blocks, traits);
  system_.turn.resize(whole_stiffness_ ? system_.blocks : 0);
  system_.motion_jacobian.resize(whole_stiffness_ && general_rows_ ? system_.pattern.values : 0);
  system_.forces = force_storage_.build(builder_, system_.pattern);
  island_finder_.find(system_.pattern, system_.islands);
  has_layout_ = true;
}

void StepProblem::evaluate(const View<Vec3>& u, const View<double>& impulse, bool linearise, bool with_laws) {
  const FixedScheme* scheme = integrator_->fixed_scheme();
  const bool at_start = scheme && scheme->laws_at_start();
  point_ = {at_start ? state_->u : u, impulse, x_, orientation_, subproblem_, with_laws};
  if (at_start) {
    Kokkos::deep_copy(x_.view(), state_->x);
    Kokkos::deep_copy(orientation_.view(), state_->orientation);
  } else {
    integrator_->configuration(context_, entities_, *state_, u, x_, orientation_);
  }
  for (int i = 0; i < contributors(); ++i) contributors_[i]->evaluate(context(i), point_, slice(i), linearise);
  compute_momentum(system_, u, impulse);
  if (!linearise) return;
  if (system_.sparse_hessian()) {
    assemble_tangents(system_.forces, system_.mass);
    Kokkos::deep_copy(system_.hessian.view(), system_.forces.diagonal);
  }
  ++system_.linearisation_stamp;
}

void StepProblem::add_geometric_stiffness() {
  fill(stiffness_.resize(system_.pattern.slots), Mat3{});
  for (int i = 0; i < contributors(); ++i)
    contributors_[i]->geometric_stiffness(context(i), point_, slice(i), stiffness_);
  gather_geometric_stiffness();
}

void StepProblem::add_geometric_stiffness(const GeometricPairs& pairs) {
  fill(stiffness_.resize(system_.pattern.slots), Mat3{});
  for (int i = 0; i < contributors(); ++i) {
    Contributor& c = *contributors_[i];
    if (c.couples_blocks())
      c.geometric_pairs(context(i), point_, slice(i), pairs.first, pairs.block);
    else
      c.geometric_stiffness(context(i), point_, slice(i), stiffness_);
  }
  gather_geometric_stiffness();
}

/// H = M + what the slots of every block have.
void StepProblem::gather_geometric_stiffness() {
  const Pattern& p = system_.pattern;
  if (whole_stiffness_ && system_.sparse_hessian()) assemble_tangents(system_.forces, system_.mass);
  const View<Mat3> stiffness = stiffness_, M = system_.plain_hessian(), H = system_.hessian;
  parallel_for(
      "geometric_stiffness", system_.blocks,
      KOKKOS_LAMBDA(int b) {
        Mat3 sum = M(b);
        for (int e = p.gather(b); e < p.gather(b + 1); ++e)
          sum = sum + stiffness(p.item_slot(p.gather_item(e)) + p.gather_slot(e));
        H(b) = sum;
      },
      40);
  if (whole_stiffness_) turn_hessian();
}

/// T, and H = M T⁻¹ + K in the place of M + K, from the rotation since the start of the step: q⁺ q⁻¹ ∝ (1, τ).
void StepProblem::turn_hessian() {
  const View<Mat3> T = system_.turn, H = system_.hessian, M = system_.mass, back = turned_back_.resize(system_.blocks);
  const Mat3 one = Mat3::diagonal(1, 1, 1);
  fill(T, one);
  fill(back, one);
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<Quat> before = state_->orientation, now = orientation_;
  parallel_for(
      "turn_hessian", entities_.bodies,
      KOKKOS_LAMBDA(int e) {
        const int b = block_of(e).w;
        if (b < 0) return;
        const Vec3 tau = half_angle_tangent(before(e), now(e));
        const Mat3 cross = cross_matrix(tau);
        T(b) = (1 / (1 + norm2(tau))) * (one + cross);
        const Mat3 inverse = one - cross + outer(tau, tau);
        H(b) = H(b) - M(b) + M(b) * inverse;
        back(b) = transpose(inverse);
      },
      100);
  if (system_.motion_jacobian.view().extent(0) > 0) turn_friction_rows();
}

/// Of rows that are velocities J T⁻¹ and what the turning of their arms adds, J of the others.
void StepProblem::turn_friction_rows() {
  const View<Vec3> out = system_.motion_jacobian;
  const View<Mat3> back = turned_back_;
  const Pattern& p = system_.pattern;
  Kokkos::deep_copy(out, system_.jacobian.view());
  for (int c = 0; c < contributors(); ++c) {
    if (!contributors_[c]->has_friction_rows()) continue;
    const int first = ranges_[c].first_item;
    parallel_for(
        "turn_friction_rows", ranges_[c].items,
        KOKKOS_LAMBDA(int n) {
          const int i = first + n, s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0, v0 = p.item_value(i);
          for (int j = 0; j < k; ++j) {
            const Mat3 turn = back(p.slot_block(s0 + j));
            for (int r = 1; r < 3; ++r) out(v0 + r * k + j) = turn * out(v0 + r * k + j);
          }
        },
        20);
    contributors_[c]->add_turning_arms(context(c), point_, slice(c), out);
  }
}

void StepProblem::impulse_of_contacts(const View<double>& impulse, const View<Vec3>& out) const {
  const Pattern& p = system_.pattern;
  const View<Vec3> values = system_.right(), sum = out, force = system_.forces.force;
  const View<double> x = impulse;
  fill(out, Vec3{});
  for (int i = 0; i < contributors(); ++i) {
    const int first = ranges_[i].first_item, end = first + ranges_[i].items;
    if (!contributors_[i]->touches() || first == end) continue;
    parallel_for(
        "impulse_of_contacts", system_.blocks,
        KOKKOS_LAMBDA(int b) {
          for (int e = p.gather(b); e < p.gather(b + 1); ++e) {
            const int item = p.gather_item(e);
            if (item >= first && item < end) sum(b) += slot_impulse(p, values, x, force, item, p.gather_slot(e));
          }
        },
        24);
  }
}

void StepProblem::end_step(const View<Vec3>& u, const View<double>& impulse) {
  integrator_->configuration(context_, entities_, *state_, u, x_, orientation_);
  for (int i = 0; i < contributors(); ++i) {
    const Range& r = ranges_[i];
    contributors_[i]->end_step(Kokkos::subview(impulse, Kokkos::make_pair(r.first_row, r.first_row + r.rows)));
  }
  Kokkos::deep_copy(state_->x, x_.view());
  Kokkos::deep_copy(state_->orientation, orientation_.view());
  Kokkos::deep_copy(state_->u, u);
  state_->t = context_.t + context_.h;
}

void StepProblem::carry_over(StateArchive& archive) {
  for (int i = 0; i < contributors(); ++i)
    archive.group("contributors/" + std::to_string(i) + ' ' + contributors_[i]->kind(),
                  [&] { contributors_[i]->carry_over(archive); });
}

SystemSlice StepProblem::slice(int i) const {
  const Range& r = ranges_[i];
  return slice_of(system_, r.first_item, r.items, r.first_row, r.rows);
}

std::string StepProblem::row_name(int row) const {
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const Range& r = ranges_[i];
    if (row < r.first_row || row >= r.first_row + r.rows) continue;
    const auto row_item = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), system_.pattern.row_item);
    return contributors_[i]->item_name(row_item(row) - r.first_item);
  }
  return "";
}

void StepProblem::warm_start(const View<double>& impulse) {
  for (int i = 0; i < contributors(); ++i) {
    const Range& r = ranges_[i];
    contributors_[i]->warm_start(Kokkos::subview(impulse, Kokkos::make_pair(r.first_row, r.first_row + r.rows)));
  }
}

void StepProblem::consistent_velocity(const View<double>& impulse, const View<Vec3>& u) const {
  const Pattern& p = system_.pattern;
  const View<Vec3> values = system_.right(), u_tilde = system_.u_tilde, out = u;
  const View<Mat3> inverse_mass = system_.mass_inverse;
  const View<double> x = impulse;
  const View<Vec3> force = system_.forces.force;
  const bool forces = system_.has_forces();
  parallel_for(
      "consistent_velocity", system_.blocks,
      KOKKOS_LAMBDA(int b) {
        Vec3 change = block_gather(p, values, x, b);
        if (forces) change = change - force_gather(p, force, b);
        out(b) = u_tilde(b) + inverse_mass(b) * change;
      },
      24);
}

void StepProblem::sticking_velocity(const View<double>& impulse, const View<Vec3>& u) {
  Kokkos::deep_copy(u, system_.u_tilde.view());
  evaluate(u, impulse, false);
  for (int i = 0; i < contributors(); ++i) contributors_[i]->stick(slice(i), u);
}

void StepProblem::count_law_safeguards(std::map<std::string, long>& counts) const {
  for (const auto& c : contributors_) c->count_law_safeguards(counts);
}

void StepProblem::count_safeguards(std::map<std::string, long>& counts) const {
  for (const auto& c : contributors_) c->count_safeguards(counts);
}

int StepProblem::contacts() const {
  int count = 0;
  for (const auto& c : contributors_) count += static_cast<int>(c->gaps().extent(0));
  return count;
}

std::string StepProblem::not_finite() const {
  const auto bad = [](const Vec3& v) { return !std::isfinite(norm2(v)); };
  const auto first = [](const auto& values, const auto& is_bad) {
    const auto at = std::find_if(values.begin(), values.end(), is_bad);
    return at == values.end() ? -1 : static_cast<int>(at - values.begin());
  };
  std::vector<Vec3> blocks;
  std::vector<double> rows;
  to_host(system_.u_tilde.view(), blocks);
  if (const int b = first(blocks, bad); b >= 0) return " in the forces on '" + block_name(b) + "'";
  to_host(system_.residual.view(), rows);
  if (const int r = first(rows, [](double v) { return !std::isfinite(v); }); r >= 0) return " at " + row_name(r);
  to_host(system_.momentum_residual.view(), blocks);
  if (const int b = first(blocks, bad); b >= 0) return " at '" + block_name(b) + "'";
  return "";
}

}  // namespace clarke
