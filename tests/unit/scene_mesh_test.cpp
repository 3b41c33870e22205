// Meshes, height fields and convex pieces in a scene file, from files and inline, and what is refused there.

#include "framework/error.hpp"
#include "physics/collision/mass_properties.hpp"
#include "scene/scene.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(scene_mesh)

namespace {

using Kind = ShapeDescription::Kind;

/// A file in the folder where SceneFile puts scenes, removed afterwards.
class BesideScene {
 public:
  BesideScene(const std::string& ending, const std::string& text) {
    static int count = 0;
    name_ = "clarke_mesh_" + std::to_string(getpid()) + "_" + std::to_string(++count) + ending;
    path_ = (std::filesystem::temp_directory_path() / name_).string();
    std::ofstream(path_) << text;
  }
  ~BesideScene() { std::filesystem::remove(path_); }
  const std::string& name() const { return name_; }

 private:
  std::string name_, path_;
};

std::string body_with(const std::string& shape, const std::string& more = "static: true") {
  return "time: {step: 0.1, end: 1}\nbodies:\n  - {name: b, shape: {" + shape + "}, " + more +
         "}\nparticles:\n  - {name: p, mass: 1}\n";
}

ShapeDescription shape_of(const std::string& shape) { return scene_from(body_with(shape)).world.bodies.at(0).shape; }

void refused(const std::string& text, const std::string& words) {
  BOOST_CHECK_EXCEPTION(scene_from(text), InputError, [&](const InputError& e) {
    const std::string what = e.what();
    BOOST_TEST(what.find(words) != std::string::npos, what << " lacks: " << words);
    return true;
  });
}

const char* const kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
const char* const kFaces = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

}  // namespace

BOOST_AUTO_TEST_CASE(height_fields) {
  const ShapeDescription given =
      shape_of("height_field: {columns: 3, rows: 2, spacing: [0.5, 2], heights: [0, 1, 2, 3, 4, 5]}");
  BOOST_TEST((given.kind == Kind::height_field));
  BOOST_TEST(given.columns == 3);
  BOOST_TEST(given.spacing_x == 0.5);
  BOOST_TEST(given.spacing_y == 2);
  BOOST_TEST(given.heights[5] == 5);
  const BesideScene table(".csv", "# heights\n0, 1, 2\n3; 4 5\n");
  const Scene scene = scene_from(body_with("height_field: {spacing: 0.5, file: " + table.name() + "}"));
  const ShapeDescription& read = scene.world.bodies.at(0).shape;
  BOOST_TEST(read.columns == 3);
  BOOST_TEST(read.rows == 2);
  BOOST_TEST(read.spacing_y == 0.5);
  BOOST_TEST(read.heights == given.heights, boost::test_tools::per_element());
  BOOST_TEST(scene.other_files.size() == 1U);
  const ShapeDescription formula =
      shape_of("height_field: {columns: 3, rows: 3, spacing: 0.5, expression: 'x + 10*y + pi'}");
  BOOST_TEST(formula.heights[0] == -0.5 - 5 + M_PI, boost::test_tools::tolerance(1e-15));
  BOOST_TEST(formula.heights[5] == 0.5 + M_PI, boost::test_tools::tolerance(1e-15));
}

BOOST_AUTO_TEST_CASE(wrong_height_fields) {
  const std::string place = ":3: bodies[0].shape.height_field";
  refused(body_with("height_field: {columns: 3, rows: 2, spacing: 1}"),
          place + ": expected exactly one of heights, file, expression");
  refused(body_with("height_field: {columns: 3, rows: 2, spacing: 1, heights: [1, 2, 3, 4]}"),
          "needs 6 heights, got 4");
  refused(body_with("height_field: {rows: 2, spacing: 1, heights: [1, 2, 3, 4]}"), place + ".columns: required");
  refused(body_with("height_field: {columns: 2, rows: 2, spacing: 1, expression: 'x + z'}"),
          place + ".expression: cannot evaluate 'x + z'");
  refused(body_with("height_field: {spacing: 1, file: no.csv}"), "no.csv' cannot be read");
  const BesideScene ragged(".csv", "0 1 2\n3 4\n"), words(".txt", "0 1\n2 x\n"),
      zero(".csv", std::string("0 1\n2 3\0x\n", 10));
  refused(body_with("height_field: {spacing: 1, file: " + ragged.name() + "}"),
          ragged.name() + ":2: expected 3 numbers");
  refused(body_with("height_field: {spacing: 1, file: " + words.name() + "}"),
          words.name() + ":2: expected numbers, got 'x'");
  refused(body_with("height_field: {spacing: 1, file: " + zero.name() + "}"), zero.name() + ":2: expected numbers");
  refused(body_with("height_field: {columns: 2, rows: 2, spacing: 1, heights: [1, 2, 3, 4]}", "density: 1000"),
          "a mesh or height field has no mass");
}

BOOST_AUTO_TEST_CASE(meshes) {
  const ShapeDescription given = shape_of(
      "mesh: {vertices: [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]], triangles: [[0, 2, 1], [0, "
      "1, 3], [0, 3, 2], [1, 2, 3]]}");
  BOOST_TEST((given.kind == Kind::mesh));
  BOOST_REQUIRE(given.triangles.size() == 4U);
  const BesideScene obj(".obj", std::string(kTetrahedron) + kFaces);
  const Scene scene = scene_from(body_with("mesh: {file: " + obj.name() + ", scale: 2}"));
  const ShapeDescription& read = scene.world.bodies.at(0).shape;
  BOOST_TEST((read.triangles == given.triangles));
  for (int i = 0; i < 4; ++i) BOOST_TEST(norm(read.points[i] - given.points[i]) == 0);
  BOOST_TEST(scene.warnings.empty());
  BOOST_TEST(scene.other_files.size() == 1U);
  const BesideScene quads(".obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  BOOST_TEST((shape_of("mesh: {file: " + quads.name() + "}").triangles ==
              std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}}));
  const BesideScene fin(".obj", std::string(kTetrahedron) + kFaces + "v 1 1 -1\nf 1 2 5\n");
  BOOST_TEST(scene_from(body_with("mesh: {file: " + fin.name() + "}")).warnings.size() == 1U);
}

BOOST_AUTO_TEST_CASE(wrong_meshes) {
  const std::string three = "vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0]]";
  refused(body_with("mesh: {" + three + "}"),
          ":3: bodies[0].shape.mesh: expected either file or vertices and triangles");
  refused(body_with("mesh: {" + three + ", triangles: [[0, 1, 3]]}"),
          "triangle 0: expected numbers of vertices, 0 to 2");
  refused(body_with("mesh: {" + three + ", triangles: [[0, 1, 1.5]]}"), "triangle 0: expected numbers of vertices");
  refused(body_with("mesh: {" + three + ", triangles: [[0, 1, 1]]}"), "triangle 0 of the mesh has no area");
  refused(body_with("mesh: {file: none.obj}"), "none.obj' is not a file");
  const BesideScene empty(".obj", "# nothing\n"), points(".obj", kTetrahedron), text(".txt", "v 0 0 0\n");
  refused(body_with("mesh: {file: " + empty.name() + "}"), "has no points");
  refused(body_with("mesh: {file: " + text.name() + "}"), "is neither STL, OBJ nor PLY");
  refused(body_with("mesh: {" + three + ", triangles: [[0, 1, 2]]}", "density: 1000"),
          ":3: bodies[0].shape: a mesh or height field has no mass");
  refused(body_with("mesh: {" + three + ", triangles: [[0, 1, 2]]}", "static: true, density: 1"),
          "a density needs a shape with a volume");
}

BOOST_AUTO_TEST_CASE(convex_from_files) {
  const BesideScene obj(".obj", std::string(kTetrahedron) + "v 0.1 0.1 0.1\n" + kFaces + "f 1 2 5\n");
  const Scene scene = scene_from(body_with("convex: {file: " + obj.name() + ", scale: 3}", "density: 2"));
  BOOST_TEST((scene.world.bodies.at(0).shape.kind == Kind::convex));
  BOOST_TEST(scene.world.bodies.at(0).shape.points.size() == 4U);
  BOOST_TEST(*scene.world.bodies.at(0).mass == 9, boost::test_tools::tolerance(1e-14));
  const ShapeDescription part = shape_of("compound: [{convex: {file: " + obj.name() + "}, position: [1, 2, 3]}]");
  BOOST_TEST(part.children.at(0).shape.points.size() == 4U);
  refused(body_with("convex: {file: " + obj.name() + ", points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}"),
          "expected either points or file");
  refused(body_with("convex: {}"), ".points: required, or `file` instead");
}

BOOST_AUTO_TEST_CASE(convex_pieces) {
  std::string text;
  for (int k = 0; k < 3; ++k) {
    text += k == 1 ? "g second\n" : "o piece_" + std::to_string(k) + "\n";
    for (int i = 0; i < 4; ++i)
      text += "v " + std::to_string((i == 1) + 2 * k) + " " + std::to_string(int(i == 2)) + " " +
              std::to_string(int(i == 3)) + "\n";
    for (const auto& f : {std::array{1, 3, 2}, std::array{1, 2, 4}, std::array{1, 4, 3}, std::array{2, 3, 4}})
      text += "f " + std::to_string(f[0] + 4 * k) + " " + std::to_string(f[1] + 4 * k) + " " +
              std::to_string(f[2] + 4 * k) + "\n";
  }
  const BesideScene obj(".obj", text), one(".obj", std::string(kTetrahedron) + kFaces);
  const Scene scene = scene_from(body_with("convex_pieces: {file: " + obj.name() + "}", "density: 6"));
  const BodyDescription& body = scene.world.bodies.at(0);
  BOOST_TEST((body.shape.kind == Kind::compound));
  BOOST_REQUIRE(body.shape.children.size() == 3U);
  BOOST_TEST(*body.mass == 3, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(mass_properties(body.shape, "b").centre.x == 2.25, boost::test_tools::tolerance(1e-14));
  BOOST_TEST(shape_of("convex_pieces: {file: " + one.name() + "}").children.size() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()
