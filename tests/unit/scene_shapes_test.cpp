// Compounds, full inertia tensors, restitution, groups and collisions in a scene file, and what is refused there.

#include "framework/error.hpp"
#include "scene/scene.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(scene_shapes)

namespace {

using namespace clarke;

const std::string kTime = "time: {step: 0.1, end: 1}\n";

/// Line 3 is the shape of a body, or any other key of it.
std::string with_key(const std::string& key) {
  return kTime + "bodies:\n  - {name: b, mass: 1, inertia: [1, 1, 1], " + key + "}\n";
}

void refused(const std::string& text, const std::string& words) {
  BOOST_CHECK_EXCEPTION(scene_from(text), InputError, [&](const InputError& e) {
    const std::string what = e.what();
    BOOST_TEST_INFO(what);
    BOOST_TEST(what.find(words) != std::string::npos, what << " lacks: " << words);
    return true;
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(compound) {
  const Scene scene = scene_from(kTime + R"(
bodies:
  - name: palm
    shape:
      compound:
        - {box: {half: [1, 2, 3]}, position: [4, 5, 6], orientation: [0, 0, 0, 2]}
        - sphere: {radius: 0.5}
        - {convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, position: [0, 0, 9]}
    density: 1000
)");
  const BodyDescription& palm = scene.world.bodies.at(0);
  BOOST_TEST((palm.shape.kind == ShapeDescription::Kind::compound));
  BOOST_REQUIRE(palm.shape.children.size() == 3U);
  const ShapeChild& box = palm.shape.children[0];
  BOOST_TEST((box.shape.kind == ShapeDescription::Kind::box));
  BOOST_TEST(box.shape.half.y == 2);
  BOOST_TEST(box.position.z == 6);
  BOOST_TEST(box.orientation.z == 1);
  BOOST_TEST(palm.shape.children[1].shape.radius == 0.5);
  BOOST_TEST(palm.shape.children[1].orientation.w == 1);
  BOOST_TEST(palm.shape.children[2].shape.points.size() == 4U);
  const double volume = 48 + 4.0 / 3 * M_PI / 8 + 1.0 / 6;
  BOOST_TEST(*palm.mass == 1000 * volume, boost::test_tools::tolerance(1e-14));
}

BOOST_AUTO_TEST_CASE(capsules_and_cylinders) {
  const Scene scene = scene_from(with_key("shape: {capsule: {radius: 0.5, half_height: 2}}"));
  const ShapeDescription& shape = scene.world.bodies.at(0).shape;
  BOOST_TEST((shape.kind == ShapeDescription::Kind::capsule));
  BOOST_TEST(shape.radius == 0.5);
  BOOST_TEST(shape.half_height == 2);
  const Scene part = scene_from(with_key("shape: {compound: [{cylinder: {radius: 1, half_height: 3}}]}"));
  BOOST_TEST((part.world.bodies.at(0).shape.children.at(0).shape.kind == ShapeDescription::Kind::cylinder));
  refused(with_key("shape: {cylinder: {radius: 1}}"), ":3: bodies[0].shape.cylinder");
  refused(with_key("shape: {capsule: {radius: 1, half_height: 0}}"),
          ":3: bodies[0].shape.capsule.half_height: expected a number above 0");
}

BOOST_AUTO_TEST_CASE(wrong_compounds) {
  refused(with_key("shape: {compound: []}"), ":3: bodies[0].shape.compound: expected");
  refused(with_key("shape: {compound: {box: {half: [1, 1, 1]}}}"), ":3: bodies[0].shape.compound: expected a list");
  refused(with_key("shape: {compound: [{position: [0, 0, 0]}]}"),
          ":3: bodies[0].shape.compound[0]: expected exactly one of sphere, capsule, cylinder, box, convex");
  refused(with_key("shape: {compound: [{box: {half: [1, 1, 1]}, sphere: {radius: 1}}]}"),
          ":3: bodies[0].shape.compound[0]: expected exactly one of sphere, capsule, cylinder, box, convex");
  refused(with_key("shape: {compound: [{plane: {}}]}"), ":3: bodies[0].shape.compound[0].plane: unknown key 'plane'");
  refused(with_key("shape: {compound: [{sphere: {radius: 0}}]}"),
          ":3: bodies[0].shape.compound[0].sphere.radius: expected a number above 0");
}

BOOST_AUTO_TEST_CASE(inertia) {
  const std::string start = kTime + "bodies:\n  - {name: b, mass: 1, inertia: ";
  const Scene scene = scene_from(start + "[2, 3, 4, 0.1, 0.2, 0.3]}\n");
  const BodyDescription& b = scene.world.bodies.at(0);
  BOOST_TEST(b.inertia->z == 4);
  BOOST_TEST(b.inertia_products.x == 0.1);
  BOOST_TEST(b.inertia_products.z == 0.3);
  refused(start + "[1, 1, 1, 0]}\n", ":3: bodies[0].inertia: expected 3 numbers [Ixx, Iyy, Izz] or 6");
  refused(start + "[1, 1, 0]}\n", ":3: bodies[0].inertia: expected moments above 0, got 0");
  refused(start + "[1, 1, 1, 1.5, 0, 0]}\n", ":3: bodies[0].inertia: expected a positive definite tensor");
  // Diagonal entries that would do, principal moments that do not: 1.9, 1, 0.1.
  refused(start + "[1, 1, 1, 0.9, 0, 0]}\n", ":3: bodies[0].inertia: no body has principal moments");
}

BOOST_AUTO_TEST_CASE(restitution) {
  const std::string body = "bodies: [{name: b, mass: 1, inertia: [1, 1, 1]}]\n";
  const Scene scene = scene_from(kTime + body + "materials: {m: {restitution: 0.7}, n: {}}\n");
  BOOST_TEST(scene.world.materials.at("m").restitution == 0.7);
  BOOST_TEST(scene.world.materials.at("n").restitution == 0);
  refused(kTime + body + "materials: {m: {restitution: 1.1}}\n", ":3: materials.m.restitution: expected a number");
}

BOOST_AUTO_TEST_CASE(collisions) {
  const std::string things = kTime +
                             "particles: [{name: p, mass: 1}]\nbodies:\n"
                             "  - {name: left, mass: 1, inertia: [1, 1, 1], group: hand}\n"
                             "  - {name: table, mass: 1, inertia: [1, 1, 1]}\n";
  const Scene scene = scene_from(things + "collisions: {ignore: [[hand, hand], [table, p], [hand, p]]}\n");
  BOOST_TEST(scene.world.bodies[0].group == "hand");
  BOOST_REQUIRE(scene.world.no_collision.size() == 3U);
  BOOST_TEST(scene.world.no_collision[1].second == "p");
  const std::string key = ":6: collisions.ignore: ";
  refused(things + "collisions: {ignore: [[hand, tabel]]}\n",
          key + "unknown body, particle or group 'tabel'; did you mean 'table'?");
  refused(things + "collisions: {ignore: [[hand, world]]}\n", key + "unknown body, particle or group 'world'");
  refused(things + "collisions: {ignore: [[table, table]]}\n", key + "'table' twice");
  refused(things + "collisions: {ignore: [[hand, table, p]]}\n",
          ":6: collisions.ignore[0]: expected a list of 2 names");
  refused(things + "  - {name: hand, mass: 1, inertia: [1, 1, 1]}\n",
          ":6: bodies[2].name: the name 'hand' is that of a group");
  refused(things + "  - {name: c, mass: 1, inertia: [1, 1, 1], group: table}\n",
          ":6: bodies[2].group: the name 'table' is that of a body or particle");
}

BOOST_AUTO_TEST_SUITE_END()
