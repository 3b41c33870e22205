// Meshes and height fields: triangles, active edges, colliders, and what is refused.

#include "physics/collision/triangle_mesh.hpp"

#include "framework/error.hpp"
#include "framework/jacobian.hpp"
#include "physics/collision/broad_phase.hpp"
#include "physics/collision/detection.hpp"
#include "physics/collision/narrow_phase/triangle.hpp"
#include "physics/collision/surfaces.hpp"
#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>
#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(triangle_mesh)

namespace {

using Kind = ShapeDescription::Kind;

ShapeDescription height_field(int columns, int rows, const std::function<double(int, int)>& height) {
  ShapeDescription shape;
  shape.kind = Kind::height_field;
  shape.columns = columns;
  shape.rows = rows;
  shape.spacing_x = 0.5;
  shape.spacing_y = 2;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) shape.heights.push_back(height(i, j));
  return shape;
}

/// Surface of a tetrahedron, wound outwards; with `inwards` of a pit of that form.
ShapeDescription tetrahedron(bool inwards) {
  ShapeDescription shape;
  shape.kind = Kind::mesh;
  shape.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  shape.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  if (inwards)
    for (auto& t : shape.triangles) std::swap(t[1], t[2]);
  return shape;
}

bool active(const TriangleMesh& mesh, std::size_t triangle, int edge) {
  return (mesh.active_edges[triangle] >> edge & 1) != 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(cells_of_a_height_field) {
  const TriangleMesh mesh = clarke::triangle_mesh(height_field(3, 2, [](int i, int) { return 0.1 * i; }), "here");
  BOOST_TEST(mesh.points.size() == 6U);
  BOOST_TEST(mesh.triangles.size() == 4U);
  BOOST_TEST(mesh.points[0].x == -0.5);
  BOOST_TEST(mesh.points[0].y == -1);
  BOOST_TEST(mesh.points[5].z == 0.2);
  for (std::size_t t = 0; t < 4; ++t)  // seen from above counter-clockwise
    BOOST_TEST(cross(mesh.corner(t, 1) - mesh.corner(t, 0), mesh.corner(t, 2) - mesh.corner(t, 0)).z > 0);
  // A plane slope: only the border is an edge. Cell 0: a b c, a c d.
  BOOST_TEST((active(mesh, 0, 0) && !active(mesh, 0, 1) && !active(mesh, 0, 2)));
  BOOST_TEST((!active(mesh, 1, 0) && active(mesh, 1, 1) && active(mesh, 1, 2)));
}

BOOST_AUTO_TEST_CASE(ridges_are_edges_and_valleys_are_not) {
  for (const double bend : {0.3, -0.3, 0.001, -0.001}) {
    const TriangleMesh mesh =
        clarke::triangle_mesh(height_field(3, 2, [bend](int i, int) { return i == 1 ? bend : 0.0; }), "here");
    // The line x = 0 is edge b c of the left cell and edge d a of the right one.
    const bool ridge = 2 * std::atan(bend / 0.5) > kFlatAngle;
    BOOST_TEST(ridge == (bend == 0.3));
    BOOST_TEST(active(mesh, 0, 1) == ridge);
    BOOST_TEST(active(mesh, 3, 2) == ridge);
    BOOST_TEST(!active(mesh, 0, 2));  // the diagonal of a plane cell
  }
  const TriangleMesh solid = clarke::triangle_mesh(tetrahedron(false), "here"),
                     pit = clarke::triangle_mesh(tetrahedron(true), "here");
  for (std::size_t t = 0; t < 4; ++t) {
    BOOST_TEST((solid.active_edges[t] & 63) == 63);  // three edges and three corners
    BOOST_TEST(pit.active_edges[t] == 0);
    // The angle is that between the normals, rounded up to π/255.
    for (int k = 0; k < 3; ++k) {
      const double angle = edge_angle(solid.active_edges[t], k);
      BOOST_TEST((angle > 1.5 && angle < 2.6));
    }
  }
  BOOST_TEST(mesh_warnings(solid).empty());
}

// Three corners of its own for each triangle, as in STL files, change nothing.
BOOST_AUTO_TEST_CASE(corners_at_one_place_are_one) {
  const ShapeDescription whole = height_field(4, 4, [](int i, int j) { return 0.2 * std::sin(3.0 * i + j); });
  const TriangleMesh mesh = clarke::triangle_mesh(whole, "here");
  ShapeDescription soup;
  soup.kind = Kind::mesh;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const int first = static_cast<int>(soup.points.size());
    for (int k = 0; k < 3; ++k) soup.points.push_back(mesh.corner(t, k));
    soup.triangles.push_back({first, first + 1, first + 2});
  }
  BOOST_TEST(clarke::triangle_mesh(soup, "here").active_edges == mesh.active_edges, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(odd_meshes_are_reported) {
  ShapeDescription fin = tetrahedron(false);
  fin.points.push_back({1, 1, -1});
  fin.triangles.push_back({0, 1, 4});
  TriangleMesh mesh = clarke::triangle_mesh(fin, "here");
  BOOST_REQUIRE(mesh_warnings(mesh).size() == 1U);
  BOOST_TEST(mesh_warnings(mesh)[0].find("at 1 edges, first on triangle 0") != std::string::npos);
  ShapeDescription turned = tetrahedron(true);
  std::swap(turned.triangles[2][0], turned.triangles[2][1]);
  mesh = clarke::triangle_mesh(turned, "here");
  BOOST_REQUIRE(mesh_warnings(mesh).size() == 1U);
  BOOST_TEST(mesh_warnings(mesh)[0].find("opposite senses, at 3 edges") != std::string::npos);
  BOOST_TEST((mesh.active_edges[2] & 7) == 7);
}

// A cube whose faces are cut by diagonals: every corner is one, though some of its edges are flat; a point in the
// middle of a crease or of a face is none.
BOOST_AUTO_TEST_CASE(corners_of_the_whole_surface) {
  ShapeDescription cube;
  cube.kind = Kind::mesh;
  for (int i = 0; i < 8; ++i) cube.points.push_back({i & 1 ? 1.0 : 0.0, i & 2 ? 1.0 : 0.0, i & 4 ? 1.0 : 0.0});
  cube.points.push_back({0.5, 0, 1});  // on the crease between the top and the front
  cube.triangles = {{0, 2, 3}, {0, 3, 1}, {0, 1, 8}, {1, 5, 8}, {0, 8, 4}, {1, 3, 7}, {1, 7, 5},
                    {3, 2, 6}, {3, 6, 7}, {2, 0, 4}, {2, 4, 6}, {4, 8, 6}, {8, 7, 6}, {8, 5, 7}};
  const TriangleMesh mesh = clarke::triangle_mesh(cube, "here");
  BOOST_TEST(mesh_warnings(mesh).empty());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k)
      BOOST_TEST(((mesh.active_edges[t] >> (kTriangleVertexBit + k) & 1) == (mesh.triangles[t][k] != 8)),
                 "triangle " << t << " corner " << k);
}

BOOST_AUTO_TEST_CASE(wrong_meshes) {
  const auto refused = [](const ShapeDescription& shape, const std::string& words) {
    BOOST_CHECK_EXCEPTION(clarke::triangle_mesh(shape, "body 'm'"), InputError, [&](const InputError& e) {
      BOOST_TEST_INFO(e.what());
      return std::string(e.what()).find(words) != std::string::npos;
    });
  };
  ShapeDescription shape;
  shape.kind = Kind::mesh;
  refused(shape, "body 'm': a mesh needs at least one triangle");
  shape = tetrahedron(false);
  shape.triangles[2] = {0, 4, 1};
  refused(shape, "triangle 2 of the mesh has vertex 4, expected 0 to 3");
  shape.triangles[2] = {0, -1, 1};
  refused(shape, "triangle 2 of the mesh has vertex -1");
  shape.triangles[2] = {0, 1, 1};
  refused(shape, "triangle 2 of the mesh has no area");
  shape = tetrahedron(false);
  shape.points[3].y = std::numeric_limits<double>::quiet_NaN();
  refused(shape, "vertex 3 of the mesh is not finite");
  shape = height_field(3, 2, [](int, int) { return 0.0; });
  shape.heights.pop_back();
  refused(shape, "3 columns and 2 rows needs 6 heights, got 5");
  shape = height_field(1, 2, [](int, int) { return 0.0; });
  refused(shape, "at least 2 columns and 2 rows");
  shape = height_field(2, 2, [](int, int) { return 0.0; });
  shape.spacing_y = 0;
  refused(shape, "positive spacings");
}

BOOST_AUTO_TEST_CASE(colliders_of_a_mesh) {
  World world;
  world.bodies = {make_body("ball", Kind::sphere, {0.1, 0.1, 1.55}),
                  make_body("pit", Kind::mesh, {0, 0, 1}, Motion::fixed), make_body("far", Kind::sphere, {9, 9, 9})};
  world.bodies[1].shape = tetrahedron(false);
  const ShapeSet s = build_shapes(world);
  BOOST_REQUIRE(s.count == 6);
  const auto kind = host_copy(s.kind);
  const auto entity = host_copy(s.entity), active_edges = host_copy(s.active_edges),
             vertex_begin = host_copy(s.vertex_begin), face_begin = host_copy(s.face_begin);
  const auto vertex = host_copy(s.vertex), face_normal = host_copy(s.face_normal);
  const auto face_offset = host_copy(s.face_offset), face_area = host_copy(s.face_area), radius = host_copy(s.radius);
  const double rounding = 1e-15;  // three additions and a normalisation of numbers of order 1
  for (int c = 1; c < 5; ++c) {
    BOOST_TEST((kind(c) == ShapeKind::triangle));
    BOOST_TEST(entity(c) == 1);
    BOOST_TEST((active_edges(c) & 7) == 7);
    BOOST_TEST(vertex_begin(c + 1) - vertex_begin(c) == 3);
    BOOST_TEST(face_begin(c + 1) - face_begin(c) == 1);
    Vec3 middle{};
    double largest = 0;
    for (int v = vertex_begin(c); v < vertex_begin(c + 1); ++v) {
      middle += vertex(v);
      largest = std::max(largest, norm(vertex(v)));
      BOOST_TEST(std::fabs(dot(face_normal(face_begin(c)), vertex(v)) - face_offset(face_begin(c))) < rounding);
    }
    BOOST_TEST(norm(middle) < 3 * rounding);
    BOOST_TEST(radius(c) == largest);
  }
  BOOST_TEST(face_normal(face_begin(1)).z == -1);
  BOOST_TEST(face_area(face_begin(4)) == std::sqrt(3.0) / 2, boost::test_tools::tolerance(rounding));

  const Entities entities = make_entities(world);
  BroadPhase broad_phase(s, entities, CollisionFilter({}));
  std::vector<ColliderPair> pairs;
  to_host(broad_phase.find_pairs(make_state(world, entities), 0.01, {}), pairs);
  BOOST_TEST((pairs == std::vector<ColliderPair>{{0, 2}, {0, 3}, {0, 4}}));  // not the bottom, z = 1

  const Surface surface = body_surface(world.bodies[1]);
  BOOST_TEST(surface.points.size() == 4U);
  BOOST_TEST(surface.polygons.size() == 4U);
}

BOOST_AUTO_TEST_CASE(only_what_no_contact_moves) {
  World world;
  world.bodies = {make_body("bowl", Kind::mesh, {})};
  world.bodies[0].shape = tetrahedron(true);
  const auto refused = [](const World& w, const std::string& words) {
    BOOST_CHECK_EXCEPTION(build_shapes(w), InputError, [&](const InputError& e) {
      BOOST_TEST_INFO(e.what());
      return std::string(e.what()).find(words) != std::string::npos;
    });
  };
  refused(world, "body 'bowl': a mesh or height field has no mass");
  world.bodies[0].motion = Motion::prescribed;
  BOOST_TEST(build_shapes(world).count == 4);
  world.bodies[0].shape = height_field(726, 726, [](int, int) { return 0.0; });
  refused(world,
          "at most 1048576 bodies and particles, each part of a compound and each triangle "
          "counted, not 1051250");
}

BOOST_AUTO_TEST_SUITE_END()
