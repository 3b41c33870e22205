#pragma once
// What goes with what: every friction cone under every contact law, friction map and strategy, and under every
// r-factor, found by running each.

#include <functional>
#include <string>

namespace clarke {

/// Two tables in Markdown: a row per law and map, a column per strategy, in the cells the cones it takes; and a row per
/// r-factor. Every combination makes a few steps of a mass that slides and one that rests, or of a box, on a plane with
/// that cone. Refused is what is refused before the first step. Needs PETSc and the registries. `progress` is called
/// before each cell with how many are done, of how many.
std::string compatibility_table(const std::function<void(int done, int total)>& progress = {});

}  // namespace clarke
