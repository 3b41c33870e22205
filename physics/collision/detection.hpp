#pragma once
// From configuration to contacts: broad phase, narrow phase, and the arrays of a ContactSet, sorted and named.
//
// id = first collider (20 bits) | second collider (20) | feature (24): it depends on what touches, never on the order
// in which pairs are found, so a contact keeps its id from step to step. Where one side cannot move it is side b;
// otherwise a is the entity with the smaller number. Pairs are of colliders (shapes.hpp), contacts of entities. One
// pass over the pairs writes into slices sized for their largest possible manifold; a prefix sum then packs them. With
// -contact_reduction hull each manifold loses first what a rigid body cannot notice (manifold_reduction.hpp). What
// several triangles of a surface report is one contact (shared_points.hpp). Faces of deforming surfaces have a narrow
// phase of their own (soft_faces.hpp); they are side a, and -contact_reduction leaves their points. No allocation while
// capacities suffice.

#include "physics/collision/broad_phase.hpp"
#include "physics/collision/contact_options.hpp"
#include "physics/collision/contact_set.hpp"
#include "physics/collision/narrow_phase/manifold.hpp"

namespace clarke {

/// First and second collider (first < second) and feature of a contact as one number.
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t contact_id(int first, int second, std::uint32_t feature) {
  return (((static_cast<std::uint64_t>(first) << kColliderBits) | static_cast<std::uint64_t>(second)) << kFeatureBits) |
         feature;
}

/// "3" for numbered points, else e.g. "v3/f1" (vertex 3 of a on face 1 of b), "f1/v3", "e3/e7"; "joined0" for what
/// -detect_again found beside others.
std::string feature_name(std::uint32_t feature);

/// The colliders on the two sides of a candidate pair.
struct PairSides {
  int a, b;
};

/// What the manifold of a pair has besides its points.
struct PairResult {
  Vec3 normal;
  double radius_a, radius_b;
  int count;
  Quat turn_b;   // orientation of side b
  double limit;  // [m] the two points of a contact are nearer than this
  int reduced;   // points that were there before the reduction, less `count`
};

class ContactDetection {
 public:
  /// Entities are those of `world`, bodies first. Pairs of entities in `excluded` (any order, first < second) never
  /// touch, for instance bodies that share a joint, nor do those that `world` keeps apart. Throws InputError for
  /// impossible shapes and unknown names in `no_collision`.
  ContactDetection(const World& world, const Entities& entities, const ContactOptions& options,
                   std::vector<EntityPair> excluded = {});

  /// All contacts of the configuration `state` with gaps below the margin of their pair; h [s] is the step to come.
  /// `flat_edges`: those of deforming surfaces, too, that hardly bend, most of which are redundant. The arrays of `out`
  /// belong to this object and are valid until the next call.
  void detect(const State& state, double h, ContactSet& out, bool flat_edges = false);

  /// "b1/floor:3": a, b and feature_name(); a part of a compound and a face of a surface has its number,
  /// "palm[2]/b1:v3/f1".
  std::string contact_name(const ContactSet& contacts, int i) const;

  const ShapeSet& shapes() const { return shapes_; }
  /// Largest distance of a point of each body from its origin [m]; infinite of planes.
  const View<double>& reach() const { return reach_; }
  const ContactMargin& margin() const { return margin_; }
  /// Points that -contact_reduction has taken out in the last call.
  int reduced() const { return reduced_; }

 private:
  /// Name of a collider, made when asked for: there may be a million.
  std::string collider_name(int c) const;
  int entity_of(int c) const;

  Entities entities_;
  ContactMargin margin_;
  bool features_, reduce_;
  int reduced_ = 0;
  ShapeSet shapes_;
  BroadPhase broad_phase_;
  View<double> reach_;                     // per body
  std::vector<std::string> name_;          // per entity
  std::vector<int> first_collider_;        // per entity, and one more; without soft faces
  std::vector<std::string> surface_name_;  // per surface
  std::vector<int> first_face_;            // per surface, and one more: colliders
  std::vector<int> face_entity_;           // per soft face: the particle that stands for it

  Buffer<PairSides> sides_{"pair_sides"};
  Buffer<int> slice_{"pair_slice"};  // first point of each pair among the points of its largest manifold
  Buffer<ManifoldPoint> points_{"pair_points"};
  Buffer<Vec3> point_normals_{"pair_point_normals"};  // of pairs with a soft face, or of all
  Buffer<PairResult> results_{"pair_results"};
  Buffer<std::uint32_t> own_{"pair_own_points"};
  Buffer<int> packed_{"pair_packed"};  // first contact of each pair
  ContactBuffers contacts_{"contact"};
};

}  // namespace clarke
