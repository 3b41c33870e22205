#include "physics/collision/triangle_mesh.hpp"

#include "framework/error.hpp"
#include "physics/collision/narrow_phase/triangle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>

namespace clarke {
namespace {

/// A triangle whose height is below this times its longest edge is a line: above rounding, below the noise of files in
/// single precision.
constexpr double kSliver = 1e-9;

/// Edge k of a triangle, between corners by place (welded), low < high.
struct Edge {
  int low, high;
  int triangle, k;
  bool upwards;  // runs from low to high
  auto key() const { return std::pair{low, high}; }
};

/// Per point: the first of those at exactly the same place.
std::vector<int> welded(const std::vector<Vec3>& points) {
  const auto place = [&](int i) { return std::array{points[i].x, points[i].y, points[i].z}; };
  std::vector<int> order(points.size()), first(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](int i, int j) { return place(i) < place(j) || (place(i) == place(j) && i < j); });
  for (std::size_t i = 0; i < order.size(); ++i)
    first[order[i]] = i > 0 && place(order[i]) == place(order[i - 1]) ? first[order[i - 1]] : order[i];
  return first;
}

std::vector<Edge> sorted_edges(const TriangleMesh& mesh) {
  const std::vector<int> place = welded(mesh.points);
  std::vector<Edge> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const int from = place[mesh.triangles[t][k]], to = place[mesh.triangles[t][(k + 1) % 3]];
      edges.push_back({std::min(from, to), std::max(from, to), static_cast<int>(t), k, from < to});
    }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tuple(a.low, a.high, a.triangle, a.k) < std::tuple(b.low, b.high, b.triangle, b.k);
  });
  return edges;
}

/// Calls visit(first, last) for the edges between each two corners.
template <class Visit>
void for_each_edge(const std::vector<Edge>& edges, const Visit& visit) {
  for (auto first = edges.begin(); first != edges.end();) {
    const auto last = std::find_if(first, edges.end(), [&](const Edge& e) { return e.key() != first->key(); });
    visit(first, last);
    first = last;
  }
}

Vec3 unit_normal(const TriangleMesh& mesh, std::size_t t) {
  return normalized(cross(mesh.corner(t, 1) - mesh.corner(t, 0), mesh.corner(t, 2) - mesh.corner(t, 0)));
}

/// Angle [rad] from the normal of an edge's triangle to that of its neighbour, > 0 where the surface bends outwards.
double bend(const TriangleMesh& mesh, const Edge& edge, const Edge& neighbour) {
  const Vec3 n1 = unit_normal(mesh, edge.triangle), n2 = unit_normal(mesh, neighbour.triangle);
  const Vec3 along = normalized(mesh.corner(edge.triangle, (edge.k + 1) % 3) - mesh.corner(edge.triangle, edge.k));
  return std::atan2(dot(cross(n1, n2), along), dot(n1, n2));
}

/// What is known of the surface around a point: whether an edge there is concave, and how many independent normals
/// meet.
struct Corner {
  bool concave = false, solid = false;
  int normals = 0;
  Vec3 first{}, across{};
  /// A third normal outside the plane of two others makes a corner of what was a crease.
  void add(const Vec3& n) {
    const double flat = std::sin(kFlatAngle);
    if (normals == 0) {
      first = n;
      normals = 1;
    } else if (normals == 1 && norm(cross(first, n)) > flat) {
      across = normalized(cross(first, n));
      normals = 2;
    } else if (normals == 2 && std::fabs(dot(across, n)) > flat) {
      solid = true;
    }
  }
};

/// The lowest triangle at each corner; those beyond the edges are found with the edges.
void find_corner_neighbours(TriangleMesh& mesh, const std::vector<int>& place) {
  const int triangles = static_cast<int>(mesh.triangles.size());
  std::vector<int> lowest(mesh.points.size(), triangles);
  for (int t = 0; t < triangles; ++t)
    for (int v : mesh.triangles[t]) lowest[place[v]] = std::min(lowest[place[v]], t);
  mesh.neighbours.assign(mesh.triangles.size(), {-1, -1, -1, -1, -1, -1});
  for (int t = 0; t < triangles; ++t)
    for (int k = 0; k < 3; ++k) mesh.neighbours[t][3 + k] = lowest[place[mesh.triangles[t][k]]];
}

/// The flags of narrow_phase/triangle.hpp: active edges with their angles, and convex corners. And the neighbours.
void find_active_edges(TriangleMesh& mesh) {
  mesh.active_edges.assign(mesh.triangles.size(), 0);
  const std::vector<int> place = welded(mesh.points);
  find_corner_neighbours(mesh, place);
  std::vector<Corner> corners(mesh.points.size());
  for_each_edge(sorted_edges(mesh), [&](auto first, auto last) {
    const bool joined = last - first == 2 && first->upwards != (first + 1)->upwards;
    for (auto e = first; e != last; ++e) {
      int& flags = mesh.active_edges[e->triangle];
      if (!joined) {
        flags |= 1 << e->k;  // a border may be touched from any side
        continue;
      }
      const Edge& other = e == first ? *(first + 1) : *first;
      mesh.neighbours[e->triangle][e->k] = other.triangle;
      const double angle = bend(mesh, *e, other);
      if (angle > kFlatAngle) flags = with_edge_angle(flags, e->k, angle);
      if (angle < -kFlatAngle) corners[e->low].concave = corners[e->high].concave = true;
    }
  });
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int v : mesh.triangles[t]) corners[place[v]].add(unit_normal(mesh, t));
  // The second pass finds corners whose first two normals came late.
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int v : mesh.triangles[t]) corners[place[v]].add(unit_normal(mesh, t));
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const Corner& corner = corners[place[mesh.triangles[t][k]]];
      if (corner.solid && !corner.concave) mesh.active_edges[t] |= 1 << (kTriangleVertexBit + k);
    }
}

void require(bool good, const std::string& message) {
  if (!good) throw InputError(message);
}

void check_triangles(const TriangleMesh& mesh, const std::string& owner) {
  const int points = static_cast<int>(mesh.points.size());
  require(!mesh.triangles.empty(), owner + ": a mesh needs at least one triangle");
  for (std::size_t i = 0; i < mesh.points.size(); ++i)
    require(std::isfinite(norm2(mesh.points[i])),
            owner + ": vertex " + std::to_string(i) + " of the mesh is not finite");
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::string which = owner + ": triangle " + std::to_string(t) + " of the mesh ";
    for (int v : mesh.triangles[t])
      require(v >= 0 && v < points,
              which + "has vertex " + std::to_string(v) + ", expected 0 to " + std::to_string(points - 1));
    double longest2 = 0;
    for (int k = 0; k < 3; ++k) longest2 = std::max(longest2, norm2(mesh.corner(t, (k + 1) % 3) - mesh.corner(t, k)));
    const double area2 = norm(cross(mesh.corner(t, 1) - mesh.corner(t, 0), mesh.corner(t, 2) - mesh.corner(t, 0)));
    require(area2 > kSliver * longest2, which + "has no area");
  }
}

TriangleMesh height_field_mesh(const ShapeDescription& shape, const std::string& owner) {
  const int columns = shape.columns, rows = shape.rows;
  require(columns >= 2 && rows >= 2, owner + ": a height field needs at least 2 columns and 2 rows");
  require(shape.heights.size() == static_cast<std::size_t>(columns) * rows,
          owner + ": a height field of " + std::to_string(columns) + " columns and " + std::to_string(rows) +
              " rows needs " + std::to_string(static_cast<long>(columns) * rows) + " heights, got " +
              std::to_string(shape.heights.size()));
  require(shape.spacing_x > 0 && shape.spacing_y > 0 && std::isfinite(shape.spacing_x + shape.spacing_y),
          owner + ": a height field needs positive spacings");
  TriangleMesh mesh;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i)
      mesh.points.push_back({(i - 0.5 * (columns - 1)) * shape.spacing_x, (j - 0.5 * (rows - 1)) * shape.spacing_y,
                             shape.heights[static_cast<std::size_t>(j) * columns + i]});
  for (int j = 0; j + 1 < rows; ++j)
    for (int i = 0; i + 1 < columns; ++i) {
      const int a = j * columns + i, b = a + 1, c = b + columns, d = a + columns;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  return mesh;
}

}  // namespace

TriangleMesh triangle_mesh(const ShapeDescription& shape, const std::string& owner) {
  TriangleMesh mesh;
  if (shape.kind == ShapeDescription::Kind::height_field) {
    mesh = height_field_mesh(shape, owner);
  } else {
    mesh.points = shape.points;
    mesh.triangles = shape.triangles;
  }
  check_triangles(mesh, owner);
  find_active_edges(mesh);
  return mesh;
}

std::vector<std::string> mesh_warnings(const TriangleMesh& mesh) {
  long shared = 0, turned = 0;
  int shared_at = -1, turned_at = -1;  // a triangle of the first
  for_each_edge(sorted_edges(mesh), [&](auto first, auto last) {
    if (last - first > 2 && shared++ == 0) shared_at = first->triangle;
    if (last - first == 2 && first->upwards == (first + 1)->upwards && turned++ == 0) turned_at = first->triangle;
  });
  std::vector<std::string> out;
  if (shared > 0)
    out.push_back("more than two triangles share an edge, at " + std::to_string(shared) + " edges, first on triangle " +
                  std::to_string(shared_at));
  if (turned > 0)
    out.push_back("neighbours are wound in opposite senses, at " + std::to_string(turned) +
                  " edges, first on triangle " + std::to_string(turned_at));
  return out;
}

}  // namespace clarke
