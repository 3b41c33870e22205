#pragma once
// What is inside a closed surface: how the volume that it takes follows from its gauge pressure p [Pa], the pressure
// inside less that outside [docs/theory.md, eq. B6].
//
//   V = V₀ f(p)      V₀ [m³] what it would take at p = 0;  f' ≤ 0
//   W = V₀ w(V/V₀)   [J] stored energy, w' = −p
//
// A law is a pure function object with f (`expansion`), f' (`expansion_slope`) [1/Pa], the inverse of f (`pressure`), w
// (`energy`) [Pa], and whether f' is zero (`rigid`): then p is whatever keeps the volume.

#include "framework/contributor.hpp"
#include "framework/registry.hpp"
#include "physics/description/world.hpp"
#include "physics/volumes/volume_options.hpp"

#include <concepts>
#include <memory>

namespace clarke {

template <class L>
concept VolumeLaw = std::is_trivially_copyable_v<L> && requires(const L law, double p, const VolumeDescription& d) {
  { L::kName } -> std::convertible_to<const char*>;
  { L::kSummary } -> std::convertible_to<const char*>;
  { L::kGas } -> std::convertible_to<bool>;
  { L::of(d) } -> std::same_as<L>;
  { law.expansion(p) } -> std::same_as<double>;
  { law.expansion_slope(p) } -> std::same_as<double>;
  { law.pressure(p) } -> std::same_as<double>;
  { law.energy(p) } -> std::same_as<double>;
  { law.rigid() } -> std::same_as<bool>;
};

/// What is known of a volume at the end of a step.
struct VolumeReading {
  std::string name;
  double volume = 0;    // V [m³]
  double pressure = 0;  // p [Pa]
};

/// Volumes of one law as a contributor.
class Volumes : public Contributor {
 public:
  /// At the end of the last step; at the start those of the law.
  virtual std::vector<VolumeReading> readings() const = 0;
};

/// A registered law where its type is not known: the functions of a VolumeLaw, of a description.
class VolumeLawType {
 public:
  virtual ~VolumeLawType() = default;
  /// It has an ambient pressure, and no compressibility.
  virtual bool gas() const = 0;
  virtual double expansion(const VolumeDescription& d, double p) const = 0;
  virtual double expansion_slope(const VolumeDescription& d, double p) const = 0;
  virtual double pressure(const VolumeDescription& d, double J) const = 0;
  virtual double energy(const VolumeDescription& d, double J) const = 0;
  /// The given volumes of the world, all of this law.
  virtual std::unique_ptr<Volumes> build(const Entities& entities, const World& world, const std::vector<int>& volumes,
                                         const VolumeOptions& options) const = 0;
};

Registry<VolumeLawType>& volume_law_registry();

}  // namespace clarke
