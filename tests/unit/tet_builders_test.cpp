// Regular meshes of tetrahedra: oriented, conforming, of the volume and the quality their headers state.

#include "physics/soft/meshes/tet_builders.hpp"

#include "physics/description/tet_surface.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numbers>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(tet_builders)

namespace {

double volume(const TetMesh& mesh) {
  double sum = 0;
  const auto& x = mesh.nodes;
  for (const auto& t : mesh.tetrahedra) sum += tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
  return sum;
}

/// Faces of one element only, each once with its edges: a closed surface has each edge twice, and V − E + F = 2 − 2
/// holes.
int euler_number(const TetMesh& mesh) {
  std::map<std::array<int, 3>, int> faces;
  for (const auto& t : mesh.tetrahedra)
    for (int opposite = 0; opposite < 4; ++opposite) {
      std::array<int, 3> face{};
      for (int k = 0, n = 0; k < 4; ++k)
        if (k != opposite) face[n++] = t[k];
      std::sort(face.begin(), face.end());
      ++faces[face];
    }
  std::map<std::array<int, 2>, int> edges;
  std::map<int, int> nodes;
  int count = 0;
  for (const auto& [face, elements] : faces) {
    BOOST_REQUIRE(elements <= 2);
    if (elements == 2) continue;
    ++count;
    for (int k = 0; k < 3; ++k) {
      const int a = face[k], b = face[(k + 1) % 3];
      ++edges[{std::min(a, b), std::max(a, b)}];
      ++nodes[a];
    }
  }
  for (const auto& [edge, uses] : edges) BOOST_REQUIRE(uses % 2 == 0);
  return static_cast<int>(nodes.size()) - static_cast<int>(edges.size()) + count;
}

void check(const TetMesh& mesh, double least, int euler) {
  check_tet_mesh(mesh, "builder");
  BOOST_TEST(least_quality(mesh) > least);
  BOOST_TEST(euler_number(mesh) == euler);
}

}  // namespace

BOOST_AUTO_TEST_CASE(ball) {
  double last = 1;
  for (const int layers : {1, 2, 3, 4, 6, 9}) {
    const TetMesh mesh = tet_ball(0.03, layers);
    BOOST_TEST(mesh.tetrahedra.size() == 20U * layers * layers * layers);
    check(mesh, 0.45, 2);  // the floor of the header
    const std::vector<char> outside = surface_nodes(mesh);
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n)  // a handful of roundings
      if (outside[n]) BOOST_TEST(norm(mesh.nodes[n]) == 0.03, boost::test_tools::tolerance(1e-14));
    const double missing = 1 - volume(mesh) / (4.0 / 3 * std::numbers::pi * 0.03 * 0.03 * 0.03);
    BOOST_TEST(missing > 0);
    if (layers > 1) BOOST_TEST(missing < last);
    last = missing;
  }
  // Flat faces instead of a sphere: of second order in 1/layers. 0.39 for one layer, the icosahedron.
  BOOST_TEST(last < 0.39 / (9 * 9) * 1.5);
}

BOOST_AUTO_TEST_CASE(torus) {
  // Both ends of the range of the header, and the middle.
  struct Case {
    int layers, segments;
  };
  for (const auto [layers, segments] : {Case{1, 14}, {1, 54}, {2, 27}, {2, 40}, {3, 41}, {3, 160}}) {
    const TetMesh mesh = tet_torus(0.1, 0.03, layers, segments);
    BOOST_TEST(mesh.tetrahedra.size() == 18U * layers * layers * segments);
    check(mesh, 0.2, 0);
    const double whole = 2 * std::numbers::pi * std::numbers::pi * 0.1 * 0.03 * 0.03;
    BOOST_TEST(volume(mesh) < whole);
    // Its section is a polygon of 6 layers corners: 0.827 of the circle for a hexagon; and so is the ring,
    // which takes another three per cent where it has 14 segments.
    const double corners = 6 * layers;
    BOOST_TEST(volume(mesh) >
               0.96 * whole * corners / (2 * std::numbers::pi) * std::sin(2 * std::numbers::pi / corners));
  }
}

/// A prism with the polygon of 6 layers corners for a section.
BOOST_AUTO_TEST_CASE(rod) {
  for (const int layers : {1, 2, 3}) {
    const TetMesh mesh = tet_rod(0.05, 0.4, layers, 8 * layers);
    BOOST_TEST(mesh.tetrahedra.size() == 18U * layers * layers * 8 * layers);
    check(mesh, 0.2, 2);
    const double corners = 6 * layers;
    const double section = corners / 2 * std::sin(2 * std::numbers::pi / corners) * 0.05 * 0.05;
    BOOST_TEST(volume(mesh) == 0.4 * section, boost::test_tools::tolerance(1e-12));  // a thousand additions
  }
}

BOOST_AUTO_TEST_CASE(finger) {
  const FingerShape shape;
  const TetMesh mesh = tet_finger(shape);
  check(mesh, 0.3, 2);
  const double pitch = shape.length / (shape.chambers - shape.gap);
  const double expected = shape.width * (shape.length * shape.base_height +
                                         shape.chambers * pitch * (1 - shape.gap) * shape.chamber_height);
  BOOST_TEST(volume(mesh) == expected, boost::test_tools::tolerance(1e-12));  // a thousand additions
  BOOST_TEST(mesh.regions.at("base").size() + mesh.regions.at("chambers").size() == mesh.tetrahedra.size());
  for (const int e : mesh.regions.at("chambers"))
    for (const int n : mesh.tetrahedra[e]) BOOST_REQUIRE(mesh.nodes[n].z >= shape.base_height - 1e-12);
  BOOST_TEST(mesh.regions.at("layer").size() == mesh.regions.at("base").size());  // one row of bricks
}

BOOST_AUTO_TEST_CASE(grid_without_some_bricks) {
  std::vector<std::array<int, 3>> brick;
  const TetMesh mesh = tet_grid(
      {0, 1, 2}, {0, 1}, {0, 1, 3}, [](int i, int, int k) { return i == 0 || k == 0; }, &brick);
  BOOST_TEST(mesh.tetrahedra.size() == 15U);
  BOOST_TEST(brick.size() == 15U);
  BOOST_TEST(mesh.nodes.size() == 16U);  // 18 of the grid without the edge of the missing brick
  BOOST_TEST(volume(mesh) == 4, boost::test_tools::tolerance(1e-14));
  check(mesh, 0.3, 2);
}

BOOST_AUTO_TEST_SUITE_END()
