#pragma once
// Parts: nodes that elements tie together. Changes of their velocities are taken with the rotation of each part as a
// rotation [docs/theory.md, eq. D5f].
//
//   d    change of the nodes' velocities [m/s],  h the length of the step [s],  m the nodes' masses [kg]
//   r    x − x_c of the nodes where the change begins, x_c their centre of mass [m]
//     d = v_c + ω × r + e,   ω of the angular momentum that d has about x_c [rad/s];   R = exp(h ω)
//     d' = v_c + (R − 1) r/h + R e
//
// d' is d to first order. Along d a part that turns by θ is stretched by θ²/2: the energy of stiff elements grows by
// θ⁴, and the longest step that lowers a potential goes with its gain over the stiffness, to the power of 1/4. Along d'
// nothing is stretched but by e. What bends by much within a step, or has nodes that cannot move, e keeps.
//
// Parts are sets of nodes connected by items that have tangents and no rows, of at least four nodes that lie on no
// straight line; other blocks of velocities go along d. Per take(): 300 operations and 150 bytes a node, one thread a
// part, in a fixed order.

#include "framework/petsc_views.hpp"
#include "framework/step_problem.hpp"

namespace clarke {

class TurningParts {
 public:
  /// Of the present layout; looked for where blocks or tangents are others than the last time.
  void find(const StepProblem& problem);
  bool any() const { return parts_ > 0; }
  /// to = from − a y in the velocities, with parts turned, about where base + from leads.
  void take(const StepProblem& problem, Vec base, Vec from, Vec y, double a, Vec to);
  /// The changes of velocity in `change` from `base`, and the velocities of `point` they lead to: with parts turned.
  void turn(const StepProblem& problem, Vec base, Vec change, Vec point);
  /// Largest h |ω| of the last of these [rad].
  double angle() const { return angle_; }

  // Public: device lambdas may not live in private members.
  /// out = from + d' at the nodes of parts, of d = scale × step, about where at + from leads.
  void take(const StepProblem& problem, const View<Vec3>& at, const View<Vec3>& from, const View<Vec3>& step,
            double scale, const View<Vec3>& out);

 private:
  int parts_ = 0, tangents_ = 0, blocks_ = 0;
  double angle_ = 0;
  View<int> first_, block_, entity_;  // of the nodes of a part: their velocity blocks, and which entities they are
  Buffer<double> angles_{"part_angles"};
  Buffer<Vec3> still_{"part_still"}, step_{"part_step"};
};

}  // namespace clarke
