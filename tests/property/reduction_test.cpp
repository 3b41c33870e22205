// Newton's system of real models in mid-Newton, solved densely as it stands and through the reduction and each form:
// the same step. Operators, matrix entries, transposes, diagonals, block inverses and sweeps are compared with the
// dense matrix they stand for.

#include "linear/operators/form.hpp"
#include "linear/operators/hessian_solver.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "tests/property/newton_systems.hpp"

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(reduction)

namespace {

constexpr double kSolved = 1e-10;  // dense solves of systems of condition number below 1e5
// The stiffness form works with 1/C: it loses the digits by which C is smaller than the Schur diagonal (1e-8 here,
// without shift).
constexpr double kSolvedStiffness = 1e-7;
constexpr double kRounding = 1e-13;  // sums of a few dozen terms, relative to the matrix

View<double> device(const VectorXd& v) { return to_device("v", std::vector<double>(v.data(), v.data() + v.size())); }
View<Vec3> device_vec3(const VectorXd& v) {
  std::vector<Vec3> out;
  for (int i = 0; i < v.size(); i += 3) out.push_back({v(i), v(i + 1), v(i + 2)});
  return to_device("v", out);
}
VectorXd host(const View<double>& v) {
  fence();
  std::vector<double> out;
  to_host(v, out);
  return Eigen::Map<VectorXd>(out.data(), static_cast<long>(out.size()));
}
VectorXd host(const View<Vec3>& v) {
  fence();
  std::vector<Vec3> values;
  to_host(v, values);
  VectorXd out(3 * values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int e = 0; e < 3; ++e) out(3 * i + e) = values[i][e];
  return out;
}

VectorXd random_vector(Random& random, long n) {
  VectorXd v(n);
  for (long i = 0; i < n; ++i) v(i) = random.uniform(-1, 1);
  return v;
}

/// The matrix of an operator, column by column.
template <class Apply>
MatrixXd columns_of(int n, const Apply& apply) {
  MatrixXd S(n, n);
  const View<double> y("y", n);
  for (int c = 0; c < n; ++c) {
    Kokkos::deep_copy(y, std::nan(""));
    apply(device(VectorXd::Unit(n, c)), y);
    S.col(c) = host(y);
  }
  return S;
}

MatrixXd assembled(const Form& form) {
  std::vector<int> rows, columns;
  form.coordinates(rows, columns);
  const int edge = form.in_blocks() ? 3 : 1, square = edge * edge;
  std::vector<double> values(rows.size() * square);
  std::vector<MatrixEntries::Place> places;
  for (std::size_t k = 0; k < rows.size(); ++k) places.push_back({static_cast<int>(square * k), edge, 1});
  MatrixEntries out(values.data(), places.data(), form.in_blocks());
  form.values(out);
  BOOST_TEST((out.next() == places.data() + places.size()));
  MatrixXd S = MatrixXd::Zero(form.size(), form.size());
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (int e = 0; e < square; ++e)
      S(edge * rows[k] + e / edge, edge * columns[k] + e % edge) += values[square * k + e];
  return S;
}

/// Inverses of the point blocks of S, as the form defines them.
MatrixXd block_inverse_of(const std::string& form, const MatrixXd& S, const ReducedSystem& reduced) {
  const auto p = host_copy(reduced.pattern());
  const int nu = 3 * p.blocks, first = form == "schur" ? 0 : nu;
  MatrixXd P = MatrixXd::Identity(S.rows(), S.cols());
  MatrixXd schur = S;
  if (form == "saddle") {
    // −(lower right) − J_L H⁻¹ (−J_Rᵀ) of the saddle matrix, H by its diagonal blocks: the Schur complement, positive
    MatrixXd blocks = MatrixXd::Zero(nu, nu);
    for (int b = 0; b < p.blocks; ++b) blocks.block<3, 3>(3 * b, 3 * b) = S.block<3, 3>(3 * b, 3 * b);
    schur.bottomRightCorner(p.rows, p.rows) = -S.bottomRightCorner(p.rows, p.rows) + S.bottomLeftCorner(p.rows, nu) *
                                                                                         blocks.inverse() *
                                                                                         S.topRightCorner(nu, p.rows);
  }
  if (form != "schur")
    for (int b = 0; b < p.blocks; ++b) P.block<3, 3>(3 * b, 3 * b) = S.block<3, 3>(3 * b, 3 * b).inverse();
  if (form == "stiffness") return P;
  for (int i = 0; i < p.items; ++i) {
    const int row = first + p.item_row(i), m = p.item_row(i + 1) - p.item_row(i);
    P.block(row, row, m, m) = schur.block(row, row, m, m).inverse();
  }
  return P;
}

double relative(const MatrixXd& difference, const MatrixXd& of) { return difference.norm() / of.norm(); }

struct Shift {
  double relative, absolute;
};
constexpr Shift kShifts[] = {{0, 0}, {1e-3, 1e-4}};

const char* const kForms[] = {"schur", "saddle", "stiffness"};

/// Where H has no explicit inverse the Schur form solves with it, and has products only.
bool has_entries(const SaddlePointSystem& system, const std::string& form) {
  return form != "schur" || !system.sparse_hessian();
}
constexpr bool kExactDiagonal = true;

}  // namespace

// The systems below have everything in them that the reduction treats differently.
BOOST_AUTO_TEST_CASE(systems_are_mixed) {
  int turned = 0, known_normal = 0, known_friction = 0, rigid = 0, compliant = 0, dense_blocks = 0, coupled = 0,
      sparse = 0;
  for_each_system([&](MidNewton& m) {
    SaddlePointSystem& s = m.system();
    BOOST_TEST(s.pattern.items >= 4);
    const auto p = host_copy(s.pattern);
    const auto a = host_copy(s.a.view()), b = host_copy(s.b.view()), slip_frame = host_copy(s.slip_frame.view());
    for (int i = 0; i < p.items; ++i) turned += slip_frame(2 * i + 1) != 0;
    dense_blocks += !s.traits.symmetric;
    coupled += s.traits.dense_compliance;
    sparse += s.sparse_hessian();
    if (!s.traits.symmetric) return;
    for (int r = 0; r < p.rows; ++r) {
      const bool normal = r == p.item_row(p.row_item(r));
      if (a(r) == 0) (normal ? known_normal : known_friction) += 1;
      if (a(r) > 0) (b(r) == 0 ? rigid : compliant) += 1;
    }
  });
  for (int count : {turned, known_normal, known_friction, rigid, compliant, dense_blocks, coupled, sparse})
    BOOST_TEST(count > 0);
}

BOOST_AUTO_TEST_CASE(every_form_gives_newtons_step) {
  Random random(1);
  for_each_system([&](MidNewton& m) {
    const SaddlePointSystem& s = m.system();
    const int nu = s.velocity_size(), rows = s.pattern.rows;
    const VectorXd r_u = random_vector(random, nu), r_s = random_vector(random, rows);
    VectorXd rhs(nu + rows);
    rhs << r_u, r_s;
    for (const Shift& shift : kShifts) {
      const VectorXd y = dense_of(s, shift.relative, shift.absolute).matrix().fullPivLu().solve(rhs);
      RegularisationOptions options;
      options.relative = shift.relative;
      options.absolute = shift.absolute;
      ReducedSystem reduced;
      reduced.reduce(s, options);
      BOOST_TEST(reduced.shift() == shift.relative);
      for (const char* name : kForms) {
        HessianSolver hessian;
        const auto form = create_form(name, reduced, &hessian);
        BOOST_TEST(form->update() == "");
        const View<Vec3> ru = device_vec3(r_u), yu("y_u", s.blocks);
        const View<double> sigma("sigma", rows), b("b", form->size()), y_turned("y'", rows), y_impulse("y", rows);
        reduced.right_hand_side(ru, device(r_s), sigma);
        form->right_hand_side(ru, sigma, b);
        const MatrixXd S = columns_of(form->size(), [&](const auto& in, const auto& out) { form->apply(in, out); });
        form->solution(device(S.fullPivLu().solve(host(b))), ru, sigma, y_turned, yu);
        reduced.expand(y_turned, y_impulse);
        VectorXd z(nu + rows);
        z << host(yu), host(y_impulse);
        const bool stiff = std::string(name) == "stiffness" && shift.relative == 0;
        BOOST_TEST_CONTEXT(name << " shift " << shift.relative)
        BOOST_TEST(relative(z - y, y) < (stiff ? kSolvedStiffness : kSolved));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(operators_are_their_matrices) {
  Random random(2);
  int kept = 0, definite = 0;
  for_each_system([&](MidNewton& m) {
    for (const Shift& shift : kShifts) {
      RegularisationOptions options;
      options.relative = shift.relative;
      options.absolute = shift.absolute;
      ReducedSystem reduced;
      reduced.reduce(m.system(), options);
      for (const char* name : kForms) {
        BOOST_TEST_CONTEXT(name << " shift " << shift.relative) {
          HessianSolver hessian;
          const auto form = create_form(name, reduced, &hessian, kExactDiagonal);
          BOOST_TEST(form->update() == "");
          const int n = form->size();
          const MatrixXd S = columns_of(n, [&](const auto& in, const auto& out) { form->apply(in, out); });
          const MatrixXd T = columns_of(n, [&](const auto& in, const auto& out) { form->apply_transpose(in, out); });
          if (has_entries(m.system(), name)) BOOST_TEST(relative(assembled(*form) - S, S) < kRounding);
          BOOST_TEST(relative(T - S.transpose(), S) < kRounding);
          const VectorXd x = random_vector(random, n), y = random_vector(random, n);
          const View<double> Sx("Sx", n), Sty("Sty", n);
          form->apply(device(x), Sx);
          form->apply_transpose(device(y), Sty);
          BOOST_TEST(std::fabs(y.dot(host(Sx)) - host(Sty).dot(x)) < kRounding * S.norm() * x.norm() * y.norm());
          const View<double> d("d", n);
          form->diagonal(d);
          BOOST_TEST((host(d) - S.diagonal()).norm() < kRounding * S.norm());
          BOOST_TEST(form->symmetric() == m.system().traits.symmetric);
          if (form->symmetric()) BOOST_TEST(relative(S - S.transpose(), S) < kRounding);
          if (form->positive_definite()) {
            ++definite;
            const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(S).eigenvalues();
            BOOST_TEST(values.minCoeff() > -kRounding * values.maxCoeff());
          }
          kept += form->kept_rows() > 0;
          // Nothing is rigid once everything is shifted.
          if (shift.relative > 0 && form->symmetric()) BOOST_TEST(form->kept_rows() == 0);
        }
      }
    }
  });
  BOOST_TEST(kept > 0);
  BOOST_TEST(definite > 0);
}

BOOST_AUTO_TEST_CASE(block_inverses_and_sweeps) {
  constexpr double kInverse = 1e-9;  // blocks of condition number below 1e5
  Random random(3);
  for_each_system([&](MidNewton& m) {
    RegularisationOptions options;
    options.relative = 1e-3;
    ReducedSystem reduced;
    reduced.reduce(m.system(), options);
    for (const char* name : kForms) {
      BOOST_TEST_CONTEXT(name) {
        HessianSolver hessian;
        const auto form = create_form(name, reduced, &hessian, kExactDiagonal);
        form->update();
        form->prepare_block_inverse();
        const int n = form->size();
        const MatrixXd S = columns_of(n, [&](const auto& in, const auto& out) { form->apply(in, out); });
        const MatrixXd P = columns_of(n, [&](const auto& in, const auto& out) { form->apply_block_inverse(in, out); });
        const MatrixXd expected = block_inverse_of(name, S, reduced);
        BOOST_TEST(relative(P - expected, expected) < kInverse);
        if (!form->has_gauss_seidel()) continue;
        const VectorXd b = random_vector(random, n);
        VectorXd x = random_vector(random, n);
        const View<double> sweep = device(x);
        form->gauss_seidel_sweep(device(b), sweep);
        for (int r = 0; r < n; ++r) x(r) += (b(r) - S.row(r).dot(x)) / S(r, r);
        BOOST_TEST(relative(host(sweep) - x, x) < kInverse);
      }
    }
  });
}

// What SNES sees: S_u g, −S_h F, and S [H −Jᵀ; −A J  −B] with the scaling of the step.
BOOST_AUTO_TEST_CASE(newtons_matrix) {
  for_each_system([&](MidNewton& m) {
    SaddlePointSystem& s = m.system();
    const int nu = s.velocity_size(), n = s.size();
    const MatrixXd K = dense_of(s, 0, 0).matrix();
    VectorXd scale(n), f(n);
    const VectorXd su = host(s.momentum_scale.view()), sh = host(s.row_scale.view());
    for (int i = 0; i < nu; ++i) scale(i) = su(i / 3);
    scale.tail(n - nu) = -sh;
    const MatrixXd N = columns_of(n, [&](const auto& in, const auto& out) { newton_matrix_product(s, in, out); });
    const MatrixXd expected = scale.asDiagonal() * K;
    BOOST_TEST(relative(N - expected, expected) < kRounding);
    f << host(s.momentum_residual.view()), host(s.residual.view());
    const View<double> F("F", n);
    scaled_residual(s, F);
    BOOST_TEST(relative(host(F) - scale.asDiagonal() * f, f) < kRounding);
  });
}

// The part of the step that only sets multipliers is what the strategies are told not to damp.
BOOST_AUTO_TEST_CASE(fixed_multiplier_step) {
  Random random(4);
  for_each_system([&](MidNewton& m) {
    const SaddlePointSystem& s = m.system();
    const int rows = s.pattern.rows;
    const VectorXd r_s = random_vector(random, rows);
    ReducedSystem reduced;
    reduced.reduce(s, {});
    const View<double> sigma("sigma", rows);
    reduced.right_hand_side(device_vec3(VectorXd::Zero(s.velocity_size())), device(r_s), sigma);
    const Dense d = dense_of(s, 0, 0);
    const VectorXd turned = d.slip_frame * r_s;
    VectorXd expected = VectorXd::Zero(rows);
    if (s.traits.symmetric)
      for (int r = 0; r < rows; ++r)
        if (d.A_turned(r, r) == 0) expected(r) = turned(r) / d.B_turned(r, r);
    BOOST_TEST((host(reduced.fixed_multiplier_step()) - d.slip_frame.transpose() * expected).norm() <=
               kRounding * (1 + expected.norm()));
  });
}

/// A block-sparse H: the Schur form's product is J_L H⁻¹ J_Rᵀ + C of the dense H, by every way to solve with H;
/// `blocks` are those of its diagonal blocks.
BOOST_AUTO_TEST_CASE(schur_form_solves_with_h) {
  int sparse = 0;
  for_each_system([&](MidNewton& m) {
    const SaddlePointSystem& s = m.system();
    if (!s.sparse_hessian()) return;
    ++sparse;
    ReducedSystem reduced;
    reduced.reduce(s, {});
    const auto saddle = create_form("saddle", reduced);
    const int nu = s.velocity_size(), rows = s.pattern.rows;
    const MatrixXd K = assembled(*saddle), H = K.topLeftCorner(nu, nu);
    const auto schur_of = [&](const MatrixXd& h) -> MatrixXd {
      return K.bottomLeftCorner(rows, nu) * h.partialPivLu().solve(K.topRightCorner(nu, rows)) -
             K.bottomRightCorner(rows, rows);
    };
    const MatrixXd expected = schur_of(H);
    // 1e-9: ten times -hessian_ksp_rtol of the iterative ones.
    for (const char* solver :
         {"", "-hessian_pc_type lu", "-hessian_pc_factor_mat_solver_type mumps",
          "-hessian_ksp_type cg -hessian_pc_type icc", "-hessian_ksp_type minres -hessian_pc_type jacobi"}) {
      const ScopedOptions scoped(solver);
      HessianSolver hessian;
      const auto form = create_form("schur", reduced, &hessian);
      BOOST_TEST_CONTEXT(solver) {
        BOOST_TEST(form->update() == "");
        const MatrixXd S = columns_of(rows, [&](const auto& in, const auto& out) { form->apply(in, out); });
        BOOST_TEST(relative(S - expected, expected) < 1e-9);
        const HessianSolver::Count count = hessian.take_count();
        BOOST_TEST(count.solves == rows);
        const bool iterates = std::string(solver).find("ksp") != std::string::npos;
        BOOST_TEST((count.iterations > count.solves) == iterates);
      }
    }
    HessianSolver hessian;
    const auto form = create_form("schur", reduced, &hessian);
    form->update();
    MatrixXd blocks = MatrixXd::Zero(nu, nu);
    for (int b = 0; b < s.blocks; ++b) blocks.block<3, 3>(3 * b, 3 * b) = H.block<3, 3>(3 * b, 3 * b);
    const View<double> d("d", rows);
    form->diagonal(d);
    BOOST_TEST((host(d) - schur_of(blocks).diagonal()).norm() < kRounding * expected.norm());
  });
  BOOST_TEST(sparse > 0);
}

// What a strategy that writes all rows itself is solved with: J and A apart, and nothing of it copied.
BOOST_AUTO_TEST_CASE(rows_in_place_are_the_same) {
  Random random(3);
  int kept = 0, between_bodies = 0;
  for_each_system([&](MidNewton& m) {
    SaddlePointSystem& s = m.system();
    if (s.traits.symmetric) return;
    const auto p = host_copy(s.pattern);
    std::vector<double> frames;
    for (int i = 0; i < p.items; ++i) frames.insert(frames.end(), {1, 0});
    Kokkos::deep_copy(s.slip_frame.view(), to_device("frames", frames));
    RegularisationOptions none;
    none.relative = none.absolute = 0;
    ReducedSystem copied, in_place;
    copied.reduce(s, none);
    in_place.reduce(s, none, 1, true);
    const auto expected = create_form("stiffness", copied), form = create_form("stiffness", in_place);
    BOOST_TEST((expected->update().empty() && form->update().empty()));
    BOOST_TEST_REQUIRE(form->kept_rows() == expected->kept_rows());
    kept += expected->kept_rows() > 0;
    for (int i = 0; i < p.items; ++i) between_bodies += p.item_slot(i + 1) - p.item_slot(i) == 4;
    const int n = form->size();
    const MatrixXd S = columns_of(n, [&](const auto& in, const auto& out) { expected->apply(in, out); });
    const MatrixXd T = columns_of(n, [&](const auto& in, const auto& out) { form->apply(in, out); });
    const MatrixXd U = columns_of(n, [&](const auto& in, const auto& out) { form->apply_transpose(in, out); });
    BOOST_TEST(relative(T - S, S) < kRounding);
    BOOST_TEST(relative(U.transpose() - S, S) < kRounding);
    BOOST_TEST(relative(assembled(*form) - S, S) < kRounding);
    const View<Vec3> r_u("r_u", s.blocks), y_u("y_u", s.blocks);
    const View<double> y("y'", p.rows), other("y'", p.rows), sigma = device(random_vector(random, p.rows)),
                                                             z = device(random_vector(random, n));
    form->solution(z, r_u, sigma, y, y_u);
    expected->solution(z, r_u, sigma, other, y_u);
    BOOST_TEST(relative(host(y) - host(other), host(other)) < kRounding);
  });
  BOOST_TEST(kept > 0);
  BOOST_TEST(between_bodies > 0);
}

BOOST_AUTO_TEST_CASE(shift_follows_the_residual) {
  MidNewton m = mid_newton(box_on_plane(), "", 5);
  RegularisationOptions options;
  options.rule = "residual";
  options.relative = std::nan("");  // not this rule's business
  ReducedSystem reduced;
  for (const auto& [residual, expected] : {std::pair{1e-12, 1e-7}, {1e-3, 3e-4}, {10.0, 1e-2}}) {
    reduced.reduce(m.system(), options, residual);
    BOOST_TEST(std::fabs(reduced.shift() - expected) < 1e-12 * expected);
  }
}

BOOST_AUTO_TEST_SUITE_END()
