// -geometric_stiffness full (theory G3): Newton's matrix is the derivative of what it solves, for large turns and
// between bodies; with it light nodes under a heavy load converge at once.

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "tests/cross/small_models.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(full_geometric_stiffness)

namespace {

/// Links that hang obliquely, each `ratio` times as heavy as the one above.
World links(int count, const std::string& joint, double ratio) {
  World w = world_with_plane(0.5);
  const Vec3 along = (1 / std::sqrt(2.0)) * Vec3{1, 0, -1};
  constexpr double kLength = 0.05, kHeight = 10;
  double mass = 0.02;
  for (int i = 0; i < count; ++i, mass *= ratio) {
    const Vec3 from = Vec3{0, 0, kHeight} + (i * kLength) * along;
    w.bodies.push_back(box("l" + std::to_string(i), {0.02, 0.008, 0.006}, mass, from + (0.5 * kLength) * along));
    JointDescription j;
    j.type = joint;
    j.name = "j" + std::to_string(i);
    j.a = w.bodies.back().name;
    j.b = i == 0 ? "world" : w.bodies[w.bodies.size() - 2].name;
    j.anchor_a = j.anchor_b = from;
    j.axis = i % 2 == 0 ? Vec3{0, 1, 0} : Vec3{0.6, 0, 0.8};
    w.joints.push_back(j);
  }
  return w;
}

/// Particles at equal distances along an oblique line, tied to the origin and to each other.
World string_of_particles(int count, double mass, double load) {
  World w = world_with_plane(0.5);
  const auto place = [&](int i) { return Vec3{0.4 * i / count, 0, 10 - 0.3 * i / count}; };
  for (int i = 1; i <= count; ++i) {
    w.particles.emplace_back();
    w.particles.back().name = "p" + std::to_string(i);
    w.particles.back().mass = i < count ? mass : load;
    w.particles.back().position = place(i);
    JointDescription j;
    j.type = "distance";
    j.name = "d" + std::to_string(i);
    j.a = w.particles.back().name;
    j.b = i == 1 ? "world" : "p" + std::to_string(i - 1);
    j.anchor_a = place(i);
    j.anchor_b = place(i - 1);
    w.joints.push_back(j);
  }
  return w;
}

/// Slope of the Taylor remainder of the scaled F, or of its momentum alone, at a random point in a random direction.
double slope_of_newton_matrix(StepProblem& problem, bool whole, Random& random, bool momentum_alone) {
  problem.set_whole_stiffness(whole);
  problem.lay_out();
  problem.start();
  SaddlePointSystem& s = problem.system();
  // Turns of up to a radian in the step, impulses of heavy loads.
  std::vector<double> x, d;
  for (int i = 0; i < s.size(); ++i) {
    x.push_back(i < s.velocity_size() ? random.uniform(-30, 30) : random.uniform(-1, 1));
    d.push_back(random.uniform(-1, 1));
  }
  const View<double> point("point", s.size()), out("out", s.size());
  const auto evaluate = [&](const std::vector<double>& at) {
    to_device(at, point);
    problem.evaluate(as_vec3(point, 0, s.blocks), rows_of(point, s), true);
    scaled_residual(s, out);
    std::vector<double> F;
    to_host(out, F);
    return F;
  };
  const std::vector<double> F0 = evaluate(x);
  problem.add_geometric_stiffness();
  newton_matrix_product(s, to_device("d", d), out);
  std::vector<double> dF;
  to_host(out, dF);
  const int counted = momentum_alone ? s.velocity_size() : s.size();
  double size = 0;
  for (int i = 0; i < counted; ++i) size += std::fabs(F0[i]);
  return taylor_slope(size, [&](double e) {
    std::vector<double> at(x);
    for (int i = 0; i < s.size(); ++i) at[i] += e * d[i];
    const std::vector<double> F = evaluate(at);
    double sum = 0;
    for (int i = 0; i < counted; ++i) sum += std::fabs(F[i] - F0[i] - e * dF[i]);
    return sum;
  });
}

/// The same of the first step of a world.
double slope_of_newton_matrix(const World& world, bool whole, Random& random, bool momentum_alone = false) {
  const ScopedOptions scoped("-snes_type nonsmooth_newton");
  Model model(world, 0.02);
  model.prepare();
  return slope_of_newton_matrix(model.problem(), whole, random, momentum_alone);
}

}  // namespace

BOOST_AUTO_TEST_CASE(newton_matrix_is_the_derivative) {
  Random random(3);
  for (const char* joint : {"ball", "hinge", "slider", "weld"})
    for (int trial = 0; trial < 5; ++trial) BOOST_TEST_CONTEXT(joint << ' ' << trial) {
        const World world = links(3, joint, 3);
        BOOST_TEST(slope_of_newton_matrix(world, true, random) >= kTaylorSlope);
        BOOST_TEST(slope_of_newton_matrix(world, false, random) < kTaylorSlope);  // G2 leaves first-order terms out
      }
}

/// Impulses on the arms of boxes that turn, in tension and in compression: the momentum has its derivative. That of the
/// velocities is below; a law of `nonsmooth_newton` takes J du alone.
BOOST_AUTO_TEST_CASE(contacts_have_all_of_it) {
  Random random(5);
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("below", {0.1, 0.08, 0.05}, 1, {0, 0, 0.05}));
  w.bodies.push_back(box("above", {0.05, 0.06, 0.04}, 3, {0.01, 0.02, 0.14}));
  for (int trial = 0; trial < 5; ++trial) BOOST_TEST_CONTEXT(trial) {
      BOOST_TEST(slope_of_newton_matrix(w, true, random, true) >= kTaylorSlope);
      BOOST_TEST(slope_of_newton_matrix(w, false, random, true) < kTaylorSlope);  // G2: what is negative is left out
    }
}

/// A box falls onto another that turns by a radian in the step, and a ball onto a log that spins on the floor, with
/// friction: contacts are found at its end, which turn with both bodies from then on and tie them together (V7a).
BOOST_AUTO_TEST_CASE(contacts_that_turn_have_all_of_it) {
  Random random(7);
  World boxes = world_with_plane(0);
  boxes.bodies.push_back(box("below", {0.1, 0.08, 0.05}, 1, {0, 0, 0.3}));
  boxes.bodies.push_back(box("above", {0.05, 0.06, 0.04}, 3, {0.03, 0.02, 0.42}));
  boxes.bodies[1].angular_velocity = {10, 20, 5};
  boxes.bodies[2].orientation = from_axis_angle({0.6, 0.8, 0}, 0.7);
  boxes.bodies[2].velocity = {0, 0, -4};
  World log = world_with_plane(0.5);
  log.bodies.push_back(body_of("log", ShapeDescription::Kind::cylinder, 2, {0, 0, 0.1}));
  log.bodies.push_back(ball("ball", 0.05, 1, {0.01, 0.02, 0.27}));
  log.bodies[1].shape.radius = 0.1;
  log.bodies[1].shape.half_height = 0.2;
  log.bodies[1].orientation = from_axis_angle({0, 1, 0}, 1.5);
  log.bodies[1].angular_velocity = {20, 1, 2};
  log.bodies[2].velocity = {0.5, 0, -6};
  for (const World& w : {boxes, log}) BOOST_TEST_CONTEXT(w.bodies[1].name) {
      const ScopedOptions scoped(preset_options("robust"));
      Model model(w, 0.02);
      const StepReport report = model.step();
      BOOST_TEST(report.reason == "converged");
      BOOST_REQUIRE(report.safeguards.count("detect_again_turning") == 1);
      model.problem().set_general_rows(false);
      for (int trial = 0; trial < 5; ++trial) BOOST_TEST_CONTEXT(trial) {
          BOOST_TEST(slope_of_newton_matrix(model.problem(), true, random, true) >= kTaylorSlope);
          BOOST_TEST(slope_of_newton_matrix(model.problem(), false, random, true) < kTaylorSlope);
        }
    }
}

/// What rows of contacts read has its derivative too, where a strategy takes rows along the motion: of gaps J, and of
/// friction, whose velocities are J u with J at the end, also what turns in J.
BOOST_AUTO_TEST_CASE(velocities_of_contacts_have_their_derivative) {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("below", {0.1, 0.08, 0.05}, 1, {0, 0, 0.05}));
  w.bodies.push_back(box("above", {0.05, 0.06, 0.04}, 3, {0.01, 0.02, 0.14}));
  const ScopedOptions scoped("-snes_type ssnal -ksp_type preonly -pc_type lu");
  Model model(w, 0.02);
  model.prepare();
  StepProblem& problem = model.problem();
  problem.set_whole_stiffness(true);
  problem.set_general_rows(true);
  problem.lay_out();
  problem.start();
  SaddlePointSystem& s = problem.system();
  const auto p = host_copy(s.pattern);
  BOOST_REQUIRE(p.rows > 0);
  std::vector<Vec3> u(s.blocks), at(s.blocks), du(s.blocks), motion(s.blocks);
  const View<double> impulse("impulse", p.rows);
  std::vector<double> dv(p.rows);
  Random random(9);
  const auto velocities = [&](const std::vector<Vec3>& point) {
    problem.evaluate(to_device("point", point), impulse, true);
    const RowSet* rows = nullptr;
    for (int c = 0; c < problem.contributors() && !rows; ++c) rows = problem.contributor(c).rows();
    BOOST_REQUIRE(rows && static_cast<int>(rows->velocity.extent(0)) == p.rows);
    std::vector<double> v;
    to_host(rows->velocity, v);
    return v;
  };
  for (int trial = 0; trial < 5; ++trial) BOOST_TEST_CONTEXT(trial) {
      for (int b = 0; b < s.blocks; ++b) {
        u[b] = random.uniform(1, 30) * random.unit_vector();
        du[b] = random.unit_vector();
      }
      const std::vector<double> v0 = velocities(u);
      problem.add_geometric_stiffness();
      const auto turn = host_copy(s.turn.view());
      for (int b = 0; b < s.blocks; ++b) motion[b] = turn(b) * du[b];
      for (int with_turning = 0; with_turning < 2; ++with_turning) {
        const auto J = host_copy(with_turning ? s.left() : s.jacobian.view());
        double size = 0;
        for (int i = 0; i < p.items; ++i)
          for (int r = 0; r < 3; ++r) {
            const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0, row = p.item_row(i) + r;
            dv[row] = 0;
            for (int j = 0; j < k; ++j) dv[row] += dot(J(p.item_value(i) + r * k + j), motion[p.slot_block(s0 + j)]);
            size += std::fabs(v0[row]);
          }
        const double slope = taylor_slope(size, [&](double e) {
          for (int b = 0; b < s.blocks; ++b) at[b] = u[b] + e * du[b];
          const std::vector<double> now = velocities(at);
          double sum = 0;
          for (int r = 0; r < p.rows; ++r) sum += std::fabs(now[r] - v0[r] - e * dv[r]);
          return sum;
        });
        BOOST_TEST((slope >= kTaylorSlope) == (with_turning == 1), slope);  // J alone leaves first-order terms out
        velocities(u);
        problem.add_geometric_stiffness();
      }
    }
}

/// Twenty particles of a gram on rigid distances, in an oblique line at first, with ten kilograms at the end: what ties
/// a node to its neighbours outweighs its inertia a thousand times. With G2, which leaves it out, Newton creeps.
BOOST_AUTO_TEST_CASE(heavy_load_on_light_nodes) {
  constexpr double kStep = 0.015;
  constexpr int kSteps = 5;
  const World world = string_of_particles(20, 1e-3, 10);
  const auto newton_steps = [&](const std::string& stiffness) {
    const ScopedOptions scoped(
        "-snes_type ssnal -newton_start nearest -snes_atol 1e-9 -natural_map_tolerance 1e-8 -snes_max_it 300 "
        "-system_form stiffness -ksp_type preonly -pc_type lu -pc_factor_mat_ordering_type amd "
        "-pc_factor_zeropivot 1e-100 -geometric_stiffness " +
        stiffness);
    Model model(world, kStep);
    const RunFigures f = run(model, kSteps);
    if (stiffness == "full") BOOST_TEST(f.velocity_error <= 1e-9);  // [m/s] -snes_atol
    return f.newton_mean;
  };
  constexpr double kQuadratic = 40;  // Newton steps of a time step: a dozen values of ε, and what a kink may cost
  constexpr double kCreeping = 4;    // times as many, at least
  const double full = newton_steps("full");
  BOOST_TEST(full <= kQuadratic);
  BOOST_TEST(newton_steps("exact") >= kCreeping * full);
}

/// The preset that asks for it speaks to every strategy; those that solve no linear system have nothing to couple.
BOOST_AUTO_TEST_CASE(strategies_without_a_matrix_do_without) {
  for (const char* type : {"dual_ascent", "nsgs"}) {
    const ScopedOptions scoped(std::string("-geometric_stiffness full -snes_type ") + type);
    Model model(links(2, "ball", 1), 0.01);
    BOOST_CHECK_NO_THROW(model.step());
    BOOST_TEST(!model.problem().system().sparse_hessian());
  }
}

BOOST_AUTO_TEST_CASE(what_needs_symmetry_is_refused) {
  const World world = links(2, "ball", 1);
  for (const char* options : {"-ksp_type pcr", "-system_form stiffness -ksp_type preonly -pc_type cholesky",
                              "-system_form schur -ksp_type gmres -pc_type none -hessian_pc_type cholesky"}) {
    const ScopedOptions scoped(std::string("-geometric_stiffness full ") + options);
    const auto names_it = [](const InputError& e) {
      return std::string(e.what()).find("-geometric_stiffness full") != std::string::npos;
    };
    BOOST_CHECK_EXCEPTION(Model(world, 0.01).step(), InputError, names_it);
  }
}

BOOST_AUTO_TEST_SUITE_END()
