// Contact problems given as matrices: known solutions, the same problem stated in several ways, and what a given
// Delassus operator may be.

#include "tests/matrix_problems.hpp"

#include "framework/error.hpp"
#include "postprocess/delassus_form.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>
#include <random>

using namespace clarke;
using clarke::test::solve;
using clarke::test::Solved;

BOOST_AUTO_TEST_SUITE(matrix_problems)

namespace {

const char* const kSoc = "-contact_law soc_fischer_burmeister -ksp_type preonly -pc_type lu";

// Solutions are asked for to 1e-12 relative to values of order 1: ten times that.
constexpr double kTolerance = 1e-11;

void check_close(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  BOOST_TEST_REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    BOOST_TEST(std::fabs(found[i] - expected[i]) <= tolerance,
               "entry " << i << ": " << found[i] << ", expected " << expected[i]);
}

/// W = diag(1, 2, 2) for one contact.
ContactProblem one_contact(const std::vector<double>& q, double mu) {
  return test::local_problem({1, 0, 0, 0, 2, 0, 0, 0, 2}, q, {mu});
}

/// Three bodies of three velocities each in a row, four contacts between and beside them, by a fixed random sequence.
ContactProblem chain(double mu) {
  std::mt19937 random(5);
  const auto next = [&random] { return 2.0 * (static_cast<double>(random()) / 4294967296.0) - 1; };
  ContactProblem p;
  p.contacts = 4;
  p.friction.assign(4, mu);
  std::vector<double> m(81, 0.0), j(12 * 9, 0.0);
  for (int b = 0; b < 3; ++b)
    for (int d = 0; d < 3; ++d) m[(3 * b + d) * 9 + 3 * b + d] = 1 + b + 0.5 * d;
  for (int i = 0; i < 4; ++i)
    for (int r = 0; r < 3; ++r)
      for (int d = 0; d < 3; ++d) {
        if (i < 3) j[(3 * i + r) * 9 + 3 * i + d] = next();
        if (i > 0) j[(3 * i + r) * 9 + 3 * (i - 1) + d] = next();
      }
  p.mass = test::dense(9, 9, m);
  p.jacobian = test::dense(12, 9, j);
  for (int i = 0; i < 9; ++i) p.force.push_back(next());
  for (int i = 0; i < 12; ++i) p.offset.push_back(i % 3 == 0 ? -1 : 0.4 * next());
  return p;
}

std::vector<double> dense_of(const SparseMatrix& a) {
  std::vector<double> out(static_cast<std::size_t>(a.rows) * a.columns, 0.0);
  for (int r = 0; r < a.rows; ++r)
    for (int k = a.start[r]; k < a.start[r + 1]; ++k)
      out[static_cast<std::size_t>(r) * a.columns + a.column[k]] = a.value[k];
  return out;
}

/// W = J M⁻¹ Jᵀ and q = J M⁻¹ f + w, for a diagonal M.
ContactProblem condensed(const ContactProblem& p) {
  const int n = 3 * p.contacts, nv = p.mass.rows;
  const std::vector<double> j = dense_of(p.jacobian), m = dense_of(p.mass);
  std::vector<double> w(static_cast<std::size_t>(n) * n, 0.0), q = p.offset;
  for (int r = 0; r < n; ++r)
    for (int k = 0; k < nv; ++k) {
      q[r] += j[r * nv + k] / m[k * nv + k] * p.force[k];
      for (int c = 0; c < n; ++c) w[r * n + c] += j[r * nv + k] / m[k * nv + k] * j[c * nv + k];
    }
  return test::local_problem(w, q, p.friction);
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_contact_by_hand) {
  // open: v = q
  const Solved open = solve(one_contact({0.5, 1, 0}, 0.4), kSoc);
  BOOST_TEST(open.report.solved);
  check_close(open.solution.contact_impulse, {0, 0, 0}, kTolerance);
  check_close(open.solution.contact_velocity, {0.5, 1, 0}, kTolerance);
  // stick: Λ = −W⁻¹ q = (1, −0.1, 0.2), |Λ_f| = 0.2236 < 0.4
  const Solved stick = solve(one_contact({-1, 0.2, -0.4}, 0.4), kSoc);
  check_close(stick.solution.contact_impulse, {1, -0.1, 0.2}, kTolerance);
  check_close(stick.solution.contact_velocity, {0, 0, 0}, kTolerance);
  BOOST_TEST(stick.report.residuals.stick == 1);
  // slip along t1: Λ_n = 1, Λ_t = −0.4, v_t = 3 − 2 · 0.4
  const Solved slip = solve(one_contact({-1, 3, 0}, 0.4), kSoc);
  check_close(slip.solution.contact_impulse, {1, -0.4, 0}, kTolerance);
  check_close(slip.solution.contact_velocity, {0, 2.2, 0}, kTolerance);
  BOOST_TEST(slip.report.residuals.slip == 1);
  // no friction
  const Solved smooth = solve(one_contact({-1, 3, 0}, 0), kSoc);
  check_close(smooth.solution.contact_impulse, {1, 0, 0}, kTolerance);
  check_close(smooth.solution.contact_velocity, {0, 3, 0}, kTolerance);
}

BOOST_AUTO_TEST_CASE(residuals_of_a_wrong_solution) {
  // At Λ = 0 the slipping contact has v = q = (−1, 3, 0): y = (−1 + 1.2, 3, 0), −y outside both cones (0.4 · 3 > 0.2).
  // P_K(−y): n = (−0.2 + 0.4 · 3)/1.16, |t| = 0.4 n, so ‖F‖ = n √1.16; ‖q‖ = ‖v‖ = √10.
  const ContactProblem p = one_contact({-1, 3, 0}, 0.4);
  ProblemJudge judge(p);
  const ProblemResiduals r = judge.judge({0, 0, 0}, {});
  const double n = 1.0 / 1.16, map = n * std::sqrt(1.16);
  const double rounding = 10 * std::numeric_limits<double>::epsilon();
  BOOST_TEST(std::fabs(r.map - map) <= rounding);
  BOOST_TEST(std::fabs(r.siconos - map / std::sqrt(10)) <= rounding);
  BOOST_TEST(std::fabs(r.fclib - map / std::sqrt(10)) <= rounding);
  // In units in which tr W/3 = 1 all is linear in v: the same ratio at Λ = 0, whatever the units.
  BOOST_TEST(std::fabs(r.scaled - r.siconos) <= rounding);
  // Twice the impulse of the solution: ‖F‖/‖q‖ and ‖F‖/max(…) differ when Λ or v is larger than q.
  const ProblemResiduals far = judge.judge({20, -8, 0}, {});
  BOOST_TEST(far.siconos < far.fclib);
}

BOOST_AUTO_TEST_CASE(global_is_local) {
  const ContactProblem global = chain(0.5), local = condensed(global);
  const Solved a = solve(global, kSoc), b = solve(local, kSoc);
  BOOST_TEST(a.report.solved);
  BOOST_TEST(b.report.solved);
  check_close(a.solution.contact_velocity, b.solution.contact_velocity, 10 * kTolerance);
  check_close(a.solution.contact_impulse, b.solution.contact_impulse,
              100 * kTolerance);  // W's condition number is about 30
  // The same by the law and the solver for symmetric systems, and by sweeps.
  for (const char* options :
       {"-contact_law decoupled -friction_map disc_projection -newton_damping 0.75 -ksp_type pcr -ksp_max_it 1000 "
        "-ksp_rtol 1e-14",
        "-snes_type nsgs -snes_max_it 2000",
        "-contact_law soc_fischer_burmeister -ksp_type gmres -ksp_rtol 1e-14 -ksp_max_it 500",
        "-contact_law decoupled -friction_map disc_projection_coupled -ksp_type preonly -pc_type lu"})
    for (const ContactProblem* p : {&global, &local}) {
      const Solved c = solve(*p, options);
      BOOST_TEST(c.report.solved, options << (p->local() ? ", local: " : ", global: ") << c.report.residuals.siconos);
      check_close(c.solution.contact_velocity, a.solution.contact_velocity, 10 * kTolerance);
    }
}

BOOST_AUTO_TEST_CASE(forms_of_a_given_operator) {
  const ContactProblem global = chain(0.5), local = condensed(global);
  const Solved schur = solve(local, kSoc);
  for (const char* form : {"saddle", "stiffness"}) {
    const Solved other =
        solve(local, std::string("-contact_law soc_fischer_burmeister -ksp_type gmres -ksp_rtol 1e-13 "
                                 "-ksp_gmres_restart 200 -ksp_max_it 400 -pc_type none -system_form ") +
                         form);
    BOOST_TEST(other.report.solved, form << ": " << other.report.residuals.siconos);
    check_close(other.solution.contact_velocity, schur.solution.contact_velocity, 10 * kTolerance);
  }
  // A symmetric law and a symmetric W: the Schur form is symmetric, the saddle form is not, and says so.
  BOOST_CHECK_EXCEPTION(
      solve(local, "-contact_law decoupled -ksp_type minres -system_form saddle -pc_type block_jacobi"), InputError,
      [](const InputError& e) {
        return std::string(e.what()).find("of a given Delassus operator is unsymmetric") != std::string::npos;
      });
}

BOOST_AUTO_TEST_CASE(unsymmetric_operator) {
  ContactProblem local = condensed(chain(0.5));
  std::vector<double> w = dense_of(local.delassus);
  for (int r = 0; r < 12; ++r)
    for (int c = 0; c < r; ++c) w[r * 12 + c] *= 1.02;  // below the diagonal only
  local.delassus = test::dense(12, 12, w);
  BOOST_TEST(asymmetry(local.delassus) > 1e-3);
  for (const char* options :
       {kSoc, "-snes_type nsgs -snes_max_it 2000",
        "-contact_law decoupled -friction_map disc_projection -newton_damping 0.75 -ksp_type preonly -pc_type lu"}) {
    const Solved s = solve(local, options);
    BOOST_TEST(s.report.solved, options << ": " << s.report.residuals.siconos);
    // v from the file's own W
    std::vector<double> v = local.free_velocity;
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c < 12; ++c) v[r] += w[r * 12 + c] * s.solution.contact_impulse[c];
    check_close(s.solution.contact_velocity, v, kTolerance);
  }
  BOOST_CHECK_EXCEPTION(solve(local, "-contact_law decoupled -ksp_type pcr"), InputError, [](const InputError& e) {
    return std::string(e.what()).find("the given Delassus operator is unsymmetric") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(coupled_masses) {
  // A change of the velocities' basis, u = T z, changes M into Tᵀ M T and J into J T: a full mass matrix, and the same
  // contacts.
  const ContactProblem plain = chain(0.5);
  std::mt19937 random(11);
  std::vector<double> t(81), m(81, 0.0), j(108, 0.0), f(9, 0.0);
  for (int i = 0; i < 81; ++i) t[i] = (i % 10 == 0 ? 2.0 : 0.0) + static_cast<double>(random()) / 4294967296.0 - 0.5;
  const std::vector<double> m0 = dense_of(plain.mass), j0 = dense_of(plain.jacobian);
  for (int r = 0; r < 9; ++r)
    for (int c = 0; c < 9; ++c)
      for (int k = 0; k < 9; ++k) m[r * 9 + c] += t[k * 9 + r] * m0[k * 9 + k] * t[k * 9 + c];
  for (int r = 0; r < 9; ++r)  // exactly symmetric
    for (int c = 0; c < r; ++c) m[r * 9 + c] = m[c * 9 + r];
  for (int r = 0; r < 12; ++r)
    for (int c = 0; c < 9; ++c)
      for (int k = 0; k < 9; ++k) j[r * 9 + c] += j0[r * 9 + k] * t[k * 9 + c];
  for (int c = 0; c < 9; ++c)
    for (int k = 0; k < 9; ++k) f[c] += t[k * 9 + c] * plain.force[k];
  ContactProblem coupled = plain;
  coupled.mass = test::dense(9, 9, m);
  coupled.jacobian = test::dense(12, 9, j);
  coupled.force = f;
  BOOST_TEST(MatrixProblem(coupled).transformed() == 1);
  BOOST_TEST(MatrixProblem(plain).transformed() == 0);
  const Solved a = solve(plain, kSoc), b = solve(coupled, kSoc);
  BOOST_TEST(b.report.solved);
  check_close(b.solution.contact_velocity, a.solution.contact_velocity, 100 * kTolerance);  // condition of T below 10
  std::vector<double> u(9, 0.0);
  for (int r = 0; r < 9; ++r)
    for (int c = 0; c < 9; ++c) u[r] += t[r * 9 + c] * b.solution.velocity[c];
  check_close(u, a.solution.velocity, 100 * kTolerance);
}

BOOST_AUTO_TEST_CASE(packed_masses) {
  // Five velocities, one pair of them coupled across a triple: packed into blocks, without a change of variables.
  ContactProblem p;
  p.contacts = 1;
  p.friction = {0.3};
  p.mass = test::dense(5, 5, {2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 3, 0.5, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 0, 4});
  p.jacobian = test::dense(3, 5, {0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0});
  p.force = {1, 2, 3, -4, 5};
  p.offset = {0, 0, 0};
  const MatrixProblem given(p);
  BOOST_TEST(given.blocks() == 2);  // (0, 1, –) (2, 3, 4)
  BOOST_TEST(given.transformed() == 0);
  const Solved s = solve(p, kSoc);
  BOOST_TEST(s.report.solved);
  // M u = f + Jᵀ Λ row by row
  const auto& u = s.solution.velocity;
  const auto& l = s.solution.contact_impulse;
  check_close({2 * u[0] - l[1], u[1], 3 * u[2] + 0.5 * u[3] - l[2], 0.5 * u[2] + u[3] - l[0], 4 * u[4]}, p.force,
              kTolerance);
  BOOST_TEST(l[0] > 1);  // it is pressed together
}

BOOST_AUTO_TEST_CASE(joints_bounds_and_compliance) {
  // One mass of 2 kg, pushed along x by f = 2 N s and held by a row of G along x with v = u_x + b + E Λ.
  ContactProblem p;
  p.contacts = 1;
  p.friction = {0.5};
  p.mass = test::dense(3, 3, {2, 0, 0, 0, 2, 0, 0, 0, 2});
  p.jacobian = test::dense(3, 3, {0, 0, 1, 1, 0, 0, 0, 1, 0});  // normal along z, t1 along x
  p.force = {2, 0, -6};
  p.offset = {0, 0, 0};
  p.joint_jacobian = test::dense(1, 3, {1, 0, 0});
  p.joint_offset = {-3};
  // Rigid: u_x = 3, against friction: Λ_n = 6, Λ_t1 = −3; 2 u_x = 2 + Λ_t + Λ_G.
  const Solved rigid = solve(p, kSoc);
  BOOST_TEST(rigid.report.solved);
  check_close(rigid.solution.velocity, {3, 0, 0}, kTolerance);
  check_close(rigid.solution.contact_impulse, {6, -3, 0}, 10 * kTolerance);
  check_close(rigid.solution.joint_impulse, {7}, 10 * kTolerance);
  // A bound of 5: 2 u_x = 2 − 3 + 5.
  ContactProblem bounded = p;
  bounded.joint_lower = {-5};
  bounded.joint_upper = {5};
  const Solved weak = solve(bounded, kSoc);
  BOOST_TEST(weak.report.solved);
  check_close(weak.solution.velocity, {2, 0, 0}, kTolerance);
  check_close(weak.solution.joint_impulse, {5}, 10 * kTolerance);
  // Compliance of the row, E = 0.5: u_x = 3 − 0.5 Λ_G and 2 u_x = −1 + Λ_G  =>  Λ_G = 3.5, u_x = 1.25.
  ContactProblem soft = p;
  soft.joint_compliance = {0.5};
  const Solved spring = solve(soft, kSoc);
  BOOST_TEST(spring.report.solved);
  check_close(spring.solution.velocity, {1.25, 0, 0}, kTolerance);
  check_close(spring.solution.joint_impulse, {3.5}, 10 * kTolerance);
  // Compliance of the normal row, γ = 0.25:
  // 0 = u_z + 0.25 Λ_n, 2 u_z = −6 + Λ_n  =>  Λ_n = 4, u_z = −1; Λ_t1 = −2, Λ_G = 6.
  ContactProblem compliant = p;
  compliant.compliance = {0.25, 0, 0};
  const Solved contact = solve(compliant, kSoc);
  BOOST_TEST(contact.report.solved);
  check_close(contact.solution.velocity, {3, 0, -1}, kTolerance);
  check_close(contact.solution.contact_impulse, {4, -2, 0}, 10 * kTolerance);
  check_close(contact.solution.joint_impulse, {6}, 10 * kTolerance);
}

BOOST_AUTO_TEST_CASE(bilateral_rows_of_a_local_problem) {
  // The chain with two rows of G, one bounded and one compliant, and the same with the velocities eliminated.
  ContactProblem global = chain(0.5);
  global.joint_jacobian = test::dense(2, 9, {1, 0, 0.5, -1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0.3, 0, -1, 0});
  global.joint_offset = {0.2, -0.4};
  global.joint_compliance = {0, 0.1};
  global.joint_lower = {-0.1, -std::numeric_limits<double>::infinity()};
  global.joint_upper = {0.1, std::numeric_limits<double>::infinity()};
  const DelassusForm form = delassus_form(global);
  ContactProblem local;
  local.contacts = global.contacts;
  local.friction = global.friction;
  local.delassus = form.W;
  local.joint_coupling = form.V;
  local.joint_delassus = form.R;
  local.free_velocity = form.q;
  local.joint_offset = form.s;
  local.joint_lower = global.joint_lower;
  local.joint_upper = global.joint_upper;
  const Solved a = solve(global, kSoc);
  BOOST_TEST(a.report.solved);
  BOOST_TEST(std::fabs(std::fabs(a.solution.joint_impulse[0]) - 0.1) <= kTolerance);  // at its bound
  for (const char* options : {kSoc, "-snes_type nsgs -snes_max_it 2000",
                              "-contact_law soc_fischer_burmeister -ksp_type gmres -ksp_rtol 1e-14 -ksp_max_it 500",
                              "-contact_law soc_fischer_burmeister -ksp_type preonly -pc_type lu "
                              "-pc_factor_mat_solver_type mumps -system_form saddle"}) {
    const Solved b = solve(local, options);
    BOOST_TEST(b.report.solved, options << ": " << b.report.residuals.siconos);
    check_close(b.solution.contact_velocity, a.solution.contact_velocity, 10 * kTolerance);
    check_close(b.solution.joint_impulse, a.solution.joint_impulse,
                100 * kTolerance);  // W's condition number is about 30
  }
}

BOOST_AUTO_TEST_CASE(admm_on_a_given_operator) {
  const ContactProblem global = chain(0.5), local = condensed(global);
  const Solved exact = solve(local, kSoc);
  for (const ContactProblem* p : {&global, &local}) {
    const Solved s = solve(*p, "-snes_type admm -snes_max_it 60 -ksp_type preonly -pc_type lu -solve_tolerance 1e-9");
    BOOST_TEST(s.report.solved, (p->local() ? "local: " : "global: ") << s.report.residuals.siconos);
    // Asked for to 1e-9 of values of order 1, times ten for W's condition number.
    check_close(s.solution.contact_velocity, exact.solution.contact_velocity, 1e-7);
  }
}

BOOST_AUTO_TEST_CASE(conditioning_of_a_problem) {
  // Twelve rows over nine velocities: the card of the matrices and that of W alone say the same.
  const ContactProblem global = chain(0.5), local = condensed(global);
  std::vector<ConditioningCard> cards;
  for (const ContactProblem* p : {&global, &local}) {
    const test::ScopedOptions scope(test::kDirectNewton + std::string(kSoc));
    ProblemModel model(*p);
    BOOST_TEST(model.solve().solved);
    cards.push_back(model.conditioning());
  }
  BOOST_TEST(cards[0].rows == 12);
  BOOST_TEST(cards[0].rank == 9);
  BOOST_TEST(cards[1].rank == 9);
  BOOST_TEST(cards[0].velocities == 9);
  BOOST_TEST(std::fabs(cards[0].contact_density - 12.0 / 9) <= 1e-15);
  BOOST_TEST(std::isnan(cards[1].contact_density));  // W does not know them
  constexpr double kRounding = 1e-12;                // of eigenvalues of order 1, by 12 Lanczos steps
  BOOST_TEST(std::fabs(cards[0].eigenvalue_min) <= kRounding);
  BOOST_TEST(std::fabs(cards[1].eigenvalue_min) <= kRounding);
  BOOST_TEST(std::fabs(cards[0].eigenvalue_max - cards[1].eigenvalue_max) <= kRounding);
  BOOST_TEST(std::fabs(cards[0].mass_ratio - cards[1].mass_ratio) <= kRounding * cards[0].mass_ratio);
  // Those of two iterations on their way, so not the same; an unsymmetric law, and at most 2 by the triangle
  // inequality.
  for (const ConditioningCard& card : cards) BOOST_TEST((card.schur_asymmetry > 1e-3 && card.schur_asymmetry <= 2));
  BOOST_TEST(cards[0].islands == 1);
}

BOOST_AUTO_TEST_CASE(guesses) {
  ContactProblem p = one_contact({-1, 3, 0}, 0.4);
  p.guesses.push_back({{}, {}, {1, -0.4, 0}, {}});
  BOOST_TEST(solve(p, std::string(kSoc) + " -newton_start warm").report.step.newton_iterations == 0);
  BOOST_TEST(solve(p, std::string(kSoc) + " -newton_start zero").report.step.newton_iterations > 0);
}

BOOST_AUTO_TEST_SUITE_END()
