#include "scene/reader/scene_friction.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/friction/friction_cone_type.hpp"
#include "scene/meshes/grid_expression.hpp"
#include "scene/meshes/image_file.hpp"
#include "scene/meshes/scene_mesh.hpp"
#include "scene/meshes/volume_mesh_file.hpp"

#include <cmath>
#include <numbers>

namespace clarke {
namespace {

using FieldKind = StructureDescription::Kind;
using Projection = StructureDescription::Projection;

void describe_cone(SceneVisitor& v, FrictionDescription& surface, const std::string& name) {
  const std::vector<ConeKey> keys = friction_cone_registry().create(name)->keys();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    v.real(keys[k].name, surface.numbers[k],
           {.help = keys[k].help, .min = keys[k].least, .open_min = true, .required = true});
    if (keys[k].whole && v.reading() && surface.numbers[k] != std::floor(surface.numbers[k]))
      v.refuse(keys[k].name, "expected a whole number, got " + format_real(surface.numbers[k]));
  }
  if (v.reading()) surface.cone = name;
}

std::vector<SceneVisitor::Alternative> cone_alternatives(FrictionDescription& surface) {
  std::vector<SceneVisitor::Alternative> out;
  for (const std::string& name : friction_cone_registry().names())
    out.push_back({name, friction_cone_registry().create(name)->summary(),
                   [&surface, name](SceneVisitor& v) { describe_cone(v, surface, name); }});
  return out;
}

void check_direction(SceneVisitor& v, const char* key, const Vec3& direction) {
  if (!(norm2(direction) > 0)) v.refuse(key, "expected a vector that is not zero");
}

void describe_around_axis(SceneVisitor& v, StructureDescription& s) {
  v.vector("centre", s.centre, {.help = "a point of the axis, in the frame of the body", .unit = "m"});
  v.vector("axis", s.axis, {.help = "in the frame of the body"});
  check_direction(v, "axis", s.axis);
}

/// An array on the points of a VTK file, with so many numbers for each: two of them may be the first of three.
std::vector<double> point_array(SceneVisitor& v, Scene& scene, const char* key, const std::string& file,
                                const std::string& name, int components) {
  PointArray array;
  or_refuse(v, key, [&] { array = read_vtk_point_array(file_beside(scene, file), name); });
  if (array.components < components) {
    v.refuse(key, "array '" + name + "' has " + std::to_string(array.components) + " numbers for a point: expected " +
                      std::to_string(components));
    return {};
  }
  std::vector<double> out;
  for (std::size_t n = 0; n + array.components <= array.values.size(); n += array.components)
    for (int k = 0; k < components && k < array.components; ++k) out.push_back(array.values[n + k]);
  for (const double value : out)
    if (!std::isfinite(value)) v.refuse(key, "array '" + name + "' has a number that is not finite");
  return out;
}

/// u and v of every vertex.
void texture_coordinates(SceneVisitor& v, Scene& scene, const std::vector<double>& inline_pairs,
                         const std::string& file, const std::string& array, StructureDescription& s) {
  std::vector<double> pairs = inline_pairs;
  if (pairs.empty() == file.empty() || file.empty() != array.empty())
    v.refuse("coordinates",
             "the projection `texture` needs either coordinates, or coordinate_file and coordinate_array");
  if (!file.empty() && !array.empty()) pairs = point_array(v, scene, "coordinate_array", file, array, 2);
  if (pairs.size() % 2 != 0)
    v.refuse("coordinates", "expected u and v of each vertex, got " + std::to_string(pairs.size()) + " numbers");
  for (std::size_t k = 0; k + 1 < pairs.size(); k += 2) {
    s.texture_u.push_back(pairs[k]);
    s.texture_v.push_back(pairs[k + 1]);
  }
}

/// Where the samples of a grid lie on the surface.
void describe_grid(SceneVisitor& v, StructureDescription& s, std::vector<double>& size, Scene& scene) {
  std::string projection = "planar", file, array;
  std::vector<double> pairs;
  v.choice("projection", projection, {"planar", "cylindrical", "triplanar", "texture"},
           {.help = "how a point of the surface gets its place (u, v): along two directions; around and along an axis; "
                    "along two "
                    "axes of the body, by where the surface faces; by coordinates at the vertices of its mesh"});
  v.vector("centre", s.centre, {.help = "u = v = 0, in the frame of the body", .unit = "m"});
  v.vector("axis", s.axis, {.help = "planar: normal of the picture; cylindrical: the axis"});
  v.vector("u_axis", s.u_axis, {.help = "planar: direction of u; cylindrical: where the angle is 0"});
  v.reals("size", size,
          {.help = "of one tile in u and v, repeated beyond; cylindrical: u once around has the first of them",
           .unit = "m",
           .min = 0,
           .open_min = true,
           .min_items = 2,
           .max_items = 2});
  v.reals("coordinates", pairs,
          {.help = "texture: u and v of every vertex of the mesh, one after the other; 0 to 1 over the picture",
           .has_default = false,
           .min_items = 6});
  v.text("coordinate_file", file,
         {.help = "texture: .vtu or .vtk, relative to the scene, instead", .has_default = false});
  v.text("coordinate_array", array,
         {.help = "texture: array on the points of that file, u and v first", .has_default = false});
  if (!v.reading()) return;
  check_direction(v, "axis", s.axis);
  if (!(norm(cross(s.axis, s.u_axis)) > 0)) v.refuse("u_axis", "expected a direction beside `axis`");
  s.projection = projection == "planar"        ? Projection::planar
                 : projection == "cylindrical" ? Projection::cylindrical
                 : projection == "triplanar"   ? Projection::triplanar
                                               : Projection::texture;
  s.kind = FieldKind::grid;
  if (s.projection == Projection::texture) {
    texture_coordinates(v, scene, pairs, file, array, s);
    size = {1, 1};
  } else if (!pairs.empty() || !file.empty() || !array.empty()) {
    v.refuse("coordinates", "coordinates of vertices are of the projection `texture`, not of `" + projection + "`");
  }
  s.size_u = size[0];
  s.size_v = size[1];
}

/// angle(u, v) and factor(u, v) at the middles of the samples.
void sample_expressions(SceneVisitor& v, const std::string& angle, const std::string& factor, StructureDescription& s) {
  const double from = s.projection == Projection::texture ? 0 : -0.5;  // of the picture's size
  const auto evaluate = [&](const char* key, const std::string& text, std::vector<double>& out) {
    const double du = s.size_u / s.columns, dv = s.size_v / s.rows;
    or_refuse(v, key, [&] {
      out = sample_expression(text, {"u", s.columns, from * s.size_u + 0.5 * du, du},
                              {"v", s.rows, from * s.size_v + 0.5 * dv, dv});
    });
    for (const double value : out)
      if (!std::isfinite(value)) v.refuse(key, "'" + text + "' is not finite everywhere");
  };
  std::vector<double> angles;
  evaluate("angle", angle, angles);
  evaluate("factor", factor, s.factor);
  for (const double value : s.factor)
    if (value < 0) v.refuse("factor", "'" + factor + "' is negative somewhere");
  for (const double value : angles) {
    s.cosine.push_back(std::cos(value));
    s.sine.push_back(std::sin(value));
  }
}

/// Directions and factors at vertices, from the scene or a file.
void describe_vertices(SceneVisitor& v, StructureDescription& s, Scene& scene) {
  std::string file, direction_array, factor_array;
  v.vectors(
      "directions", s.vertex_direction,
      {.help = "one per vertex of the mesh, in its frame; lengths do not count", .has_default = false, .min_items = 3});
  v.reals("factors", s.vertex_factor,
          {.help = "of all coefficients, one per vertex", .min = 0, .has_default = false, .min_items = 3});
  v.text("file", file, {.help = ".vtu or .vtk, relative to the scene, instead", .has_default = false});
  v.text("direction_array", direction_array,
         {.help = "array of vectors on the points of the file", .has_default = false});
  v.text("factor_array", factor_array, {.help = "array of numbers on the points of the file", .has_default = false});
  if (!v.reading()) return;
  s.kind = FieldKind::vertices;
  const bool written = !s.vertex_direction.empty() || !s.vertex_factor.empty();
  if (written != file.empty() || file.empty() != (direction_array.empty() && factor_array.empty()))
    v.refuse("", "expected either directions, factors or both, or file with direction_array, factor_array or both");
  if (!direction_array.empty()) {
    const std::vector<double> x = point_array(v, scene, "direction_array", file, direction_array, 3);
    for (std::size_t k = 0; k + 2 < x.size(); k += 3) s.vertex_direction.push_back({x[k], x[k + 1], x[k + 2]});
  }
  if (!factor_array.empty()) s.vertex_factor = point_array(v, scene, "factor_array", file, factor_array, 1);
  for (const double value : s.vertex_factor)
    if (value < 0) v.refuse("factor_array", "a factor is negative");
  if (s.vertex_direction.empty()) s.vertex_direction.assign(s.vertex_factor.size(), {1, 0, 0});
  if (!s.vertex_factor.empty() && s.vertex_factor.size() != s.vertex_direction.size())
    v.refuse("factors", "expected as many factors as directions: " + std::to_string(s.vertex_direction.size()) +
                            ", got " + std::to_string(s.vertex_factor.size()));
}

/// Directions of no length count as that of u.
void sample_image(SceneVisitor& v, const std::string& path, bool blue, StructureDescription& s) {
  ImageFile image;
  or_refuse(v, "file", [&] { image = read_png(path, "file"); });
  s.columns = image.columns;
  s.rows = image.rows;
  for (std::size_t i = 0; i < image.red.size(); ++i) {
    const double c = 2 * image.red[i] - 1, d = 2 * image.green[i] - 1, length = std::hypot(c, d);
    s.cosine.push_back(length > 0 ? c / length : 1);
    s.sine.push_back(length > 0 ? d / length : 0);
    s.factor.push_back(blue ? image.blue[i] : 1);
  }
}

std::vector<SceneVisitor::Alternative> structure_alternatives(StructureDescription& s, Scene& scene) {
  return {
      {"constant", "one direction",
       [&s](SceneVisitor& v) {
         v.vector("direction", s.direction, {.help = "in the frame of the body", .required = true});
         if (v.reading()) check_direction(v, "direction", s.direction), s.direction = normalized(s.direction);
       }},
      {"radial", "away from an axis",
       [&s](SceneVisitor& v) {
         describe_around_axis(v, s);
         if (v.reading()) s.kind = FieldKind::radial;
       }},
      {"spiral", "radial, turned by an angle about the axis",
       [&s](SceneVisitor& v) {
         double degrees = 90;
         describe_around_axis(v, s);
         v.real("angle_deg", degrees, {.help = "90: circles around the axis"});
         if (!v.reading()) return;
         s.kind = FieldKind::spiral;
         s.angle = degrees * std::numbers::pi / 180;
       }},
      {"vertices",
       "directions and factors at the vertices of its mesh: of a triangle mesh, a height field, a soft body, a cloth",
       [&s, &scene](SceneVisitor& v) { describe_vertices(v, s, scene); }},
      {"expression", "functions of the place (u, v) on the surface",
       [&s, &scene](SceneVisitor& v) {
         std::vector<double> size{1, 1}, samples{64, 64};
         std::string angle = "0", factor = "1";
         v.text("angle", angle, {.help = "of the direction from u towards v [rad], in u, v [m] and pi"});
         v.text("factor", factor, {.help = "of all coefficients, in u, v [m] and pi; at least 0"});
         v.reals("samples", samples,
                 {.help = "along u and v; between them it is interpolated",
                  .min = 1,
                  .max = 4096,
                  .min_items = 2,
                  .max_items = 2});
         describe_grid(v, s, size, scene);
         if (!v.reading()) return;
         s.columns = static_cast<int>(samples[0]);
         s.rows = static_cast<int>(samples[1]);
         sample_expressions(v, angle, factor, s);
       }},
      {"image", "a picture: red and green hold the direction, (r, g) = (1/2, 1/2) + (cos, sin)/2",
       [&s, &scene](SceneVisitor& v) {
         std::vector<double> size{1, 1};
         std::string file;
         bool blue = false;
         v.text("file", file, {.help = "PNG, relative to the scene; u to the right, v up", .required = true});
         v.flag("blue_is_factor", blue,
                {.help = "the blue channel is a factor of all coefficients, 1 where it is full"});
         describe_grid(v, s, size, scene);
         if (v.reading()) sample_image(v, file_beside(scene, file), blue, s);
       }}};
}

}  // namespace

void describe_friction(SceneVisitor& v, FrictionDescription& surface, Scene& scene) {
  v.one_of("cone",
           {.help = "shape of the friction cone; default: isotropic, the coefficient `friction` in all directions"},
           cone_alternatives(surface));
  v.one_of("structure",
           {.help = "direction of the grain over the surface, carried by the body, and a factor of the coefficients; "
                    "default: the x axis of the body"},
           structure_alternatives(surface.structure, scene));
  v.object("static_kinetic", {.help = "the coefficients fall with the speed of sliding"}, [&surface](SceneVisitor& s) {
    s.real("kinetic", surface.kinetic,
           {.help = "coefficient of fast sliding over that of rest", .min = 0, .required = true});
    s.real("speed", surface.stribeck_speed,
           {.help = "at which the fall has happened to 63 %", .unit = "m/s", .min = 0, .open_min = true});
    s.real("viscous", surface.viscous,
           {.help = "rise of the coefficient with speed, over that of rest", .unit = "s/m", .min = 0});
  });
  v.real("rolling_friction", surface.rolling,
         {.help = "largest moment against rolling over the normal force; of two surfaces the larger",
          .unit = "m",
          .min = 0});
  v.real("torsional_friction", surface.torsional,
         {.help = "largest moment against spinning about the normal over the normal force; of two surfaces the larger",
          .unit = "m",
          .min = 0});
}

}  // namespace clarke
