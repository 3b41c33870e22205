#include "physics/volumes/closed_surface.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/cloth/triangle_sheet.hpp"
#include "physics/description/tet_surface.hpp"
#include "physics/volumes/enclosed_volume.hpp"
#include "physics/volumes/volume_law.hpp"

#include <cmath>
#include <map>
#include <numeric>

namespace clarke {
namespace {

using Triangles = std::vector<std::array<int, 3>>;

/// Throws unless every edge belongs to two triangles that run along it in opposite senses.
void check_closed(const Triangles& triangles, const std::string& owner) {
  std::map<std::array<int, 2>, int> along;
  for (const std::array<int, 3>& t : triangles)
    for (int e = 0; e < 3; ++e) ++along[{t[e], t[(e + 1) % 3]}];
  for (const auto& [edge, count] : along) {
    const auto back = along.find({edge[1], edge[0]});
    if (count == 1 && back != along.end() && back->second == 1) continue;
    throw InputError(owner + ": the surface is not closed at the edge of nodes " + std::to_string(edge[0]) + " and " +
                     std::to_string(edge[1]));
  }
}

/// Triangles that hang together by their nodes, part by part.
std::vector<Triangles> parts_of(const Triangles& triangles, int nodes) {
  std::vector<int> root(nodes);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&root](int n) {
    while (root[n] != n) n = root[n] = root[root[n]];
    return n;
  };
  for (const std::array<int, 3>& t : triangles) {
    root[find(t[1])] = find(t[0]);
    root[find(t[2])] = find(t[0]);
  }
  std::map<int, Triangles> parts;
  for (const std::array<int, 3>& t : triangles) parts[find(t[0])].push_back(t);
  std::vector<Triangles> out;
  for (auto& [first, part] : parts) out.push_back(std::move(part));
  return out;
}

/// Of one part, about its first node.
double volume_of(const std::vector<Vec3>& x, const Triangles& triangles) {
  const Vec3 origin = x[triangles.front()[0]];
  double sum = 0;
  for (const std::array<int, 3>& t : triangles)
    sum += enclosed_volume(x[t[0]] - origin, x[t[1]] - origin, x[t[2]] - origin);
  return sum;
}

std::vector<Vec3> starts_of(const World& world) {
  std::vector<Vec3> x;
  for (const ParticleDescription& p : world.particles) x.push_back(p.position);
  return x;
}

/// Of the mesh: its triangles, whether they know their outside, and their first particle.
struct Skin {
  Triangles triangles;
  bool solid = false;
  int first = -1, nodes = 0;
};
Skin skin_of(const World& world, const std::string& of, const std::string& owner) {
  std::vector<std::string> names;
  for (const ClothDescription& c : world.cloths) {
    names.push_back(c.name);
    if (c.name == of)
      return {alike_wound(c.mesh.triangles), false, c.first_particle, static_cast<int>(c.mesh.nodes.size())};
  }
  for (const SoftDescription& s : world.softs) {
    names.push_back(s.name);
    if (s.name == of) return {surface_triangles(s.mesh), true, s.first_particle, static_cast<int>(s.mesh.nodes.size())};
  }
  throw InputError(owner + ": of: unknown cloth or soft body '" + of + "'" + suggestion(of, names));
}

}  // namespace

double volume_at_start(const World& world, const Triangles& triangles) {
  return volume_of(starts_of(world), triangles);
}

Triangles closed_surface(const World& world, const std::string& of, bool cavity, const std::string& owner) {
  const Skin skin = skin_of(world, of, owner);
  if (cavity && !skin.solid)
    throw InputError(owner + ": cavity: '" + of + "' is a cloth, which has no inside of its own");
  check_closed(skin.triangles, owner);
  const std::vector<Vec3> x = starts_of(world);
  Triangles out;
  for (Triangles& part : parts_of(skin.triangles, skin.nodes)) {
    for (std::array<int, 3>& t : part)
      for (int& n : t) n += skin.first;
    const bool inwards = volume_of(x, part) < 0;
    if (skin.solid && inwards != cavity) continue;
    for (std::array<int, 3>& t : part)
      if (inwards) std::swap(t[1], t[2]);
    out.insert(out.end(), part.begin(), part.end());
  }
  if (out.empty()) throw InputError(owner + ": cavity: '" + of + "' has no hollow inside");
  return out;
}

void add_volume(World& world, VolumeDescription volume, std::optional<double> gauge_pressure) {
  const std::string owner = "volume '" + volume.name + "'";
  const auto law = volume_law_registry().create(volume.law);
  if (law->gas() && !(volume.ambient_pressure > 0 && std::isfinite(volume.ambient_pressure)))
    throw InputError(owner + ": ambient_pressure: expected > 0 [Pa]");
  if (!(volume.compressibility >= 0 && std::isfinite(volume.compressibility)))
    throw InputError(owner + ": compressibility: expected >= 0 [1/Pa]");
  if (gauge_pressure) {
    const double p = *gauge_pressure, share = law->expansion(volume, p);
    if (law->gas() && !(p > -volume.ambient_pressure))
      throw InputError(owner + ": gauge_pressure: expected more than -ambient_pressure, " +
                       format_real(-volume.ambient_pressure) + " Pa, got " + format_real(p));
    if (!(share > 0))
      throw InputError(owner + ": gauge_pressure: law '" + volume.law + "' has no volume left at " + format_real(p) +
                       " Pa; expected less than 1/compressibility, or ideal_gas");
    if (share == 1 && p != 0)
      throw InputError(owner + ": gauge_pressure: what is rigid takes any pressure; give a compressibility, or amount");
    volume.amount = 1 / share;
  }
  if (!(volume.amount(0) > 0)) throw InputError(owner + ": amount: expected > 0, got " + format_real(volume.amount(0)));
  world.volumes.push_back(std::move(volume));
}

}  // namespace clarke
