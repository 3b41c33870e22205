// Attachments of a scene: points of bodies, particles, soft bodies and cloths that stay together. A point of a soft
// body or cloth is found by its position at the start, and is the sum of the nodes of its element with barycentric
// weights.

#include "scene/reader/scene_model.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {
namespace {

// barycentric coordinate that is still inside; [relative to an edge] distance that is still on a triangle
constexpr double kOutside = 1e-6;
// barycentric coordinate that is none
constexpr double kNoWeight = 1e-12;

/// A body of nodes: soft body, cloth, or a group of particles, as a rope is.
struct Nodes {
  std::vector<int> particles;                  // of the world
  std::vector<std::array<int, 4>> tetrahedra;  // numbers of `particles`
  std::vector<std::array<int, 3>> triangles;
};

std::optional<Nodes> nodes_of(const World& world, const std::string& name) {
  Nodes out;
  const auto count_from = [&out](int first, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) out.particles.push_back(first + static_cast<int>(n));
  };
  for (const SoftDescription& s : world.softs)
    if (s.name == name) {
      count_from(s.first_particle, s.mesh.nodes.size());
      out.tetrahedra = s.mesh.tetrahedra;
      return out;
    }
  for (const ClothDescription& c : world.cloths)
    if (c.name == name) {
      count_from(c.first_particle, c.mesh.nodes.size());
      out.triangles = c.mesh.triangles;
      return out;
    }
  for (std::size_t n = 0; n < world.particles.size(); ++n)
    if (world.particles[n].group == name) out.particles.push_back(static_cast<int>(n));
  if (out.particles.empty()) return std::nullopt;
  return out;
}

/// Barycentric coordinates of p in the tetrahedron.
std::array<double, 4> coordinates(const std::array<Vec3, 4>& x, const Vec3& p) {
  const double volume = tet_volume(x[0], x[1], x[2], x[3]);
  std::array<double, 4> w{};
  for (int a = 0; a < 4; ++a) {
    std::array<Vec3, 4> y = x;
    y[a] = p;
    w[a] = tet_volume(y[0], y[1], y[2], y[3]) / volume;
  }
  return w;
}

/// The same in a triangle; false unless p is on it.
bool coordinates(const std::array<Vec3, 3>& x, const Vec3& p, std::array<double, 3>& w) {
  const Vec3 n = cross(x[1] - x[0], x[2] - x[0]);
  const double size = std::sqrt(norm(n));
  if (std::fabs(dot(n, p - x[0])) > kOutside * size * norm(n)) return false;
  for (int a = 0; a < 3; ++a) w[a] = dot(n, cross(x[(a + 1) % 3] - p, x[(a + 2) % 3] - p)) / norm2(n);
  return *std::min_element(w.begin(), w.end()) >= -kOutside;
}

/// The point as a weighted sum of things; empty where it is not on `name`.
std::vector<AttachedPoint> find_point(const World& world, const SceneNames& names, const std::string& name,
                                      const Vec3& point) {
  if (name == "world" || names.body(name)) return {{name, 1, point}};
  const auto nodes_with = [&](const auto& corners, const auto& weights, const Nodes& nodes) {
    std::vector<AttachedPoint> out;
    for (std::size_t a = 0; a < corners.size(); ++a) {
      const ParticleDescription& p = world.particles[nodes.particles[corners[a]]];
      if (std::fabs(weights[a]) > kNoWeight) out.push_back({p.name, weights[a], p.position});
    }
    return out;
  };
  if (const ParticleDescription* p = names.particle(name)) {
    if (norm(p->position - point) > kOutside * std::fmax(1.0, norm(point))) return {};
    return {{name, 1, p->position}};
  }
  const std::optional<Nodes> nodes = nodes_of(world, name);
  if (!nodes) return {};
  const auto at = [&](int n) { return world.particles[nodes->particles[n]].position; };
  for (const auto& t : nodes->tetrahedra) {
    const auto w = coordinates(std::array<Vec3, 4>{at(t[0]), at(t[1]), at(t[2]), at(t[3])}, point);
    if (*std::min_element(w.begin(), w.end()) >= -kOutside) return nodes_with(t, w, *nodes);
  }
  for (const auto& t : nodes->triangles) {
    std::array<double, 3> w{};
    if (coordinates(std::array<Vec3, 3>{at(t[0]), at(t[1]), at(t[2])}, point, w)) return nodes_with(t, w, *nodes);
  }
  return {};
}

struct Box {
  Vec3 low{}, high{};
  bool holds(const Vec3& p) const {
    for (int k = 0; k < 3; ++k)
      if (!(p[k] >= low[k] && p[k] <= high[k])) return false;
    return true;
  }
};

/// c = x_a − x_b of two such points; things they tie do not touch.
void add(World& world, AttachmentDescription d, const std::vector<AttachedPoint>& a, std::vector<AttachedPoint> b) {
  for (AttachedPoint& p : b) p.weight = -p.weight;
  d.points = a;
  d.points.insert(d.points.end(), b.begin(), b.end());
  for (const AttachedPoint& one : a)
    for (const AttachedPoint& two : b)
      if (one.thing != "world" && two.thing != "world") world.no_collision.emplace_back(one.thing, two.thing);
  world.attachments.push_back(std::move(d));
}

}  // namespace

void describe_attachment(SceneVisitor& v, World& world, const SceneNames& names) {
  AttachmentDescription d;
  std::vector<std::string> ends;
  Vec3 point{};
  Box box;
  v.text("name", d.name, {.help = "unique among attachments", .required = true});
  v.texts("between", ends,
          {.help = "two of: bodies, particles, soft bodies, cloths, ropes, `world`",
           .required = true,
           .min_items = 2,
           .max_items = 2});
  const bool has_point = v.vector(
      "point", point, {.help = "of both, world frame at the start; or `box`", .unit = "m", .has_default = false});
  const bool has_box =
      v.object("box", {.help = "all nodes of the first within it, world frame at the start"}, [&box](SceneVisitor& b) {
        b.vector("low", box.low, {.unit = "m", .required = true});
        b.vector("high", box.high, {.unit = "m", .required = true});
      });
  v.real("compliance", d.compliance, {.help = "0 is rigid", .unit = "m/N", .min = 0});
  v.real("damping", d.damping, {.help = "of a compliant one", .unit = "N s/m", .min = 0});
  if (!v.reading()) return;

  if (std::any_of(world.attachments.begin(), world.attachments.end(), [&d](const auto& a) { return a.name == d.name; }))
    v.refuse("name", "the name '" + d.name + "' is used twice");
  if (has_point == has_box) v.refuse("", "expected either point or box");
  if (d.damping > 0 && d.compliance == 0) v.refuse("damping", "a rigid attachment has no damping; give a compliance");
  for (const std::string& name : ends)
    if (!names.taken(name) && !nodes_of(world, name)) {
      v.refuse("between", "unknown body, particle, soft body, cloth or rope '" + name + "'");
      return;
    }
  if (ends[0] == ends[1]) v.refuse("between", "expected two different things, got '" + ends[0] + "' twice");
  if (!v.reading()) return;
  const auto on = [&](int end, const Vec3& at) {
    std::vector<AttachedPoint> found = find_point(world, names, ends[end], at);
    if (found.empty()) v.refuse(has_point ? "point" : "box", "a point to be attached is not on '" + ends[end] + "'");
    return found;
  };
  const auto moves = [&names](const std::vector<AttachedPoint>& points) {
    return std::any_of(points.begin(), points.end(),
                       [&names](const AttachedPoint& p) { return names.can_move(p.thing); });
  };
  if (has_point) {
    const auto a = on(0, point), b = on(1, point);
    if (!moves(a) && !moves(b)) v.refuse("between", "neither '" + ends[0] + "' nor '" + ends[1] + "' can move there");
    if (v.reading()) add(world, d, a, b);
    return;
  }
  const std::optional<Nodes> nodes = nodes_of(world, ends[0]);
  if (!nodes) {
    v.refuse("box", "'" + ends[0] + "' has no nodes; expected a soft body, cloth or rope first");
    return;
  }
  const std::string name = d.name;
  int count = 0;
  for (const int n : nodes->particles) {
    const ParticleDescription p = world.particles[n];
    if (!box.holds(p.position)) continue;
    const auto b = on(1, p.position);
    if (!v.reading()) return;
    if (p.fixed && !moves(b)) continue;
    d.name = name + " " + p.name;
    add(world, d, {{p.name, 1, p.position}}, b);
    ++count;
  }
  if (count == 0) v.refuse("box", "no node of '" + ends[0] + "' is within it");
}

}  // namespace clarke
