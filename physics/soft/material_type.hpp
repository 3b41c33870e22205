#pragma once
// A registered material, for whoever does not know its type: tests, analytic solutions, pictures, and whoever wants the
// rows of bodies made of it.

#include "framework/contributor.hpp"
#include "framework/registry.hpp"
#include "physics/soft/material.hpp"
#include "physics/soft/soft_options.hpp"

#include <memory>

namespace clarke {

struct World;

class SoftMaterial {
 public:
  virtual ~SoftMaterial() = default;
  virtual void set(const Lame& lame) = 0;
  virtual bool isotropic() const = 0;   // a function of the stretches
  virtual bool invertible() const = 0;  // defined for det F ≤ 0
  /// Set to ν = 0.5: a sheet that keeps its volume, and no solid.
  virtual bool incompressible() const = 0;
  virtual double energy(const Mat3& f) const = 0;
  virtual Mat3 stress(const Mat3& f) const = 0;
  virtual Spectrum spectrum(const Mat3& f) const = 0;
  /// Isotropic materials only.
  virtual double stretch_energy(const Vec3& s) const = 0;
  virtual Vec3 stretch_gradient(const Vec3& s) const = 0;
  virtual Mat3 stretch_hessian(const Vec3& s) const = 0;

  /// Throws InputError naming `owner` unless `rows` is a row form this material has.
  virtual void check_rows(const std::string& rows, const std::string& owner) const = 0;
  /// The given soft bodies of the world, all of this material and of one row form, as rows or as forces.
  virtual std::unique_ptr<Contributor> build(const std::string& rows, const Entities& entities, const World& world,
                                             const std::vector<int>& bodies, const SoftOptions& options) const = 0;

  /// Throws InputError naming `owner` unless this material can be a sheet in plane stress of this Poisson's ratio: the
  /// isotropic ones can; at 0.5 those that have kIncompressibleSheet.
  virtual void check_sheet(const std::string& owner, double poisson) const = 0;
  /// In-plane rows of the given cloths of the world, all of this material.
  virtual std::unique_ptr<Contributor> build_sheet(const Entities& entities, const World& world,
                                                   const std::vector<int>& cloths,
                                                   const SoftOptions& options) const = 0;
};

Registry<SoftMaterial>& soft_material_registry();

}  // namespace clarke
