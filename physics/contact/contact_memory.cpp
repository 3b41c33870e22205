// What contacts remember from step to step: the impulse of each, by id and place.

#include "framework/state_archive.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "physics/contact/penalty_contacts.hpp"

namespace clarke {

namespace {

/// Range of the contacts of id's pair in a sorted list: ids differ in the feature bits only.
KOKKOS_INLINE_FUNCTION void pair_range(const View<std::uint64_t>& list, int count, std::uint64_t id, int& begin,
                                       int& end) {
  const std::uint64_t pair = id >> kFeatureBits;
  int lo = 0, hi = count;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if ((list(mid) >> kFeatureBits) < pair) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  begin = lo;
  for (end = lo; end < count && (list(end) >> kFeatureBits) == pair;) ++end;
}

/// Of list[begin, end) without partner in `other`, the one whose point is nearest to p and within `radius`; -1 if none.
KOKKOS_INLINE_FUNCTION int nearest_unmatched(const View<std::uint64_t>& list, const View<Vec3>& point, int begin,
                                             int end, const View<std::uint64_t>& other, int other_count, const Vec3& p,
                                             double radius) {
  int best = -1;
  double best2 = radius * radius;
  for (int j = begin; j < end; ++j) {
    const double d2 = norm2(point(j) - p);
    if (d2 > best2 || (best >= 0 && d2 == best2)) continue;
    if (find_id(other, other_count, list(j)) >= 0) continue;
    best = j;
    best2 = d2;
  }
  return best;
}

}  // namespace

/// Where a contact is on something that keeps its shape: on side a, or on b beside a face that deforms.
View<Vec3> ContactContributor::remembered_point() {
  const ContactSet c = contacts_;
  if (c.barycentric_a.extent(0) == 0) return c.point_a;
  View<Vec3> point = match_point_.resize(c.count);
  parallel_for(
      "contact_match_point", c.count,
      KOKKOS_LAMBDA(int i) { point(i) = is_barycentric(c.barycentric_a, i) ? c.point_b(i) : c.point_a(i); });
  return point;
}

void ContactContributor::warm_start(const View<double>& impulse) {
  if (penalty_) return;
  const ContactSet c = contacts_;
  const ContactMemory& memory = again_found_ ? within_ : last_;
  const int last = memory.count;
  const View<std::uint64_t> last_id = memory.id;
  const View<Vec3> last_impulse = memory.impulse, last_point = memory.point;
  const View<Vec3> remembered = remembered_point();
  const double radius = options_.match_radius;
  const ConeRows cone = cones_.rows();
  parallel_for(
      "contact_warm_start", c.count,
      KOKKOS_LAMBDA(int i) {
        int j = find_id(last_id, last, c.id(i));
        if (j < 0) {
          // A corner lying on an edge changes its feature with rounding: take the old contact of this pair that is
          // nearest, if that one's nearest new contact is this one.
          int begin, end;
          pair_range(last_id, last, c.id(i), begin, end);
          j = nearest_unmatched(last_id, last_point, begin, end, c.id, c.count, remembered(i), radius);
          if (j >= 0) {
            pair_range(c.id, c.count, c.id(i), begin, end);
            if (nearest_unmatched(c.id, remembered, begin, end, last_id, last, last_point(j), radius) != i) j = -1;
          }
        }
        const Vec3 p = j >= 0 ? last_impulse(j) : Vec3{};
        impulse(3 * i) = dot(c.normal(i), p);
        for (int k = 0; k < 2; ++k) {
          const double scale = cone.scale(2 * i + k);  // |d| is the scale: d·p/s²
          impulse(3 * i + 1 + k) = dot(k == 0 ? cone.d1(i) : cone.d2(i), p) / (scale * scale);
        }
      },
      64);
}

void ContactContributor::carry_over(StateArchive& archive) {
  archive.buffer("id", last_.id, last_.count);
  archive.buffer("impulse", last_.impulse, last_.count);
  archive.buffer("point", last_.point, last_.count);
  if (penalty_) penalty_->carry_over(archive);
}

void ContactContributor::remember_impulses(const View<double>& impulse, ContactMemory& memory) {
  const ContactSet c = contacts_;
  const View<Vec3> remembered = remembered_point();
  const ConeRows cone = cones_.rows();
  memory.count = c.count;
  const View<std::uint64_t> id = memory.id.resize(c.count);
  const View<Vec3> world = memory.impulse.resize(c.count), point = memory.point.resize(c.count);
  parallel_for(
      "contact_remember", c.count,
      KOKKOS_LAMBDA(int i) {
        id(i) = c.id(i);
        point(i) = remembered(i);
        world(i) = impulse(3 * i) * c.normal(i) + impulse(3 * i + 1) * cone.d1(i) + impulse(3 * i + 2) * cone.d2(i);
      },
      32);
}

}  // namespace clarke
