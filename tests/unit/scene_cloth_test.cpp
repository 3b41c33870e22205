// Cloths in a scene file: their triangles out of a file, and what is held of them.

#include "framework/error.hpp"
#include "physics/cloth/triangle_sheet.hpp"
#include "scene/scene.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

BOOST_AUTO_TEST_SUITE(scene_cloth)

namespace {

using namespace clarke;

const std::string kTime = "time: {step: 0.1, end: 1}\n";

/// Two triangles of a square as STL has them: each with three corners of its own.
struct SquareFile {
  std::filesystem::path path = std::filesystem::temp_directory_path() / "clarke_scene_cloth_square.stl";
  SquareFile() {
    std::ofstream(path) << R"(solid square
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 1 1 0
endloop
endfacet
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 1 1 0
vertex 0 1 0
endloop
endfacet
endsolid square
)";
  }
  ~SquareFile() { std::filesystem::remove(path); }
};

std::string cloth_with(const std::string& keys) { return kTime + "cloth:\n  - {name: flag, " + keys + "}\n"; }

std::string why_refused(const std::string& text) {
  try {
    scene_from(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

// Corners at one place are one node: otherwise the triangles would fly apart.
BOOST_AUTO_TEST_CASE(triangles_of_a_file_hang_together) {
  const SquareFile square;
  const Scene scene = scene_from(cloth_with("mesh: {file: {path: " + square.path.string() + ", scale: 2}}"));
  const ClothDescription& cloth = scene.world.cloths.at(0);
  BOOST_TEST(cloth.mesh.nodes.size() == 4U);
  BOOST_TEST(scene.world.particles.size() == 4U);
  BOOST_TEST(cloth.mesh.triangles.size() == 2U);
  BOOST_TEST(shared_edges(cloth.mesh).size() == 1U);
  double mass = 0;
  for (const ParticleDescription& p : scene.world.particles) mass += p.mass;
  BOOST_TEST(mass == 4 * cloth.density, boost::test_tools::tolerance(1e-14));  // rounding of four sums
}

BOOST_AUTO_TEST_CASE(a_file_that_is_not_there) {
  const std::string why = why_refused(cloth_with("mesh: {file: {path: /nowhere/square.stl}}"));
  BOOST_TEST(why.find(":3:") != std::string::npos, why);
  BOOST_TEST(why.find("/nowhere/square.stl") != std::string::npos, why);
}

BOOST_AUTO_TEST_CASE(sides_and_corners_are_held) {
  const std::string sheet = "mesh: {sheet: {size: [2, 1], cells: [2, 1]}}, velocity: [0, 0, 1], ";
  const Scene side = scene_from(cloth_with(sheet + "fixed: [x_min]"));
  BOOST_TEST(side.world.cloths.at(0).fixed.size() == 2U);
  const Scene corner = scene_from(cloth_with(sheet + "fixed: [x_min y_max]"));
  BOOST_REQUIRE(corner.world.cloths.at(0).fixed.size() == 1U);
  const int held = corner.world.cloths[0].fixed[0];
  BOOST_TEST(corner.world.particles[held].fixed);
  BOOST_TEST(corner.world.particles[held].velocity.z == 0);
  BOOST_TEST(corner.world.particles[held == 0 ? 1 : 0].velocity.z == 1);
  const std::string why = why_refused(cloth_with(sheet + "fixed: [x_low]"));
  BOOST_TEST(why.find("got 'x_low'") != std::string::npos, why);
}

/// Rings of nodes: areas of polygons, triangles that look outwards, what is open and what is closed.
BOOST_AUTO_TEST_CASE(tube_and_torus) {
  constexpr double kRounding = 1e-12;  // sums of hundreds
  const TriangleSheet tube = tube_sheet(0.1, 0.4, 12, 8);
  BOOST_TEST(tube.triangles.size() == 2U * 12 * 8);
  double area = 0;
  for (const auto& t : tube.triangles) {
    const Vec3 &a = tube.nodes[t[0]], &b = tube.nodes[t[1]], &c = tube.nodes[t[2]];
    area += triangle_area(tube, t);
    const Vec3 away{0, a.y + b.y + c.y, a.z + b.z + c.z};
    BOOST_TEST(dot(cross(b - a, c - a), away) > 0);
  }
  const double side = 2 * 0.1 * std::sin(std::numbers::pi / 12);
  BOOST_TEST(std::fabs(area - 12 * side * 0.4) <= kRounding);
  BOOST_TEST(shared_edges(tube).size() == (3 * tube.triangles.size() - 2 * 12) / 2);  // but those of both ends

  const TriangleSheet torus = torus_sheet(0.3, 0.1, 48, 96);
  BOOST_TEST(shared_edges(torus).size() == 3 * torus.triangles.size() / 2);
  double volume = 0;
  for (const auto& t : torus.triangles)
    volume += dot(torus.nodes[t[0]], cross(torus.nodes[t[1]], torus.nodes[t[2]])) / 6;
  const double whole = 2 * std::numbers::pi * std::numbers::pi * 0.3 * 0.1 * 0.1;
  BOOST_TEST(volume > 0.99 * whole);  // of second order in both numbers
  BOOST_TEST(volume < whole);
  BOOST_TEST(scene_from(kTime + "cloth: [{name: t, mesh: {torus: {around: 6, segments: 8}}}]").world.particles.size() ==
             48);
  BOOST_TEST(scene_from(kTime + "cloth: [{name: t, mesh: {tube: {around: 6, along: 2}}}]").world.particles.size() ==
             18);
}

BOOST_AUTO_TEST_SUITE_END()
