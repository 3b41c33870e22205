#pragma once
// Enclosed volumes of one law as a contributor: a bilateral row each, whose multiplier is the gauge pressure
// [docs/theory.md, eqs. B5, B6].
//
//   violation    c = (V − V₀ f(p))/A₀ [m],  p = Λ/(h A₀) [Pa]        A₀ [m²] the surface at the start: a unit, no model
//   row          v = c/b,  J = ∂V/∂x / A₀ [1],  γ = −V₀ f'/(A₀² h b) [1/kg]        J at q⁺, so JᵀΛ = h p ∂V/∂x
//   stiffness    −b Λ ∂²V/∂x²/A₀ in H, triangle by triangle, as items without rows and without force        [eq. G3]
//
// So the Hessian of the stored energy never is there, whose part along J Jᵀ is dense. V₀ = amount × V at the start.
//
// Limits: laws of velocities have no pressure of the end of a step. A surface that turns inside out has a negative V
// and no law of its own for that. Bytes per node and evaluation: 24 read for itself and 48 per triangle around it, 24
// written.

#include "physics/volumes/volume_law.hpp"

namespace clarke {

/// Flat arrays of all surfaces of a pool; nodes and triangles of a volume follow each other.
struct SurfaceViews {
  View<int> first_node;       // volumes + 1
  View<int> volume_of;        // per node
  View<int> entity;           // per node
  View<int> column;           // per node: slot of the volume's item, -1: fixed
  View<int> around;           // nodes + 1: first entry of the triangles around a node
  View<int> next, after;      // entries: the two other corners, in turn, as nodes
  View<int> corner;           // 3 per triangle: nodes
  View<int> slot;             // 3 per triangle: slot of its own item, -1: fixed
  View<double> inverse_area;  // per volume: 1/A₀
};

/// The same on the host, with the velocity blocks of the items.
struct SurfaceLists {
  std::vector<int> first_node{0}, volume_of, entity, column, around{0}, next, after, corner, slot;
  std::vector<double> inverse_area, start;                // 1/A₀, V at the start
  std::vector<std::vector<int>> blocks, triangle_blocks;  // per volume, per triangle that can move
};
SurfaceLists surface_lists(const Entities& entities, const World& world, const std::vector<int>& volumes);

/// What the laws make rows of: geometry, stiffness, everything that no law is in.
class VolumeSurfaces {
 public:
  VolumeSurfaces(const Entities& entities, const World& world, const std::vector<int>& volumes);
  int count() const { return static_cast<int>(lists_.start.size()); }
  const SurfaceLists& lists() const { return lists_; }
  const SurfaceViews& views() const { return views_; }
  const View<double>& volume() const { return volume_; }  // V at the last measure()
  /// V, and J of the rows.
  void measure(const View<Vec3>& x, const SystemSlice& slice);
  /// No force of the items of triangles.
  void clear_forces(const SystemSlice& slice) const;
  /// −b Λ ∂²V/∂x²/A₀ of every triangle.
  void stiffness(double b, const StepPoint& point, const SystemSlice& slice) const;

 private:
  SurfaceLists lists_;
  SurfaceViews views_;
  View<Vec3> gradient_;
  View<double> volume_;
};

}  // namespace clarke
