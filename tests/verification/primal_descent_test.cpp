// Relaxed steps solved in the velocity alone: the pendulums and the heavy stack of [Macklin Erleben Müller Chentanez
// Jeschke Kim 2020, figures 4, 5 and 8] at their reference numbers, and against Newton on the same model in the saddle
// form.

#include "tests/verification/relaxed_worlds.hpp"
#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(primal_descent)

namespace {

/// The same model: one answer up to the tolerance asked of both.
constexpr double kAgreement = 1e-9;  // [m/s]
// Springs of 1e9 N/m end at rounding, above this tolerance.
const std::string kConverged = "-snes_atol 1e-11 -snes_max_it 3000 -accept_budget false -detect_again 0 ";
const std::string kPrimal = kConverged + "-snes_type primal_descent -newton_start nearest ";
/// The paper's 20 iterations from ũ; a step is taken however far it got.
const std::string kPaper = kPrimal +
                           "-snes_max_it 20 -accept_budget true -newton_start unconstrained -accept_velocity_error "
                           "1e300 ";
const std::string kNewton = kConverged + "-snes_type primal -newton_start nearest ";
const std::string kSaddle = kConverged +
                            "-snes_type nonsmooth_newton -friction_map disc_projection_coupled -ncp_function "
                            "minimum_map -geometric_stiffness exact -newton_damping 1 -system_form saddle -ksp_type "
                            "preonly -pc_type lu -pc_factor_mat_solver_type mumps ";

/// Of the reference's seven digits, at rest.
constexpr double kDigits = 1e-6;
const std::string kStiff = "-contact_stiffness 1e8 -friction_stiffness 1e8 ";

struct Stand {
  double drift, foot, penetration;
  std::vector<Vec3> velocity;
};

Stand stand(const World& w, int steps, const std::string& options) {
  const ScopedOptions scoped(kStiff + options);
  Model model(w, 1.0 / 120);
  const std::vector<Vec3> start = body_positions(model);
  double penetration = 0;  // at the end
  const RunFigures f = run(model, steps, [&](const StepReport& r) {
    penetration = r.verdict.penetration.value;
    if (r.failed) BOOST_TEST_MESSAGE("step " << r.step << ": " << r.reason);
  });
  BOOST_TEST_REQUIRE(f.failed == 0);
  Stand s{drift_since(start, model), normal_force_on("ground", model), penetration, {}};
  to_host(model.state().u, s.velocity);
  BOOST_TEST_MESSAGE("drift " << s.drift << ", foot " << s.foot << ", penetration " << s.penetration << ", iterations "
                              << f.newton_mean << ", velocity error " << f.velocity_error);
  return s;
}

}  // namespace

// Equal springs of 1e5 N/m: conjugate directions are there in the paper's 20 iterations, plain descent nearly.
BOOST_AUTO_TEST_CASE(equal_springs) {
  const World w = test::pendulum(1e5, 1e5, 1);
  for (const std::string& options : {kPaper, kPrimal}) {
    const Stretch s = swing(w, options);
    BOOST_TEST(within_share(s.upper, 5.33e-4, 0.02));
    BOOST_TEST(within_share(s.lower, 4.15e-4, 0.02));
    BOOST_TEST(std::fabs(s.tip.x + 1.2747) <= 1e-4);
    BOOST_TEST(std::fabs(s.tip.z + 1.5116) <= 1e-4);
  }
  const Stretch plain = swing(w, kPaper + "-primal_accelerate none");
  BOOST_TEST(within_share(plain.upper, 7.7e-4, 0.02));
}

// A ratio of 10⁴ in stiffness: what is expected of plain descent is to fail.
BOOST_AUTO_TEST_CASE(stiffness_ratio) {
  const World w = test::pendulum(1e5, 1e9, 1);
  const Stretch s = swing(w, kPrimal);
  BOOST_TEST(s.unconverged == 0);
  BOOST_TEST(within_share(s.upper, 5.33e-4, 0.02));
  BOOST_TEST(within_share(s.lower, 4.14e-8, 0.02));
  BOOST_TEST(std::fabs(s.tip.x + 1.2749) <= 1e-4);
  BOOST_TEST(std::fabs(s.tip.z + 1.5112) <= 1e-4);
  const Stretch plain = swing(w, kPaper + "-primal_accelerate none");
  BOOST_TEST(plain.upper > 1);
}

BOOST_AUTO_TEST_CASE(mass_ratio) {
  const World w = test::pendulum(1e8, 1e8, 1e4);
  const Stretch s = swing(w, kPaper);
  BOOST_TEST(within_share(s.upper, 2.71e-3, 0.01));
  BOOST_TEST(within_share(s.lower, 2.71e-3, 0.01));
  BOOST_TEST(std::fabs(s.tip.x + 0.8487) <= 1e-4);
  BOOST_TEST(std::fabs(s.tip.z + 1.8162) <= 1e-4);
}

// Steps of the relaxed model, whoever solves them: in the velocity or in the saddle form.
BOOST_AUTO_TEST_CASE(same_answer_as_newton_with_compliance) {
  std::vector<std::string> strategies{kPrimal, kNewton, kNewton + "-primal_tangent weight ",
                                      kNewton + "-primal_snes_type qn -primal_snes_qn_m 5 "};
  for (const int steps : {1, 10}) {
    const Stand saddle = stand(heavy_stack(), steps, kSaddle);
    for (const std::string& options : strategies) {
      const Stand primal = stand(heavy_stack(), steps, options);
      BOOST_TEST(largest_difference(primal.velocity, saddle.velocity) <= kAgreement);
      BOOST_TEST(within_share(primal.foot, saddle.foot, 1e-8));
    }
  }
  strategies.pop_back();                // with contacts that slide qn's line search may fail
  for (const double mu : {0.3, 0.8}) {  // slides, and creeps
    const Stand saddle = stand(slope(mu), 20, kSaddle + "-friction_stiffness 1e6 ");
    for (const std::string& options : strategies) {
      const Stand primal = stand(slope(mu), 20, options + "-friction_stiffness 1e6 ");
      BOOST_TEST(largest_difference(primal.velocity, saddle.velocity) <= 2 * kAgreement);
    }
  }
}

// (W/(n k))^(1/(p−1)): 98.1 N on four points of 1e8 N/m^(p−1), to seven digits of an independent implementation.
BOOST_AUTO_TEST_CASE(rest_penetrations) {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("box", {0.5, 0.5, 0.25}, 10, {0, 0, 0.25}));
  const std::array<double, 3> depth{2.452500e-07, 4.952272e-04, 6.259452e-03};
  for (const std::string& type : {kPrimal, kNewton})
    for (int p = 2; p <= 4; ++p) {
      BOOST_TEST_CONTEXT(type << p) {
        const Stand s = stand(w, 200, type + "-contact_exponent " + std::to_string(p) + " ");
        BOOST_TEST(within_share(s.penetration, depth[p - 2], kDigits));
        BOOST_TEST(within_share(s.foot, 98.1, kDigits));
      }
    }
}

// The downhill contacts of the slope stick and creep by 12.4385 N over the stiffness, whoever solves it; what is smooth
// creeps more, by the slope of its own law at that force.
BOOST_AUTO_TEST_CASE(creep_of_all_smoothings) {
  const auto speed = [](const std::string& options) {
    const Stand s = stand(slope(0.8), 60, options);
    return norm(s.velocity[0]);
  };
  for (const std::string& type : {kPrimal, kNewton}) {
    BOOST_TEST(within_share(speed(type + "-friction_stiffness 1e6 "), 1.4926e-3, 5e-5));
    const double viscous = speed(type + "-friction_stiffness 1e4 -friction_stiffness_kind viscous ");
    BOOST_TEST(within_share(viscous, 1.2439e-3, 5e-5));
    for (const std::string smoothing : {"pseudo_huber", "quintic"}) {
      const double smooth = speed(type + "-friction_stiffness 1e6 -friction_smoothing " + smoothing + " ");
      BOOST_TEST_MESSAGE(smoothing << " creeps at " << smooth);
      BOOST_TEST(smooth > 1.4926e-3);
      BOOST_TEST(smooth < 3e-3);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_not_linear_is_refused_by_name) {
  const auto refusal = [](const std::string& cone, const std::string& options) -> std::string {
    const ScopedOptions scoped(kStiff + options);
    World w = slope(0.3);
    w.materials["cone"] = w.materials["m"];
    w.materials["cone"].surface.cone = cone;
    w.materials["cone"].surface.numbers = {5, 0, 0, 0};
    w.bodies.front().material = "cone";
    try {
      Model(w, 0.01).prepare();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string exponent = refusal("isotropic", "-contact_exponent 3");
  BOOST_TEST(exponent.find("expected -contact_exponent 2") != std::string::npos);
  const std::string smoothing = refusal("isotropic", "-friction_smoothing quintic -snes_type nsgs");
  BOOST_TEST(smoothing.find("-snes_type nsgs") != std::string::npos);
  BOOST_TEST(smoothing.find("expected -friction_smoothing huber") != std::string::npos);
  const std::string corners = refusal("polygon", "-friction_smoothing quintic -snes_type primal");
  BOOST_TEST(corners.find("has corners") != std::string::npos);
  BOOST_TEST(refusal("polygon", "-snes_type primal") == "");
  BOOST_TEST(refusal("isotropic", "-contact_exponent 4 -friction_smoothing quintic -snes_type primal") == "");
}

// What goes on from step to step is q and u: whatever has touched before, impulses are functions of them.
BOOST_AUTO_TEST_CASE(positions_and_velocities_are_the_state) {
  World w = slope(0.3);
  w.bodies.back().position += 0.05 * Vec3{-std::sin(kSlope), 0, std::cos(kSlope)};  // it falls, touches, and slides
  w.bodies.back().angular_velocity = {0.1, 0.2, 0};
  const ScopedOptions scoped(kStiff + kNewton + "-newton_start previous -friction_stiffness 1e6 ");
  Model model(w, 1.0 / 120);
  int contacts = 0;
  bool changed = false;
  run(model, 25, [&](const StepReport& r) {
    changed = changed || (r.step > 1 && r.contacts != contacts);
    contacts = r.contacts;
  });
  const FrameBody body = model.frame().bodies.back();
  World again = w;
  again.bodies.back().position = body.position, again.bodies.back().orientation = body.orientation;
  again.bodies.back().velocity = body.velocity, again.bodies.back().angular_velocity = body.angular_velocity;
  Model anew(again, 1.0 / 120);
  BOOST_REQUIRE(!model.step().failed);
  BOOST_REQUIRE(!anew.step().failed);
  const FrameBody one = model.frame().bodies.back(), other = anew.frame().bodies.back();
  BOOST_TEST(changed);  // contacts came and went
  BOOST_TEST(norm(one.velocity - other.velocity) <= kAgreement);
  BOOST_TEST(norm(one.angular_velocity - other.angular_velocity) <= kAgreement);
}

BOOST_AUTO_TEST_CASE(rigid_rows_are_refused_by_name) {
  const auto refusal = [](const World& world, const std::string& options) -> std::string {
    const ScopedOptions scoped(options);
    try {
      Model(world, 0.01).prepare();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  for (const std::string type : {"primal", "primal_descent"}) {
    const std::string hard = refusal(slope(0.3), "-snes_type " + type);
    BOOST_TEST(hard.find("-snes_type " + type) != std::string::npos);
    BOOST_TEST(hard.find("'box/ground:0'") != std::string::npos);
    BOOST_TEST(hard.find("-contact_stiffness") != std::string::npos);
    World rigid = test::pendulum(1e5, 1e5, 1);
    rigid.joints[1].compliance.clear();
    const std::string joint = refusal(rigid, "-snes_type " + type);
    BOOST_TEST(joint.find("'distance second'") != std::string::npos);
    BOOST_TEST(joint.find("-joint_relaxation") != std::string::npos);
    BOOST_TEST(refusal(rigid, "-joint_relaxation 1e5 -snes_type " + type) == "");
  }
}

BOOST_AUTO_TEST_CASE(heavy_stack_in_twenty_iterations) {
  const Stand plain = stand(heavy_stack(), 60, kPaper + "-primal_accelerate none");
  BOOST_TEST(within_share(plain.foot, 518697, 1e-5));
  BOOST_TEST(within_share(plain.penetration, 1.30e-3, 0.01));
  const Stand s = stand(heavy_stack(), 60, kPaper);
  BOOST_TEST(within_share(s.foot, 396576.385, 0.01));
  BOOST_TEST(within_share(s.penetration, 9.85e-4, 0.03));
  BOOST_TEST(within_share(s.drift, 5.68e-3, 0.03));
}

BOOST_AUTO_TEST_SUITE_END()
