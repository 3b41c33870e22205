#pragma once
// The keys of a scene file: one declaration, run by the reader and by the schema writer. Internal to cases/.

#include "cases/scene.hpp"
#include "cases/scene_visitor.hpp"

#include <string>
#include <vector>

namespace clarke {

/// What may be referred to by name while a scene is read, and what may not be used again.
class SceneNames {
 public:
  explicit SceneNames(const World& world) : world_(world) {}
  bool taken(const std::string& name) const;  // by a body or particle, or "world"
  bool joint_taken(const std::string& name) const;
  bool group(const std::string& name) const;  // some body is in it
  const BodyDescription* body(const std::string& name) const;
  const ParticleDescription* particle(const std::string& name) const;
  /// Whether the thing has a velocity of its own to solve for.
  bool can_move(const std::string& name) const;
  std::vector<std::string> things() const;  // bodies and particles
  std::vector<std::string> materials() const;

 private:
  const World& world_;
};

/// The whole file. Fills `scene` when the visitor reads.
void describe_scene(SceneVisitor& v, Scene& scene, const std::vector<std::string>& joint_types);

std::vector<SceneVisitor::Alternative> shape_alternatives(ShapeDescription& shape, Scene& scene);
void describe_body(SceneVisitor& v, Scene& scene);
void describe_particle(SceneVisitor& v, World& world);
void describe_load(SceneVisitor& v, World& world);
std::vector<SceneVisitor::Alternative> joint_alternatives(
    World& world, const std::vector<std::string>& joint_types);
void describe_sensor(SceneVisitor& v, const World& world, std::vector<Sensor>& sensors);
/// One item of `robots`: cases/urdf/.
void describe_robot(SceneVisitor& v, Scene& scene);
void describe_collisions(SceneVisitor& v, World& world);
void describe_expectation(SceneVisitor& v, const World& world, double time_end,
                          std::vector<Expectation>& expect);

/// What something has added to the scene must fit to the rest like what is written out.
void check_built(SceneVisitor& v, const World& before, const World& after);

/// Refuses `key` unless the material is one of the scene; "" is the default material.
void check_material(SceneVisitor& v, const World& world, const char* key,
                    const std::string& material);

}  // namespace clarke
