#pragma once
// What a contact touches with, as the shapes at its poses tell: so that its normal and its place follow these
// features wherever the bodies turn to (turning_normal.hpp) [docs/theory.md, eq. V7a].
//
//   n is that of a plane, face or cap     the other side: of a cylinder its circle at that height, if the point is the
//                                         lowest of it; of anything else its point
//   else the curves that are nearest with that normal and that gap (rim_contact.hpp)
//
// Nothing where no curves have this normal, or none of their own where they touch: edges that are nearly parallel,
// sharp corners.

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

/// The two sides of a contact along n, from b to a, in world axes from the origin of a.
struct TouchingPair {
  const ShapeSet& shapes;
  PlacedSide a, b;
  Vec3 n, shift, pa, pb;
  PlacedCore core_a, core_b;

  KOKKOS_INLINE_FUNCTION TouchingPair(const ShapeSet& s, const PlacedSide& on_a, const PlacedSide& on_b,
                                      const Vec3& normal)
      : shapes(s),
        a(on_a),
        b(on_b),
        n(normal),
        shift(b.pose.x - a.pose.x),
        pa(rotate(a.pose.q, a.point)),
        pb(shift + rotate(b.pose.q, b.point)),
        core_a(place(convex_core(s, a.collider), a.pose.q, rotate(a.pose.q, s.centre(a.collider)))),
        core_b(place(convex_core(s, b.collider), b.pose.q, shift + rotate(b.pose.q, s.centre(b.collider)))) {}

  /// With `on_b` from the origin of a, as core_b.
  KOKKOS_INLINE_FUNCTION TurningNormal turning(TurnsWith with, const CoreCurve& on_a, CoreCurve on_b, const Vec3& at_a,
                                               const Vec3& at_b) const {
    on_b.start = on_b.start - shift;
    TurningNormal out{with,
                      {},
                      touching_side(on_a, a, at_a, -n),
                      touching_side(on_b, b, at_b - shift, n),
                      n,
                      core_a.reach + core_b.reach + a.radius + b.radius};
    if (with == TurnsWith::a) out.face = rotate_inverse(a.pose.q, n);
    if (with == TurnsWith::b) out.face = rotate_inverse(b.pose.q, n);
    return out;
  }
};

/// Of a contact over a face; nothing of any other.
KOKKOS_INLINE_FUNCTION TurningNormal touching_face(const TouchingPair& p) {
  const ShapeKind ka = p.shapes.kind(p.a.collider), kb = p.shapes.kind(p.b.collider);
  if (has_face(kb, p.shapes.plane(p.b.collider), p.core_b, p.b.pose.q, p.n))
    return p.turning(TurnsWith::b, circle_through(p.core_a, p.pa, -p.n), {}, p.pa, p.pb);
  if (has_face(ka, p.shapes.plane(p.a.collider), p.core_a, p.a.pose.q, -p.n))
    return p.turning(TurnsWith::a, {}, circle_through(p.core_b, p.pb, p.n), p.pa, p.pb);
  return {};
}

/// Of a contact of two curves; nothing where it is of none.
KOKKOS_INLINE_FUNCTION TurningNormal touching_curves(const TouchingPair& p) {
  constexpr double kSameNormal = 1e-6, kSameGap = 1e-9;  // [rad]; of the size
  constexpr double kRegular = 0.05;                      // sine of curves that cross, or radii over the size
  if (p.shapes.kind(p.a.collider) == ShapeKind::plane || p.shapes.kind(p.b.collider) == ShapeKind::plane) return {};
  const double size = p.core_a.reach + p.core_b.reach + p.a.radius + p.b.radius, gap = dot(p.n, p.pa - p.pb);
  for (int choice = 0; choice < 4; ++choice) {
    const CoreCurve on_a = touching_curve(p.core_a, p.pa, -p.n, choice >> 1),
                    on_b = touching_curve(p.core_b, p.pb, p.n, choice & 1);
    if (on_a.kind == CurveKind::none || on_b.kind == CurveKind::none) continue;
    double u = on_a.nearest(p.pa), v = on_b.nearest(p.pb);
    if (!meet_at_right_angles(on_a, on_b, size, u, v)) continue;
    const Vec3 x = on_a.at(u), y = on_b.at(v), d = x - y, ta = on_a.tangent(u), tb = on_b.tangent(v), m = cross(ta, tb);
    const double sine = sine_between(ta, tb);
    // Where C = 0 the normal of sharp curves is theirs only if they cross: where a corner meets an edge there is none.
    if (sine < kRegular && on_a.around + on_b.around + p.a.radius + p.b.radius < kRegular * size) continue;
    Vec3 along = normalized(norm(d) / size > sine ? d : m);
    if (dot(along, p.n) < 0) along = -along;
    if (norm(along - p.n) <= kSameNormal &&
        std::fabs(dot(along, d) - on_a.around - on_b.around - gap) <= kSameGap * size)
      return p.turning(TurnsWith::curves, on_a, on_b, x, y);
  }
  return {};
}

KOKKOS_INLINE_FUNCTION TurningNormal touching_features(const TouchingPair& p) {
  const TurningNormal face = touching_face(p);
  return face.with == TurnsWith::nothing ? touching_curves(p) : face;
}

}  // namespace clarke
