#pragma once
// All triangles of cloths of one material as a contributor: an item per triangle, whose rows are the six entries of F
// [docs/theory.md, eqs. E21, E22].
//
//   F = Σ_a x_a b_aᵀ (3 × 2)     b_a [1/m] the gradients of the shape functions in the sheet at rest
//   constraint   ℓ F_ij, ℓ = √A,     J_a = ℓ b_aj e_i, constant
//   law          Λ = −h (V/ℓ) (P + β K⁻ Ḟ),   V = t A                               so that JᵀΛ = −h V ∂Ψ'/∂x
//   row          v = E (Λ + h (V/ℓ) (P + β K⁻ Ḟ)),   E = ℓ² K₊⁻¹/(h (b + β) V),   K = ∂²Ψ'/∂F²                  [m/s]
//
// J is constant, so there is no geometric stiffness: it is in K, exact where the sheet is under tension. Across a slack
// sheet K is nothing, and must be something: eigenvalues are raised to -cloth_least_stiffness times μ, small beside
// M/h² even at 1e10 N/m.
//
// Bytes per triangle and evaluation: 150 read, 720 written with linearisation.

#include "physics/cloth/membrane_batch.hpp"
#include "physics/soft/element_contributor.hpp"

namespace clarke {

template <class M>
class MembranePool final : public ElementRows<MembraneBatch<M>, SheetSpectrum::kModes> {
  using Base = ElementRows<MembraneBatch<M>, SheetSpectrum::kModes>;
  using Base::batch_, Base::rows_, Base::x_;

 public:
  static constexpr int m = SheetSpectrum::kModes;

  MembranePool(const Entities& entities, const World& world, const std::vector<int>& cloths, const SoftOptions& options)
      : Base("membrane", {entities, world, cloths}), options_(membrane_row_options(options)) {}

  std::string kind() const override { return "cloth"; }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override {
    bind_rows(rows_, point, slice);
    rows_.velocity = slice.residual;  // v = E off is what the law has zero
    const MembraneViews<M> all = batch_.views();
    const View<double> error = rows_.unprojected;
    const SystemSlice& s = slice;
    const StepPoint at = point;
    const SoftRowOptions options = options_;
    const double h = context.h, b = context.b;
    x_ = point.x;
    parallel_for(
        "membrane_rows", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const MembraneElement e = all.elements(i);
          const M material = all.materials(e.material);
          const SheetGradient f = sheet_gradient(e, at.x);
          const SheetSpectrum sheet = sheet_spectrum(material, f.f0, f.f1);
          const int item = s.first_item + i, row = i * m;
          const int columns = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item);
          const int v = s.pattern.item_value(item);
          for (int k = 0; k < m; ++k)  // row 2 i + j is F_ij
            for (int a = 0; a < 3; ++a) {
              if (e.column[a] < 0) continue;
              Vec3 J{};
              J[k / 2] = e.size * e.b[a][k % 2];
              s.jacobian(v + k * columns + e.column[a]) = J;
            }
          const double arm = e.volume / e.size;  // V/ℓ [m²]
          double off[m];                         // how far the impulse is from its law [N s]
          for (int k = 0; k < m; ++k)
            off[k] = at.impulse(s.first_row + row + k) + h * arm * (k % 2 == 0 ? sheet.stress0 : sheet.stress1)[k / 2];
          if (e.damping > 0) {
            SheetGradient rate;  // Ḟ
            for (int k = 0; k < m; ++k)
              (k % 2 == 0 ? rate.f0 : rate.f1)[k / 2] = row_product(s.pattern, s.jacobian, at.u, item, k) / e.size;
            const SheetGradient viscous = viscous_stress(sheet_spectrum(material, all.old(i).f0, all.old(i).f1), rate);
            for (int k = 0; k < m; ++k) off[k] += h * arm * e.damping * (k % 2 == 0 ? viscous.f0 : viscous.f1)[k / 2];
          }
          const double scale = e.size * e.size / (h * (b + e.damping) * e.volume), mu = material.mu;
          double compliance[m * m];
          for (int k = 0; k < m * m; ++k) compliance[k] = 0;
          for (int mode = 0; mode < m; ++mode) {
            const double value = 1 / options.projected(sheet.value[mode], mu);
            for (int k = 0; k < m; ++k)
              for (int l = k; l < m; ++l)
                compliance[m * k + l] += value * (k % 2 == 0 ? sheet.q0 : sheet.q1)[mode][k / 2] *
                                         (l % 2 == 0 ? sheet.q0 : sheet.q1)[mode][l / 2];
          }
          for (int k = 0; k < m; ++k)
            for (int l = 0; l < k; ++l) compliance[m * k + l] = compliance[m * l + k];
          write_elastic_rows<m>(s, error, i, scale, compliance, off, 2 * mu, linearise);
        },
        1200);
  }

 private:
  SoftRowOptions options_;
};

}  // namespace clarke
