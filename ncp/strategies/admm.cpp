#include "ncp/strategies/admm.hpp"

#include "framework/math/small_solve.hpp"
#include "framework/petsc_views.hpp"
#include "framework/section_cone.hpp"
#include "ncp/strategies/snes_type.hpp"

#include <algorithm>

namespace clarke {

namespace {

/// v = v⁰ + J du + γ dΛ of row r of an item.
KOKKOS_INLINE_FUNCTION double velocity_at(const Pattern& p, const View<Vec3>& J, const View<Vec3>& du,
                                          const View<double>& v0, const View<double>& gamma,
                                          const View<double>& impulse, const View<double>& impulse0, int item, int r) {
  const int row = p.item_row(item) + r;
  return v0(row) + row_product(p, J, du, item, r) + gamma(row) * (impulse(row) - impulse0(row));
}

void difference(const View<Vec3>& a, const View<Vec3>& b, const View<Vec3>& out) {
  const View<Vec3> x = a, y = b, d = out;
  parallel_for(
      "admm_du", static_cast<int>(d.extent(0)), KOKKOS_LAMBDA(int k) { d(k) = x(k) - y(k); }, 3);
}

/// Section of item i; null: the disc.
KOKKOS_INLINE_FUNCTION const FrictionSection* section_of(const View<FrictionSection>& section, int i) {
  return section.extent(0) > 0 ? section.data() + i : nullptr;
}

/// Nearest point of the bounds of an item that is no contact: [l, u] of each row, and the disc of the last two.
KOKKOS_INLINE_FUNCTION void project_on_bounds(const View<double>& lower, const View<double>& upper, bool disc, int row,
                                              int m, double* x) {
  for (int r = 0; r < (disc ? 1 : m); ++r) x[r] = std::fmin(std::fmax(x[r], lower(row + r)), upper(row + r));
  if (!disc) return;
  const double size = std::hypot(x[1], x[2]), radius = upper(row + 1);
  if (size > radius) x[1] *= radius / size, x[2] *= radius / size;
}

/// Nearest point of |x_f| ≤ μ x_n, or of the cone over a section; x is replaced by it.
KOKKOS_INLINE_FUNCTION void project_on_cone(const FrictionSection* section, double mu, double& xn, double& x1,
                                            double& x2) {
  if (section && mu > 0) {
    const Vec3 at = project_on_section_cone(*section, mu, {xn, x1, x2});
    xn = at.x, x1 = at.y, x2 = at.z;
    return;
  }
  const double t = std::hypot(x1, x2);
  if (t <= mu * xn) return;
  if (mu * t <= -xn) {
    xn = x1 = x2 = 0;
    return;
  }
  const double n = (xn + mu * t) / (1 + mu * mu);
  xn = n;
  x1 *= mu * n / t;
  x2 *= mu * n / t;
}

}  // namespace

void AdmmIteration::begin(StepProblem& problem, const View<Vec3>& u, const View<double>& impulse, double rho) {
  const SaddlePointSystem& s = problem.system();
  const Pattern p = s.pattern;
  rows_.gather(problem);
  Kokkos::deep_copy(u0_.resize(s.blocks), u);
  Kokkos::deep_copy(g0_.resize(s.blocks), s.momentum_residual.view());
  Kokkos::deep_copy(impulse0_.resize(p.rows), impulse);
  const View<double> weight = weight_.resize(p.rows), z = z_.resize(p.rows), w = w_.resize(p.rows),
                     cone = cone_.resize(p.items), W = s.delassus_diagonal, gamma = rows_.compliance,
                     v0 = rows_.velocity, lower = rows_.lower, upper = rows_.upper, friction = rows_.friction,
                     x = impulse;
  const View<int> kind = rows_.kind;
  const View<FrictionSection> section = rows_.section;
  change_.resize(p.rows);
  parallel_for(
      "admm_begin", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), end = p.item_row(i + 1);
        cone(i) = 0;
        for (int r = row; r < end; ++r) {
          weight(r) = kind(i) == kRowByRow || kind(i) == kDisc ? W(r) + gamma(r) : 0.0;
          z(r) = x(r);
        }
        if (kind(i) == kDisc) weight(row + 1) = weight(row + 2) = 0.5 * (weight(row + 1) + weight(row + 2));
        if (kind(i) == kRowByRow || kind(i) == kDisc)
          project_on_bounds(lower, upper, kind(i) == kDisc, row, end - row, z.data() + row);
        if (kind(i) == kContact) {
          double mean = 0;
          for (int r = row; r < end; ++r) mean += (W(r) + gamma(r)) / 3;
          for (int r = row; r < end; ++r) weight(r) = mean;
          cone(i) = friction(i) * unit_dissipation(section_of(section, i), v0(row + 1), v0(row + 2));
          project_on_cone(section_of(section, i), friction(i), z(row), z(row + 1), z(row + 2));
        }
        // At a solution R w = −(v + s n).
        for (int r = row; r < end; ++r) {
          const double s_n = kind(i) == kContact && r == row ? cone(i) : 0.0;
          w(r) = weight(r) > 0 ? -(v0(r) + s_n) / (rho * weight(r)) : 0.0;
        }
      },
      40);
}

void AdmmIteration::set_matrix(SaddlePointSystem& s, double rho) {
  const Pattern p = s.pattern;
  const bool symmetric = s.symmetric;
  const View<double> a = s.a, b = s.b, A = s.A, B = s.B, slip_frame = s.slip_frame, gamma = rows_.compliance,
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
          if (symmetric) continue;
          for (int e = 0; e < m; ++e) {
            A(q + r * m + e) = r == e ? 1.0 : 0.0;
            B(q + r * m + e) = r == e ? b(row + r) : 0.0;
          }
        }
      },
      20);
  ++s.linearisation_stamp;
}

void AdmmIteration::right_hand_side(const SaddlePointSystem& s, const View<Vec3>& u, const View<double>& impulse,
                                    double rho, const View<double>& f) {
  const Pattern p = s.pattern;
  const View<Vec3> du = du_.resize(s.blocks), u0 = u0_, g0 = g0_, J = s.jacobian, R = s.right(), at = u,
                   fu = as_vec3(f, 0, s.blocks);
  const View<Mat3> H = s.hessian;
  const View<double> x = impulse, x0 = impulse0_, change = change_, v0 = rows_.velocity, gamma = rows_.compliance,
                     weight = weight_, z = z_, w = w_, cone = cone_, su = s.momentum_scale, sh = s.row_scale;
  const View<int> kind = rows_.kind;
  const int first = s.velocity_size();
  difference(at, u0, du);
  parallel_for(
      "admm_change", p.rows, KOKKOS_LAMBDA(int r) { change(r) = x(r) - x0(r); });
  parallel_for(
      "admm_momentum", s.blocks,
      KOKKOS_LAMBDA(int k) { fu(k) = su(k) * (g0(k) + H(k) * du(k) - block_gather(p, R, change, k)); }, 24);
  parallel_for(
      "admm_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        for (int r = 0; r < m; ++r) {
          const double v =
              velocity_at(p, J, du, v0, gamma, x, x0, i, r) + (kind(i) == kContact && r == 0 ? cone(i) : 0.0);
          const double pull = rho * weight(row + r) * (x(row + r) - z(row + r) + w(row + r));
          f(first + row + r) = -sh(row + r) * (v + pull);
        }
      },
      60);
}

AdmmResiduals AdmmIteration::project(const SaddlePointSystem& s, const View<Vec3>& u, const View<double>& impulse,
                                     double relaxation) {
  const Pattern p = s.pattern;
  const View<Vec3> du = du_, u0 = u0_, J = s.jacobian, at = u;
  const View<double> x = impulse, x0 = impulse0_, v0 = rows_.velocity, gamma = rows_.compliance, weight = weight_,
                     z = z_, w = w_, cone = cone_, lower = rows_.lower, upper = rows_.upper, friction = rows_.friction,
                     change = change_;
  const View<int> kind = rows_.kind;
  const View<FrictionSection> section = rows_.section;
  difference(at, u0, du);
  parallel_for(
      "admm_project", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        if (kind(i) == kBlock) {
          for (int r = 0; r < m; ++r) z(row + r) = x(row + r), change(row + r) = 0;
          return;
        }
        double point[kMaxItemRows], relaxed[kMaxItemRows];
        for (int r = 0; r < m; ++r) {
          relaxed[r] = relaxation * x(row + r) + (1 - relaxation) * z(row + r);
          point[r] = relaxed[r] + w(row + r);
        }
        if (kind(i) == kContact) {
          project_on_cone(section_of(section, i), friction(i), point[0], point[1], point[2]);
          cone(i) =
              friction(i) * unit_dissipation(section_of(section, i), velocity_at(p, J, du, v0, gamma, x, x0, i, 1),
                                             velocity_at(p, J, du, v0, gamma, x, x0, i, 2));
        } else {
          project_on_bounds(lower, upper, kind(i) == kDisc, row, m, point);
        }
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
  const Pattern p = s.pattern;
  const View<Vec3> u0 = u0_, g0 = g0_, R = s.right(), at = u;
  const View<Mat3> H = s.hessian;
  const View<double> x = impulse, x0 = impulse0_, z = z_, change = change_;
  parallel_for(
      "admm_take_z", p.rows, KOKKOS_LAMBDA(int r) { x(r) = z(r), change(r) = z(r) - x0(r); }, 3);
  parallel_for(
      "admm_velocity", s.blocks,
      KOKKOS_LAMBDA(int k) { at(k) = u0(k) + inverse(H(k)) * (block_gather(p, R, change, k) - g0(k)); }, 50);
}

namespace {

constexpr double kBalance = 10, kBalanceFactor = 4;  // residuals this far apart change ρ by that much
constexpr int kBalanceEvery = 10;                    // iterations: a change is worth a factorisation only if it lasts

struct Admm {
  static constexpr const char* kName = "admm";
  static constexpr const char* kSummary =
      "alternating directions on the linearised step; one matrix for many iterations";
  static constexpr const char* kCitation = "Boyd Parikh Chu Peleato Eckstein 2011; Acary Bremond Huber 2018";
  static constexpr bool kLinear = true, kInner = false;
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
      PetscCall(VecAXPY(X, -1, Y));
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
    VecUpdate x(X);
    const auto [u, impulse] = parts(x.view());
    iteration.finish(system, u, impulse);
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_admm() { register_snes_type<Admm>(); }

}  // namespace clarke
