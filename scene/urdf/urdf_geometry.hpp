#pragma once
// Collision shapes of a URDF file as parts of a compound.
//
//   box, sphere, cylinder   exact
//   mesh                    the convex hull of its vertices times `scale`, and a warning says so. STL, OBJ and PLY.
//
// package://name/rest and relative names are looked for as rest (with and without its folders) in the folders given,
// then beside the file, then in `meshes` beside the file.

#include "framework/state.hpp"
#include "physics/description/world.hpp"
#include "scene/urdf/urdf_file.hpp"

#include <string>
#include <vector>

namespace clarke {

/// Collision number `index` of `link`, in the frame of that link. Throws InputError `file:line: …`.
ShapeChild collision_shape(const UrdfFile& file, const urdf::Link& link, std::size_t index,
                           const std::vector<std::string>& mesh_folders, UrdfWarnings& warnings);

/// Checked for finiteness; the rotation is normalised.
Pose to_pose(const urdf::Pose& pose, const std::string& place);

}  // namespace clarke
