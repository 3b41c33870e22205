#include "scene/scene.hpp"

#include "framework/error.hpp"
#include "framework/sha256.hpp"
#include "scene/reader/scene_schema.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numbers>

BOOST_AUTO_TEST_SUITE(scene)

namespace {

using namespace clarke;

const char* const kEverything = R"(version: 1
case: everything
seed: 7
gravity: [0, 0, -1.62]
time: {step: 0.01, end: 2}
materials:
  stone: {density: 2400, friction: 0.6}
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 2], offset: -1}}, static: true, material: stone}
  - name: box
    shape: {box: {half: [0.5, 0.5, 0.25]}}
    mass: 10
    inertia: [1, 2, 2.5]
    position: [0, 0, 0.25]
    orientation: {axis: [0, 2, 0], angle_deg: 30}
    velocity: [1, 0, 0]
    angular_velocity: [0, 0, 3]
    material: stone
    thickness: 0.01
    contact_points: [[0.5, 0.5, -0.25]]
  - {name: ball, shape: {sphere: {radius: 0.1}}, density: 1000, orientation: [2, 0, 0, 0]}
  - name: wedge
    shape: {convex: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}
  - {name: belt, shape: {box: {half: [1, 1, 0.1]}}, prescribed: true, velocity: [0, 1, 0]}
  - {name: ghost, mass: 1, inertia: [1, 1, 1]}
particles:
  - {name: p, mass: 2, radius: 0.05, position: [0, 0, 2], velocity: [0, 1, 0]}
  - {name: q, mass: 1, position: [1, 0, 2], static: true}
joints:
  - ball: {name: hook, bodies: [box, world], anchor: [0, 0, 1], compliance: 1e-6}
  - distance: {name: rope, bodies: [p, q]}
  - distance: {name: stick, bodies: [p, world], anchors: [[0, 0, 2], [0, 0, 5]], length: 2.5}
options:
  ksp_type: pcr
  snes_rtol: 1e-8
  pc: {factor: {levels: 2}}
  snes_monitor:
  list: [1, 2, 3]
output: {directory: somewhere, every: 3}
expect:
  - {quantity: position.z, of: box, equals: 0.25, tolerance: 1e-6, name: at_rest, basis: balance}
  - {quantity: penetration_max, max: 1e-4}
  - {quantity: speed, at: 0.5, min: 0, max: 3}
)";

bool near(double a, double b) { return std::fabs(a - b) < 1e-14; }

}  // namespace

BOOST_AUTO_TEST_CASE(every_key_reaches_its_member) {
  const Scene scene = scene_from(kEverything);
  const World& world = scene.world;
  BOOST_TEST(world.name == "everything");
  BOOST_TEST(scene.seed == 7);
  BOOST_TEST(world.gravity.z(0) == -1.62);
  BOOST_TEST(scene.time_step == 0.01);
  BOOST_TEST(scene.time_end == 2);
  BOOST_TEST(world.materials.at("stone").density == 2400);
  BOOST_REQUIRE(world.bodies.size() == 6U);
  BOOST_REQUIRE(world.particles.size() == 2U);
  BOOST_REQUIRE(world.joints.size() == 3U);

  const BodyDescription &floor = world.bodies[0], &box = world.bodies[1], &ball = world.bodies[2];
  BOOST_TEST((floor.motion == Motion::fixed));
  BOOST_TEST(floor.shape.normal.z == 1);  // normalised
  BOOST_TEST(floor.shape.offset == -1);
  BOOST_TEST((box.shape.kind == ShapeDescription::Kind::box));
  BOOST_TEST(box.shape.half.z == 0.25);
  BOOST_TEST(*box.mass == 10);
  BOOST_TEST(box.inertia->y == 2);
  BOOST_TEST(near(box.orientation.y, std::sin(std::numbers::pi / 12)));
  BOOST_TEST(box.velocity.x == 1);
  BOOST_TEST(box.angular_velocity.z == 3);
  BOOST_TEST(box.material == "stone");
  BOOST_TEST(box.thickness == 0.01);
  BOOST_TEST(box.contact_points.size() == 1U);
  BOOST_TEST(*ball.mass == 1000 * 4. / 3 * std::numbers::pi * 0.001, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(ball.orientation.w == 1);
  BOOST_TEST(!world.bodies[3].mass.has_value());  // from the default material
  BOOST_TEST((world.bodies[4].motion == Motion::prescribed));
  BOOST_TEST(world.particles[0].radius == 0.05);
  BOOST_TEST(world.particles[1].fixed);

  BOOST_TEST(world.joints[0].type == "ball");
  BOOST_TEST(world.joints[0].anchor_b.z == 1);
  BOOST_TEST(world.joints[0].compliance.at(0) == 1e-6);
  BOOST_TEST(world.joints[1].anchor_b.x == 1);
  BOOST_TEST(!world.joints[1].length.has_value());
  BOOST_TEST(*world.joints[2].length == 2.5);

  const std::vector<std::pair<std::string, std::string>> options = {
      {"ksp_type", "pcr"}, {"snes_rtol", "1e-8"}, {"pc_factor_levels", "2"}, {"snes_monitor", ""}, {"list", "1,2,3"}};
  BOOST_TEST((scene.options == options));
  BOOST_TEST(scene.output.directory == "somewhere");
  BOOST_TEST(scene.output.every == 3);

  BOOST_REQUIRE(scene.expect.size() == 3U);
  BOOST_TEST((scene.expect[0].when == Expectation::When::end));
  BOOST_TEST(scene.expect[1].quantity == "penetration");
  BOOST_TEST((scene.expect[1].when == Expectation::When::max));
  BOOST_TEST((scene.expect[2].when == Expectation::When::time));
  BOOST_TEST(scene.expect[2].time == 0.5);
  BOOST_TEST(scene.expect[0].name == "at_rest");
  BOOST_TEST(scene.expect[0].basis == "balance");
  BOOST_TEST(scene.expect[1].basis == "purpose");
  BOOST_TEST(scene.expect[0].where == scene.file + ":41");
  BOOST_TEST(scene.hash == sha256(kEverything));
}

BOOST_AUTO_TEST_CASE(what_is_left_out_has_its_default) {
  const SceneFile file("time: {step: 0.1, end: 1}\nparticles: [{name: p, mass: 1}]\n");
  const Scene scene = read_scene(file.path());
  BOOST_TEST(scene.world.gravity.z(0) == -9.81);
  BOOST_TEST(scene.world.name == std::filesystem::path(file.path()).stem().string());
  BOOST_TEST(scene.output.directory == "out/" + scene.world.name);
  BOOST_TEST(scene.output.every == 1);
  BOOST_TEST(scene.expect.empty());
}

BOOST_AUTO_TEST_CASE(joints_are_those_of_the_registry) {
  const std::string text =
      "time: {step: 0.1, end: 1}\nparticles: [{name: p, mass: 1}]\n"
      "joints: [{bracket: {name: h, bodies: [p, world], anchor: [0, 0, 0]}}]\n";
  const SceneFile file(text);
  BOOST_CHECK_THROW(read_scene(file.path()), InputError);
  BOOST_TEST(read_scene(file.path(), {"ball", "bracket"}).world.joints[0].type == "bracket");
}

BOOST_AUTO_TEST_CASE(steps_reach_the_end) {
  BOOST_TEST(step_count(0.1, 1) == 10);
  BOOST_TEST(step_count(1. / 120, 2) == 240);
  BOOST_TEST(step_count(0.008333333, 2) == 240);  // as rounded as a scene may write it
  BOOST_TEST(step_count(0.3, 1) == 4);
  BOOST_CHECK_THROW(step_count(1e-300, 1e300), InputError);
}

BOOST_AUTO_TEST_CASE(hash_is_that_of_sha256sum) {
  BOOST_TEST(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  BOOST_TEST(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  BOOST_TEST(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
             "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

BOOST_AUTO_TEST_CASE(schema_has_every_key_of_the_reader) {
  const nlohmann::json schema = nlohmann::json::parse(scene_schema(default_joint_types()));
  const nlohmann::json& keys = schema["properties"];
  for (const char* key : {"version", "case", "seed", "gravity", "time", "materials", "bodies", "particles", "build",
                          "joints", "loads", "options", "output", "sensors", "expect"})
    BOOST_TEST(keys.contains(key), key);
  BOOST_TEST(schema["additionalProperties"] == false);
  BOOST_TEST(keys["bodies"]["items"]["properties"]["mass"]["exclusiveMinimum"] == 0);
  BOOST_TEST(keys["bodies"]["items"]["properties"]["shape"]["properties"].contains("convex"));
  BOOST_TEST(keys["joints"]["items"]["properties"].contains("distance"));
  BOOST_TEST(keys["build"]["items"]["properties"]["arch"]["properties"].contains("stones"));
  BOOST_TEST(keys["time"]["required"].size() == 2U);
}

BOOST_AUTO_TEST_CASE(joints_are_found_in_their_file) {
  const SceneFile file(
      "time: {step: 0.01, end: 1}\n"
      "particles: [{name: p, mass: 1}, {name: q, mass: 1, position: [1, 0, 0]}]\n"
      "joints:\n"
      "  - distance: {name: rod, bodies: [p, q]}\n");
  const Scene scene = read_scene(file.path());
  BOOST_TEST(with_place(scene, "joint 'distance rod' is violated") ==
             file.path() + ":4: joint 'distance rod' is violated");
  BOOST_TEST(with_place(scene, "joint 'distance rods' is violated") == "joint 'distance rods' is violated");
}

BOOST_AUTO_TEST_SUITE_END()
