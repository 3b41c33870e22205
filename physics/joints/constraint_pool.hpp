#pragma once
// All joints of one element type as a structure of arrays: evaluates the pure element per item and writes its rows
// after the law of each row (row_mechanics.hpp). Bounded rows are handed to the joint law (framework/row_law.hpp).

#include "framework/state_archive.hpp"
#include "physics/constraints/constraint_element.hpp"
#include "physics/joints/joint_pool.hpp"
#include "physics/joints/row_mechanics.hpp"

#include <algorithm>

namespace clarke {

/// One item of a pool, as host data.
template <ConstraintElement E>
struct ConstraintItem {
  E element;
  std::array<int, E::kFrames> entity{};
  std::array<RowMechanics, E::kRows> law{};
  std::array<TimeFunction, E::kRows> target{}, rate{};  // c* [m, rad], w* [m/s, rad/s]
  std::string name;                                     // "hinge door"
  int joint = -1;                                       // index of its joint in the model
  int coordinate = -1;                                  // of that joint, if the row acts along one
};

template <ConstraintElement E>
class ConstraintPool final : public JointPool {
 public:
  static constexpr int m = E::kRows, kFrames = E::kFrames, kSlots = 2 * E::kFrames;

  /// Throws InputError naming the joint whose ends cannot be tied so.
  ConstraintPool(const Entities& entities, std::vector<ConstraintItem<E>> items);

  std::string kind() const override { return E::kName; }
  bool has_configuration_rows() const override { return true; }
  void configuration_rows(const State& state, const JacobianSlice& slice, const ConfigurationRows& out) const override;
  void remember(const State& state) override { remember_poses(state.x, state.orientation); }
  void begin_step(const StepContext& context, const State& state) override;
  void pattern(PatternBuilder& builder) const override {
    for (const auto& blocks : blocks_) builder.add_item(m, blocks, whole_stiffness_);
  }
  std::string item_name(int item) const override { return items_[item].name; }
  void warm_start(const View<double>& impulse) override { Kokkos::deep_copy(impulse, last_impulse_); }
  void end_step(const View<double>& impulse) override;
  void carry_over(StateArchive& archive) override;
  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override;
  void delassus_diagonal_known(const StepContext& context, const SystemSlice& slice) override;
  void set_whole_stiffness(bool whole) override { whole_stiffness_ = whole; }
  void set_positive_stiffness(bool positive) override { positive_stiffness_ = positive; }
  void geometric_stiffness(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                           const View<Mat3>& stiffness) override;
  bool couples_blocks() const override { return true; }
  /// Of distances between points that do not turn: γ⁻¹ in all directions.
  bool set_majorant(bool on) override;
  void geometric_pairs(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                       const View<int>& first, const View<Mat3>& blocks) override;
  const RowSet* rows() const override { return &rows_; }
  void set_law(std::shared_ptr<RowLaw> law) override { law_ = std::move(law); }
  void relax(double stiffness) override;
  double elastic_energy(const View<double>& impulse, double h) const override;
  void add_reactions(const HostPoses& poses, const View<double>& impulse, double h,
                     std::vector<JointReaction>& joints) const override;

  // Public: device lambdas may not live in private members.
  void lag_positions(const StepContext& context, const State& state);
  void update_targets(const StepContext& context);
  void remember_poses(const View<Vec3>& x, const View<Quat>& orientation);

 private:
  void place(int item, const HostView<EntityBlocks>& block_of, const HostView<int>& column);

  Entities entities_;
  std::vector<ConstraintItem<E>> items_;
  std::shared_ptr<RowLaw> law_;
  int count_ = 0;
  View<E> element_;
  View<int> entity_;  // kFrames per item
  View<int> column_;  // kSlots per item: the item's slot in the pattern, -1 where the frame has no such velocity
  View<double> stiffness_, damping_, lower_, upper_, target_, rate_, bias_;  // per row
  HostView<double> target_host_, rate_host_;
  bool whole_stiffness_ = false, positive_stiffness_ = false, majorant_ = false;
  bool constant_ = true;  // targets and rates do not depend on time
  View<double> last_impulse_;
  RowSet rows_;
  std::vector<std::vector<int>> blocks_;
  StepPoint last_point_;
};

}  // namespace clarke

#include "physics/joints/constraint_pool_kernels.hpp"
#include "physics/joints/constraint_pool_stiffness.hpp"
