#pragma once
// Deforming surfaces as colliders: where their faces are, how fast, and what touches them [docs/theory.md, eq. N6].
//
// A face is a triangle of three particles. Unlike other colliders it has no pose: its corners, middle, normal, area and
// reach are made from the particles at the start of every step, in the world frame. A point of it is Σ_k w_k x_k with
// the barycentric coordinates w of where the contact was found, fixed in the step. Its velocity is Σ_k w_k v_k, so an
// impulse p acts on node k with w_k p: forces and moments about any point are those of p at that point.
//
// The thickness t of a surface belongs to the other side of a contact, whose ρ grows by it: friction acts where both
// sides can take it, in the middle of the shell, and no moment is lost. Between two deforming surfaces it is in the gap
// only.
//
// A surface of two sides, a sheet, is thick to both sides; its triangles look to either side, alike over their edges
// where that can be.
//
// Limit: shells turn no contact by their own rotation (nodes have none), so what rolls on a thick sheet rolls on its
// middle.

#include "physics/collision/contact_set.hpp"
#include "physics/collision/narrow_phase.hpp"
#include "physics/collision/narrow_phase/faces.hpp"

#include <array>
#include <vector>

namespace clarke {

/// Per triangle: those beyond edges 0 to 2, −1 at a border or where more than two meet; the lowest at corners 0 to 2.
std::vector<std::array<int, 6>> face_neighbours(const std::vector<std::array<int, 3>>& triangles);

/// Corners, middle, normal, reach and velocities of all faces of deforming surfaces of `shapes`.
void refresh_soft_faces(const ShapeSet& shapes, const Entities& entities, const State& state);

KOKKOS_INLINE_FUNCTION bool is_soft(const ShapeSet& s, int c) { return c >= s.soft_begin; }

/// Pose to which the frame of collider c belongs: that of its entity; the world's for a soft face.
KOKKOS_INLINE_FUNCTION Pose owner_pose(const ShapeSet& s, int c, const Entities& all, const View<Vec3>& x,
                                       const View<Quat>& orientation) {
  if (is_soft(s, c)) return {{}, Quat{}};
  return pose_of(s.entity(c), all.bodies, x, orientation);
}

KOKKOS_INLINE_FUNCTION Twist owner_twist(const ShapeSet& s, int c, const Entities& all, const View<Vec3>& u) {
  if (is_soft(s, c)) return {s.soft_velocity(c - s.soft_begin), {}};
  return twist_of(s.entity(c), all.block_of, all.prescribed, u);
}

/// Largest speed of a point of collider c beside that of its origin [m/s].
KOKKOS_INLINE_FUNCTION double own_spread(const ShapeSet& s, int c, const Twist& twist) {
  if (is_soft(s, c)) return s.soft_spread(c - s.soft_begin);
  return norm(twist.w) * collider_reach(s, c);
}

KOKKOS_INLINE_FUNCTION bool collider_can_move(const ShapeSet& s, int c, const View<EntityBlocks>& block_of) {
  if (!is_soft(s, c)) return block_of(s.entity(c)).v >= 0;
  for (const int node : s.soft_node(c - s.soft_begin).node)
    if (block_of(node).v >= 0) return true;
  return false;
}

/// Whether two soft faces have a corner in common.
KOKKOS_INLINE_FUNCTION bool share_corner(const ShapeSet& s, int i, int j) {
  for (const int a : s.soft_node(i - s.soft_begin).node)
    for (const int b : s.soft_node(j - s.soft_begin).node)
      if (a == b) return true;
  return false;
}

/// The normals of the surface around corner k of triangle t, summed, in its own axes.
KOKKOS_INLINE_FUNCTION Vec3 normals_around(const ShapeSet& s, int t, int k) {
  constexpr int kMost = 32;  // triangles at a corner
  Vec3 sum = s.face_normal(s.face_begin(t));
  for (int way = 0; way < 2; ++way) {
    int at = t, corner = k;
    for (int step = 0; step < kMost; ++step) {
      const int edge = way == 0 ? (corner + 2) % 3 : corner, next = s.neighbour(s.neighbour_begin(at) + edge);
      if (next == t) return sum;  // once around
      if (next < 0) break;
      int back = 0;
      while (back < 2 && s.neighbour(s.neighbour_begin(next) + back) != at) ++back;
      corner = way == 0 ? back : (back + 1) % 3;
      at = next;
      sum += s.face_normal(s.face_begin(at));
    }
  }
  return sum;
}

/// Triangle c with axes turned by q, about the middle of its corners. `around`: with the normals around its corners,
/// which only one-sided ones have.
KOKKOS_INLINE_FUNCTION Face face_of(const ShapeSet& s, int c, const Quat& q, bool around) {
  Face f;
  const int v = s.vertex_begin(c), n = s.neighbour_begin(c);
  f.normal = rotate(q, s.face_normal(s.face_begin(c)));
  f.reach = s.radius(c);
  f.two_sided = is_soft(s, c) && s.soft_node(c - s.soft_begin).two_sided;
  for (int k = 0; k < 3; ++k) {
    const int beyond = s.neighbour(n + k);
    f.corner[k] = rotate(q, s.vertex(v + k));
    f.beyond[k] = beyond < 0 ? f.normal : rotate(q, s.face_normal(s.face_begin(beyond)));
    f.around[k] = around && !f.two_sided ? rotate(q, normals_around(s, c, k)) : Vec3{};
    f.owns_edge[k] = beyond < 0 || beyond > c;
    f.owns_corner[k] = s.neighbour(n + 3 + k) == c;
    f.border[k] = beyond < 0;
  }
  return f;
}

/// Most points that face a and collider b have.
KOKKOS_INLINE_FUNCTION int face_capacity(const ShapeSet& s, int b) {
  switch (s.kind(b)) {
    case ShapeKind::none:
      break;
    case ShapeKind::plane:
      return 3;
    case ShapeKind::sphere:
      return 3 + 1 + 3;
    case ShapeKind::capsule:
      return 3 + 2 + 9;
    case ShapeKind::cylinder:
      return 3 + 2 + 3 + kRimCorners + 6;
    case ShapeKind::triangle:
      return 3 + 3 + 9;
    case ShapeKind::convex:  // a convex face lies on the triangle, and the one beside it is within the margin
      return 3 + 2 * s.largest_face(b) + 12;
  }
  return 0;
}

/// Points of the soft face a.collider and another collider with a gap below `margin` [m] into `m`, in ascending order
/// of feature; edges that bend by less than `sharp` [rad] on both sides are left out. m has normals of its own per
/// point; point_a is about the middle of the face.
KOKKOS_INLINE_FUNCTION void find_face_contacts(const ShapeSet& s, const PlacedShape& a, const PlacedShape& b,
                                               double margin, double sharp, Manifold& m) {
  m.count = 0;
  m.radius_a = s.thickness(a.collider);
  m.radius_b = contact_radius(s, b.collider);
  if (m.capacity == 0) return;
  const ShapeKind kind = s.kind(b.collider);
  const bool faces = kind == ShapeKind::triangle;
  const Face face = face_of(s, a.collider, Quat{}, faces || kind == ShapeKind::convex),
             facing = faces ? face_of(s, b.collider, b.pose.q, true) : Face{};
  const double reach = s.radius(b.collider) < face.reach ? s.radius(b.collider) : face.reach;
  const FacePair pair{face,
                      {b.pose.x - a.pose.x, b.pose.q},
                      margin + m.radii(),
                      faces ? kShell * reach : face.reach,
                      m,
                      faces ? &facing : nullptr,
                      sharp,
                      faces ? (kMovedAside * (s.radius(b.collider) + face.reach)) * kAside : Vec3{}};
  if (kind == ShapeKind::plane) {
    face_plane(pair, s.plane(b.collider));
  } else if (kind == ShapeKind::triangle) {
    face_face(pair);
  } else if (kind == ShapeKind::convex) {
    face_convex(pair, convex_shape(s, b.collider));
  } else if (kind == ShapeKind::cylinder) {
    face_cylinder(pair, s.axis(b.collider), s.axis_radius(b.collider));
  } else {
    face_capsule(pair, kind == ShapeKind::sphere ? Vec3{} : s.axis(b.collider));
  }
  for (int i = 1; i < m.count; ++i) {
    const ManifoldPoint p = m.points[i];
    const Vec3 n = m.normals[i];
    int k = i;
    for (; k > 0 && m.points[k - 1].feature > p.feature; --k) {
      m.points[k] = m.points[k - 1];
      m.normals[k] = m.normals[k - 1];
    }
    m.points[k] = p;
    m.normals[k] = n;
  }
}

/// The place of a point p of soft face c, given about its middle. Corners with a weight below kAtEnd² are left out.
KOKKOS_INLINE_FUNCTION BarycentricPoint barycentric_point(const ShapeSet& s, int c, const Vec3& p) {
  constexpr double kNothing = kAtEnd * kAtEnd;
  const int v = s.vertex_begin(c);
  const FaceNodes& nodes = s.soft_node(c - s.soft_begin);
  for (int k = 0; k < 3; ++k)  // at a corner, whatever the triangle is like
    if (norm2(p - s.vertex(v + k)) == 0) return {{nodes.node[k], -1, -1}, {1, 0, 0}};
  const Vec3 corner[3] = {s.vertex(v), s.vertex(v + 1), s.vertex(v + 2)};
  const Vec3 w = barycentric(corner, p);
  BarycentricPoint place;
  double sum = 0;
  int count = 0;
  for (int k = 0; k < 3; ++k) {
    if (!(w[k] > kNothing)) continue;
    place.node[count] = nodes.node[k];
    place.weight[count++] = w[k];
    sum += w[k];
  }
  for (int k = 0; k < count; ++k) place.weight[k] /= sum;
  return place;
}

KOKKOS_INLINE_FUNCTION bool barycentric_point_can_move(const BarycentricPoint& place,
                                                       const View<EntityBlocks>& block_of) {
  for (int k = 0; k < 3 && place.node[k] >= 0; ++k)
    if (block_of(place.node[k]).v >= 0) return true;
  return false;
}

/// Takes out of m the points of face a and collider b of which neither side can move.
KOKKOS_INLINE_FUNCTION void keep_movable(const ShapeSet& s, int a, int b, const View<EntityBlocks>& block_of,
                                         Manifold& m) {
  if (!is_soft(s, b) && collider_can_move(s, b, block_of)) return;
  int kept = 0;
  for (int i = 0; i < m.count; ++i) {
    if (!barycentric_point_can_move(barycentric_point(s, a, m.points[i].point_a), block_of) &&
        !(is_soft(s, b) && barycentric_point_can_move(barycentric_point(s, b, m.points[i].point_b), block_of)))
      continue;
    m.points[kept] = m.points[i];
    m.normals[kept++] = m.normals[i];
  }
  m.count = kept;
}

}  // namespace clarke
