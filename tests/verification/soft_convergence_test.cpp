// Soft bodies against continuum theory: the tip of a cantilever under refinement, and the frequency of a bar with both
// masses.

#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_convergence)

namespace {

const std::string kStiffness =
    "-soft_form stiffness -system_form stiffness -ksp_type preonly -pc_type cholesky -newton_damping 1 -snes_max_it "
    "100 "
    "-accept_budget false ";

/// Sag [m] of the end of a bar of 0.4 × 0.1 × 0.1 m at rest under a small weight, with n × n bricks across it.
double sag(int n, double young, double poisson, double gravity) {
  SoftDescription beam = soft_box("beam", {0.4, 0.1, 0.1}, {4 * n, n, n}, young);
  beam.model = "linear";
  beam.poisson = poisson;
  beam.fixed = nodes_at(beam, 0, 0);
  // One step of 1,000 s is a static solve: what is left of inertia is (T/h)² of it, T < 1 s. An error of 1e-4 m/s is a
  // force of 1e-7 m/s² times a node's mass, one millionth of its weight.
  const ScopedOptions scoped(kStiffness + "-newton_start zero -snes_atol 1e-4");
  Model model(world_of(beam, {0, 0, -gravity}), 1000);
  const RunFigures f = run(model, 1);
  BOOST_TEST(!f.failed);
  // Mean over the end face: its corners move differently.
  const auto x = model.frame().softs.at(0).position;
  double sum = 0;
  int count = 0;
  for (const int node : nodes_at(beam, 0, 0.4)) {
    sum += beam.mesh.nodes[node].z - x[node].z;
    ++count;
  }
  return sum / count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(cantilever_under_refinement) {
  const double E = 1e6, L = 0.4, a = 0.1, rho = 1000, g = 0.1;
  const double q = rho * g * a * a, I = a * a * a * a / 12;
  for (const double poisson : {0.0, 0.3}) {
    // Tetrahedra of constant strain are far too stiff in bending while they are coarse: with one brick across a beam of
    // 0.6 m two thirds of the sag are missing, with two a third. The order shows from four on.
    const double w[3] = {sag(4, E, poisson, g), sag(6, E, poisson, g), sag(9, E, poisson, g)};
    // Timoshenko's beam with the shear factor of a rectangle [Cowper 1966].
    const double G = E / (2 * (1 + poisson)), factor = 10 * (1 + poisson) / (12 + 11 * poisson);
    const double beam = q * std::pow(L, 4) / (8 * E * I) + q * L * L / (2 * factor * G * a * a);
    const double order = std::log((w[1] - w[0]) / (w[2] - w[1])) / std::log(1.5);
    const double limit = w[2] + (w[2] - w[1]) / (std::pow(1.5, order) - 1);
    BOOST_TEST_CONTEXT("nu " << poisson << ": sag " << w[0] << " " << w[1] << " " << w[2] << ", limit " << limit
                             << ", beam " << beam << ", order " << order) {
      BOOST_TEST_MESSAGE("cantilever, nu " << poisson << ": sag " << w[0] << " " << w[1] << " " << w[2] << ", limit "
                                           << limit << ", beam " << beam << ", order " << order);
      BOOST_TEST(order >= 1.5);
      // A beam is a beam up to (a/L)²; the clamped face of a solid holds its lateral contraction too.
      BOOST_TEST(std::fabs(limit - beam) < (poisson == 0 ? 0.01 : 0.03) * beam);
    }
  }
}

/// The first longitudinal frequency of a bar held at one end. With shape functions that are linear along it, dx apart,
/// lumped mass is slower than the continuum and consistent mass faster, by the same to first order: ω = (2c/dx) sin(k
/// dx/2), and ω = (c/dx) √(6 (1 − cos k dx)/(2 + cos k dx)), k = π/(2 L).
BOOST_AUTO_TEST_CASE(frequencies_of_a_bar) {
  const double E = 1e6, rho = 1000, L = 0.5, c = std::sqrt(E / rho), k = std::acos(-1.0) / (2 * L);
  const int cells = 5;
  const double dx = L / cells, h = L / c / 200;
  const auto frequency = [&](const std::string& mass) {
    SoftDescription bar = soft_box("bar", {L, 0.1, 0.1}, {cells, 1, 1}, E);
    bar.model = "corotational";
    bar.poisson = 0;
    bar.fixed = nodes_at(bar, 0, 0);
    World w = world_of(bar);
    // The first mode, small.
    for (ParticleDescription& p : w.particles) p.velocity.x = 1e-3 * std::sin(k * p.position.x);
    const ScopedOptions scoped(kStiffness + "-snes_atol 1e-12 -soft_mass " + mass);
    Model model(w, h);
    const std::size_t last = w.particles.size() - 1;
    double before = 0, first = 0, crossing = 0;
    int crossings = 0;
    run(model, 900, [&](const StepReport& r) {
      const double now = model.frame().particles[last].position.x - L;
      if (before * now < 0) {
        crossing = r.time - h * now / (now - before);
        if (crossings++ == 0) first = crossing;
      }
      before = now;
    });
    BOOST_TEST(crossings >= 2);
    const double measured = std::acos(-1.0) * (crossings - 1) / (crossing - first);
    return std::tan(measured * h) / h;  // implicit Euler turns by atan(ω h) per step
  };
  const double lumped = frequency("lumped"), consistent = frequency("consistent");
  BOOST_TEST_MESSAGE("frequency against c k: lumped " << lumped / (c * k) << ", consistent " << consistent / (c * k));
  BOOST_TEST(lumped < c * k);
  BOOST_TEST(consistent > c * k);
  const double of_lumped = 2 * c / dx * std::sin(k * dx / 2),
               of_consistent = c / dx * std::sqrt(6 * (1 - std::cos(k * dx)) / (2 + std::cos(k * dx)));
  // The bricks' tetrahedra are not quite linear along the bar: nodes of one section have different masses.
  BOOST_TEST(std::fabs(lumped - of_lumped) < 2e-3 * c * k);
  BOOST_TEST(std::fabs(consistent - of_consistent) < 2e-3 * c * k);
}

BOOST_AUTO_TEST_SUITE_END()
