#pragma once
// The keys of a scene file: one declaration, run by the reader and by the schema writer. Internal to scene/.

#include "scene/scene.hpp"
#include "scene/scene_visitor.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace clarke {

/// What may be referred to by name while a scene is read, and what may not be used again. Kept beside the world that is
/// read, so that a question does not cost a search through all bodies.
class SceneNames {
 public:
  explicit SceneNames(const World& world) : world_(world) { take_in(); }
  /// Takes in what has been added to the world since the last call; until then it is not known here.
  void take_in();
  bool taken(const std::string& name) const;  // by a body, particle or soft body, or "world"
  bool soft(const std::string& name) const;   // a soft body or a cloth
  bool group(const std::string& name) const;  // some body is in it
  const BodyDescription* body(const std::string& name) const;
  const ParticleDescription* particle(const std::string& name) const;
  const JointDescription* joint(const std::string& name) const;
  /// Whether the thing has a velocity of its own to solve for.
  bool can_move(const std::string& name) const;
  std::vector<std::string> things() const;  // bodies and particles
  /// How much of the world has been taken in.
  std::size_t bodies() const { return bodies_; }
  std::size_t particles() const { return particles_; }
  std::size_t joints() const { return joints_; }

 private:
  const World& world_;
  std::size_t bodies_ = 0, particles_ = 0, joints_ = 0;
  std::unordered_map<std::string, std::size_t> body_, particle_, joint_;  // number in the world, of the first of a name
  std::unordered_set<std::string> groups_;
};

/// The whole file. Fills `scene` when the visitor reads.
void describe_scene(SceneVisitor& v, Scene& scene, const std::vector<std::string>& joint_types);

std::vector<SceneVisitor::Alternative> shape_alternatives(ShapeDescription& shape, Scene& scene);
void describe_body(SceneVisitor& v, Scene& scene, const SceneNames& names);
void describe_particle(SceneVisitor& v, World& world, const SceneNames& names);
void describe_soft(SceneVisitor& v, Scene& scene, const SceneNames& names);
void describe_cloth(SceneVisitor& v, Scene& scene, const SceneNames& names);
/// After everything that can be attached.
void describe_attachment(SceneVisitor& v, World& world, const SceneNames& names);
/// After everything that has a surface.
void describe_volume(SceneVisitor& v, World& world);
void describe_load(SceneVisitor& v, World& world, const SceneNames& names);
/// Takes in each joint that has been read.
std::vector<SceneVisitor::Alternative> joint_alternatives(Scene& scene, SceneNames& names,
                                                          const std::vector<std::string>& joint_types);
void describe_sensor(SceneVisitor& v, const World& world, const SceneNames& names, std::vector<Sensor>& sensors);
/// One item of `robots`: scene/urdf/.
void describe_robot(SceneVisitor& v, Scene& scene, SceneNames& names);
void describe_collisions(SceneVisitor& v, World& world, const SceneNames& names);
void describe_expectation(SceneVisitor& v, const World& world, const SceneNames& names, double time_end,
                          std::vector<Expectation>& expect);

/// What something has added to the world beyond `names` must fit to the rest like what is written out. Takes it in.
void check_built(SceneVisitor& v, const World& world, SceneNames& names);

/// Refuses `key` unless the material is one of the scene; "" is the default material.
void check_material(SceneVisitor& v, const World& world, const char* key, const std::string& material);

}  // namespace clarke
