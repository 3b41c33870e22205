#pragma once
// All triangles of cloths of one material as a contributor: an item per triangle, whose rows are its three strains of Green
// [docs/theory.md, eqs. E21, E22].
//
//   F = Σ_a x_a b_aᵀ (3 × 2),   c = (G₁₁, G₂₂, √2 G₁₂),   G = (FᵀF − 1)/2            b_a the gradients of the shape functions [1/m]
//   constraint   ℓ c, ℓ = √A,     J_ka = ℓ ∂c_k/∂x_a:   f₀ b_a0,   f₁ b_a1,   (f₀ b_a1 + f₁ b_a0)/√2
//   law          Λ = −h (V/ℓ) (S + β K⁻ ċ),   V = t A                                so that JᵀΛ = −h V ∂Ψ'/∂x
//   row          F = E (Λ + h (V/ℓ) (S + β K⁻ ċ)),   E = ℓ² K₊⁻¹/(h (b + β) V),   K = ∂S/∂G                      [m/s]
//   geometric    per node   −b ℓ (Λ₁ b_a0² + Λ₂ b_a1² + √2 Λ₃ b_a0 b_a1) 1, where positive   [eq. G2]
//
// The rows say nothing of motion across the sheet, which costs energy only in second order: a stiff sheet under tension wants
// -geometric_stiffness. Rows in F, as of solids, would have a least stiffness across the sheet, and at 1e10 N/m it could not move.

#include "framework/contributor.hpp"
#include "physics/cloth/plane_stress.hpp"
#include "physics/soft/rows/soft_rows.hpp"
#include "physics/soft/soft_options.hpp"
#include "physics/world.hpp"

namespace clarke {

struct MembraneElement {
  int node[3];      // entities
  int column[3];    // of the item in the pattern, -1: fixed
  double b[3][2];   // [1/m]
  double volume;    // [m³] at rest
  double size;      // ℓ [m]
  double damping;   // β [s]
  int material;     // index into the pool's materials
};

struct SheetGradient {
  Vec3 f0{}, f1{};
};
KOKKOS_INLINE_FUNCTION SheetGradient sheet_gradient(const MembraneElement& e, const View<Vec3>& x) {
  SheetGradient f;
  for (int a = 0; a < 3; ++a) {
    f.f0 += e.b[a][0] * x(e.node[a]);
    f.f1 += e.b[a][1] * x(e.node[a]);
  }
  return f;
}

/// K₊⁻¹: eigenvalues as the options say.
KOKKOS_INLINE_FUNCTION Mat3 projected_inverse(const Mat3& slope, const SoftRowOptions& options, double mu) {
  const SymmetricEigen e = symmetric_eigen(slope);
  Mat3 out{};
  for (int k = 0; k < 3; ++k) {
    const Vec3 w{e.vectors(0, k), e.vectors(1, k), e.vectors(2, k)};
    out = out + 1 / options.projected(e.values[k], mu) * outer(w, w);
  }
  return out;
}

/// The triangles of the given cloths of the world that can move; as soft_elements().
std::vector<MembraneElement> membrane_elements(const Entities& entities, const World& world, const std::vector<int>& cloths,
                                               std::vector<std::vector<int>>& blocks, std::vector<std::string>& names);

template <class M>
class MembranePool final : public Contributor {
 public:
  static constexpr int m = 3;

  MembranePool(const Entities& entities, const World& world, const std::vector<int>& cloths, const SoftOptions& options)
      : options_{options.least_stiffness, options.projection == "absolute", false, true} {
    elements_ = to_device("membrane_elements", membrane_elements(entities, world, cloths, blocks_, names_));
    std::vector<M> materials;
    for (const int c : cloths) {
      const ClothDescription& d = world.cloths[c];
      materials.push_back(M::from(lame(d.young, d.poisson, "cloth '" + d.name + "'")));
    }
    materials_ = to_device("membrane_materials", materials);
    count_ = static_cast<int>(elements_.extent(0));
    last_impulse_ = View<double>("membrane_last_impulse", m * count_);
    rows_.velocity = View<double>("membrane_velocity_error", m * count_);
    old_gradient_ = View<SheetGradient>("membrane_old_gradient", count_);
  }

  std::string kind() const override { return "cloth"; }
  bool coupled() const override { return true; }
  void pattern(PatternBuilder& builder) const override {
    for (const auto& blocks : blocks_) builder.add_item(m, blocks);
  }
  std::string item_name(int item) const override { return names_[item]; }
  const ElasticRows* elastic_rows() const override { return &rows_; }
  void warm_start(const View<double>& impulse) override { Kokkos::deep_copy(impulse, last_impulse_); }
  void end_step(const View<double>& impulse) override { Kokkos::deep_copy(last_impulse_, impulse); }

  void begin_step(const StepContext& context, const State& state) override {
    if (context.velocity_level)
      throw InputError("cloth needs an integrator that evaluates forces at the end of the step: expected "
                       "-integrator implicit_euler");
    const View<MembraneElement> elements = elements_;
    const View<SheetGradient> old = old_gradient_;
    const View<Vec3> x = state.x;
    parallel_for(
        "membrane_old_gradient", count_, KOKKOS_LAMBDA(int i) { old(i) = sheet_gradient(elements(i), x); }, 30);
  }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override {
    const View<MembraneElement> elements = elements_;
    const View<M> materials = materials_;
    const View<SheetGradient> old = old_gradient_;
    const View<double> error = rows_.velocity;
    const SystemSlice s = slice;
    const StepPoint at = point;
    const SoftRowOptions options = options_;
    const double h = context.h, b = context.b;
    x_ = point.x;
    parallel_for(
        "membrane_rows", count_,
        KOKKOS_LAMBDA(int i) {
          constexpr double kRootHalf = 0.70710678118654752;
          const MembraneElement e = elements(i);
          const M material = materials(e.material);
          const SheetGradient f = sheet_gradient(e, at.x);
          const SheetStress sheet = sheet_stress(material, f.f0, f.f1);
          const int item = s.first_item + i, row = i * m;
          const int columns = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item);
          const int v = s.pattern.item_value(item);
          for (int a = 0; a < 3; ++a) {
            if (e.column[a] < 0) continue;
            s.jacobian(v + e.column[a]) = e.size * e.b[a][0] * f.f0;
            s.jacobian(v + columns + e.column[a]) = e.size * e.b[a][1] * f.f1;
            s.jacobian(v + 2 * columns + e.column[a]) = e.size * kRootHalf * (e.b[a][1] * f.f0 + e.b[a][0] * f.f1);
          }
          const double arm = e.volume / e.size;  // V/ℓ [m²]
          Vec3 off;  // how far the impulse is from its law [N s]
          for (int k = 0; k < m; ++k) off[k] = at.impulse(s.first_row + row + k) + h * arm * sheet.stress[k];
          if (e.damping > 0) {
            Vec3 rate;
            for (int k = 0; k < m; ++k) rate[k] = row_product(s.pattern, s.jacobian, at.u, item, k) / e.size;
            off += h * arm * e.damping * (positive_part(sheet_stress(material, old(i).f0, old(i).f1).slope) * rate);
          }
          const double scale = e.size * e.size / (h * (b + e.damping) * e.volume), mu = material.mu;
          const Mat3 compliance = projected_inverse(sheet.slope, options, mu);
          const Vec3 residual = scale * (compliance * off);
          for (int k = 0; k < m; ++k) {
            s.residual(row + k) = residual[k];
            const double mass = s.effective_mass(row + k) > 0 ? 1 / s.effective_mass(row + k) : INFINITY;
            error(row + k) = off[k] / (mass + 2 * mu / scale);
            s.a(row + k) = 1;
            s.b(row + k) = scale * compliance(k, k);
          }
          s.turn(2 * i) = 1;
          s.turn(2 * i + 1) = 0;
          s.safeguard_bits(i) = 0;
          if (!linearise) return;
          const int q = s.pattern.item_square(item);
          for (int k = 0; k < m; ++k)
            for (int l = 0; l < m; ++l) {
              s.B(q + m * k + l) = scale * compliance(k < l ? k : l, k < l ? l : k);
              if (s.A.extent(0) > 0) s.A(q + m * k + l) = k == l;
            }
        },
        700);
  }

  void geometric_stiffness(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                           const View<Mat3>& stiffness) override {
    const View<MembraneElement> elements = elements_;
    const View<Mat3> out = stiffness;
    const SystemSlice s = slice;
    const StepPoint at = point;
    const double b = context.b;
    parallel_for(
        "membrane_geometric_stiffness", count_,
        KOKKOS_LAMBDA(int i) {
          constexpr double kRoot = 1.4142135623730951;
          const MembraneElement e = elements(i);
          const int first = s.pattern.item_slot(s.first_item + i), row = s.first_row + m * i;
          for (int a = 0; a < 3; ++a) {
            if (e.column[a] < 0) continue;
            const double b0 = e.b[a][0], b1 = e.b[a][1];
            const double K = e.size * (at.impulse(row) * b0 * b0 + at.impulse(row + 1) * b1 * b1 +
                                       kRoot * at.impulse(row + 2) * b0 * b1);
            const double k = std::fmax(-b * K, 0.0);
            out(first + e.column[a]) = out(first + e.column[a]) + Mat3::diagonal(k, k, k);
          }
        },
        60);
  }

  /// Σ V Ψ' of the last evaluated configuration.
  double elastic_energy(const View<double>&, double) const override {
    const View<MembraneElement> elements = elements_;
    const View<M> materials = materials_;
    const View<Vec3> x = x_;
    double sum[1];
    deterministic_sum<1>(
        "membrane_energy", count_,
        KOKKOS_LAMBDA(int i) {
          const MembraneElement e = elements(i);
          const SheetGradient f = sheet_gradient(e, x);
          return Kokkos::Array<double, 1>{e.volume * sheet_stress(materials(e.material), f.f0, f.f1).energy};
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
  View<SheetGradient> old_gradient_;  // F at the start of the step
  View<double> last_impulse_;
  View<Vec3> x_;
  ElasticRows rows_;
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
