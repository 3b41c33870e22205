// Contact of soft bodies: impulses balance on every item, momentum in impacts, a pad under a weight against its
// material, a strip that is folded on itself, and the same step by every law.

#include "physics/register.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(soft_contact)

namespace {

/// Full steps with a direct solve, the law of friction with its radius coupled: what converges at impacts.
const std::string kSolve =
    "-friction_map disc_projection_coupled -system_form stiffness -ksp_type preonly -pc_type lu -newton_damping 1 "
    "-snes_max_it 100 "
    "-accept_budget false -contact_margin 0.002 ";

SoftDescription cube(const std::string& name, double size, Vec3 position, Vec3 velocity = {}) {
  SoftDescription s;
  s.name = name;
  s.mesh = tet_box(Vec3{-0.5, -0.5, -0.5} * size, Vec3{0.5, 0.5, 0.5} * size, 2, 2, 2);
  s.young = 1e5;
  s.damping = 1e-3;
  s.material = "m";
  s.position = position;
  s.velocity = velocity;
  return s;
}

}  // namespace

void explain(const StepReport& r) {
  if (r.failed) BOOST_TEST_MESSAGE(r.explanation);
}

/// Every row of every contact: its impulses sum to nothing, and their moment about any point is what the gap makes of
/// it.
BOOST_AUTO_TEST_CASE(impulses_of_an_item_balance) {
  World w = world_with_plane(0.5);
  w.gravity = {};
  SoftDescription soft = cube("soft", 0.1, {0, 0, 0.3});
  soft.thickness = 0.002;
  w.bodies.push_back(box("below", {0.03, 0.05, 0.04}, 1, {0.01, 0.006, 0.2085}));
  w.bodies.back().orientation = normalized(Quat{1, 0.02, -0.03, 0.1});
  add_soft_body(w, soft);
  add_soft_body(w, cube("above", 0.07, {0.013, 0.021, 0.386}));
  const ScopedOptions scoped(kSolve + "-snes_atol 1e-8 -contact_margin 0.01");
  Model model(w, 0.001);
  BOOST_REQUIRE(!model.step().failed);
  const SaddlePointSystem& s = model.problem().system();
  const auto pattern = host_copy(s.pattern);
  std::vector<Vec3> jacobian, x;
  to_host(s.jacobian.view(), jacobian);
  to_host(model.problem().point().x, x);
  // Blocks 0 and 1 are those of the body "below", entity 1; particles follow, entity 2 on, a block each.
  // What overlaps by up to 3.5 mm is parted in the step, and friction acts in its middle; a wrong weight is 0.01 and
  // more.
  constexpr double kMovedInStep = 4e-3;
  int checked = 0, items = 0;
  const Frame frame = model.frame();
  for (int i = s.pattern.items - static_cast<int>(frame.contacts.size()); i < s.pattern.items; ++i, ++items) {
    const FrameContact& contact = frame.contacts[items];
    const int slots = pattern.item_slot(i + 1) - pattern.item_slot(i);
    for (int r = 0; r < 3; ++r) {
      Vec3 force{}, moment{};
      for (int k = 0; k < slots; ++k) {
        const int b = pattern.slot_block(pattern.item_slot(i) + k);
        const Vec3 j = jacobian[pattern.item_value(i) + r * slots + k];
        if (b == 1) {
          moment += j;
          continue;
        }
        force += j;
        moment += cross(x[b == 0 ? 1 : b], j);
      }
      BOOST_TEST(norm(force) <= 1e-15 * 10);  // weights of about one, six of them
      // Between two shells the tangential impulses are thickness and gap apart; elsewhere the gap.
      const bool shells = contact.body_a > 1 && contact.body_b > 1;
      BOOST_TEST_CONTEXT("contact " << items << " of " << contact.body_a << " and " << contact.body_b << " gap "
                                    << contact.gap << " row " << r << " moment " << norm(moment))
      BOOST_TEST(norm(moment) <= std::fabs(contact.gap) + (shells ? 0.002 : 0.0) + kMovedInStep);
      ++checked;
    }
  }
  BOOST_TEST(checked >= 3 * 16);
}

BOOST_AUTO_TEST_CASE(two_soft_bodies_meet) {
  double angular[2];
  for (int halved = 0; halved < 2; ++halved) {
    World w;
    w.gravity = {};
    w.materials["m"] = {1000, 0.3};
    SoftDescription left = cube("left", 0.1, {-0.06, 0, 0}, {1, 0, 0});
    SoftDescription right = cube("right", 0.1, {0.06, 0.031, 0.017}, {-0.5, 0, 0});
    left.damping = right.damping = 0;  // Rayleigh damping brakes turning, too
    add_soft_body(w, left);
    add_soft_body(w, right);
    const ScopedOptions scoped(kSolve + "-snes_atol 1e-7 -newton_start unconstrained");
    const double h = halved ? 0.0005 : 0.001;
    Model model(w, h);
    int contacts = 0;
    double drift = 0, spin = 0;
    const RunFigures f = run(model, halved ? 160 : 80, [&](const StepReport& r) {
      explain(r);
      contacts = std::max(contacts, r.contacts);
      const auto& p = r.verdict.linear_momentum;
      drift = std::fmax(drift, norm(Vec3{p[0] - 0.5, p[1], p[2]}));
      const auto& l = r.verdict.angular_momentum;
      spin = norm(Vec3{l[0], l[1], l[2]} - cross(Vec3{0.06, 0.031, 0.017}, Vec3{-0.5, 0, 0}));
    });
    BOOST_TEST(!f.failed);
    BOOST_TEST(contacts >= 9);
    BOOST_TEST(drift <= 160 * 1e-7 * 2);  // 160 solves to 1e-7 m/s of 2 kg, whose errors need not cancel
    BOOST_TEST(model.frame().softs[0].velocity[13].x < 0.9);  // it was hit
    angular[halved] = spin;
  }
  // Of 0.0177 N m s; of first order in h, and the bodies collide a little differently with each h.
  BOOST_TEST(angular[0] < 1e-3);
  BOOST_TEST(angular[1] < angular[0]);
}

/// A guided plate on a pad without friction: uniaxial compression by its weight, exactly homogeneous.
BOOST_AUTO_TEST_CASE(pad_under_a_weight) {
  constexpr double kYoung = 1e6, kPoisson = 0.3, kArea = 0.01, kHeight = 0.02;
  World w = world_with_plane(0);
  SoftDescription pad;
  pad.name = "pad";
  pad.mesh = tet_box({-0.05, -0.05, 0}, {0.05, 0.05, kHeight}, 4, 4, 2);
  pad.young = kYoung;
  pad.poisson = kPoisson;
  pad.density = 1000;  // 0.2 kg
  pad.damping = 0.05;
  pad.material = "m";
  add_soft_body(w, pad);
  w.bodies.push_back(box("plate", {0.08, 0.08, 0.01}, 40, {0, 0, kHeight + 0.01}));
  JointDescription guide = joint_at("slider", "guide", "plate", "world", {0, 0, kHeight});
  guide.coordinates.resize(1);
  w.joints.push_back(guide);
  const ScopedOptions scoped(kSolve + "-snes_atol 1e-7 -newton_start zero");
  Model model(w, 0.02);
  const RunFigures f = run(model, 60, explain);
  BOOST_TEST(!f.failed);
  const auto material = soft_material_registry().create("stable_neo_hookean");
  material->set(lame(kYoung, kPoisson, ""));
  const double pressure = (40 + 0.5 * 0.2) * kGravity / kArea;  // and half of its own weight, to first order
  double low = 0.8, high = 1;
  for (int k = 0; k < 60; ++k) {
    const double l = 0.5 * (low + high);
    double t_low = 0.9, t_high = 1.2;
    for (int j = 0; j < 60; ++j) {
      const double t = 0.5 * (t_low + t_high);
      (material->stretch_gradient({l, t, t}).y > 0 ? t_high : t_low) = t;
    }
    (material->stretch_gradient({l, t_low, t_low}).x > -pressure ? high : low) = l;
  }
  const double expected = kHeight * low + 0.01, z = model.frame().bodies[1].position.z;
  BOOST_TEST_CONTEXT("at " << z << ", expected " << expected)
  BOOST_TEST(std::fabs(z - expected) <= 1e-5 * (kHeight - kHeight * low));  // still settling at 1e-7 m/s
}

namespace {

/// A strip of 0.3 m bent to a U that lies on its lower arm; the upper arm is 10 mm above it and sags.
SoftDescription folded_strip(bool self_contact) {
  constexpr double kPi = 3.14159265358979323846, kArm = 0.11, kThick = 0.01, kRadius = 0.01;  // of the middle line
  SoftDescription s;
  s.name = "strip";
  s.mesh = tet_box({0, -0.02, -0.5 * kThick}, {2 * kArm + kPi * kRadius, 0.02, 0.5 * kThick}, 24, 2, 1);
  for (Vec3& p : s.mesh.nodes) {
    const double along = p.x, out = -p.z;  // the inside of the U is z > 0 of the straight strip
    if (along <= kArm) {
      p.x = along;
    } else if (along >= kArm + kPi * kRadius) {
      p.x = kArm - (along - kArm - kPi * kRadius);
      p.z = 2 * kRadius + out;
    } else {
      const double angle = (along - kArm) / kRadius, r = kRadius + out;
      p.x = kArm + r * std::sin(angle);
      p.z = kRadius - r * std::cos(angle);
    }
    p.z += 0.5 * kThick;
  }
  s.young = 2e4;
  s.poisson = 0.3;
  s.damping = 0.01;
  s.self_contact = self_contact;
  s.material = "m";
  return s;
}

}  // namespace

BOOST_AUTO_TEST_CASE(folded_strip_touches_itself) {
  for (const bool self : {true, false}) {
    World w = world_with_plane(0.3);
    SoftDescription strip = folded_strip(self);
    for (std::size_t n = 0; n < strip.mesh.nodes.size(); ++n)
      if (strip.mesh.nodes[n].z < 1e-9) strip.fixed.push_back(static_cast<int>(n));
    add_soft_body(w, strip);
    const ScopedOptions scoped(kSolve + "-snes_atol 1e-7");
    Model model(w, 0.01);
    const RunFigures f = run(model, 60, explain);
    BOOST_TEST(!f.failed);
    const std::vector<Vec3> x = model.frame().softs[0].position;
    double lowest = 1;  // of the inside of the upper arm over that of the lower, at z = 0.01
    for (std::size_t n = 0; n < x.size(); ++n)
      if (strip.mesh.nodes[n].x < 0.1 && std::fabs(strip.mesh.nodes[n].z - 0.02) < 1e-3)
        lowest = std::fmin(lowest, x[n].z);
    BOOST_TEST_CONTEXT("self contact " << self << ", lowest " << lowest) {
      if (self) {
        BOOST_TEST(lowest > 0.01 - 5e-4);  // the lower arm gives way by less than that
        BOOST_TEST(lowest < 0.0105);       // and it does touch
      } else {
        BOOST_TEST(lowest < 0.005);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_law_gives_the_same_step) {
  std::vector<Vec3> first;
  for (const std::string law : {"-contact_law decoupled", "-contact_law soc_fischer_burmeister",
                                "-contact_law natural_map", "-contact_law alart_curnier", "-contact_law jean_moreau",
                                "-contact_law decoupled -system_form saddle -pc_factor_mat_solver_type mumps",
                                "-contact_law decoupled -system_form schur"}) {
    World w = world_with_plane(0.5);
    w.bodies.push_back(box("block", {0.04, 0.03, 0.02}, 0.3, {0.011, 0.007, 0.1205}));
    add_soft_body(w, cube("soft", 0.1, {0, 0, 0.05}));
    add_soft_body(w, cube("small", 0.05, {0.01, 0, 0.166}));
    const ScopedOptions scoped(kSolve + "-snes_atol 1e-10 " + law);
    Model model(w, 0.005);
    const RunFigures f = run(model, 6, explain);
    const Frame frame = model.frame();
    std::vector<Vec3> x = frame.softs[0].position;
    x.insert(x.end(), frame.softs[1].position.begin(), frame.softs[1].position.end());
    x.push_back(frame.bodies[1].position);
    BOOST_TEST_CONTEXT(law << ", error " << f.velocity_error) {
      BOOST_TEST(!f.failed);
      BOOST_TEST(frame.contacts.size() >= 20u);
      if (first.empty()) first = x;
      double worst = 0;
      for (std::size_t n = 0; n < x.size(); ++n) worst = std::fmax(worst, norm(x[n] - first[n]));
      BOOST_TEST(worst <= 1e-8);  // six steps of 5 ms solved to 1e-10 m/s, contacts amplify by some hundred
    }
  }
}

/// A bar that lands aslant while it slides. The map with a lagged radius takes nodes that slide for nodes that stick,
/// and back (docs/theory.md, "Which friction map"): no step is solved once it touches. With the radius coupled to the
/// normal impulse every one is.
BOOST_AUTO_TEST_CASE(friction_with_a_lagged_radius_cycles) {
  World w = world_with_plane(0.5);
  w.gravity = {0, 0, -kGravity};
  SoftDescription bar;
  bar.name = "bar";
  bar.mesh = tet_box({0, -0.015, -0.0075}, {0.3, 0.015, 0.0075}, 12, 3, 1);
  bar.young = 2e5;
  bar.poisson = 0.4;
  bar.damping = 1e-3;
  bar.material = "m";
  bar.position = {0, 0, 0.02};
  bar.orientation = normalized(Quat{1, 0.012, 0.023, 0});  // 3 degrees
  bar.velocity = {0.3, 0.1, 0};
  add_soft_body(w, bar);
  const auto unsolved = [&](const std::string& map) {
    const ScopedOptions scoped("-friction_map " + map +
                               " -soft_form stiffness -system_form stiffness -ksp_type preonly -pc_type lu "
                               "-newton_damping 1 -newton_start zero -snes_max_it 30 -snes_atol 1e-6");
    Model model(w, 0.01);
    int count = 0;
    run(model, 12, [&](const StepReport& r) { count += r.newton_iterations >= 30; });
    return count;
  };
  BOOST_TEST(unsolved("disc_projection_coupled") == 0);
  // When this fails `disc_projection` has become better than its description.
  BOOST_TEST(unsolved("disc_projection") > 6);
}

/// Meshes that lie exactly on each other: of equal bodies every node is over a node and every edge along an edge, and
/// moved by a cell, or half of one, many are.
BOOST_AUTO_TEST_CASE(equal_bodies_stand_on_each_other) {
  constexpr double kSize = 0.1, kSag = 1e-3;  // [m]; what hangs over is lower by 4e-4
  constexpr int kBodies = 3, kSteps = 20;     // of 0.01 s, in which they would fall by 0.2 m
  for (const Vec3 aside : {Vec3{}, Vec3{0.05, 0, 0}, Vec3{0.025, 0.025, 0}, Vec3{0.02, 0.01, 0}}) {
    World w = world_with_plane(0.5);
    w.gravity = {0, 0, -kGravity};
    for (int k = 0; k < kBodies; ++k) {
      SoftDescription body =
          cube("cube" + std::to_string(k), kSize, Vec3{0, 0, (k + 0.5) * kSize} + 1.0 * (k % 2) * aside);
      body.young = 1e7;
      add_soft_body(w, body);
    }
    const ScopedOptions scoped(preset_options("robust"));
    Model model(w, 0.01);
    int converged = 0;
    run(model, kSteps, [&](const StepReport& r) { converged += r.reason == "converged"; });
    BOOST_TEST(converged == kSteps);
    std::vector<Vec3> x;
    to_host(model.state().x, x);
    const int nodes = (static_cast<int>(x.size()) - 1) / kBodies;
    for (std::size_t e = 1; e < x.size(); ++e) {
      const int body = (static_cast<int>(e) - 1) / nodes;
      BOOST_TEST(x[e].z > body * kSize - kSag, aside.x << " aside: " << x[e].z << " of body " << body);
    }
  }
}

/// Corners exactly on the edges of a rigid box are on its top, not on its sides, where nothing would hold them.
BOOST_AUTO_TEST_CASE(stands_on_edges_of_an_equal_box) {
  constexpr double kOverlap = 3e-7;  // [m] what -detect_again leaves; 1.4e-5 where a corner is on a side
  World w = world_with_plane(0.5);
  w.gravity = {0, 0, -kGravity};
  w.bodies.push_back(box("below", {0.05, 0.05, 0.05}, 1, {0, 0, 0.05}));
  SoftDescription body = cube("soft", 0.1, {0, 0, 0.15});
  body.young = 1e7;
  add_soft_body(w, body);
  const ScopedOptions scoped(preset_options("robust"));
  Model model(w, 0.01);
  int converged = 0;
  run(model, 10, [&](const StepReport& r) { converged += r.reason == "converged"; });
  BOOST_TEST(converged == 10);
  std::vector<Vec3> x;
  to_host(model.state().x, x);
  for (std::size_t e = 2; e < x.size(); ++e) BOOST_TEST(x[e].z > 0.1 - 2 * kOverlap);
}

BOOST_AUTO_TEST_SUITE_END()
