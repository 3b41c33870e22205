#pragma once
// Boxes in a tree, to find all that overlap a given one: a linear bounding volume hierarchy over boxes sorted along a
// Z-order curve.
//
//   code(x) = interleaved bits of ⌊2²¹ (x_k − lower_k) / L⌋, k = x, y, z
//             x the centre of a box, L the largest extent of all centres
//   node i of level k + 1 = union of the nodes kFanOut i … kFanOut (i + 1) − 1 of level k; level 0 are the boxes
//
// The tree is complete: children follow from the index. So there is no topology to store, its depth is log n however
// many boxes coincide, its unions are one kernel per level without atomics, and a search needs no stack. (A radix tree
// [Karras 2012] splits where codes differ instead of in equal parts. Its boxes are a little tighter; it needs pointers,
// a stack, and for the unions either atomics or a sort of its nodes by depth, and its depth is that of the codes.) A
// uniform grid was the other candidate: it is as fast for bodies of one size, but needs levels for a ratio of 1:1000,
// and a scale from the user.
//
// 63 bits of code: one body 10⁶ times as far away as the others still leaves them 2 cells of their own each.
// Up to kDirectColliders boxes there is one level and no sorting: each query looks at all.
//
// Limits: boxes that are not finite are neither lost nor found; the verdict reports such a state. Sources: [Lauterbach
// et al. 2009] for sorting along the curve.

#include "framework/device.hpp"
#include "framework/radix_sort.hpp"

#include <climits>

namespace clarke {

/// Axis-aligned box in the world frame; lower > upper for shapes without one.
struct Aabb {
  Vec3 lower{1, 1, 1}, upper{-1, -1, -1};
};

KOKKOS_INLINE_FUNCTION bool overlap(const Aabb& a, const Aabb& b) {
  return !(a.lower.x > b.upper.x || b.lower.x > a.upper.x || a.lower.y > b.upper.y || b.lower.y > a.upper.y ||
           a.lower.z > b.upper.z || b.lower.z > a.upper.z);
}

/// `a` grows to contain `b`.
KOKKOS_INLINE_FUNCTION void unite(Aabb& a, const Aabb& b) {
  for (int k = 0; k < 3; ++k) {
    if (b.lower[k] < a.lower[k]) a.lower[k] = b.lower[k];
    if (b.upper[k] > a.upper[k]) a.upper[k] = b.upper[k];
  }
}

/// `item`: number of the box (level 0). `last`: a search from item i or later need not look at what is below (see
/// search()).
struct BoxNode {
  Aabb box;
  int item, last;
};

inline constexpr int kFanOut = 4;
inline constexpr int kDirectColliders = 64;
inline constexpr int kMaxLevels = 16;  // log_4 of 2³¹
/// `last` of a box that every search looks at.
inline constexpr int kAlways = INT_MAX;

/// The tree as kernels see it.
struct BoxTreeView {
  View<BoxNode> node;  // level after level
  int levels = 0;
  int begin[kMaxLevels + 1] = {};  // first node of each level, and one more

  /// Calls visit(item) for all boxes that overlap `box` and whose `last` exceeds `from`.
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void search(const Aabb& box, int from, Visit& visit) const {
    const int top = levels - 1;
    int level = top, i = 0;
    if (top < 0) return;
    for (;;) {
      const BoxNode& n = node(begin[level] + i);
      if (n.last > from && overlap(n.box, box)) {
        if (level > 0) {
          --level;
          i *= kFanOut;
          continue;
        }
        visit(n.item);
      }
      ++i;
      while (level < top && (i % kFanOut == 0 || i == begin[level + 1] - begin[level])) {
        i = (i + kFanOut - 1) / kFanOut;
        ++level;
      }
      if (level == top && i == begin[top + 1] - begin[top]) return;
    }
  }
};

/// Builds trees and owns their memory; nothing is allocated while the number of boxes does not grow.
class BoxTree {
 public:
  /// Tree of box(i), i in [0, box.extent(0)), with their `last`. Valid until the next call.
  const BoxTreeView& build(const View<Aabb>& box, const View<int>& last);
  const BoxTreeView& view() const { return view_; }
  /// Numbers of the boxes along the curve. Valid until the next call.
  View<int> order_along_curve(const View<Aabb>& box);

 private:
  BoxTreeView view_;
  Buffer<BoxNode> node_{"tree_node"};
  Buffer<Aabb> bounds_{"tree_bounds"};
  Buffer<std::uint64_t> code_{"tree_code"};
  Buffer<int> item_{"tree_item"};
  RadixScratch scratch_;
};

}  // namespace clarke
