#pragma once
// What contributors made of elements have in common (tetrahedra of soft bodies, triangles of cloths): a batch with an
// item for each, which has rows (compliance form) or forces (stiffness form), and what a step leaves to the next.
//
//   ElementRows     m impulses Λ [N s] per element; a step begins with those at the end of the last
//   ElementForces   an impulse f [N s] per node of an element; the same
//
// A Batch (soft_batch.hpp, cloth/membrane_batch.hpp) has count(), views().elements with column[node], blocks, names,
// begin_step() and energy().

#include "framework/contributor.hpp"
#include "framework/state_archive.hpp"

#include <utility>

namespace clarke {

template <class Batch, int rows_per_element>
class ElementContributor : public Contributor {
 public:
  explicit ElementContributor(Batch batch) : batch_(std::move(batch)) {}

  void pattern(PatternBuilder& builder) const override {
    for (const auto& blocks : batch_.blocks) builder.add_item(rows_per_element, blocks);
  }
  std::string item_name(int item) const override { return batch_.names[item]; }
  void begin_step(const StepContext& context, const State& state) override { batch_.begin_step(context, state.x); }

 protected:
  Batch batch_;
};

template <class Batch, int m>
class ElementRows : public ElementContributor<Batch, m> {
 public:
  /// `label` begins the names of the Views.
  ElementRows(const std::string& label, Batch batch) : ElementContributor<Batch, m>(std::move(batch)) {
    rows_.items = this->batch_.count();
    rows_.rows = m * rows_.items;
    rows_.unprojected = View<double>(label + "_velocity_error", rows_.rows);
    last_impulse_ = View<double>(label + "_last_impulse", rows_.rows);
  }

  RowTraits traits() const override { return {.dense_compliance = true}; }
  const RowSet* rows() const override { return &rows_; }
  void warm_start(const View<double>& impulse) override { Kokkos::deep_copy(impulse, last_impulse_); }
  void end_step(const View<double>& impulse) override { Kokkos::deep_copy(last_impulse_, impulse); }
  void carry_over(StateArchive& archive) override { archive.view("impulse", last_impulse_); }

  /// Of the last evaluated configuration.
  double elastic_energy(const View<double>&, double) const override { return this->batch_.energy(x_); }

 protected:
  RowSet rows_;
  View<Vec3> x_;  // of the last evaluate()

 private:
  View<double> last_impulse_;
};

template <class Batch, int nodes>
class ElementForces : public ElementContributor<Batch, 0> {
 public:
  ElementForces(const std::string& label, Batch batch) : ElementContributor<Batch, 0>(std::move(batch)) {
    last_force_ = View<Vec3>(label + "_last_force", nodes * this->batch_.count());
  }

  void start_force(const SystemSlice& slice) override {
    const auto elements = this->batch_.views().elements;
    const View<Vec3> last = last_force_;
    const SystemSlice& s = slice;
    parallel_for(
        "element_start_force", this->batch_.count(), KOKKOS_LAMBDA(int i) {
          const int slot = s.pattern.item_slot(s.first_item + i);
          for (int a = 0; a < nodes; ++a)
            if (elements(i).column[a] >= 0) s.force(slot + elements(i).column[a]) = last(nodes * i + a);
        });
  }
  void end_step(const View<double>&) override {
    const auto elements = this->batch_.views().elements;
    const View<Vec3> last = last_force_;
    const SystemSlice& s = slice_;
    parallel_for(
        "element_last_force", this->batch_.count(), KOKKOS_LAMBDA(int i) {
          const int slot = s.pattern.item_slot(s.first_item + i);
          for (int a = 0; a < nodes; ++a)
            if (elements(i).column[a] >= 0) last(nodes * i + a) = s.force(slot + elements(i).column[a]);
        });
  }
  void carry_over(StateArchive& archive) override { archive.view("force", last_force_); }

  /// Of the last evaluated configuration.
  double elastic_energy(const View<double>&, double) const override { return this->batch_.energy(at_.x); }

 protected:
  StepPoint at_;  // of the last evaluate()
  SystemSlice slice_;

 private:
  View<Vec3> last_force_;
};

}  // namespace clarke
