// Prescribed velocities: taken out of conjugate gradients, of a factorised matrix and of conjugate directions, and as
// rows of the saddle form, one answer; and the impulses that prescribe them.

#include "tests/scene_file.hpp"
#include "tests/verification/relaxed_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(mass_modification)

namespace {

constexpr double kStep = 1.0 / 120;
constexpr double kAgreement = 1e-9;  // [m/s], of steps solved to 1e-11
const std::string kConverged = "-snes_atol 1e-11 -snes_max_it 2000 -accept_budget false -detect_again 0 ";
const std::string kSaddle = kConverged +
                            "-snes_type nonsmooth_newton -newton_damping 1 -geometric_stiffness exact -system_form "
                            "saddle -ksp_type preonly -pc_type lu -pc_factor_mat_solver_type mumps ";

/// 9 x 9 nodes on springs: two pins, one of which is driven, a node in a plane and one on a line.
World sheet() {
  return scene_from(R"yaml(version: 1
case: sheet
time: {step: 0.008333333333333333, end: 1}
build:
  - spring_sheet: {columns: 8, rows: 8, mass: 0.5, stiffness: 1.0e4, corners: 0}
joints:
  - pin: {name: still, body: "sheet:72", anchor: [-0.5, 0.5, 0]}
  - pin: {name: driven, body: "sheet:80", anchor: [0.5, 0.5, 0], motion: ["0.1 * t", 0, "0.2 * sin(6 * t)"]}
  - point_on_plane: {name: glides, bodies: ["sheet:0", world], anchor: [-0.5, -0.5, 0], axis: [0.3, 0, 1]}
  - point_on_line: {name: bead, bodies: ["sheet:8", world], anchor: [0.5, -0.5, 0], axis: [1, 1, 0]}
)yaml")
      .world;
}

struct Run {
  std::vector<Vec3> velocity;
  std::vector<double> impulse;  // of rows that are taken out
  Frame frame;
};

Run steps(const World& w, int count, const std::string& options) {
  const ScopedOptions scoped(options);
  Model model(w, kStep);
  Run out{};
  const RunFigures f = run(model, count, [](const StepReport& r) { BOOST_TEST_REQUIRE(!r.failed, r.reason); });
  to_host(model.state().u, out.velocity);
  const auto impulse = host_copy(model.impulse());
  const StepProblem& problem = model.problem();
  for (int c = 0; c < problem.contributors(); ++c)
    for (int r = 0; problem.contributor(c).kind() != "distance" && r < problem.slice(c).rows; ++r)
      out.impulse.push_back(impulse(problem.slice(c).first_row + r));
  out.frame = model.frame();
  BOOST_TEST_MESSAGE(f.newton_mean << " Newton, " << f.linear_mean << " linear iterations");
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_answer_with_and_without_multipliers) {
  const World w = sheet();
  const Run saddle = steps(w, 20, kSaddle);
  BOOST_TEST_REQUIRE(saddle.impulse.size() == 9u);
  double largest = 0;
  for (const double p : saddle.impulse) largest = std::max(largest, std::fabs(p));
  const std::string primal = kConverged + "-snes_type primal ";
  for (const std::string& options : {primal + "-primal_ksp_type mpcg -primal_ksp_rtol 1e-10 ", primal,
                                     primal + "-primal_ksp_type cg -primal_pc_type jacobi -primal_ksp_rtol 1e-10 ",
                                     kConverged + "-snes_type primal_descent "}) {
    const Run found = steps(w, 20, options);
    BOOST_TEST_CONTEXT(options) {
      BOOST_TEST(largest_difference(found.velocity, saddle.velocity) <= kAgreement);
      for (std::size_t r = 0; r < saddle.impulse.size(); ++r)
        BOOST_TEST(std::fabs(found.impulse[r] - saddle.impulse[r]) <= 1e-7 * largest);  // k h of 1e-9 m/s
    }
  }
}

// What is prescribed is exact; the free direction of each is not touched.
BOOST_AUTO_TEST_CASE(as_prescribed) {
  const Run found = steps(sheet(), 20, kConverged + "-snes_type primal -primal_ksp_type mpcg ");
  constexpr double kRounding = 1e-14;  // twenty steps of rounding on numbers below one
  const double t = 20 * kStep;
  const auto moved = [&](int node, Vec3 from) { return found.frame.particles[node].position - from; };
  BOOST_TEST(norm(moved(72, {-0.5, 0.5, 0})) <= kRounding);
  BOOST_TEST(norm(moved(80, {0.5, 0.5, 0}) - Vec3{0.1 * t, 0, 0.2 * std::sin(6 * t)}) <= kRounding);
  const Vec3 n = normalized(Vec3{0.3, 0, 1}), line = normalized(Vec3{1, 1, 0});
  const Vec3 glides = moved(0, {-0.5, -0.5, 0}), bead = moved(8, {0.5, -0.5, 0});
  BOOST_TEST(std::fabs(dot(n, glides)) <= kRounding);
  BOOST_TEST(norm(bead - dot(line, bead) * line) <= kRounding);
  BOOST_TEST(norm(glides) > 1e-3);  // they do move where they may
  BOOST_TEST(std::fabs(dot(line, bead)) > 1e-5);
}

BOOST_AUTO_TEST_CASE(the_default_solver_takes_them) {
  const Run saddle = steps(sheet(), 5, kSaddle), found = steps(sheet(), 5, preset_options("robust"));
  BOOST_TEST(largest_difference(found.velocity, saddle.velocity) <= 1e-8);  // the preset's tolerance is 1e-9 m/s
}

// Springs in the place of pins are rows again; two holds of one particle, and what is not linear, are refused by name.
BOOST_AUTO_TEST_CASE(what_cannot_be_taken_out_is_refused) {
  const auto refusal = [](const std::string& joint, const std::string& options) -> std::string {
    const World w = scene_from(
                        "version: 1\ntime: {step: 0.01, end: 1}\nparticles:\n  - {name: p, mass: 1, position: [0, "
                        "0, 0]}\njoints:\n  - pin: {name: a, body: p, anchor: [0, 0, 0]}\n  - " +
                        joint + "\n")
                        .world;
    const ScopedOptions scoped("-check_constraints false -snes_type primal " + options);
    try {
      Model(w, 0.01).prepare();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  const std::string plane = "point_on_plane: {name: b, bodies: [p, world], anchor: [0, 0, 0], axis: [0, 0, 1]}";
  BOOST_TEST(refusal(plane, "").find("'pin a' and 'point_on_plane b' hold the same particle") != std::string::npos);
  BOOST_TEST(refusal(plane, "-joint_relaxation 1e5") == "");
  const std::string rod = "distance: {name: b, bodies: [p, world], anchors: [[0, 0, 0], [1, 0, 0]]}";
  BOOST_TEST(refusal(rod, "").find("'distance b' is rigid") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
