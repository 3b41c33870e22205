#pragma once
// Convex polyhedra by their numbers: shapes that a scene names, `shape: {wedge: {length: 0.3, …}}`, alone or as parts
// of a compound. All that touches, weighs or shows them is that of the convex hull of their corners
// (physics/collision/convex_hull.hpp); their centroid becomes the origin of the body. One file each, and one line in
// physics/register.cpp.
//
// A type P provides
//   kName, kSummary, kKeys    its numbers, in this order
//   static P of(numbers)      with all of them in range
//   corners()                 [m] all of them corners of their hull
//
// Limits: faces of at most 32 corners, 2,048 features in all (physics/collision/convex_shape.hpp). What is round needs
// a core of its own (physics/collision/narrow_phase/core.hpp).

#include "framework/math/vec3.hpp"
#include "framework/registry.hpp"

#include <array>
#include <concepts>
#include <limits>
#include <vector>

namespace clarke {

/// A number of a polyhedron as a scene gives it.
struct PolyhedronKey {
  const char* name;
  const char* help;
  const char* unit = "m";
  double least = 0;  // exclusive, unless `closed`
  double most = std::numeric_limits<double>::infinity();
  bool whole = false, closed = false;
};
using PolyhedronNumbers = std::array<double, 6>;

template <class P>
concept Polyhedron = requires(const P p) {
  { P::kName } -> std::convertible_to<const char*>;
  { P::kSummary } -> std::convertible_to<const char*>;
  { P::of(PolyhedronNumbers{}) } -> std::same_as<P>;
  { p.corners() } -> std::same_as<std::vector<Vec3>>;
};

/// One that can be listed and read.
class PolyhedronType {
 public:
  virtual ~PolyhedronType() = default;
  virtual const char* summary() const = 0;
  virtual std::vector<PolyhedronKey> keys() const = 0;
  virtual std::vector<Vec3> corners(const PolyhedronNumbers& numbers) const = 0;
};

template <Polyhedron P>
class PolyhedronTypeOf final : public PolyhedronType {
 public:
  const char* summary() const override { return P::kSummary; }
  std::vector<PolyhedronKey> keys() const override { return {P::kKeys.begin(), P::kKeys.end()}; }
  std::vector<Vec3> corners(const PolyhedronNumbers& numbers) const override { return P::of(numbers).corners(); }
};

Registry<PolyhedronType>& polyhedron_registry();

}  // namespace clarke
