#pragma once
// Contacts whose normal turns with the bodies, so that their gap is the distance of the same two features wherever the
// bodies are [docs/theory.md, eq. V7a].
//
//   face of a     n = R_a k                         k: normal of the face in the frame of its body
//   face of b     n = R_b k
//   curves        n ∥ x_a − x_b, or across both where they cross: the nearest points of two curves (core_curve.hpp), an
//                 edge, a corner, a rim, the axis of a side or of a capsule, the middle of a sphere
//
//   C = n·d − ρ_a − ρ_b,    d = x_a + R_a p_a − x_b − R_b p_b        [m];  of a side ρ is with its radius
//   ∂C = n·∂d + d·∂n:  the torque of a unit impulse along n on a is R_a p_a × n, plus n × d over a face of a,
//   and that on b −R_b p_b × n, plus n × d over a face of b; of nearest points d ∥ n
//
// All of these are perpendicular to n, so they are lever arms: of a corner over a face of b, both bodies feel the
// impulse at the corner. That points move in their bodies does not change C to first order: over a face a rim touches
// with p = c ∓ r m/|m|, m the part of n across its axis, its lowest point wherever its body has turned to, and where
// curves are nearest their tangents are perpendicular to d.
//
// Friction acts at the place where the contact was found, as seen from c of a rim or side, or from the point of
// anything else, which turn with their bodies: a log that spins touches where it touched.

#include "framework/math/dual_vectors.hpp"
#include "physics/collision/contact_set.hpp"
#include "physics/collision/narrow_phase/core_curve.hpp"
#include "physics/contact/contact_geometry.hpp"

#include <cmath>

namespace clarke {

/// What the normal of a contact turns with.
enum class TurnsWith : int { nothing = 0, a = 1, b = 2, curves = 3 };

/// What one side of a contact touches with.
struct TouchingSide {
  CoreCurve curve{};  // in the frame of its body; kind none: the point of the contact
  Vec3 place{};       // [m] world axes, from the origin of the body: where it touched when it was found
  Vec3 turns{};       // [m] frame of its body: the part of `place` that turns with it where friction acts
  Vec3 stays{};       // [m] world axes: the rest
};

struct TurningNormal {
  TurnsWith with = TurnsWith::nothing;
  Vec3 face{};  // k
  TouchingSide side_a{}, side_b{};
  Vec3 found{};     // the normal when it was found, world axes
  double size = 0;  // [m] of both shapes
};

/// Whether contact i does; `all` is empty where none does.
KOKKOS_INLINE_FUNCTION bool turns(const View<TurningNormal>& all, int i) {
  return all.extent(0) > 0 && all(i).with != TurnsWith::nothing;
}

/// A curve of a body at its pose, from its own origin.
template <class T>
KOKKOS_INLINE_FUNCTION CoreCurveT<T> turned(const CoreCurve& c, const QuatT<T>& q) {
  return {c.kind, rotate(q, lift<T>(c.start)), rotate(q, lift<T>(c.e1)), rotate(q, lift<T>(c.e2)), c.around};
}
KOKKOS_INLINE_FUNCTION constexpr CoreCurve value_of(const CoreCurve& c) { return c; }
KOKKOS_INLINE_FUNCTION constexpr CoreCurve value_of(const CoreCurveT<Dual>& c) {
  return {c.kind, value_of(c.start), value_of(c.e1), value_of(c.e2), c.around};
}
KOKKOS_INLINE_FUNCTION constexpr Vec3 value_of(const Vec3& a) { return a; }

/// The point of a rim that is farthest along ±n; of anything else the point p of the contact. From the origin of the
/// body, as all here.
template <class T>
KOKKOS_INLINE_FUNCTION Vec3T<T> over_face(const TouchingSide& side, const QuatT<T>& q, const Vec3& p, const Vec3T<T>& n,
                                          double sign) {
  using std::sqrt;
  if (side.curve.kind != CurveKind::rim) return rotate(q, lift<T>(p));
  constexpr double kUpright = 1e-20;  // of r²: keeps the direction finite where the rim lies flat
  const CoreCurveT<T> rim = turned(side.curve, q);
  const Vec3T<T> m = dot(n, rim.e1) * rim.e1 + dot(n, rim.e2) * rim.e2;  // r² times the part of n in its plane
  const double r2 = norm2(side.curve.e1);
  return rim.start + T(sign * std::sqrt(r2)) / sqrt(norm2(m) + T(kUpright * r2 * r2)) * m;
}

/// Where two curves are nearest: the points from the origins of their bodies, and the normal. Newton's method from
/// where they touched, and one step more in T, which has its derivative.
template <class T>
KOKKOS_INLINE_FUNCTION void nearest_points(const TurningNormal& turning, const PoseT<T>& a, const PoseT<T>& b,
                                           Vec3T<T>& pa, Vec3T<T>& pb, Vec3T<T>& n) {
  using std::sqrt;
  constexpr int kAlternations = 3;
  constexpr double kRegular = 1e-12;  // of the determinant over its diagonal: a step that is no noise
  const Vec3T<T> shift = b.x - a.x;
  const CoreCurveT<T> on_a = turned(turning.side_a.curve, a.q);
  CoreCurveT<T> on_b = turned(turning.side_b.curve, b.q);
  on_b.start = on_b.start + shift;
  const CoreCurve ca = value_of(on_a), cb = value_of(on_b);
  double s = ca.nearest(0.5 * (turning.side_a.place + value_of(shift) + turning.side_b.place)),
         t = cb.nearest(ca.at(s));
  for (int k = 0; k < kAlternations; ++k) {
    s = ca.nearest(cb.at(t));
    t = cb.nearest(ca.at(s));
  }
  meet_at_right_angles(ca, cb, turning.size, s, t);
  Vec3T<T> ta = on_a.tangent(s), tb = on_b.tangent(t);
  pa = on_a.at(s), pb = on_b.at(t);
  {
    const Vec3T<T> d = pa - pb;
    const T ga = dot(ta, d), gb = -dot(tb, d);
    const auto [aa, bb, ab, det] = meeting_matrix(ca, cb, s, t, value_of(d), value_of(ta), value_of(tb));
    if (std::fabs(det) > kRegular * std::fabs(aa * bb)) {
      const T ds = (T(bb) * ga - T(ab) * gb) / T(det), dt = (T(aa) * gb - T(ab) * ga) / T(det);
      pa = pa - ds * ta, pb = pb - dt * tb;
      ta = ta - ds * on_a.bend(s), tb = tb - dt * on_b.bend(t);
    }
  }
  const Vec3T<T> d = pa - pb, m = cross(ta, tb);
  const Vec3T<T> along = norm(value_of(d)) / turning.size > sine_between(value_of(ta), value_of(tb)) ? d : m;
  n = T(1) / sqrt(norm2(along)) * along;
  if (dot(value_of(n), turning.found) < 0) n = -n;
  pb = pb - shift;
}

/// Gap and lever arms at a configuration, and the normal there; not of a contact that turns with nothing.
template <class T>
KOKKOS_INLINE_FUNCTION ContactGeometryT<T> turning_geometry(const TurningNormal& turning, const PoseT<T>& a,
                                                            const PoseT<T>& b, const Vec3& pa, const Vec3& pb,
                                                            double rho_a, double rho_b, Vec3T<T>& n) {
  if (turning.with == TurnsWith::curves) {
    Vec3T<T> ra, rb;
    nearest_points(turning, a, b, ra, rb, n);
    const T out_a(rho_a + turning.side_a.curve.around), out_b(rho_b + turning.side_b.curve.around);
    return {dot(n, a.x + ra - b.x - rb) - out_a - out_b, ra - out_a * n, rb + out_b * n};
  }
  const bool of_a = turning.with == TurnsWith::a;
  n = rotate(of_a ? a.q : b.q, lift<T>(turning.face));
  const Vec3T<T> ra = over_face(turning.side_a, a.q, pa, n, -1), rb = over_face(turning.side_b, b.q, pb, n, 1),
                 d = a.x + ra - b.x - rb, across = d - dot(n, d) * n, arm_a = of_a ? ra - across : ra,
                 arm_b = of_a ? rb : rb + across;
  return {dot(n, d) - T(rho_a) - T(rho_b), arm_a - T(rho_a) * n, arm_b + T(rho_b) * n};
}

/// What of a contact turns with its bodies where friction acts: its points, with ρ, or the part that the sides of what
/// turns know, which have ρ in the part that stays.
struct TurningPoints {
  Vec3 a, b;  // [m] frames of the bodies
  double rho_a, rho_b;
};
KOKKOS_INLINE_FUNCTION TurningPoints turning_points(const View<TurningNormal>& all, const ContactSet& c, int i) {
  if (turns(all, i)) return {all(i).side_a.turns, all(i).side_b.turns, 0, 0};
  return {c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i)};
}

/// Velocity blocks of two bodies: v_a, ω_a, v_b, ω_b, three components each.
inline constexpr int kTurningSize = 12;

/// K = −b ∂(Jᵀ Λ)/∂(motion) of the normal impulse `impulse` [N s]: kTurningSize², row by row [eq. G3].
KOKKOS_INLINE_FUNCTION void turning_stiffness(const TurningNormal& turning, const Pose& a, const Pose& b,
                                              const Vec3& pa, const Vec3& pb, double rho_a, double rho_b,
                                              double impulse, double weight, double* K) {
  const int moving[] = {0, 1, 3};  // v_b moves what v_a does the other way: only where a is from b counts
  for (const int block : moving)
    for (int k = 0; k < 3; ++k) {
      Vec3 along[4] = {};
      along[block][k] = 1;
      const PoseT<Dual> at_a{dual(a.x, along[0]), dual(a.q, along[1])}, at_b{dual(b.x, along[2]), dual(b.q, along[3])};
      Vec3T<Dual> n;
      const ContactGeometryT<Dual> g = turning_geometry(turning, at_a, at_b, pa, pb, rho_a, rho_b, n);
      const Vec3 column[4] = {derivative_of(n), derivative_of(cross(g.arm_a, n)), -derivative_of(n),
                              -derivative_of(cross(g.arm_b, n))};
      for (int to = 0; to < kTurningSize; ++to) {
        const double change = -weight * impulse * column[to / 3][to % 3];
        K[to * kTurningSize + 3 * block + k] = change;
        if (block == 0) K[to * kTurningSize + 6 + k] = -change;
      }
    }
}

}  // namespace clarke
