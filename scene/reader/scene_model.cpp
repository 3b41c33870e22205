#include "scene/reader/scene_model.hpp"

#include "framework/error.hpp"
#include "framework/sha256.hpp"
#include "framework/text.hpp"
#include "scene/builders/builder.hpp"
#include "scene/reader/builder_options.hpp"
#include "scene/reader/scene_friction.hpp"
#include "scene/reader/scene_reader.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>

namespace clarke {
namespace {

/// The name becomes that of a directory.
void check_case_name(SceneVisitor& v, const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == '.'; });
  if (!plain || name[0] == '.') v.refuse("case", "expected letters, digits, '_', '-' and '.', got '" + name + "'");
}

void describe_time(SceneVisitor& v, Scene& scene) {
  v.real("step", scene.time_step, {.unit = "s", .min = 0, .open_min = true, .required = true});
  v.real("end", scene.time_end, {.unit = "s", .min = 0, .open_min = true, .required = true});
  if (v.reading() && scene.time_end < scene.time_step * (1 - 1e-6))
    v.refuse("end", "expected at least one step of " + format_real(scene.time_step) + " s");
}

void describe_material(SceneVisitor& v, Scene& scene, const std::string& name) {
  MaterialDescription material;
  v.real("density", material.density, {.unit = "kg/m^3", .min = 0, .open_min = true});
  v.real("friction", material.friction,
         {.help = "Coulomb coefficient between two surfaces of this material", .min = 0});
  v.real("restitution", material.restitution,
         {.help = "coefficient e between two surfaces of this material: 0 none of the speed comes back, 1 all of it",
          .min = 0,
          .max = 1});
  v.real("contact_stiffness", material.contact_stiffness,
         {.help = "normal stiffness k_n per contact point between two surfaces of this material; without it: hard",
          .unit = "N/m",
          .min = 0,
          .open_min = true,
          .has_default = false});
  v.real("contact_damping", material.contact_damping,
         {.help = "d_n beside contact_stiffness", .unit = "N s/m", .min = 0});
  v.real("friction_stiffness", material.friction_stiffness,
         {.help = "k_f per contact point, of sticking; without it: hard; -friction_stiffness_kind says of what",
          .unit = "N/m | N s/m",
          .min = 0,
          .open_min = true,
          .has_default = false});
  describe_friction(v, material.surface, scene);
  const bool hard = material.contact_stiffness == std::numeric_limits<double>::infinity();
  if (material.contact_damping > 0 && hard)
    v.refuse("contact_damping", "a hard contact has no damping; give contact_stiffness");
  if (material.restitution > 0 && !hard)
    v.refuse("restitution", "a compliant contact has none; leave out contact_stiffness, or restitution");
  if (!v.reading()) return;
  scene.world.materials[name] = material;
  scene.places["material '" + name + "'"] = v.where();
}

std::vector<SceneVisitor::Alternative> builder_alternatives(Scene& scene, SceneNames& names) {
  std::vector<SceneVisitor::Alternative> alternatives;
  for (const std::string& name : builder_registry().names()) {
    const std::shared_ptr<Builder> schema_only = builder_registry().create(name);
    alternatives.push_back({name, schema_only->summary(), [&scene, &names, name](SceneVisitor& v) {
                              const std::unique_ptr<Builder> builder = builder_registry().create(name);
                              describe_builder(v, name, *builder, scene.build_options);
                              if (!v.reading()) return;
                              builder->seed = scene.seed;
                              try {
                                builder->add_to(scene.world);
                              } catch (const InputError& error) {
                                v.refuse("", error.what());
                              }
                              check_built(v, scene.world, names);
                            }});
  }
  return alternatives;
}

void describe_output(SceneVisitor& v, OutputSettings& output) {
  v.text("directory", output.directory, {.help = "default: out/<case>", .has_default = false});
  v.integer("every", output.every, {.help = "steps from frame to frame", .min = 1});
  v.flag("contacts", output.contacts, {.help = "write contact points and forces beside the bodies"});
  v.choice("bodies", output.bodies, {"surfaces", "poses"},
           {.help = "surfaces: of every body, in every frame; poses: a point and an orientation for each, and the "
                    "surfaces once"});
  v.texts("fields", output.fields, {.help = "arrays the frames have; default: all", .has_default = false});
}

void check_something_moves(SceneVisitor& v, const World& world) {
  const auto& bodies = world.bodies;
  const auto& particles = world.particles;
  if (bodies.empty() && particles.empty()) v.refuse("", "the scene has no bodies, no particles and nothing to build");
  if (std::none_of(bodies.begin(), bodies.end(),
                   [](const BodyDescription& b) { return b.motion == Motion::dynamic; }) &&
      std::all_of(particles.begin(), particles.end(), [](const ParticleDescription& p) { return p.fixed; }))
    v.refuse("", "nothing in the scene can move: all bodies are static or prescribed");
}

}  // namespace

void check_built(SceneVisitor& v, const World& world, SceneNames& names) {
  std::set<std::string> fresh;
  const auto check_name = [&](const std::string& name) {
    if (names.taken(name) || !fresh.insert(name).second)
      v.refuse("", "it builds '" + name + "', and that name is used already; see its `name`");
  };
  for (std::size_t i = names.bodies(); i < world.bodies.size(); ++i) {
    check_name(world.bodies[i].name);
    check_material(v, world, "material", world.bodies[i].material);
  }
  for (std::size_t i = names.particles(); i < world.particles.size(); ++i) {
    check_name(world.particles[i].name);
    check_material(v, world, "material", world.particles[i].material);
  }
  for (std::size_t i = names.joints(); i < world.joints.size(); ++i) {
    if (names.joint(world.joints[i].name))
      v.refuse("", "it builds the joint '" + world.joints[i].name + "', and that name is used already");
  }
  names.take_in();
}

void describe_scene(SceneVisitor& v, Scene& scene, const std::vector<std::string>& joint_types) {
  World& world = scene.world;
  SceneNames names(world);
  int version = 1;
  v.integer("version", version, {.help = "of the format", .min = 1, .max = 1});
  v.text("case", world.name, {.help = "name of the scene; default: that of the file", .has_default = false});
  v.integer("seed", scene.seed, {.help = "for builders that draw random numbers", .min = 0});
  v.time_vector("gravity", world.gravity, {.unit = "m/s^2"});
  v.object("time", {.help = "length of a step, and when to end", .required = true},
           [&](SceneVisitor& t) { describe_time(t, scene); });
  v.map("materials", {.help = "by name"},
        [&](const std::string& name, SceneVisitor& m) { describe_material(m, scene, name); });
  v.list("bodies", {.help = "rigid bodies"}, [&](SceneVisitor& b) {
    describe_body(b, scene, names);
    names.take_in();
  });
  v.list("particles", {.help = "point masses"}, [&](SceneVisitor& p) {
    describe_particle(p, world, names);
    names.take_in();
  });
  v.list("soft", {.help = "soft bodies; node n of body b is the particle b:n"}, [&](SceneVisitor& s) {
    describe_soft(s, scene, names);
    names.take_in();
  });
  v.list("cloth", {.help = "cloths; node n of cloth c is the particle c:n"}, [&](SceneVisitor& c) {
    describe_cloth(c, scene, names);
    names.take_in();
  });
  v.list_of("build", {.help = "parametric builders, run in this order"}, builder_alternatives(scene, names));
  v.list("robots", {.help = "robots from URDF files"}, [&](SceneVisitor& r) { describe_robot(r, scene, names); });
  v.list_of("joints", {.help = "what ties things together"}, joint_alternatives(scene, names, joint_types));
  v.list("attachments", {.help = "points of things, and of elements of soft bodies and cloths, that stay together"},
         [&](SceneVisitor& a) { describe_attachment(a, world, names); });
  v.list("volumes", {.help = "closed surfaces of cloths and soft bodies, and what is inside of them"},
         [&](SceneVisitor& e) { describe_volume(e, world); });
  v.list("loads", {.help = "forces and torques that act on bodies and particles"},
         [&](SceneVisitor& l) { describe_load(l, world, names); });
  v.object("collisions", {.help = "what does not touch"},
           [&](SceneVisitor& c) { describe_collisions(c, world, names); });
  std::vector<std::string> places;
  v.settings("options", scene.options, places, {.help = "into the options database; the command line wins"});
  for (std::size_t i = 0; i < places.size(); ++i) scene.places["-" + scene.options[i].first] = places[i];
  v.object("output", {.help = "where the results go"}, [&](SceneVisitor& o) { describe_output(o, scene.output); });
  v.list("sensors", {.help = "quantities recorded in every step, in sensors.csv"},
         [&](SceneVisitor& s) { describe_sensor(s, world, names, scene.sensors); });
  v.list("expect", {.help = "what must come out, checked at the end"},
         [&](SceneVisitor& e) { describe_expectation(e, world, names, scene.time_end, scene.expect); });
  if (!v.reading()) return;

  check_case_name(v, world.name);
  check_something_moves(v, world);
}

Scene read_scene(const std::string& file, const std::vector<std::string>& joint_types) {
  Scene scene;
  scene.file = file;
  scene.world.name = std::filesystem::path(file).stem().string();
  std::string text;
  read_yaml(
      file, [&](SceneVisitor& v) { describe_scene(v, scene, joint_types); }, text);
  scene.hash = sha256(text);
  if (scene.output.directory.empty()) scene.output.directory = "out/" + scene.world.name;
  return scene;
}

std::string with_place(const Scene& scene, const std::string& message) {
  for (const auto& [subject, place] : scene.places) {
    if (!message.starts_with(subject)) continue;
    // "-ksp_type" is not what "-ksp_type_other" is about.
    const char next = message.size() > subject.size() ? message[subject.size()] : ' ';
    if (!std::isalnum(static_cast<unsigned char>(next)) && next != '_') return place + ": " + message;
  }
  return message;
}

int step_count(double step, double end) {
  const double steps = end / step, nearest = std::round(steps);
  const double count = std::fabs(steps - nearest) <= 1e-6 * std::max(1.0, nearest) ? nearest : std::ceil(steps);
  if (!(count >= 1 && count <= 2147483647.0))
    throw InputError("time: " + format_real(end) + " s in steps of " + format_real(step) + " s are " +
                     format_real(count) + " steps");
  return static_cast<int>(count);
}

}  // namespace clarke
