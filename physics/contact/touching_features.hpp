#pragma once
// What a contact touches with, as the shapes at its poses tell: so that its normal and its place follow these features
// wherever the bodies turn to (turning_normal.hpp) [docs/theory.md, eq. V7a].
//
//   n is that of a plane, of a face or of a cap     the other side: of a cylinder its circle at that height, if the point
//                                                   is the lowest of it; of anything else its point
//   else the curves that are nearest with that normal and that gap (rim_contact.hpp)
//
// Nothing where no curves have this normal: edges that are parallel, corners of polyhedra that touch, a cylinder upright
// on an edge.

#include "physics/collision/narrow_phase.hpp"
#include "physics/contact/turning_normal.hpp"

namespace clarke {

/// One side: its collider, its pose, the point of the contact in the frame of the body, ρ.
struct PlacedSide {
  int collider;
  Pose pose;
  Vec3 point;
  double radius;
};

/// Whether the collider, a plane or a core without ρ, has a face with the outward normal n.
KOKKOS_INLINE_FUNCTION bool has_face(ShapeKind kind, const PlaneShape& plane, const PlacedCore& core, const Quat& q,
                                     const Vec3& n) {
  constexpr double kSame = 1e-9;  // [rad] normals of one face are found to rounding
  if (kind == ShapeKind::plane) return norm(rotate(q, plane.normal) - n) < kSame;
  if (kind == ShapeKind::cylinder) return norm(core.u - n) < kSame || norm(core.u + n) < kSame;
  if (kind == ShapeKind::convex || kind == ShapeKind::triangle)
    for (int f = 0; f < core.core.hull.faces; ++f)
      if (norm(core.face_normal(f) - n) < kSame) return true;
  return false;
}

/// The circle of a cylinder at the height of p, from the origin of the body, if p is its farthest point along `out`;
/// none of anything else.
KOKKOS_INLINE_FUNCTION CoreCurve circle_through(const PlacedCore& c, const Vec3& p, const Vec3& out) {
  constexpr double kLean = 0.05;    // sine between axis and normal
  constexpr double kLowest = 1e-6;  // of the radius
  if (!c.is(CoreKind::cylinder)) return {};
  double slope;
  const Vec3 m = across(out, c.u, slope);
  const Vec3 foot = c.x + dot(p - c.x, c.u) * c.u;
  const double r = c.core.axis_radius;
  if (slope < kLean || norm(p - foot - (r / slope) * m) > kLowest * r) return {};
  Vec3 t1, t2;
  tangent_frame(c.u, t1, t2);
  return {CurveKind::rim, foot, r * t1, r * t2, 0};
}

/// The curve in the frame of a body at orientation q, of one in world axes from its origin.
KOKKOS_INLINE_FUNCTION CoreCurve in_body(const CoreCurve& c, const Quat& q) {
  return {c.kind, rotate_inverse(q, c.start), rotate_inverse(q, c.e1), rotate_inverse(q, c.e2), c.around};
}

/// A side that touches at `at` of its curve, world axes from the origin of the body; `out` its outward normal.
KOKKOS_INLINE_FUNCTION TouchingSide touching_side(const CoreCurve& curve, const PlacedSide& side, const Vec3& at,
                                                  const Vec3& out) {
  const Quat& q = side.pose.q;
  const Vec3 surface = at + (curve.around + side.radius) * out;
  TouchingSide t{in_body(curve, q), surface, side.point, {}};
  if (curve.kind == CurveKind::rim) t.turns = t.curve.start;
  if (curve.around > 0) t.turns = rotate_inverse(q, at);
  t.stays = surface - rotate(q, t.turns);
  return t;
}

/// Of the contact of sides a and b along n, from b to a; with nothing where it is of none of these.
KOKKOS_INLINE_FUNCTION TurningNormal touching_features(const ShapeSet& s, const PlacedSide& a, const PlacedSide& b,
                                                       const Vec3& n) {
  constexpr double kSameNormal = 1e-6, kSameGap = 1e-9, kUndecided = 1e-6;  // [rad]; of the size; sine and distance
  const ShapeKind ka = s.kind(a.collider), kb = s.kind(b.collider);
  const Vec3 shift = b.pose.x - a.pose.x, pa = rotate(a.pose.q, a.point), pb = rotate(b.pose.q, b.point);
  const PlacedCore core_a = place(convex_core(s, a.collider), a.pose.q, rotate(a.pose.q, s.centre(a.collider)));
  const PlacedCore core_b = place(convex_core(s, b.collider), b.pose.q, shift + rotate(b.pose.q, s.centre(b.collider)));
  TurningNormal out;
  out.found = n;
  out.size = core_a.reach + core_b.reach + a.radius + b.radius;
  const bool face_b = has_face(kb, s.plane(b.collider), core_b, b.pose.q, n),
             face_a = !face_b && has_face(ka, s.plane(a.collider), core_a, a.pose.q, -n);
  if (face_a || face_b) {
    CoreCurve on_a, on_b;
    if (face_b && ka != ShapeKind::plane) on_a = circle_through(core_a, pa, -n);
    if (face_a && kb != ShapeKind::plane) on_b = circle_through(core_b, shift + pb, n);
    on_b.start = on_b.start - shift;
    out.with = face_a ? TurnsWith::a : TurnsWith::b;
    out.face = rotate_inverse(face_a ? a.pose.q : b.pose.q, n);
    out.side_a = touching_side(on_a, a, pa, -n);
    out.side_b = touching_side(on_b, b, pb, n);
    return out;
  }
  if (ka == ShapeKind::plane || kb == ShapeKind::plane) return {};
  const double gap = dot(n, pa - pb - shift);
  for (int choice = 0; choice < 4; ++choice) {
    const CoreCurve on_a = touching_curve(core_a, pa, -n, choice >> 1);
    CoreCurve on_b = touching_curve(core_b, shift + pb, n, choice & 1);
    if (on_a.kind == CurveKind::none || on_b.kind == CurveKind::none) continue;
    double u = on_a.nearest(pa), v = on_b.nearest(shift + pb);
    if (!meet_at_right_angles(on_a, on_b, out.size, u, v)) continue;
    const Vec3 x = on_a.at(u), y = on_b.at(v), d = x - y, m = cross(on_a.tangent(u), on_b.tangent(v));
    const double far = norm(d) / out.size,
                 sine = on_a.moves() && on_b.moves() ? norm(m) / (norm(on_a.tangent(u)) * norm(on_b.tangent(v))) : 0;
    if (far < kUndecided && sine < kUndecided) continue;
    Vec3 along = normalized(far > sine ? d : m);
    if (dot(along, n) < 0) along = -along;
    const double distance = dot(along, d) - on_a.around - on_b.around;
    if (norm(along - n) > kSameNormal || std::fabs(distance - gap) > kSameGap * out.size) continue;
    on_b.start = on_b.start - shift;
    out.with = TurnsWith::curves;
    out.side_a = touching_side(on_a, a, x, -n);
    out.side_b = touching_side(on_b, b, y - shift, n);
    return out;
  }
  return {};
}

}  // namespace clarke
