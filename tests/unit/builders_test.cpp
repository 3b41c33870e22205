#include "physics/collision/mass_properties.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

BOOST_AUTO_TEST_SUITE(builders)

namespace {

using namespace clarke;

World built(const std::string& builder) {
  return scene_from("time: {step: 0.1, end: 1}\nmaterials: {stone: {density: 100}}\nbuild:\n  - " + builder + "\n")
      .world;
}

double total_mass(const World& world) {
  double mass = 0;
  for (const BodyDescription& body : world.bodies) mass += body.mass.value_or(0);
  return mass;
}

using Corner = std::tuple<double, double, double>;

std::set<Corner> corners_of(const BodyDescription& body) {
  std::set<Corner> corners;
  for (const Vec3& point : body.shape.points) {
    const Vec3 corner = body.position + point;
    corners.emplace(corner.x, corner.y, corner.z);
  }
  return corners;
}

const char* const kArch = "arch: {stones: 20, span: 8, rise: 6, thickness: 0.8, depth: 1, density: 100}";

}  // namespace

BOOST_AUTO_TEST_CASE(arch_has_the_masses_of_the_reference) {
  const World world = built(kArch);
  BOOST_REQUIRE(world.bodies.size() == 20U);
  BOOST_TEST(world.bodies.front().name == "stone_1");
  BOOST_TEST(world.bodies.back().name == "stone_20");
  BOOST_TEST(total_mass(world) > 1202.35);
  BOOST_TEST(total_mass(world) < 1202.4);
  BOOST_TEST(*world.bodies[9].mass == 32.0149, boost::test_tools::tolerance(1e-5));
  BOOST_TEST(*world.bodies[0].mass == 96.3850, boost::test_tools::tolerance(1e-5));
  BOOST_TEST(total_mass(built("arch: {stones: 20, span: 8, rise: 6, material: stone}")) == total_mass(world));
}

BOOST_AUTO_TEST_CASE(tall_arch_has_the_masses_of_the_paper) {
  const World world = built("arch: {stones: 20, span: 8, rise: 15.5, thickness: 0.8, depth: 1, density: 46.25}");
  BOOST_TEST(*world.bodies[9].mass == 15, boost::test_tools::tolerance(1e-2));
  BOOST_TEST(*world.bodies[0].mass == 110, boost::test_tools::tolerance(1e-2));
}

BOOST_AUTO_TEST_CASE(neighbouring_stones_share_corners_to_the_last_bit) {
  const World world = built(kArch);
  for (std::size_t i = 0; i + 1 < world.bodies.size(); ++i) {
    const std::set<Corner> a = corners_of(world.bodies[i]), b = corners_of(world.bodies[i + 1]);
    BOOST_TEST(a.size() == 8U);
    std::vector<Corner> shared;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(shared));
    BOOST_TEST(shared.size() == 4U, "stone " << i + 1);
  }
}

BOOST_AUTO_TEST_CASE(springings_lie_on_the_ground) {
  const World world = built(kArch);
  int on_ground = 0;
  double inner = 100, outer = 0;
  for (const BodyDescription& stone : world.bodies) {
    for (const auto& [x, y, z] : corners_of(stone)) {
      BOOST_TEST(z >= 0);
      if (z > 0) continue;
      ++on_ground;
      inner = std::min(inner, std::fabs(x));
      outer = std::max(outer, std::fabs(x));
    }
  }
  BOOST_TEST(on_ground == 8);
  BOOST_TEST(0.5 * (outer - inner) == 0.42164, boost::test_tools::tolerance(1e-5));
  BOOST_TEST(0.5 * (outer + inner) == 4, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(stones_are_placed_by_their_centres_of_mass) {
  const World world = built("arch: {stones: 7, span: 4, rise: 3, thickness: 0.5, depth: 0.3, density: 100}");
  for (const BodyDescription& stone : world.bodies) {
    const MassProperties properties = mass_properties(stone.shape, stone.name);
    BOOST_TEST(norm(properties.centre) < 1e-11, stone.name);
    BOOST_TEST(*stone.mass == 100 * properties.volume, boost::test_tools::tolerance(1e-10));
  }
}

BOOST_AUTO_TEST_CASE(stack_grows_geometrically) {
  const World world = built("stack: {count: 5, half: [0.5, 0.5, 0.5], mass: 8, mass_ratio: 8, position: [1, 0, 2]}");
  BOOST_REQUIRE(world.bodies.size() == 5U);
  BOOST_TEST(*world.bodies[0].mass == 8);
  BOOST_TEST(*world.bodies[4].mass == 32768);
  BOOST_TEST(world.bodies[0].position.z == 2.5);
  BOOST_TEST(world.bodies[4].position.z == 6.5);
  BOOST_TEST(*built("stack: {count: 2, masses: [3, 1]}").bodies[1].mass == 1);
}

BOOST_AUTO_TEST_CASE(box_rests_exactly_on_the_slope) {
  const World world = built("slope: {angle_deg: 30, heading_deg: 25, half: [0.5, 0.4, 0.25], speed: 2}");
  BOOST_REQUIRE(world.bodies.size() == 2U);
  const BodyDescription &plane = world.bodies[0], &box = world.bodies[1];
  BOOST_TEST((plane.motion == Motion::fixed));
  int touching = 0;
  for (const double x : {-0.5, 0.5}) {
    for (const double y : {-0.4, 0.4}) {
      const Vec3 corner = box.position + rotate(box.orientation, Vec3{x, y, -0.25});
      touching += std::fabs(dot(plane.shape.normal, corner) - plane.shape.offset) < 1e-15;
    }
  }
  BOOST_TEST(touching == 4);
  BOOST_TEST(norm(box.velocity) == 2, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(std::fabs(dot(box.velocity, plane.shape.normal)) < 1e-15);
  BOOST_TEST(box.velocity.z == -2 * std::sin(std::acos(-1.0) / 6), boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(redundant_box_has_a_grid_of_points) {
  for (const int n : {2, 3, 4}) {
    const World world = built("redundant_box: {points: " + std::to_string(n) + "}");
    const BodyDescription& box = world.bodies.at(0);
    BOOST_TEST(box.contact_points.size() == static_cast<std::size_t>(n * n));
    BOOST_TEST(box.contact_points.front().x == -0.5);
    BOOST_TEST(box.contact_points.back().y == 0.5);
    for (const Vec3& point : box.contact_points) BOOST_TEST(box.position.z + point.z == 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
