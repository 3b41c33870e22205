#pragma once
// Faces of deforming surfaces against everything: vertices on faces, faces under vertices, edges across edges
// [docs/theory.md, eq. N6].
//
//   vertex     p of the face, against the nearest point of the other shape           n its outward normal there
//   face       foot of a corner p of the other shape inside the triangle             n = −N,   distance d = N·(p − v_0)
//   edge       the nearest points of two edges, inside both                          n = ± e_a × e_b / |e_a × e_b|
//
// n points from the other shape (b) to the face (a), N is the outward normal of the face. Each point has a normal of
// its own, and belongs to one pair only: a vertex or an edge that several faces share is looked at by the one that owns
// it, the lowest. A foot on a shared edge belongs to that edge's owner, and one at a vertex to the vertex. Nothing is
// reported twice.
//
// Which side is out. A corner of the other shape counts where a face of it there looks at this face (cosine below
// −kFacing); edges count where n lies between the normals of the two faces that meet there, on both sides, or not
// further than kBeyondArc from there (a dent has concave edges). A vertex counts on another face where the surface
// around it looks at that face. So what is behind a thin body does not touch its back. Nothing is found deeper behind a
// face than the face is large, or than kShell of that where both sides are faces: a strip has a back.
//
// A sheet has two sides, and each of its faces is out on the one where the other shape is. Against points and lines
// (round shapes) and other sheets that is the side of the nearest points. Against a solid it is that of the outward
// normal of the solid at its point nearest to the middle of the face, or of its own middle where that normal lies in
// the plane of the face (side_of). Faces of solids have no middle: there the normals of the solid at the corner or edge
// decide, and what is deeper than both are thick counts only where the middle of one lies in front of the other, or a
// sheet under a thin plate would touch its upper side. The rim of a sheet is out in every direction away from the
// sheet.
//
// Corner on corner. Of two surfaces whose meshes lie exactly on each other, as of equal bodies in a stack, all corners
// are over corners and all edges along edges: no corner is over the inside of a face, and no edges cross. So where a
// place is at a border, to kAtEnd, it is there if it were with one face moved aside the other (kAside), all of a pair
// of surfaces the same way: each corner then is over one face and edges cross once, as if one body had been put down a
// hair beside the other.
//
// Round shapes are a core and a radius. Of a cylinder's cap kRimCorners points are corners, and the one that is nearest
// to the face; edges meet its rim itself.
//
// Limits: as in narrow_phase.hpp, an open contact is a half space for the step. Corners against edges and corners of
// other shapes are left to the edges next to them. The middle of a face under a round shape is one point, so a soft
// face far larger than what rolls on it gives one contact. The side of a sheet is chosen anew in every step: what
// overlaps by more than both are thick may come out on the other.

#include "physics/collision/narrow_phase/core.hpp"
#include "physics/collision/narrow_phase/face_pair.hpp"
#include "physics/collision/narrow_phase/rim_contact.hpp"
#include "physics/collision/narrow_phase/sphere_convex.hpp"

namespace clarke {

/// On which side of its normal a face is out (+1, −1), where p is on the other side of a contact.
KOKKOS_INLINE_FUNCTION double side_towards(const Face& f, const Vec3& p) {
  return f.two_sided && dot(f.normal, p - f.corner[0]) < 0 ? -1.0 : 1.0;
}

/// The same towards a solid whose outward normal is n at its point nearest to the middle of the face.
KOKKOS_INLINE_FUNCTION double side_of(const FacePair& pair, const Vec3& n) {
  const double facing = dot(pair.face.normal, n);
  if (!pair.face.two_sided || facing < -kFacing) return 1;
  return facing > kFacing ? -1.0 : side_towards(pair.face, pair.other.x);
}

/// Overlap up to which the pair touches with normal n [m]. A sheet and a face of a solid, of which neither middle is in
/// front of the other: no more than both are thick.
KOKKOS_INLINE_FUNCTION double overlap_limit(const FacePair& pair, const Vec3& n) {
  if (!pair.facing || pair.face.two_sided == pair.facing->two_sided) return pair.depth;
  const double to_b = dot(pair.face.normal, pair.other.x - pair.face.corner[0]),
               to_a = -dot(pair.facing->normal, pair.other.x + pair.facing->corner[0]);
  const bool sheet_a = pair.face.two_sided,
             back = sheet_a ? dot(n, pair.face.normal) > 0 : dot(n, pair.facing->normal) < 0;
  const double sheet = sheet_a ? to_b : to_a, solid = sheet_a ? to_a : to_b, thick = pair.m.radii();
  return solid > -thick || (back ? -sheet : sheet) > -thick || thick > pair.depth ? pair.depth : thick;
}

/// Edge k of a face as what another face meets, `at` [m] the middle of its triangle.
KOKKOS_INLINE_FUNCTION MeetingEdge edge_of(const Face& f, int k, const Vec3& at) {
  const Vec3 along = f.corner[(k + 1) % 3] - f.corner[k];
  if (f.two_sided && f.border[k])
    return {at + f.corner[k], along, f.normal, normalized(cross(along, f.normal)), EdgeOf::rim};
  return {at + f.corner[k], along, f.normal, f.beyond[k], f.two_sided ? EdgeOf::sheet : EdgeOf::solid};
}

/// Whether the unit vector d points out of edge e. `side`: of a sheet, the one that counts (+1, −1), or 0 for either.
KOKKOS_INLINE_FUNCTION bool points_out(const Vec3& d, const MeetingEdge& e, double side) {
  if (e.of == EdgeOf::line) return true;
  if (e.of == EdgeOf::rim) {
    const double slack = -std::sin(kBeyondArc);
    return dot(d, e.right) >= slack && side * dot(d, e.left) >= (side == 0 ? 0.0 : slack);
  }
  const bool back = e.of == EdgeOf::sheet && (side == 0 ? dot(d, e.left + e.right) < 0 : side < 0);
  return between_normals(back ? -d : d, e.left, e.right, kBeyondArc);
}

/// Overlap up to which edge e touches with normal n [m]: into its rim a sheet is no deeper than thick.
KOKKOS_INLINE_FUNCTION double rim_limit(const FacePair& pair, const MeetingEdge& e, const Vec3& n) {
  constexpr double kAcross = 0.7;  // cos of 45°: n is rather across the sheet than in its plane
  return e.of == EdgeOf::rim && std::fabs(dot(n, e.left)) < kAcross ? pair.m.radii() : pair.depth;
}

/// Whether nothing bends at the edge by `sharp` [rad] or more. What lies flat on something flat has its smallest gaps
/// at corners of what they share: its own corners, and where two rims cross.
KOKKOS_INLINE_FUNCTION bool is_flat(const MeetingEdge& e, double sharp) {
  return e.of == EdgeOf::rim || (e.of != EdgeOf::line && dot(e.left, e.right) > std::cos(sharp));
}

/// Point p of side b over the inside of the face, on this side of it (+1, −1).
KOKKOS_INLINE_FUNCTION void point_on_face(const FacePair& pair, const Vec3& p, double side, std::uint32_t feature) {
  const Face& f = pair.face;
  const Vec3 n = side * f.normal;
  const double d = dot(n, p - f.corner[0]);
  if (d >= pair.limit || d <= -overlap_limit(pair, -n) || norm2(f.normal) == 0) return;
  if (!(pair.facing ? foot_is_inside(f.corner, p, pair.aside) : foot_is_own(f, barycentric(f.corner, p)))) return;
  pair.add(p - d * n, p, -n, feature);
}

/// Edge k of the face across an edge of side b. `side` as of points_out(), of the face.
KOKKOS_INLINE_FUNCTION void edge_across(const FacePair& pair, int k, const MeetingEdge& b, double side,
                                        std::uint32_t feature) {
  constexpr double kParallel2 = 1e-6;  // squared sine: within 0.06° the ends say it all
  const Face& f = pair.face;
  const Vec3 ea = f.corner[(k + 1) % 3] - f.corner[k], from = f.corner[k] - b.start, c = cross(ea, b.along);
  const double aa = norm2(ea), bb = norm2(b.along), cc = norm2(c);
  if (cc <= kParallel2 * aa * bb) return;
  double s = dot(cross(b.along, from), c) / cc, t = dot(cross(ea, from), c) / cc;
  const double inside = least_share(s, t);
  const bool at_border = pair.facing && std::fabs(inside) <= kAtEnd;
  if (at_border) {
    const Vec3 moved = from - pair.aside;
    if (!(least_share(dot(cross(b.along, moved), c) / cc, dot(cross(ea, moved), c) / cc) > 0)) return;
    s = std::fmin(1.0, std::fmax(0.0, s));
    t = std::fmin(1.0, std::fmax(0.0, t));
  } else if (!(inside >= kAtEnd)) {
    return;
  }
  const Vec3 on_a = f.corner[k] + s * ea, on_b = b.start + t * b.along;
  const MeetingEdge own = edge_of(f, k, {});
  Vec3 n = c / std::sqrt(cc);
  if (own.of == EdgeOf::solid) {  // into the face
    if (dot(n, own.left + own.right) > 0) n = -n;
  } else if (b.of == EdgeOf::solid) {  // out of the other
    if (dot(n, b.left + b.right) < 0) n = -n;
  } else if (dot(n, on_a - on_b) < 0) {
    n = -n;
  }
  const double d = dot(n, on_a - on_b);
  const double overlap = std::fmin(overlap_limit(pair, n), std::fmin(rim_limit(pair, own, n), rim_limit(pair, b, n)));
  if (d >= pair.limit || d <= -overlap) return;
  if (!points_out(-n, own, side) || !points_out(n, b, 0)) return;
  // At a border the corner there says it all where one of them is within something flat.
  const bool flat = is_flat(own, pair.sharp), flat_b = is_flat(b, pair.sharp);
  const bool within = (flat && own.of != EdgeOf::rim) || (flat_b && b.of != EdgeOf::rim);
  if (within && (at_border || (flat && flat_b))) return;
  pair.add(on_a, on_b, n, feature);
}

KOKKOS_INLINE_FUNCTION void edges_across(const FacePair& pair, const MeetingEdge& b, double side, int number) {
  if (norm2(pair.face.normal) == 0) return;
  for (int k = 0; k < 3; ++k)
    if (pair.face.owns_edge[k]) edge_across(pair, k, b, side, feature_key(FeatureKind::edge_edge, k, number));
}

/// The corners of the face that it owns against a shape, each at most once. `nearest`(p) is in the frame of the shape.
template <class Nearest>
KOKKOS_INLINE_FUNCTION void corners_on(const FacePair& pair, const Nearest& nearest) {
  for (int k = 0; k < 3; ++k) {
    if (!pair.face.owns_corner[k]) continue;
    const Vec3& p = pair.face.corner[k];
    const SurfacePoint s = nearest(rotate_inverse(pair.other.q, p - pair.other.x));
    if (s.distance >= pair.limit) continue;
    const Vec3 n = rotate(pair.other.q, s.normal);
    pair.m.add(p, s.point, n, feature_key(FeatureKind::vertex_face, k, 0));
  }
}

struct NearestOnPlane {
  PlaneShape plane;
  KOKKOS_INLINE_FUNCTION SurfacePoint operator()(const Vec3& p) const {
    const double d = dot(plane.normal, p) - plane.offset;
    return {p - d * plane.normal, plane.normal, d};
  }
};
/// A point or, with an axis, a segment. A point exactly on it has no direction: `instead` is taken.
struct NearestOnAxis {
  Vec3 axis, instead;
  KOKKOS_INLINE_FUNCTION SurfacePoint operator()(const Vec3& p) const {
    const Vec3 q = norm2(axis) > 0 ? closest_on_segment(-axis, axis, p) : Vec3{};
    const double d = norm(p - q);
    return {q, d > 0 ? (p - q) / d : instead, d};
  }
};
struct NearestOnCylinder {
  Vec3 axis;
  double radius;
  KOKKOS_INLINE_FUNCTION SurfacePoint operator()(const Vec3& p) const {
    const CylinderPoint c = closest_on_cylinder(axis, radius, p);
    return {c.point, c.normal, c.distance};
  }
};

KOKKOS_INLINE_FUNCTION void face_plane(const FacePair& pair, const PlaneShape& plane) {
  corners_on(pair, NearestOnPlane{plane});
}

/// The nearest point to c of a convex shape; of its faces that are as near as that to kEqualDistance, which a corner on
/// its edge has two of, the one that a surface which looks along `out` looks at. In the frame of the shape.
KOKKOS_INLINE_FUNCTION SurfacePoint closest_facing(const ConvexShape& shape, const Vec3& c, const Vec3& out) {
  const double equal = kEqualDistance * shape.radius;
  SurfacePoint best = closest_on_convex(shape, c);
  if (best.distance > equal) return best;
  double highest = -shape.radius;
  for (int f = 0; f < shape.faces; ++f) highest = std::fmax(highest, dot(shape.normal[f], c) - shape.offset[f]);
  double facing = dot(best.normal, out);
  for (int f = 0; f < shape.faces; ++f) {
    const Vec3& n = shape.normal[f];
    const double d = dot(n, c) - shape.offset[f];
    if (d < highest - equal || !(dot(n, out) < facing)) continue;
    facing = dot(n, out);
    best = {c - d * n, n, d};
  }
  return best;
}

KOKKOS_INLINE_FUNCTION void face_convex(const FacePair& pair, const ConvexShape& shape) {
  const Pose& at = pair.other;
  const double side = pair.face.two_sided
                          ? side_of(pair, rotate(at.q, closest_on_convex(shape, -rotate_inverse(at.q, at.x)).normal))
                          : 1.0;
  const Vec3 n = side * pair.face.normal, towards = -rotate_inverse(at.q, n);
  for (int k = 0; k < 3; ++k) {
    if (!pair.face.owns_corner[k]) continue;
    const Vec3 &p = pair.face.corner[k], &out = pair.face.two_sided ? n : pair.face.around[k];
    const SurfacePoint s = closest_facing(shape, rotate_inverse(at.q, p - at.x), rotate_inverse(at.q, out));
    if (s.distance < pair.limit)
      pair.m.add(p, s.point, rotate(at.q, s.normal), feature_key(FeatureKind::vertex_face, k, 0));
  }
  for (int f = 0; f < shape.faces; ++f) {
    if (dot(shape.normal[f], towards) < kFacing) continue;
    for (int k = 0; k < shape.face_vertices(f); ++k) {
      const int v = shape.loop[shape.loop_begin[f] + k];
      const std::uint32_t feature = feature_key(FeatureKind::face_vertex, 0, v);
      if (!pair.m.has(feature)) point_on_face(pair, at.x + rotate(at.q, shape.vertex[v]), side, feature);
    }
  }
  for (int e = 0; e < shape.edges; ++e) {
    const ConvexEdge& edge = shape.edge[e];
    const Vec3 start = at.x + rotate(at.q, shape.vertex[edge.v0]),
               along = rotate(at.q, shape.vertex[edge.v1] - shape.vertex[edge.v0]);
    // Most edges are far from most faces.
    const double h0 = dot(n, start - pair.face.corner[0]), h1 = h0 + dot(n, along);
    if ((h0 > pair.limit && h1 > pair.limit) || (h0 < -pair.depth && h1 < -pair.depth)) continue;
    edges_across(
        pair,
        {start, along, rotate(at.q, shape.normal[edge.left]), rotate(at.q, shape.normal[edge.right]), EdgeOf::solid},
        side, e);
  }
}

/// Sphere (axis zero) or capsule. The nearest points of core and face where they are inside the face or an edge.
KOKKOS_INLINE_FUNCTION void face_capsule(const FacePair& pair, const Vec3& axis) {
  const Vec3 inwards = -rotate_inverse(pair.other.q, pair.face.normal);
  corners_on(pair, NearestOnAxis{axis, inwards});
  const Vec3 half = rotate(pair.other.q, axis);
  const bool line = norm2(axis) > 0;
  for (int end = 0; end < (line ? 2 : 1); ++end) {
    const Vec3 c = end == 0 ? pair.other.x - half : pair.other.x + half;
    point_on_face(pair, c, side_towards(pair.face, c), feature_key(FeatureKind::face_vertex, 0, end));
  }
  if (norm2(pair.face.normal) == 0) return;
  if (line) edges_across(pair, {pair.other.x - half, 2.0 * half, {}, {}, EdgeOf::line}, 0, 0);
  for (int k = 0; k < 3; ++k) {  // the ends over edges that bend outwards, and over rims
    if (!pair.face.owns_edge[k]) continue;
    const MeetingEdge edge = edge_of(pair.face, k, {});
    const Vec3 &p = edge.start, &e = edge.along;
    for (int end = 0; end < (line ? 2 : 1); ++end) {
      const Vec3 c = end == 0 ? pair.other.x - half : pair.other.x + half;
      const double s = dot(c - p, e) / norm2(e);
      if (!(s > kAtEnd && s < 1 - kAtEnd)) continue;
      const Vec3 q = p + s * e, off = c - q;
      const double d = norm(off);
      if (!(d > 0) || d >= pair.limit) continue;
      if (edge.of == EdgeOf::rim) {
        if (dot(off, edge.right) <= 0) continue;
      } else {
        const double side = edge.of == EdgeOf::sheet && dot(off, edge.left + edge.right) < 0 ? -1.0 : 1.0;
        if (side * dot(cross(edge.left, edge.right), e) <= 0) continue;
        if (!between_normals((side / d) * off, edge.left, edge.right, 0)) continue;
      }
      pair.add(q, c, -off / d, feature_key(FeatureKind::edge_edge, k, 1 + end));
    }
  }
}

/// Edge k of the face across a rim of a cylinder: where both tangents are across the way from one to the other, the rim
/// is there its tangent. Sought from the middles of the kRimCorners parts of the rim, and named after the part, from
/// `first_name` on.
KOKKOS_INLINE_FUNCTION void edge_across_rim(const FacePair& pair, int k, const CoreCurve& rim, const Vec3& cap,
                                            double side, int first_name) {
  const Vec3 start = pair.face.corner[k], along = pair.face.corner[(k + 1) % 3] - start;
  const CoreCurve edge{CoreCurve::Kind::line, start, along, {}, 0};
  const double radius = norm(rim.e1), near = std::fmax(pair.limit, pair.depth) + kRimTurn * radius;
  for (int i = 0; i < kRimCorners; ++i) {
    double t = kRimTurn * (i + 0.5), s = edge.nearest(rim.at(t));
    if (norm(rim.at(t) - edge.at(s < 0 ? 0 : (s > 1 ? 1 : s))) > near) continue;
    if (!meet_at_right_angles(edge, rim, radius + norm(along), s, t)) continue;
    const double turns = t / (kRimTurn * kRimCorners);
    const int part = static_cast<int>((turns - std::floor(turns)) * kRimCorners) % kRimCorners;
    const std::uint32_t feature = feature_key(FeatureKind::edge_edge, k, first_name + part);
    if (pair.m.has(feature)) continue;
    const Vec3 at = rim.at(t), tangent = kRimTurn * rim.tangent(t);
    edge_across(pair, k, {at - 0.5 * tangent, tangent, cap, (at - rim.start) / radius, EdgeOf::solid}, side, feature);
  }
}

/// Edge k of the face across the side of a cylinder, which is there the line that is nearest to the edge.
KOKKOS_INLINE_FUNCTION void edge_across_side(const FacePair& pair, int k, const Vec3& half, double radius,
                                             double side) {
  const MeetingEdge own = edge_of(pair.face, k, {});
  Vec3 n = normalized(cross(own.along, half));
  if (norm2(n) == 0) return;
  const Vec3 into = own.of == EdgeOf::solid ? -(own.left + own.right) : own.start - pair.other.x;
  if (dot(n, into) < 0) n = -n;
  edge_across(pair, k, {pair.other.x - half + radius * n, 2.0 * half, n, n, EdgeOf::solid}, side,
              feature_key(FeatureKind::edge_edge, k, 0));
}

/// Cylinder: the ends of the line of its side that is nearest to the face, which are the deepest points of its rims,
/// corners of the cap that looks at the face, and for each edge the line of the side and the rim that meet it: an edge
/// belongs to one face, and what it meets may look at the other.
KOKKOS_INLINE_FUNCTION void face_cylinder(const FacePair& pair, const Vec3& axis, double radius) {
  corners_on(pair, NearestOnCylinder{axis, radius});
  const Quat& q = pair.other.q;
  const double side =
      pair.face.two_sided
          ? side_of(pair, rotate(q, closest_on_cylinder(axis, radius, -rotate_inverse(q, pair.other.x)).normal))
          : 1.0;
  const Vec3 half = rotate(q, axis), u = normalized(half), towards = -side * pair.face.normal;
  double length;
  const Vec3 out = across(towards, u, length);
  if (length > kAtEnd) {
    const Vec3 start = pair.other.x - half + (radius / length) * out;
    point_on_face(pair, start, side, feature_key(FeatureKind::face_vertex, 0, 0));
    point_on_face(pair, start + 2.0 * half, side, feature_key(FeatureKind::face_vertex, 0, 1));
  }
  Vec3 t1, t2;
  tangent_frame(rotate(q, normalized(axis)), t1, t2);
  for (int end = 0; end < 2; ++end) {
    const Vec3 cap = end == 0 ? -u : u;
    const double looks = dot(towards, cap);
    const CoreCurve rim{CoreCurve::Kind::rim, pair.other.x + (end == 0 ? -half : half), radius * t1, radius * t2, 0};
    for (int i = 0; looks >= kFacing && i < kRimCorners; ++i)
      point_on_face(pair, rim.at(kRimTurn * i), side, feature_key(FeatureKind::face_vertex, 0, 2 + i));
    for (int k = 0; looks > -kFacing && k < 3; ++k)
      if (pair.face.owns_edge[k]) edge_across_rim(pair, k, rim, cap, side, 1 + end * kRimCorners);
  }
  for (int k = 0; k < 3; ++k)
    if (pair.face.owns_edge[k]) edge_across_side(pair, k, half, radius, side);
}

/// Another face, of a mesh that does not deform or of a deforming surface: pair.facing.
KOKKOS_INLINE_FUNCTION void face_face(const FacePair& pair) {
  const Face &face = pair.face, &other = *pair.facing;
  if (norm2(face.normal) == 0 || norm2(other.normal) == 0) return;
  const Vec3 at = pair.other.x;
  for (int k = 0; k < 3; ++k) {
    if (!face.owns_corner[k]) continue;
    const Vec3 p = face.corner[k] - at;
    const double facing = dot(face.around[k], other.normal);
    if (!face.two_sided && (other.two_sided ? facing == 0 : facing >= 0)) continue;
    const double side = !face.two_sided && other.two_sided ? (facing > 0 ? -1.0 : 1.0) : side_towards(other, p);
    const Vec3 n = side * other.normal;
    const double d = dot(n, p - other.corner[0]);
    if (d >= pair.limit || d <= -overlap_limit(pair, n)) continue;
    if (!foot_is_inside(other.corner, p, -pair.aside)) continue;
    pair.add(face.corner[k], face.corner[k] - d * n, n, feature_key(FeatureKind::vertex_face, k, 0));
  }
  for (int k = 0; k < 3; ++k) {
    if (!other.owns_corner[k]) continue;
    const Vec3 p = at + other.corner[k];
    double side = 1;
    if (other.two_sided) {
      side = side_towards(face, p);
    } else {
      const double facing = dot(other.around[k], face.normal);
      if (face.two_sided ? facing == 0 : facing >= 0) continue;
      if (facing > 0) side = -1;
    }
    point_on_face(pair, p, side, feature_key(FeatureKind::face_vertex, 0, k));
  }
  for (int k = 0; k < 3; ++k)
    if (other.owns_edge[k]) edges_across(pair, edge_of(other, k, at), 0, k);
}

}  // namespace clarke
