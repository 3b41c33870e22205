#pragma once
// All elements of soft bodies of one material, whatever their form: rows (soft_pool.hpp) or forces (soft_forces.hpp).
//
//   F = Σ_a x_a b_aᵀ       b_1..3 the rows of [X_1−X_0  X_2−X_0  X_3−X_0]⁻¹, b_0 = −b_1 − b_2 − b_3     [1/m]

#include "physics/description/world.hpp"
#include "physics/soft/activation.hpp"
#include "physics/soft/material_type.hpp"
#include "physics/soft/rows/elastic_rows.hpp"
#include "physics/soft/rows/soft_rows.hpp"

namespace clarke {

struct TetElement {
  int node[4];          // entities
  int column[4];        // of the item in the pattern, -1: fixed
  Vec3 b[4];            // [1/m]
  double volume;        // [m³] at rest
  double size;          // ℓ [m]
  double damping;       // β [s]
  double viscosity;     // η [Pa s]
  double mass;          // ρ V [kg]
  double mass_damping;  // α [1/s]
  int material;         // index into the batch's materials
  int pressure;         // index into the batch's pressures, -1: none
};

KOKKOS_INLINE_FUNCTION Mat3 deformation_gradient(const TetElement& e, const View<Vec3>& x) {
  Mat3 f{};
  for (int a = 0; a < 4; ++a) f = f + outer(x(e.node[a]), e.b[a]);
  return f;
}

/// What a batch is made of, on the host.
struct SoftElements {
  std::vector<TetElement> elements;      // those that can move, with `column` filled
  std::vector<std::vector<int>> blocks;  // per element: velocity blocks of its free nodes
  std::vector<std::string> names;        // "bar element 12"
  std::vector<Lame> materials;
  std::vector<TimeFunction> pressures;  // [Pa]
  bool remembers = false;               // some element has damping or viscosity
};

/// The elements of `bodies` that are of one model.
SoftElements soft_elements(const Entities& entities, const World& world, const std::vector<int>& bodies,
                           const std::string& model);

/// F of every element at positions x.
void old_deformation_gradients(const View<TetElement>& elements, const View<Vec3>& x, const View<Mat3>& out);
/// Throws InputError for options that contradict each other.
SoftRowOptions row_options(const SoftOptions& options);

/// What kernels need of all elements: plain Views.
template <class M>
struct SoftElementViews {
  View<TetElement> elements;
  View<M> materials;
  View<double> pressures;  // [Pa] of this step
  View<Mat3> old;          // F at the start of the step; of no size unless some element remembers it
  View<Spectrum> damped;   // of ∂²Ψ there; of no size unless keep_spectra()
  double b = 0;            // ∂q⁺/∂u [s]

  /// The material of an element under the pressure of this step.
  KOKKOS_INLINE_FUNCTION Activated<M> material(const TetElement& e) const {
    return {materials(e.material), e.pressure < 0 ? 0.0 : pressures(e.pressure)};
  }
  KOKKOS_INLINE_FUNCTION Viscosity viscosity(const TetElement& e, int i) const {
    return e.viscosity > 0 ? Viscosity{e.viscosity / b, old(i)} : Viscosity{};
  }
};

template <class M>
class SoftBatch {
 public:
  SoftBatch(const Entities& entities, const World& world, const std::vector<int>& bodies) {
    SoftElements all = soft_elements(entities, world, bodies, M::kName);
    views_.elements = to_device("tet_elements", all.elements);
    std::vector<M> materials;
    for (const Lame& l : all.materials) materials.push_back(M::from(l));
    views_.materials = to_device("soft_materials", materials);
    pressure_of_ = std::move(all.pressures);
    views_.pressures = View<double>("soft_pressures", pressure_of_.size());
    host_pressures_ = Kokkos::create_mirror_view(views_.pressures);
    blocks = std::move(all.blocks);
    names = std::move(all.names);
    if (all.remembers) views_.old = View<Mat3>("soft_old_gradient", all.elements.size());
  }

  /// The spectra of damped elements at the start of a step are kept while it lasts.
  void keep_spectra() { views_.damped = View<Spectrum>("soft_old_spectrum", views_.old.extent(0)); }

  /// Every element is a squared distance of F and nothing else.
  bool projective() const {
    const SoftElementViews<M> all = views_;
    double other[1];
    SumScratch<1> scratch;
    deterministic_sum<1>(
        "soft_projective", count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = all.elements(i);
          const bool is = projection_weight(all.materials(e.material)) > 0 && e.pressure < 0 && !(e.damping > 0) &&
                          !(e.viscosity > 0);
          return Kokkos::Array<double, 1>{is ? 0.0 : 1.0};
        },
        scratch, other);
    return other[0] == 0;
  }

  int count() const { return static_cast<int>(views_.elements.extent(0)); }
  const SoftElementViews<M>& views() const { return views_; }

  /// Pressures of this step and F at its start.
  void begin_step(const StepContext& context, const View<Vec3>& x) {
    refuse_velocity_level(context, "soft bodies");
    views_.b = context.b;
    for (std::size_t k = 0; k < pressure_of_.size(); ++k) host_pressures_(k) = pressure_of_[k](context.stage_time());
    Kokkos::deep_copy(views_.pressures, host_pressures_);
    if (views_.old.extent(0) > 0) old_deformation_gradients(views_.elements, x, views_.old);
    if (views_.damped.extent(0) > 0) find_spectra();
  }

  /// Σ V Ψ of the materials alone: what a pressure does is work from outside.
  double energy(const View<Vec3>& positions) const {
    const SoftElementViews<M> all = views_;
    const View<Vec3> x = positions;
    double sum[1];
    deterministic_sum<1>(
        "soft_energy", count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = all.elements(i);
          return Kokkos::Array<double, 1>{e.volume * all.materials(e.material).energy(deformation_gradient(e, x))};
        },
        scratch_, sum);
    return sum[0];
  }

  std::vector<std::vector<int>> blocks;
  std::vector<std::string> names;

  void find_spectra() {
    const SoftElementViews<M> all = views_;
    parallel_for(
        "soft_old_spectrum", count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = all.elements(i);
          if (e.damping > 0) all.damped(i) = all.material(e).spectrum(all.old(i));
        },
        1000);
  }

 private:
  SoftElementViews<M> views_;
  std::vector<TimeFunction> pressure_of_;
  View<double>::HostMirror host_pressures_;
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
