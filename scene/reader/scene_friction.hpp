#pragma once
// Keys of a material that are about friction beyond the coefficient: cone, structure, and what changes with motion.
// Internal to scene/.

#include "scene/scene.hpp"
#include "scene/scene_visitor.hpp"

namespace clarke {

void describe_friction(SceneVisitor& v, FrictionDescription& surface, Scene& scene);

}  // namespace clarke
