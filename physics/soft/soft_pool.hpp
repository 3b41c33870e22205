#pragma once
// All elements of soft bodies of one material and one row form, as a contributor: an item per tetrahedron whose four nodes are
// particles [docs/theory.md, eqs. E9 to E12; rows/soft_rows.hpp].
//
//   F = Σ_a x_a b_aᵀ       b_1..3 the rows of [X_1−X_0  X_2−X_0  X_3−X_0]⁻¹, b_0 = −b_1 − b_2 − b_3     [1/m]
//   J_k = ℓ B_k b_a        per node a; nodes that are fixed have no column, elements of fixed nodes only no row
//   velocity error         |Λ + h ℓ² (σ + β ∂²Ψ ċ)| / (1/W + 2 μ ℓ h (b + β))    [m/s]: what the row's own impulse, put right,
//                          would change; W its effective mass. Without the projection, for the verdict.
//
// Bytes per element and evaluation: 232 read (element, four nodes), 1.6 kB written by nine rows with linearisation.

#include "physics/soft/material_type.hpp"
#include "physics/soft/rows/soft_rows.hpp"
#include "physics/world.hpp"

namespace clarke {

struct TetElement {
  int node[4];    // entities
  int column[4];  // of the item in the pattern, -1: fixed
  Vec3 b[4];      // [1/m]
  double volume;  // [m³] at rest
  double size;    // ℓ [m]
  double damping; // β [s]
  double viscosity;  // η [Pa s]
  double mass;    // ρ V [kg]
  int material;   // index into the pool's materials
};

KOKKOS_INLINE_FUNCTION Mat3 deformation_gradient(const TetElement& e, const View<Vec3>& x) {
  Mat3 f{};
  for (int a = 0; a < 4; ++a) f = f + outer(x(e.node[a]), e.b[a]);
  return f;
}

/// F of every element at positions x.
void old_deformation_gradients(const View<TetElement>& elements, const View<Vec3>& x, const View<Mat3>& out);
/// Forces are those of the end of a step: throws InputError for an integrator at velocity level.
void refuse_velocity_level(const StepContext& context);
/// Throws InputError for options that contradict each other.
SoftRowOptions row_options(const SoftOptions& options);

/// One per body.
template <class M>
std::vector<M> soft_materials(const World& world, const std::vector<int>& bodies) {
  std::vector<M> out;
  for (const int body : bodies) {
    const SoftDescription& d = world.softs[body];
    out.push_back(M::from(lame(d.young, d.poisson, "soft body '" + d.name + "'")));
  }
  return out;
}

/// Σ V Ψ
template <class M>
double soft_energy(const View<TetElement>& elements, const View<M>& materials, const View<Vec3>& positions, SumScratch<1>& scratch) {
  const View<TetElement> all = elements;
  const View<M> of = materials;
  const View<Vec3> x = positions;
  double sum[1];
  deterministic_sum<1>(
      "soft_energy", static_cast<int>(all.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const TetElement e = all(i);
        return Kokkos::Array<double, 1>{e.volume * of(e.material).energy(deformation_gradient(e, x))};
      },
      scratch, sum);
  return sum[0];
}

/// The elements of `bodies` that can move, with `column` filled; `blocks`: per element the velocity blocks of its free nodes; `name`:
/// "bar element 12".
std::vector<TetElement> soft_elements(const Entities& entities, const World& world, const std::vector<int>& bodies,
                                      std::vector<std::vector<int>>& blocks, std::vector<std::string>& names);

template <class M, class Form>
class SoftPool final : public Contributor {
 public:
  static constexpr int m = Form::kRows;

  SoftPool(const Entities& entities, const World& world, const std::vector<int>& bodies, const SoftOptions& options)
      : options_(row_options(options)) {
    elements_ = to_device("tet_elements", soft_elements(entities, world, bodies, blocks_, names_));
    for (const int body : bodies) damped_ = damped_ || world.softs[body].damping > 0 || world.softs[body].viscosity > 0;
    materials_ = to_device("soft_materials", soft_materials<M>(world, bodies));
    count_ = static_cast<int>(elements_.extent(0));
    last_impulse_ = View<double>("soft_last_impulse", m * count_);
    rows_.velocity = View<double>("soft_velocity_error", m * count_);
    if (damped_) old_gradient_ = View<Mat3>("soft_old_gradient", count_);
  }

  std::string kind() const override { return "soft"; }
  bool coupled() const override { return true; }
  void pattern(PatternBuilder& builder) const override {
    for (const auto& blocks : blocks_) builder.add_item(m, blocks);
  }
  std::string item_name(int item) const override { return names_[item]; }
  const ElasticRows* elastic_rows() const override { return &rows_; }
  void warm_start(const View<double>& impulse) override { Kokkos::deep_copy(impulse, last_impulse_); }
  void end_step(const View<double>& impulse) override { Kokkos::deep_copy(last_impulse_, impulse); }

  void begin_step(const StepContext& context, const State& state) override {
    refuse_velocity_level(context);
    if (damped_) old_deformation_gradients(elements_, state.x, old_gradient_);
  }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                bool linearise) override {
    const View<TetElement> elements = elements_;
    const View<M> materials = materials_;
    const View<Mat3> old = old_gradient_;
    const View<double> error = rows_.velocity;
    const SystemSlice s = slice;
    const StepPoint at = point;
    const SoftRowOptions options = options_;
    const double h = context.h, b = context.b;
    const bool damped = damped_;
    x_ = point.x;
    parallel_for(
        "soft_rows", count_,
        KOKKOS_LAMBDA(int i) {
          const TetElement e = elements(i);
          const M material = materials(e.material);
          SoftRows<m> rows;
          // The residual needs the compliance too: F = E (Λ + …), so it is made at every evaluation.
          const Viscosity viscosity{e.viscosity / b, damped ? old(i) : Mat3{}};
          Form::evaluate(material, deformation_gradient(e, at.x), viscosity, true, options, rows);
          const int item = s.first_item + i, row = i * m;
          const int columns = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item);
          const int v = s.pattern.item_value(item);
          for (int k = 0; k < m; ++k)
            for (int a = 0; a < 4; ++a)
              if (e.column[a] >= 0) s.jacobian(v + k * columns + e.column[a]) = e.size * (rows.basis[k] * e.b[a]);
          double off[m];  // Λ + h ℓ² (σ + β ∂²Ψ ċ): how far the impulse is from its law [N s]
          for (int k = 0; k < m; ++k)
            off[k] = at.impulse(s.first_row + row + k) + h * e.size * e.size * rows.stress[k];
          if (e.damping > 0) {
            double rate[m], viscous[m];
            for (int k = 0; k < m; ++k) rate[k] = row_product(s.pattern, s.jacobian, at.u, item, k) / e.size;
            Form::viscous_stress(material, old(i), rate, viscous);
            for (int k = 0; k < m; ++k) off[k] += h * e.size * e.size * e.damping * viscous[k];
          }
          const double scale = 1 / (h * (b + e.damping) * e.size);
          for (int k = 0; k < m; ++k) {
            double sum = 0;
            for (int l = 0; l < m; ++l) sum += rows.compliance[m * k + l] * off[l];
            s.residual(row + k) = scale * sum;
            const double mass = s.effective_mass(row + k) > 0 ? 1 / s.effective_mass(row + k) : INFINITY;
            error(row + k) = off[k] / (mass + 2 * (material.mu + viscosity.rate) / scale);
            s.a(row + k) = 1;
            s.b(row + k) = scale * rows.compliance[m * k + k];
          }
          s.turn(2 * i) = 1;
          s.turn(2 * i + 1) = 0;
          s.safeguard_bits(i) = 0;
          if (!linearise) return;
          const int q = s.pattern.item_square(item);
          for (int k = 0; k < m * m; ++k) {
            s.B(q + k) = scale * rows.compliance[k];
            if (s.A.extent(0) > 0) s.A(q + k) = k % (m + 1) == 0;
          }
        },
        2000);
  }

  /// Σ V Ψ of the last evaluated configuration.
  double elastic_energy(const View<double>&, double) const override {
    return soft_energy(elements_, materials_, x_, scratch_);
  }

 private:
  SoftRowOptions options_;
  std::vector<std::vector<int>> blocks_;
  std::vector<std::string> names_;
  int count_ = 0;
  bool damped_ = false;
  View<TetElement> elements_;
  View<M> materials_;
  View<Mat3> old_gradient_;  // F at the start of the step, where there is damping or viscosity
  View<double> last_impulse_;
  View<Vec3> x_;
  ElasticRows rows_;
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
