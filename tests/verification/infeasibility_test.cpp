// What has no solution is named, with a proof, and never solved; what has one is never refused, however near it is.

#include "assembly/problem_capture.hpp"
#include "tests/matrix_problems.hpp"
#include "tests/verification/squeezed_worlds.hpp"
#include "verdict/least_violation.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

using namespace clarke;
using namespace clarke::test;
using squeezed::Twin;
using Finding = Infeasibility::Finding;

BOOST_AUTO_TEST_SUITE(infeasibility)

namespace {

constexpr int kSeeds = 5;  // times kSqueezedKinds: 50 of each

/// A solver that does not give up early, to a tolerance far below every contradiction.
const char* kSolver =
    "-contact_law soc_fischer_burmeister -ksp_type preonly -pc_type lu -newton_damping 1 -newton_merit natural_map "
    "-snes_atol 1e-8 -snes_max_it 60 -regularisation_rule residual -accept_budget false -accept_velocity_error 1e300";

/// The first step as a problem file would have it, linearised where its rows are missed by least.
ContactProblem first_step(const World& world) {
  const ScopedOptions options(kSolver);
  Model model(world, kSqueezedStep);
  (void)model.prepare();
  (void)model.feasibility();
  return linearised_step(model.problem());
}

}  // namespace

BOOST_AUTO_TEST_CASE(fifty_without_solution_are_named) {
  int failed = 0, captured = 0;
  for (int kind = 0; kind < kSqueezedKinds; ++kind)
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
      const SqueezedWorld squeezed = squeezed::make(kind, seed, Twin::impossible);
      const ScopedOptions options(kSolver);
      Model model(squeezed.world, kSqueezedStep);
      BOOST_TEST_CONTEXT("kind " << kind << ", seed " << seed) {
        const StepReport report = model.step();
        BOOST_TEST(report.reason != "converged");
        failed += report.failed;
        BOOST_TEST(holds(report.feasibility, "no motion satisfies"), report.feasibility << " / " << report.reason);
        for (const std::string& name : squeezed.blamed)
          BOOST_TEST(holds(report.feasibility, name), name << " in: " << report.feasibility);
        BOOST_TEST(holds(report.explanation, report.feasibility));
        const auto& found = model.feasibility_watch().found();
        BOOST_REQUIRE(found.has_value());
        // No solver can get below the margin, and this one did not.
        BOOST_TEST(found->margin > 1e-4);
        BOOST_TEST(report.verdict.velocity_error.value >= 0.99 * found->margin);
        if (report.contacts == 0) continue;
        ++captured;
        const Solved solved = solve(first_step(squeezed.world), "-solve_tolerance 1e-8");
        BOOST_TEST(!solved.report.solved);
        BOOST_REQUIRE(solved.report.infeasibility.has_value());
        BOOST_TEST(holds(solved.report.infeasibility->text(), "no motion satisfies"));
        BOOST_TEST(std::fabs(solved.report.infeasibility->margin - found->margin) <= 0.05 * found->margin);
      }
    }
  BOOST_TEST(failed == kSqueezedKinds * kSeeds);
  BOOST_TEST(captured == 5 * kSeeds);
}

BOOST_AUTO_TEST_CASE(fifty_at_the_boundary_are_not_refused) {
  int solved = 0;
  for (int kind = 0; kind < kSqueezedKinds; ++kind)
    for (unsigned seed = 0; seed < kSeeds; ++seed) {
      constexpr Twin kTwins[] = {Twin::still, Twin::nearly, Twin::together, Twin::compliant};
      const Twin twin = kTwins[(kind + seed) % 4];
      const SqueezedWorld squeezed = squeezed::make(kind, seed, twin);
      const ScopedOptions options(kSolver);
      Model model(squeezed.world, kSqueezedStep);
      BOOST_TEST_CONTEXT("kind " << kind << ", seed " << seed << ", twin " << static_cast<int>(twin)) {
        (void)model.prepare();
        const std::optional<Infeasibility> found = model.feasibility();
        BOOST_REQUIRE(found.has_value());
        BOOST_TEST((found->finding != Finding::impossible && found->finding != Finding::not_examined), found->text());
        const StepReport report = model.step();
        BOOST_TEST(!holds(report.feasibility, "no motion"), report.feasibility);
        bool converged = report.reason == "converged";
        if (!converged) {
          const ScopedOptions more(std::string(kSolver) + " -geometric_stiffness exact");
          const StepReport again = Model(squeezed.world, kSqueezedStep).step();  // tight ropes
          converged = again.reason == "converged";
          BOOST_TEST(converged, again.reason << ": " << again.verdict.velocity_error.value << " m/s");
        }
        solved += converged;
      }
    }
  BOOST_TEST(solved == kSqueezedKinds * kSeeds);
}

// The certificate is checked by itself: one that is altered is none.
BOOST_AUTO_TEST_CASE(a_false_certificate_is_none) {
  MotionDemands two;  // v₁ = z − 1 ≥ 0, v₂ = −z − 1 ≥ 0
  two.jacobian = RowMatrix(2, 1);
  two.jacobian.insert(0, 0) = 1;
  two.jacobian.insert(1, 0) = -1;
  two.offset = Eigen::Vector2d(-1, -1);
  two.of = {{Demand::Kind::at_least_zero, 0, 0}, {Demand::Kind::at_least_zero, 1, 0}};
  LeastViolation out = least_violation(two, 1e-9);
  BOOST_TEST((out.result == LeastViolation::Result::impossible));
  BOOST_TEST(std::fabs(out.amount - 2) <= 1e-12);
  BOOST_TEST(std::fabs(out.margin - 1) <= 1e-12);
  const auto proves = [&](double a, double b) { return is_certificate(two, Eigen::Vector2d(a, b), out); };
  BOOST_TEST(proves(1, 1));
  BOOST_TEST(!proves(1, 1 + 1e-5));  // Bᵀ d is not 0: z = 1e5 would do
  BOOST_TEST(!proves(-1, -1));       // it pulls
  BOOST_TEST(!proves(0, 0));
  two.offset = Eigen::Vector2d(-1, 1 + 1e-3);
  BOOST_TEST(!proves(1, 1));
  BOOST_TEST((least_violation(two, 1e-9).result == LeastViolation::Result::satisfied));
  two.of[1].kind = Demand::Kind::zero;  // z = 1.001
  BOOST_TEST((least_violation(two, 1e-9).result == LeastViolation::Result::satisfied));
}

// Two contacts that hold one particle from both sides, at an angle: without friction it slips out; with enough, no
// motion opens both as fast as it slips along them.
BOOST_AUTO_TEST_CASE(friction_may_leave_no_solution) {
  const auto wedge = [](double mu) {
    // Normals at ±60° from −x: the particle leaves along −x at a velocity v with v_n = v/2, v_t = v √3/2.
    const double c = 0.5, s = std::sqrt(0.75);
    ContactProblem p;
    p.contacts = 2;
    p.friction = {mu, mu};
    p.mass = dense(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});
    p.jacobian = dense(6, 3, {-c, 0, s, -s, 0, -c, 0, 1, 0, -c, 0, -s, s, 0, -c, 0, -1, 0});
    p.force = {0, 0, 0};
    p.offset = {-1, 0, 0, -1, 0, 0};
    return p;
  };
  const auto feasibility = [&](double mu) {
    const ScopedOptions options(std::string(kDirectNewton) + "-snes_max_it 0 -newton_start zero");
    const ContactProblem p = wedge(mu);
    ProblemModel model(p);
    (void)model.solve();
    return model.feasibility();
  };
  // v_n − μ|v_t| = v/2 − 1 − μ v √3/2 with v as large as one likes: until μ = 1/√3 there is a margin.
  const Infeasibility loose = feasibility(0.5);
  BOOST_TEST((loose.finding == Finding::solvable), loose.record().dump());
  const Infeasibility found = feasibility(0.7);
  BOOST_TEST((found.finding == Finding::friction), found.text());
  // The best motion is none: v_n = −1.
  BOOST_TEST(found.existence.upper <= -1 + 1e-6);
  BOOST_TEST(found.existence.lower >= -1 - 1e-3);
  BOOST_TEST(found.items.size() == 2u);
}

// What falls on a light body stops, however heavy it is; between walls that close it has no place, however heavy.
BOOST_AUTO_TEST_CASE(masses_do_not_make_contradictions) {
  constexpr double kRadius = 0.1, kGap = 1e-3;  // [m]
  for (const double mass : {1.0, 1e6, 1e12, 1e18})
    for (const bool lid : {false, true}) {
      World w = world_with_plane(0.5);
      w.bodies.push_back(ball("light", kRadius, 1, {0, 0, kRadius}));
      w.bodies.push_back(ball("heavy", kRadius, mass, {0, 0, 3 * kRadius + kGap}));
      w.bodies.back().velocity = {0, 0, -1};
      if (lid) w.bodies.push_back(squeezed::wall("lid", {0, 0, 1}, 4 * kRadius + 2 * kGap, -1));
      const ScopedOptions options(kSolver);
      Model model(w, kSqueezedStep);
      (void)model.prepare();
      const std::optional<Infeasibility> found = model.feasibility();
      BOOST_REQUIRE(found.has_value());
      BOOST_TEST((found->finding == (lid ? Finding::impossible : Finding::solvable)), mass << ": " << found->text());
    }
}

BOOST_AUTO_TEST_CASE(budgets_are_examined_once) {
  const SqueezedWorld squeezed = squeezed::make(0, 1, Twin::impossible);
  const ScopedOptions options("-snes_max_it 3");
  Model model(squeezed.world, kSqueezedStep);
  int warnings = 0;
  for (int k = 0; k < 4; ++k) {
    const StepReport report = model.step();
    BOOST_REQUIRE(!report.failed);
    for (const std::string& line : report.warnings) warnings += holds(line, "no motion satisfies");
  }
  BOOST_TEST(warnings == 1);
  BOOST_TEST(model.feasibility_watch().record()["finding"] == "impossible");
  const ScopedOptions off("-snes_max_it 3 -certify_infeasible false");
  Model silent(squeezed.world, kSqueezedStep);
  BOOST_TEST(silent.step().warnings.empty());
  BOOST_TEST(silent.feasibility_watch().record().is_null());
}

// A ball that overlaps both walls of a steep wedge: it comes out upwards, along both walls faster than off them by more
// than friction lets it.
BOOST_AUTO_TEST_CASE(a_jam_is_named_where_budgets_are_used_up) {
  constexpr double kRadius = 0.1, kOverlap = 1e-4, kSlope = 0.3;  // [m], [m], wall's rise of its normal
  const auto jammed = [&](double mu) {
    World w = world_with_plane(mu, normalized(Vec3{1, 0, kSlope}));
    w.bodies.push_back(w.bodies[0]);
    w.bodies[1].name = "right";
    w.bodies[1].shape.normal = normalized(Vec3{-1, 0, kSlope});
    w.bodies.push_back(ball("ball", kRadius, 1, {0, 0, (kRadius - kOverlap) * std::hypot(1, kSlope) / kSlope}));
    return w;
  };
  for (const double mu : {0.1, 0.9}) {
    const ScopedOptions options("-snes_max_it 2 -detect_again 0");
    Model model(jammed(mu), kSqueezedStep);
    int warnings = 0;
    for (int k = 0; k < 3; ++k) {
      const StepReport report = model.step();
      BOOST_REQUIRE(!report.failed);
      for (const std::string& line : report.warnings) warnings += holds(line, "friction may leave no solution");
    }
    BOOST_TEST(warnings == (mu > kSlope));
  }
}

BOOST_AUTO_TEST_SUITE_END()
