// The path of solutions as compliance falls (ncp/strategies/compliance_path.hpp): its derivatives on rows that turn,
// and steps that it solves.

#include "framework/petsc_views.hpp"
#include "ncp/strategies/proximal_rows.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"
#include "tests/verification/pressed_world.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <utility>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(compliance_path)

namespace {

constexpr double kStep = 0.02;      // h [s]
constexpr double kSolved = 1e-9;    // [m/s], what the preset robust promises
constexpr double kMost = 0.1;       // ε of items that are kept: within those of the samples
constexpr double kVast = 1e12;      // ε at which all of g is balanced
constexpr double kRounding = 1e-9;  // of a momentum, what is left where all of it is balanced
constexpr int kFewChanges = 5;      // of nine contacts, most of which close
const std::string kOptions =
    "-snes_type ssnal -geometric_stiffness full -system_form stiffness -ksp_type preonly -pc_type lu ";

std::vector<double> host(const View<double>& view) {
  std::vector<double> out(view.extent(0));
  Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(out.data(), out.size()), view);
  return out;
}

double largest(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values) out = std::fmax(out, std::fabs(value));
  return out;
}

}  // namespace

/// A step of that world that has begun, near which the path is evaluated.
struct Path {
  ScopedOptions scoped{kOptions + "-near_rigid_compliance 1e-3 -near_rigid_depth 1e-4 "};
  Model model{pressed_world(), kStep};
  StepProblem& problem = model.problem();
  const SaddlePointSystem& s = problem.system();
  ProximalRows rows;
  Random random{11};
  bool scattered = false;
  bool keeps = false;  // the better half of its items, and g

  Path() { model.prepare(); }
  /// The point (u, Λ, ln ε); pieces where z is, or as they were.
  void evaluate(const std::vector<Vec3>& u, const std::vector<double>& impulse, double log_epsilon, bool held) {
    const View<Vec3> at = to_device("u", u);
    const View<double> r = to_device("r", impulse);
    problem.evaluate(at, r, true);
    problem.add_geometric_stiffness();
    rows.linearise(problem, at, r);
    if (!std::exchange(scattered, true)) {
      rows.weigh(s);
      rows.scatter(s, 0.01);
      if (keeps) keep(r);
    }
    rows.project_in_pieces(s, std::exp(log_epsilon), held);
  }
  void keep(const View<double>& impulse) {
    int others = items_with_rows(s);
    for (double tolerance = 1e-3; 2 * others > items_with_rows(s); tolerance *= 2)
      others = rows.keep_solved(problem, impulse, tolerance, kMost);
    BOOST_REQUIRE(others > 0);
    rows.project_in_pieces(s, 1, false);
    rows.balance(s);
  }
  std::vector<double> momentum() const {
    const View<double> f("f", s.size());
    rows.right_hand_side(s, f);
    return host(f);
  }
  std::vector<Vec3> velocities(double size) {
    std::vector<Vec3> u(s.blocks);
    for (Vec3& v : u) v = random.vector(size);
    return u;
  }
  std::vector<double> impulses() {
    std::vector<double> r(s.pattern.rows);
    for (double& f : r) f = random.uniform(0, 1);
    return r;
  }
};

/// Impulses and margins along (du, d ln ε), and g along ln ε, by Taylor slopes; bodies turn by radians in the step.
struct Derivatives : Path {
  void check();
};

void Derivatives::check() {
  BOOST_REQUIRE(s.pattern.items >= 9);
  int bent = 0, trials = 0, nearer = 0, margins = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const std::vector<Vec3> u = velocities(trial % 2 ? 20 : 2), d = velocities(1);
    const std::vector<double> r = impulses();
    const double at = std::log(random.log_uniform(1e-4, 10)), growth = random.uniform(-1, 1);
    evaluate(u, r, at, false);
    BOOST_REQUIRE(rows.has_pieces());
    const View<Vec3> du = to_device("du", d);
    const View<double> change("change", s.pattern.rows), rate("rate", s.size());
    rows.change_of_impulses(s, du, growth, change);
    rows.right_hand_side_of_rate(s, rate);
    rows.know_margin_slopes(s, du, growth);
    const std::vector<double> p = host(rows.impulse()), dp = host(change), g = momentum(), dg = host(rate);
    std::vector<double> margin(s.pattern.rows), slope(s.pattern.rows);
    for (int k = 0; k < s.pattern.rows; ++k) margin[k] = rows.margin(k), slope[k] = rows.margin_slope(k);
    const auto moved = [&](double e) {
      std::vector<Vec3> there = u;
      for (int b = 0; b < s.blocks; ++b) there[b] += e * d[b];
      evaluate(there, r, at + e * growth, true);
    };
    const auto impulses_off = [&](double e) {
      moved(e);
      std::vector<double> off = host(rows.impulse());
      for (int k = 0; k < s.pattern.rows; ++k) off[k] -= p[k] + e * dp[k];
      return largest(off);
    };
    const auto momentum_off = [&](double e) {
      evaluate(u, r, at + e, true);
      std::vector<double> off = momentum();
      for (int k = 0; k < s.size(); ++k) off[k] -= g[k] + e * dg[k];
      return largest(off);
    };
    ++trials;
    bent += !(taylor_slope(largest(p) + largest(dp), impulses_off) > kTaylorSlope) ||
            !(taylor_slope(largest(g) + largest(dg), momentum_off) > kTaylorSlope);
    for (int k = 0; k < s.pattern.rows; k += 5) {
      if (!(margin[k] < kNoMargin)) continue;
      ++margins;
      nearer += !(taylor_slope(largest(p) + largest(dp), [&](double e) {
                    moved(e);
                    return std::fabs(rows.margin(k) - margin[k] - e * slope[k]);
                  }) > kTaylorSlope);
    }
  }
  BOOST_TEST(bent <= trials / 20);  // features of contacts may change within a direction
  BOOST_TEST(margins > 100);
  BOOST_TEST(nearer <= margins / 20);  // and another bound may become the nearer one
}

BOOST_FIXTURE_TEST_CASE(derivatives_along_the_path, Derivatives) { check(); }

// And where some items keep a small ε of their own, and a part of g goes with ε.
BOOST_FIXTURE_TEST_CASE(derivatives_along_a_path_from_the_start, Derivatives) {
  keeps = true;
  check();
}

// Whatever the point, with its own impulses: all of g is balanced there, and half of it at ε = 1.
BOOST_FIXTURE_TEST_CASE(begins_at_the_start, Path) {
  const std::vector<Vec3> u = velocities(2);
  evaluate(u, impulses(), std::log(kVast), false);
  evaluate(u, host(rows.impulse()), std::log(kVast), true);
  const double off = rows.project_in_pieces(s, kVast, true).momentum;
  rows.balance(s);
  BOOST_TEST(off > 1);
  BOOST_TEST(rows.project_in_pieces(s, kVast, true).momentum <= kRounding * off);
  BOOST_TEST(std::fabs(rows.project_in_pieces(s, 1, true).momentum - 0.5 * off) <= kRounding * off);
}

// Beyond a margin the row is in the other piece, with the margin the other way round, and p hardly changes.
BOOST_FIXTURE_TEST_CASE(rows_cross_their_margins, Path) {
  const std::vector<double> r = impulses();
  evaluate(velocities(2), r, std::log(0.1), false);
  rows.keep_margins();
  BOOST_TEST(rows.first_crossed(0, -1).row == -1);
  rows.know_margin_slopes(s, to_device("du", velocities(1)), 0);
  const ProximalRows::Change first = rows.nearest_margin(-1), next = rows.nearest_margin(first.row);
  BOOST_REQUIRE(first.row >= 0);
  BOOST_TEST(first.at >= 0);
  BOOST_TEST(next.row != first.row);
  BOOST_TEST((next.row < 0 || next.at >= first.at));
  const double margin = rows.margin(first.row);
  rows.cross(s, first.row);
  rows.project_in_pieces(s, 0.1, true);
  BOOST_TEST(rows.margin(first.row) == -margin);
  const ProximalRows::Change left = rows.first_crossed(0, -1);
  BOOST_TEST(left.row == first.row);
  BOOST_TEST(rows.first_crossed(0, first.row).row == -1);
}

// From the path the step is solved, as it is by proximal steps from the start; the path does it, for not many of them
// are left.
BOOST_AUTO_TEST_CASE(solves_a_step) {
  for (const double friction : {0.0, 0.5, 2.0}) {
    World w = pressed_world();
    w.materials["m"].friction = friction;
    ScopedOptions scoped(preset_options("robust") + "-ssnal_path 500 -ssnal_path_begins first ");
    Model model(w, kStep);
    const StepReport report = model.step();
    BOOST_TEST_CONTEXT("friction " << friction) {
      BOOST_TEST(!report.failed);
      BOOST_TEST(report.verdict.velocity_error.value <= kSolved);
      BOOST_TEST(report.safeguards.at("ssnal_path") >= 1);
      BOOST_TEST(report.safeguards.at("ssnal_path_changes") >= kFewChanges);
      BOOST_TEST(!report.safeguards.contains("ssnal_retry"));
    }
  }
}

// Not followed where it is not asked for, and where rows have no pieces.
BOOST_AUTO_TEST_CASE(is_not_followed) {
  for (const bool rolls : {false, true}) {
    World w = pressed_world();
    w.materials["m"].surface.rolling = rolls ? 0.01 : 0;
    ScopedOptions scoped(preset_options("robust") + "-ssnal_path_begins first -ssnal_path " + (rolls ? "500 " : "0 "));
    Model model(w, kStep);
    BOOST_TEST_CONTEXT((rolls ? "rolling friction" : "no changes")) {
      BOOST_TEST(!model.step().safeguards.contains("ssnal_path"));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
