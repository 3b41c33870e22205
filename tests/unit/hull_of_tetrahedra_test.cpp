// Rigid bodies from meshes of tetrahedra: mass and inertia are those of the elements, the hull touches, and a body may
// be placed by the origin of its shape.

#include "framework/error.hpp"
#include "physics/collision/mass_properties.hpp"
#include "physics/description/tet_mesh.hpp"
#include "scene/scene.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(hull_of_tetrahedra)

namespace {

ShapeDescription convex_of(const TetMesh& mesh) {
  ShapeDescription shape;
  shape.kind = ShapeDescription::Kind::convex;
  shape.points = mesh.nodes;
  shape.tetrahedra = mesh.tetrahedra;
  return shape;
}

// A few hundred additions of terms of one size.
const auto kRounding = boost::test_tools::tolerance(1e-13);

}  // namespace

BOOST_AUTO_TEST_CASE(a_box_of_tetrahedra_is_a_box) {
  const MassProperties m = mass_properties(convex_of(tet_box({1, 2, 3}, {1.2, 2.4, 3.6}, 3, 2, 1)), "test");
  BOOST_TEST(m.volume == 0.2 * 0.4 * 0.6, kRounding);
  BOOST_TEST(m.centre.x == 1.1, kRounding);
  BOOST_TEST(m.centre.z == 3.3, kRounding);
  ShapeDescription box;
  box.kind = ShapeDescription::Kind::box;
  box.half = {0.1, 0.2, 0.3};
  const Mat3 expected = mass_properties(box, "test").inertia_per_density;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      BOOST_TEST(std::fabs(m.inertia_per_density(i, j) - expected(i, j)) < 1e-13 * expected(0, 0));
}

BOOST_AUTO_TEST_CASE(mass_is_of_the_elements_and_not_of_the_hull) {
  const TetMesh l = tet_grid({0, 1, 2}, {0, 1}, {0, 1, 2}, [](int i, int, int k) { return i == 0 || k == 0; });
  const MassProperties m = mass_properties(convex_of(l), "test");
  BOOST_TEST(m.volume == 3, kRounding);  // its hull has 3.5
  BOOST_TEST(m.centre.x == (0.5 + 0.5 + 1.5) / 3, kRounding);
}

BOOST_AUTO_TEST_CASE(in_scenes) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("clarke_hull_" + std::to_string(getpid()) + ".msh")).string();
  std::ofstream(path)
      << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 1 0 0\n2 2 0 0\n3 1 1 0\n4 1 0 1\n$EndNodes\n"
         "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n";
  const auto body = [&path](const std::string& keys) {
    return scene_from("time: {step: 0.1, end: 1}\nbodies:\n  - {name: b, shape: {tetrahedra: {path: \"" + path +
                      "\", scale: 2}}, position: [10, 0, 0]" + keys + "}\n")
        .world.bodies.at(0);
  };
  BOOST_TEST(body("").position.x == 10);
  const BodyDescription placed = body(", position_of: origin");
  BOOST_TEST(placed.position.x == 10 + 2 * 1.25, kRounding);
  BOOST_TEST(placed.position.y == 2 * 0.25, kRounding);
  // A quarter turn about z takes x to y.
  const BodyDescription turned = body(", position_of: origin, orientation: {axis: [0, 0, 1], angle_deg: 90}");
  BOOST_TEST(turned.position.y == 2.5, kRounding);
  BOOST_TEST(turned.position.x == 10 - 0.5, kRounding);
  const BodyDescription heavy = body(", density: 6");
  BOOST_TEST(*heavy.mass == 6 * 8 / 6., kRounding);
  std::filesystem::remove(path);
  BOOST_CHECK_THROW(body(""), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
