#pragma once
// Parametric builders: what a scene can have built instead of written out. One class per file, registered by name in
// assembly/register.cpp; `build: [{arch: {stones: 20, span: 8, rise: 6}}]` then selects it. Each single value is also
// an option of the command line, -arch_stones 30 (scene/builder_options.hpp).

#include "framework/registry.hpp"
#include "physics/description/world.hpp"
#include "scene/scene_visitor.hpp"

namespace clarke {

class Builder {
 public:
  virtual ~Builder() = default;
  /// One sentence for `clarke list` and the schema.
  virtual const char* summary() const = 0;
  /// The parameters, declared and checked like the rest of a scene (scene/scene_visitor.hpp).
  virtual void describe(SceneVisitor& v) = 0;
  /// Adds bodies, particles and joints. Names and materials are checked by the caller.
  virtual void add_to(World& world) const = 0;

  int seed = 0;  // of the scene, set before add_to(): for builders that draw random numbers
};

Registry<Builder>& builder_registry();

}  // namespace clarke
