#pragma once
// A friction cone as something that can be listed and read from a scene: its name and the numbers it takes.

#include "framework/registry.hpp"
#include "physics/friction/friction_cone.hpp"

namespace clarke {

class FrictionConeType {
 public:
  virtual ~FrictionConeType() = default;
  virtual std::vector<ConeKey> keys() const = 0;
  virtual const char* summary() const = 0;
  virtual ConeKind kind() const = 0;
};

template <FrictionCone C>
class FrictionConeTypeOf final : public FrictionConeType {
 public:
  std::vector<ConeKey> keys() const override { return {C::kKeys.begin(), C::kKeys.end()}; }
  const char* summary() const override { return C::kSummary; }
  ConeKind kind() const override { return C::kKind; }
};

Registry<FrictionConeType>& friction_cone_registry();

}  // namespace clarke
