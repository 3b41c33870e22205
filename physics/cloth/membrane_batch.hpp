#pragma once
// All triangles of cloths of one material, whatever their form: rows (membrane_pool.hpp) or forces
// (membrane_forces.hpp).
//
//   F = Σ_a x_a b_aᵀ (3 × 2)     b_a [1/m] the gradients of the shape functions in the sheet at rest

#include "framework/contributor.hpp"
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
  int material;    // index into the batch's materials
};

/// The columns of F, or of its rate.
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
void old_sheet_gradients(const View<MembraneElement>& elements, const View<Vec3>& x, const View<SheetGradient>& out);
/// -soft_projection with -cloth_least_stiffness. `none` is for the stiffness form, rows are clamped then; `automatic`
/// mirrors rows and clamps forces, which slack sheets ask for far from the solution (-ssnal_exact).
SoftRowOptions membrane_row_options(const SoftOptions& options);

/// What kernels need of all triangles: plain Views.
template <class M>
struct MembraneViews {
  View<MembraneElement> elements;
  View<M> materials;
  View<SheetGradient> old;  // F at the start of the step; of no size unless a cloth is damped
};

template <class M>
class MembraneBatch {
 public:
  MembraneBatch(const Entities& entities, const World& world, const std::vector<int>& cloths) {
    views_.elements = to_device("membrane_elements", membrane_elements(entities, world, cloths, blocks, names));
    std::vector<M> materials;
    for (const int c : cloths) {
      const ClothDescription& d = world.cloths[c];
      materials.push_back(M::from(lame(d.young, d.poisson, "cloth '" + d.name + "'", true)));
    }
    views_.materials = to_device("membrane_materials", materials);
    if (std::any_of(cloths.begin(), cloths.end(), [&world](int c) { return world.cloths[c].damping > 0; }))
      views_.old = View<SheetGradient>("membrane_old_gradient", count());
  }

  int count() const { return static_cast<int>(views_.elements.extent(0)); }
  const MembraneViews<M>& views() const { return views_; }

  /// F at the start of the step.
  void begin_step(const StepContext& context, const View<Vec3>& x) {
    refuse_velocity_level(context, "cloth");
    if (views_.old.extent(0) > 0) old_sheet_gradients(views_.elements, x, views_.old);
  }

  /// Σ V Ψ' at the given positions.
  double energy(const View<Vec3>& positions) const {
    const MembraneViews<M> all = views_;
    const View<Vec3> x = positions;
    double sum[1];
    deterministic_sum<1>(
        "membrane_energy", count(),
        KOKKOS_LAMBDA(int i) {
          const MembraneElement e = all.elements(i);
          const SheetGradient f = sheet_gradient(e, x);
          return Kokkos::Array<double, 1>{e.volume * sheet_spectrum(all.materials(e.material), f.f0, f.f1).energy};
        },
        scratch_, sum);
    return sum[0];
  }

  std::vector<std::vector<int>> blocks;
  std::vector<std::string> names;

 private:
  MembraneViews<M> views_;
  mutable SumScratch<1> scratch_;
};

/// K⁻ Ḟ [Pa/s], K⁻ the stiffness of a sheet whose negative eigenvalues count as nothing.
KOKKOS_INLINE_FUNCTION SheetGradient viscous_stress(const SheetSpectrum& before, const SheetGradient& rate) {
  SheetGradient out;
  for (int mode = 0; mode < SheetSpectrum::kModes; ++mode) {
    const double stress =
        std::fmax(before.value[mode], 0.0) * (dot(before.q0[mode], rate.f0) + dot(before.q1[mode], rate.f1));
    out.f0 += stress * before.q0[mode];
    out.f1 += stress * before.q1[mode];
  }
  return out;
}

}  // namespace clarke
