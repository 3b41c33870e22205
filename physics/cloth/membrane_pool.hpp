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

#include "framework/contributor.hpp"
#include "framework/state_archive.hpp"
#include "physics/cloth/cloth_options.hpp"
#include "physics/cloth/plane_stress.hpp"
#include "physics/description/world.hpp"
#include "physics/soft/rows/elastic_rows.hpp"
#include "physics/soft/rows/soft_rows.hpp"
#include "physics/soft/soft_options.hpp"

#include <algorithm>

namespace clarke {

struct MembraneElement {
  int node[3];     // entities
  int column[3];   // of the item in the pattern, -1: fixed
  double b[3][2];  // [1/m]
  double volume;   // [m³] at rest
  double size;     // ℓ [m]
  double damping;  // β [s]
  int material;    // index into the pool's materials
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

/// The triangles of the given cloths of the world that can move; as soft_elements().
std::vector<MembraneElement> membrane_elements(const Entities& entities, const World& world,
                                               const std::vector<int>& cloths, std::vector<std::vector<int>>& blocks,
                                               std::vector<std::string>& names);

/// Ḟ from the velocities of the nodes that move, whose slots begin at `slot`.
KOKKOS_INLINE_FUNCTION SheetGradient gradient_rate(const MembraneElement& e, const Pattern& pattern, int slot,
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

/// K⁻ Ḟ with the spectrum at the start of the step.
KOKKOS_INLINE_FUNCTION SheetGradient viscous_stress(const SheetSpectrum& before, const SheetGradient& rate) {
  SheetGradient out;
  for (int mode = 0; mode < SheetSpectrum::kModes; ++mode) {
    const double force =
        std::fmax(before.value[mode], 0.0) * (dot(before.q0[mode], rate.f0) + dot(before.q1[mode], rate.f1));
    out.f0 += force * before.q0[mode];
    out.f1 += force * before.q1[mode];
  }
  return out;
}

/// F of all elements; of none where `out` has no size.
inline void gradients_of(const View<MembraneElement>& elements, const View<Vec3>& position,
                         const View<SheetGradient>& out) {
  const View<MembraneElement> all = elements;
  const View<SheetGradient> to = out;
  const View<Vec3> x = position;
  parallel_for(
      "membrane_old_gradient", static_cast<int>(out.extent(0)),
      KOKKOS_LAMBDA(int i) { to(i) = sheet_gradient(all(i), x); }, 30);
}

inline SoftRowOptions sheet_options(const SoftOptions& options) {
  ClothOptions own;
  read_options(own);
  SoftRowOptions out{1, options.projection == "absolute" || options.projection == "automatic", false, true};
  out.least_stiffness = own.least_stiffness;
  return out;
}

inline bool any_damped(const World& world, const std::vector<int>& cloths) {
  return std::any_of(cloths.begin(), cloths.end(), [&world](int c) { return world.cloths[c].damping > 0; });
}

template <class M>
std::vector<M> sheet_materials(const World& world, const std::vector<int>& cloths) {
  std::vector<M> out;
  for (const int c : cloths) {
    const ClothDescription& d = world.cloths[c];
    out.push_back(M::from(lame(d.young, d.poisson, "cloth '" + d.name + "'", true)));
  }
  return out;
}

/// Σ V Ψ'
template <class M>
double membrane_energy(const View<MembraneElement>& elements, const View<M>& materials, const View<Vec3>& position,
                       SumScratch<1>& scratch) {
  const View<MembraneElement> all = elements;
  const View<M> of = materials;
  const View<Vec3> x = position;
  double sum[1];
  deterministic_sum<1>(
      "membrane_energy", static_cast<int>(all.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const MembraneElement e = all(i);
        const SheetGradient f = sheet_gradient(e, x);
        return Kokkos::Array<double, 1>{e.volume * sheet_spectrum(of(e.material), f.f0, f.f1).energy};
      },
      scratch, sum);
  return sum[0];
}

template <class M>
class MembranePool final : public Contributor {
 public:
  static constexpr int m = SheetSpectrum::kModes;

  MembranePool(const Entities& entities, const World& world, const std::vector<int>& cloths, const SoftOptions& options)
      : options_(sheet_options(options)) {
    elements_ = to_device("membrane_elements", membrane_elements(entities, world, cloths, blocks_, names_));
    materials_ = to_device("membrane_materials", sheet_materials<M>(world, cloths));
    count_ = static_cast<int>(elements_.extent(0));
    last_impulse_ = View<double>("membrane_last_impulse", m * count_);
    rows_.items = count_;
    rows_.rows = m * count_;
    rows_.unprojected = View<double>("membrane_velocity_error", rows_.rows);
    if (any_damped(world, cloths)) old_gradient_ = View<SheetGradient>("membrane_old_gradient", count_);
  }

  std::string kind() const override { return "cloth"; }
  RowTraits traits() const override { return {.dense_compliance = true}; }
  void pattern(PatternBuilder& builder) const override {
    for (const auto& blocks : blocks_) builder.add_item(m, blocks);
  }
  std::string item_name(int item) const override { return names_[item]; }
  const RowSet* rows() const override { return &rows_; }
  void warm_start(const View<double>& impulse) override { Kokkos::deep_copy(impulse, last_impulse_); }
  void end_step(const View<double>& impulse) override { Kokkos::deep_copy(last_impulse_, impulse); }
  void carry_over(StateArchive& archive) override { archive.view("impulse", last_impulse_); }

  void begin_step(const StepContext& context, const State& state) override {
    refuse_velocity_level(context, "cloth");
    gradients_of(elements_, state.x, old_gradient_);
  }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override {
    bind_rows(rows_, point, slice);
    rows_.velocity = slice.residual;  // v = E off is what the law has zero
    const View<MembraneElement> elements = elements_;
    const View<M> materials = materials_;
    const View<SheetGradient> old = old_gradient_;
    const View<double> error = rows_.unprojected;
    const SystemSlice s = slice;
    const StepPoint at = point;
    const SoftRowOptions options = options_;
    const double h = context.h, b = context.b;
    x_ = point.x;
    parallel_for(
        "membrane_rows", count_,
        KOKKOS_LAMBDA(int i) {
          const MembraneElement e = elements(i);
          const M material = materials(e.material);
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
            const SheetGradient viscous = viscous_stress(sheet_spectrum(material, old(i).f0, old(i).f1),
                                                         gradient_rate(e, s.pattern, s.pattern.item_slot(item), at.u));
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

  /// Σ V Ψ' of the last evaluated configuration.
  double elastic_energy(const View<double>&, double) const override {
    return membrane_energy(elements_, materials_, x_, scratch_);
  }

 private:
  SoftRowOptions options_;
  std::vector<std::vector<int>> blocks_;
  std::vector<std::string> names_;
  int count_ = 0;
  View<MembraneElement> elements_;
  View<M> materials_;
  View<SheetGradient> old_gradient_;  // F at the start of the step; of no size unless a cloth is damped
  View<double> last_impulse_;
  View<Vec3> x_;
  RowSet rows_;
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
