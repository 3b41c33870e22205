#pragma once
// Triangles of cloths in stiffness form (-cloth_form stiffness): the same energies as membrane_pool.hpp, but as forces
// in the momentum residual and stiffness in H instead of rows [docs/theory.md, eqs. E21, E15;
// framework/force_items.hpp].
//
//   f_a  = h V P b_a,   P = ∂Ψ'/∂F + β K⁻ Ḟ                                     per node, F at q⁺      [N s]
//   T_ac = h V b_aᵀ (b K + β K⁻) b_c,   K = ∂²Ψ'/∂F²                            per pair of nodes      [kg]
//
// K with its eigenvalues raised to -cloth_least_stiffness times μ, K⁻ that of the start of the step without negative
// ones. Strategies in the velocity alone take cloth in this form only; the converged step is that of the rows.
//
// Bytes per triangle and evaluation: 150 read, 72 written; with linearisation 648 more.

#include "physics/cloth/membrane_pool.hpp"

namespace clarke {

template <class M>
class MembraneForces final : public Contributor {
 public:
  MembraneForces(const Entities& entities, const World& world, const std::vector<int>& cloths,
                 const SoftOptions& options)
      : options_(sheet_options(options)) {
    elements_ = to_device("membrane_elements", membrane_elements(entities, world, cloths, blocks_, names_));
    materials_ = to_device("membrane_materials", sheet_materials<M>(world, cloths));
    count_ = static_cast<int>(elements_.extent(0));
    last_force_ = View<Vec3>("membrane_last_force", 3 * count_);
    if (any_damped(world, cloths)) old_gradient_ = View<SheetGradient>("membrane_old_gradient", count_);
  }

  std::string kind() const override { return "cloth"; }
  void pattern(PatternBuilder& builder) const override {
    for (const auto& blocks : blocks_) builder.add_item(0, blocks);
  }
  std::string item_name(int item) const override { return names_[item]; }

  void begin_step(const StepContext&, const State& state) override { gradients_of(elements_, state.x, old_gradient_); }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override {
    const View<MembraneElement> elements = elements_;
    const View<M> materials = materials_;
    const View<SheetGradient> old = old_gradient_;
    const SystemSlice s = slice;
    const StepPoint at = point;
    const SoftRowOptions options = options_;
    const double h = context.h, b = context.b;
    at_ = point;
    slice_ = slice;
    parallel_for(
        "membrane_forces", count_,
        KOKKOS_LAMBDA(int i) {
          const MembraneElement e = elements(i);
          const M material = materials(e.material);
          const SheetGradient f = sheet_gradient(e, at.x);
          const SheetSpectrum sheet = sheet_spectrum(material, f.f0, f.f1);
          const int item = s.first_item + i, slot = s.pattern.item_slot(item);
          const int k = s.pattern.item_slot(item + 1) - slot;
          s.slip_frame(2 * i) = 1;
          s.slip_frame(2 * i + 1) = 0;
          SheetGradient P{sheet.stress0, sheet.stress1};
          SheetSpectrum before{};
          if (e.damping > 0) {
            before = sheet_spectrum(material, old(i).f0, old(i).f1);
            const SheetGradient viscous = viscous_stress(before, gradient_rate(e, s.pattern, slot, at.u));
            P.f0 += e.damping * viscous.f0, P.f1 += e.damping * viscous.f1;
          }
          for (int a = 0; a < 3; ++a)
            if (e.column[a] >= 0) s.force(slot + e.column[a]) = (h * e.volume) * (e.b[a][0] * P.f0 + e.b[a][1] * P.f1);
          if (!linearise) return;

          Mat3 T[3][3] = {};
          const auto add = [&e, &T](const SheetSpectrum& of, int mode, double stiffness) {
            Vec3 along[3];  // the mode's force on each node
            for (int a = 0; a < 3; ++a) along[a] = e.b[a][0] * of.q0[mode] + e.b[a][1] * of.q1[mode];
            for (int a = 0; a < 3; ++a)
              for (int c = 0; c < 3; ++c) T[a][c] = T[a][c] + stiffness * outer(along[a], along[c]);
          };
          for (int mode = 0; mode < SheetSpectrum::kModes; ++mode) {
            add(sheet, mode, h * e.volume * b * options.projected(sheet.value[mode], material.mu));
            if (e.damping > 0) add(before, mode, h * e.volume * e.damping * std::fmax(before.value[mode], 0.0));
          }
          const int tangent = s.item_tangent(item);
          for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c)
              if (e.column[a] >= 0 && e.column[c] >= 0) s.tangent(tangent + k * e.column[a] + e.column[c]) = T[a][c];
        },
        1200);
  }

  /// Those at the end of the last step; none before the first, as with rows.
  void start_force(const SystemSlice& slice) override {
    const View<MembraneElement> elements = elements_;
    const View<Vec3> last = last_force_;
    const SystemSlice s = slice;
    parallel_for(
        "membrane_start_force", count_, KOKKOS_LAMBDA(int i) {
          const int slot = s.pattern.item_slot(s.first_item + i);
          for (int a = 0; a < 3; ++a)
            if (elements(i).column[a] >= 0) s.force(slot + elements(i).column[a]) = last(3 * i + a);
        });
  }
  void end_step(const View<double>&) override {
    const View<MembraneElement> elements = elements_;
    const View<Vec3> last = last_force_;
    const SystemSlice s = slice_;
    parallel_for(
        "membrane_last_force", count_, KOKKOS_LAMBDA(int i) {
          const int slot = s.pattern.item_slot(s.first_item + i);
          for (int a = 0; a < 3; ++a)
            if (elements(i).column[a] >= 0) last(3 * i + a) = s.force(slot + elements(i).column[a]);
        });
  }
  void carry_over(StateArchive& archive) override { archive.view("force", last_force_); }

  double elastic_energy(const View<double>&, double) const override {
    return membrane_energy(elements_, materials_, at_.x, scratch_);
  }

  double step_potential(const StepContext& context) const override {
    const View<MembraneElement> elements = elements_;
    const View<M> materials = materials_;
    const View<SheetGradient> old = old_gradient_;
    const StepPoint at = at_;
    const SystemSlice s = slice_;
    const double h = context.h, b = context.b;
    double sum[1];
    deterministic_sum<1>(
        "membrane_potential", count_,
        KOKKOS_LAMBDA(int i) {
          const MembraneElement e = elements(i);
          const M material = materials(e.material);
          const SheetGradient f = sheet_gradient(e, at.x);
          double out = h / b * e.volume * sheet_spectrum(material, f.f0, f.f1).energy;
          if (e.damping > 0) {
            const SheetGradient rate = gradient_rate(e, s.pattern, s.pattern.item_slot(s.first_item + i), at.u);
            const SheetGradient P = viscous_stress(sheet_spectrum(material, old(i).f0, old(i).f1), rate);
            out += 0.5 * h * e.volume * e.damping * (dot(P.f0, rate.f0) + dot(P.f1, rate.f1));
          }
          return Kokkos::Array<double, 1>{out};
        },
        scratch_, sum);
    return sum[0];
  }

 private:
  SoftRowOptions options_;
  std::vector<std::vector<int>> blocks_;
  std::vector<std::string> names_;
  int count_ = 0;
  View<MembraneElement> elements_;
  View<M> materials_;
  View<SheetGradient> old_gradient_;  // F at the start of the step; of no size unless a cloth is damped
  View<Vec3> last_force_;
  StepPoint at_;  // of the last evaluate()
  SystemSlice slice_;
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
