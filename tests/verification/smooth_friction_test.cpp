// Penalty contacts and smooth friction against closed forms and against the numbers of an independent program: a block
// that slides down a slope and stops, friction implicit and lagged, creep, stick-slip, stiffening, what is refused.
//
// The slope: tan 10° = 0.99619 μ, so that a lost friction impulse of one step counts 262 times. The penalty is at rest
// at δ/2 with the weight on it.

#include "framework/error.hpp"
#include "physics/contact/smooth_contact.hpp"
#include "tests/model_run.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(smooth_friction)

namespace {

constexpr double kPull = 1.7034886229125867, kWeight = 9.66096405704976, kFriction = 0.177;  // [m/s²], μ
constexpr double kBrake = kFriction * kWeight - kPull, kSpeed = 0.1;                         // [m/s²], [m/s]
constexpr double kEpsilon = 1e-4;                                                            // [m/s]
const std::string kSolve =
    "-contact_penalty cubic -snes_type newtonls -system_form stiffness -ksp_type preonly -pc_type lu -snes_max_it 100 "
    "-snes_atol 1e-11 -newton_start sticking -accept_budget false ";

std::string block(double height, const std::string& material = "") {
  return "time: {step: 0.01, end: 1}\ngravity: [" + std::to_string(kPull) + ", 0, " + std::to_string(-kWeight) +
         "]\nmaterials: {steel: {friction: 0.177, contact_stiffness: 12881.2854" + material +
         "}}\nbodies: [{name: slope, static: true, material: steel, shape: {plane: {}}}]\nparticles: [{name: block, "
         "mass: 1, "
         "material: steel, position: [0, 0, " +
         std::to_string(height) + "], velocity: [0.1, 0, 0]}]";
}

struct Stop {
  double x = 0, time = 0, speed = 0;  // where it first has v ≤ ε, and its speed at the end
  int newton = 0;
};

/// A run to `time`.
Stop slide(double height, double h, double time, const std::string& more = "") {
  const ScopedOptions scoped(kSolve + more);
  Model model(scene_from(block(height)).world, h);
  Stop out;
  const int steps = static_cast<int>(std::lround(time / h));
  for (int k = 0; k < steps; ++k) {
    const StepReport r = model.step();
    BOOST_REQUIRE_MESSAGE(!r.failed, "step " << k << ": " << r.reason << " " << more);
    const FrameParticle p = model.frame().particles[0];
    out.speed = p.velocity.x;
    out.newton = std::max(out.newton, r.newton_iterations);
    if (out.time == 0 && out.speed <= kEpsilon) out.time = r.time, out.x = p.position.x;
  }
  return out;
}

/// What backward Euler with Coulomb's law gives until it stops.
double discrete_distance(double h) {
  const double n = std::floor(kSpeed / (h * kBrake));
  return n * h * kSpeed - kBrake * h * h * n * (n + 1) / 2;
}

constexpr double kAtRest = 0.0005, kTouching = 0.001;

}  // namespace

/// The discrete closed form of hard friction, to what ε adds to the last step; implicit or lagged makes no difference
/// where the normal force is what it will be.
BOOST_AUTO_TEST_CASE(stops_as_hard_friction_does) {
  for (const double h : {0.1, 0.05}) {
    const Stop smooth = slide(kAtRest, h, 16);
    BOOST_TEST_CONTEXT("h " << h << " x " << smooth.x << " t " << smooth.time) {
      BOOST_TEST(std::fabs(smooth.x - discrete_distance(h)) <= 1e-4);
      BOOST_TEST(std::fabs(smooth.time - kSpeed / kBrake) <= h);
    }
    const Stop lagged = slide(kAtRest, h, 16, "-friction_evaluation lagged");
    BOOST_TEST(std::fabs(lagged.x - smooth.x) <= 1e-6);
  }
}

/// ε (1 − √(1 − f/μλ)), whatever ε is.
BOOST_AUTO_TEST_CASE(creeps) {
  for (const double epsilon : {1e-3, 1e-4}) {
    const Stop end = slide(kAtRest, 0.1, 17, "-smooth_friction_epsilon " + std::to_string(epsilon));
    const double creep = epsilon * (1 - std::sqrt(1 - kPull / (kFriction * kWeight)));
    BOOST_TEST_CONTEXT(end.speed / epsilon)
    BOOST_TEST(std::fabs(end.speed / creep - 1) <= 1e-5);  // the scene has six decimals
  }
}

/// A block that touches without load has no friction in its first step where friction lags: it slides on as if it had
/// started faster by μ h λ/m, an error of first order in h, which three passes take away.
BOOST_AUTO_TEST_CASE(lagged_friction_is_of_first_order) {
  for (const double h : {0.1, 0.05}) {
    const double speed = kSpeed + kFriction * h * kWeight, distance = speed * speed / (2 * kBrake);
    const Stop once = slide(kTouching, h, speed / kBrake + 1, "-friction_evaluation lagged");
    BOOST_TEST_CONTEXT("h " << h << " x " << once.x << " of " << distance)
    BOOST_TEST(std::fabs(once.x / distance - 1) <= 0.05);  // that of backward Euler, h v/2
    const Stop passes = slide(kTouching, h, 17, "-friction_evaluation lagged -friction_passes 3");
    const Stop implicit = slide(kTouching, h, 17);
    BOOST_TEST(std::fabs(passes.x - implicit.x) <= 1e-4);
    BOOST_TEST(std::fabs(implicit.x - discrete_distance(h)) <= 2e-4);
  }
}

/// With half of the steps the trapezoidal rule has no error left to speak of, from equilibrium.
BOOST_AUTO_TEST_CASE(second_order_from_equilibrium) {
  for (const std::string name : {"trapezoidal", "contact_implicit_trapezoidal", "tr_bdf2", "sdirk2", "bdf2"}) {
    const Stop stop = slide(kAtRest, 0.05, 16, "-integrator " + name);
    BOOST_TEST_CONTEXT(name << " x " << stop.x) BOOST_TEST(std::fabs(stop.x / 0.768992 - 1) <= 3e-4);
  }
}

/// The same step by PETSc's Newton method on the velocity alone.
BOOST_AUTO_TEST_CASE(primal_solves_the_same) {
  const Stop here = slide(kTouching, 0.05, 2);
  const Stop primal = slide(kTouching, 0.05, 2, "-snes_type primal -primal_snes_type newtonls");
  BOOST_TEST(std::fabs(here.speed - primal.speed) <= 1e-9);
}

namespace {

/// m = 1 kg, k = 100 N/m on a belt of 0.2 m/s with λ = 10 N, μ 0.6 and 0.4, ε = 1e-3, v_s = 1e-2.
const std::string kBelt =
    "time: {step: 0.002, end: 1}\ngravity: [0, 0, -10]\nmaterials: {pad: {friction: 0.6, contact_stiffness: "
    "13333.3333, "
    "static_kinetic: {kinetic: 0.6666666667, speed: 0.01}}}\nbodies: [{name: belt, prescribed: true, velocity: [0.2, "
    "0, "
    "0], material: pad, shape: {plane: {}}}]\nparticles: [{name: m, mass: 1, material: pad, position: [0, 0, "
    "0.0005]}]\njoints: [{distance: {name: spring, bodies: [m, world], anchors: [[0, 0, 0.0005], [-10, 0, "
    "0.0005]], length: 10, compliance: 0.01}}]";

struct StickSlip {
  bool failed = false;
  double period = 0, least = 1, most = 0;
};

/// Four seconds; extremes and period after the first slip.
StickSlip stick_slip_run(const std::string& integrator, double h) {
  const ScopedOptions scoped(kSolve +
                             "-newton_start previous -smooth_friction stribeck_smooth -smooth_friction_epsilon "
                             "1e-3 -integrator " +
                             integrator);
  Model model(scene_from(kBelt).world, h);
  StickSlip out;
  std::vector<double> crossing;  // of x = 0.04 upwards
  double last = 0;
  while (model.state().t < 4) {
    const StepReport r = model.step();
    if (r.failed) {
      out.failed = true;
      return out;
    }
    const double x = model.frame().particles[0].position.x;
    if (r.time > 0.8) {
      out.most = std::fmax(out.most, x);
      out.least = std::fmin(out.least, x);
      if (last < 0.04 && x >= 0.04) crossing.push_back(r.time - h * (x - 0.04) / (x - last));
    }
    last = x;
  }
  out.period = (crossing.back() - crossing.front()) / static_cast<double>(crossing.size() - 1);
  return out;
}

}  // namespace

/// Period and extremes of an independent program's fine solution of the same smooth law.
BOOST_AUTO_TEST_CASE(stick_slip) {
  const StickSlip second = stick_slip_run("sdirk2", 0.002), first = stick_slip_run("implicit_euler", 0.002);
  BOOST_TEST_CONTEXT("period " << second.period << " x " << second.least << " to " << second.most) {
    BOOST_TEST(std::fabs(second.period - 0.68075) <= 1e-3);
    BOOST_TEST(std::fabs(second.most - 0.06953) <= 2e-4);
    BOOST_TEST(std::fabs(second.least - 0.01047) <= 2e-4);
  }
  BOOST_TEST_CONTEXT("period " << first.period) BOOST_TEST(std::fabs(first.period - 0.6724) <= 1e-3);
}

/// Beyond b = v_s m/(1.5 Δμ λ) = 3.3 ms a step has several solutions, and where Newton's line search ends may be none.
BOOST_AUTO_TEST_CASE(stribeck_limits_the_step) {
  BOOST_TEST(!stick_slip_run("implicit_euler", 0.002).failed);
  BOOST_TEST(stick_slip_run("implicit_euler", 0.005).failed);
}

/// A block that falls deeper than the penalty can hold: the step again with a stiffer one, until it ends outside.
BOOST_AUTO_TEST_CASE(stiffening) {
  const std::string scene =
      "time: {step: 0.01, end: 1}\nmaterials: {m: {contact_stiffness: 1000}}\nbodies: [{name: floor, static: true, "
      "material: m, shape: {plane: {}}}, {name: b, material: m, mass: 1, shape: {box: {half: [0.1, 0.1, 0.1]}}, "
      "position: "
      "[0, 0, 0.12], velocity: [0, 0, -2]}]";
  const auto deepest = [&](const std::string& more, long& repeats) {
    const ScopedOptions scoped(kSolve + more);
    Model model(scene_from(scene).world, 0.01);
    double depth = 0;
    repeats = 0;
    for (int k = 0; k < 30; ++k) {
      const StepReport r = model.step();
      BOOST_REQUIRE(!r.failed);
      depth = std::fmax(depth, r.verdict.penetration.value);
      if (const auto at = r.safeguards.find("contact_stiffening"); at != r.safeguards.end()) repeats += at->second;
    }
    return depth;
  };
  long repeats = 0;
  BOOST_TEST(deepest("", repeats) > 1e-3);
  BOOST_TEST(repeats == 0);
  BOOST_TEST(deepest("-contact_stiffening 10", repeats) == 0);
  BOOST_TEST(repeats >= 1);
  BOOST_TEST(repeats <= 6);
}

/// Where what is pushed begins to slide, the way it goes has a corner in μ with hard friction, and none with smooth
/// friction: one-sided slopes differ by h²-sums of g cos at the corner, or by less and less as the difference shrinks.
BOOST_AUTO_TEST_CASE(smooth_gradients) {
  const auto way = [](double mu, const std::string& options) {
    const ScopedOptions scoped(options);
    std::string scene = block(kAtRest);
    scene.replace(scene.find("friction: 0.177"), 15, "friction: " + std::to_string(mu));
    scene.replace(scene.find("velocity: [0.1, 0, 0]"), 21, "velocity: [0, 0, 0]");
    if (options.find("contact_penalty") == std::string::npos)
      scene.replace(scene.find("0.000500"), 8, "0.000000"), scene.erase(scene.find(", contact_stiffness"), 31);
    Model model(scene_from(scene).world, 0.01);
    for (int k = 0; k < 10; ++k) BOOST_REQUIRE(!model.step().failed);
    return model.frame().particles[0].position.x;
  };
  const auto jump = [&](double d, const std::string& options) {
    const double corner = kPull / kWeight, at = way(corner, options);
    return std::fabs(way(corner + d, options) - 2 * at + way(corner - d, options)) / d;
  };
  const std::string hard =
      "-snes_type ssnal -snes_atol 1e-11 -snes_max_it 1000 -system_form stiffness -ksp_type "
      "preonly -pc_type lu -newton_start unconstrained -accept_budget false";
  const std::string smooth = kSolve + "-smooth_friction_epsilon 0.01";
  // h² n (n + 1)/2 g cos of ten steps of 10 ms
  BOOST_TEST(std::fabs(jump(2e-4, hard) / (0.0055 * kWeight) - 1) <= 0.01);  // the scene has six decimals
  BOOST_TEST(std::fabs(jump(1e-4, hard) / (0.0055 * kWeight) - 1) <= 0.02);
  const double coarse = jump(2e-4, smooth), fine = jump(1e-4, smooth);
  BOOST_TEST_CONTEXT(coarse << " " << fine) BOOST_TEST(fine <= 0.6 * coarse);
}

/// What a step costs that evaluates the penalty at its start only: stable to 2/ω, and without bound beyond it, where
/// an implicit one a hundred times as long comes to rest.
BOOST_AUTO_TEST_CASE(explicit_steps_are_short) {
  constexpr double kDistance = 1e-3, kStiffness = 4 * kWeight / (3 * kDistance);  // at rest at δ/2
  const double omega = std::sqrt(-contact_penalty(ContactPenalty::cubic, kDistance / 2, kDistance, kStiffness).slope);
  const auto farthest = [&](double h) {  // symplectic Euler of a mass of 1 kg, a hundredth of δ from rest, 1000 steps
    double d = 0.51 * kDistance, v = 0, most = 0;
    for (int k = 0; k < 1000; ++k) {
      v += h * (contact_penalty(ContactPenalty::cubic, d, kDistance, kStiffness).force - kWeight);
      d += h * v;
      most = std::fmax(most, std::fabs(d - kDistance / 2));
    }
    return most;
  };
  BOOST_TEST(farthest(1.8 / omega) <= 0.1 * kDistance);
  BOOST_TEST(farthest(2.2 / omega) >= 0.4 * kDistance);
  const double h = 200 / omega;
  const ScopedOptions scoped(kSolve);
  Model model(scene_from(block(kTouching)).world, h);
  for (int k = 0; k < 10; ++k) BOOST_REQUIRE(!model.step().failed);
  BOOST_TEST(std::fabs(model.frame().particles[0].position.z - kDistance / 2) <= 1e-8);
}

/// A box that strikes at an angle and sticks, ε = 1e-5 m/s, in one step of 10 ms: what Newton's method makes of it by
/// where it starts, and by what stands by. Iterations of an independent program: 6 to 7 without slip, 10 to 32 with
/// larger ε first, 22 to 41 with secants, which need no line search; without one, Newton's own steps never end.
BOOST_AUTO_TEST_CASE(ways_into_sticking) {
  const std::string scene =
      "time: {step: 0.01, end: 1}\nmaterials: {m: {friction: 0.8, contact_stiffness: 13000}}\nbodies: [{name: floor, "
      "static: true, material: m, shape: {plane: {}}}, {name: b, material: m, mass: 1, shape: {box: {half: [0.1, 0.1, "
      "0.1]}}, position: [0, 0, 0.102], velocity: [0.1, 0, -0.3]}]";
  struct Struck {
    bool failed;
    int newton;
    long eased;
    double speed;
  };
  const auto strike = [&](const std::string& more) {
    const ScopedOptions scoped(kSolve + "-smooth_friction_epsilon 1e-5 -snes_atol 1e-10 " + more);
    Model model(scene_from(scene).world, 0.01);
    const StepReport r = model.step();
    const auto at = r.safeguards.find("smooth_friction_continuation");
    return Struck{r.failed, r.newton_iterations, at == r.safeguards.end() ? 0 : at->second,
                  model.frame().bodies[1].velocity.x};
  };
  const std::string full = "-newton_start previous -snes_linesearch_type basic ";
  const Struck sticking = strike(""), moving = strike("-newton_start previous"),
               eased = strike("-newton_start previous -smooth_friction_continuation 2"),
               secants = strike(full + "-smooth_friction_slope picard");
  BOOST_TEST(strike(full).failed);
  for (const Struck& s : {sticking, moving, eased, secants}) {
    BOOST_TEST(!s.failed);
    BOOST_TEST(std::fabs(s.speed - sticking.speed) <= 1e-9);  // each solved to 1e-10 m/s
    BOOST_TEST(std::fabs(s.speed) <= 0.01);                   // of 0.1 m/s: its feet stick, and it rocks
  }
  BOOST_TEST(moving.eased == 0);
  BOOST_TEST(eased.eased == 2);
  BOOST_TEST(sticking.newton <= 12);
  BOOST_TEST(moving.newton >= 1.5 * sticking.newton);
  BOOST_TEST(eased.newton <= 40);
  BOOST_TEST(secants.newton <= 41);
}

/// Matchstick cones, which are ellipses between two grains, with a penalty: blocks go as far as with hard contact
/// (cases/matchstick_pair, closed forms), to what ε and the first moments at gap zero leave.
BOOST_AUTO_TEST_CASE(cones_with_a_grain) {
  constexpr double kDistance = 1e-4;
  const ScopedOptions scoped(kSolve + "-snes_atol 1e-9 -contact_stiffness 1e6 -contact_penalty_distance 1e-4");
  Model model(read_scene(std::string(CLARKE_SOURCE_DIR) + "/cases/matchstick_pair.yaml").world, 0.005);
  const std::vector<FrameBody> start = model.frame().bodies;
  for (int k = 0; k < 240; ++k) BOOST_REQUIRE(!model.step().failed);
  const std::vector<FrameBody> end = model.frame().bodies;
  const double paths[] = {0.249845, 0.286264075, 0.3347923, 0.402762375, 1.0143707};
  for (int b = 0; b < 5; ++b) {
    const Vec3 way = end[b + 1].position - start[b + 1].position;
    BOOST_TEST_CONTEXT(way.x << " " << way.y) BOOST_TEST(std::fabs(std::hypot(way.x, way.y) - paths[b]) <= kDistance);
  }
}

/// A block whose way is found with products by dual numbers alone, no matrix being used, and the same with the matrix.
BOOST_AUTO_TEST_CASE(without_a_matrix) {
  const Stop matrix = slide(kTouching, 0.05, 1);
  const Stop products = slide(kTouching, 0.05, 1,
                              "-jacobian_product dual_numbers -outer_ksp_type bcgs -outer_pc_type none "
                              "-outer_ksp_rtol 1e-10");
  BOOST_TEST(std::fabs(matrix.x - products.x) <= 1e-10);
  const ScopedOptions scoped(kSolve + "-jacobian_product dual_numbers");
  BOOST_CHECK_THROW(Model(scene_from(block(kAtRest)).world, 0.01), InputError);  // nothing multiplies
}

BOOST_AUTO_TEST_CASE(refused) {
  const auto message = [](const std::string& scene, const std::string& more) {
    const ScopedOptions scoped(kSolve + more);
    try {
      Model model(scene_from(scene).world, 0.01);
      (void)model.prepare();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  BOOST_TEST(message(block(kAtRest), "") == "");
  BOOST_TEST(message(block(kAtRest), "-pc_type cholesky").find("unsymmetric") != std::string::npos);
  BOOST_TEST(message(block(kAtRest), "-ksp_type minres -pc_type jacobi").find("unsymmetric") != std::string::npos);
  BOOST_TEST(message(block(kAtRest), "-contact_penalty_distance 0.1").find("contact_margin") != std::string::npos);
  BOOST_TEST(message(block(kAtRest), "-integrator moreau_jean").find("velocities") != std::string::npos);
  BOOST_TEST(message(block(kAtRest), "-friction_passes 2").find("lagged") != std::string::npos);
  BOOST_TEST(message(block(kAtRest, ", contact_damping: 1"), "").find("contact_damping") != std::string::npos);
  BOOST_TEST(message(block(kAtRest, ", rolling_friction: 0.1"), "").find("rolling") != std::string::npos);
  BOOST_TEST(message(block(kAtRest), "-contact_penalty log_barrier") == "");
  BOOST_TEST(message(block(kAtRest), "-contact_relaxation none").find("is hard") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
