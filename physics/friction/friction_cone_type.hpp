#pragma once
// A friction cone as something that can be listed, read from a scene and asked for its definition: what is known of it
// where its type is not.

#include "framework/registry.hpp"
#include "physics/friction/friction_cone.hpp"

#include <memory>

namespace clarke {

/// The functions of a FrictionCone.
class AnyFrictionCone {
 public:
  virtual ~AnyFrictionCone() = default;
  virtual SurfaceAt surface() const = 0;
  virtual double psi(Pair2 l, double ln) const = 0;
  virtual Pair2 gradient(Pair2 l) const = 0;
  virtual std::array<double, 3> hessian(Pair2 l) const = 0;
  virtual Pair2 project(Pair2 p, double ln) const = 0;
  virtual double support(Pair2 w) const = 0;
  virtual Pair2 maximiser(Pair2 w) const = 0;
};

template <FrictionCone C>
class AnyFrictionConeOf final : public AnyFrictionCone {
 public:
  explicit AnyFrictionConeOf(const C& cone) : cone_(cone) {}
  SurfaceAt surface() const override { return cone_.surface(); }
  double psi(Pair2 l, double ln) const override { return cone_.psi(l, ln); }
  Pair2 gradient(Pair2 l) const override { return cone_.gradient(l); }
  std::array<double, 3> hessian(Pair2 l) const override { return cone_.hessian(l); }
  Pair2 project(Pair2 p, double ln) const override { return cone_.project(p, ln); }
  double support(Pair2 w) const override { return cone_.support(w); }
  Pair2 maximiser(Pair2 w) const override { return cone_.maximiser(w); }

 private:
  C cone_;
};

class FrictionConeType {
 public:
  virtual ~FrictionConeType() = default;
  virtual std::vector<ConeKey> keys() const = 0;
  virtual const char* summary() const = 0;
  /// The cone with these numbers, of a surface of that coefficient.
  virtual std::unique_ptr<AnyFrictionCone> cone(const ConeNumbers& numbers, double friction) const = 0;
};

template <FrictionCone C>
class FrictionConeTypeOf final : public FrictionConeType {
 public:
  std::vector<ConeKey> keys() const override { return {C::kKeys.begin(), C::kKeys.end()}; }
  const char* summary() const override { return C::kSummary; }
  std::unique_ptr<AnyFrictionCone> cone(const ConeNumbers& numbers, double friction) const override {
    return std::make_unique<AnyFrictionConeOf<C>>(C::of(numbers, friction));
  }
};

Registry<FrictionConeType>& friction_cone_registry();

}  // namespace clarke
