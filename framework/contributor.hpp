#pragma once
// The assembly protocol: what a time step asks of a contributor. It declares its pattern once per layout
// (item_geometry.hpp), then fills its own slice of the system at every iterate. One virtual call per batch; kernels are
// the contributor's own.

#include "framework/item_geometry.hpp"
#include "framework/row_law.hpp"
#include "framework/state.hpp"

#include <map>
#include <string>

namespace clarke {

struct ContactSubproblem;  // framework/contact_subproblem.hpp
class StateArchive;        // framework/state_archive.hpp

/// A point at which the rows are evaluated: the unknowns and the configuration they lead to.
struct StepPoint {
  View<Vec3> u;                                   // u⁺ per block
  View<double> impulse;                           // Λ, all rows
  View<Vec3> x;                                   // q⁺ positions per entity
  View<Quat> orientation;                         // q⁺ orientations per body
  const ContactSubproblem* subproblem = nullptr;  // sub-problem of an outer iteration; null: the step's own problem
  bool with_laws = true;  // false: velocities, J, forces and their tangents only; F, A and B are left as they are
};

class Contributor : public ItemGeometry {
 public:
  /// Called first in every step: detection, mass, forces. Whatever is lagged over the step is computed here from q⁻,
  /// u⁻.
  virtual void begin_step(const StepContext& context, const State& state) = 0;
  /// Mass blocks at q⁻ and their share of ũ (u_tilde starts as u⁻). Only contributors that own velocity blocks do this.
  virtual void fill_mass(const StepContext&, const State&, SaddlePointSystem&) {}
  /// What its rows are to the linear algebra. With a separate transpose it must be the only contributor with items.
  virtual RowTraits traits() const { return {}; }
  /// Fills J of its items at q⁺, and residual; with `linearise` also a, b / A, B, slip_frame. Of items without rows:
  /// force; with `linearise` also tangent, and slip_frame always.
  virtual void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                        bool linearise) = 0;
  /// ∂f/∂u du of its items at the last evaluate(), from f in dual numbers, per slot of the whole pattern; false: their
  /// T is all there is [eq. L8].
  virtual bool force_along(const StepContext&, const StepPoint&, const SystemSlice&, const View<Vec3>& /*du*/,
                           const View<Vec3>& /*along*/) {
    return false;
  }
  /// Easier problems that lead to the step's own, each to be solved from where the one before ended: how many there
  /// are, and which is to be evaluated from now on, the k-th before the step's own.
  virtual int continuation_steps() const { return 0; }
  virtual void set_continuation(int /*k*/) {}
  /// After W_rr of the step, the diagonal of the Delassus operator, is known (J at q⁻).
  virtual void delassus_diagonal_known(const StepContext&, const SystemSlice&) {}
  /// Its items are contacts: integrators may take their forces at another time than all others
  /// (Integrator::contact_weight).
  virtual bool touches() const { return false; }
  /// Multipliers the last step's solution suggests for the new layout; zero where nothing is known.
  virtual void warm_start(const View<double>& impulse) { fill(impulse, 0.0); }
  /// Forces of items without rows that the last step's solution suggests.
  virtual void start_force(const SystemSlice&) {}
  /// Takes from the velocities `u`, of the last evaluate(), the slip of contacts that are closed there.
  virtual void stick(const SystemSlice&, const View<Vec3>& /*u*/) {}
  /// What touches at the end of a step that was solved without it joins the items: `now` is q⁺, u⁺, and `impulse` what
  /// is to be remembered for the warm start. Returns how much of it was in violation by more than `tolerance` [m].
  virtual int detect_again(const StepContext&, const State& /*start*/, const State& /*now*/,
                           const View<double>& /*impulse*/, double /*tolerance*/) {
    return 0;
  }
  /// Items of another contributor that its own hang on have changed within the step.
  virtual void items_changed() {}
  /// Whether the step that has just been evaluated is to be solved again, since something of it has been changed
  /// (stiffnesses, what lags): the option for whose sake, which counts it; null: no.
  virtual const char* again() { return nullptr; }
  virtual bool may_ask_again() const { return false; }
  /// C(q⁺) of its contacts [m]; of others without a size.
  virtual View<double> gaps() const {
    const RowSet* r = rows();
    return r && r->kind == SetKind::cone ? r->gap : View<double>();
  }
  /// Accepts the converged step: remembers multipliers for the warm start.
  virtual void end_step(const View<double>& /*impulse*/) {}
  /// Geometric stiffness as a whole from now on: see below. The next pattern declares who has a share in H.
  virtual void set_whole_stiffness(bool /*whole*/) {}
  /// From now on geometric stiffness as a whole is made positive, as the other one is; where a contributor has no such
  /// part, it stays as it is.
  virtual void set_positive_stiffness(bool /*positive*/) {}
  /// Whether rows 1 and 2 of each item are velocities J u even where row 0 is a change of positions.
  virtual bool has_friction_rows() const { return false; }
  /// Adds to those rows what changes in J u, u fixed, along the motion: b ∂(J u)/∂(motion), an entry per value of J, in
  /// the order of the whole pattern [eq. G3].
  virtual void add_turning_arms(const StepContext&, const StepPoint&, const SystemSlice&,
                                const View<Vec3>& /*rows*/) const {}
  /// What it remembers from step to step, for checkpoints.
  virtual void carry_over(StateArchive&) {}
  /// Geometric stiffness per slot of the contributor's items: the block of −b ∂(JᵀΛ)/∂q at the slot's own velocity
  /// block, made positive semi-definite, so that H = M + Σ stiffness. `stiffness` has an entry per slot of the whole
  /// pattern [eq. G2]. As a whole it is left as it is, and where it ties blocks together it is the item's T in the
  /// slice instead [eq. G3].
  virtual void geometric_stiffness(const StepContext&, const StepPoint&, const SystemSlice&,
                                   const View<Mat3>& /*stiffness*/) {}
  /// Whether its items have geometric stiffness between their velocity blocks, too.
  virtual bool couples_blocks() const { return false; }
  /// The same of whole items, k × k blocks each from `first` of the item on: −b ∂(JᵀΛ)/∂q, its symmetric part made
  /// positive semi-definite as a whole. [eq. G4]
  virtual void geometric_pairs(const StepContext&, const StepPoint&, const SystemSlice&, const View<int>& /*first*/,
                               const View<Mat3>& /*blocks*/) {}
  /// From now on tangents and geometric_pairs() of its items are those of a constant matrix that majorises theirs:
  /// false where there is none, because they are not distances to a set. [eq. D10]
  virtual bool set_majorant(bool on) { return !on; }
  /// From now on tangents of its items without rows are the derivatives of their forces as they are, not made positive.
  virtual void set_exact_tangents(bool) {}
  /// Its rows as of the last evaluate(), and the admissible sets of their impulses; null where there are none.
  virtual const RowSet* rows() const { return nullptr; }
  /// Adds where its law's safeguard acted at the last linearisation, by option name.
  virtual void count_law_safeguards(std::map<std::string, long>&) const {}
  /// Adds what else acted in this step.
  virtual void count_safeguards(std::map<std::string, long>&) const {}
  /// The potential [J] of which the forces of its items without rows are the gradient with respect to u, at the last
  /// evaluate(); NaN where there is none.
  virtual double step_potential(const StepContext&) const { return 0; }
  virtual double elastic_energy(const View<double>& /*impulse*/, double /*h*/) const { return 0; }
};

}  // namespace clarke
