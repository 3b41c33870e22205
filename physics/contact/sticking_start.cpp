// Velocities without the slip of contacts that close: where a step begins that ends in sticking.

#include "physics/contact/contact_contributor.hpp"
#include "physics/contact/penalty_contacts.hpp"

namespace clarke {

namespace {

/// Sign of the side of slot j of contact i where it is a velocity of a point or node, 0 where it turns.
KOKKOS_INLINE_FUNCTION int side_of_slot(const ContactSet& c, int i, int j, const View<EntityBlocks>& block_of) {
  int at = 0;
  for (int side = 0; side < 2; ++side) {
    const int sign = side == 0 ? 1 : -1;
    const View<BarycentricPoint>& place = side == 0 ? c.barycentric_a : c.barycentric_b;
    if (is_barycentric(place, i)) {
      for (int k = 0; k < 3 && place(i).node[k] >= 0; ++k)
        if (block_of(place(i).node[k]).v >= 0 && at++ == j) return sign;
      continue;
    }
    const EntityBlocks blocks = block_of(side == 0 ? c.a(i) : c.b(i));
    if (blocks.v >= 0 && at++ == j) return sign;
    if (blocks.w >= 0 && at++ == j) return 0;
  }
  return 0;
}

}  // namespace

void ContactContributor::stick(const SystemSlice& slice, const View<Vec3>& velocity) {
  const ContactSet c = contacts_;
  const SystemSlice& s = slice;
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<Vec3> slip = slip_.resize(c.count), u = velocity;
  const View<double> gap = rows_.gap, v = rows_.velocity, scale = cones_.rows().scale;
  const ConeRows cone = cones_.rows();
  const double reach = penalty_ ? penalty_->distance() : 0;
  parallel_for(
      "contact_slip", c.count,
      KOKKOS_LAMBDA(int i) {
        const double s1 = scale(2 * i), s2 = scale(2 * i + 1);
        slip(i) =
            gap(i) < reach ? (v(3 * i + 1) / (s1 * s1)) * cone.d1(i) + (v(3 * i + 2) / (s2 * s2)) * cone.d2(i) : Vec3{};
      },
      20);
  const Pattern& p = s.pattern;
  const int first = s.first_item, end = s.first_item + s.items;
  parallel_for(
      "contact_stick", static_cast<int>(u.extent(0)),
      KOKKOS_LAMBDA(int b) {
        Vec3 sum{};
        int closed = 0;
        for (int g = p.gather(b); g < p.gather(b + 1); ++g) {
          const int item = p.gather_item(g), i = item - first;
          if (item < first || item >= end || !(gap(i) < reach)) continue;
          const int sign = side_of_slot(c, i, p.gather_slot(g), block_of);
          if (sign == 0) continue;
          int sides = 0;
          for (int j = 0; j < p.item_slot(item + 1) - p.item_slot(item); ++j)
            sides |= side_of_slot(c, i, j, block_of) > 0 ? 1 : side_of_slot(c, i, j, block_of) < 0 ? 2 : 0;
          sum += ((sides == 3 ? 0.5 : 1.0) * sign) * slip(i);
          ++closed;
        }
        if (closed > 0) u(b) -= (1.0 / closed) * sum;
      },
      60);
}

}  // namespace clarke
