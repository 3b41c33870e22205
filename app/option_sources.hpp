#pragma once
// Where options come from, weakest first: preset < scene < option files < PETSC_OPTIONS < command line.

#include "scene/scene.hpp"

namespace clarke {

/// Adds what the scene and the preset say to the options database, where nothing stronger has said it already, and
/// checks all names and values that can be checked before a solver exists. Throws InputError.
void add_scene_options(Scene& scene);
/// The same without a scene: what -preset says, or the preset `standard`; with `problems` what -recipe says, and then
/// what the preset says of those, first.
void add_preset(const std::string& standard, bool problems = false);
/// -help or -h was given.
bool help_wanted();

}  // namespace clarke
