#pragma once
// Triangles of cloths in stiffness form (-cloth_form stiffness): the same energies as membrane_pool.hpp, but as forces
// in the momentum residual and stiffness in H instead of rows [docs/theory.md, eq. E22; framework/force_items.hpp].
//
//   f_a  = h V (P + β K⁻ Ḟ) b_a,   P = ∂Ψ'/∂F, F at q⁺                                per node              [N s]
//   T_ac = h V Σ_n (b [κ_n] (q_n b_a)(q_n b_c)ᵀ + β [κ⁻_n]₊ (q⁻_n b_a)(q⁻_n b_c)ᵀ)    per pair of nodes     [kg]
//
// (κ_n, q_n) are the six eigenpairs of K = ∂²Ψ'/∂F² (plane_stress.hpp), those with a minus at the start of the step.
// [κ] is projected as -soft_projection says, with -cloth_least_stiffness. Strategies in the velocity alone take cloth
// in this form only. Unlike rows, forces have a potential, which a step length can lower: a sheet that wrinkles has
// many equilibria, and rows are slow to find one.
//
// Bytes per triangle and evaluation: 200 read (element, three nodes), 72 written; with linearisation 648 more.

#include "physics/cloth/membrane_batch.hpp"
#include "physics/soft/element_contributor.hpp"

namespace clarke {

template <class M>
class MembraneForces final : public ElementForces<MembraneBatch<M>, 3> {
  using Base = ElementForces<MembraneBatch<M>, 3>;
  using Base::batch_, Base::at_, Base::slice_;

 public:
  static constexpr int kModes = SheetSpectrum::kModes;

  MembraneForces(const Entities& entities, const World& world, const std::vector<int>& cloths,
                 const SoftOptions& options)
      : Base("membrane", {entities, world, cloths}),
        options_(membrane_row_options(options)),
        projection_none_(options_.exact) {}

  void set_exact_tangents(bool on) override { options_.exact = on || projection_none_; }

  std::string kind() const override { return "cloth"; }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override {
    const MembraneViews<M> all = batch_.views();
    const SystemSlice& s = slice;
    const StepPoint at = point;
    const SoftRowOptions options = options_;
    const double h = context.h, b = context.b;
    at_ = point;
    slice_ = slice;
    parallel_for(
        "membrane_forces", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const MembraneElement e = all.elements(i);
          const M material = all.materials(e.material);
          const SheetGradient f = sheet_gradient(e, at.x);
          const SheetSpectrum sheet = sheet_spectrum(material, f.f0, f.f1);
          const int item = s.first_item + i, slot = s.pattern.item_slot(item);
          const int k = s.pattern.item_slot(item + 1) - slot;
          s.slip_frame(2 * i) = 1;
          s.slip_frame(2 * i + 1) = 0;
          SheetGradient stress{sheet.stress0, sheet.stress1};
          SheetSpectrum before{};
          if (e.damping > 0) {
            before = sheet_spectrum(material, all.old(i).f0, all.old(i).f1);
            const SheetGradient viscous = viscous_stress(before, rate_of(e, s.pattern, slot, at.u));
            stress.f0 += e.damping * viscous.f0;
            stress.f1 += e.damping * viscous.f1;
          }
          for (int a = 0; a < 3; ++a)
            if (e.column[a] >= 0)
              s.force(slot + e.column[a]) = (h * e.volume) * (e.b[a][0] * stress.f0 + e.b[a][1] * stress.f1);
          if (!linearise) return;

          const int tangent = s.item_tangent(item);
          for (int a = 0; a < 3; ++a)
            for (int c = 0; c < 3; ++c)
              if (e.column[a] >= 0 && e.column[c] >= 0) s.tangent(tangent + k * e.column[a] + e.column[c]) = Mat3{};
          for (int mode = 0; mode < kModes; ++mode) {
            add_mode(e, s, tangent, k, sheet, mode,
                     h * e.volume * b * options.projected(sheet.value[mode], material.mu));
            if (e.damping > 0)
              add_mode(e, s, tangent, k, before, mode, h * e.volume * e.damping * std::fmax(before.value[mode], 0.0));
          }
        },
        1500);
  }

  /// Σ h V (Ψ'/b + ½ β Ḟ : K⁻ Ḟ), whose gradient in u is f.
  double step_potential(const StepContext& context) const override {
    const MembraneViews<M> all = batch_.views();
    const StepPoint at = at_;
    const SystemSlice& s = slice_;
    const double h = context.h, b = context.b;
    double sum[1];
    deterministic_sum<1>(
        "membrane_potential", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const MembraneElement e = all.elements(i);
          const M material = all.materials(e.material);
          const SheetGradient f = sheet_gradient(e, at.x);
          double density = sheet_spectrum(material, f.f0, f.f1).energy / b;
          if (e.damping > 0) {
            const SheetGradient rate = rate_of(e, s.pattern, s.pattern.item_slot(s.first_item + i), at.u);
            const SheetGradient viscous = viscous_stress(sheet_spectrum(material, all.old(i).f0, all.old(i).f1), rate);
            density += 0.5 * e.damping * (dot(viscous.f0, rate.f0) + dot(viscous.f1, rate.f1));
          }
          return Kokkos::Array<double, 1>{h * e.volume * density};
        },
        scratch_, sum);
    return sum[0];
  }

 private:
  /// Ḟ [1/s].
  KOKKOS_INLINE_FUNCTION static SheetGradient rate_of(const MembraneElement& e, const Pattern& pattern, int slot,
                                                      const View<Vec3>& u) {
    SheetGradient rate;
    for (int a = 0; a < 3; ++a) {
      if (e.column[a] < 0) continue;
      const Vec3 v = u(pattern.slot_block(slot + e.column[a]));
      rate.f0 += e.b[a][0] * v;
      rate.f1 += e.b[a][1] * v;
    }
    return rate;
  }

  /// T_ac += stiffness (q b_a)(q b_c)ᵀ of one mode.
  KOKKOS_INLINE_FUNCTION static void add_mode(const MembraneElement& e, const SystemSlice& s, int tangent, int k,
                                              const SheetSpectrum& sheet, int mode, double stiffness) {
    Vec3 moved[3];  // q b_a [1/m]
    for (int a = 0; a < 3; ++a) moved[a] = e.b[a][0] * sheet.q0[mode] + e.b[a][1] * sheet.q1[mode];
    for (int a = 0; a < 3; ++a)
      for (int c = 0; c < 3; ++c) {
        if (e.column[a] < 0 || e.column[c] < 0) continue;
        Mat3& T = s.tangent(tangent + k * e.column[a] + e.column[c]);
        T = T + outer(stiffness * moved[a], moved[c]);
      }
  }

  SoftRowOptions options_;
  bool projection_none_;
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
