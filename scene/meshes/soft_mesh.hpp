#pragma once
// Where the mesh of a soft body comes from, and its regions. Internal to cases/.

#include "physics/soft/meshes/tet_builders.hpp"
#include "scene/scene.hpp"
#include "scene/scene_visitor.hpp"

namespace clarke {

/// `mesh: {box: …}`, `{sphere: …}`, …, `{file: …}`.
std::vector<SceneVisitor::Alternative> soft_mesh_alternatives(TetMesh& mesh, Scene& scene);

/// Keys of a mesh file; what was repaired goes into the scene's warnings. Empty unless reading.
TetMesh describe_mesh_file(SceneVisitor& v, Scene& scene);

void describe_finger(SceneVisitor& v, FingerShape& finger);

/// One item of `regions` of a soft body whose mesh has been read.
void describe_soft_region(SceneVisitor& v, SoftDescription& body);

}  // namespace clarke
