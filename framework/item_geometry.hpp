#pragma once
// What the items of a contributor are at a configuration by itself, outside of any time step: names, the blocks they
// touch, and, of joints, violations and their Jacobian. A step asks more (contributor.hpp).
//
//   c(q, t)   violation less its target [m or rad]
//   J         ∂c/∂q G                   [1 or m]
//   M⁻¹       of the velocity blocks    [1/kg, 1/(kg m²)]

#include "framework/state.hpp"
#include "framework/system.hpp"

#include <string>

namespace clarke {

/// Energies and momenta of what moves, or what a contributor adds to them.
struct MechanicalState {
  double kinetic = 0, potential = 0;  // [J]
  Vec3 linear{};                      // [N s]
  Vec3 angular{};                     // [N m s] about the origin
  MechanicalState& operator+=(const MechanicalState& more) {
    kinetic += more.kinetic;
    potential += more.potential;
    linear += more.linear;
    angular += more.angular;
    return *this;
  }
};

/// The rows of joints at a configuration; a number per row.
struct ConfigurationRows {
  View<double> violation;     // c
  View<double> lower, upper;  // of the force along the row [N, N m]
  View<int> hard;             // 1: neither spring nor damper
};

class ItemGeometry {
 public:
  virtual ~ItemGeometry() = default;

  /// Registered type, e.g. "contact", "ball".
  virtual std::string kind() const = 0;
  /// Name of item i (0-based in this contributor) for reports: "hinge h1", "b1/floor:3".
  virtual std::string item_name(int item) const = 0;
  /// Appends the items in order.
  virtual void pattern(PatternBuilder& builder) const = 0;
  /// True when the items or the blocks they touch may differ from the last call of pattern().
  virtual bool pattern_changed() const { return false; }
  /// Its rows have violations that a configuration alone decides.
  virtual bool has_configuration_rows() const { return false; }
  /// Fills J of its items, in the layout of the slice, and the rows.
  virtual void configuration_rows(const State&, const JacobianSlice&, const ConfigurationRows&) const {}
  /// M⁻¹ of the blocks it owns.
  virtual void inverse_mass(const State&, const View<Mat3>& /*inverse_mass*/) const {}
  /// Winding angles go on from this configuration.
  virtual void remember(const State&) {}
  /// Its share of the energies and momenta of a state.
  virtual MechanicalState mechanical_state(const State&) const { return {}; }
};

}  // namespace clarke
