#pragma once
// All elements of soft bodies of one material and one row form, as a contributor: an item per tetrahedron whose four
// nodes are particles [docs/theory.md, eqs. E9 to E12; rows/soft_rows.hpp].
//
//   J_k = ℓ B_k b_a   per node a; nodes that are fixed have no column, elements of fixed nodes only no row
//   velocity error    |Λ + h ℓ² (σ + β ∂²Ψ ċ)| / (1/W + 2 μ ℓ h (b + β)) [m/s]: the change of velocity if the row's own
//                     impulse were put right; W its Delassus diagonal. Without the projection, for the verdict.
//
// Bytes per element and evaluation: 280 read (element, four nodes), 1.6 kB written by nine rows with linearisation.

#include "physics/soft/element_contributor.hpp"
#include "physics/soft/soft_batch.hpp"

namespace clarke {

template <class M, class Form>
class SoftPool final : public ElementRows<SoftBatch<M>, Form::kRows> {
  using Base = ElementRows<SoftBatch<M>, Form::kRows>;
  using Base::batch_, Base::rows_, Base::x_;

 public:
  static constexpr int m = Form::kRows;

  SoftPool(const Entities& entities, const World& world, const std::vector<int>& bodies, const SoftOptions& options)
      : Base("soft", {entities, world, bodies}), options_(row_options(options)) {}

  std::string kind() const override { return "soft"; }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override {
    bind_rows(rows_, point, slice);
    rows_.velocity = slice.residual;  // v = E off is what the law has zero
    const SoftElementViews<M> all = batch_.views();
    const View<double> error = rows_.unprojected;
    const SystemSlice& s = slice;
    const StepPoint at = point;
    const SoftRowOptions options = options_;
    const double h = context.h, b = context.b;
    x_ = point.x;
    parallel_for(
        "soft_rows", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = all.elements(i);
          const Activated<M> material = all.material(e);
          const Viscosity viscosity = all.viscosity(e, i);
          SoftRows<m> rows;
          // The residual needs the compliance too: v = E (Λ + …), so it is made at every evaluation.
          Form::evaluate(material, deformation_gradient(e, at.x), viscosity, true, options, rows);
          const int item = s.first_item + i, row = i * m;
          const int columns = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item);
          const int v = s.pattern.item_value(item);
          for (int k = 0; k < m; ++k)
            for (int a = 0; a < 4; ++a)
              if (e.column[a] >= 0) s.jacobian(v + k * columns + e.column[a]) = e.size * (rows.basis[k] * e.b[a]);
          double off[m];  // Λ + h ℓ² (σ + β ∂²Ψ ċ): how far the impulse is from its law [N s]
          for (int k = 0; k < m; ++k) off[k] = at.impulse(s.first_row + row + k) + h * e.size * e.size * rows.stress[k];
          if (e.damping > 0) {
            double rate[m], viscous[m];
            for (int k = 0; k < m; ++k) rate[k] = row_product(s.pattern, s.jacobian, at.u, item, k) / e.size;
            Form::viscous_stress(material, all.old(i), rate, viscous);
            for (int k = 0; k < m; ++k) off[k] += h * e.size * e.size * e.damping * viscous[k];
          }
          const double scale = 1 / (h * (b + e.damping) * e.size);
          write_elastic_rows<m>(s, error, i, scale, rows.compliance, off, 2 * (material.mu + viscosity.rate),
                                linearise);
        },
        2000);
  }

  /// G of the form, at the impulses of the law: with those of an iterate a quotient of equal stretches would be
  /// infinite [eq. E20].
  void geometric_stiffness(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                           const View<Mat3>& stiffness) override {
    if (!Form::kGeometric) return;
    const SoftElementViews<M> all = batch_.views();
    const View<Mat3> out = stiffness;
    const SystemSlice& s = slice;
    const StepPoint at = point;
    const double hb = context.h * context.b;
    parallel_for(
        "soft_geometric_stiffness", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = all.elements(i);
          const Mat3 f = deformation_gradient(e, at.x);
          const int first = s.pattern.item_slot(s.first_item + i);
          for (int a = 0; a < 4; ++a) {
            if (e.column[a] < 0) continue;
            const int slot = first + e.column[a];
            out(slot) = out(slot) + positive_part(hb * e.volume * Form::geometric(all.material(e), f, e.b[a]));
          }
        },
        3000);
  }

 private:
  SoftRowOptions options_;
};

}  // namespace clarke
