#pragma once
// Which bodies moved so far in one step that they could have passed through something thin without anybody noticing.
//
// Detection looks once per step, at its start. Pairs with a gap below the margin, base + s h (|v_a − v_b| + …), become
// rows, and a row holds however fast the body is: with s = -contact_margin_speed ≥ 1 nothing that flies on freely
// passes anything. What is left are steps in which a body moves further than its margin foresaw: s < 1, or a velocity
// that only arises in the step (a blow, a drive, a joint). Such a body can pass a partner that was no candidate. It is
// found in the next step, as overlapping; it is then pushed back to where it came from as long as less than half of it
// is through, however thin the partner (a triangle, a card). So body e is in danger when
//
//   h (|v⁺| + |ω⁺| (R − ρ))  −  (base + s h (|v⁻| + |ω⁻| R))  >  ρ
//
//   v⁻, v⁺  at the start and end of the step       R  largest distance of a point of the body from its origin [m]
//   ρ       radius [m] of the largest ball about the origin of its smallest part that fits into it, thickness included
//
// A ball that only spins passes nothing (R = ρ). The test takes the partner at rest; two bodies that fly at each other
// are each tested for their own speed. It is a warning, not a safeguard: nothing is changed. Each body is named once,
// every case is counted.

#include "physics/collision/broad_phase.hpp"

#include <string>
#include <vector>

namespace clarke {

class StateArchive;  // framework/state_archive.hpp

/// ρ of collider c [m]; infinite for shapes that are never passed (none, plane), the thickness for triangles.
KOKKOS_INLINE_FUNCTION double inscribed_radius(const ShapeSet& s, int c) {
  const double thickness = s.thickness(c);
  const ShapeKind kind = s.kind(c);
  if (kind == ShapeKind::none || kind == ShapeKind::plane) return HUGE_VAL;
  if (kind == ShapeKind::triangle) return thickness;
  if (kind == ShapeKind::sphere) return thickness + s.radius(c);
  if (kind == ShapeKind::capsule || kind == ShapeKind::cylinder) {
    const double r = s.axis_radius(c), half = norm(s.axis(c));
    return thickness + (kind == ShapeKind::cylinder && half < r ? half : r);
  }
  double least = HUGE_VAL;
  for (int f = s.face_begin(c); f < s.face_begin(c + 1); ++f)
    if (s.face_offset(f) < least) least = s.face_offset(f);
  return thickness + (least > 0 ? least : 0.0);
}

class TunnellingWatch {
 public:
  /// Reads the shapes once; entities that cannot move, or have no shape, are never in danger.
  TunnellingWatch(const ShapeSet& shapes, const Entities& entities, const ContactMargin& margin);

  /// Remembers what detection allows for at the start of a step of length h [s].
  void begin_step(const State& state, double h);
  /// Number of bodies in danger in the step that led to `state`.
  int end_step(const State& state, double h);
  /// Entities that were in danger in the last step and never before, ascending.
  const std::vector<int>& newly() const { return newly_; }
  /// Whether no other was in danger before those.
  bool first() const;
  /// Who was named.
  void carry_over(StateArchive& archive);

 private:
  Entities entities_;
  ContactMargin margin_;
  View<double> reach_, inscribed_;  // [m] R, ρ per entity; ρ infinite where there is no danger
  View<double> allowed_;            // [m] margin at the start of the step
  View<int> endangered_;            // 1 where the step was too long
  std::vector<char> named_;
  std::vector<int> newly_;
};

}  // namespace clarke
