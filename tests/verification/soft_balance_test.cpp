// Where the energy of a soft body goes in a step, to the last digit: into its kinetic and elastic energy, into damping,
// and into what implicit Euler takes; and what damping does to momentum. In both forms, with lumped and consistent
// mass.

#include "physics/register.hpp"
#include "physics/soft/viscosity.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_balance)

namespace {

const std::string kRows = kExactSteps + "-snes_atol 1e-10 ";
const std::string kForces = kRows + "-soft_form stiffness -system_form stiffness ";

/// A cube of 1 kg that is strained and turns.
SoftDescription cube() {
  SoftDescription body = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, 2e4);
  body.stretch = {1.25, 0.9, 0.95};
  body.velocity = {1, -2, 0.5};
  body.angular_velocity = {15, 5, -10};
  return body;
}

double inner(const Mat3& a, const Mat3& b) { return dot(a.r0, b.r0) + dot(a.r1, b.r1) + dot(a.r2, b.r2); }

struct Nodes {
  std::vector<Vec3> x, v;
};
Nodes nodes_of(const Model& model) {
  Nodes out;
  for (const FrameParticle& p : model.frame().particles) {
    out.x.push_back(p.position);
    out.v.push_back(p.velocity);
  }
  return out;
}

/// ½ vᵀ M v
double kinetic(const SoftDescription& body, const std::vector<Vec3>& v, bool consistent) {
  double out = 0;
  for (const auto& t : body.mesh.tetrahedra) {
    const auto& X = body.mesh.nodes;
    const double mass = body.density * tet_volume(X[t[0]], X[t[1]], X[t[2]], X[t[3]]);
    double squares = 0;
    Vec3 sum{};
    for (const int n : t) {
      squares += norm2(v[n]);
      sum += v[n];
    }
    out += consistent ? mass / 40 * (squares + norm2(sum)) : mass / 8 * squares;
  }
  return out;
}

/// What the elements do with the step from `a` to `b`, by the formulas and not by the solver.
struct Work {
  double elastic = 0;  // Ψ at the end
  double euler = 0;    // P⁺ : ΔF − ΔΨ: taken by the implicit step
  double rayleigh = 0, viscous = 0;
};
Work work_of(const SoftDescription& body, const Nodes& a, const Nodes& b, double h) {
  const auto material = soft_material_registry().create(body.model);
  material->set(lame(body.young, body.poisson, ""));
  Work out;
  for (const auto& t : body.mesh.tetrahedra) {
    const auto edges = [&t](const std::vector<Vec3>& p) {
      return transpose(Mat3{p[t[1]] - p[t[0]], p[t[2]] - p[t[0]], p[t[3]] - p[t[0]]});
    };
    const auto& X = body.mesh.nodes;
    const double V = tet_volume(X[t[0]], X[t[1]], X[t[2]], X[t[3]]);
    const Mat3 inverse_edges = inverse(edges(X)), old = edges(a.x) * inverse_edges, now = edges(b.x) * inverse_edges,
               change = now - old;
    out.elastic += V * material->energy(now);
    out.euler += V * (inner(material->stress(now), change) - material->energy(now) + material->energy(old));
    const Spectrum s = material->spectrum(old);
    for (int k = 0; k < kEntries; ++k) {
      const double along = inner(s.vector(k), change);
      out.rayleigh += V * body.damping / h * std::fmax(s.value(k), 0) * along * along;
    }
    const Viscosity viscosity{body.viscosity / h, old};
    if (body.viscosity > 0) out.viscous += V * inner(strain_rate_stress(viscosity, now), change);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(energy_of_every_step) {
  struct Damping {
    double rayleigh, viscosity, mass = 0;
  };
  const double h = 1.0 / 480;
  for (const std::string model : {"stable_neo_hookean", "corotational"})
    for (const Damping& damping : {Damping{0, 0}, Damping{2e-3, 0}, Damping{0, 20}, Damping{2e-3, 0, 5}})
      for (const std::string& options : {kRows, kForces, kForces + "-soft_mass consistent "}) {
        const bool consistent = options.find("consistent") != std::string::npos;
        SoftDescription body = cube();
        body.model = model;
        body.damping = damping.rayleigh;
        body.viscosity = damping.viscosity;
        body.mass_damping = damping.mass;
        const ScopedOptions scoped(options);
        Model m(world_of(body), h);
        Nodes before = nodes_of(m);
        double energy = NAN, worst = 0, worst_kinetic = 0, worst_elastic = 0;
        Work total;
        const RunFigures f = run(m, 20, [&](const StepReport& r) {
          const Nodes now = nodes_of(m);
          const Work w = work_of(body, before, now, h);
          std::vector<Vec3> change;
          for (std::size_t n = 0; n < now.v.size(); ++n) change.push_back(now.v[n] - before.v[n]);
          const double after = r.verdict.kinetic_energy + r.verdict.elastic_energy;
          const double taken = kinetic(body, change, consistent) + w.euler + w.rayleigh + w.viscous +
                               2 * damping.mass * h * kinetic(body, now.v, consistent);
          if (std::isfinite(energy)) worst = std::fmax(worst, std::fabs(energy - after - taken));
          worst_kinetic =
              std::fmax(worst_kinetic, std::fabs(r.verdict.kinetic_energy - kinetic(body, now.v, consistent)));
          worst_elastic = std::fmax(worst_elastic, std::fabs(r.verdict.elastic_energy - w.elastic));
          energy = after;
          total.rayleigh += w.rayleigh;
          total.viscous += w.viscous;
          BOOST_TEST(w.viscous >= 0);
          before = now;
        });
        BOOST_TEST_CONTEXT(model << ", beta " << damping.rayleigh << ", eta " << damping.viscosity << ", alpha "
                                 << damping.mass << ", " << options) {
          BOOST_TEST(!f.failed);
          // Velocities are solved to 1e-10 m/s; times 1 kg and some m/s. Energies are of order one, and sums of 40
          // elements.
          BOOST_TEST(worst < 1e-8);
          BOOST_TEST(worst_kinetic < 1e-12);
          BOOST_TEST(worst_elastic < 1e-12);
          BOOST_TEST((total.rayleigh > 1e-2) == (damping.rayleigh > 0));  // else nothing was tested
          BOOST_TEST((total.viscous > 1e-2) == (damping.viscosity > 0));
        }
      }
}

/// A body that falls with drag, whatever else it does: u = u₀ (1 + α h)⁻ⁿ + (g/α) (1 − (1 + α h)⁻ⁿ) after n steps of
/// implicit Euler.
BOOST_AUTO_TEST_CASE(mass_damping) {
  const double h = 1.0 / 240, alpha = 3;
  const Vec3 g{0, 0, -9.81};
  const int steps = 60;
  const double left = std::pow(1 + alpha * h, -steps);
  for (const std::string& options : {kRows, kForces, kForces + "-soft_mass consistent "}) {
    SoftDescription body = cube();
    body.mass_damping = alpha;
    const World world = world_of(body, g);
    double mass = 0;
    Vec3 start{}, end{};
    for (const ParticleDescription& p : world.particles) {
      mass += p.mass;
      start += p.mass * p.velocity;
    }
    const ScopedOptions scoped(options);
    Model m(world, h);
    const RunFigures f = run(m, steps, [&end](const StepReport& r) {
      const auto& p = r.verdict.linear_momentum;
      end = {p[0], p[1], p[2]};
    });
    BOOST_TEST_CONTEXT(options) {
      BOOST_TEST(!f.failed);
      // Velocities are solved to 1e-10 m/s in each of the steps; the body has 1 kg.
      BOOST_TEST(norm(end - left * start - (1 - left) * mass / alpha * g) < 1e-8);
    }
  }
}

/// Linear momentum to rounding; angular momentum loses what implicit Euler takes, h |ω|² of it per second, first order,
/// with viscosity too. Rayleigh's damping of a strained body is a torque, whatever the step.
BOOST_AUTO_TEST_CASE(momentum) {
  const auto drift = [](const std::string& options, double rayleigh, double viscosity, int steps) {
    SoftDescription body = cube();
    body.stretch = {1, 1, 1};
    body.damping = rayleigh;
    body.viscosity = viscosity;
    const World world = world_of(body);
    Vec3 linear{};
    for (const ParticleDescription& p : world.particles) linear += p.mass * p.velocity;
    const ScopedOptions scoped(options);
    Model m(world, 0.05 / steps);
    double worst = 0;
    Vec3 first{}, last{};
    int count = 0;
    const RunFigures f = run(m, steps, [&](const StepReport& r) {
      const auto &p = r.verdict.linear_momentum, &L = r.verdict.angular_momentum;
      worst = std::fmax(worst, norm(Vec3{p[0], p[1], p[2]} - linear));
      last = {L[0], L[1], L[2]};
      if (count++ == 0) first = last;
    });
    BOOST_TEST(!f.failed);
    BOOST_TEST(worst <= 10 * steps * 1e-10 * 1.0);  // ten times the velocity error times the mass of 1 kg, per step
    return norm(last - first) / norm(first);
  };
  for (const std::string& options : {kRows, kForces, kForces + "-soft_mass consistent "})
    for (const double viscosity : {0.0, 20.0}) {
      const double coarse = drift(options, 0, viscosity, 96), fine = drift(options, 0, viscosity, 192);
      BOOST_TEST_CONTEXT(options << "viscosity " << viscosity << ": " << coarse << ", with half the step " << fine) {
        BOOST_TEST(coarse > 1e-4);  // else there is nothing to compare
        BOOST_TEST(coarse / fine > 1.8);
        BOOST_TEST(coarse / fine < 2.2);
      }
    }
}

BOOST_AUTO_TEST_SUITE_END()
