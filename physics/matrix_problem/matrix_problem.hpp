#pragma once
// A contact problem (framework/contact_problem.hpp) in the shape that a step has: velocity blocks of three with a
// block-diagonal mass, and items of rows over them [docs/theory.md, "A matrix problem as a step"].
//
// global   M splits into the connected components of its entries.
//            all inside triples 3k … 3k+2   the triples are the blocks (rigid bodies, particles, lumped masses)
//            else, of at most three         packed into blocks, in order; places left over have mass 1 and no rows
//            else, larger                   change of variables u' = Lᵀ u, M = L Lᵀ over the component: then M' = 1,
//                                           J' = J L⁻ᵀ, f' = L⁻¹ f, and the velocities are transformed back at the end
//          W = J M⁻¹ Jᵀ is never formed. Limit: L of a component is dense, so a deformable body of n velocities costs
//          n² numbers, and its contact rows become dense over it.
// local    Block i is the velocity v_i of contact i itself: M_i = 1/w_i, w_i = tr W_ii/3 [1/kg], ũ = q, J the identity,
//          and in the place of Jᵀ stands Rᵀ = M W, so that J M⁻¹ Rᵀ = W, whatever W is (unsymmetric, singular). A
//          bilateral row likewise has a block for its velocity, of which it uses the first place.

#include "framework/contact_problem.hpp"
#include "framework/math/mat3.hpp"

#include <vector>

namespace clarke {

/// Items of `rows` rows each, with constant coefficients; values as in framework/jacobian.hpp.
struct MatrixRows {
  int rows = 3;
  std::vector<int> slot{0};    // items + 1
  std::vector<int> block;      // per slot
  std::vector<Vec3> value;     // rows × slots of an item, row by row
  std::vector<Vec3> right;     // R, likewise; empty where it is J
  std::vector<double> offset;  // per row: v = J u + offset
  int items() const { return static_cast<int>(slot.size()) - 1; }
};

class MatrixProblem {
 public:
  explicit MatrixProblem(const ContactProblem& problem);

  int blocks() const { return static_cast<int>(mass_.size()); }
  const std::vector<Mat3>& mass() const { return mass_; }
  const std::vector<Vec3>& free_velocity() const { return free_velocity_; }  // ũ = M⁻¹ f
  const MatrixRows& contacts() const { return contacts_; }
  const MatrixRows& joints() const { return joints_; }
  /// W is given, and R is not J.
  bool local() const { return !contacts_.right.empty(); }
  /// The file's velocities from those of the blocks. Nothing for a local problem, which has none.
  std::vector<double> velocities(const std::vector<Vec3>& u) const;
  /// Components of M that needed the change of variables.
  int transformed() const { return static_cast<int>(components_.size()); }

 private:
  struct Component {
    std::vector<int> dofs, places;  // of the file, and in the blocks
    std::vector<double> factor;     // L, lower triangle, row by row: L(i, j) at i n + j
  };
  void place_velocities(const SparseMatrix& mass);
  void fill_mass(const SparseMatrix& mass, const std::vector<double>& force);
  MatrixRows rows_of(const SparseMatrix& jacobian, int rows, const std::vector<double>& offset) const;
  void build_local(const ContactProblem& problem);

  std::vector<int> place_;  // of a velocity of the file among the 3 × blocks places; of a transformed one, of its u'
  std::vector<Component> components_;
  std::vector<int> component_of_;  // per velocity of the file: into components_, or -1
  std::vector<Mat3> mass_;
  std::vector<Vec3> free_velocity_;
  MatrixRows contacts_, joints_;
};

}  // namespace clarke
