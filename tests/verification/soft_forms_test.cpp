// Elements as compliant rows and as forces with stiffness in H: the same converged step, on bodies that are stretched,
// bent, inverted, hung on joints and in contact; by direct and iterative solvers; and what cannot be solved so is
// refused.

#include "framework/error.hpp"
#include "physics/register.hpp"
#include "tests/soft_worlds.hpp"
#include "tests/step_derivatives.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_forms)

namespace {

const std::string kNewton = "-newton_damping 1 -snes_max_it 100 -accept_budget false ";
const std::string kRows = kNewton + "-ksp_type preonly -pc_type cholesky ";
const std::string kForces =
    kNewton + "-soft_form stiffness -system_form stiffness -ksp_type preonly -pc_type cholesky ";
const std::string kSaddle = kNewton +
                            "-soft_form stiffness -system_form saddle -ksp_type preonly -pc_type cholesky "
                            "-pc_factor_mat_solver_type mumps ";

/// On the rows only, H solved with inside; to rounding.
const std::string kSchur =
    kNewton +
    "-soft_form stiffness -system_form schur -ksp_type pcr -pc_type block_jacobi -ksp_rtol 1e-12 -ksp_max_it 300 ";

struct Run {
  std::vector<Vec3> x, v;  // of all particles
  RunFigures figures;
  double elastic = 0;
};

Run run_with(const World& world, double h, int steps, const std::string& options) {
  const ScopedOptions scoped(options);
  Model model(world, h);
  Run out;
  out.figures = run(model, steps, [&](const StepReport& r) { out.elastic = r.verdict.elastic_energy; });
  for (const FrameParticle& p : model.frame().particles) {
    out.x.push_back(p.position);
    out.v.push_back(p.velocity);
  }
  BOOST_TEST_INFO(options << ": velocity error " << out.figures.velocity_error);
  BOOST_TEST(!out.figures.failed);
  return out;
}

double differ(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out = std::fmax(out, norm(a[i] - b[i]));
  return out;
}

World cantilever(double young, double damping = 0, double viscosity = 0) {
  SoftDescription beam = soft_box("beam", {0.6, 0.1, 0.1}, {4, 1, 1}, young);
  beam.fixed = nodes_at(beam, 0, 0);
  beam.damping = damping;
  beam.viscosity = viscosity;
  return world_of(beam, {0, 0, -kGravity});
}

World stretched_bar(const std::string& model) {
  SoftDescription bar = soft_box("bar", {0.3, 0.1, 0.1}, {3, 1, 1}, 1e5);
  bar.model = model;
  bar.stretch.x = 1.5;
  World w = world_of(bar);
  for (const double end : {0.0, 0.3})
    for (const int n : nodes_at(bar, 0, end)) {
      const std::string node = "bar:" + std::to_string(n);
      w.joints.push_back(joint_at("point_on_plane", "hold " + node, node, "world", w.particles[n].position, {1, 0, 0}));
    }
  return w;
}

World cube(Vec3 stretch) {
  SoftDescription body = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, 1e4);
  body.stretch = stretch;
  body.damping = 5e-3;
  return world_of(body);
}

World cube_on_plane(double friction = 0.5) {
  SoftDescription body = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, 1e5);
  body.position = {0, 0, 0.001};
  body.velocity = {0.3, 0, 0};
  body.damping = 2e-3;
  body.material = "m";
  World w = world_with_plane(friction);
  add_soft_body(w, body);
  return w;
}

bool refused(const World& world, const std::string& options, const std::string& part) {
  const ScopedOptions scoped(options);
  try {
    Model model(world, 1.0 / 120);
    model.prepare();
  } catch (const InputError& error) {
    BOOST_TEST_INFO(error.what());
    BOOST_TEST((std::string(error.what()).find(part) != std::string::npos));
    return true;
  }
  return false;
}

}  // namespace

/// J of nine rows is constant, so that Newton's iterates in velocities are the same too: as many of them.
BOOST_AUTO_TEST_CASE(the_same_steps) {
  for (const double young : {1e4, 1e5, 1e6}) {
    // Rounding of forces h E A against masses of some 10 g is below 1e-10 m/s at 1e6 Pa.
    const Run rows = run_with(cantilever(young), 1.0 / 120, 10, kRows + "-snes_atol 1e-9"),
              forces = run_with(cantilever(young), 1.0 / 120, 10, kForces + "-snes_atol 1e-9");
    BOOST_TEST(differ(rows.v, forces.v) < 1e-6);  // ten steps of 1e-9, times the conditioning of soft modes
    BOOST_TEST(differ(rows.x, forces.x) < 1e-8);
    BOOST_TEST(std::fabs(rows.figures.newton_mean - forces.figures.newton_mean) <=
               1);  // the tests that end them differ
    BOOST_TEST(std::fabs(rows.elastic - forces.elastic) <= 1e-6 * rows.elastic);
  }
  const double damped = differ(run_with(cantilever(1e5, 2e-3), 1.0 / 120, 10, kForces + "-snes_atol 1e-9").x,
                               run_with(cantilever(1e5), 1.0 / 120, 10, kForces + "-snes_atol 1e-9").x);
  BOOST_TEST(damped > 1e-4);  // else damping takes no part below
  for (const double viscosity : {0.0, 200.0})
    for (const double damping : {0.0, 2e-3}) {
      const World w = cantilever(1e5, damping, viscosity);
      BOOST_TEST(differ(run_with(w, 1.0 / 120, 10, kRows + "-snes_atol 1e-9").x,
                        run_with(w, 1.0 / 120, 10, kForces + "-snes_atol 1e-9").x) < 1e-8);
    }
}

/// H is the derivative of the momentum residual, and that the derivative of the step's potential: with mass, damping,
/// drag and viscosity.
BOOST_AUTO_TEST_CASE(derivatives) {
  for (const std::string mass : {"lumped", "consistent"})
    for (const double damping : {0.0, 5e-3})
      for (const double viscosity : {0.0, 300.0}) {
        SoftDescription beam = soft_box("beam", {0.3, 0.1, 0.1}, {3, 1, 1}, 1e5);
        beam.fixed = nodes_at(beam, 0, 0);
        beam.stretch = {1.2, 0.8, -0.6};
        beam.damping = damping;
        beam.mass_damping = 1e3 * damping;
        beam.viscosity = viscosity;
        const ScopedOptions scoped("-soft_form stiffness -system_form stiffness -soft_projection none -soft_mass " +
                                   mass);
        BOOST_TEST_CONTEXT(mass << ", beta " << damping << ", eta " << viscosity)
        check_step_derivatives(world_of(beam, {0, 0, -kGravity}));
      }
}

BOOST_AUTO_TEST_CASE(stretched_bars) {
  for (const std::string& name : soft_material_registry().names()) {
    // 20 steps of 0.1 s leave the state of rest. Velocities of 1e-9 m/s over them are 2e-9 m.
    const World w = stretched_bar(name);
    const std::string start = "-snes_atol 1e-9 -newton_start zero";
    const Run rows = run_with(w, 0.1, 20, kRows + start), forces = run_with(w, 0.1, 20, kForces + start),
              saddle = run_with(w, 0.1, 20, kSaddle + start), schur = run_with(w, 0.1, 20, kSchur + start);
    BOOST_TEST_INFO(name);
    BOOST_TEST(differ(rows.x, forces.x) < 2e-8);
    BOOST_TEST(differ(rows.x, saddle.x) < 2e-8);
    BOOST_TEST(differ(rows.x, schur.x) < 2e-8);
    BOOST_TEST(std::fabs(rows.elastic - forces.elastic) <= 1e-7 * rows.elastic);
  }
}

/// From inside out the way is chaotic, and both forms may take another one; where it ends is the same.
BOOST_AUTO_TEST_CASE(inverted_cubes) {
  for (const Vec3 stretch : {Vec3{-1, -1, -1}, Vec3{1, 1, -1}}) {
    const std::string start = "-snes_atol 1e-7 -accept_budget true -snes_max_it 30 -newton_start zero";
    const Run forces = run_with(cube(stretch), 1.0 / 120, 240, kForces + start);
    BOOST_TEST(forces.elastic < 1e-6);  // of 1 to 30 J at the start
  }
  // And one step from there, solved, is one and the same.
  const std::string start = "-snes_atol 1e-8 -newton_start zero";
  const Run rows = run_with(cube({1, 0.9, 0.2}), 1.0 / 480, 3, kRows + start),
            forces = run_with(cube({1, 0.9, 0.2}), 1.0 / 480, 3, kForces + start);
  BOOST_TEST(differ(rows.v, forces.v) < 1e-5);  // of 10 m/s
}

BOOST_AUTO_TEST_CASE(with_contact) {
  const std::string law = "-snes_atol 1e-8 -friction_map disc_projection_coupled -system_assembled auto -pc_type lu ";
  const std::string rows = kNewton + "-ksp_type preonly " + law;
  const std::string saddle =
      kNewton + "-soft_form stiffness -system_form saddle -ksp_type preonly -pc_factor_mat_solver_type mumps " + law;
  const Run a = run_with(cube_on_plane(), 1.0 / 240, 24, rows), b = run_with(cube_on_plane(), 1.0 / 240, 24, saddle);
  BOOST_TEST(differ(a.x, b.x) < 1e-6);
  BOOST_TEST(b.figures.penetration < 1e-8);
  double fallen = 0;
  for (const Vec3& x : b.x) fallen = std::fmax(fallen, std::fabs(x.z));
  BOOST_TEST(fallen < 0.11);  // it lies, and has not gone through
  // With a shift of contact rows they are eliminated too, and the matrix is that of velocities.
  const std::string stiffness = kNewton + "-soft_form stiffness -system_form stiffness -ksp_type preonly " + law;
  BOOST_TEST(differ(a.x, run_with(cube_on_plane(), 1.0 / 240, 24, stiffness).x) < 1e-6);
  const std::string schur =
      kNewton + "-soft_form stiffness -ksp_type gmres -ksp_rtol 1e-10 -ksp_max_it 300 -snes_atol 1e-8 ";
  BOOST_TEST(differ(a.x, run_with(cube_on_plane(), 1.0 / 240, 24, schur + "-friction_map disc_projection_coupled").x) <
             1e-6);
  // Without a Newton matrix: sweeps over rows and velocities; alternating directions.
  const std::string forces = "-soft_form stiffness -accept_budget false -snes_atol 1e-8 -snes_max_it 200 ";
  for (const std::string strategy : {"-snes_type nsgs -nsgs_sweeps 400",
                                     "-snes_type admm -system_form stiffness -ksp_type preonly -pc_type cholesky"})
    BOOST_TEST(differ(a.x, run_with(cube_on_plane(), 1.0 / 240, 24, forces + strategy).x) < 1e-6, strategy);
  // Without friction the law is symmetric: conjugate residuals on the contact rows, and all three forms again.
  const World slippery = cube_on_plane(0);
  const Run c = run_with(slippery, 1.0 / 240, 24, kRows + "-snes_atol 1e-8");
  for (const std::string& form : {kSchur, kSaddle, kForces})
    BOOST_TEST(differ(c.x, run_with(slippery, 1.0 / 240, 24, form + "-snes_atol 1e-8").x) < 1e-6);
}

BOOST_AUTO_TEST_CASE(by_every_solver) {
  const World w = cantilever(1e5, 1e-3);
  const Run reference = run_with(w, 1.0 / 120, 5, kRows + "-snes_atol 1e-9");
  for (const std::string solver :
       {"-system_form stiffness -ksp_type pcr -pc_type block_jacobi -ksp_rtol 1e-10 -ksp_max_it 3000",
        "-system_form stiffness -ksp_type pcg -pc_type jacobi -ksp_rtol 1e-10 -ksp_max_it 3000",
        "-system_form stiffness -ksp_type cg -pc_type icc -ksp_rtol 1e-10 -ksp_max_it 3000",
        "-system_form saddle -ksp_type minres -pc_type block_jacobi -ksp_rtol 1e-10 -ksp_max_it 3000",
        "-system_form saddle -ksp_type preonly -pc_type cholesky -pc_factor_mat_solver_type mumps",
        "-system_form schur", "-system_form schur -hessian_ksp_type cg -hessian_pc_type icc -hessian_ksp_rtol 1e-12",
        "-system_form stiffness -ksp_type preonly -pc_type lu",
        "-system_form stiffness -snes_type newtonls -ksp_type preonly -pc_type cholesky"})
    BOOST_TEST(differ(reference.x,
                      run_with(w, 1.0 / 120, 5, kNewton + "-soft_form stiffness -snes_atol 1e-9 " + solver).x) < 1e-8);
}

/// The exact Hessian and both projections lead to one solution; near it Newton is quadratic only with the exact one.
BOOST_AUTO_TEST_CASE(projections) {
  const World w = cantilever(1e5);
  const Run reference = run_with(w, 1.0 / 120, 10, kRows + "-snes_atol 1e-9");
  for (const std::string projection : {"clamp", "absolute", "none"}) {
    const Run r = run_with(w, 1.0 / 120, 10, kForces + "-snes_atol 1e-9 -pc_type lu -soft_projection " + projection);
    BOOST_TEST(differ(reference.x, r.x) < 1e-8);
  }
}

/// Where H is indefinite its Cholesky factorisation fails the step and says so; LU goes on.
BOOST_AUTO_TEST_CASE(indefinite_h) {
  const World w = cube({1, 1, -1});
  for (const std::string package : {"", "-hessian_pc_factor_mat_solver_type mumps "}) {
    const ScopedOptions scoped(
        "-soft_form stiffness -soft_projection none -newton_start zero -snes_max_it 3 -accept_budget true " + package);
    Model model(w, 1.0 / 120);
    const StepReport r = model.step();
    BOOST_TEST_INFO(package << r.reason);
    BOOST_TEST(r.failed);
    BOOST_TEST((r.reason.find("-hessian_pc_type") != std::string::npos));
  }
  const ScopedOptions scoped(
      "-soft_form stiffness -soft_projection none -newton_start zero -snes_max_it 3 -accept_budget true "
      "-hessian_pc_type lu");
  Model model(w, 1.0 / 120);
  BOOST_TEST(!model.step().failed);
}

/// At 0.5 λ is infinite, and refused; 0.4999 is 3,000 times as stiff against changes of volume as of shape.
BOOST_AUTO_TEST_CASE(nearly_incompressible) {
  SoftDescription beam = soft_box("beam", {0.6, 0.1, 0.1}, {4, 1, 1}, 1e5);
  beam.poisson = 0.4999;
  beam.fixed = nodes_at(beam, 0, 0);
  const World w = world_of(beam, {0, 0, -kGravity});
  const Run rows = run_with(w, 1.0 / 120, 10, kRows + "-snes_atol 1e-8"),
            forces = run_with(w, 1.0 / 120, 10, kForces + "-snes_atol 1e-8");
  BOOST_TEST(differ(rows.x, forces.x) < 1e-7);  // ten steps of 1e-8 m/s, times the conditioning
  beam.poisson = 0.5;
  World refused_world;
  BOOST_CHECK_THROW(add_soft_body(refused_world, beam), InputError);
}

/// The way out of an inverted cube leads over a saddle of the potential. There the residual rises while the potential
/// falls, so that a line search on the residual stands still, and one on the potential passes. And where a full step
/// inverts an element of a material that is not defined there, the potential is infinite and the step is halved.
BOOST_AUTO_TEST_CASE(line_search_on_the_energy) {
  struct Searched {
    bool failed;
    double elastic;
    long halved, exhausted;
  };
  const auto solve = [](const World& world, double h, int steps, const std::string& options) {
    const ScopedOptions scoped(kForces + "-snes_atol 1e-7 -newton_start zero " + options);
    Model model(world, h);
    Searched out{};
    out.failed = run(model, steps, [&](const StepReport& r) {
                   out.elastic = r.verdict.elastic_energy;
                   for (const auto& [name, count] : r.safeguards) {
                     if (name == "newton_line_search") out.halved += count;
                     if (name == "newton_line_search_exhausted") out.exhausted += count;
                   }
                 }).failed > 0;
    return out;
  };
  const std::string search = "-newton_line_search armijo ", energy = search + "-newton_merit energy ";
  const World inverted = cube({-1, -1, -1});
  const std::string budget = "-snes_max_it 60 -accept_budget true ";
  const Searched by_energy = solve(inverted, 1.0 / 120, 30, budget + energy),
                 by_residual = solve(inverted, 1.0 / 120, 1, budget + search);
  BOOST_TEST(!by_energy.failed);
  BOOST_TEST(by_energy.exhausted == 0);
  BOOST_TEST(by_energy.elastic < 1e-3);  // of 20 J at the start
  BOOST_TEST(by_residual.exhausted > 0);

  SoftDescription body = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, 1e4);
  body.model = "neo_hookean";
  World thrown = world_of(body);
  for (ParticleDescription& p : thrown.particles) p.velocity = -500.0 * (p.position - Vec3{0.05, 0.05, 0.05});
  const Searched plain = solve(thrown, 1.0 / 60, 1, budget), searched = solve(thrown, 1.0 / 60, 1, budget + energy);
  BOOST_TEST(plain.failed);
  BOOST_TEST(!searched.failed);
  BOOST_TEST(searched.halved > 0);
  BOOST_TEST(searched.exhausted == 0);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  const World w = cantilever(1e5);
  for (const std::string solver :
       {"-ksp_type preonly -pc_type cholesky", "-ksp_type gmres -pc_type ilu", "-ksp_type pcr -system_assembled true",
        "-ksp_type gauss_seidel", "-ksp_type preonly -pc_type jacobi"})
    BOOST_TEST(refused(w, "-soft_form stiffness " + solver, "-system_form stiffness or saddle"));
  BOOST_TEST(refused(w, "-soft_form stiffness -hessian_pc_type block_jacobi", "use cholesky, lu"));
  BOOST_TEST(refused(w, "-soft_form stiffness -hessian_pc_factor_mat_solver_type cholmod", "use petsc or mumps"));
  BOOST_TEST(refused(w, "-soft_projection none", "-soft_form stiffness"));
  BOOST_TEST(refused(w, "-soft_mass consistent", "-soft_form stiffness"));
  BOOST_TEST(refused(w, "-soft_form stiffness -system_form stiffness -integrator moreau_jean", "implicit_euler"));
}

BOOST_AUTO_TEST_SUITE_END()
