#include "verdict/judge.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

/// The contacts of a problem, if it has any.
struct Contacts {
  const Contributor* contributor = nullptr;
  const RowSet* rows = nullptr;
  int index = -1;
};
Contacts contacts_of(const StepProblem& problem) {
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* rows = problem.contributor(i).rows(); rows && rows->kind == SetKind::cone)
      return {&problem.contributor(i), rows, i};
  return {};
}

void keep_largest(Residual& residual, double value, const std::string& where) {
  // NaN must win, or a broken step would look perfect.
  if (!(value <= residual.value)) residual = {value, where};
}

/// Largest value of member `m` and its index; NaN wins.
template <class T>
std::pair<double, int> largest(const std::vector<T>& list, double T::*m) {
  std::pair<double, int> best{0, -1};
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!(list[i].*m <= best.first)) best = {list[i].*m, static_cast<int>(i)};
  return best;
}

}  // namespace

void Judge::evaluate(const StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  const View<Momentum> momentum = momentum_.resize(s.blocks);
  const View<Vec3> g = s.momentum_residual;
  const View<Mat3> Minv = s.mass_inverse;
  parallel_for(
      "judge_momentum", s.blocks,
      KOKKOS_LAMBDA(int b) {
        const Vec3 v = Minv(b) * g(b);
        momentum(b) = {dot(g(b), v), std::fmax(std::fabs(v.x), std::fmax(std::fabs(v.y), std::fabs(v.z)))};
      },
      16);
  to_host(momentum, momentum_host_);

  const Contacts found = contacts_of(problem);
  contact_host_.clear();
  if (found.rows && found.rows->items > 0) {
    const RowSet rows = *found.rows;
    const View<double> w = rows.out.delassus_diagonal;  // compliance included, as in ĉ and v_t
    const View<ContactResiduals> out = contact_.resize(rows.items);
    const bool scaled = rows.tangent_scale.extent(0) > 0, sections = rows.section.extent(0) > 0;
    parallel_for(
        "judge_contacts", rows.items,
        KOKKOS_LAMBDA(int i) {
          const ContactQuantities q{rows.velocity(3 * i),
                                    rows.velocity(3 * i + 1),
                                    rows.velocity(3 * i + 2),
                                    rows.impulse(3 * i),
                                    rows.impulse(3 * i + 1),
                                    rows.impulse(3 * i + 2),
                                    rows.friction(i),
                                    w(3 * i),
                                    w(3 * i + 1),
                                    w(3 * i + 2),
                                    scaled ? rows.tangent_scale(2 * i) : 1.0,
                                    scaled ? rows.tangent_scale(2 * i + 1) : 1.0};
          out(i) = sections ? section_residuals(q, rows.section(i)) : contact_residuals(q);
        },
        80);
    to_host(out, contact_host_);
  }

  const View<double> error = row_error_.resize(s.pattern.rows);
  const View<RowStatus> status = row_status_.resize(s.pattern.rows);
  fill(error, 0.0);
  fill(status, RowStatus::free);
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* rows = problem.contributor(i).rows(); rows && i != found.index && rows->items > 0)
      evaluate_rows(*rows);
  to_host(error, row_error_host_);
  to_host(status, row_status_host_);
}

/// Of rows that are of no contact.
void Judge::evaluate_rows(const RowSet& rows) {
  const RowSet c = rows;
  const View<double> error = row_error_;
  const View<RowStatus> status = row_status_;
  const int first = c.out.first_row, m = c.rows / c.items;
  parallel_for(
      "judge_rows", c.items,
      KOKKOS_LAMBDA(int i) { row_residuals(c, i, error.data() + first + i * m, status.data() + first + i * m); }, 20);
}

void Judge::island_errors(const StepProblem& problem, std::vector<double>& error) const {
  const IslandFinder& islands = problem.islands();
  const int rest = problem.system().islands.count;
  error.assign(rest + 1, 0);
  const auto worst = [&](int island, double value) {
    double& e = error[island == kNoIsland ? rest : island];
    if (!(value <= e)) e = value;  // NaN wins
  };
  for (std::size_t b = 0; b < momentum_host_.size(); ++b) worst(islands.of_block()[b], momentum_host_[b].velocity);
  for (std::size_t r = 0; r < row_error_host_.size(); ++r) worst(islands.of_row()[r], row_error_host_[r]);
  if (contact_host_.empty()) return;
  const int first = problem.slice(contacts_of(problem).index).first_item;
  for (std::size_t i = 0; i < contact_host_.size(); ++i) {
    worst(islands.of_item()[first + i], contact_host_[i].complementarity);
    worst(islands.of_item()[first + i], contact_host_[i].friction);
  }
}

ResidualNorms Judge::norms(const StepProblem& problem) {
  evaluate(problem);
  ResidualNorms out;
  double weighted = 0, scale = 0;
  const auto worst = [&out](double value) {
    if (!(value <= out.velocity_error)) out.velocity_error = value;
  };
  for (const Momentum& m : momentum_host_) {
    weighted += m.weighted2;
    worst(m.velocity);
  }
  for (double b : row_error_host_) worst(b);
  for (const ContactResiduals& c : contact_host_) {
    worst(c.complementarity);
    worst(c.friction);
    if (!(c.natural_map <= out.natural_map)) out.natural_map = c.natural_map;
    scale = std::fmax(scale, c.natural_scale);
  }
  out.momentum_residual = std::sqrt(weighted);
  out.changed_contacts = 0;
  if (last_status_.size() == contact_host_.size())
    for (std::size_t i = 0; i < last_status_.size(); ++i)
      out.changed_contacts += last_status_[i] != contact_host_[i].status;
  if (last_row_status_.size() == row_status_host_.size())
    for (std::size_t i = 0; i < row_status_host_.size(); ++i)
      out.changed_contacts += last_row_status_[i] != row_status_host_[i];
  last_row_status_ = row_status_host_;
  last_status_.resize(contact_host_.size());
  for (std::size_t i = 0; i < last_status_.size(); ++i) last_status_[i] = contact_host_[i].status;
  out.natural_map_relative = scale > 0 ? out.natural_map / scale : 0;
  out.measure = out.velocity_error;
  if (problem.system().islands.separate) island_errors(problem, out.island_error);
  return out;
}

Residual Judge::penetration(const StepProblem& problem) {
  Residual deepest;
  for (int c = 0; c < problem.contributors(); ++c) {
    const auto gap = host_copy(problem.contributor(c).gaps());
    int where = -1;
    for (std::size_t i = 0; i < gap.extent(0); ++i)
      if (-gap(i) > deepest.value) {
        deepest.value = -gap(i);
        where = static_cast<int>(i);
      }
    if (where >= 0) deepest.where = problem.contributor(c).item_name(where);
  }
  return deepest;
}

void Judge::add_relative(const StepProblem& problem, Verdict& verdict) {
  const SaddlePointSystem& s = problem.system();
  const View<Vec3> change = change_.resize(s.blocks), u = problem.point().u, free = s.u_tilde;
  const View<double> row_change = row_change_.resize(s.pattern.rows);
  parallel_for(
      "judge_change", s.blocks, KOKKOS_LAMBDA(int b) { change(b) = u(b) - free(b); }, 6);
  multiply(s.pattern, s.jacobian, change, row_change);
  const auto moved = host_copy(row_change);
  RelativeResiduals sums;
  for (const Momentum& m : momentum_host_) sums.add_momentum(m.weighted2, m.velocity);
  for (int i = 0; i < problem.contributors(); ++i) {
    const RowSet* rows = problem.contributor(i).rows();
    if (!rows || rows->items == 0 || rows->dense()) continue;
    const auto v = host_copy(rows->velocity), l = host_copy(rows->impulse), gamma = host_copy(rows->compliance),
               w = host_copy(rows->out.delassus_diagonal);
    const int first = problem.slice(i).first_row;
    const bool linear = rows->relaxed.linear();
    const auto q = [&](int r) { return v(r) - moved(first + r) - (linear ? gamma(r) * l(r) : 0); };
    if (rows->kind != SetKind::cone) {
      for (int r = 0; r < rows->rows; ++r)
        if (const double wr = w(r) + gamma(r); wr > 0)  // not of rows between things that cannot move
          sums.add(row_error_host_[first + r], std::fabs(q(r)), std::fabs(l(r)), std::fabs(v(r)), wr);
      continue;
    }
    for (int k = 0; k < rows->items; ++k) {
      const int n = 3 * k;
      const double rho = (w(n) + w(n + 1) + w(n + 2)) / 3;  // compliance included, as in the natural map
      sums.add(contact_host_[k].natural_map * rho, norm(Vec3{q(n), q(n + 1), q(n + 2)}),
               norm(Vec3{l(n), l(n + 1), l(n + 2)}), norm(Vec3{v(n), v(n + 1), v(n + 2)}), rho);
    }
  }
  verdict.scaled_residual = sums.scaled();
  verdict.strict_residual = sums.strict();
  verdict.impulse_growth = sums.growth();
}

Verdict Judge::judge(const StepProblem& problem, const View<double>& impulse) {
  const ResidualNorms f = norms(problem);
  const StepContext& context = problem.context();
  Verdict v;
  v.momentum_residual.value = f.momentum_residual;
  const auto [momentum_velocity, block] = largest(momentum_host_, &Momentum::velocity);
  if (block >= 0) v.momentum_residual.where = problem.block_name(block);
  keep_largest(v.velocity_error, momentum_velocity, v.momentum_residual.where);

  int worst_row = -1;
  double worst_bilateral = 0;
  for (std::size_t r = 0; r < row_error_host_.size(); ++r)
    if (!(row_error_host_[r] <= worst_bilateral)) {
      worst_bilateral = row_error_host_[r];
      worst_row = static_cast<int>(r);
    }
  if (worst_row >= 0) {
    v.bilateral_violation = {context.h * worst_bilateral, problem.row_name(worst_row)};
    keep_largest(v.velocity_error, worst_bilateral, v.bilateral_violation.where);
  }

  // A rigid row at velocity level may have v = 0 and yet have drifted: its violation is that of the positions.
  for (int i = 0; context.level.velocity && i < problem.contributors(); ++i) {
    const RowSet* rows = problem.contributor(i).rows();
    if (!rows || rows->rigid.extent(0) == 0) continue;
    const auto violation = host_copy(rows->violation);
    const auto rigid = host_copy(rows->rigid);
    for (int r = 0; r < rows->rows; ++r)
      if (rigid(r) != 0 && !(std::fabs(violation(r)) <= v.bilateral_violation.value))
        v.bilateral_violation = {std::fabs(violation(r)), problem.row_name(rows->out.first_row + r)};
  }

  const Contacts found = contacts_of(problem);
  if (!contact_host_.empty()) {
    const auto name = [&](int i) { return i < 0 ? "" : found.contributor->item_name(i); };
    const auto pick = [&](double ContactResiduals::*m) {
      const auto [value, i] = largest(contact_host_, m);
      return Residual{value, name(i)};
    };
    v.complementarity = pick(&ContactResiduals::complementarity);
    v.cone_excess = pick(&ContactResiduals::cone_excess);
    v.desaxce_gap = pick(&ContactResiduals::desaxce_gap);
    v.natural_map = pick(&ContactResiduals::natural_map);
    const Residual friction = pick(&ContactResiduals::friction);
    keep_largest(v.velocity_error, v.complementarity.value, v.complementarity.where);
    keep_largest(v.velocity_error, friction.value, friction.where);
  }
  v.penetration = penetration(problem);
  v.natural_map_relative = f.natural_map_relative;
  add_relative(problem, v);
  for (int i = 0; i < problem.contributors(); ++i) {
    const SystemSlice s = problem.slice(i);
    v.elastic_energy += problem.contributor(i).elastic_energy(
        Kokkos::subview(impulse, Kokkos::make_pair(s.first_row, s.first_row + s.rows)), problem.context(i).h);
  }
  return v;
}

}  // namespace clarke
