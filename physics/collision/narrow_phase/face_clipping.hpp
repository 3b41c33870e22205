#pragma once
// Contacts of two faces that lie on each other: the incident face, cut by the side planes of the reference face
// (Sutherland-Hodgman). Each corner of the overlap is a vertex of the incident face, a vertex of the reference face
// or a crossing of two edges; its partner is its projection on the plane of the reference face.
//
// Corners that shape the overlap by less than a tolerance are left out: a face turned by 1e-4 rad on an equal one rests
// on four corners, not on eight points of which four are nearly in line. The deepest corner always stays.

#include "physics/collision/narrow_phase/manifold.hpp"
#include "physics/collision/narrow_phase/separating_axis.hpp"

namespace clarke {

/// Corners nearer than this to the line through their neighbours are left out; relative to the smaller bounding
/// radius. The support polygon changes by no more, far less than what stone or steel is made to.
inline constexpr double kPolygonDetail = 1e-3;
/// Two faces within this angle [rad] lie on each other (half of it squared is what the cosine lacks to one).
inline constexpr double kFlatContact = 5e-3;
inline constexpr double kAnyDepth = -1e300;  // [m]
/// A face goes before a pair of edges that overlaps less, where it overlaps by at most 1 + kFacePreference times as
/// much, and where its deepest point is over it: to kWholeDepth of the smaller size, well above rounding.
inline constexpr double kFacePreference = 0.3, kWholeDepth = 1e-9;

/// One corner of the polygon being cut, and the edge that leaves it.
struct ClipCorner {
  Vec3 p;  // [m] reference frame
  std::uint32_t feature;
  int vertex;  // of the incident body where the corner is one, else -1
  int edge;    // incident edge ≥ 0; −1 − k: on side plane k of the reference face
};

struct ClipPolygon {
  ClipCorner corner[2 * kMaxFaceVertices];
  int count = 0;
  KOKKOS_INLINE_FUNCTION void add(const ClipCorner& c) {
    if (count < 2 * kMaxFaceVertices) corner[count++] = c;
  }
};

/// Names features in the order (a, b) whichever side the reference face is on.
struct FeatureNaming {
  bool reference_is_a;
  KOKKOS_INLINE_FUNCTION std::uint32_t incident_vertex(int vertex, int reference_face) const {
    return reference_is_a ? feature_key(FeatureKind::face_vertex, reference_face, vertex)
                          : feature_key(FeatureKind::vertex_face, vertex, reference_face);
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t reference_vertex(int vertex, int incident_face) const {
    return reference_is_a ? feature_key(FeatureKind::vertex_face, vertex, incident_face)
                          : feature_key(FeatureKind::face_vertex, incident_face, vertex);
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t edges(int reference, int incident) const {
    return reference_is_a ? feature_key(FeatureKind::edge_edge, reference, incident)
                          : feature_key(FeatureKind::edge_edge, incident, reference);
  }
};

/// Face of `other` that looks most against the unit vector n (frame of other).
KOKKOS_INLINE_FUNCTION int opposing_face(const ConvexShape& other, const Vec3& n) {
  constexpr double kEqualCosine = 1e-12;  // rounding of a dot product: equal faces are told apart by their number
  int best = 0;
  double least = dot(other.normal[0], n);
  for (int f = 1; f < other.faces; ++f) {
    const double c = dot(other.normal[f], n);
    if (c < least - kEqualCosine) least = c, best = f;
  }
  return best;
}

/// Corner of the reference face between the side planes j and k, -1 when they do not meet in one (possible
/// only where the overlap is as small as the tolerances).
KOKKOS_INLINE_FUNCTION int reference_corner(const ConvexShape& ref, int face, int j, int k) {
  const int n = ref.face_vertices(face), begin = ref.loop_begin[face];
  if ((j + 1) % n == k) return ref.loop[begin + k];
  if ((k + 1) % n == j) return ref.loop[begin + j];
  return -1;
}

/// Side plane k of a face: unit normal, pointing away from the face and orthogonal to the face's own.
KOKKOS_INLINE_FUNCTION Vec3 side_normal(const ConvexShape& ref, int face, int k) {
  return normalized(cross(ref.face_vertex(face, k + 1) - ref.face_vertex(face, k), ref.normal[face]));
}

/// Keeps the part of `in` behind side plane k of the face, up to `equal` [m] beyond it.
KOKKOS_INLINE_FUNCTION void clip_side(const ConvexShape& ref, int face, int k, int incident_face, double equal,
                                      const FeatureNaming& name, const ClipPolygon& in, ClipPolygon& out) {
  const Vec3& start = ref.face_vertex(face, k);
  const Vec3 side = side_normal(ref, face, k);
  const int side_edge = ref.loop_edge[ref.loop_begin[face] + k];
  out.count = 0;
  for (int i = 0; i < in.count; ++i) {
    const ClipCorner& c = in.corner[i];
    const ClipCorner& next = in.corner[i + 1 < in.count ? i + 1 : 0];
    const double d = dot(side, c.p - start), d_next = dot(side, next.p - start);
    const bool inside = d <= equal, next_inside = d_next <= equal;
    if (inside) out.add(c);
    if (inside == next_inside) continue;
    const double s = d / (d - d_next);  // outside [0, 1] where a corner was kept by the tolerance
    ClipCorner x{c.p + (s < 0 ? 0.0 : (s > 1 ? 1.0 : s)) * (next.p - c.p), 0, -1, inside ? -1 - k : c.edge};
    if (c.edge >= 0) {
      x.feature = name.edges(side_edge, c.edge);
    } else {
      const int corner = reference_corner(ref, face, -1 - c.edge, k);
      x.feature = corner < 0 ? c.feature : name.reference_vertex(corner, incident_face);
    }
    out.add(x);
  }
}

/// How far the polygon would have to slide along the face to leave it [m].
KOKKOS_INLINE_FUNCTION double overlap_width(const ConvexShape& ref, int face, const ClipPolygon& poly, double size) {
  double width = 2 * size;
  for (int k = 0; k < ref.face_vertices(face); ++k) {
    const Vec3& start = ref.face_vertex(face, k);
    const Vec3 side = side_normal(ref, face, k);
    double depth = 0;
    for (int i = 0; i < poly.count; ++i) {
      const double d = dot(side, start - poly.corner[i].p);
      if (d > depth) depth = d;
    }
    if (depth < width) width = depth;
  }
  return width;
}

/// Index of the corner lowest along n. Among equals (within `equal` [m]) original vertices come first.
KOKKOS_INLINE_FUNCTION int deepest_corner(const ClipPolygon& poly, const Vec3& n, double equal) {
  int best = 0;
  for (int i = 1; i < poly.count; ++i) {
    const double lower = dot(n, poly.corner[best].p - poly.corner[i].p);
    const bool preferred = poly.corner[i].vertex >= 0 && poly.corner[best].vertex < 0;
    if (lower > equal || (preferred && lower > -equal)) best = i;
  }
  return best;
}

/// Removes the corners that matter least until at most `capacity` are left and each shapes the polygon by `detail` [m].
/// Original vertices outlive crossings near them, so that names last.
KOKKOS_INLINE_FUNCTION void simplify(ClipPolygon& poly, const Vec3& n, double detail, double equal, int capacity) {
  while (poly.count > 1) {
    const int deepest = deepest_corner(poly, n, equal);
    int least = -1;
    double least_weight = 0;
    for (int i = 0; i < poly.count; ++i) {
      if (i == deepest) continue;
      const ClipCorner& c = poly.corner[i];
      const Vec3& u = poly.corner[i > 0 ? i - 1 : poly.count - 1].p;
      const Vec3 e = poly.corner[i + 1 < poly.count ? i + 1 : 0].p - u, r = c.p - u;
      const double e2 = norm2(e);
      const double s = e2 > 0 ? dot(r, e) / e2 : 0;
      const double distance = norm(r - (s < 0 ? 0.0 : (s > 1 ? 1.0 : s)) * e);
      const double weight = distance + (c.vertex >= 0 ? 0.5 * detail : 0);
      if (least < 0 || weight < least_weight) least = i, least_weight = weight;
    }
    if (poly.count <= capacity && least_weight >= detail) return;
    for (int i = least; i + 1 < poly.count; ++i) poly.corner[i] = poly.corner[i + 1];
    --poly.count;
  }
}

/// Adds the deepest vertex of inc where it is over the face and deeper than all of `poly`: the face that looks most at
/// the other need not have it. Whether it was added.
KOKKOS_INLINE_FUNCTION bool add_deepest_vertex(const ConvexShape& ref, const ConvexShape& inc, const RelativePose& pose,
                                               int face, const FeatureNaming& name, const ClipPolygon& poly,
                                               double lowest, double limit, double equal, Manifold& m) {
  const Vec3& n = ref.normal[face];
  const int vertex = support_corner(inc, -transpose_times(pose.rotation, n));
  const Vec3 p = pose.rotation * inc.vertex[vertex] + pose.offset;
  const double distance = dot(n, p) - ref.offset[face];
  const std::uint32_t feature = name.incident_vertex(vertex, face);
  double least = limit;
  for (int i = 0; i < poly.count; ++i) {
    const double d = dot(n, poly.corner[i].p) - ref.offset[face];
    if (d < least) least = d;
  }
  if (distance >= least - equal || distance < lowest || m.count == m.capacity || m.has(feature)) return false;
  for (int k = 0; k < ref.face_vertices(face); ++k)
    if (dot(side_normal(ref, face, k), p - ref.face_vertex(face, k)) > equal) return false;
  const Vec3 on_ref = p - distance * n;
  m.add(name.reference_is_a ? on_ref : inc.vertex[vertex], name.reference_is_a ? inc.vertex[vertex] : on_ref, feature);
  return true;
}

/// Adds the points of the overlap of face `face` of ref with the opposing face of inc whose distance from the reference
/// plane is below `limit` and not below `lowest` [m]. `pose`: inc → ref; `size` [m]: smaller bounding radius. Sets no
/// normal. Returns the overlap_width, 0 when there is no overlap.
KOKKOS_INLINE_FUNCTION double clip_faces(const ConvexShape& ref, const ConvexShape& inc, const RelativePose& pose,
                                         int face, bool reference_is_a, double lowest, double limit, double size,
                                         Manifold& m) {
  const Vec3& n = ref.normal[face];
  const int incident = opposing_face(inc, transpose_times(pose.rotation, n));
  const FeatureNaming name{reference_is_a};
  ClipPolygon polygons[2];
  int now = 0;
  for (int k = inc.loop_begin[incident]; k < inc.loop_begin[incident + 1]; ++k) {
    const int v = inc.loop[k];
    polygons[0].add({pose.rotation * inc.vertex[v] + pose.offset, name.incident_vertex(v, face), v, inc.loop_edge[k]});
  }
  const double equal = kEqualLength * size;
  for (int k = 0; k < ref.face_vertices(face); ++k) {
    clip_side(ref, face, k, incident, equal, name, polygons[now], polygons[1 - now]);
    now = 1 - now;
    if (polygons[now].count == 0) break;
  }
  ClipPolygon& poly = polygons[now];
  double width = poly.count > 0 ? overlap_width(ref, face, poly, size) : 0;
  if (m.normals) {
    if (add_deepest_vertex(ref, inc, pose, face, name, poly, lowest, limit, equal, m) && width == 0) width = 2 * size;
    // What is there by name, or too deep, may not stand for a corner beside it.
    int kept = 0;
    for (int i = 0; i < poly.count; ++i)
      if (!m.has(poly.corner[i].feature) && dot(n, poly.corner[i].p) - ref.offset[face] >= lowest)
        poly.corner[kept++] = poly.corner[i];
    poly.count = kept;
  }
  const int room = m.capacity - m.count;
  simplify(poly, n, kPolygonDetail * size, equal, room < kMaxManifold ? room : kMaxManifold);
  for (int i = 0; i < poly.count; ++i) {
    const ClipCorner& c = poly.corner[i];
    const double distance = dot(n, c.p) - ref.offset[face];
    if (distance >= limit || distance < lowest || m.has(c.feature)) continue;
    const Vec3 on_inc = c.vertex >= 0 ? inc.vertex[c.vertex] : transpose_times(pose.rotation, c.p - pose.offset);
    const Vec3 on_ref = c.p - distance * n;
    if (reference_is_a) {
      m.add(on_ref, on_inc, c.feature);
    } else {
      m.add(on_inc, on_ref, c.feature);
    }
  }
  return width;
}

}  // namespace clarke
