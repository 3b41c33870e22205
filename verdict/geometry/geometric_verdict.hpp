#pragma once
// The penetration that is really there: how deep solids overlap at given poses, whatever contacts were found and
// whatever their gaps say. It shares nothing with the detection of contacts: solids of its own, a sweep along one axis
// of its own, a depth of its own (penetration_depth.hpp).
//
// Counted are pairs of solids of two entities of which one can yield and that may touch; of deforming surfaces their
// triangles against everything else, and against each other where they share no node. A pair that is apart counts 0.
//
// Cost: O(n log n) and the pairs whose boxes meet; on the host.

#include "framework/report.hpp"
#include "verdict/geometry/solid.hpp"

#include <functional>
#include <map>
#include <utility>

namespace clarke {

/// A part of an entity.
struct SolidPart {
  int entity = 0;
  std::string name;
  Solid solid;
  /// Where given, only these points of it touch planes [m, frame of the entity].
  std::vector<Vec3> plane_points;
};

/// A triangle of particles.
struct DeformingFace {
  std::array<int, 3> node{};  // entities
  double thickness = 0;       // [m]
  std::string name;
};

struct GeometricScene {
  int bodies = 0;                // entities with an orientation
  std::vector<char> moves;       // per entity: is not always where it is at first
  std::vector<char> yields;      // per entity: a contact could move it
  std::vector<SolidPart> parts;  // without those that touch nothing
  std::vector<DeformingFace> faces;
  /// Two entities never touch, whatever their places.
  std::function<bool(int, int)> apart = [](int, int) { return false; };
};

/// Two solids that overlap.
struct SolidOverlap {
  int a = 0, b = 0;  // solids: parts, then faces
  double depth = 0;  // [m]
};

class GeometricVerdict {
 public:
  explicit GeometricVerdict(GeometricScene scene);
  /// The deepest overlap at these poses (per entity; orientations of bodies), and "a/b"; 0 and "" where there is none.
  Residual penetration(const std::vector<Vec3>& x, const std::vector<Quat>& orientation);
  /// What overlapped in the last call, the deepest first.
  std::vector<SolidOverlap> overlaps() const;
  /// The depth of the deepest overlap of any two of their solids, per pair of entities (the smaller number first). A
  /// face counts for each of its nodes.
  std::map<std::pair<int, int>, double> depth_of_entities() const;
  /// "a/b", as in `penetration`.
  std::string name_of(const SolidOverlap& overlap) const { return name(overlap.a) + "/" + name(overlap.b); }
  /// Pairs whose depth was computed in the last call.
  long pairs() const { return pairs_; }

 private:
  void place_all(const std::vector<Vec3>& x, const std::vector<Quat>& orientation);
  void sort(std::vector<int>& list) const;
  void sweep_yielding(Residual& worst);
  void sweep_others(Residual& worst);
  void examine_planes(const std::vector<Vec3>& x, const std::vector<Quat>& orientation, Residual& worst);
  bool may_touch(int a, int b) const;
  bool yields(int solid) const;
  const std::string& name(int solid) const;
  void examine(int a, int b, Residual& worst);
  void note(int a, int b, double depth, Residual& worst);
  std::vector<int> entities_of(int solid) const;

  GeometricScene scene_;
  std::vector<PlacedSolid> placed_;  // parts, then faces
  /// Planes; what can yield; and all others, with the longest of their boxes along x. Both by the low end of their box.
  std::vector<int> planes_, yielding_, others_;
  double longest_ = 0;
  bool placed_once_ = false;
  long pairs_ = 0;
  std::vector<SolidOverlap> overlaps_;
};

}  // namespace clarke
