#pragma once
// Contacts whose normal turns with the bodies, so that their gap is the distance of the same two features wherever the
// bodies are [docs/theory.md, eq. V7a].
//
//   face of a     n = R_a k_a                       k: normal of the face in the frame of its body
//   face of b     n = R_b k_b
//   edges         n = (R_a e_a × R_b e_b)/|R_a e_a × R_b e_b|        e: directions of the edges in the frames of theirs
//
//   C = n·d − ρ_a − ρ_b,    d = x_a + R_a p_a − x_b − R_b p_b        [m]
//   ∂C = n·∂d + d·∂n:  the torque of a unit impulse along n on a is R_a p_a × n plus
//     n × d (face of a),  R_a e_a × (R_b e_b × d⊥)/|R_a e_a × R_b e_b| (edges),   d⊥ = d − (n·d) n
//   and that on b −R_b p_b × n plus  n × d (face of b),  R_b e_b × (d⊥ × R_a e_a)/|…| (edges)
//
// All of these are perpendicular to n, so they are lever arms: of a corner over a face of b, both bodies feel the
// impulse at the corner. The features need not be known: a normal that is found twice, at different poses, with the
// same direction in the frame of one of the bodies is that of a face of its own; the edges are perpendicular in their
// frames to both normals.

#include "framework/math/dual_vectors.hpp"
#include "physics/contact/contact_geometry.hpp"

#include <cmath>

namespace clarke {

/// What the normal of a contact turns with.
enum class TurnsWith : int { nothing = 0, a = 1, b = 2, edges = 3 };

struct TurningNormal {
  TurnsWith with = TurnsWith::nothing;
  Vec3 in_a{}, in_b{};  // k_a; k_b; or e_a and e_b, of any length
};

/// Whether contact i does; `all` is empty where none does.
KOKKOS_INLINE_FUNCTION bool turns(const View<TurningNormal>& all, int i) {
  return all.extent(0) > 0 && all(i).with != TurnsWith::nothing;
}

/// A normal in the frames of both bodies, at the pose at which it was found.
struct SeenNormal {
  Vec3 in_a{}, in_b{};
};

KOKKOS_INLINE_FUNCTION SeenNormal seen_normal(const Quat& a, const Quat& b, const Vec3& n) {
  return {rotate_inverse(a, n), rotate_inverse(b, n)};
}

/// What turns so that the normal was `first` and is `second`; nothing where they are the same in both frames, or too
/// alike to tell. `may_be_edges`: for a normal of another kind the edges are a guess.
inline TurningNormal turning_normal(const SeenNormal& first, const SeenNormal& second, bool may_be_edges) {
  constexpr double kSame = 1e-6;    // [rad] normals of one face are found to rounding
  constexpr double kTurned = 1e-4;  // [rad] that edges take to be known to 1e-12
  const double off_a = norm(second.in_a - first.in_a), off_b = norm(second.in_b - first.in_b);
  if (off_a < kSame && off_b < kSame) return {};
  if (off_a < kSame) return {TurnsWith::a, second.in_a, {}};
  if (off_b < kSame) return {TurnsWith::b, {}, second.in_b};
  if (!may_be_edges || std::fmin(off_a, off_b) < kTurned) return {};
  return {TurnsWith::edges, cross(first.in_a, second.in_a), cross(first.in_b, second.in_b)};
}

/// The same of edges, seen now along n at orientations a, b: with the sign that makes their normal n. Nothing where
/// they are nearly parallel.
inline TurningNormal oriented(TurningNormal t, const Quat& a, const Quat& b, const Vec3& n) {
  if (t.with != TurnsWith::edges) return t;
  constexpr double kParallel = 0.05;  // [rad] between edges whose normal is theirs alone
  t.in_a = 1 / norm(t.in_a) * t.in_a;
  t.in_b = 1 / norm(t.in_b) * t.in_b;
  const Vec3 m = cross(rotate(a, t.in_a), rotate(b, t.in_b));
  if (!(norm(m) > kParallel)) return {};
  if (dot(m, n) < 0) t.in_a = -t.in_a;
  return t;
}

/// Gap and lever arms at a configuration, and the normal there; not of a contact that turns with nothing.
template <class T>
KOKKOS_INLINE_FUNCTION ContactGeometryT<T> turning_geometry(const TurningNormal& turning, const PoseT<T>& a,
                                                            const PoseT<T>& b, const Vec3& pa, const Vec3& pb,
                                                            double rho_a, double rho_b, Vec3T<T>& n) {
  using std::sqrt;
  const Vec3T<T> ra = rotate(a.q, lift<T>(pa)), rb = rotate(b.q, lift<T>(pb)), d = a.x + ra - b.x - rb;
  Vec3T<T> arm_a = ra, arm_b = rb;
  if (turning.with == TurnsWith::edges) {
    const Vec3T<T> ea = rotate(a.q, lift<T>(turning.in_a)), eb = rotate(b.q, lift<T>(turning.in_b)), m = cross(ea, eb);
    const T length = sqrt(norm2(m));
    n = T(1) / length * m;
    const Vec3T<T> across = d - dot(n, d) * n;
    arm_a = arm_a + T(1) / length * cross(n, cross(ea, cross(eb, across)));
    arm_b = arm_b - T(1) / length * cross(n, cross(eb, cross(across, ea)));
  } else {
    const bool of_a = turning.with == TurnsWith::a;
    n = of_a ? rotate(a.q, lift<T>(turning.in_a)) : rotate(b.q, lift<T>(turning.in_b));
    const Vec3T<T> across = d - dot(n, d) * n;
    (of_a ? arm_a : arm_b) = of_a ? arm_a - across : arm_b + across;
  }
  return {dot(n, d) - T(rho_a) - T(rho_b), arm_a - T(rho_a) * n, arm_b + T(rho_b) * n};
}

/// Velocity blocks of two bodies: v_a, ω_a, v_b, ω_b, three components each.
inline constexpr int kTurningSize = 12;

/// K = −b ∂(Jᵀ Λ)/∂(motion) of the normal impulse `impulse` [N s]: kTurningSize², row by row [eq. G3].
KOKKOS_INLINE_FUNCTION void turning_stiffness(const TurningNormal& turning, const Pose& a, const Pose& b,
                                              const Vec3& pa, const Vec3& pb, double rho_a, double rho_b,
                                              double impulse, double weight, double* K) {
  for (int by = 0; by < kTurningSize; ++by) {
    Vec3 along[4] = {};
    along[by / 3][by % 3] = 1;
    const PoseT<Dual> at_a{dual(a.x, along[0]), dual(a.q, along[1])}, at_b{dual(b.x, along[2]), dual(b.q, along[3])};
    Vec3T<Dual> n;
    const ContactGeometryT<Dual> g = turning_geometry(turning, at_a, at_b, pa, pb, rho_a, rho_b, n);
    const Vec3 column[4] = {derivative_of(n), derivative_of(cross(g.arm_a, n)), -derivative_of(n),
                            -derivative_of(cross(g.arm_b, n))};
    for (int to = 0; to < kTurningSize; ++to) K[to * kTurningSize + by] = -weight * impulse * column[to / 3][to % 3];
  }
}

}  // namespace clarke
