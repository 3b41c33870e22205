#pragma once
// Friction maps: how Coulomb's law on the disc of radius R = μ max(Λ_n, 0) becomes two rows.
//
// A map is a pure function object of one contact
//   FrictionRows operator()(const FrictionArguments&) const
// giving the un-lagged residual F_f [m/s] in (t1, t2) and its linearisation in the turned frame (d, t) of system.hpp.
// Every map has F_f = 0 ⇔ Λ_f ∈ disc(R) dissipates most against v_t.
//
// A map may have a second form, operator()(arguments, FrictionSection), for cones that are no disc.

#include "framework/math/hypotenuse.hpp"
#include "framework/registry.hpp"
#include "framework/row_law.hpp"

namespace clarke {

struct FrictionArguments {
  double v1, v2;           // v_t [m/s]
  double l1, l2;           // Λ_f [N s]
  double radius;           // R = μ max(Λ_n, 0) [N s]
  double mu;               // μ
  double r;                // r_f [1/kg]
  double phi;              // NCP(|v_t|, r (R − |Λ_f|)) [m/s], for maps that ask for it
  double denominator_min;  // -fixed_point_denominator_min
};

struct FrictionRows {
  double f1, f2;    // residual in (t1, t2) [m/s]
  double cos, sin;  // d = cos t1 + sin t2
  double a_d, b_d;  // row d:  a_d J_d du + b_d dΛ_d + b_dn dΛ_n
  double a_t, b_t;  // row t
  double b_dn;      // coupling to the normal multiplier; 0 for symmetric maps
  int safeguard;    // 1: Map::kSafeguard acted
  double b_tn = 0;  // the same of row t: zero on discs
};

/// |Λ_f| = 0 is forced: rows of an open or frictionless contact.
KOKKOS_INLINE_FUNCTION FrictionRows friction_rows_off(const FrictionArguments& x) {
  return {x.r * x.l1, x.r * x.l2, 1, 0, 0, x.r, 0, x.r, 0, 0};
}

class FrictionMap {
 public:
  virtual ~FrictionMap() = default;
  virtual bool symmetric() const = 0;
  virtual bool needs_ncp() const = 0;
  virtual bool takes_sections() const { return false; }
  /// The option of its safeguard; null where it has none.
  virtual const char* safeguard() const { return nullptr; }
  /// Fills the tangential rows of all contacts; `phi` is empty when needs_ncp() is false.
  virtual void evaluate(const RowSet& rows, const View<double>& phi, double denominator_min, bool linearise) const = 0;
};

/// The rows of a contact: by the map's form for sections where there are any.
template <class Map>
KOKKOS_INLINE_FUNCTION FrictionRows friction_rows(const Map& map, const RowSet& c, int i, const FrictionArguments& x) {
  if constexpr (requires { map(x, FrictionSection{}); }) {
    if (c.section.extent(0) > 0) return map(x, c.section(i));
  }
  return map(x);
}

template <class Map>
class FrictionBatch final : public FrictionMap {
 public:
  bool symmetric() const override { return Map::kSymmetric; }
  bool needs_ncp() const override { return Map::kNeedsNcp; }
  bool takes_sections() const override {
    return requires(Map m, FrictionArguments x, FrictionSection s) { m(x, s); };
  }
  const char* safeguard() const override {
    if constexpr (requires { Map::kSafeguard; }) return Map::kSafeguard;
    return nullptr;
  }
  void evaluate(const RowSet& rows, const View<double>& phi, double denominator_min, bool linearise) const override {
    const RowSet& c = rows;
    const Map map{};
    parallel_for(
        Map::kName, c.items,
        KOKKOS_LAMBDA(int i) {
          const double normal = c.impulse(3 * i);
          const double mu = c.friction(i);
          const FrictionArguments x{c.velocity(3 * i + 1),
                                    c.velocity(3 * i + 2),
                                    c.impulse(3 * i + 1),
                                    c.impulse(3 * i + 2),
                                    mu * (normal > 0 ? normal : 0.0),
                                    mu,
                                    c.r_friction(i),
                                    Map::kNeedsNcp ? phi(i) : 0.0,
                                    denominator_min};
          const FrictionRows f = friction_rows(map, c, i, x);
          c.out.residual(3 * i + 1) = f.f1;
          c.out.residual(3 * i + 2) = f.f2;
          if (!linearise) return;
          c.out.slip_frame(2 * i) = f.cos;
          c.out.slip_frame(2 * i + 1) = f.sin;
          c.out.a(3 * i + 1) = f.a_d;
          c.out.b(3 * i + 1) = f.b_d;
          c.out.a(3 * i + 2) = f.a_t;
          c.out.b(3 * i + 2) = f.b_t;
          c.out.safeguard(i) = f.safeguard;
          if (c.out.A.extent(0) == 0) return;
          const int q = c.out.pattern.item_square(c.out.first_item + i);
          for (int e = 0; e < 9; ++e) c.out.A(q + e) = c.out.B(q + e) = 0;
          for (int k = 0; k < 3; ++k) {
            c.out.A(q + 4 * k) = c.out.a(3 * i + k);
            c.out.B(q + 4 * k) = c.out.b(3 * i + k);
          }
          c.out.B(q + 3) = f.b_dn;
          c.out.B(q + 6) = f.b_tn;
        },
        30);
  }
};

Registry<FrictionMap>& friction_map_registry();

}  // namespace clarke
