// Integrators that are lists of stages: their orders by regression over six steps, the numbers of an independent
// program, stiff springs, what is refused.

#include "framework/error.hpp"
#include "tests/scene_file.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <map>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(stages)

namespace {

// to 1e-10 m/s: the finest errors are 2e-7
const std::string kSolve =
    "-newton_damping 1 -snes_max_it 50 -snes_atol 1e-10 -ksp_type preonly -pc_type lu -system_form stiffness "
    "-regularisation_relative 0 -geometric_stiffness full -accept_budget true ";
constexpr double kFirst = 0.07, kSecond = 0.1;  // how far a slope of six steps may be from its order

using Numbers = std::vector<double>;

/// What `read` finds after `time` seconds of the scene in `steps` steps.
Numbers after(const std::string& scene, const std::string& integrator, double time, int steps,
              const std::function<Numbers(const Frame&)>& read, const std::string& more = "") {
  const ScopedOptions scoped(kSolve + "-integrator " + integrator + " " + more);
  const double h = time / steps;
  Model model(scene_from("time: {step: 1, end: 1}\n" + scene).world, h);
  BOOST_TEST_CONTEXT(integrator << " " << steps) BOOST_TEST(!run(model, steps).failed);
  return read(model.frame());
}

double distance(const Numbers& a, const Numbers& b) {
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k) largest = std::fmax(largest, std::fabs(a[k] - b[k]));
  return largest;
}

/// Slope of log error over log h by least squares.
double order(const Numbers& steps, const Numbers& error) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const double n = static_cast<double>(steps.size());
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const double a = -std::log(steps[k]), b = std::log(error[k]);
    x += a, y += b, xx += a * a, xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/// Order over six steps, each half of the one before, of the error against `reference`.
double measured_order(const std::string& scene, const std::string& integrator, double time, int coarsest,
                      const std::function<Numbers(const Frame&)>& read, const Numbers& reference) {
  Numbers steps, error;
  for (int k = 0; k < 6; ++k) {
    steps.push_back(coarsest << k);
    error.push_back(distance(after(scene, integrator, time, coarsest << k, read), reference));
  }
  BOOST_TEST_MESSAGE(integrator << ": " << error.front() << " … " << error.back() << ", order " << order(steps, error));
  return order(steps, error);
}

/// What two runs of second order tend to.
Numbers extrapolated(const std::string& scene, double time, int steps,
                     const std::function<Numbers(const Frame&)>& read) {
  const Numbers coarse = after(scene, "sdirk2", time, steps, read);
  Numbers out = after(scene, "sdirk2", time, 2 * steps, read);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] += (out[k] - coarse[k]) / 3;
  return out;
}

const std::vector<std::string> kSecondOrder{"trapezoidal", "contact_implicit_trapezoidal", "bdf2", "tr_bdf2", "sdirk2"};

const std::string kOscillator =
    "gravity: [0, 0, 0]\nparticles: [{name: p, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}]\n"
    "joints: [{pin: {name: j, body: p, anchor: [0, 0, 0], compliance: 1, damping: 0.1}}]";
const auto kMotion = [](const Frame& f) { return Numbers{f.particles[0].position.x, f.particles[0].velocity.x}; };
/// x'' + 0.1 x' + x = 0 from 0 at 1 m/s, after 1 s.
Numbers oscillator_exact() {
  const double d = 0.05, w = std::sqrt(1 - d * d), e = std::exp(-d);
  return {e * std::sin(w) / w, e * (std::cos(w) - d / w * std::sin(w))};
}

const std::string kPendulum =
    "gravity: [0, 0, -9.81]\nparticles: [{name: a, mass: 1, position: [1, 0, 0]}, {name: b, mass: 1, position: [2, 0, "
    "0]}]\njoints:\n  - distance: {name: ja, bodies: [world, a], anchors: [[0, 0, 0], [1, 0, 0]], compliance: "
    "COMPLIANCE}\n"
    "  - distance: {name: jb, bodies: [a, b], anchors: [[1, 0, 0], [2, 0, 0]], compliance: COMPLIANCE}\n";
std::string pendulum(const std::string& compliance) {
  std::string out = kPendulum;
  for (std::size_t at; (at = out.find("COMPLIANCE")) != std::string::npos;) out.replace(at, 10, compliance);
  return out;
}
const auto kPlaces = [](const Frame& f) {
  return Numbers{f.particles[0].position.x, f.particles[0].position.z, f.particles[1].position.x,
                 f.particles[1].position.z};
};

}  // namespace

BOOST_AUTO_TEST_CASE(oscillator) {
  const Numbers exact = oscillator_exact();
  BOOST_TEST(std::fabs(measured_order(kOscillator, "implicit_euler", 1, 10, kMotion, exact) - 1) <= kFirst);
  for (const std::string& name : kSecondOrder) BOOST_TEST_CONTEXT(name)
  BOOST_TEST(std::fabs(measured_order(kOscillator, name, 1, 10, kMotion, exact) - 2) <= kSecond);
}

/// Laws of velocities: forces at θ = ½ are of second order, rows that act of first.
BOOST_AUTO_TEST_CASE(moreau_jean) {
  const Numbers exact = oscillator_exact();
  BOOST_TEST(std::fabs(measured_order(kOscillator, "moreau_jean", 1, 10, kMotion, exact) - 1) <= kFirst);
  const std::string thrown =
      "gravity: [\"cos(3*t)\", 0, -9.81]\nparticles: [{name: p, mass: 1, position: [0, 0, 0], velocity: [1, 0, 0]}]";
  const auto x = [](const Frame& f) { return Numbers{f.particles[0].position.x}; };
  const Numbers end{1 + (1 - std::cos(3.0)) / 9};
  BOOST_TEST(std::fabs(measured_order(thrown, "moreau_jean", 1, 10, x, end) - 2) <= kSecond);
  BOOST_TEST(std::fabs(measured_order(thrown, "implicit_euler", 1, 10, x, end) - 1) <= kFirst);
}

/// Two masses on springs of 1000 N/m, let go from the horizontal: the reference and the errors at 1/120 s are those of
/// an independent program.
BOOST_AUTO_TEST_CASE(spring_pendulum) {
  const Numbers reference{.57723374, -.84941997, 1.52858422, -1.20259736};
  const std::map<std::string, double> known{{"implicit_euler", 1.531e-2},
                                            {"trapezoidal", 1.911e-4},
                                            {"contact_implicit_trapezoidal", 1.911e-4},
                                            {"bdf2", 5.62e-4},
                                            {"tr_bdf2", 9.25e-5},
                                            {"sdirk2", 7.6e-5}};
  constexpr double kDigits = 0.01;  // of numbers given to three digits
  for (const auto& [name, error] : known) {
    const double here = distance(after(pendulum("1e-3"), name, 0.5, 60, kPlaces), reference);
    BOOST_TEST_CONTEXT(name << " " << here << " known " << error) BOOST_TEST(std::fabs(here / error - 1) <= kDigits);
    const double expected = name == "implicit_euler" ? 1 : 2;
    const Numbers steps{30, 60, 120, 240, 480, 960};
    Numbers errors;
    for (const double n : steps)
      errors.push_back(distance(after(pendulum("1e-3"), name, 0.5, static_cast<int>(n), kPlaces), reference));
    BOOST_TEST_CONTEXT(name) BOOST_TEST(std::fabs(order(steps, errors) - expected) <= kSecond);
  }
}

/// A body that turns freely about no axis of its inertia: quaternions composed of two turns, and M at the end.
BOOST_AUTO_TEST_CASE(free_rotation) {
  const std::string scene =
      "gravity: [0, 0, 0]\nbodies: [{name: b, mass: 1, inertia: [1, 2, 3], angular_velocity: [1, 2, 0.5]}]";
  const auto turn = [](const Frame& f) {
    const Quat q = f.bodies[0].orientation;
    const Vec3 w = f.bodies[0].angular_velocity;
    const double sign = q.w < 0 ? -1 : 1;
    return Numbers{sign * q.w, sign * q.x, sign * q.y, sign * q.z, w.x, w.y, w.z};
  };
  const Numbers reference = extrapolated(scene, 1, 640, turn);
  BOOST_TEST(std::fabs(measured_order(scene, "implicit_euler", 1, 10, turn, reference) - 1) <= kFirst);
  for (const std::string& name : kSecondOrder)
    BOOST_TEST_CONTEXT(name) BOOST_TEST(std::fabs(measured_order(scene, name, 1, 10, turn, reference) - 2) <= kSecond);
}

/// A heavy top whose tip is held by springs of 1e3 N/m: torques beside gyroscopic terms.
BOOST_AUTO_TEST_CASE(top) {
  const std::string scene =
      "bodies: [{name: top, mass: 1, inertia: [0.01, 0.01, 0.02], position: [0.06, 0, 0.08], orientation: {axis: [0, "
      "1, "
      "0], angle_deg: 36.86989764584402}, angular_velocity: [12, 0, 16]}]\njoints: [{ball: {name: tip, bodies: [top, "
      "world], anchor: [0, 0, 0], compliance: 1e-3}}]";
  const auto place = [](const Frame& f) {
    const Vec3 x = f.bodies[0].position;
    return Numbers{x.x, x.y, x.z};
  };
  const Numbers reference = extrapolated(scene, 0.2, 640, place);
  BOOST_TEST(std::fabs(measured_order(scene, "implicit_euler", 0.2, 20, place, reference) - 1) <= 2 * kFirst);
  for (const std::string& name : kSecondOrder) BOOST_TEST_CONTEXT(name)
  BOOST_TEST(std::fabs(measured_order(scene, name, 0.2, 20, place, reference) - 2) <= 2 * kSecond);
}

/// A bar of elastic tetrahedra, clamped at one end, that is let go two hundredths longer than it is.
BOOST_AUTO_TEST_CASE(vibrating_bar) {
  const std::string scene =
      "gravity: [0, 0, 0]\nsoft: [{name: bar, mesh: {bar: {size: [0.6, 0.1, 0.1], cells: [2, 1, 1]}}, young: 2e3, "
      "poisson: 0.3, fixed: [x_min], stretch: [1.02, 1, 1]}]";
  const auto end = [](const Frame& f) {
    Numbers out;
    for (const FrameParticle& p : f.particles)
      if (p.position.x > 0.5) out.push_back(p.position.x);
    return out;
  };
  const Numbers reference = extrapolated(scene, 0.1, 640, end);
  BOOST_TEST(reference.size() == 4);
  BOOST_TEST(std::fabs(measured_order(scene, "implicit_euler", 0.1, 20, end, reference) - 1) <= kFirst);
  for (const std::string& name : kSecondOrder) BOOST_TEST_CONTEXT(name)
  BOOST_TEST(std::fabs(measured_order(scene, name, 0.1, 20, end, reference) - 2) <= kSecond);
}

/// A mass that presses on a spring of a contact, z = h √(k/m) = 1. Deviations from rest obey x'' = tr x' − det x from
/// step to step, and the spectral radius is √det: 1/√(1 + z²/2) with contacts implicit, 1 with all forces averaged.
BOOST_AUTO_TEST_CASE(contact_implicit) {
  const std::string scene =
      "gravity: [0, 0, -10]\nmaterials: {m: {contact_stiffness: 100, friction: 0}}\nbodies: [{name: floor, static: "
      "true, "
      "material: m, shape: {plane: {}}}]\nparticles: [{name: p, mass: 1, material: m, position: [0, 0, -0.11]}]";
  const auto determinant = [&](const std::string& integrator, double weight) {
    Numbers x;
    for (const int steps : {1, 2, 3, 4})
      x.push_back(after(scene, integrator, 0.1 * steps, steps,
                        [](const Frame& f) { return Numbers{f.particles[0].position.z}; })[0] +
                  weight);
    return (x[2] * x[2] - x[1] * x[3]) / (x[1] * x[1] - x[0] * x[2]);
  };
  constexpr double kExact = 1e-6;  // linear, solved to 1e-10 m/s; deviations are hundredths of a metre
  BOOST_TEST(std::fabs(determinant("contact_implicit_trapezoidal", 0.1) - 1 / 1.5) <= kExact);
  BOOST_TEST(std::fabs(determinant("trapezoidal", 0.1) - 1) <= 1e-3);  // u̇ at the start is that of h/100
}

/// A double pendulum of rigid rods: the formulas that end in a backward difference keep their order, sdirk2, whose
/// first stage has velocities of first order, does not.
BOOST_AUTO_TEST_CASE(rigid_rods) {
  const Numbers coarse = after(pendulum("0"), "tr_bdf2", 0.5, 640, kPlaces);
  Numbers reference = after(pendulum("0"), "tr_bdf2", 0.5, 1280, kPlaces);
  for (std::size_t k = 0; k < reference.size(); ++k) reference[k] += (reference[k] - coarse[k]) / 3;
  for (const std::string name : {"bdf2", "tr_bdf2"}) BOOST_TEST_CONTEXT(name)
  BOOST_TEST(std::fabs(measured_order(pendulum("0"), name, 0.5, 10, kPlaces, reference) - 2) <= 2 * kSecond);
  BOOST_TEST(std::fabs(measured_order(pendulum("0"), "sdirk2", 0.5, 10, kPlaces, reference) - 1) <= 2 * kFirst);
}

/// Springs of 1e8 N/m that start a millimetre long: L-stable ones are done with it at once. From zero: the start that
/// stages extrapolate from 1e5 m/s² leads to another solution, a rod turned over.
BOOST_AUTO_TEST_CASE(stiff_springs) {
  std::string stretched = pendulum("1e-8");
  const auto change = [&](const std::string& from, const std::string& to) {
    stretched.replace(stretched.find(from), from.size(), to);
  };
  change("name: a, mass: 1, position: [1, 0, 0]", "name: a, mass: 1, position: [1.001, 0, 0]");
  change("[[0, 0, 0], [1, 0, 0]],", "[[0, 0, 0], [1.001, 0, 0]], length: 1,");
  change("[[1, 0, 0], [2, 0, 0]],", "[[1.001, 0, 0], [2, 0, 0]], length: 1,");
  const auto excess = [](const Frame& f) { return Numbers{std::fabs(norm(f.particles[0].position) - 1)}; };
  for (const std::string name : {"implicit_euler", "bdf2", "tr_bdf2", "sdirk2"}) BOOST_TEST_CONTEXT(name)
  BOOST_TEST(after(stretched, name, 0.5, 60, excess, "-newton_start zero")[0] <=
             2e-6);  // the weights alone stretch it by 4e-7 m
}

/// What a longer or shorter step does to the formula of two steps: one step of implicit Euler, and on.
BOOST_AUTO_TEST_CASE(change_of_step) {
  const ScopedOptions scoped(kSolve + "-integrator bdf2");
  const auto end = [](double second) {
    Model model(scene_from("time: {step: 1, end: 1}\n" + kOscillator).world, 0.01);
    for (int k = 0; k < 50; ++k) (void)model.simulation().step(0.01);
    const int more = static_cast<int>(std::lround(0.5 / second));
    for (int k = 0; k < more; ++k) (void)model.simulation().step(second);
    return distance(kMotion(model.frame()), oscillator_exact());
  };
  BOOST_TEST(end(0.01) <= 2e-4);
  BOOST_TEST(end(0.0025) <= 2e-4);  // with the old formula: 5e-3
}

BOOST_AUTO_TEST_CASE(refused) {
  const auto message = [](const std::string& scene, const std::string& integrator) {
    const ScopedOptions scoped(kSolve + "-integrator " + integrator);
    try {
      Model model(scene_from("time: {step: 0.01, end: 1}\n" + scene).world, 0.01);
      for (int k = 0; k < 3; ++k) (void)model.step();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string on_floor =
      "bodies: [{name: floor, static: true, shape: {plane: {}}, material: m}, {name: ball, shape: {sphere: {radius: "
      "0.1}}, "
      "position: [0, 0, 0.1], material: m}]\nmaterials: {m: {density: 1000";
  for (const std::string& name : kSecondOrder) {
    BOOST_TEST(message(on_floor + "}}", name).find("hard on one side") != std::string::npos);
    BOOST_TEST(message(on_floor + ", contact_stiffness: 1e4}}", name) == "");
    const std::string rope =
        "particles: [{name: p, mass: 1, position: [0, 0, -1]}]\njoints: [{distance: {name: r, bodies: [world, p], "
        "anchors: [[0, "
        "0, "
        "0], [0, 0, -1]], side: rope}}]";
    BOOST_TEST(message(rope, name).find("hard on one side") != std::string::npos);
  }
  BOOST_TEST(message(pendulum("0"), "trapezoidal").find("is rigid") != std::string::npos);
  BOOST_TEST(message(pendulum("0"), "bdf2") == "");
}

// A particle on a soft floor is deepest within a step, at the end of its first stage. What the contacts know and what
// the poses show are both of the end of the step, though some residual is larger in the first stage.
BOOST_AUTO_TEST_CASE(penetration_is_of_the_end) {
  const std::string scene =
      "time: {step: 1, end: 1}\nmaterials: {pad: {friction: 0, contact_stiffness: 1e4}}\n"
      "bodies: [{name: floor, static: true, material: pad, shape: {plane: {}}}]\n"
      "particles: [{name: p, mass: 1, position: [0, 0, 1e-3], material: pad}]\n";
  constexpr double kDigits = 1e-12;  // [m] the solver's 1e-10 m/s over a hundredth of a second
  for (const std::string integrator : {"sdirk2", "tr_bdf2"}) {
    const ScopedOptions scoped(kSolve + "-detect_again 3 -integrator " + integrator);
    Model model(scene_from(scene).world, 2e-3);
    int touching = 0;
    for (int k = 0; k < 60; ++k) {
      const StepReport report = model.step();
      BOOST_TEST_CONTEXT(integrator << " step " << report.step) {
        BOOST_TEST(report.reason == "converged");
        const double seen = report.verdict.geometric_penetration.value().value;
        BOOST_TEST(std::fabs(seen - report.verdict.penetration.value) <= kDigits);
        touching += seen > 1e-4;
      }
    }
    BOOST_TEST(touching > 10);
  }
}

BOOST_AUTO_TEST_SUITE_END()
