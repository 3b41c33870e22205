#pragma once
// Directions in which an edge of a polyhedron and a cylinder part best.
//
//   m(t)   outward normals of the polyhedron between those of the two faces of the edge, which is its support there
//   s(t) = m·(c − p) − |m·axis| − r √(1 − (m·u)²)          [m]; p on the edge, c the middle of the cylinder
//
// On the sides of a cylinder and on its rims s has a few local maxima over all edges of a polyhedron, often with nearly
// the same value; a search over the sphere may end at any of them. Along one edge s is a function of one number, which
// is sampled, and each maximum between samples found by golden sections: with the normals of faces and caps these are
// all directions in which the two overlap least. Limit: two maxima between neighbouring samples count as one.

#include "physics/collision/narrow_phase/core.hpp"

namespace clarke {

/// The edge of a polyhedron and what a cylinder is to it.
struct EdgeOnRim {
  Vec3 left, right;  // normals of the faces of the edge
  Vec3 off;          // [m] from a point of it to the middle of the cylinder
  Vec3 axis, u;      // [m] half axis; its unit vector
  double radius;     // [m]

  KOKKOS_INLINE_FUNCTION Vec3 normal(double t) const { return normalized((1 - t) * left + t * right); }
  KOKKOS_INLINE_FUNCTION double separation(double t) const {
    const Vec3 m = normal(t);
    double rim;
    across(m, u, rim);
    return dot(m, off) - std::fabs(dot(m, axis)) - radius * rim;
  }
  /// The largest separation between low and high, where there is one maximum [1].
  KOKKOS_INLINE_FUNCTION double best_between(double low, double high) const {
    constexpr int kSections = 24;  // 1e-5 of the interval: where a search by the gradient goes on
    constexpr double kGolden = 0.6180339887498949;
    double p = high - kGolden * (high - low), q = low + kGolden * (high - low);
    double at_p = separation(p), at_q = separation(q);
    for (int i = 0; i < kSections; ++i) {
      if (at_p > at_q) {
        high = q, q = p, at_q = at_p;
        p = high - kGolden * (high - low), at_p = separation(p);
      } else {
        low = p, p = q, at_p = at_q;
        q = low + kGolden * (high - low), at_q = separation(q);
      }
    }
    return 0.5 * (low + high);
  }
};

/// Calls take(m, s) for each maximum along each edge of the polyhedron.
template <class Take>
KOKKOS_INLINE_FUNCTION void edges_on_rims(const PlacedCore& polyhedron, const PlacedCore& cylinder, const Take& take) {
  constexpr int kSamples = 8;
  const ConvexShape& hull = polyhedron.core.hull;
  for (int e = 0; e < hull.edges; ++e) {
    const EdgeOnRim pair{polyhedron.face_normal(hull.edge[e].left),
                         polyhedron.face_normal(hull.edge[e].right),
                         cylinder.x - polyhedron.vertex(hull.edge[e].v0),
                         cylinder.axis,
                         cylinder.u,
                         cylinder.core.axis_radius};
    double before = pair.separation(0), here = pair.separation(1.0 / kSamples);
    for (int i = 1; i < kSamples; ++i) {
      const double after = pair.separation((i + 1.0) / kSamples);
      if (here >= before && here >= after) {
        const double t = pair.best_between((i - 1.0) / kSamples, (i + 1.0) / kSamples);
        take(pair.normal(t), pair.separation(t));
      }
      before = here, here = after;
    }
  }
}

}  // namespace clarke
