#include "physics/collision/convex_hull.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace clarke {
namespace {

using Loop = std::vector<int>;

/// ½ Σ p_i × p_{i+1} about the loop's first point [m²]: area times normal, exact for a plane polygon.
Vec3 area_vector(const std::vector<Vec3>& p, const Loop& loop) {
  Vec3 sum{};
  for (std::size_t k = 1; k + 1 < loop.size(); ++k) sum += cross(p[loop[k]] - p[loop[0]], p[loop[k + 1]] - p[loop[0]]);
  return 0.5 * sum;
}

/// Loops that are the border of no body: whether a point lies on a plane was not decided the same way everywhere.
struct NotClosed {};

/// Edges, normals, offsets and areas from vertices and loops. Throws NotClosed.
void complete(ConvexHull& hull, const std::vector<Loop>& loops, const std::string& owner) {
  std::map<std::pair<int, int>, int> index;  // directed edge -> undirected
  for (int f = 0; f < static_cast<int>(loops.size()); ++f) {
    const Loop& loop = loops[f];
    const Vec3 a = area_vector(hull.vertex, loop);
    const Vec3 n = normalized(a);
    double offset = 0;
    for (int v : loop) offset += dot(n, hull.vertex[v]) / static_cast<double>(loop.size());
    hull.normal.push_back(n);
    hull.offset.push_back(offset);
    hull.area.push_back(norm(a));
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int u = loop[k], v = loop[(k + 1) % loop.size()];
      const auto twin = index.find({v, u});
      int e;
      if (twin != index.end()) {
        e = twin->second;
        hull.edge[e].right = f;
      } else {
        e = static_cast<int>(hull.edge.size());
        hull.edge.push_back({u, v, f, -1});
      }
      if (!index.insert({{u, v}, e}).second) throw NotClosed{};
      hull.loop.push_back(u);
      hull.loop_edge.push_back(e);
    }
    hull.loop_begin.push_back(static_cast<int>(hull.loop.size()));
    if (loop.size() > kMaxFaceVertices)
      throw InputError(owner + ": a face of its convex hull has " + std::to_string(loop.size()) +
                       " vertices; at most " + std::to_string(kMaxFaceVertices) + " are supported");
  }
  const long v = static_cast<long>(hull.vertex.size()), e = static_cast<long>(hull.edge.size()),
             f = static_cast<long>(loops.size());
  const bool open = std::any_of(hull.edge.begin(), hull.edge.end(), [](const ConvexEdge& x) { return x.right < 0; });
  if (open || v - e + f != 2) throw NotClosed{};
  if (std::max({v, e, f}) > kMaxFeatures)
    throw InputError(owner + ": its convex hull has " + std::to_string(std::max({v, e, f})) +
                     " vertices, edges or faces; at most " + std::to_string(kMaxFeatures) + " are supported");
}

/// Gift wrapping over distinct points `p` (relative to their middle), tolerance `tol` [m].
class Wrapping {
 public:
  Wrapping(const std::vector<Vec3>& p, double tol) : p_(p), tol_(tol) {}

  /// Throws NotClosed.
  std::vector<Loop> run() {
    add_face(first_normal());
    for (std::size_t f = 0; f < loops_.size(); ++f) {
      const Loop loop = loops_[f];  // a copy: loops_ grows below
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const int u = loop[k], v = loop[(k + 1) % loop.size()];
        if (face_of_.count({v, u})) continue;
        anchor_ = u;
        add_face(turn(p_[u], normalized(p_[v] - p_[u]), normals_[f]));
        if (!face_of_.count({v, u})) fail();
      }
    }
    return loops_;
  }

 private:
  [[noreturn]] static void fail() { throw NotClosed{}; }

  int farthest(const Vec3& n) const {
    int best = 0;
    for (int i = 1; i < static_cast<int>(p_.size()); ++i)
      if (dot(n, p_[i]) > dot(n, p_[best])) best = i;
    return best;
  }

  /// Outward normal of the supporting plane through the line (origin, unit direction e) that is reached by turning the
  /// supporting plane with normal n about that line, away from the points on n's plane. In the half-plane coordinates
  /// (a along e × n, b along −n) the wanted point has the largest a/b; the repetition p ← farthest outside the plane
  /// through p is Dinkelbach's iteration for that quotient, and ends with every point inside to within tol.
  Vec3 turn(const Vec3& origin, const Vec3& e, const Vec3& n) const {
    const Vec3 m = cross(e, n);
    Vec3 next = -n;
    bool found = false;
    double best_a = 0, best_b = 1;
    for (const Vec3& x : p_) {
      const double a = dot(x - origin, m), b = -dot(x - origin, n);
      if (b <= tol_ || (found && a * best_b <= best_a * b)) continue;
      found = true;
      best_a = a, best_b = b;
    }
    if (!found) fail();
    for (std::size_t guard = 0; guard < p_.size(); ++guard) {
      next = normalized(best_b * m + best_a * n);
      const Vec3& x = p_[farthest(next)];
      if (dot(next, x - origin) <= tol_) break;
      best_a = dot(x - origin, m), best_b = -dot(x - origin, n);
    }
    return next;
  }

  /// Normal of some face: a plane that touches one point is turned about two lines in succession.
  Vec3 first_normal() {
    const Vec3 x{-1, 0, 0}, y{0, 1, 0};
    anchor_ = farthest(x);
    if (spans_plane(x)) return x;
    const Vec3 n = turn(p_[anchor_], y, x);
    if (spans_plane(n)) return n;
    // The points on this plane lie on one line through the anchor: turn about it.
    int other = anchor_;
    for (int i : on_plane(n))
      if (norm2(p_[i] - p_[anchor_]) > norm2(p_[other] - p_[anchor_])) other = i;
    return turn(p_[anchor_], normalized(p_[other] - p_[anchor_]), n);
  }

  std::vector<int> on_plane(const Vec3& n) const {
    std::vector<int> set;
    const double offset = dot(n, p_[anchor_]);
    for (int i = 0; i < static_cast<int>(p_.size()); ++i)
      if (std::fabs(dot(n, p_[i]) - offset) <= tol_) set.push_back(i);
    return set;
  }

  bool spans_plane(const Vec3& n) const { return outline(on_plane(n), n).size() >= 3; }

  /// Plane convex hull of `set` seen against n, counter-clockwise; points within tol of an edge are left out.
  Loop outline(const std::vector<int>& set, const Vec3& n) const {
    Vec3 middle{};
    for (int i : set) middle += p_[i] / static_cast<double>(set.size());
    const int start = *std::max_element(set.begin(), set.end(), [&](int i, int j) {
      return norm2(p_[i] - middle) < norm2(p_[j] - middle);  // the farthest point is certainly a corner
    });
    Loop loop;
    int u = start;
    do {
      loop.push_back(u);
      u = next_corner(set, n, u);
    } while (u != start && u >= 0 && loop.size() <= set.size());
    if (loop.size() > set.size()) fail();
    return loop;
  }

  /// The corner after u: the point v such that none lies more than tol to the right of u → v, the farthest of those.
  int next_corner(const std::vector<int>& set, const Vec3& n, int u) const {
    int v = -1;
    for (int i : set)
      if (i != u && (v < 0 || norm2(p_[i] - p_[u]) > norm2(p_[v] - p_[u]))) v = i;
    if (v < 0) return -1;
    for (std::size_t guard = 0; guard < set.size(); ++guard) {
      const Vec3 right = cross(normalized(p_[v] - p_[u]), n);
      int worst = v;
      for (int i : set)
        if (dot(right, p_[i] - p_[u]) > dot(right, p_[worst] - p_[u])) worst = i;
      if (dot(right, p_[worst] - p_[u]) <= tol_) break;
      v = worst;
    }
    const Vec3 along = normalized(p_[v] - p_[u]), right = cross(along, n);
    for (int i : set)
      if (std::fabs(dot(right, p_[i] - p_[u])) <= tol_ && dot(along, p_[i] - p_[v]) > 0) v = i;
    return v;
  }

  void add_face(Vec3 n) {
    Loop loop = outline(on_plane(n), n);
    if (loop.size() < 3) fail();
    n = normalized(area_vector(p_, loop));  // from the whole face, not from the three points found first
    loop = outline(on_plane(n), n);
    if (loop.size() < 3) fail();
    const int f = static_cast<int>(loops_.size());
    for (std::size_t k = 0; k < loop.size(); ++k)
      if (!face_of_.insert({{loop[k], loop[(k + 1) % loop.size()]}, f}).second) fail();
    loops_.push_back(loop);
    normals_.push_back(n);
  }

  const std::vector<Vec3>& p_;
  double tol_;
  int anchor_ = 0;  // a point on the plane under construction
  std::vector<Loop> loops_;
  std::vector<Vec3> normals_;
  std::map<std::pair<int, int>, int> face_of_;  // directed edge -> face
};

/// Throws unless the points reach out in three directions.
void require_volume(const std::vector<Vec3>& p, double size, const std::string& owner) {
  const auto largest = [&p](auto measure) {
    double m = 0;
    Vec3 at{};
    for (const Vec3& x : p)
      if (measure(x) > m) m = measure(x), at = x;
    return std::make_pair(m, at);
  };
  const auto [length, x1] = largest([&](const Vec3& x) { return norm(x - p[0]); });
  const double thin = kHullFlatness * size;
  double width = 0, height = 0;
  if (length > thin) {
    const Vec3 e = normalized(x1 - p[0]);
    const auto [w, x2] = largest([&](const Vec3& x) { return norm(cross(x - p[0], e)); });
    width = w;
    if (width > thin) {
      const Vec3 n = normalized(cross(e, x2 - p[0]));
      height = largest([&](const Vec3& x) { return std::fabs(dot(n, x - p[0])); }).first;
    }
  }
  if (height <= thin)
    throw InputError(owner + ": its convex points " + (width <= thin ? "lie on one line" : "lie in one plane") +
                     "; a convex shape needs points in space");
}

/// The hull at one tolerance. `p`: distinct ones of `points`, relative to their middle; `source`: which. Throws
/// NotClosed.
ConvexHull wrapped(const std::vector<Vec3>& points, const std::vector<Vec3>& p, const std::vector<int>& source,
                   double tol, const std::string& owner) {
  std::vector<Loop> loops = Wrapping(p, tol).run();
  std::vector<int> vertex_of(p.size(), -1);
  for (const Loop& loop : loops)
    for (int i : loop) vertex_of[i] = 0;
  ConvexHull hull;
  for (std::size_t i = 0; i < p.size(); ++i)
    if (vertex_of[i] == 0) {
      vertex_of[i] = static_cast<int>(hull.vertex.size());
      hull.vertex.push_back(points[source[i]]);
    }
  for (Loop& loop : loops)
    for (int& i : loop) i = vertex_of[i];
  complete(hull, loops, owner);
  // Each point is at most one tolerance outside of the plane it was turned to, and that one off its face's by another.
  constexpr double kOutside = 3;
  for (std::size_t f = 0; f < hull.normal.size(); ++f)
    for (const int i : source)
      if (dot(hull.normal[f], points[i]) - hull.offset[f] > kOutside * tol) throw NotClosed{};
  return hull;
}

}  // namespace

ConvexShape ConvexHull::shape() const {
  double radius = 0;
  for (const Vec3& v : vertex) radius = std::max(radius, norm(v));
  return {vertex.data(),
          normal.data(),
          offset.data(),
          area.data(),
          loop_begin.data(),
          loop.data(),
          loop_edge.data(),
          edge.data(),
          static_cast<int>(vertex.size()),
          static_cast<int>(normal.size()),
          static_cast<int>(edge.size()),
          radius};
}

ConvexHull convex_hull(const std::vector<Vec3>& points, const std::string& owner) {
  for (const Vec3& x : points)
    if (!std::isfinite(norm2(x))) throw InputError(owner + ": a convex point is not finite");
  if (points.size() < 4)
    throw InputError(owner + ": a convex shape needs at least 4 points, got " + std::to_string(points.size()));
  Vec3 middle{};
  double magnitude = 0, size = 0;
  for (const Vec3& x : points) {
    middle += x / static_cast<double>(points.size());
    magnitude = std::max(magnitude, norm(x));
  }
  for (const Vec3& x : points) size = std::max(size, norm(x - middle));
  // Far from the origin the coordinates themselves are no better than their rounding; 8 covers the subtractions.
  const double tol = std::max(kHullTolerance * size, 8 * std::numeric_limits<double>::epsilon() * magnitude);

  std::vector<Vec3> distinct;  // relative to the middle
  std::vector<int> source;
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const Vec3 x = points[i] - middle;
    const bool repeated =
        std::any_of(distinct.begin(), distinct.end(), [&](const Vec3& y) { return norm(x - y) <= tol; });
    if (!repeated) distinct.push_back(x), source.push_back(i);
  }
  if (distinct.size() < 4)
    throw InputError(owner + ": a convex shape needs at least 4 different points, got " +
                     std::to_string(distinct.size()));
  require_volume(distinct, size, owner);

  // Finer first: what is kept apart is only a sliver more, what is merged is lost.
  for (const double part : {1.0, 0.5, 0.25, 2.0, 0.1, 0.05, 4.0, 1e-2, 1e-3, 8.0, 1e-4, 1e-5}) {
    try {
      return wrapped(points, distinct, source, part * tol, owner);
    } catch (const NotClosed&) {}
  }
  throw InputError(owner + ": its convex hull does not close: too many of its " + std::to_string(distinct.size()) +
                   " points are almost, but not quite, coplanar");
}

ConvexHull box_hull(const Vec3& half, const std::string& owner) {
  if (!(half.x > 0 && half.y > 0 && half.z > 0) || !std::isfinite(norm2(half)))
    throw InputError(owner + ": a box needs three positive half extents");
  ConvexHull hull;
  for (int i = 0; i < 8; ++i)
    hull.vertex.push_back({i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z});
  complete(hull, {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}, owner);
  return hull;
}

void translate(ConvexHull& hull, const Vec3& shift) {
  for (Vec3& v : hull.vertex) v += shift;
  for (std::size_t f = 0; f < hull.normal.size(); ++f) hull.offset[f] += dot(hull.normal[f], shift);
}

void turn_hull(ConvexHull& hull, const Mat3& rotation) {
  for (Vec3& v : hull.vertex) v = rotation * v;
  for (Vec3& n : hull.normal) n = rotation * n;
}

}  // namespace clarke
