// Contacts without multipliers: penalties and smooth friction have the derivatives they give, by Taylor remainder; the
// blocks in H are the derivative of the momentum residual, for bodies that slide, turn and roll, and for nodes.

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "physics/contact/smooth_contact.hpp"
#include "physics/soft/material_type.hpp"
#include "tests/model_run.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(smooth_contact_laws)

namespace {

constexpr double kDistance = 1e-3, kStiffness = 1e4, kEpsilon = 1e-3;

double remainder(double f1, double f0, double slope) { return std::fabs(f1 - f0 - slope); }

}  // namespace

BOOST_AUTO_TEST_CASE(penalties_have_their_derivatives) {
  for (const ContactPenalty law : {ContactPenalty::cubic, ContactPenalty::log_barrier})
    for (const double share : {-0.5, 0.0, 0.1, 0.5, 0.9, 0.999}) {
      if (law == ContactPenalty::log_barrier && share <= 0) continue;
      const double d = share * kDistance;
      const PenaltyValue at = contact_penalty(law, d, kDistance, kStiffness);
      const auto there = [&](double e) { return contact_penalty(law, d + e * kDistance, kDistance, kStiffness); };
      BOOST_TEST_CONTEXT("law " << static_cast<int>(law) << " at " << share) {
        BOOST_TEST(taylor_slope(
                       kStiffness * kDistance * kDistance,
                       [&](double e) { return remainder(there(e).energy, at.energy, -e * kDistance * at.force); },
                       1e-4) >= kTaylorSlope);
        BOOST_TEST(taylor_slope(
                       kStiffness * kDistance,
                       [&](double e) { return remainder(there(e).force, at.force, e * kDistance * at.slope); },
                       1e-4) >= kTaylorSlope);
      }
      BOOST_TEST(at.force > 0);
      BOOST_TEST(at.slope < 0);
    }
}

/// Both begin alike at δ, where the cubic is the first term of the barrier; nothing acts beyond.
BOOST_AUTO_TEST_CASE(penalties_agree_at_their_distance) {
  const double d = (1 - 1e-4) * kDistance;
  const double cubic = cubic_penalty(d, kDistance, kStiffness).force,
               barrier = log_barrier_penalty(d, kDistance, kStiffness).force;
  BOOST_TEST(std::fabs(barrier / cubic - 1) <= 2e-4);  // the next term is of the order of the share
  BOOST_TEST(cubic_penalty(kDistance, kDistance, kStiffness).force == 0);
  BOOST_TEST(log_barrier_penalty(1.1 * kDistance, kDistance, kStiffness).force == 0);
  BOOST_TEST(std::isinf(log_barrier_penalty(0, kDistance, kStiffness).force));
}

/// s rises from 0 to 1 at ε with a continuous slope; m falls from 1 to μ_k/μ_s at v_s.
BOOST_AUTO_TEST_CASE(friction_weights_have_their_slopes) {
  const StaticKinetic surface{0.4, 1e-2, 0.3};
  for (const bool stribeck : {false, true})
    for (const double v : {2e-5, 5e-4, 2e-3, 8e-3, 3e-2}) {
      const auto k = [&](double speed) {
        return smooth_weight(speed, kEpsilon, stribeck ? stribeck_smooth(speed, surface) : coulomb_smooth());
      };
      const FrictionWeight at = k(v);
      BOOST_TEST_CONTEXT(stribeck << " at " << v)
      BOOST_TEST(taylor_slope(
                     at.value, [&](double e) { return remainder(k(v * (1 + e)).value, at.value, e * v * at.slope); },
                     1e-4) >= kTaylorSlope);
    }
  BOOST_TEST(smooth_direction(0, kEpsilon).value == 2 / kEpsilon);
  BOOST_TEST(kEpsilon * smooth_direction(kEpsilon, kEpsilon).value == 1);
  BOOST_TEST(stribeck_smooth(0, surface).value == 1);
  BOOST_TEST(std::fabs(stribeck_smooth(0.01, surface).value - 0.403) <= 1e-15);
}

/// ∂F/∂d and ∂F/∂V, sticking, sliding, and at rest exactly; lagged friction has no part in ∂F/∂d.
BOOST_AUTO_TEST_CASE(force_has_its_derivatives) {
  Random random(4);
  for (int k = 0; k < 40; ++k) {
    const Vec3 n = normalized(random.vector(1));
    Vec3 t1, t2;
    tangent_frame(n, t1, t2);
    const FrictionSection quarters{SectionKind::quarters, 0.4, 1.2, 0.7, 0.9};
    const ContactFrame frame{n, 1.3 * t1, 0.7 * t2, k % 2 == 0 ? &quarters : nullptr};
    const double d = random.uniform(-0.3, 0.9) * kDistance, mu = 0.6, speed = random.log_uniform(1e-5, 1);
    const Vec3 V = speed * normalized(random.vector(1)), dV = speed * random.vector(1);
    const bool lagged = k % 3 == 0;
    const auto at = [&](double gap, const Vec3& v) {
      const PenaltyValue p = cubic_penalty(gap, kDistance, kStiffness);
      return smooth_contact(p, frame, contact_slip(frame, v), mu, kEpsilon, coulomb_smooth(), lagged ? 5.0 : -1.0,
                            false);
    };
    const SmoothContact f = at(d, V);
    BOOST_TEST_CONTEXT("contact " << k << " gap " << d << " speed " << speed) {
      BOOST_TEST(
          taylor_slope(
              norm(f.force) + kStiffness * kDistance,
              [&](double e) { return norm(at(d + e * kDistance, V).force - f.force - (e * kDistance) * f.along_gap); },
              1e-4) >= kTaylorSlope);
      BOOST_TEST(taylor_slope(
                     norm(f.force),
                     [&](double e) { return norm(at(d, V + e * dV).force - f.force - e * (f.along_velocity * dV)); },
                     1e-4) >= kTaylorSlope);
    }
    const SmoothContact rest = at(d, Vec3{});
    BOOST_TEST(rest.f1 == 0);
    BOOST_TEST(std::isfinite(trace(rest.along_velocity)));
  }
}

/// Sliding friction on quarters of ellipses is the point of the section that dissipates most, times μ λ.
BOOST_AUTO_TEST_CASE(sections_dissipate_most) {
  const FrictionSection quarters{SectionKind::quarters, 0.4, 1.2, 0.7, 0.9};
  const ContactFrame frame{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, &quarters};
  const PenaltyValue p = cubic_penalty(0, kDistance, kStiffness);
  Random random(5);
  for (int k = 0; k < 20; ++k) {
    const Vec3 V{random.uniform(-1, 1), random.uniform(-1, 1), 0};
    const SmoothContact f =
        smooth_contact(p, frame, contact_slip(frame, V), 0.5, kEpsilon, coulomb_smooth(), -1.0, false);
    double x = 0, y = 0;
    section_maximiser(quarters, -V.x, -V.y, x, y);
    BOOST_TEST(std::hypot(f.f1 - 0.5 * p.force * x, f.f2 - 0.5 * p.force * y) <= 1e-12 * p.force);  // rounding
  }
}

namespace {

/// g at u, and H du of its linearisation there; the same from forces in dual numbers, without S_u (newton_matrix.hpp).
struct Residual {
  std::vector<Vec3> g, product, dual_product;
};

Residual residual(StepProblem& problem, const std::vector<Vec3>& u, const std::vector<Vec3>& du) {
  const View<Vec3> at = to_device("u", u), along = to_device("du", du);
  const View<double> none("none", problem.system().pattern.rows);
  problem.evaluate(at, none, true);
  Residual out;
  const SaddlePointSystem& s = problem.system();
  to_host(s.momentum_residual.view(), out.g);
  const View<Vec3> y("y", u.size());
  const View<Mat3> H = s.hessian;
  const OffDiagonal off = s.forces.off;
  parallel_for(
      "product", s.blocks, KOKKOS_LAMBDA(int b) { y(b) = H(b) * along(b) + off_diagonal_product(off, along, b); }, 1);
  to_host(y, out.product);
  const View<double> x("x", s.size()), scaled("scaled", s.size());
  Kokkos::deep_copy(as_vec3(x, 0, s.blocks), along);
  dual_number_product(problem, x, scaled);
  to_host(as_vec3(scaled, 0, s.blocks), out.dual_product);
  const auto scale = host_copy(s.momentum_scale.view());
  for (int b = 0; b < s.blocks; ++b) out.dual_product[b] = out.dual_product[b] / scale(b);
  return out;
}

double size_of(const std::vector<Vec3>& v) {
  double sum = 0;
  for (const Vec3& x : v) sum += norm2(x);
  return std::sqrt(sum);
}

enum class Tangent { exact, projected };

/// The product in dual numbers is that of H to rounding where H is exact, and a derivative whatever H leaves out. How
/// far the two are apart.
double check_hessian(const std::string& scene, const std::string& more, double speed,
                     Tangent tangent = Tangent::exact) {
  constexpr double kRounding = 1e-12;  // of products of stiffnesses
  const ScopedOptions scoped(
      "-contact_penalty cubic -contact_stiffness 1e4 -smooth_friction_epsilon 1e-3 "
      "-system_form stiffness -ksp_type preonly -pc_type lu " +
      more);
  Model model(scene_from("time: {step: 0.01, end: 1}\n" + scene).world, 0.01);
  BOOST_TEST(model.prepare() > 0);
  StepProblem& problem = model.problem();
  Random random(7);
  std::vector<Vec3> u, du;
  for (int b = 0; b < problem.system().blocks; ++b) {
    u.push_back(speed * random.vector(1));
    du.push_back(speed * random.vector(1));
  }
  const Residual at = residual(problem, u, du);
  double apart = 0;
  for (std::size_t b = 0; b < u.size(); ++b)
    apart = std::fmax(apart, norm(at.product[b] - at.dual_product[b]) / size_of(at.product));
  BOOST_TEST_CONTEXT(more << " speed " << speed << " apart " << apart) {
    if (tangent == Tangent::exact) BOOST_TEST(apart <= kRounding);
  }
  double most = 0;
  BOOST_TEST_CONTEXT(scene << more << " speed " << speed)
  BOOST_TEST(taylor_slope(
                 size_of(at.g),
                 [&](double e) {
                   std::vector<Vec3> there = u;
                   for (std::size_t b = 0; b < u.size(); ++b) there[b] += e * du[b];
                   std::vector<Vec3> g = residual(problem, there, du).g;
                   for (std::size_t b = 0; b < g.size(); ++b) g[b] = g[b] - at.g[b] - e * at.dual_product[b];
                   most = std::fmax(most, size_of(g));
                   return size_of(g);
                 },
                 1e-3) >= kTaylorSlope);
  BOOST_TEST(most > 0);
  return apart;
}

}  // namespace

BOOST_AUTO_TEST_CASE(hessian_is_the_derivative) {
  const std::string floor = "bodies:\n  - {name: floor, static: true, shape: {plane: {}}}\n";
  const std::string bodies =
      floor +
      "  - {name: a, shape: {box: {half: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.1]}\n"
      "  - {name: b, shape: {sphere: {radius: 0.1}}, position: [0, 0.02, 0.3]}\n"
      "  - {name: c, shape: {capsule: {radius: 0.1, half_height: 0.2}}, position: [0, 0.21, 0.1]}\n";
  for (const double speed : {1e-4, 0.01, 0.3}) {
    check_hessian(bodies, "", speed);
    check_hessian(bodies, "-contact_penalty_distance 4e-3 -friction_evaluation lagged", speed);
    check_hessian(bodies, "-integrator contact_implicit_trapezoidal", speed);
  }
  const std::string soft =
      floor +
      "  - {name: ball, shape: {sphere: {radius: 0.1}}, position: [0, 0, 0.21]}\n"
      "soft: [{name: s, mesh: {bar: {size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}}, position: [-0.05, -0.05, "
      "0.0105], young: 1e4}]\n";
  check_hessian(soft, "-soft_form stiffness -soft_projection none -contact_penalty_distance 4e-3 -contact_margin 0.02",
                0.01);
}

/// What the assembled matrix leaves out is in the product by dual numbers: the slope of friction, negative stiffness of
/// elements, of every material; beside viscosity, Rayleigh damping and consistent masses.
BOOST_AUTO_TEST_CASE(dual_numbers_leave_nothing_out) {
  const std::string floor = "bodies:\n  - {name: floor, static: true, shape: {plane: {}}}\n";
  const std::string box = "  - {name: a, shape: {box: {half: [0.1, 0.1, 0.1]}}, position: [0, 0, 0.1]}\n";
  constexpr double kSeen = 1e-3;  // of products
  BOOST_TEST(check_hessian(floor + box, "-smooth_friction_slope picard", 3e-4, Tangent::projected) >= kSeen);
  double projected = 0;
  check_hessian(floor + box, "-contact_penalty log_barrier -contact_penalty_distance 4e-3", 1e-4);
  for (const std::string& model : soft_material_registry().names()) {
    if (model == "strain_limited") continue;  // nothing but corotational with the limit of 0
    const std::string soft = floor +
                             "soft: [{name: s, mesh: {bar: {size: [0.1, 0.1, 0.1], cells: [1, 1, 1]}}, position: "
                             "[-0.05, -0.05, 0.0005], young: 1e4, model: " +
                             model;
    check_hessian(soft + ", damping: 1e-3, viscosity: 2}]\n",
                  "-soft_form stiffness -soft_mass consistent -soft_projection none", 0.3);
    if (model == "linear" || model == "neo_hookean") continue;  // convex; not defined where elements invert
    // by 40 mm
    projected = std::fmax(projected, check_hessian(soft + "}]\n", "-soft_form stiffness", 4, Tangent::projected));
  }
  BOOST_TEST(projected >= 1e-5);  // 2e-4
}

BOOST_AUTO_TEST_SUITE_END()
