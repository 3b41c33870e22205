// Overlaps at the start: found, named, pushed apart, or refused.

#include "assembly/initial_overlaps.hpp"

#include "framework/error.hpp"
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <numeric>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(initial_overlaps)

namespace {

constexpr double kStep = 1.0 / 120;
/// [m] Boxes of edge 1 whose contacts are found at their corners: a sum of a few numbers of order 1.
constexpr double kRounding = 1e-12;

/// A floor, and `count` boxes of edge 1 in a column, each `overlap` [m] inside the one below.
World column(int count, double overlap) {
  World w = world_with_plane(0.5);
  for (int i = 0; i < count; ++i)
    w.bodies.push_back(box("b" + std::to_string(i), {0.5, 0.5, 0.5}, 1 + i, {0, 0, 0.5 - overlap + i * (1 - overlap)}));
  return w;
}

std::string all(const std::vector<std::string>& lines) {
  return std::accumulate(lines.begin(), lines.end(), std::string());
}

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

std::vector<Vec3> positions(const Model& model) {
  std::vector<Vec3> x;
  to_host(model.state().x, x);
  return x;
}

}  // namespace

BOOST_AUTO_TEST_CASE(none) {
  const ScopedOptions scoped("-resolve_overlaps");
  const World world = column(3, 0);
  const Model model(world, kStep);
  BOOST_TEST(model.overlaps().lines(kStep).empty());
  BOOST_TEST(model.overlaps().record().empty());
  for (int e = 0; e < 4; ++e) BOOST_TEST(norm(positions(model)[e] - world.bodies[e].position) == 0);
}

BOOST_AUTO_TEST_CASE(reported_deepest_first) {
  World world = column(3, 0.01);
  world.bodies[2].position.z += 0.005;  // 0.005 inside b0, 0.015 inside b2
  const ScopedOptions scoped("");
  const Model model(world, kStep);
  const std::vector<std::string> lines = model.overlaps().lines(kStep);
  BOOST_REQUIRE(lines.size() == 4U);
  BOOST_TEST(has(lines[0], "warning: initial overlaps: 3 pairs by more than 1e-05 m; the first step"));
  BOOST_TEST(has(lines[0], "at up to 1.8 m/s; -resolve_overlaps"));  // 15 mm in a step
  BOOST_TEST(has(lines[1], "'b1' and 'b2' overlap by 15 mm"));
  BOOST_TEST(has(lines[2], "'" + world.bodies[0].name + "' and 'b0' overlap by 10 mm"));
  BOOST_TEST(has(lines[3], "'b0' and 'b1' overlap by 5 mm"));
  const nlohmann::json record = model.overlaps().record()["initial_overlaps"];
  BOOST_TEST(record["pairs"] == 3);
  BOOST_TEST(std::fabs(record["largest"].get<double>() - 0.015) < kRounding);
  BOOST_TEST(!record.contains("resolved"));
  for (int e = 0; e < 4; ++e) BOOST_TEST(norm(positions(model)[e] - world.bodies[e].position) == 0);
}

BOOST_AUTO_TEST_CASE(at_most_ten_are_named) {
  const ScopedOptions scoped("-initial_overlap_tolerance 0.001");
  const Model model(column(14, 0.01), kStep);
  BOOST_TEST(model.overlaps().lines(kStep).size() == 12U);
  BOOST_TEST(has(model.overlaps().lines(kStep)[11], "and 4 more"));
}

BOOST_AUTO_TEST_CASE(pushed_apart) {
  const ScopedOptions scoped("-resolve_overlaps");
  const World world = column(6, 0.02);
  const Model model(world, kStep);
  const std::vector<Vec3> x = positions(model);
  BOOST_TEST(norm(x[0] - world.bodies[0].position) == 0);  // the floor
  for (int i = 1; i <= 6; ++i) {
    BOOST_TEST(x[i].z - (i == 1 ? -0.5 : x[i - 1].z) > 1 - 1e-5);  // the tolerance
    BOOST_TEST(x[i].z - (i == 1 ? -0.5 : x[i - 1].z) < 1 + 1e-3);  // and not much further
    BOOST_TEST(std::fabs(x[i].x) + std::fabs(x[i].y) < kRounding);
  }
  BOOST_TEST(has(all(model.overlaps().lines(kStep)), "moved 'b5' by"));
  const nlohmann::json resolved = model.overlaps().record()["initial_overlaps"]["resolved"];
  BOOST_TEST(resolved["largest_after"].get<double>() <= 1e-5);
  BOOST_TEST(resolved["sweeps"].get<int>() >= 1);
}

BOOST_AUTO_TEST_CASE(by_mass) {
  World world;
  world.materials["m"] = {1000, 0.5};
  world.bodies = {box("heavy", {0.5, 0.5, 0.5}, 3, {0, 0, 0}), box("light", {0.5, 0.5, 0.5}, 1, {0, 0, 0.96})};
  const ScopedOptions scoped("-resolve_overlaps");
  const Model model(world, kStep);
  BOOST_TEST(std::fabs(positions(model)[0].z + 0.01) < 1e-5);  // the tolerance
  BOOST_TEST(std::fabs(positions(model)[1].z - 0.99) < 1e-5);
}

BOOST_AUTO_TEST_CASE(refused_where_nothing_may_move) {
  World world = column(2, 0.01);
  JointDescription pin;
  pin.type = "pin";
  pin.name = "pin";
  pin.a = "b1";
  pin.b = "world";
  pin.anchor_a = pin.anchor_b = world.bodies[2].position;
  world.joints.push_back(pin);
  const ScopedOptions scoped("-resolve_overlaps -resolve_overlaps_sweeps 5");
  BOOST_CHECK_EXCEPTION(Model(world, kStep), InputError, [](const InputError& e) {
    BOOST_TEST_INFO(e.what());
    return has(e.what(), "after 5 sweeps of -resolve_overlaps, which began with 10 mm");
  });
}

BOOST_AUTO_TEST_SUITE_END()
