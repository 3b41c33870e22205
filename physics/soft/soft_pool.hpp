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

#include "physics/soft/activation.hpp"
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
  int pressure;   // index into the pool's pressures, -1: none
};

KOKKOS_INLINE_FUNCTION Mat3 deformation_gradient(const TetElement& e, const View<Vec3>& x) {
  Mat3 f{};
  for (int a = 0; a < 4; ++a) f = f + outer(x(e.node[a]), e.b[a]);
  return f;
}

/// What a pool is made of.
struct SoftElements {
  std::vector<TetElement> elements;     // those that can move, with `column` filled
  std::vector<std::vector<int>> blocks; // per element: velocity blocks of its free nodes
  std::vector<std::string> names;       // "bar element 12"
  std::vector<Lame> materials;
  std::vector<TimeFunction> pressures;  // [Pa]
  bool damped = false;
};

/// The elements of `bodies` that are of one model.
SoftElements soft_elements(const Entities& entities, const World& world, const std::vector<int>& bodies,
                           const std::string& model);

template <class M, class Form>
class SoftPool final : public Contributor {
 public:
  static constexpr int m = Form::kRows;

  SoftPool(const Entities& entities, const World& world, const std::vector<int>& bodies, const SoftOptions& options)
      : options_{options.least_stiffness, options.projection == "absolute", options.stretch_compliance == "full"} {
    SoftElements all = soft_elements(entities, world, bodies, M::kName);
    elements_ = to_device("tet_elements", all.elements);
    blocks_ = std::move(all.blocks);
    names_ = std::move(all.names);
    damped_ = all.damped;
    std::vector<M> materials;
    for (const Lame& l : all.materials) materials.push_back(M::from(l));
    materials_ = to_device("soft_materials", materials);
    pressure_of_ = std::move(all.pressures);
    pressures_ = View<double>("soft_pressures", pressure_of_.size());
    host_pressures_ = Kokkos::create_mirror_view(pressures_);
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
    for (std::size_t k = 0; k < pressure_of_.size(); ++k) host_pressures_(k) = pressure_of_[k](context.t + context.theta * context.h);
    Kokkos::deep_copy(pressures_, host_pressures_);
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
    const View<double> pressures = pressures_;
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
          const Activated<M> material{materials(e.material), e.pressure < 0 ? 0.0 : pressures(e.pressure)};
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
  std::vector<TimeFunction> pressure_of_;
  View<double> pressures_;  // [Pa] of this step
  View<double>::HostMirror host_pressures_;
  View<Mat3> old_gradient_;  // F at the start of the step, where there is damping
  View<double> last_impulse_;
  View<Vec3> x_;
  ElasticRows rows_;
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
