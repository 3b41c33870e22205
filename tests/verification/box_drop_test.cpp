// A turned, spinning box falls on the ground, tumbles and comes to rest on its largest face: energy bookkeeping over
// 180 steps.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(box_drop)

namespace {

constexpr double kStep = 1.0 / 120, kGravity = 9.81, kMass = 5;
constexpr Vec3 kHalf{0.5, 0.3, 0.2}, kSpin{1, 2, 3};
constexpr int kSteps = 180;
constexpr double kRestEnergy = kMass * kGravity * kHalf.z;  // 9.81 J, flat on the largest face
const std::string kConverged =
    "-ksp_type preonly -pc_type cholesky -snes_atol 1e-8 -snes_max_it 60 -newton_start zero ";

// The last steps end far below -snes_atol, because Newton's last step is quadratic (damping 1) or the box is at rest.
constexpr double kAtRest = 1e-9;
// 1e-8 m/s over a step is 8e-11 m; the reference has 3e-11.
constexpr double kPenetration = 1e-10;

Quat start_orientation() {
  const Vec3 axis{1, 2, 0.5};
  return from_axis_angle((1 / norm(axis)) * axis, 0.7);
}

/// m g z + ω·I ω / 2 before the first step, from the formula for the inertia of a box.
double first_energy() {
  const Vec3 w = rotate_inverse(start_orientation(), kSpin);
  const double xx = kHalf.x * kHalf.x, yy = kHalf.y * kHalf.y, zz = kHalf.z * kHalf.z;
  return kMass * kGravity + 0.5 * kMass / 3 * ((yy + zz) * w.x * w.x + (xx + zz) * w.y * w.y + (xx + yy) * w.z * w.z);
}

struct Drop {
  RunFigures figures;
  double first = 0, last = 0;    // energy [J]
  double flight_loss = 1e300;    // least loss of a step without contact [J]
  double largest_gain = -1e300;  // of any step [J]
  int flight_steps = 0, converged = 0;
  FrameBody end;
};

Drop drop(const std::string& options) {
  const ScopedOptions scoped(kConverged + options);
  World w = world_with_plane(0.5);
  BodyDescription b = box("b", kHalf, kMass, {0, 0, 1});
  b.orientation = start_orientation();
  b.angular_velocity = kSpin;
  w.bodies.push_back(b);
  Model model(w, kStep);
  Drop d;
  d.first = d.last = first_energy();
  d.figures = run(model, kSteps, [&d](const StepReport& r) {
    const double energy = r.verdict.kinetic_energy + r.verdict.potential_energy;
    const double gain = energy - d.last;
    d.last = energy;
    d.largest_gain = std::max(d.largest_gain, gain);
    d.converged += r.reason == "converged";
    if (r.contacts > 0) return;
    ++d.flight_steps;
    d.flight_loss = std::min(d.flight_loss, -gain);
  });
  d.end = model.frame().bodies[1];
  BOOST_TEST_MESSAGE(options << ": E0 " << d.first << ", end " << d.last << " J, flight loss at least " << d.flight_loss
                             << " J over " << d.flight_steps << " steps, largest gain " << d.largest_gain
                             << " J, converged " << d.converged << ", newton " << d.figures.newton_mean
                             << ", penetration " << d.figures.penetration);
  return d;
}

/// What holds for either gyroscopic term.
void check_drop(const Drop& d) {
  BOOST_TEST(std::fabs(d.first - 52.665) < 5e-4);  // the reference's digits
  BOOST_TEST(d.converged == kSteps);
  BOOST_TEST(d.flight_steps >= 30);  // the corner nearest to the ground is 0.4 m above it
  BOOST_TEST(d.figures.penetration < kPenetration);
  BOOST_TEST(std::fabs(d.last - kRestEnergy) < kAtRest);
  BOOST_TEST(std::fabs(d.end.position.z - kHalf.z) < kAtRest);
  BOOST_TEST(std::fabs(rotate(d.end.orientation, Vec3{0, 0, 1}).z) > 1 - kAtRest);
  BOOST_TEST(norm(d.end.velocity) < kAtRest);
  BOOST_TEST(norm(d.end.angular_velocity) < kAtRest);
}

}  // namespace

BOOST_AUTO_TEST_CASE(explicit_gyroscopic_term) {
  const Drop full = drop("-gyroscopic explicit -newton_damping 1");
  BOOST_TEST(full.figures.newton_mean < 4.5);  // the reference: 4.0
  const Drop damped = drop("-gyroscopic explicit -newton_damping 0.75");
  BOOST_TEST(damped.figures.newton_mean < 15.5);  // the reference: 14.9
  for (const Drop& d : {full, damped}) {
    check_drop(d);
    BOOST_TEST(d.flight_loss > 0.016);  // m g² h²/2 = 0.0167 J, less what the explicit term adds
    BOOST_TEST(d.largest_gain < 1e-5 * d.first);
  }
}

BOOST_AUTO_TEST_CASE(implicit_gyroscopic_term_never_gains_energy) {
  // Impacts are solved to 1e-8 m/s: 5 kg at 3 m/s cannot gain more than 1.5e-7 J by that.
  constexpr double kSolve = 1.5e-7;
  for (const char* damping : {"1", "0.75"}) {
    const Drop d = drop(std::string("-gyroscopic implicit -newton_damping ") + damping);
    check_drop(d);
    const double fall = 0.5 * kMass * kGravity * kGravity * kStep * kStep;  // backward Euler's loss in free fall
    BOOST_TEST(d.flight_loss > fall * (1 - 1e-9));
    BOOST_TEST(d.largest_gain < kSolve);
  }
}

BOOST_AUTO_TEST_SUITE_END()
