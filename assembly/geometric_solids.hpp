#pragma once
// A world as the geometric verdict sees it (verdict/geometry/geometric_verdict.hpp): from the descriptions, past the
// detection of contacts and its filters.

#include "framework/options.hpp"
#include "physics/description/world.hpp"
#include "verdict/geometry/geometric_verdict.hpp"

namespace clarke {

struct GeometricOptions {
  int every = 1;
  void describe(OptionVisitor& v) {
    v.integer("verdict_geometry", every,
              {"steps",
               "after every so many steps penetration is recomputed from the poses, by geometry that the detection of "
               "contacts has no part in; 0: never",
               0});
  }
};

/// Pairs of which neither can be moved by a contact (static and prescribed bodies, fixed particles) do not count, nor
/// do those that a joint ties or `collisions` keeps apart.
GeometricScene geometric_scene(const World& world);

}  // namespace clarke
