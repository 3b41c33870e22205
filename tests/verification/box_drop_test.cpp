// A turned, spinning box falls on the ground, tumbles and comes to rest on its largest face: energy bookkeeping over 180 steps.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(box_drop)

namespace {

constexpr double kStep = 1.0 / 120, kGravity = 9.81, kMass = 5;
constexpr Vec3 kHalf{0.5, 0.3, 0.2}, kSpin{1, 2, 3};
constexpr int kSteps = 180;

Quat start_orientation() {
  const Vec3 axis{1, 2, 0.5};
  return from_axis_angle((1 / norm(axis)) * axis, 0.7);
}

/// m g z + ½ ω·I ω before the first step, from the box's own formula for I.
double first_energy() {
  const Vec3 w = rotate_inverse(start_orientation(), kSpin);
  const double ix = kHalf.y * kHalf.y + kHalf.z * kHalf.z, iy = kHalf.x * kHalf.x + kHalf.z * kHalf.z,
               iz = kHalf.x * kHalf.x + kHalf.y * kHalf.y;
  return kMass * kGravity + 0.5 * kMass / 3 * (ix * w.x * w.x + iy * w.y * w.y + iz * w.z * w.z);
}

struct Drop {
  RunFigures figures;
  double first = 0, last = 0;       // energy [J]
  double flight_loss = 1e300;       // least loss of a step without contact [J]
  double largest_gain = -1e300;     // of any step [J]
  int flight_steps = 0, converged = 0;
  Frame end;
};

Drop drop(const std::string& options) {
  const ScopedOptions scoped("-ksp_type preonly -pc_type cholesky -snes_atol 1e-8 -snes_max_it 60 -newton_start zero " +
                             options);
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
  d.end = model.frame();
  BOOST_TEST_MESSAGE(options << ": E0 " << d.first << " end " << d.last - 9.81 << " - 9.81, flight loss " << d.flight_loss
                             << " J over " << d.flight_steps << " steps, largest gain " << d.largest_gain
                             << " J, converged " << d.converged << ", newton " << d.figures.newton_mean << "/"
                             << d.figures.newton_max << ", penetration " << d.figures.penetration);
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE(explicit_gyroscopic_term) {
  for (const char* damping : {"1", "0.75"}) drop(std::string("-gyroscopic explicit -newton_damping ") + damping);
}

BOOST_AUTO_TEST_CASE(implicit_gyroscopic_term) {
  for (const char* damping : {"1", "0.75"}) drop(std::string("-gyroscopic implicit -newton_damping ") + damping);
}

BOOST_AUTO_TEST_SUITE_END()
