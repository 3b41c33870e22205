#pragma once
// What goes with what: every friction cone under every contact law, friction map and strategy, found by running each.

#include <string>

namespace clarke {

/// A table in Markdown: a row per law and map, a column per strategy, in the cells the cones it takes. Every combination makes a few
/// steps of a mass that slides and one that rests, on a plane with that cone. Needs PETSc and the registries.
std::string compatibility_table();

}  // namespace clarke
