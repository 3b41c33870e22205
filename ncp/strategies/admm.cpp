#include "ncp/strategies/admm.hpp"

#include "framework/math/small_solve.hpp"
#include "framework/petsc_views.hpp"
#include "framework/vec_operations.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/snes_type.hpp"

#include <algorithm>

namespace clarke {

namespace {

void difference(const View<Vec3>& a, const View<Vec3>& b, const View<Vec3>& out) {
  const View<Vec3> x = a, y = b, d = out;
  parallel_for(
      "admm_du", static_cast<int>(d.extent(0)), KOKKOS_LAMBDA(int k) { d(k) = x(k) - y(k); }, 3);
}

}  // namespace

void AdmmIteration::begin(StepProblem& problem, const View<Vec3>& u, const View<double>& impulse, double rho) {
  const SaddlePointSystem& s = problem.system();
  const StepRows rows = rows_.gather(problem);
  const Pattern& p = s.pattern;
  Kokkos::deep_copy(u0_.resize(s.blocks), u);
  Kokkos::deep_copy(g0_.resize(s.blocks), s.momentum_residual.view());
  Kokkos::deep_copy(impulse0_.resize(p.rows), impulse);
  const View<double> weight = weight_.resize(p.rows), z = z_.resize(p.rows), w = w_.resize(p.rows),
                     de_saxce = de_saxce_.resize(p.items), W = s.delassus_diagonal, v0 = rows.velocity, x = impulse;
  change_.resize(p.rows);
  parallel_for(
      "admm_begin", p.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = p.item_row(i), m = set.rows;
        double metric[kMaxItemRows] = {};
        metric_of(rows, W, set, i, metric);
        const bool free = is_whole_space(set);
        for (int r = 0; r < m; ++r) {
          weight(row + r) = free ? 0.0 : metric[r];
          z(row + r) = x(row + r);
        }
        clarke::project(set, z.data() + row);
        de_saxce(i) = de_saxce_term(set, v0.data() + row);
        // At a solution R w = −(v + s n).
        for (int r = 0; r < m; ++r) {
          const double s_n = r == 0 ? de_saxce(i) : 0.0;
          w(row + r) = weight(row + r) > 0 ? -(v0(row + r) + s_n) / (rho * weight(row + r)) : 0;
        }
      },
      40);
}

void AdmmIteration::set_matrix(SaddlePointSystem& s, double rho) {
  const Pattern& p = s.pattern;
  const bool symmetric = s.traits.symmetric;
  const StepRows& rows = rows_.rows();
  const View<double> a = s.a, b = s.b, A = s.A, B = s.B, slip_frame = s.slip_frame, gamma = rows.compliance,
                     weight = weight_;
  parallel_for(
      "admm_matrix", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        slip_frame(2 * i) = 1;
        slip_frame(2 * i + 1) = 0;
        for (int r = 0; r < m; ++r) {
          a(row + r) = 1;
          b(row + r) = gamma(row + r) + rho * weight(row + r);
          if (symmetric || rows.dense(i)) continue;  // a dense E stands in B, and A is 1
          for (int e = 0; e < m; ++e) {
            A(q + r * m + e) = r == e ? 1.0 : 0.0;
            B(q + r * m + e) = r == e ? b(row + r) : 0.0;
          }
        }
      },
      20);
  ++s.linearisation_stamp;
}

void AdmmIteration::momentum_right_hand_side(const SaddlePointSystem& s, const View<Vec3>& u,
                                             const View<double>& impulse, const View<double>& f) {
  const Pattern& p = s.pattern;
  const View<Vec3> du = du_.resize(s.blocks), fu = as_vec3(f, 0, s.blocks);
  const View<double> x = impulse, x0 = impulse0_, change = change_, su = s.momentum_scale;
  const int first = s.velocity_size();
  difference(u, u0_, du);
  parallel_for(
      "admm_change", p.rows, KOKKOS_LAMBDA(int r) {
        change(r) = x(r) - x0(r);
        f(first + r) = 0;
      });
  linear_momentum(s, g0_, du, change, fu);
  parallel_for(
      "admm_momentum", s.blocks, KOKKOS_LAMBDA(int k) { fu(k) = su(k) * fu(k); }, 3);
}

void AdmmIteration::right_hand_side(const SaddlePointSystem& s, const View<Vec3>& u, const View<double>& impulse,
                                    double rho, const View<double>& f) {
  momentum_right_hand_side(s, u, impulse, f);
  const Pattern& p = s.pattern;
  const StepRows& rows = rows_.rows();
  const View<Vec3> du = du_;
  const View<double> x = impulse, x0 = impulse0_, weight = weight_, z = z_, w = w_, de_saxce = de_saxce_,
                     sh = s.row_scale;
  const int first = s.velocity_size();
  parallel_for(
      "admm_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        double v[kMaxItemRows] = {};
        velocities_at(rows, du, x, x0, i, v);
        v[0] += de_saxce(i);
        for (int r = 0; r < m; ++r) {
          const double pull = rho * weight(row + r) * (x(row + r) - z(row + r) + w(row + r));
          f(first + row + r) = -sh(row + r) * (v[r] + pull);
        }
      },
      60);
}

AdmmResiduals AdmmIteration::project(const SaddlePointSystem& s, const View<Vec3>& u, const View<double>& impulse,
                                     double relaxation) {
  const StepRows& rows = rows_.rows();
  const Pattern& p = s.pattern;
  const View<Vec3> du = du_, u0 = u0_, at = u;
  const View<double> x = impulse, x0 = impulse0_, weight = weight_, z = z_, w = w_, de_saxce = de_saxce_,
                     change = change_;
  difference(at, u0, du);
  parallel_for(
      "admm_project", p.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = p.item_row(i), m = set.rows;
        if (is_whole_space(set)) {
          for (int r = 0; r < m; ++r) z(row + r) = x(row + r), change(row + r) = 0;
          return;
        }
        double point[kMaxItemRows] = {}, relaxed[kMaxItemRows] = {}, v[kMaxItemRows] = {};
        for (int r = 0; r < m; ++r) {
          relaxed[r] = relaxation * x(row + r) + (1 - relaxation) * z(row + r);
          point[r] = relaxed[r] + w(row + r);
        }
        clarke::project(set, point);
        velocities_at(rows, du, x, x0, i, v);
        de_saxce(i) = de_saxce_term(set, v);
        for (int r = 0; r < m; ++r) {
          change(row + r) = point[r] - z(row + r);
          z(row + r) = point[r];
          w(row + r) += relaxed[r] - point[r];
        }
      },
      80);
  double sum[5];
  deterministic_sum<5>(
      "admm_residuals", p.rows,
      KOKKOS_LAMBDA(int r) {
        const double k = weight(r), primal = x(r) - z(r);
        return Kokkos::Array<double, 5>{k * primal * primal, k * change(r) * change(r), k * x(r) * x(r),
                                        k * z(r) * z(r), k * w(r) * w(r)};
      },
      scratch_, sum);
  const double size = std::fmax(sum[2], sum[3]);
  return {size > 0 ? std::sqrt(sum[0] / size) : 0, sum[4] > 0 ? std::sqrt(sum[1] / sum[4]) : 0};
}

void AdmmIteration::rescale(const SaddlePointSystem& s, double factor) {
  const View<double> w = w_;
  parallel_for(
      "admm_rescale", s.pattern.rows, KOKKOS_LAMBDA(int r) { w(r) *= factor; });
}

void AdmmIteration::finish(const SaddlePointSystem& s, const View<Vec3>& u, const View<double>& impulse) {
  const Pattern& p = s.pattern;
  const View<Vec3> u0 = u0_, g0 = g0_, R = s.right(), at = u;
  const View<Mat3> H = s.hessian;
  const View<double> x = impulse, x0 = impulse0_, z = z_, change = change_;
  parallel_for(
      "admm_take_z", p.rows, KOKKOS_LAMBDA(int r) { x(r) = z(r), change(r) = z(r) - x0(r); }, 3);
  parallel_for(
      "admm_velocity", s.blocks,
      KOKKOS_LAMBDA(int k) { at(k) = u0(k) + inverse(H(k)) * (block_gather(p, R, change, k) - g0(k)); }, 50);
}

void AdmmIteration::fix_impulse(SaddlePointSystem& s, const View<double>& impulse) {
  const Pattern& p = s.pattern;
  const bool squares = s.traits.dense_b(), general = !s.traits.symmetric;
  const View<double> a = s.a, b = s.b, A = s.A, B = s.B, x = impulse, z = z_;
  parallel_for(
      "admm_fix_impulse", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        for (int r = 0; r < m; ++r) {
          x(row + r) = z(row + r);
          a(row + r) = 0;
          b(row + r) = 1;
          for (int e = 0; squares && e < m; ++e) {
            B(q + r * m + e) = r == e ? 1.0 : 0.0;
            if (general) A(q + r * m + e) = 0;
          }
        }
      },
      20);
  ++s.linearisation_stamp;
}

namespace {

constexpr double kBalance = 10, kBalanceFactor = 4;  // residuals this far apart change ρ by that much
constexpr int kBalanceEvery = 10;                    // iterations: a change is worth a factorisation only if it lasts

struct Admm {
  static constexpr const char* kName = "admm";
  static constexpr const char* kSummary =
      "alternating directions on the linearised step; one matrix for many iterations";
  static constexpr const char* kCitation = "Boyd Parikh Chu Peleato Eckstein 2011; Acary Bremond Huber 2018";
  static constexpr StrategyTraits kTraits{};
  AdmmOptions options;
  AdmmIteration iteration;
  double rho = 0;

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    snes->reason = SNES_CONVERGED_ITERATING;
    rho = options.rho;
    PetscCall(evaluate_and_test(snes, 0, 0));
    for (PetscInt it = 0; it < snes->max_its && !snes->reason; ++it) {
      PetscTryTypeMethod(snes, update, it);
      PetscCall(SNESComputeJacobian(snes, X, snes->jacobian, snes->jacobian_pre));
      PetscCall(KSPSetOperators(snes->ksp, snes->jacobian, snes->jacobian_pre));
      PetscCall(iterate(snes));
      if (snes->reason) break;
      PetscCall(evaluate_and_test(snes, it + 1, 0));
    }
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }

  PetscErrorCode iterate(SNES snes) {
    Vec X = snes->vec_sol, F = snes->vec_func, Y = snes->vec_sol_update;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    SaddlePointSystem& system = solver.problem().system();
    const auto parts = [&system](const View<double>& x) {
      return std::pair{as_vec3(x, 0, system.blocks),
                       View<double>(Kokkos::subview(x, Kokkos::make_pair(system.velocity_size(), system.size())))};
    };
    {
      const VecRead x(X);
      const auto [u, impulse] = parts(x.view());
      iteration.begin(solver.problem(), u, impulse, rho);
    }
    iteration.set_matrix(system, rho);
    for (int k = 1; k <= options.iterations; ++k) {
      {
        const VecRead x(X);
        VecWrite f(F);
        const auto [u, impulse] = parts(x.view());
        iteration.right_hand_side(system, u, impulse, rho, f.view());
      }
      PetscCall(KSPSolve(snes->ksp, F, Y));
      SNESCheckKSPSolve(snes);
      PetscCall(vec_add(X, -1, Y));
      AdmmResiduals now;
      {
        const VecRead x(X);
        const auto [u, impulse] = parts(x.view());
        now = iteration.project(system, u, impulse, options.relaxation);
      }
      if (std::max(now.primal, now.dual) <= options.tolerance) break;
      if (!options.balance || k % kBalanceEvery != 0) continue;
      const double factor = now.primal > kBalance * now.dual   ? kBalanceFactor
                            : now.dual > kBalance * now.primal ? 1 / kBalanceFactor
                                                               : 1;
      if (factor == 1) continue;
      rho *= factor;
      iteration.rescale(system, 1 / factor);
      iteration.set_matrix(system, rho);
      solver.count("admm_balance");
    }
    if (!system.sparse_hessian()) {
      VecUpdate x(X);
      const auto [u, impulse] = parts(x.view());
      iteration.finish(system, u, impulse);
      PetscFunctionReturn(0);
    }
    {
      VecUpdate x(X);
      VecWrite f(F);
      const auto [u, impulse] = parts(x.view());
      iteration.fix_impulse(system, impulse);
      iteration.momentum_right_hand_side(system, u, impulse, f.view());
    }
    PetscCall(KSPSolve(snes->ksp, F, Y));
    SNESCheckKSPSolve(snes);
    PetscCall(vec_add(X, -1, Y));
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_admm() { register_snes_type<Admm>(); }

}  // namespace clarke
