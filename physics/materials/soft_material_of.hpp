#pragma once
// SoftMaterial made of a material type, with the row forms that type has.

#include "physics/cloth/membrane_forces.hpp"
#include "physics/cloth/membrane_pool.hpp"
#include "physics/materials/strain.hpp"
#include "physics/soft/rows/deformation_gradient.hpp"
#include "physics/soft/rows/stretch.hpp"
#include "physics/soft/soft_forces.hpp"
#include "physics/soft/soft_pool.hpp"

namespace clarke {

template <Material M>
class SoftMaterialOf final : public SoftMaterial {
 public:
  static constexpr bool kStrain = std::is_same_v<M, Corotational>;

  void set(const Lame& lame) override { material_ = M::from(lame); }
  bool isotropic() const override { return StretchEnergy<M>; }
  bool invertible() const override { return M::kInvertible; }
  bool incompressible() const override { return clarke::incompressible(material_); }
  double energy(const Mat3& f) const override { return material_.energy(f); }
  Mat3 stress(const Mat3& f) const override { return material_.stress(f); }
  Spectrum spectrum(const Mat3& f) const override { return material_.spectrum(f); }
  double stretch_energy(const Vec3& s) const override {
    if constexpr (StretchEnergy<M>) return material_.stretch_energy(s);
    return NAN;
  }
  Vec3 stretch_gradient(const Vec3& s) const override {
    if constexpr (StretchEnergy<M>) return material_.stretch_gradient(s);
    return {NAN, NAN, NAN};
  }
  Mat3 stretch_hessian(const Vec3& s) const override {
    if constexpr (StretchEnergy<M>) return material_.stretch_hessian(s);
    return Mat3::diagonal(NAN, NAN, NAN);
  }

  void check_rows(const std::string& rows, const std::string& owner) const override {
    std::vector<std::string> has{"deformation_gradient"};
    if (kStrain) has.push_back("strain");
    if (StretchEnergy<M>) has.push_back("stretch");
    for (const std::string& name : has)
      if (rows == name) return;
    std::string list;
    for (const std::string& name : has) list += (list.empty() ? "" : ", ") + name;
    throw InputError(owner + ": rows: model '" + M::kName + "' has " + list + ", not '" + rows + "'" +
                     suggestion(rows, has));
  }
  std::unique_ptr<Contributor> build(const std::string& rows, const Entities& entities, const World& world,
                                     const std::vector<int>& bodies, const SoftOptions& options) const override {
    check_rows(rows, "soft body '" + world.softs[bodies.front()].name + "'");
    if (options.form == "stiffness") return std::make_unique<SoftForces<M>>(entities, world, bodies, options);
    if constexpr (kStrain)
      if (rows == "strain") return std::make_unique<SoftPool<M, StrainRows>>(entities, world, bodies, options);
    if constexpr (StretchEnergy<M>)
      if (rows == "stretch")
        return std::make_unique<SoftPool<M, StretchRows<Activated<M>>>>(entities, world, bodies, options);
    return std::make_unique<SoftPool<M, DeformationGradientRows<Activated<M>>>>(entities, world, bodies, options);
  }
  void check_sheet(const std::string& owner, double poisson) const override {
    if (poisson == 0.5 && !IncompressibleSheet<M>)
      throw InputError(owner + ": poisson: 0.5 is incompressible, which a sheet of neo_hookean can be and one of '" +
                       M::kName + "' cannot; take a value below, as 0.49");
    if (!StretchEnergy<M>)
      throw InputError(owner + ": model: '" + M::kName +
                       "' is not a function of the stretches; a cloth in space turns, expected "
                       "corotational, st_venant_kirchhoff or another isotropic model");
  }
  std::unique_ptr<Contributor> build_sheet(const Entities& entities, const World& world, const std::vector<int>& cloths,
                                           const SoftOptions& options) const override {
    check_sheet("cloth '" + world.cloths[cloths.front()].name + "'", world.cloths[cloths.front()].poisson);
    if constexpr (StretchEnergy<M>) {
      ClothOptions own;
      read_options(own);
      if (own.form == "compliance") return std::make_unique<MembranePool<M>>(entities, world, cloths, options);
      return std::make_unique<MembraneForces<M>>(entities, world, cloths, options);
    }
    return nullptr;
  }

 private:
  M material_ = M::from({1, 1});
};

}  // namespace clarke
