#include "verdict/geometry/penetration_depth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clarke {

namespace {

/// Shorter than this, the product of two unit directions has no direction of its own.
constexpr double kParallel = 1e-9;

/// min and max of n·x over the core.
struct Extent {
  double low, high;
};
Extent extent(const PlacedSolid& s, const Vec3& n) {
  Extent out{dot(n, s.points[0]), dot(n, s.points[0])};
  for (std::size_t i = 1; i < s.points.size(); ++i) {
    const double along = dot(n, s.points[i]);
    out.low = std::min(out.low, along);
    out.high = std::max(out.high, along);
  }
  if (s.kind == Solid::Kind::cylinder) {
    const double rim = s.cylinder_radius * norm(n - dot(n, s.normal) * s.normal);
    out.low -= rim;
    out.high += rim;
  }
  return out;
}

/// The best direction so far, and all that were tried.
struct Search {
  struct Tried {
    double s;
    Vec3 n;
  };
  const PlacedSolid &a, &b;
  bool keep = false;
  double s = -std::numeric_limits<double>::infinity();
  Vec3 n{};
  std::vector<Tried> tried{};

  void try_along(const Vec3& d) {
    const Extent of_a = extent(a, d), of_b = extent(b, d);
    take(of_a.low - of_b.high, d);
    take(of_b.low - of_a.high, -d);
  }
  void try_unnormalised(const Vec3& d) {
    const double size = norm(d);
    if (size > kParallel) try_along(d / size);
  }

 private:
  void take(double value, const Vec3& d) {
    if (value > s) s = value, n = d;
    if (keep) tried.push_back({value, d});
  }
};

/// Nearest points of two segments, as the difference from the one on b to the one on a.
Vec3 segment_difference(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
  const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), uw = dot(u, w), vw = dot(v, w);
  const double det = uu * vv - uv * uv;
  double s = det > kParallel * uu * vv ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0;
  const double t = vv > 0 ? std::clamp((uv * s + vw) / vv, 0.0, 1.0) : 0;
  s = uu > 0 ? std::clamp((uv * t - uw) / uu, 0.0, 1.0) : 0;
  return w + s * u - t * v;
}

/// Directions between corners and edges: those of the nearest points of cores that are apart.
void try_nearest(Search& search) {
  const PlacedSolid &a = search.a, &b = search.b;
  for (const Vec3& p : a.points)
    for (const Vec3& q : b.points) search.try_unnormalised(p - q);
  for (const auto& e : *a.edges)
    for (const Vec3& q : b.points) search.try_unnormalised(segment_difference(a.points[e[0]], a.points[e[1]], q, q));
  for (const auto& e : *b.edges)
    for (const Vec3& p : a.points) search.try_unnormalised(segment_difference(p, p, b.points[e[0]], b.points[e[1]]));
  for (const auto& e : *a.edges)
    for (const auto& f : *b.edges)
      search.try_unnormalised(segment_difference(a.points[e[0]], a.points[e[1]], b.points[f[0]], b.points[f[1]]));
}

/// The point of the core with the least n·x.
Vec3 lowest(const PlacedSolid& s, const Vec3& n) {
  const Vec3* best = &s.points[0];
  for (const Vec3& p : s.points)
    if (dot(n, p) < dot(n, *best)) best = &p;
  if (s.kind != Solid::Kind::cylinder) return *best;
  const Vec3 out = n - dot(n, s.normal) * s.normal;
  const double length = norm(out);
  return length > kParallel ? *best - (s.cylinder_radius / length) * out : *best;
}

/// The nearest point to the origin of the hull of at most four points, of which those are kept that it lies between.
Vec3 least_norm(std::vector<Vec3>& w) {
  std::vector<Vec3> kept;
  Vec3 best{};
  double least = std::numeric_limits<double>::infinity();
  for (unsigned subset = 1; subset < 1U << w.size(); ++subset) {
    std::vector<Vec3> p;
    for (std::size_t i = 0; i < w.size(); ++i)
      if (subset >> i & 1) p.push_back(w[i]);
    // p_0 + Σ t_k e_k, orthogonal to all e_k: Gram-Schmidt on the e_k, whose coefficients are then solved backwards.
    Vec3 x = p[0], e[3], g[3];
    const int edges = static_cast<int>(p.size()) - 1;
    double t[3], part[3][3] = {};
    bool flat = false;
    for (int k = 0; k < edges; ++k) {
      e[k] = g[k] = p[k + 1] - p[0];
      for (int j = 0; j < k; ++j) {
        part[j][k] = dot(g[j], e[k]) / dot(g[j], g[j]);
        g[k] -= part[j][k] * g[j];
      }
      flat = flat || !(norm(g[k]) > kParallel * norm(e[k]));
      if (flat) break;
      t[k] = -dot(x, g[k]) / dot(g[k], g[k]);
      x += t[k] * g[k];
    }
    if (flat || norm2(x) >= least) continue;
    double first = 1, smallest = 1;
    for (int k = edges - 1; k >= 0; --k) {
      for (int j = k + 1; j < edges; ++j) t[k] -= part[k][j] * t[j];
      first -= t[k];
      smallest = std::min(smallest, t[k]);
    }
    if (std::min(first, smallest) < 0) continue;
    least = norm2(x);
    best = x;
    kept = p;
  }
  w = kept;
  return best;
}

/// From q to the nearest point of the cores' difference A − B, q outside of it; zero where it is not. Gilbert's method:
/// support points are added to the few between which the nearest point lies.
Vec3 to_difference(const PlacedSolid& a, const PlacedSolid& b, const Vec3& q, const Vec3& towards) {
  constexpr int kSteps = 100;
  constexpr double kMet = 1e-15;  // the two bounds of the distance, of the size
  const double size = norm(a.high - a.low) + norm(b.high - b.low);
  std::vector<Vec3> w{lowest(a, towards) - lowest(b, -towards) - q};
  Vec3 v = w[0];
  for (int step = 0; step < kSteps; ++step) {
    const double length = norm(v);
    if (!(length > kMet * size)) return {};
    const Vec3 n = v / length, next = lowest(a, n) - lowest(b, -n) - q;
    if (length - dot(n, next) <= kMet * size) break;
    w.push_back(next);
    const Vec3 nearer = least_norm(w);
    if (w.size() == 4) return {};                   // q is between all four
    if (!(norm2(nearer) < length * length)) break;  // rounding
    v = nearer;
  }
  return v;
}

/// The direction between cores that are apart; of others improves the best directions, each to its local maximum:
/// n ← direction to A − B from a point that is c outside of it along n. s never falls, since that distance is the
/// largest of s(m) − m·q over all m. Where s is flat the steps shrink slowly, as a geometric series: its limit is
/// tried.
void refine(Search& search) {
  constexpr std::size_t kStarts = 6;
  constexpr int kSteps = 200;
  constexpr double kApart = 0.98;         // cosine between two starts
  constexpr double kOutside = 0.05;       // c, of the smaller radius
  constexpr double kStill = 1e-16;        // gain, of the size
  constexpr double kClearlyApart = 1e-6;  // of the size: a direction of ten digits
  const PlacedSolid &a = search.a, &b = search.b;
  std::stable_sort(search.tried.begin(), search.tried.end(), [](const auto& p, const auto& q) { return p.s > q.s; });
  std::vector<Vec3> starts;
  for (const auto& t : search.tried) {
    if (starts.size() == kStarts) break;
    if (std::all_of(starts.begin(), starts.end(), [&](const Vec3& n) { return dot(n, t.n) < kApart; }))
      starts.push_back(t.n);
  }
  const double size = std::min(norm(a.high - a.low), norm(b.high - b.low)), c = kOutside * size;
  if (const Vec3 v = to_difference(a, b, {}, search.n); norm(v) > kClearlyApart * size) {
    search.try_along(normalized(v));
    return;
  }
  for (Vec3 n : starts) {
    double s = extent(a, n).low - extent(b, n).high, last = 0;
    for (int step = 0; step < kSteps; ++step) {
      const Vec3 v = to_difference(a, b, (s - c) * n, n);
      const double length = norm(v);
      if (!(length > 0)) break;
      const Vec3 next = v / length;
      const double value = extent(a, next).low - extent(b, next).high, change = norm(next - n);
      search.try_along(next);
      if (!(value > s + kStill * size)) break;
      const Vec3 before = n;
      s = value, n = next;
      const double ratio = last > 0 ? change / last : 1;
      last = change;
      if (!(ratio < 1)) continue;
      const Vec3 limit = normalized(next + ratio / (1 - ratio) * (next - before));
      const double there = extent(a, limit).low - extent(b, limit).high;
      if (!(there > s)) continue;
      s = there, n = limit, last = 0;
      search.try_along(limit);
    }
  }
}

}  // namespace

double penetration_depth(const PlacedSolid& a, const PlacedSolid& b) {
  if (b.kind == Solid::Kind::plane) return b.offset - extent(a, b.normal).low + a.radius + b.radius;
  if (a.kind == Solid::Kind::plane) return penetration_depth(b, a);
  const double balls = a.radius + b.radius;
  const bool round = a.kind == Solid::Kind::cylinder || b.kind == Solid::Kind::cylinder;
  Search search{a, b};
  search.keep = round;
  for (const PlacedSolid* s : {&a, &b}) {
    for (const Vec3& n : s->face_normals) search.try_along(n);
    if (s->kind == Solid::Kind::cylinder) search.try_along(s->normal);
  }
  if (search.s >= balls) return balls - search.s;
  for (const Vec3& e : a.edge_directions)
    for (const Vec3& f : b.edge_directions) search.try_unnormalised(cross(e, f));
  // Without faces and crossing edges a direction is yet to be found: two points, a point and a segment.
  const bool flat = a.face_normals.empty() && b.face_normals.empty();
  if (flat || round || (search.s > 0 && balls > search.s)) try_nearest(search);
  if (round && search.s < balls) refine(search);
  if (flat && !(search.s > -std::numeric_limits<double>::infinity())) return balls;  // the same point
  return balls - search.s;
}

}  // namespace clarke
