// What a scene may not contain: each entry must be refused with the line, the key and the reason in one message.

#include "framework/error.hpp"
#include "physics/description/polyhedra/polyhedron.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(bad_input)

namespace {

using namespace clarke;

struct BadScene {
  const char* what;
  std::string text;
  int line;             // 0: the message has none
  std::string message;  // after "file:line: "
};

/// Lines 1 and 2 of most scenes; the part under test follows from line 3 on.
std::string with_particle(const std::string& rest) {
  return "time: {step: 0.1, end: 1}\nparticles: [{name: p, mass: 1, position: [0, 0, 1]}]\n" + rest;
}

/// A scene whose line 4 is part of a body.
std::string with_body(const std::string& line) {
  return "time: {step: 0.1, end: 1}\nbodies:\n  - name: b\n    " + line + "\n    shape: {sphere: {radius: 1}}\n";
}

std::string with_time(const std::string& time) { return "particles: [{name: p, mass: 1}]\ntime: " + time + "\n"; }

std::string expecting(const std::string& expectation) { return with_particle("expect:\n  - {" + expectation + "}\n"); }

std::string message_of(const std::string& path) {
  try {
    read_scene(path);
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("not an InputError: ") + error.what();
  }
  return "accepted";
}

void check_all(const std::vector<BadScene>& scenes) {
  for (const BadScene& scene : scenes) {
    const SceneFile file(scene.text);
    const std::string place = file.path() + ":" + (scene.line ? std::to_string(scene.line) + ": " : "");
    BOOST_TEST(message_of(file.path()) == place + scene.message, scene.what << "\n  " << message_of(file.path()));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(files) {
  BOOST_TEST(message_of("no/such/scene.yaml") == "no/such/scene.yaml: cannot be read: No such file or directory");
  const SceneFile there("case: there\n");
  const std::string misspelt = there.path().substr(0, there.path().size() - 4) + "yml";
  BOOST_TEST(message_of(misspelt) ==
             misspelt + ": cannot be read: No such file or directory; did you mean '" + there.path() + "'?");
  BOOST_TEST(message_of("/tmp") == "/tmp: is a directory, expected a scene file");
  check_all({
      {"empty file", "", 1, "the file is empty, expected a scene"},
      {"only a comment", "# nothing\n", 1, "the file is empty, expected a scene"},
      {"a list", "- 1\n- 2\n", 1, "expected a map, got a list of 2"},
      {"a word", "hello\n", 1, "expected a map, got 'hello'"},
      {"two documents", "a: 1\n---\nb: 2\n", 1, "expected one YAML document, got 2"},
      {"syntax", "time: {step: 0.1, end: 1\nbodies: [\n", 2,
       "YAML syntax: end of map flow not found (the '{' of line 1 is not closed)"},
      {"a bracket that is not closed",
       "time: {step: 0.1, end: 1}  # {\nbodies:\n  - {name: \"[\", mass: [1}\n  - {name: b}\n", 3,
       "YAML syntax: illegal flow end"},
      {"nor in the line above", "time: {step: 0.1, end: 1}\nbodies:\n  - {name: a, shape: {plane: {}}\n  - {name: b}\n",
       4, "YAML syntax: illegal block entry (the '{' of line 3 is not closed)"},
      {"bad indentation", "time:\n  step: 0.1\n end: 1\n", 3, "YAML syntax: end of map not found"},
  });
}

BOOST_AUTO_TEST_CASE(keys) {
  std::string polyhedra;
  for (const std::string& name : polyhedron_registry().names()) polyhedra += ", " + name;
  check_all({
      {"a tab", "time: {step: 0.1, end: 1}\nparticles:\n\t- {name: p}\n", 3,
       "YAML syntax: illegal block entry (a tab indents this line: YAML wants spaces)"},
      {"a merge key", "particles: [{name: p, mass: 1}]\ntime: {<<: {step: 0.1}, end: 1}\n", 2,
       "time.<<: merge keys are not read: write the keys out"},
      {"misspelt top-level key", with_particle("materails: {}\n"), 3,
       "materails: unknown key 'materails'; did you mean 'materials'?"},
      {"misspelt body key", with_body("massss: 10"), 4, "bodies[0].massss: unknown key 'massss'; did you mean 'mass'?"},
      {"far from any key", with_body("qwertyuiop: 10"), 4,
       "bodies[0].qwertyuiop: unknown key 'qwertyuiop'; its keys are name, shape, static, prescribed, mass, density, "
       "inertia, position, position_of, orientation, velocity, angular_velocity, material, thickness, contact_points, "
       "group"},
      {"key given twice", with_body("name: c"), 4, "bodies[0].name: key given twice (first in line 3)"},
      {"top-level key given twice", with_particle("seed: 1\nseed: 2\n"), 4, "seed: key given twice (first in line 3)"},
      {"empty key", with_particle("\"\": 1\n"), 3, "expected a name as key, got an empty key"},
      {"null key", with_particle("~: 1\n"), 3, "expected a name as key, got an empty key"},
      {"missing key", "time: {step: 0.1, end: 1}\nparticles:\n  - {name: p}\n", 3,
       "particles[0].mass: missing; it is required"},
      {"missing time", "particles: [{name: p, mass: 1}]\n", 1, "time: missing; it is required"},
      {"wrong version", with_particle("version: 2\n"), 3, "version: expected a whole number in [1, 1], got '2'"},
      {"unknown shape", "time: {step: 0.1, end: 1}\nbodies:\n  - {name: b, shape: {spher: {radius: 1}}}\n", 3,
       "bodies[0].shape.spher: unknown key 'spher'; did you mean 'sphere'?"},
      {"two shapes",
       "time: {step: 0.1, end: 1}\nbodies:\n  - {name: b, shape: {sphere: {radius: 1}, box: {half: "
       "[1, 1, 1]}}}\n",
       3,
       std::string("bodies[0].shape: expected a map with exactly one of sphere, capsule, cylinder, ") +
           "box, plane, convex, compound, convex_pieces, tetrahedra, height_field, mesh" + polyhedra +
           "; got sphere, box"},
      {"unknown builder", with_particle("build: [{arhc: {stones: 3}}]\n"), 3,
       "build[0].arhc: unknown key 'arhc'; did you mean 'arch'?"},
      {"unknown joint", with_particle("joints:\n  - bal: {name: j}\n"), 4,
       "joints[0].bal: unknown key 'bal'; did you mean 'ball'?"},
      {"case that is no directory name", with_particle("case: ../x\n"), 3,
       "case: expected letters, digits, '_', '-' and '.', got '../x'"},
  });
}

BOOST_AUTO_TEST_CASE(values) {
  check_all({
      {"negative mass", with_body("mass: -1"), 4, "bodies[0].mass: expected a number above 0, got '-1'"},
      {"zero mass", with_body("mass: 0"), 4, "bodies[0].mass: expected a number above 0, got '0'"},
      {"not a number", with_body("mass: .nan"), 4, "bodies[0].mass: expected a number above 0, got '.nan'"},
      {"nan", with_body("mass: nan"), 4, "bodies[0].mass: expected a number above 0, got 'nan'"},
      {"infinite", with_body("mass: .inf"), 4, "bodies[0].mass: expected a number above 0, got '.inf'"},
      {"overflow", with_body("mass: 1e999"), 4, "bodies[0].mass: expected a number above 0, got '1e999'"},
      {"word for a number", with_body("mass: heavy"), 4, "bodies[0].mass: expected a number above 0, got 'heavy'"},
      {"text for a number", with_body("mass: \"10\""), 4,
       "bodies[0].mass: expected a number above 0 without quotes, got '10'"},
      {"nothing for a number", with_body("mass:"), 4, "bodies[0].mass: expected a number above 0, got nothing"},
      {"unit behind a number", with_body("mass: 10 kg"), 4,
       "bodies[0].mass: expected a number above 0 without its unit (all are SI units: m, kg, s, N, rad), got '10 kg'"},
      {"unit without a space", with_body("mass: 1e1kg"), 4,
       "bodies[0].mass: expected a number above 0 without its unit (all are SI units: m, kg, s, N, rad), got '1e1kg'"},
      {"list for a number", with_body("mass: [1]"), 4, "bodies[0].mass: expected a number above 0, got a list of 1"},
      {"short list", with_body("position: [0, 1]"), 4,
       "bodies[0].position: expected a list of 3 numbers, got a list of 2"},
      {"number for a list", with_body("position: 3"), 4, "bodies[0].position: expected a list of 3 numbers, got '3'"},
      {"word in a list", with_body("position: [0, up, 1]"), 4, "bodies[0].position[1]: expected a number, got 'up'"},
      {"zero quaternion", with_body("orientation: [0, 0, 0, 0]"), 4,
       "bodies[0].orientation: expected a quaternion that is not zero"},
      {"short quaternion", with_body("orientation: [1, 0, 0]"), 4,
       "bodies[0].orientation: expected a list of 4 numbers (w, x, y, z), got a list of 3"},
      {"zero axis", with_body("orientation: {axis: [0, 0, 0], angle_deg: 3}"), 4,
       "bodies[0].orientation.axis: expected an axis that is not zero"},
      {"word for a switch", with_body("static: yes"), 4, "bodies[0].static: expected true or false, got 'yes'"},
      {"impossible inertia", with_body("inertia: [1, 1, 3]"), 4,
       "bodies[0].inertia: no body has principal moments of which one exceeds the sum of the "
       "others"},
      {"mass and density", with_body("mass: 1\n    density: 2"), 5,
       "bodies[0].density: expected either mass or density, not both"},
      {"zero step", with_time("{step: 0, end: 1}"), 2, "time.step: expected a number above 0, got '0'"},
      {"negative step", with_time("{step: -0.1, end: 1}"), 2, "time.step: expected a number above 0, got '-0.1'"},
      {"end before the first step", with_time("{step: 0.1, end: 0.05}"), 2,
       "time.end: expected at least one step of 0.1 s"},
      {"fraction for a whole number", with_particle("seed: 1.5\n"), 3,
       "seed: expected a whole number of at least 0, got '1.5'"},
      {"negative friction", with_particle("materials: {m: {friction: -0.1}}\n"), 3,
       "materials.m.friction: expected a number of at least 0, got '-0.1'"},
      {"list for a map", with_particle("materials: [1]\n"), 3, "materials: expected a map, got a list of 1"},
  });
}

BOOST_AUTO_TEST_CASE(things_that_do_not_fit_together) {
  check_all({
      {"unknown material",
       "time: {step: 0.1, end: 1}\nmaterials: {stone: {}}\nparticles: [{name: p, mass: 1, "
       "material: stoone}]\n",
       3, "particles[0].material: unknown material 'stoone'; did you mean 'stone'?"},
      {"two bodies of one name",
       "time: {step: 0.1, end: 1}\nbodies:\n  - {name: b, shape: {sphere: {radius: 1}}}\n  - "
       "{name: b, shape: {sphere: {radius: 1}}}\n",
       4, "bodies[1].name: the name 'b' is used twice"},
      {"a body and a particle of one name",
       "time: {step: 0.1, end: 1}\nbodies:\n  - {name: b, shape: {sphere: {radius: "
       "1}}}\nparticles: [{name: b, mass: 1}]\n",
       4, "particles[0].name: the name 'b' is used twice"},
      {"two joints of one name",
       with_particle("joints:\n  - ball: {name: j, bodies: [p, world], anchor: [0, 0, 1]}\n"
                     "  - ball: {name: j, bodies: [p, world], anchor: [0, 0, 1]}\n"),
       5, "joints[1].ball.name: the name 'j' is used twice"},
      {"a builder that uses a name again",
       "time: {step: 0.1, end: 1}\nbuild:\n  - stack: {count: 2}\n  - stack: {count: 3}\n", 4,
       "build[1].stack: it builds 'box_1', and that name is used already; see its `name`"},
      {"the name of the fixed frame", "time: {step: 0.1, end: 1}\nparticles: [{name: world, mass: 1}]\n", 2,
       "particles[0].name: the name 'world' is the fixed frame"},
      {"unknown body in a joint",
       with_particle("joints:\n  - ball: {name: j, bodies: [pp, world], anchor: [0, 0, 1]}\n"), 4,
       "joints[0].ball.bodies: unknown body or particle 'pp'; one of p, world"},
      {"a joint between one thing", with_particle("joints:\n  - ball: {name: j, bodies: [p, p], anchor: [0, 0, 1]}\n"),
       4, "joints[0].ball.bodies: expected two different bodies, got 'p' twice"},
      {"three ends", with_particle("joints:\n  - ball: {name: j, bodies: [p, world, p], anchor: [0, 0, 1]}\n"), 4,
       "joints[0].ball.bodies: expected a list of 2 names, got a list of 3"},
      {"an anchor off its particle",
       with_particle("joints:\n  - ball: {name: j, bodies: [p, world], anchor: [0, 0, 2]}\n"), 4,
       "joints[0].ball.anchor: the anchor on particle 'p' must be its position"},
      {"a distance to the world without anchors",
       with_particle("joints:\n  - distance: {name: j, bodies: [p, world]}\n"), 4,
       "joints[0].distance.anchors: required when one end is `world`"},
      {"negative compliance",
       with_particle("joints:\n  - ball: {name: j, bodies: [p, world], anchor: [0, 0, 1], compliance: -1}\n"), 4,
       "joints[0].ball.compliance: expected a number of at least 0, got '-1'"},
      {"no scene", "time: {step: 0.1, end: 1}\n", 1, "the scene has no bodies, no particles and nothing to build"},
      {"nothing that moves", "time: {step: 0.1, end: 1}\nparticles: [{name: p, mass: 1, static: true}]\n", 1,
       "nothing in the scene can move: all bodies are static or prescribed"},
      {"a plane that falls", "time: {step: 0.1, end: 1}\nbodies:\n  - {name: b, shape: {plane: {}}, mass: 1}\n", 3,
       "bodies[0].shape: a plane has no mass: expected `static: true` or `prescribed: true` with "
       "it"},
      {"a body without shape and mass", "time: {step: 0.1, end: 1}\nbodies:\n  - {name: b}\n", 3,
       "bodies[0].mass: required for a body without a shape"},
      {"static and prescribed", with_body("static: true\n    prescribed: true"), 5,
       "bodies[0].prescribed: a body is either static or prescribed, not both"},
      {"static and moving", with_body("static: true\n    velocity: [1, 0, 0]"), 5,
       "bodies[0].velocity: a static body has no velocity; one that keeps its velocity is "
       "`prescribed: true`"},
      {"masses that are not enough", "time: {step: 0.1, end: 1}\nbuild:\n  - stack: {count: 3, masses: [1, 2]}\n", 3,
       "build[0].stack.masses: expected one mass for each of the 3 boxes, got 2"},
      {"an arch of overlapping stones",
       "time: {step: 0.1, end: 1}\nbuild:\n  - arch: {stones: 9, span: 4, rise: 8, thickness: 2}\n", 3,
       "build[0].arch.thickness: expected less than 0.5 (twice the radius of curvature at the "
       "crown), or the stones "
       "would overlap"},
      {"an option with its dash", with_particle("options: {-ksp_type: cr}\n"), 3,
       "options.-ksp_type: expected the name of an option without '-'"},
      {"an option given twice", with_particle("options:\n  ksp_type: cr\n  ksp: {type: cg}\n"), 5,
       "options.ksp.type: option given twice"},
  });
}

// All that a choice may be, however many, where no name is near.
BOOST_AUTO_TEST_CASE(choices_far_from_any) {
  const SceneFile file(expecting("quantity: torque, max: 1"));
  const std::string message = message_of(file.path());
  BOOST_TEST(message.starts_with(file.path() + ":4: expect[0].quantity: unknown value 'torque'; one of "), message);
  for (const char* known : {"position.z", "reaction_force", "unconverged_steps"})
    BOOST_TEST(message.find(known) != std::string::npos, message);
}

BOOST_AUTO_TEST_CASE(expectations_that_cannot_be_judged) {
  check_all({
      {"unknown quantity", expecting("quantity: positon.z, of: p, max: 1"), 4,
       "expect[0].quantity: unknown value 'positon.z'; did you mean 'position.z'?"},
      {"unknown thing", expecting("quantity: speed, of: pp, max: 1"), 4,
       "expect[0].of: unknown body or particle 'pp'; one of p"},
      {"missing thing", expecting("quantity: position.z, max: 1"), 4,
       "expect[0].of: missing; 'position.z' is of a body or particle"},
      {"thing of a figure", expecting("quantity: contacts, of: p, max: 1"), 4,
       "expect[0].of: 'contacts' is of the whole model; expected no `of`"},
      {"no limit", expecting("quantity: contacts"), 4, "expect[0]: expected `equals` with `tolerance`, `min` or `max`"},
      {"no tolerance", expecting("quantity: contacts, equals: 1"), 4,
       "expect[0].tolerance: missing; it is required with `equals`"},
      {"basis", expecting("quantity: contacts, max: 1, basis: recordd"), 4,
       "expect[0].basis: unknown value 'recordd'; did you mean 'recorded'?"},
      {"name of an expectation", expecting("quantity: contacts, max: 1, name: Two Words"), 4,
       "expect[0].name: expected small letters, digits and '_', got 'Two Words'"},
      {"negative tolerance", expecting("quantity: contacts, equals: 1, tolerance: -1"), 4,
       "expect[0].tolerance: expected a number of at least 0, got '-1'"},
      {"inverted limits", expecting("quantity: contacts, min: 2, max: 1"), 4,
       "expect[0].min: expected at most `max`, which is 1, got 2"},
      {"equal and limited", expecting("quantity: contacts, equals: 2, tolerance: 0, max: 1"), 4,
       "expect[0].equals: expected either `equals` or `min` and `max`, not both"},
      {"unknown moment", expecting("quantity: contacts, at: ends, max: 1"), 4,
       "expect[0].at: unknown value 'ends'; did you mean 'end'?"},
      {"a time after the end", expecting("quantity: contacts, at: 1.5, max: 1"), 4,
       "expect[0].at: expected a time up to the end at 1 s, got 1.5"},
      {"an infinite time", expecting("quantity: contacts, at: 1e999, max: 1"), 4,
       "expect[0].at: expected a number above 0, got '1e999'"},
      {"a maximum at the end", expecting("quantity: penetration_max, at: end, max: 1"), 4,
       "expect[0].at: 'penetration_max' says already when; expected no `at`"},
  });
}

BOOST_AUTO_TEST_SUITE_END()
