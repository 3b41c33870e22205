#pragma once
// Parameters of builders from the command line: `-box_pile_count 1000` overrules `build: [{box_pile: {count:
// 100}}]`, so that one scene serves every size. The option of a parameter is -<builder>_<key>; it holds for every
// builder of that name in the scene. Only single values can be given (numbers, switches, words and texts; no
// vectors and lists), each is checked like the value in the scene, and what the scene requires it must still have.
//
// Read before the scene's own `options:`, which therefore cannot hold them: there the parameter itself is at hand.

#include "framework/options.hpp"
#include "scene/builders/builder.hpp"

#include <string>
#include <utility>
#include <vector>

namespace clarke {

/// describe() of the builder `name` for the options reference, the check of names, and the like.
void describe_builder_options(const std::string& name, Builder& builder, OptionVisitor& options);

/// builder.describe(v), with options of the database in place of what `v` reads. Appends (option, value) of each that
/// was given to `overruled`.
void describe_builder(SceneVisitor& v, const std::string& name, Builder& builder,
                      std::vector<std::pair<std::string, std::string>>& overruled);

}  // namespace clarke
