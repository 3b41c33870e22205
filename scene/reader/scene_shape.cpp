// Shapes of a scene file, and which bodies do not touch each other.

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/description/polyhedra/polyhedron.hpp"
#include "scene/meshes/scene_mesh.hpp"
#include "scene/reader/scene_model.hpp"
#include "scene/scene_visitor.hpp"

#include <cmath>

namespace clarke {
namespace {

using Kind = ShapeDescription::Kind;

void describe_sphere(SceneVisitor& v, ShapeDescription& shape) {
  shape.kind = Kind::sphere;
  v.real("radius", shape.radius, {.unit = "m", .min = 0, .open_min = true, .required = true});
}

/// Capsule or cylinder; the axis is the z axis of the body.
void describe_round(SceneVisitor& v, ShapeDescription& shape, Kind kind) {
  shape.kind = kind;
  v.real("radius", shape.radius, {.unit = "m", .min = 0, .open_min = true, .required = true});
  v.real("half_height", shape.half_height,
         {.help = kind == Kind::capsule ? "half the length of the axis z, without the caps"
                                        : "half the length along the axis z",
          .unit = "m",
          .min = 0,
          .open_min = true,
          .required = true});
}

void describe_box(SceneVisitor& v, ShapeDescription& shape) {
  shape.kind = Kind::box;
  v.vector(
      "half", shape.half,
      {.help = "half extents along the axes of the body", .unit = "m", .min = 0, .open_min = true, .required = true});
}

void describe_plane(SceneVisitor& v, ShapeDescription& shape) {
  shape.kind = Kind::plane;
  v.vector("normal", shape.normal, {.help = "outward normal, normalised when read"});
  v.real("offset", shape.offset, {.help = "distance of the plane from the origin along the normal", .unit = "m"});
  if (!v.reading()) return;
  if (!(norm2(shape.normal) > 0)) v.refuse("normal", "expected a normal that is not zero");
  shape.normal = normalized(shape.normal);
}

void describe_polyhedron(SceneVisitor& v, ShapeDescription& shape, const std::string& name) {
  const std::unique_ptr<PolyhedronType> type = polyhedron_registry().create(name);
  const std::vector<PolyhedronKey> keys = type->keys();
  PolyhedronNumbers numbers{};
  for (std::size_t k = 0; k < keys.size(); ++k) {
    v.real(keys[k].name, numbers[k],
           {.help = keys[k].help,
            .unit = keys[k].unit,
            .min = keys[k].least,
            .max = keys[k].most,
            .open_min = !keys[k].closed,
            .required = true});
    if (keys[k].whole && v.reading() && numbers[k] != std::floor(numbers[k]))
      v.refuse(keys[k].name, "expected a whole number, got " + format_real(numbers[k]));
  }
  if (!v.reading()) return;
  shape.kind = Kind::convex;
  shape.points = type->corners(numbers);
}

/// One part of a compound: a convex shape of any kind, and its pose.
void describe_part(SceneVisitor& v, ShapeDescription& whole, Scene& scene) {
  whole.kind = Kind::compound;
  ShapeChild part;
  int shapes = v.object("sphere", {}, [&](SceneVisitor& s) { describe_sphere(s, part.shape); }) +
               v.object("capsule", {}, [&](SceneVisitor& s) { describe_round(s, part.shape, Kind::capsule); }) +
               v.object("cylinder", {}, [&](SceneVisitor& s) { describe_round(s, part.shape, Kind::cylinder); }) +
               v.object("box", {}, [&](SceneVisitor& s) { describe_box(s, part.shape); }) +
               v.object("convex", {}, [&](SceneVisitor& s) { describe_convex(s, part.shape, scene); });
  std::string known = "sphere, capsule, cylinder, box, convex";
  for (const std::string& name : polyhedron_registry().names()) {
    shapes += v.object(name.c_str(), {}, [&](SceneVisitor& s) { describe_polyhedron(s, part.shape, name); });
    known += ", " + name;
  }
  v.vector("position", part.position, {.help = "in the frame of the compound", .unit = "m"});
  v.orientation("orientation", part.orientation, {.help = "from the frame of the part to that of the compound"});
  if (!v.reading()) return;
  if (shapes != 1) v.refuse("", "expected exactly one of " + known);
  whole.children.push_back(part);
}

std::vector<std::string> names_to_ignore(const World& world, const SceneNames& known) {
  std::vector<std::string> names = known.things();
  for (const BodyDescription& body : world.bodies)
    if (!body.group.empty()) names.push_back(body.group);
  return names;
}

}  // namespace

std::vector<SceneVisitor::Alternative> shape_alternatives(ShapeDescription& shape, Scene& scene) {
  std::vector<SceneVisitor::Alternative> out = {
      {"sphere", "a ball around the origin of its body", [&shape](SceneVisitor& v) { describe_sphere(v, shape); }},
      {"capsule", "a cylinder about z with half a ball on both ends, around the origin of its body",
       [&shape](SceneVisitor& v) { describe_round(v, shape, Kind::capsule); }},
      {"cylinder", "a cylinder about z around the origin of its body",
       [&shape](SceneVisitor& v) { describe_round(v, shape, Kind::cylinder); }},
      {"box", "a cuboid around the origin of its body", [&shape](SceneVisitor& v) { describe_box(v, shape); }},
      {"plane", "a half space, solid where normal·x < offset; for static and prescribed bodies",
       [&shape](SceneVisitor& v) { describe_plane(v, shape); }},
      {"convex", "the convex hull of points; their centroid becomes the origin of the body",
       [&shape, &scene](SceneVisitor& v) { describe_convex(v, shape, scene); }},
      {"compound",
       "parts, each with exactly one of sphere, capsule, cylinder, box, convex or a named polyhedron; with mass and "
       "inertia given their "
       "frame is that of the "
       "body, else their common centroid becomes the origin of the body",
       [&shape, &scene](SceneVisitor& v) { describe_part(v, shape, scene); }, true},
      {"convex_pieces",
       "a compound from one OBJ file: the convex hull of each of its groups or objects; frame as for compound",
       [&shape, &scene](SceneVisitor& v) { describe_convex_pieces(v, shape, scene); }},
      {"tetrahedra",
       "a rigid body from a mesh of tetrahedra: their convex hull touches, mass and inertia are theirs, and their "
       "centroid becomes "
       "the origin of the body",
       [&shape, &scene](SceneVisitor& v) { describe_hull_of_tetrahedra(v, shape, scene); }},
      {"height_field", "heights over a grid in x and y, solid below; for static and prescribed bodies",
       [&shape, &scene](SceneVisitor& v) { describe_height_field(v, shape, scene); }},
      {"mesh", "triangles as they are, solid behind each; for static and prescribed bodies",
       [&shape, &scene](SceneVisitor& v) { describe_mesh(v, shape, scene); }},
  };
  for (const std::string& name : polyhedron_registry().names())
    out.push_back({name, polyhedron_registry().create(name)->summary(),
                   [&shape, name](SceneVisitor& v) { describe_polyhedron(v, shape, name); }});
  return out;
}

void describe_collisions(SceneVisitor& v, World& world, const SceneNames& names) {
  std::vector<std::pair<std::string, std::string>> pairs;
  v.name_pairs("ignore", pairs,
               {.help = "names of bodies, particles or groups that never touch each other; a group with itself means "
                        "its members"});
  if (!v.reading()) return;
  for (const auto& pair : pairs) {
    for (const std::string& name : {pair.first, pair.second}) {
      if (!names.body(name) && !names.particle(name) && !names.group(name))
        v.refuse("ignore",
                 "unknown body, particle or group '" + name + "'" + suggestion(name, names_to_ignore(world, names)));
    }
    if (pair.first == pair.second && !names.group(pair.first))
      v.refuse("ignore", "'" + pair.first + "' twice; only a group can be paired with itself");
    world.no_collision.push_back(pair);
  }
}

}  // namespace clarke
