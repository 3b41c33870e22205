// Triangles of cloth as compliant rows of F, as rows of strain and as forces with stiffness in H: the same converged
// step; derivatives of the forces; a slack sheet over a ball by the default options, which rows of F do not solve, and
// a stiff one that falls and swings, which forces do not.

#include "framework/error.hpp"
#include "physics/cloth/strain_rows.hpp"
#include "physics/cloth/triangle_sheet.hpp"
#include "physics/description/cloth_description.hpp"
#include "physics/register.hpp"
#include "tests/scene_file.hpp"
#include "tests/step_derivatives.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(cloth_forms)

namespace {

const std::string kNewton =
    "-newton_damping 1 -snes_max_it 100 -accept_budget false -snes_atol 1e-9 -ksp_type preonly ";
const std::string kRows = kNewton + "-pc_type cholesky ";
const std::string kForces = kNewton + "-cloth_form stiffness -system_form stiffness -pc_type cholesky ";

/// A sheet held along one side, flat but for a slope, so that gravity stretches it from the first step on.
World flag(const std::string& model, double damping) {
  ClothDescription cloth;
  cloth.name = "flag";
  cloth.mesh = flat_sheet(0.4, 0.3, 4, 3);
  for (Vec3& x : cloth.mesh.nodes) x = {0.8 * x.x, x.y, -0.6 * x.x};
  cloth.model = model;
  cloth.young = 1e5;
  cloth.poisson = 0.3;
  cloth.thickness = 1e-3;
  cloth.density = 0.5;
  cloth.bending_stiffness = 0;
  cloth.damping = damping;
  for (std::size_t n = 0; n < cloth.mesh.nodes.size(); ++n)
    if (cloth.mesh.nodes[n].x < -0.1599) cloth.fixed.push_back(static_cast<int>(n));
  World world;
  world.gravity = Vec3{0, 0, -kGravity};
  add_cloth(world, cloth);
  return world;
}

struct Nodes {
  std::vector<Vec3> position;
  double elastic;
};

Nodes run_with(const World& world, const std::string& options, int steps) {
  const ScopedOptions scoped(options);
  Model model(world, 1.0 / 120);
  Nodes out{};
  const RunFigures figures = run(model, steps, [&](const StepReport& r) { out.elastic = r.verdict.elastic_energy; });
  BOOST_TEST(!figures.failed, options << ": velocity error " << figures.velocity_error);
  for (const FrameParticle& p : model.frame().particles) out.position.push_back(p.position);
  return out;
}

double differ(const Nodes& a, const Nodes& b) {
  double out = 0;
  for (std::size_t i = 0; i < a.position.size(); ++i) out = std::fmax(out, norm(a.position[i] - b.position[i]));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_steps) {
  constexpr double kSame = 1e-8;  // [m] six steps of 1e-9 m/s, times the conditioning of a sheet under little tension
  for (const std::string model : {"corotational", "st_venant_kirchhoff", "neo_hookean"})
    for (const double damping : {0.0, 5e-3}) {
      const World world = flag(model, damping);
      const Nodes rows = run_with(world, kRows, 6), forces = run_with(world, kForces, 6);
      BOOST_TEST_CONTEXT(model << ", beta " << damping) {
        BOOST_TEST(differ(rows, forces) < kSame);
        BOOST_TEST(std::fabs(rows.elastic - forces.elastic) <= 1e-5 * rows.elastic);  // quadratic in the stretch
        BOOST_TEST(rows.elastic > 0);
      }
    }
  BOOST_TEST(differ(run_with(flag("corotational", 5e-3), kForces, 6), run_with(flag("corotational", 0), kForces, 6)) >
             1e-5);  // else damping takes no part above
}

/// Rows of strain are the same law of the one material whose stress is linear in Green's strain.
BOOST_AUTO_TEST_CASE(rows_of_strain) {
  constexpr double kSame = 1e-8;  // [m] as above
  const std::string robust = preset_options("robust");
  const World world = flag("st_venant_kirchhoff", 0);
  const Nodes strain = run_with(world, robust + " -cloth_form strain", 6),
              forces = run_with(world, robust + " -cloth_form stiffness", 6);
  BOOST_TEST(differ(strain, forces) < kSame);
  BOOST_TEST(std::fabs(strain.elastic - forces.elastic) <= 1e-5 * forces.elastic);  // quadratic in the stretch
  BOOST_TEST(forces.elastic > 0);
  // Their damping is of the strain, that of forces of F in the directions of the start, which a turn changes, too.
  const World damped = flag("st_venant_kirchhoff", 5e-3);
  const Nodes slow = run_with(damped, robust + " -cloth_form strain", 6);
  constexpr double kAlike = 0.3;  // of what damping does in 50 ms of a sheet that begins to swing
  const double of_damping = differ(slow, strain);
  BOOST_TEST(of_damping > 1e-5);
  BOOST_TEST(differ(slow, run_with(damped, robust + " -cloth_form stiffness", 6)) < kAlike * of_damping);
  BOOST_CHECK_EXCEPTION(run_with(flag("corotational", 0), robust + " -cloth_form strain", 1), InputError,
                        [](const InputError& e) { return std::string(e.what()).find("flag") != std::string::npos; });
  // As other forms of cloth: its forces are those of the end of a step.
  BOOST_CHECK_THROW(run_with(world, robust + " -cloth_form strain -integrator moreau_jean", 1), InputError);
}

/// A sheet that is all but inextensible, held along one side, falls and swings by the default options alone.
BOOST_AUTO_TEST_CASE(a_stiff_sheet) {
  World world = flag("st_venant_kirchhoff", 0);
  world.cloths[0].young = 1e10;
  world.cloths[0].bending_stiffness = 1e-3;
  constexpr double h = 1.0 / 120;
  ClothOptions options;
  options.form = "automatic";
  BOOST_TEST(has_strain_rows(world.cloths[0], options, h));
  BOOST_TEST(!has_strain_rows(flag("st_venant_kirchhoff", 0).cloths[0], options, h));
  const auto solved = [&](const std::string& more, int steps) {
    const ScopedOptions scoped(preset_options("robust") + more);
    Model model(world, h);
    int converged = 0;
    run(model, steps, [&](const StepReport& r) { converged += r.reason == "converged"; });
    return converged;
  };
  BOOST_TEST(solved("", 60) == 60);
  // As forces it is harder, but lengths are judged by the potential of the step, inertia and all: where that was taken
  // at rest, the second step failed.
  BOOST_TEST(solved("-cloth_form stiffness", 20) == 20);
}

BOOST_AUTO_TEST_CASE(derivatives) {
  const ScopedOptions scoped("-cloth_form stiffness -system_form stiffness -soft_projection none");
  for (const double damping : {0.0, 5e-3})
    BOOST_TEST_CONTEXT("beta " << damping) check_step_derivatives(flag("corotational", damping));
}

/// Slack and folded, by the default options alone: every step to its tolerance.
BOOST_AUTO_TEST_CASE(a_towel_over_a_ball) {
  const World world = scene_from(R"(
time: {step: 0.005, end: 1}
materials: {m: {friction: 0.4, density: 500}}
bodies:
  - {name: ball, shape: {sphere: {radius: 0.15}}, static: true, position: [0, 0, 0.2], material: m}
cloth:
  - {name: towel, mesh: {sheet: {size: [0.5, 0.5], cells: [6, 6]}}, young: 1e6, thickness: 1e-3, density: 0.3,
     bending_stiffness: 1e-4, damping: 0.01, bending_damping: 0.02, position: [0.02, 0.01, 0.36], material: m}
)")
                          .world;
  const ScopedOptions scoped(preset_options("robust"));
  Model model(world, 0.005);
  const RunFigures figures = run(model, 60);
  BOOST_TEST(!figures.failed);
  BOOST_TEST(figures.velocity_error <= 1e-9);  // the preset's promise
}

BOOST_AUTO_TEST_SUITE_END()
