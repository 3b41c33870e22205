#include "ncp/strategies/dual_ascent.hpp"

#include "framework/math/small_solve.hpp"
#include "framework/petsc_views.hpp"
#include "framework/step_rows.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/snes_type.hpp"

namespace clarke {

namespace {

/// W_i of an item, m × m, with E on it; `share` multiplies M⁻¹ of each block.
KOKKOS_INLINE_FUNCTION void item_delassus(const StepRows& rows, const View<Mat3>& inverse, const View<double>& share,
                                          int item, double* W) {
  const Pattern& p = rows.pattern;
  const int m = p.item_row(item + 1) - p.item_row(item), s0 = p.item_slot(item), k = p.item_slot(item + 1) - s0;
  for (int r = 0; r < m; ++r)
    for (int e = 0; e < m; ++e) {
      double sum = compliance_entry(rows, item, r, e);
      for (int j = 0; j < k; ++j) {
        const int b = p.slot_block(s0 + j), v = p.item_value(item) + j;
        sum += share(b) * dot(rows.jacobian(v + r * k), inverse(b) * rows.jacobian(v + e * k));
      }
      W[r * m + e] = sum;
    }
}

/// Λ ← Λ' of one item with velocities v.
KOKKOS_INLINE_FUNCTION void ascend(const AdmissibleSet& set, double* W, const double* v, double alpha,
                                   double* impulse) {
  const int m = set.rows;
  if (is_whole_space(set)) {
    const bool regular = invert_small(W, m);
    for (int r = 0; r < m; ++r) {
      double change = regular ? 0 : NAN;
      for (int e = 0; e < m; ++e) change += W[r * m + e] * v[e];
      impulse[r] -= alpha * change;
    }
    return;
  }
  if (set.kind == SetKind::cone) {
    const double trial = impulse[0] - alpha * v[0] / W[0], w = 0.5 * (W[4] + W[8]);
    impulse[0] = trial > 0 ? trial : trial != trial ? trial : 0;
    double x = impulse[1] - alpha * v[1] / w, y = impulse[2] - alpha * v[2] / w;
    const double radius = set.friction * impulse[0];
    if (set.section) {
      const SectionPoint at = project_on_section(*set.section, x, y, radius);
      x = at.x, y = at.y;
    } else {
      project_on_disc(x, y, radius);
    }
    impulse[1] = x, impulse[2] = y;
    return;
  }
  for (int r = 0; r < m; ++r) impulse[r] -= alpha * v[r] / W[(m + 1) * r];
  project(set, impulse);
}

struct DualAscent {
  static constexpr const char* kName = "dual_ascent";
  static constexpr const char* kSummary =
      "projected steps on the impulses of every item, all at once or in turn; XPBD and fast projection by option";
  static constexpr const char* kCitation = "Macklin Erleben Mueller Chentanez Jeschke Kim 2020";
  static constexpr StrategyTraits kTraits{.linear = false, .explicit_mass = true};
  using Options = DualOptions;
  Options options;
  StepRowStorage rows_;
  Buffer<double> share_{"dual_share"}, before_{"dual_before"};
  Buffer<Vec3> moved_{"dual_moved"};

  /// n_b, or 1 where the mass is not shared.
  void find_shares(const SaddlePointSystem& s) {
    const Pattern& p = s.pattern;
    const View<double> share = share_.resize(s.blocks);
    const bool shared = options.split && options.sweep == "jacobi";
    parallel_for(
        "dual_share", s.blocks, KOKKOS_LAMBDA(int b) {
          const int items = p.gather(b + 1) - p.gather(b);
          share(b) = shared && items > 0 ? items : 1;
        });
  }

  void jacobi(const StepRows& rows, const SaddlePointSystem& s, const View<double>& impulse) {
    const View<Mat3> inverse = s.mass_inverse;
    const View<double> share = share_, x = impulse;
    const double alpha = options.step;
    parallel_for(
        "dual_jacobi", rows.pattern.items,
        KOKKOS_LAMBDA(int i) {
          const int row = rows.pattern.item_row(i);
          double W[kMaxItemRows * kMaxItemRows];
          item_delassus(rows, inverse, share, i, W);
          ascend(admissible_set(rows, i), W, rows.velocity.data() + row, alpha, x.data() + row);
        },
        200);
  }

  /// One item after the other, on one thread; u follows.
  void gauss_seidel(const StepRows& rows, const SaddlePointSystem& s, const View<double>& impulse) {
    const View<Mat3> inverse = s.mass_inverse;
    const View<double> share = share_, x = impulse, before = before_;
    const View<Vec3> du = moved_.resize(s.blocks);
    fill(du, Vec3{});
    const double alpha = options.step;
    const Pattern& p = rows.pattern;
    parallel_for(
        "dual_gauss_seidel", 1, KOKKOS_LAMBDA(int) {
          for (int i = 0; i < p.items; ++i) {
            const int row = p.item_row(i), m = p.item_row(i + 1) - row, s0 = p.item_slot(i),
                      k = p.item_slot(i + 1) - s0;
            double W[kMaxItemRows * kMaxItemRows], v[kMaxItemRows];
            item_delassus(rows, inverse, share, i, W);
            velocities_at(rows, du, x, before, i, v);
            ascend(admissible_set(rows, i), W, v, alpha, x.data() + row);
            for (int j = 0; j < k; ++j) {
              Vec3 f{};
              for (int r = 0; r < m; ++r)
                f += (x(row + r) - before(row + r)) * rows.jacobian(p.item_value(i) + r * k + j);
              du(p.slot_block(s0 + j)) += inverse(p.slot_block(s0 + j)) * f;
            }
          }
        });
  }

  /// X := (u', Λ') of one sweep, at the rows of X.
  void sweep(SnesStepSolver& solver, Vec X) {
    StepProblem& problem = solver.problem();
    const SaddlePointSystem& s = problem.system();
    solver.evaluate(X, s.traits.dense_compliance);
    const StepRows rows = rows_.gather(problem);
    VecUpdate all(X);
    const View<Vec3> u = as_vec3(all.view(), 0, s.blocks);
    const View<double> impulse = rows_of(all.view(), s), before = before_.resize(s.pattern.rows);
    Kokkos::deep_copy(before, impulse);
    if (options.sweep == "jacobi")
      jacobi(rows, s, impulse);
    else
      gauss_seidel(rows, s, impulse);
    const bool fast = options.update == "fast";
    const Pattern& p = s.pattern;
    const View<Vec3> J = s.jacobian, u_tilde = s.u_tilde;
    const View<Mat3> inverse = s.mass_inverse;
    parallel_for(
        "dual_velocity", s.blocks, KOKKOS_LAMBDA(int b) {
          const Vec3 now = inverse(b) * block_gather(p, J, impulse, b);
          u(b) = fast ? u(b) + (now - inverse(b) * block_gather(p, J, before, b)) : u_tilde(b) + now;
        });
  }

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    find_shares(solver.problem().system());
    snes->reason = SNES_CONVERGED_ITERATING;
    PetscCall(evaluate_and_test(snes, 0, 0));
    for (PetscInt it = 0; it < snes->max_its && !snes->reason; ++it) {
      sweep(solver, X);
      PetscCall(evaluate_and_test(snes, it + 1, 0));
    }
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_dual_ascent() { register_snes_type<DualAscent>(); }

}  // namespace clarke
