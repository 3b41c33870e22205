#pragma once
// A registered material, for whoever does not know its type: tests, analytic solutions, and the contributor that is made of it.

#include "framework/registry.hpp"
#include "physics/soft/material.hpp"

#include <memory>

namespace clarke {

class SoftMaterial {
 public:
  virtual ~SoftMaterial() = default;
  virtual void set(const Lame& lame) = 0;
  virtual bool isotropic() const = 0;   // a function of the stretches
  virtual bool invertible() const = 0;  // defined for det F ≤ 0
  virtual double energy(const Mat3& f) const = 0;
  virtual Mat3 stress(const Mat3& f) const = 0;
  virtual Spectrum spectrum(const Mat3& f) const = 0;
  /// Isotropic materials only.
  virtual double stretch_energy(const Vec3& s) const = 0;
  virtual Vec3 stretch_gradient(const Vec3& s) const = 0;
  virtual Mat3 stretch_hessian(const Vec3& s) const = 0;
};

template <Material M>
class SoftMaterialOf final : public SoftMaterial {
 public:
  void set(const Lame& lame) override { material_ = M::from(lame); }
  bool isotropic() const override { return StretchEnergy<M>; }
  bool invertible() const override { return M::kInvertible; }
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

 private:
  M material_ = M::from({1, 1});
};

}  // namespace clarke
