#pragma once
// Keys of the shapes that come from many numbers. Internal to cases/. Files are relative to the scene; each is added to
// `other_files` with its hash, and what is odd about a mesh to `warnings`.

#include "framework/error.hpp"
#include "scene/scene.hpp"
#include "scene/scene_visitor.hpp"

namespace clarke {

/// Path of a file named in the scene; it goes into the provenance.
std::string file_beside(Scene& scene, const std::string& name);

/// Calls make(); what it throws is said of `key`, once.
template <class Make>
void or_refuse(SceneVisitor& v, const std::string& key, const Make& make) {
  try {
    make();
  } catch (const InputError& error) {
    const std::string text = error.what(), said = key + ": ";
    v.refuse(key, text.starts_with(said) ? text.substr(said.size()) : text);
  }
}

void describe_height_field(SceneVisitor& v, ShapeDescription& shape, Scene& scene);
void describe_mesh(SceneVisitor& v, ShapeDescription& shape, Scene& scene);
/// Points, or the vertices of a file.
void describe_convex(SceneVisitor& v, ShapeDescription& shape, Scene& scene);
/// A rigid body from a mesh of tetrahedra: their convex hull touches, and mass and inertia are theirs.
void describe_hull_of_tetrahedra(SceneVisitor& v, ShapeDescription& shape, Scene& scene);
/// A compound: one convex hull per group or object of an OBJ file, in the frame of the file; the whole of a file
/// without any.
void describe_convex_pieces(SceneVisitor& v, ShapeDescription& shape, Scene& scene);

}  // namespace clarke
