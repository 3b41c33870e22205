// Compliant contact rows by every contact law: A and B after the shift of the arguments are the derivative of the
// residual, and compliance in series obeys what its header says.

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "tests/property/newton_systems.hpp"
#include "tests/property/taylor.hpp"

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(contact_compliance)

namespace {

/// Spheres without turning on soft ground: their J is constant, so that F has no other nonlinearity than the law's.
World soft_particles(double damping) {
  World w = world_with_plane(0.5);
  MaterialDescription& m = w.materials["m"];
  m.contact_stiffness = 3e3;
  m.contact_damping = damping;
  m.friction_stiffness = 500;
  for (int i = 0; i < 6; ++i) {
    ParticleDescription p;
    p.name = "p" + std::to_string(i);
    p.mass = 1 + i;
    p.radius = 0.1;
    p.position = {1.0 * i, 0, 0.0999};
    p.material = "m";
    w.particles.push_back(p);
  }
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_are_linearised_exactly) {
  for (const char* law : {"-friction_map disc_projection_coupled -pc_type lu -ksp_type preonly",
                          "-contact_law soc_fischer_burmeister -pc_type lu -ksp_type preonly",
                          "-friction_map disc_projection_coupled -ncp_function penalized_fischer_burmeister "
                          "-pc_type lu -ksp_type preonly"})
    for (const char* kind : {"displacement", "viscous"})
      for (const double damping : {0.0, 40.0}) {
        std::string options = law;
        options += " -friction_stiffness_kind ";
        options += kind;
        MidNewton m = mid_newton(soft_particles(damping), options, 5);
        StepProblem& problem = m.model->problem();
        SaddlePointSystem& s = m.system();
        const int n = s.size(), nu = s.velocity_size();
        BOOST_TEST(s.pattern.rows == 18);
        std::vector<double> at(n), d(n);
        Random random(11);
        for (int k = 0; k < n; ++k) {
          at[k] = k < nu ? random.uniform(-1, 1) : random.uniform(-0.3, 1);
          d[k] = random.uniform(-1, 1);
        }
        const auto value = [&](double e, bool linearise) {
          std::vector<double> x(n);
          for (int k = 0; k < n; ++k) x[k] = at[k] + e * d[k];
          const View<double> all = to_device("x", x);
          problem.evaluate(as_vec3(all, 0, s.blocks), Kokkos::subview(all, Kokkos::make_pair(nu, n)), linearise);
          const View<double> f("f", n);
          scaled_residual(s, f);
          std::vector<double> out;
          to_host(f, out);
          return out;
        };
        // Contact rows only: mid_newton() puts something of its own into H.
        const std::vector<double> f0 = value(0, true);
        const View<double> product("product", n);
        newton_matrix_product(s, to_device("d", d), product);
        std::vector<double> slope;
        to_host(product, slope);
        double scale = 0;
        for (int k = nu; k < n; ++k) scale = std::fmax(scale, std::fabs(f0[k]) + std::fabs(slope[k]));
        const double taylor = taylor_slope(
            10 * scale,
            [&](double e) {
              const std::vector<double> f = value(e, true);
              double r = 0;
              for (int k = nu; k < n; ++k) r = std::fmax(r, std::fabs(f[k] - f0[k] - e * slope[k]));
              return r;
            },
            1e-4);
        BOOST_TEST_CONTEXT(options << ", damping " << damping) BOOST_TEST(taylor >= kTaylorSlope);
      }
}

BOOST_AUTO_TEST_CASE(series) {
  constexpr double kRounding = 1e-15;
  const SurfaceCompliance soft{1e-4, 20, 1e-3}, hard{};
  const SurfaceCompliance same = pair_compliance(soft, soft);
  BOOST_TEST((same.normal == soft.normal && same.friction == soft.friction));
  BOOST_TEST(std::fabs(same.damping / soft.damping - 1) < kRounding);
  const SurfaceCompliance against_hard = pair_compliance(soft, hard);
  BOOST_TEST(against_hard.normal == 0.5e-4);
  BOOST_TEST(std::fabs(against_hard.damping / 40 - 1) < kRounding);
  BOOST_TEST(pair_compliance(hard, hard).normal == 0);
  BOOST_TEST(pair_compliance(hard, hard).damping == 0);
  // E/h²/(1 + τ/h) with b = h.
  const double h = 0.01;
  const RowCompliance row = row_compliance(soft, false, h, h), viscous = row_compliance(soft, true, h, h);
  BOOST_TEST(std::fabs(row.normal / (1e-4 / (h * h) / (1 + 2e-3 / h)) - 1) < kRounding);
  BOOST_TEST(std::fabs(row.friction / (1e-3 / (h * h)) - 1) < kRounding);
  BOOST_TEST(std::fabs(viscous.friction / (1e-3 / h) - 1) < kRounding);
}

BOOST_AUTO_TEST_SUITE_END()
