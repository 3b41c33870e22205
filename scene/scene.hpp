#pragma once
// A scene file, read: the model, how long and how finely to run it, with which options, and what must come out. `clarke
// check --schema` prints the format as a JSON schema; it is written from the declarations that read the file.
//
// Strict: an unknown or doubled key, a word where a number belongs, a number that is not finite, a mass of zero, a name
// used twice, … is an InputError `file:line: key: what was expected`. SI units.

#include "measure/expectations.hpp"
#include "measure/sensors.hpp"
#include "physics/description/world.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clarke {

struct OutputSettings {
  std::string directory;  // "out/<case>" unless given
  int every = 1;          // steps from frame to frame
  bool contacts = false;  // write contact points and forces
  std::string bodies = "surfaces";
  std::vector<std::string> fields;  // none given: all
};

struct Scene {
  World world;                                               // world.name is the name of the case
  double time_step = 0;                                      // [s]
  double time_end = 0;                                       // [s]
  int seed = 0;                                              // for builders that draw random numbers
  std::vector<std::pair<std::string, std::string>> options;  // in the order of the file, names without '-'
  std::vector<std::pair<std::string, std::string>>
      build_options;  // parameters of builders that came from the options database instead
  OutputSettings output;
  std::vector<Expectation> expect;
  std::vector<Sensor> sensors;
  std::string file;
  std::vector<std::string> warnings;  // "file:line: …": what was read and is not used, for the user to see
  /// "file:line" of what messages speak of after the scene is read: "-ksp_type" (as long as the scene's value is in
  /// force), "material 'rock'", "joint 'hinge door'".
  std::map<std::string, std::string> places;
  std::string hash;                                              // SHA-256 of the file's bytes, hexadecimal
  std::vector<std::pair<std::string, std::string>> other_files;  // path and SHA-256 of what it refers to: robots
};

/// Joints a scene can describe. A constraint registered under another name is described like a ball joint.
const std::vector<std::string>& default_joint_types();

/// Throws InputError.
Scene read_scene(const std::string& file, const std::vector<std::string>& joint_types = default_joint_types());

/// A message that begins with something that has a place, with that place in front: "here.yaml:12: -ksp_type: unknown
/// …".
std::string with_place(const Scene& scene, const std::string& message);

/// Steps from 0 to `end`: the nearest whole number when end/step is within a millionth of one, else rounded up.
int step_count(double step, double end);

}  // namespace clarke
