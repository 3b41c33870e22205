#include "verdict/judge.hpp"

#include "framework/sets/near_rigid_law.hpp"

#include <cmath>

namespace clarke {

namespace {

// What is slower is at rest: no error is relative to less [m/s]. Touching things that fall together have no impulses,
// and gaps of rounding.
constexpr double kSlow = 1e-5;

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

}  // namespace

/// Residuals and figures of the last evaluated point. Only the figures cross to the host.
void Judge::evaluate(const StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  fill(figures_.resize(1), Figures{});
  evaluate_momentum(s);

  const Contacts found = contacts_of(problem);
  contacts_ = found.rows ? found.rows->items : 0;
  if (contacts_ > 0) evaluate_contacts(*found.rows);

  fill(row_error_.resize(s.pattern.rows), 0.0);
  fill(row_status_.resize(s.pattern.rows), RowStatus::free);
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* rows = problem.contributor(i).rows(); rows && i != found.index && rows->items > 0)
      evaluate_rows(*rows);
  gather_row_figures(s.pattern.rows);
  found_ = fetched(figures_.view());
}

void Judge::evaluate_momentum(const SaddlePointSystem& system) {
  const View<Momentum> momentum = momentum_.resize(system.blocks);
  const View<Vec3> g = system.momentum_residual;
  const View<Mat3> Minv = system.mass_inverse;
  accumulate(
      "judge_momentum", system.blocks,
      KOKKOS_LAMBDA(int b, MomentumFigures& sum) {
        const Vec3 v = Minv(b) * g(b);
        const Momentum m{dot(g(b), v), std::fmax(std::fabs(v.x), std::fmax(std::fabs(v.y), std::fabs(v.z)))};
        momentum(b) = m;
        sum.weighted2 += m.weighted2;
        sum.velocity.add(m.velocity, b);
      },
      momentum_parts_, &figures_.view().data()->momentum, 16);
}

void Judge::evaluate_contacts(const RowSet& contact_rows) {
  const RowSet& rows = contact_rows;
  const View<double> w = rows.out.delassus_diagonal;  // compliance included, as in ĉ and v_t
  const View<ContactResiduals> out = contact_.resize(rows.items);
  const bool scaled = rows.tangent_scale.extent(0) > 0, sections = rows.section.extent(0) > 0;
  // A buffer that grows loses what was in it; a number of contacts that changes makes it meaningless anyway.
  const bool comparable = last_contacts_ == rows.items;
  const View<ContactStatus> last = last_status_.resize(rows.items);
  accumulate(
      "judge_contacts", rows.items,
      KOKKOS_LAMBDA(int i, ContactFigures& sum) {
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
        const ContactResiduals r = sections ? section_residuals(q, rows.section(i)) : contact_residuals(q);
        out(i) = r;
        sum.complementarity.add(r.complementarity, i);
        sum.friction.add(r.friction, i);
        sum.natural_map.add(r.natural_map, i);
        sum.cone_excess.add(r.cone_excess, i);
        sum.desaxce_gap.add(r.desaxce_gap, i);
        const double slow = 3 * kSlow / (q.wnn + q.w11 + q.w22);
        sum.natural_scale = std::fmax(sum.natural_scale, std::fmax(r.natural_scale, slow));
        sum.changed += comparable && last(i) != r.status;
        last(i) = r.status;
      },
      contact_parts_, &figures_.view().data()->contact, 80);
}

/// Of rows that are of no contact.
void Judge::evaluate_rows(const RowSet& rows) {
  const RowSet& c = rows;
  const View<double> error = row_error_;
  const View<RowStatus> status = row_status_;
  const int first = c.out.first_row, m = c.rows / c.items;
  parallel_for(
      "judge_rows", c.items,
      KOKKOS_LAMBDA(int i) { row_residuals(c, i, error.data() + first + i * m, status.data() + first + i * m); }, 20);
}

void Judge::gather_row_figures(int rows) {
  const View<double> error = row_error_;
  const View<RowStatus> status = row_status_;
  const bool comparable = last_rows_ == rows;
  const View<RowStatus> last = last_row_status_.resize(rows);
  last_rows_ = rows;
  accumulate(
      "judge_row_figures", rows,
      KOKKOS_LAMBDA(int r, RowFigures& sum) {
        sum.error.add(error(r), r);
        sum.changed += comparable && last(r) != status(r);
        last(r) = status(r);
      },
      row_parts_, &figures_.view().data()->row, 2);
}

std::vector<ContactResiduals> Judge::contacts() const {
  std::vector<ContactResiduals> out;
  if (contacts_ > 0) to_host(contact_.view(), out);
  return out;
}

/// On the host, where -islands on decides island by island: a maximum per island would take atomics or a sort.
void Judge::island_errors(const StepProblem& problem, std::vector<double>& error) const {
  const IslandFinder& islands = problem.islands();
  const int rest = problem.system().islands.count;  // what is in no island
  std::vector<Worst> worst(rest + 1);
  const auto add = [&](int island, double value) { worst[island == kNoIsland ? rest : island].add(value, 0); };
  const auto momentum = host_copy(momentum_.view());
  const auto rows = host_copy(row_error_.view());
  for (std::size_t b = 0; b < momentum.extent(0); ++b) add(islands.of_block()[b], momentum(b).velocity);
  for (std::size_t r = 0; r < rows.extent(0); ++r) add(islands.of_row()[r], rows(r));
  if (contacts_ > 0) {
    const int first = problem.slice(contacts_of(problem).index).first_item;
    const auto contact = host_copy(contact_.view());
    for (int i = 0; i < contacts_; ++i) {
      add(islands.of_item()[first + i], contact(i).complementarity);
      add(islands.of_item()[first + i], contact(i).friction);
    }
  }
  error.resize(rest + 1);
  for (int k = 0; k <= rest; ++k) error[k] = worst[k].value;
}

ResidualNorms Judge::norms(const StepProblem& problem) {
  evaluate(problem);
  const ContactFigures& contact = found_.contact;
  ResidualNorms out;
  Worst velocity;
  for (const Worst& w : {found_.momentum.velocity, found_.row.error, contact.complementarity, contact.friction})
    velocity.merge(w);
  out.velocity_error = velocity.value;
  out.natural_map = contact.natural_map.value;
  out.momentum_residual = std::sqrt(found_.momentum.weighted2);
  out.changed_contacts = contact.changed + found_.row.changed;
  last_contacts_ = contacts_;
  out.natural_map_relative = contact.natural_scale > 0 ? out.natural_map / contact.natural_scale : 0;
  out.measure = out.velocity_error;
  if (problem.system().islands.separate) island_errors(problem, out.island_error);
  return out;
}

Residual Judge::penetration(const StepProblem& problem) {
  Residual deepest;
  for (int c = 0; c < problem.contributors(); ++c) {
    const View<double> gap = problem.contributor(c).gaps();
    if (gap.extent(0) == 0) continue;
    fill(worst_.resize(1), Worst{deepest.value, -1});
    accumulate(
        "judge_gaps", static_cast<int>(gap.extent(0)), KOKKOS_LAMBDA(int i, Worst& sum) { sum.add(-gap(i), i); },
        worst_parts_, worst_.view().data(), 2);
    const Worst found = fetched(worst_.view());
    if (found.index >= 0) deepest = {found.value, problem.contributor(c).item_name(found.index)};
  }
  return deepest;
}

void Judge::add_relative_rows(const RowSet& rows, int first_row) {
  const RowSet& c = rows;
  const View<double> moved = row_change_, w = c.out.delassus_diagonal, error = row_error_;
  const View<ContactResiduals> contact = contact_;
  const bool linear = c.relaxed.linear(), gives = c.near_rigid.extent(0) > 0;
  RelativeResiduals* const out = relative_.view().data();
  if (c.kind != SetKind::cone) {
    accumulate(
        "judge_relative_rows", c.rows,
        KOKKOS_LAMBDA(int r, RelativeResiduals& sum) {
          const double l = c.impulse(r), v = c.velocity(r), gamma = c.compliance(r), wr = w(r) + gamma;
          if (wr > 0)  // not of rows between things that cannot move
            sum.add(error(first_row + r), std::fabs(v - moved(first_row + r) - (linear ? gamma * l : 0)), std::fabs(l),
                    std::fabs(v), wr);
        },
        relative_parts_, out, 12);
    return;
  }
  accumulate(
      "judge_relative_contacts", c.items,
      KOKKOS_LAMBDA(int k, RelativeResiduals& sum) {
        const int n = 3 * k;
        const double rho = (w(n) + w(n + 1) + w(n + 2)) / 3;  // compliance included, as in the natural map
        double q[3];
        for (int e = 0; e < 3; ++e)
          q[e] = c.velocity(n + e) - moved(first_row + n + e) - (linear ? c.compliance(n + e) * c.impulse(n + e) : 0);
        if (gives && c.near_rigid(k) > 0)
          q[0] = c.velocity(n) - moved(first_row + n) -
                 near_rigid_give(c.near_rigid(k), c.near_rigid_fold, c.impulse(n)).velocity;
        sum.add(contact(k).natural_map * rho, norm(Vec3{q[0], q[1], q[2]}),
                norm(Vec3{c.impulse(n), c.impulse(n + 1), c.impulse(n + 2)}),
                norm(Vec3{c.velocity(n), c.velocity(n + 1), c.velocity(n + 2)}), rho);
      },
      relative_parts_, out, 30);
}

void Judge::add_relative(const StepProblem& problem, Verdict& verdict) {
  const SaddlePointSystem& s = problem.system();
  const View<Vec3> change = change_.resize(s.blocks), u = problem.point().u, free = s.u_tilde;
  const View<double> row_change = row_change_.resize(s.pattern.rows);
  parallel_for(
      "judge_change", s.blocks, KOKKOS_LAMBDA(int b) { change(b) = u(b) - free(b); }, 6);
  multiply(s.pattern, s.jacobian, change, row_change);
  fill(relative_.resize(1), RelativeResiduals{});
  const View<Momentum> momentum = momentum_;
  accumulate(
      "judge_relative_momentum", s.blocks,
      KOKKOS_LAMBDA(int b, RelativeResiduals& sum) { sum.add_momentum(momentum(b).weighted2, momentum(b).velocity); },
      relative_parts_, relative_.view().data(), 4);
  for (int i = 0; i < problem.contributors(); ++i) {
    const RowSet* rows = problem.contributor(i).rows();
    if (rows && rows->items > 0 && !rows->dense()) add_relative_rows(*rows, problem.slice(i).first_row);
  }
  const RelativeResiduals sums = fetched(relative_.view());
  verdict.scaled_residual = sums.scaled();
  verdict.strict_residual = sums.strict();
  verdict.impulse_growth = sums.growth();
}

Worst Judge::rigid_violation(const RowSet& rows) {
  const View<double> violation = rows.violation;
  const auto rigid = rows.rigid;
  fill(worst_.resize(1), Worst{});
  accumulate(
      "judge_rigid_violation", rows.rows,
      KOKKOS_LAMBDA(int r, Worst& sum) {
        if (rigid(r) != 0) sum.add(std::fabs(violation(r)), r);
      },
      worst_parts_, worst_.view().data(), 2);
  return fetched(worst_.view());
}

Verdict Judge::judge(const StepProblem& problem, const View<double>& impulse) {
  const ResidualNorms f = norms(problem);
  const StepContext& context = problem.context();
  const Contacts touching = contacts_of(problem);
  Verdict v;
  Worst error = found_.momentum.velocity;
  v.momentum_residual.value = f.momentum_residual;
  if (error.index >= 0) v.momentum_residual.where = problem.block_name(error.index);
  v.velocity_error = {error.value, v.momentum_residual.where};
  const auto keep_largest = [&v](const Residual& r) {
    Worst both{v.velocity_error.value, 0};
    both.add(r.value, 1);
    if (both.index == 1) v.velocity_error = r;
  };

  if (const Worst row = found_.row.error; row.index >= 0) {
    v.bilateral_violation = {context.h * row.value, problem.row_name(row.index)};
    keep_largest({row.value, v.bilateral_violation.where});
  }

  // A rigid row at velocity level may have v = 0 and yet have drifted: its violation is that of the positions.
  for (int i = 0; context.level.velocity && i < problem.contributors(); ++i) {
    const RowSet* rows = problem.contributor(i).rows();
    if (!rows || rows->rigid.extent(0) == 0) continue;
    Worst both{v.bilateral_violation.value, -1};
    both.merge(rigid_violation(*rows));
    if (both.index >= 0) v.bilateral_violation = {both.value, problem.row_name(rows->out.first_row + both.index)};
  }

  if (contacts_ > 0) {
    const auto named = [&](const Worst& w) {
      return Residual{w.value, w.index < 0 ? "" : touching.contributor->item_name(w.index)};
    };
    const ContactFigures& contact = found_.contact;
    v.complementarity = named(contact.complementarity);
    v.cone_excess = named(contact.cone_excess);
    v.desaxce_gap = named(contact.desaxce_gap);
    v.natural_map = named(contact.natural_map);
    keep_largest(v.complementarity);
    keep_largest(named(contact.friction));
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
