#pragma once
// The candidate contacts of one step: what detection hands to the contact rows. A structure of arrays, sorted by `id`.
//
// Contact i is between entity a (index in state.hpp) and entity b, at points p_a, p_b fixed in their bodies for the
// step:
//   gap              C = n·(x_a + R_a p_a − x_b − R_b p_b) − ρ_a − ρ_b      [m], > 0 when separated
//   lever arms       r_a = R_a p_a − ρ_a n,   r_b = R_b p_b + ρ_b n         [m]; of friction friction_arms.hpp
// with n the unit normal from b to a, fixed in the step, but for those that turn with features that were found again
// (contact/turning_normal.hpp). ρ is the radius of a round surface (sphere, rounded or thick shape) around the point,
// so that a rolling sphere keeps its gap whatever its spin.
// A plane or other static shape is always side b when the other side can move.
//
// A side on a deforming surface (soft_faces.hpp) is a place on a face, Σ w_k x_k over up to three particles, instead of
// an entity: then x is that sum, p = 0, R = 1, and a or b is the first corner of the face, which stands for its
// material and its group. Scenes without such surfaces have no places.

#include "framework/device.hpp"

#include <cstdint>
#include <string>

namespace clarke {

/// Particles and their weights, which sum to one; node −1: none, and node[0] −1: the side is an entity.
struct BarycentricPoint {
  int node[3] = {-1, -1, -1};
  double weight[3] = {0, 0, 0};
};

struct ContactSet {
  int count = 0;
  View<int> a, b;                                       // entities
  View<Vec3> point_a, point_b;                          // [m] in the frames of a and b, relative to x_a and x_b
  View<double> radius_a, radius_b;                      // [m] ρ
  View<Vec3> normal;                                    // world frame, from b to a
  View<BarycentricPoint> barycentric_a, barycentric_b;  // empty in a scene without deforming surfaces
  View<std::uint64_t> id;  // persistent: the same pair of features has the same id in every step
};

/// Contact i of one set as contact k of another.
KOKKOS_INLINE_FUNCTION void copy_contact(const ContactSet& from, int i, const ContactSet& to, int k) {
  to.a(k) = from.a(i);
  to.b(k) = from.b(i);
  to.point_a(k) = from.point_a(i);
  to.point_b(k) = from.point_b(i);
  to.radius_a(k) = from.radius_a(i);
  to.radius_b(k) = from.radius_b(i);
  to.normal(k) = from.normal(i);
  to.id(k) = from.id(i);
  if (to.barycentric_a.extent(0) == 0) return;
  to.barycentric_a(k) = from.barycentric_a(i);
  to.barycentric_b(k) = from.barycentric_b(i);
}

/// The memory of a set; it grows as it must.
class ContactBuffers {
 public:
  /// `label` begins the names of the Views.
  explicit ContactBuffers(const std::string& label)
      : a_(label + "_a"),
        b_(label + "_b"),
        point_a_(label + "_point_a"),
        point_b_(label + "_point_b"),
        normal_(label + "_normal"),
        radius_a_(label + "_radius_a"),
        radius_b_(label + "_radius_b"),
        barycentric_a_(label + "_place_a"),
        barycentric_b_(label + "_place_b"),
        id_(label + "_id") {}

  /// A set of that many contacts, of undefined values; `places`: some side is on a deforming surface.
  ContactSet resize(int count, bool places) {
    const int of_places = places ? count : 0;
    return {.count = count,
            .a = a_.resize(count),
            .b = b_.resize(count),
            .point_a = point_a_.resize(count),
            .point_b = point_b_.resize(count),
            .radius_a = radius_a_.resize(count),
            .radius_b = radius_b_.resize(count),
            .normal = normal_.resize(count),
            .barycentric_a = barycentric_a_.resize(of_places),
            .barycentric_b = barycentric_b_.resize(of_places),
            .id = id_.resize(count)};
  }

 private:
  Buffer<int> a_, b_;
  Buffer<Vec3> point_a_, point_b_, normal_;
  Buffer<double> radius_a_, radius_b_;
  Buffer<BarycentricPoint> barycentric_a_, barycentric_b_;
  Buffer<std::uint64_t> id_;
};

/// Index of `id` in the sorted list, or -1.
KOKKOS_INLINE_FUNCTION int find_id(const View<std::uint64_t>& list, int count, std::uint64_t id) {
  int lo = 0, hi = count;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (list(mid) < id) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo < count && list(lo) == id ? lo : -1;
}

}  // namespace clarke
