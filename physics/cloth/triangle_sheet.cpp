#include "physics/cloth/triangle_sheet.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace clarke {
namespace {

/// The two triangles of a rectangle, its corners in turn, cut from the first to the third or from the second to the
/// fourth.
void add_rectangle(TriangleSheet& out, const std::array<int, 4>& corners, bool from_first) {
  const auto [a, b, c, d] = corners;
  out.triangles.push_back({a, b, from_first ? c : d});
  out.triangles.push_back({from_first ? a : b, c, d});
}

/// Rectangles between rings of `around` nodes, from ring to ring; `closed` joins the last to the first.
void add_rings(TriangleSheet& out, int around, int rings, bool closed) {
  for (int j = 0; j + (closed ? 0 : 1) < rings; ++j)
    for (int i = 0; i < around; ++i) {
      const int a = j * around + i, b = j * around + (i + 1) % around;
      const int next = (j + 1) % rings * around, d = next + i, c = next + (i + 1) % around;
      add_rectangle(out, {a, b, c, d}, (i + j) % 2 == 0);
    }
}

}  // namespace

TriangleSheet flat_sheet(double size_x, double size_y, int columns, int rows) {
  TriangleSheet out;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i)
      out.nodes.push_back(
          {size_x * (static_cast<double>(i) / columns - 0.5), size_y * (static_cast<double>(j) / rows - 0.5), 0});
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const int a = j * (columns + 1) + i, b = a + 1, d = a + columns + 1, c = d + 1;
      add_rectangle(out, {a, b, c, d}, (i + j) % 2 == 0);
    }
  return out;
}

TriangleSheet sphere_sheet(double radius, int refinements) {
  const double g = 0.5 * (1 + std::sqrt(5.0));  // the golden ratio
  TriangleSheet out;
  out.nodes = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
               {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
  out.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                   {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                   {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int k = 0; k < refinements; ++k) {
    std::map<std::array<int, 2>, int> middle;
    const auto between = [&](int a, int b) {
      const auto [at, fresh] = middle.insert({{std::min(a, b), std::max(a, b)}, static_cast<int>(out.nodes.size())});
      if (fresh) {
        const Vec3 x = normalized(out.nodes[a]) + normalized(out.nodes[b]);
        out.nodes.push_back(x);
      }
      return at->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : out.triangles) {
      const int ab = between(a, b), bc = between(b, c), ca = between(c, a);
      for (const std::array<int, 3>& t : {std::array{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}})
        finer.push_back(t);
    }
    out.triangles = std::move(finer);
  }
  for (Vec3& x : out.nodes) x = radius * normalized(x);
  return out;
}

TriangleSheet tube_sheet(double radius, double length, int around, int along) {
  TriangleSheet out;
  for (int j = 0; j <= along; ++j)
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around;
      out.nodes.push_back(
          {length * (static_cast<double>(j) / along - 0.5), radius * std::cos(angle), radius * std::sin(angle)});
    }
  add_rings(out, around, along + 1, false);
  return out;
}

TriangleSheet torus_sheet(double ring_radius, double tube_radius, int around, int segments) {
  TriangleSheet out;
  for (int j = 0; j < segments; ++j) {
    const double turn = -2 * std::numbers::pi * j / segments;
    for (int i = 0; i < around; ++i) {
      const double angle = 2 * std::numbers::pi * i / around, r = ring_radius + tube_radius * std::cos(angle);
      out.nodes.push_back({r * std::cos(turn), r * std::sin(turn), tube_radius * std::sin(angle)});
    }
  }
  add_rings(out, around, segments, true);
  return out;
}

void check_triangle_sheet(const TriangleSheet& mesh, const std::string& owner) {
  constexpr double kFlat = 1e-6;  // height over the longest edge
  const int count = static_cast<int>(mesh.nodes.size());
  if (mesh.triangles.empty()) throw InputError(owner + ": has no triangles");
  for (int n = 0; n < count; ++n)
    if (!std::isfinite(norm2(mesh.nodes[n])))
      throw InputError(owner + ": node " + std::to_string(n) + " is not finite");
  std::vector<char> used(count, 0);
  std::map<std::array<int, 2>, int> sides;
  for (std::size_t k = 0; k < mesh.triangles.size(); ++k) {
    const std::array<int, 3>& t = mesh.triangles[k];
    const std::string triangle = owner + ": triangle " + std::to_string(k);
    for (const int n : t) {
      if (n < 0 || n >= count)
        throw InputError(triangle + " has node " + std::to_string(n) + " of " + std::to_string(count));
      used[n] = 1;
    }
    double longest2 = 0;
    for (int e = 0; e < 3; ++e) {
      const int a = t[e], b = t[(e + 1) % 3];
      longest2 = std::fmax(longest2, norm2(mesh.nodes[b] - mesh.nodes[a]));
      if (++sides[{std::min(a, b), std::max(a, b)}] > 2)
        throw InputError(owner + ": the edge of nodes " + std::to_string(a) + " and " + std::to_string(b) +
                         " belongs to more than two triangles");
    }
    if (!(2 * triangle_area(mesh, t) > kFlat * longest2)) throw InputError(triangle + " is a line");
  }
  const auto unused = std::find(used.begin(), used.end(), 0);
  if (unused != used.end())
    throw InputError(owner + ": node " + std::to_string(unused - used.begin()) + " belongs to no triangle");
}

std::vector<SharedEdge> shared_edges(const TriangleSheet& mesh) {
  std::map<std::array<int, 2>, std::array<int, 3>>
      first;  // undirected edge: the nodes as its first triangle has them, and the corner
  std::vector<SharedEdge> out;
  for (const std::array<int, 3>& t : mesh.triangles)
    for (int e = 0; e < 3; ++e) {
      const int a = t[e], b = t[(e + 1) % 3], corner = t[(e + 2) % 3];
      const auto [at, fresh] = first.insert({{std::min(a, b), std::max(a, b)}, {a, b, corner}});
      if (!fresh) out.push_back({{at->second[0], at->second[1]}, {at->second[2], corner}});
    }
  return out;
}

std::vector<std::array<int, 3>> alike_wound(std::vector<std::array<int, 3>> triangles) {
  std::map<std::array<int, 2>, std::vector<int>> beside;
  const int count = static_cast<int>(triangles.size());
  for (int t = 0; t < count; ++t)
    for (int k = 0; k < 3; ++k) {
      const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
      beside[{std::min(a, b), std::max(a, b)}].push_back(t);
    }
  std::vector<char> seen(count, 0);
  for (int first = 0; first < count; ++first) {
    if (seen[first]) continue;
    seen[first] = 1;
    std::vector<int> open{first};
    while (!open.empty()) {
      const std::array<int, 3> t = triangles[open.back()];
      open.pop_back();
      for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        for (const int other : beside.at({std::min(a, b), std::max(a, b)})) {
          if (seen[other]) continue;
          seen[other] = 1;
          std::array<int, 3>& o = triangles[other];
          for (int l = 0; l < 3; ++l)
            if (o[l] == a && o[(l + 1) % 3] == b) {
              std::swap(o[0], o[1]);
              break;
            }
          open.push_back(other);
        }
      }
    }
  }
  return triangles;
}

double shortest_edge(const TriangleSheet& mesh) {
  double shortest2 = INFINITY;
  for (const std::array<int, 3>& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) shortest2 = std::fmin(shortest2, norm2(mesh.nodes[t[k]] - mesh.nodes[t[(k + 1) % 3]]));
  return std::sqrt(shortest2);
}

std::array<std::array<double, 2>, 3> shape_gradients(const Vec3& x0, const Vec3& x1, const Vec3& x2) {
  const Vec3 e = x1 - x0, d = x2 - x0;
  const double base = norm(e), along = dot(d, e) / base, height = norm(cross(e, d)) / base;
  // corners at (0, 0), (base, 0), (along, height)
  return {{{-1 / base, (along - base) / (base * height)}, {1 / base, -along / (base * height)}, {0, 1 / height}}};
}

}  // namespace clarke
