// Sensors and joints: from a frame to values, tables and files.

#include "framework/error.hpp"
#include "measure/sensors.hpp"
#include "postprocess/csv_records.hpp"
#include "postprocess/output_writer.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <fstream>

BOOST_AUTO_TEST_SUITE(sensor_output)

namespace {

namespace fs = std::filesystem;
using namespace clarke;

World mechanism() {
  World world;
  world.bodies.resize(3);
  world.bodies[0].name = "floor";
  world.bodies[1].name = "a";
  world.bodies[2].name = "b";
  world.particles.resize(1);
  world.particles[0].name = "p";
  return world;
}

Frame frame_at(int index) {
  Frame frame;
  frame.index = index;
  frame.time = index / 120.0;
  for (const char* name : {"floor", "a", "b"}) {
    frame.bodies.emplace_back();
    frame.bodies.back().name = name;
  }
  frame.particles.emplace_back();
  frame.particles.back().name = "p";
  FrameJoint hinge, ball, screw;
  hinge.name = "knee", hinge.type = "hinge", hinge.body_a = 1;
  hinge.point = {1, 2, 3}, hinge.axis = {0, 1, 0}, hinge.force = {4, 0, 3}, hinge.torque = {0, 5, 0};
  hinge.violation = 1e-9, hinge.coordinate = {0.5}, hinge.rate = {-2}, hinge.effort = {6};
  ball.name = "rod", ball.type = "ball", ball.body_a = 0, ball.body_b = 1;
  screw.name = "screw", screw.type = "cylindrical", screw.body_a = 2, screw.body_b = 1;
  screw.coordinate = {7, 70}, screw.rate = {8, 80}, screw.effort = {9, 90};
  frame.joints = {hinge, ball, screw};
  return frame;
}

double value_in(const Frame& frame, const Query& query) {
  Sensors sensors({{"s", query}}, mechanism());
  sensors.start(frame_at(0));
  return sensors.values(StepReport(), frame).at(0);
}

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A fresh directory that goes with the test.
struct Scratch {
  fs::path path;
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "clarke_sensors_XXXXXX").string();
    BOOST_REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path = pattern;
  }
  ~Scratch() { fs::remove_all(path); }
};

/// What is said about line 4, "sensors".
std::string refusal(const std::string& sensors) {
  try {
    scene_from(
        "time: {step: 0.1, end: 1}\nparticles: [{name: p, mass: 1}]\n"
        "joints: [{distance: {name: rod, bodies: [p, world], anchors: [[0, 0, 0], [0, 0, 1]]}}]\n"
        "sensors: [" +
        sensors + "]\n");
  } catch (const InputError& error) {
    const std::string message = error.what();
    const std::size_t place = message.find(":4: sensors");
    return place == std::string::npos ? message : message.substr(place + 11);
  }
  return "accepted";
}

}  // namespace

BOOST_AUTO_TEST_CASE(quantities_of_a_joint) {
  const Frame frame = frame_at(1);
  BOOST_TEST(value_in(frame, {"coordinate", "knee", ""}) == 0.5);
  BOOST_TEST(value_in(frame, {"coordinate_rate", "knee", ""}) == -2);
  BOOST_TEST(value_in(frame, {"effort", "knee", ""}) == 6);
  BOOST_TEST(value_in(frame, {"coordinate_2", "screw", ""}) == 70);
  BOOST_TEST(value_in(frame, {"coordinate_rate_2", "screw", ""}) == 80);
  BOOST_TEST(value_in(frame, {"effort_2", "screw", ""}) == 90);
  BOOST_TEST(value_in(frame, {"joint_violation", "knee", ""}) == 1e-9);
  BOOST_TEST(value_in(frame, {"reaction_force", "knee", ""}) == 5);
  BOOST_TEST(value_in(frame, {"reaction_force.z", "knee", ""}) == 3);
  BOOST_TEST(value_in(frame, {"reaction_torque", "knee", ""}) == 5);
  BOOST_TEST(value_in(frame, {"reaction_torque.y", "knee", ""}) == 5);
}

BOOST_AUTO_TEST_CASE(orientation_has_one_sign) {
  Frame frame = frame_at(1);
  frame.bodies[1].orientation = {-0.5, 0.5, -0.5, 0.5};
  BOOST_TEST(value_in(frame, {"orientation.w", "a", ""}) == 0.5);
  BOOST_TEST(value_in(frame, {"orientation.x", "a", ""}) == -0.5);
  BOOST_TEST(value_in(frame, {"orientation.y", "a", ""}) == 0.5);
}

BOOST_AUTO_TEST_CASE(contact_forces_with_one_thing) {
  Frame frame = frame_at(1);
  frame.contacts.resize(3);
  frame.contacts[0].body_a = 1, frame.contacts[0].body_b = 0;
  frame.contacts[0].normal_force = {0, 0, 10}, frame.contacts[0].friction_force = {3, 0, 0};
  frame.contacts[1].body_a = 2, frame.contacts[1].body_b = 1;
  frame.contacts[1].normal_force = {0, 0, 4};
  frame.contacts[2] = frame.contacts[1];
  BOOST_TEST(value_in(frame, {"contact_force.z", "a", ""}) == 2);
  BOOST_TEST(value_in(frame, {"contact_force.z", "a", "floor"}) == 10);
  BOOST_TEST(value_in(frame, {"contact_force.x", "floor", "a"}) == -3);
  BOOST_TEST(value_in(frame, {"contact_force.z", "a", "b"}) == -8);
  BOOST_TEST(value_in(frame, {"normal_force", "a", "b"}) == 8);
  BOOST_TEST(value_in(frame, {"normal_force", "a", "p"}) == 0);
}

BOOST_AUTO_TEST_CASE(what_is_not_in_the_frame_is_a_mistake_of_ours) {
  Sensors sensors({{"s", {"coordinate", "no such joint", ""}}}, mechanism());
  BOOST_CHECK_THROW(sensors.start(frame_at(0)), std::logic_error);
}

BOOST_AUTO_TEST_CASE(frames_are_asked_for_only_when_needed) {
  BOOST_TEST(!Sensors({{"s", {"contacts", "", ""}}}, mechanism()).needs_frames());
  BOOST_TEST(Sensors({{"s", {"coordinate", "knee", ""}}}, mechanism()).needs_frames());
}

BOOST_AUTO_TEST_CASE(a_table_of_sensors) {
  const Scratch scratch;
  OutputWriter writer(scratch.path.string(), "test", {}, {}, {"angle", "force"});
  writer.write_sensors(1, 0.5, {0.1, -2});
  writer.write_sensors(2, 1, {std::nan(""), 1e-9});
  BOOST_TEST(content(scratch.path / "sensors.csv") == "step,time,angle,force\n1,0.5,0.1,-2\n2,1,nan,1e-09\n");
  BOOST_CHECK_THROW(writer.write_sensors(3, 2, {1}), std::logic_error);
  const Scratch other;
  OutputWriter without(other.path.string(), "test", {}, {});
  BOOST_TEST(!fs::exists(other.path / "sensors.csv"));
  BOOST_CHECK_THROW(without.write_sensors(1, 1, {}), std::logic_error);
}

BOOST_AUTO_TEST_CASE(joints_are_written_when_there_are_some) {
  const Scratch scratch;
  for (const char* old : {"joints_000009.vtp", "joints.pvd", "sensors.csv"}) std::ofstream(scratch.path / old) << "old";
  OutputWriter writer(scratch.path.string(), "test", {}, {});
  for (const char* old : {"joints_000009.vtp", "joints.pvd", "sensors.csv"})
    BOOST_TEST(!fs::exists(scratch.path / old));
  Frame without = frame_at(0);
  without.joints.clear();
  for (FrameBody& body : without.bodies) body.surface = -1;
  writer.write_frame(without);
  BOOST_TEST(!fs::exists(scratch.path / "joints_000000.vtp"));
  writer.write_frame(frame_at(2));
  BOOST_TEST(content(scratch.path / "joints.pvd").find("joints_000002.vtp") != std::string::npos);
  const std::string command =
      std::string("/usr/bin/python3 ") + CLARKE_SOURCE_DIR + "/tests/unit/read_joints.py " + scratch.path.string();
  const int status = std::system(command.c_str());
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == 77)
    BOOST_TEST_MESSAGE("not tested, Python has no VTK: " << command);
  else
    BOOST_TEST(code == 0);
}

BOOST_AUTO_TEST_CASE(scene_keys) {
  const Scene scene = scene_from(
      "time: {step: 0.1, end: 1}\nbodies: [{name: b, mass: 1, inertia: [1, 1, 1]}, {name: c, "
      "static: "
      "true}]\njoints: [{hinge: {name: knee, bodies: [b, world], anchor: [0, 0, 0], axis: [0, 0, "
      "1]}}]\nsensors:\n  - {name: angle, quantity: coordinate, of: knee}\n  - {name: push, "
      "quantity: "
      "normal_force, of: b, with: c}\n  - {name: energy, quantity: kinetic_energy}\nexpect:\n  - "
      "{quantity: effort, of: knee, max: 1}\n  - {quantity: normal_force, of: b, with: c, max: "
      "1}\n");
  BOOST_REQUIRE(scene.sensors.size() == 3U);
  BOOST_TEST(scene.sensors[0].name == "angle");
  BOOST_TEST(scene.sensors[0].query.of == "knee");
  BOOST_TEST(scene.sensors[1].query.with == "c");
  BOOST_TEST(scene.sensors[2].query.of == "");
  BOOST_TEST(scene.expect[1].text() == "normal_force of b with c at end: expected at most 1");
}

BOOST_AUTO_TEST_CASE(bad_scene_keys) {
  BOOST_TEST(refusal("{name: s, quantity: reaction_force, of: rod}") == "accepted");
  BOOST_TEST(refusal("{name: s, quantity: reaction_force, of: rd}") ==
             "[0].of: unknown joint 'rd'; did you mean 'rod'?");
  BOOST_TEST(refusal("{name: s, quantity: reaction_force}") == "[0].of: missing; 'reaction_force' is of a joint");
  BOOST_TEST(refusal("{name: s, quantity: coordinate, of: rod}") ==
             "[0].of: 'rod' is a distance, which has no coordinate");
  BOOST_TEST(refusal("{name: s, quantity: orientation.w, of: p}") ==
             "[0].of: 'p' is a particle; 'orientation.w' is of a body");
  BOOST_TEST(refusal("{name: s, quantity: speed, of: p, with: p}") ==
             "[0].with: 'speed' is of one thing; only contact forces take `with`");
  BOOST_TEST(refusal("{name: s, quantity: normal_force, of: p, with: q}") ==
             "[0].with: unknown body or particle 'q'; one of p");
  BOOST_TEST(refusal("{name: s, quantity: normal_force, of: p, with: p}") ==
             "[0].with: expected another thing than 'p'");
  BOOST_TEST(refusal("{name: s, quantity: contacts}, {name: s, quantity: contacts}") ==
             "[1].name: the name 's' is used twice");
  BOOST_TEST(refusal("{name: time, quantity: contacts}") == "[0].name: 'time' is a column of its own in sensors.csv");
  BOOST_TEST(refusal("{name: 'a,b', quantity: contacts}") ==
             "[0].name: expected letters, digits, '_', '-' and '.', got 'a,b'");
  BOOST_TEST(refusal("{name: s, quantity: penetration_max}")
                 .starts_with("[0].quantity: unknown value 'penetration_max'; did you mean 'penetration'"));
}

BOOST_AUTO_TEST_SUITE_END()
