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
  int material;   // index into the pool's materials
};

KOKKOS_INLINE_FUNCTION Mat3 deformation_gradient(const TetElement& e, const View<Vec3>& x) {
  Mat3 f{};
  for (int a = 0; a < 4; ++a) f = f + outer(x(e.node[a]), e.b[a]);
  return f;
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
      : options_{options.least_stiffness, options.projection == "absolute", options.stretch_compliance == "full"} {
    elements_ = to_device("tet_elements", soft_elements(entities, world, bodies, blocks_, names_));
    std::vector<M> materials;
    for (const int body : bodies) {
      const SoftDescription& d = world.softs[body];
      materials.push_back(M::from(lame(d.young, d.poisson, "soft body '" + d.name + "'")));
      damped_ = damped_ || d.damping > 0;
    }
    materials_ = to_device("soft_materials", materials);
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
    if (context.velocity_level)
      throw InputError("soft bodies need an integrator that evaluates forces at the end of the step: expected "
                       "-integrator implicit_euler");
    if (!damped_) return;
    const View<TetElement> elements = elements_;
    const View<Mat3> old = old_gradient_;
    const View<Vec3> x = state.x;
    parallel_for(
        "soft_old_gradient", count_,
        KOKKOS_LAMBDA(int i) { old(i) = deformation_gradient(elements(i), x); }, 60);
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
    x_ = point.x;
    parallel_for(
        "soft_rows", count_,
        KOKKOS_LAMBDA(int i) {
          const TetElement e = elements(i);
          const M material = materials(e.material);
          SoftRows<m> rows;
          // The residual needs the compliance too: F = E (Λ + …), so it is made at every evaluation.
          Form::evaluate(material, deformation_gradient(e, at.x), true, options, rows);
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
            error(row + k) = off[k] / (mass + 2 * material.mu / scale);
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

  /// G of the form, at the impulses of the law: with those of an iterate a quotient of equal stretches would be infinite [eq. E20].
  void geometric_stiffness(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                           const View<Mat3>& stiffness) override {
    if (!Form::kGeometric) return;
    const View<TetElement> elements = elements_;
    const View<M> materials = materials_;
    const View<Mat3> out = stiffness;
    const SystemSlice s = slice;
    const StepPoint at = point;
    const double hb = context.h * context.b;
    parallel_for(
        "soft_geometric_stiffness", count_,
        KOKKOS_LAMBDA(int i) {
          const TetElement e = elements(i);
          const Mat3 f = deformation_gradient(e, at.x);
          const int first = s.pattern.item_slot(s.first_item + i);
          for (int a = 0; a < 4; ++a) {
            if (e.column[a] < 0) continue;
            const int slot = first + e.column[a];
            out(slot) = out(slot) + positive_part(hb * e.volume * Form::geometric(materials(e.material), f, e.b[a]));
          }
        },
        3000);
  }

  /// Σ V Ψ of the last evaluated configuration.
  double elastic_energy(const View<double>&, double) const override {
    const View<TetElement> elements = elements_;
    const View<M> materials = materials_;
    const View<Vec3> x = x_;
    double sum[1];
    deterministic_sum<1>(
        "soft_energy", count_,
        KOKKOS_LAMBDA(int i) {
          const TetElement e = elements(i);
          return Kokkos::Array<double, 1>{e.volume * materials(e.material).energy(deformation_gradient(e, x))};
        },
        scratch_, sum);
    return sum[0];
  }

 private:
  SoftRowOptions options_;
  std::vector<std::vector<int>> blocks_;
  std::vector<std::string> names_;
  int count_ = 0;
  bool damped_ = false;
  View<TetElement> elements_;
  View<M> materials_;
  View<Mat3> old_gradient_;  // F at the start of the step, where there is damping
  View<double> last_impulse_;
  View<Vec3> x_;
  ElasticRows rows_;
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
