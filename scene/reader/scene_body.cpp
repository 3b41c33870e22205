// Bodies and particles of a scene file.

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/collision/mass_properties.hpp"
#include "physics/collision/triangle_mesh.hpp"
#include "scene/reader/scene_model.hpp"

#include <algorithm>

namespace clarke {
namespace {

using Kind = ShapeDescription::Kind;

bool is_zero(const Vec3& a) { return norm2(a) == 0; }

void check_motion(SceneVisitor& v, BodyDescription& body, bool is_static, bool is_prescribed) {
  if (is_static && is_prescribed) v.refuse("prescribed", "a body is either static or prescribed, not both");
  if (is_static && !(is_zero(body.velocity) && is_zero(body.angular_velocity)))
    v.refuse(is_zero(body.velocity) ? "angular_velocity" : "velocity",
             "a static body has no velocity; one that keeps its velocity is `prescribed: true`");
  body.motion = is_static ? Motion::fixed : is_prescribed ? Motion::prescribed : Motion::dynamic;
  if (body.motion == Motion::dynamic && body.shape.kind == Kind::plane)
    v.refuse("shape", "a plane has no mass: expected `static: true` or `prescribed: true` with it");
  if (body.motion == Motion::dynamic && is_surface(body.shape.kind))
    v.refuse("shape",
             "a mesh or height field has no mass: expected `static: true` or `prescribed: true` with it; a "
             "body that moves freely needs convex pieces, given as a `compound` or `convex_pieces`");
}

/// Three numbers are the diagonal, six the diagonal and Ixy, Ixz, Iyz.
void check_inertia(SceneVisitor& v, const std::vector<double>& numbers, BodyDescription& body) {
  if (numbers.size() != 3 && numbers.size() != 6)
    v.refuse("inertia", "expected 3 numbers [Ixx, Iyy, Izz] or 6 [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], got " +
                            std::to_string(numbers.size()));
  body.inertia = Vec3{numbers[0], numbers[1], numbers[2]};
  for (int k = 0; k < 3; ++k)
    if (!(numbers[k] > 0)) v.refuse("inertia", "expected moments above 0, got " + format_real(numbers[k]));
  if (numbers.size() == 6) body.inertia_products = {numbers[3], numbers[4], numbers[5]};
  const Vec3 moments = principal_moments(inertia_tensor(body));
  if (!(moments.x > 0))
    v.refuse("inertia", "expected a positive definite tensor; its least principal moment is " + format_real(moments.x));
  if (!triangle_inequality(moments))
    v.refuse("inertia", "no body has principal moments of which one exceeds the sum of the others");
}

void check_mass(SceneVisitor& v, BodyDescription& body, std::optional<double> density) {
  if (density && body.mass) v.refuse("density", "expected either mass or density, not both");
  const bool has_volume =
      body.shape.kind != Kind::none && body.shape.kind != Kind::plane && !is_surface(body.shape.kind);
  MassProperties properties;
  if (has_volume) {
    try {
      properties = mass_properties(body.shape, "body '" + body.name + "'");
    } catch (const InputError& error) {
      v.refuse("shape", error.what());
    }
  }
  if (density) {
    if (!has_volume) v.refuse("density", "a density needs a shape with a volume; expected mass and inertia");
    body.mass = *density * properties.volume;
  }
  if (body.motion != Motion::dynamic || has_volume) return;
  if (!body.mass) v.refuse("mass", "required for a body without a shape");
  if (!body.inertia) v.refuse("inertia", "required for a body without a shape");
}

void check_new_name(SceneVisitor& v, const SceneNames& names, const std::string& name) {
  if (name == "world") v.refuse("name", "the name 'world' is the fixed frame");
  if (names.taken(name)) v.refuse("name", "the name '" + name + "' is used twice");
  if (names.group(name)) v.refuse("name", "the name '" + name + "' is that of a group");
}

void check_group(SceneVisitor& v, const SceneNames& names, const std::string& group) {
  if (!group.empty() && names.taken(group)) v.refuse("group", "the name '" + group + "' is that of a body or particle");
}

std::vector<std::string> material_names(const World& world) {
  std::vector<std::string> names;
  for (const auto& [name, material] : world.materials) names.push_back(name);
  return names;
}

}  // namespace

void SceneNames::take_in() {
  for (; bodies_ < world_.bodies.size(); ++bodies_) {
    const BodyDescription& body = world_.bodies[bodies_];
    body_.emplace(body.name, bodies_);
    if (!body.group.empty()) groups_.insert(body.group);
  }
  for (; particles_ < world_.particles.size(); ++particles_) {
    const ParticleDescription& particle = world_.particles[particles_];
    particle_.emplace(particle.name, particles_);
    if (!particle.group.empty()) groups_.insert(particle.group);
  }
  for (; joints_ < world_.joints.size(); ++joints_) joint_.emplace(world_.joints[joints_].name, joints_);
}

bool SceneNames::taken(const std::string& name) const {
  return name == "world" || body(name) || particle(name) || soft(name);
}

bool SceneNames::group(const std::string& name) const { return groups_.count(name) > 0; }

bool SceneNames::soft(const std::string& name) const {
  const auto named = [&name](const auto& s) { return s.name == name; };
  return std::any_of(world_.softs.begin(), world_.softs.end(), named) ||
         std::any_of(world_.cloths.begin(), world_.cloths.end(), named);
}

const BodyDescription* SceneNames::body(const std::string& name) const {
  const auto found = body_.find(name);
  return found == body_.end() ? nullptr : &world_.bodies[found->second];
}

const ParticleDescription* SceneNames::particle(const std::string& name) const {
  const auto found = particle_.find(name);
  return found == particle_.end() ? nullptr : &world_.particles[found->second];
}

const JointDescription* SceneNames::joint(const std::string& name) const {
  const auto found = joint_.find(name);
  return found == joint_.end() ? nullptr : &world_.joints[found->second];
}

bool SceneNames::can_move(const std::string& name) const {
  if (const BodyDescription* b = body(name)) return b->motion == Motion::dynamic;
  const ParticleDescription* p = particle(name);
  return p && !p->fixed;
}

std::vector<std::string> SceneNames::things() const {
  std::vector<std::string> names;
  for (const BodyDescription& body : world_.bodies) names.push_back(body.name);
  for (const ParticleDescription& particle : world_.particles) names.push_back(particle.name);
  return names;
}

void check_material(SceneVisitor& v, const World& world, const char* key, const std::string& material) {
  if (material.empty() || world.materials.count(material)) return;
  v.refuse(key, "unknown material '" + material + "'" + suggestion(material, material_names(world)));
}

void describe_body(SceneVisitor& v, Scene& scene, const SceneNames& names) {
  World& world = scene.world;
  BodyDescription body;
  bool is_static = false, is_prescribed = false;
  std::optional<double> density;
  std::vector<double> inertia;
  std::string position_of = "centre";
  v.text("name", body.name, {.help = "unique among bodies and particles", .required = true});
  v.one_of("shape", {.help = "what touches; without it a body touches nothing"}, shape_alternatives(body.shape, scene));
  v.flag("static", is_static, {.help = "never moves"});
  v.flag("prescribed", is_prescribed, {.help = "keeps its velocity and angular velocity whatever touches it"});
  v.optional_real("mass", body.mass,
                  {.help = "default: density times volume; no effect on static and prescribed bodies",
                   .unit = "kg",
                   .min = 0,
                   .open_min = true});
  v.optional_real(
      "density", density,
      {.help = "instead of mass; default: that of the material", .unit = "kg/m^3", .min = 0, .open_min = true});
  const bool has_inertia =
      v.reals("inertia", inertia,
              {.help = "[Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz], the entries of the tensor in the frame of "
                       "the body; default: from the shape",
               .unit = "kg m^2",
               .has_default = false,
               .min_items = 3,
               .max_items = 6});
  v.vector("position", body.position,
           {.help = "of the centre of mass, unless `position_of` says otherwise", .unit = "m"});
  v.choice(
      "position_of", position_of, {"centre", "origin"},
      {.help = "what `position` is of: the centre of mass, or the origin of the frame in which the shape is given"});
  v.orientation("orientation", body.orientation, {.help = "from the frame of the body to the world"});
  v.vector("velocity", body.velocity, {.help = "of the centre of mass", .unit = "m/s"});
  v.vector("angular_velocity", body.angular_velocity, {.help = "world frame", .unit = "rad/s"});
  v.text("material", body.material, {.help = "a name from `materials`", .has_default = false});
  v.real("thickness", body.thickness, {.help = "the surface is this far outside the shape", .unit = "m", .min = 0});
  v.vectors("contact_points", body.contact_points,
            {.help = "frame of the body: if given, only these points touch planes",
             .unit = "m",
             .has_default = false,
             .min_items = 1});
  v.text("group", body.group,
         {.help = "for `collisions`; any name that no body or particle has", .has_default = false});
  if (!v.reading()) return;

  check_new_name(v, names, body.name);
  check_material(v, world, "material", body.material);
  check_group(v, names, body.group);
  if (has_inertia) check_inertia(v, inertia, body);
  check_motion(v, body, is_static, is_prescribed);
  check_mass(v, body, density);
  const bool recentred = !(body.shape.kind == Kind::compound && body.mass && body.inertia);
  if (position_of == "origin" && recentred)
    body.position += rotate(body.orientation, mass_properties(body.shape, "body '" + body.name + "'").centre);
  world.bodies.push_back(body);
}

void describe_particle(SceneVisitor& v, World& world, const SceneNames& names) {
  ParticleDescription particle;
  v.text("name", particle.name, {.help = "unique among bodies and particles", .required = true});
  v.real("mass", particle.mass, {.unit = "kg", .min = 0, .open_min = true, .required = true});
  v.real("radius", particle.radius, {.help = "touches others as a sphere of this radius", .unit = "m", .min = 0});
  v.vector("position", particle.position, {.unit = "m"});
  v.vector("velocity", particle.velocity, {.unit = "m/s"});
  v.text("material", particle.material, {.help = "a name from `materials`", .has_default = false});
  v.flag("static", particle.fixed, {.help = "never moves"});
  if (!v.reading()) return;

  check_new_name(v, names, particle.name);
  check_material(v, world, "material", particle.material);
  if (particle.fixed && !is_zero(particle.velocity)) v.refuse("velocity", "a static particle has no velocity");
  world.particles.push_back(particle);
}

}  // namespace clarke
