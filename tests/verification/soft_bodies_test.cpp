// Soft bodies: the homogeneous bar against its analytic solution, the reference figures of a cantilever, momentum,
// energy, recovery from inversion, and the same step by every row form, system form and law.

#include "physics/register.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_bodies)

namespace {

/// Lateral stretch and axial stress of a bar with free sides, ∂Ψ/∂s₂ (l, t, t) = 0 by bisection.
struct Uniaxial {
  double lateral, stress;
};
Uniaxial uniaxial(const SoftMaterial& m, double l) {
  const auto lateral_stress = [&](double t) {
    if (m.isotropic()) return m.stretch_gradient({l, t, t}).y;
    return m.stress(Mat3::diagonal(l, t, t))(1, 1);
  };
  double low = 0.3, high = 1.7;
  while (high - low > 1e-15) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (lateral_stress(middle) > 0 ? high : low) = middle;
  }
  const double t = 0.5 * (low + high);
  return {t, m.stress(Mat3::diagonal(l, t, t))(0, 0)};
}

/// A bar of 0.3 × 0.1 × 0.1 m, three cubes, its end faces held on planes; the sides y = 0 and z = 0 stay plane too, as
/// planes of symmetry do, or a bar that is pushed would buckle.
World held_bar(const std::string& model, const std::string& rows, double stretch) {
  SoftDescription bar = soft_box("bar", {0.3, 0.1, 0.1}, {3, 1, 1}, 1e5);
  bar.model = model;
  bar.rows = rows;
  bar.stretch.x = stretch;
  World w = world_of(bar);
  const auto hold = [&](const std::string& side, int axis, double at) {
    Vec3 normal{};
    normal[axis] = 1;
    for (const int n : nodes_at(bar, axis, at)) {
      const std::string node = "bar:" + std::to_string(n);
      w.joints.push_back(joint_at("point_on_plane", side + node, node, "world", w.particles[n].position, normal));
    }
  };
  hold("left ", 0, 0);
  hold("right ", 0, 0.3);
  hold("front ", 1, 0);
  hold("below ", 2, 0);
  return w;
}

/// Steps so long that little is left of any vibration: implicit Euler divides by the frequency times h, some ten, per
/// step.
constexpr double kLongStep = 0.1;  // [s]
constexpr int kLongSteps = 20;
// Positions of order one round at 1e-16 and forces of 1e3 N at 1e-13: over masses of 10 g some 1e-11 m/s and more.
const std::string kLong = kExactSteps + "-snes_atol 1e-9 -newton_start zero ";

double tension(const Frame& frame) {
  double force = 0;
  for (const FrameJoint& j : frame.joints)
    if (j.name.rfind("right", 0) == 0) force += j.force.x;
  return force;
}

}  // namespace

BOOST_AUTO_TEST_CASE(stretched_bar) {
  struct Expected {
    double stretch, lateral, force;
  };
  // Of an independent implementation.
  for (const Expected& e : {Expected{1.5, 0.829993, 358.87612}, Expected{0.6, 1.247219, -687.10089}}) {
    const auto material = soft_material_registry().create("stable_neo_hookean");
    material->set(lame(1e5, 0.45, ""));
    const Uniaxial analytic = uniaxial(*material, e.stretch);
    BOOST_TEST(std::fabs(analytic.lateral - e.lateral) < 1e-6);  // the digits that are given
    BOOST_TEST(std::fabs(0.01 * analytic.stress - e.force) < 1e-5);
  }
  for (const std::string& name : soft_material_registry().names())
    for (const double stretch : {1.5, 0.8, 0.6}) {
      if (stretch < 0.7 && name != "stable_neo_hookean") continue;  // the free sides buckle, or the material softens
      const auto material = soft_material_registry().create(name);
      material->set(lame(1e5, 0.45, ""));
      const Uniaxial analytic = uniaxial(*material, stretch);
      const ScopedOptions scoped(kLong);
      Model model(held_bar(name, "deformation_gradient", stretch), kLongStep);
      const RunFigures f = run(model, kLongSteps);
      const Frame frame = model.frame();
      BOOST_TEST_CONTEXT(name << " at " << stretch << ": " << f.newton_mean << " Newton iterations, tension "
                              << tension(frame) << " N, analytic " << 0.01 * analytic.stress) {
        BOOST_TEST(!f.failed);
        BOOST_TEST(std::fabs(tension(frame) - 0.01 * analytic.stress) <= 1e-6 * std::fabs(0.01 * analytic.stress));
        const auto& x = frame.softs.at(0).position;
        const double width = norm(x.back() - x[x.size() - 2]) / 0.1;  // the last two nodes are an edge along z
        BOOST_TEST(std::fabs(width - analytic.lateral) <= 1e-6);
        double worst = 0;
        for (const double strain : frame.softs[0].volumetric_strain)
          worst = std::fmax(worst, std::fabs(strain + 1 - stretch * analytic.lateral * analytic.lateral));
        BOOST_TEST(worst <= 1e-5);
      }
    }
}

BOOST_AUTO_TEST_CASE(cantilever_of_the_reference) {
  struct Expected {
    double young, tip, iterations;
  };
  for (const Expected& e :
       {Expected{1e4, 0.06252226, 4.7}, Expected{1e5, 0.06001429, 4.9}, Expected{1e6, 0.06006695, 5.2}}) {
    SoftDescription beam = soft_box("beam", {0.6, 0.1, 0.1}, {4, 1, 1}, e.young);
    beam.fixed = nodes_at(beam, 0, 0);
    const ScopedOptions scoped(kExactSteps + "-snes_atol 1e-8");
    Model model(world_of(beam, {0, 0, -kGravity}), 1.0 / 120);
    const RunFigures f = run(model, 10);
    const std::vector<Vec3> x = model.frame().softs.at(0).position;
    const double tip =
        x[x.size() - 3].z;  // (0.6, 0, 0.1): their cubes are mirrored, their last node is on the other side
    BOOST_TEST_MESSAGE("E = " << e.young << ": tip " << tip << ", " << f.newton_mean << " Newton iterations");
    BOOST_TEST(!f.failed);
    BOOST_TEST(std::fabs(tip - e.tip) < 1e-7);
    BOOST_TEST(f.newton_mean <= e.iterations + 1);
  }
}

/// Rows in stretches have no stiffness against shear in Newton's matrix: a body of some stiffness needs the geometric
/// one or short steps, and for a stiffer one neither helps.
BOOST_AUTO_TEST_CASE(stretch_rows_need_geometric_stiffness) {
  const auto solved = [](double young, const std::string& stiffness, const std::string& damping = "1") {
    SoftDescription beam = soft_box("beam", {0.6, 0.1, 0.1}, {4, 1, 1}, young);
    beam.rows = "stretch";
    beam.fixed = nodes_at(beam, 0, 0);
    const ScopedOptions scoped(kExactSteps + "-snes_atol 1e-8 -snes_max_it 50 -geometric_stiffness " + stiffness +
                               " -newton_damping " + damping);
    Model model(world_of(beam, {0, 0, -kGravity}), 1.0 / 120);
    return !run(model, 10).failed;
  };
  BOOST_TEST(solved(1e4, "none"));
  BOOST_TEST(!solved(1e5, "none"));
  BOOST_TEST(solved(1e5, "secant"));
  BOOST_TEST(solved(1e5, "none", "0.4"));
  for (const char* stiffness : {"none", "secant", "exact"}) BOOST_TEST(!solved(1e6, stiffness));
  BOOST_TEST(!solved(1e6, "none", "0.4"));
}

BOOST_AUTO_TEST_CASE(momentum_of_a_free_body) {
  double drift[2];
  for (int k = 0; k < 2; ++k) {
    SoftDescription cube = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, 1e5);
    cube.velocity = {1, -2, 0.5};
    cube.angular_velocity = {15, 5, -10};
    const ScopedOptions scoped(kExactSteps + "-snes_atol 1e-9");
    const double h = k == 0 ? 1.0 / 960 : 1.0 / 1920;
    const World world = world_of(cube);
    Vec3 linear{}, angular{};
    for (const ParticleDescription& p : world.particles) {
      linear += p.mass * p.velocity;
      angular += p.mass * cross(p.position, p.velocity);
    }
    Model model(world, h);
    double worst = 0;
    const RunFigures f = run(model, k == 0 ? 48 : 96, [&](const StepReport& r) {
      const auto &p = r.verdict.linear_momentum, &L = r.verdict.angular_momentum;
      worst = std::fmax(worst, norm(Vec3{p[0], p[1], p[2]} - linear));
      drift[k] = norm(Vec3{L[0], L[1], L[2]} - angular);
    });
    BOOST_TEST(!f.failed);
    BOOST_TEST(worst <= 10 * 96 * 1e-9 * 1.0);  // ten times the velocity error times the mass of 1 kg, per step
  }
  // A body that turns by ω h per step with the forces of the end of the step loses h |ω|² of its spin per second: first
  // order.
  BOOST_TEST_MESSAGE("angular momentum lost " << drift[0] << ", with half the step " << drift[1]);
  BOOST_TEST(drift[0] > 1e-4);  // else there is nothing to compare
  BOOST_TEST(drift[0] / drift[1] > 1.8);
  BOOST_TEST(drift[0] / drift[1] < 2.2);
}

BOOST_AUTO_TEST_CASE(energy_falls) {
  double left[2];
  for (int k = 0; k < 2; ++k) {
    SoftDescription cube = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, 1e4);
    cube.stretch = {1.3, 0.9, 0.95};
    cube.damping = k == 0 ? 0 : 2e-3;
    const ScopedOptions scoped(kExactSteps + "-snes_atol 1e-9");
    const World world = world_of(cube);
    Model model(world, 1.0 / 480);
    double energy = INFINITY;
    const RunFigures f = run(model, 30, [&](const StepReport& r) {
      const double now = r.verdict.kinetic_energy + r.verdict.elastic_energy;
      BOOST_TEST(now <= energy);
      BOOST_TEST(r.verdict.elastic_energy >= 0);
      energy = now;
    });
    BOOST_TEST(!f.failed);
    left[k] = energy;
  }
  BOOST_TEST(left[1] < 0.8 * left[0]);
}

BOOST_AUTO_TEST_CASE(inverted_cubes_recover) {
  struct Start {
    const char* what;
    Vec3 stretch;
    const char* model = "stable_neo_hookean";
  };
  for (const Start& start :
       {Start{"turned inside out", {-1, -1, -1}}, Start{"mirrored", {1, 1, -1}}, Start{"flat", {1, 1, 1e-9}},
        Start{"a line", {1, 1e-6, 1e-7}}, Start{"a point", {0.02, 0.015, 0.018}, "stable_neo_hookean_log"}}) {
    SoftDescription cube = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, 1e4);
    cube.stretch = start.stretch;
    cube.model = start.model;
    cube.damping = 5e-3;
    const ScopedOptions scoped(kExactSteps + "-snes_atol 1e-7 -accept_budget true -snes_max_it 30 -newton_start zero");
    Model model(world_of(cube), 1.0 / 120);
    double energy = 0;
    const RunFigures f = run(model, 240, [&](const StepReport& r) { energy = r.verdict.elastic_energy; });
    BOOST_TEST_CONTEXT(start.what << ": " << f.newton_mean << " Newton iterations, elastic energy " << energy << " J") {
      BOOST_TEST(!f.failed);
      BOOST_TEST(energy < 1e-6);  // of 1 to 30 J at the start
      const FrameSoft frame = model.frame().softs.at(0);
      BOOST_TEST(*std::min_element(frame.quality.begin(), frame.quality.end()) > 0.5);
    }
  }
}

/// One step of a body that is bent, by every form of the rows and of the system: the same velocities.
BOOST_AUTO_TEST_CASE(every_form_gives_the_same_step) {
  const auto step = [](const std::string& model, const std::string& rows, double damping, const std::string& options) {
    SoftDescription beam = soft_box("beam", {0.3, 0.1, 0.1}, {3, 1, 1}, 1e4);
    beam.model = model;
    beam.rows = rows;
    beam.damping = damping;
    beam.fixed = nodes_at(beam, 0, 0);
    beam.stretch = {1.1, 1, 0.95};
    World w = world_of(beam, {0, 0, -kGravity});
    // A rigid body hangs on the last node: rigid rows beside compliant ones.
    const std::string last = "beam:" + std::to_string(beam.mesh.nodes.size() - 1);
    const Vec3 p = w.particles.back().position;
    w.bodies.push_back(free_body("weight", 0.5, {1e-3, 1e-3, 1e-3}, p + Vec3{0, 0, -0.1}));
    w.joints.push_back(joint_at("ball", "hook", "weight", last, p));
    const ScopedOptions scoped(options);
    Model m(w, 1.0 / 120);
    const RunFigures f = run(m, 3);
    BOOST_TEST_INFO(model << " " << rows << " " << options << ": error " << f.velocity_error);
    BOOST_TEST(!f.failed);
    return m.frame().softs.at(0).velocity;
  };
  const auto differ = [](const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i) out = std::fmax(out, norm(a[i] - b[i]));
    return out;
  };
  const std::string common = "-newton_damping 1 -snes_max_it 100 -snes_atol 1e-9 -accept_budget false ";
  const std::string direct = common + "-ksp_type preonly -pc_type cholesky ";
  constexpr double kSame = 1e-6;  // [m/s] over three steps, of errors of 1e-9 times the conditioning of soft modes
  for (const double damping : {0.0, 2e-3}) {
    const auto reference = step("stable_neo_hookean", "deformation_gradient", damping, direct);
    for (const std::string options :
         {"-ksp_type pcr -ksp_rtol 1e-10 -ksp_max_it 2000",
          "-ksp_type pcr -pc_type block_jacobi -ksp_rtol 1e-10 -ksp_max_it 2000",
          "-system_form saddle -ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps",
          "-system_form stiffness -ksp_type preonly -pc_type lu", "-ksp_type gmres -ksp_rtol 1e-10 -ksp_max_it 2000",
          "-contact_law soc_fischer_burmeister -ksp_type preonly -pc_type lu"})
      BOOST_TEST(differ(step("stable_neo_hookean", "deformation_gradient", damping, common + options), reference) <
                 kSame);
    BOOST_TEST(differ(step("stable_neo_hookean", "stretch", damping, direct + "-geometric_stiffness secant"),
                      reference) < (damping > 0 ? 1.0 : kSame));  // the damping of another form is another damping
    const auto corotational = step("corotational", "deformation_gradient", damping, direct);
    BOOST_TEST(differ(corotational, reference) > 1e-3);  // else materials do not matter
    if (damping > 0) continue;
    BOOST_TEST(differ(step("corotational", "strain", damping, direct), corotational) < kSame);
    BOOST_TEST(differ(step("corotational", "stretch", damping, direct + "-geometric_stiffness secant"), corotational) <
               kSame);
  }
}

BOOST_AUTO_TEST_CASE(a_cube_comes_to_rest_on_a_plane) {
  SoftDescription cube = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, 1e5);
  cube.position = {0, 0, 0.02};
  cube.damping = 2e-3;
  cube.material = "m";
  World w = world_with_plane(0.5);
  add_soft_body(w, cube);
  // Nodes are light and the body behind them is not: laws that lag the radius of the friction cone cycle at the impact.
  for (const std::string law : {"-friction_map disc_projection_coupled", "-contact_law soc_fischer_burmeister"}) {
    const ScopedOptions scoped(kExactSteps + "-snes_atol 1e-7 -pc_type lu " + law);
    Model model(w, 1.0 / 120);
    const RunFigures f = run(model, 120);
    BOOST_TEST(!f.failed);
    BOOST_TEST(f.penetration < 1e-8);
    double force = 0;
    for (const FrameContact& c : model.frame().contacts) force += c.normal_force.z;
    BOOST_TEST(std::fabs(force - kGravity) < 1e-3 * kGravity);  // 1 kg
  }
}

BOOST_AUTO_TEST_CASE(what_cannot_be_is_refused) {
  const auto refused = [](const std::function<void(SoftDescription&)>& spoil, const std::string& part) {
    SoftDescription cube = soft_box("cube", {1, 1, 1}, {1, 1, 1}, 1e4);
    spoil(cube);
    World w;
    try {
      add_soft_body(w, cube);
    } catch (const InputError& error) {
      BOOST_TEST_INFO(error.what());
      BOOST_TEST((std::string(error.what()).find(part) != std::string::npos));
      return true;
    }
    return false;
  };
  BOOST_TEST(refused([](SoftDescription& s) { s.poisson = 0.5; }, "incompressible"));
  BOOST_TEST(refused([](SoftDescription& s) { s.rows = "strain"; }, "deformation_gradient, stretch"));
  BOOST_TEST(refused([](SoftDescription& s) { s.model = "rubber"; }, "unknown 'rubber'"));
  BOOST_TEST(refused([](SoftDescription& s) { std::swap(s.mesh.tetrahedra[2][0], s.mesh.tetrahedra[2][1]); },
                     "element 2 is inverted"));
  BOOST_TEST(refused([](SoftDescription& s) { s.mesh.nodes.push_back({5, 5, 5}); }, "node 8 belongs to no element"));
  BOOST_TEST(refused([](SoftDescription& s) { s.mesh.nodes[3] = s.mesh.nodes[2]; }, "nodes 2 and 3"));
  BOOST_TEST(refused([](SoftDescription& s) { s.mesh.tetrahedra[1][0] = 8; }, "element 1 has node 8 of 8"));
  BOOST_TEST(refused([](SoftDescription& s) { s.fixed = {8}; }, "no node 8"));
  BOOST_TEST(refused([](SoftDescription& s) { s.density = 0; }, "density"));
}

BOOST_AUTO_TEST_SUITE_END()
