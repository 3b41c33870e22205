#include "physics/collision/box_tree.hpp"

namespace clarke {
namespace {

constexpr int kBitsPerAxis = 21;
/// Centres per work item when their bounds are taken.
constexpr int kBoundsChunk = 512;

KOKKOS_INLINE_FUNCTION Vec3 centre_of(const Aabb& box) { return 0.5 * (box.lower + box.upper); }

/// The 21 lowest bits of x, two zeros between each.
KOKKOS_INLINE_FUNCTION std::uint64_t spread_bits(std::uint64_t x) {
  x = (x | (x << 32)) & 0x001f00000000ffffULL;
  x = (x | (x << 16)) & 0x001f0000ff0000ffULL;
  x = (x | (x << 8)) & 0x100f00f00f00f00fULL;
  x = (x | (x << 4)) & 0x10c30c30c30c30c3ULL;
  x = (x | (x << 2)) & 0x1249249249249249ULL;
  return x;
}

/// Cell of a coordinate, 0 where it is not a number.
KOKKOS_INLINE_FUNCTION std::uint64_t cell_of(double x, double lower, double cells_per_metre) {
  constexpr double kLast = (1 << kBitsPerAxis) - 1;
  const double cell = (x - lower) * cells_per_metre;
  if (!(cell > 0)) return 0;
  return static_cast<std::uint64_t>(cell < kLast ? cell : kLast);
}

}  // namespace

View<int> BoxTree::order_along_curve(const View<Aabb>& box) {
  const int n = static_cast<int>(box.extent(0));
  const int chunks = (n + kBoundsChunk - 1) / kBoundsChunk;
  const View<Aabb> bounds = bounds_.resize(chunks);
  parallel_for(
      "tree_bounds", chunks,
      KOKKOS_LAMBDA(int c) {
        const int end = n < (c + 1) * kBoundsChunk ? n : (c + 1) * kBoundsChunk;
        const Vec3 first = centre_of(box(c * kBoundsChunk));
        Aabb all{first, first};
        for (int i = c * kBoundsChunk + 1; i < end; ++i) {
          const Vec3 x = centre_of(box(i));
          unite(all, {x, x});
        }
        bounds(c) = all;
      },
      5 * kBoundsChunk);
  parallel_for(
      "tree_whole", 1, KOKKOS_LAMBDA(int) {
        for (int c = 1; c < chunks; ++c) unite(bounds(0), bounds(c));
      });
  const View<std::uint64_t> code = code_.resize(n);
  const View<int> item = item_.resize(n);
  parallel_for(
      "tree_code", n,
      KOKKOS_LAMBDA(int i) {
        const Vec3 lower = bounds(0).lower, extent = bounds(0).upper - lower, x = centre_of(box(i));
        double largest = 0;
        for (int k = 0; k < 3; ++k)
          if (extent[k] > largest) largest = extent[k];
        const double scale = largest > 0 ? (1 << kBitsPerAxis) / largest : 0;
        code(i) = 4 * spread_bits(cell_of(x.x, lower.x, scale)) + 2 * spread_bits(cell_of(x.y, lower.y, scale)) +
                  spread_bits(cell_of(x.z, lower.z, scale));
        item(i) = i;
      },
      30);
  radix_sort(n, 3 * kBitsPerAxis, code_, item_, scratch_);
  return item_;
}

const BoxTreeView& BoxTree::build(const View<Aabb>& box, const View<int>& last) {
  const int n = static_cast<int>(box.extent(0));
  view_.levels = n > 0 ? 1 : 0;
  view_.begin[1] = n;
  for (int size = n; size > kFanOut && n > kDirectColliders;) {
    size = (size + kFanOut - 1) / kFanOut;
    ++view_.levels;
    view_.begin[view_.levels] = view_.begin[view_.levels - 1] + size;
  }
  const View<BoxNode> node = view_.node = node_.resize(view_.begin[view_.levels]);
  const bool sorted = n > kDirectColliders;
  const View<int> item = sorted ? order_along_curve(box) : View<int>();
  parallel_for(
      "tree_leaves", n,
      KOKKOS_LAMBDA(int i) {
        const int from = sorted ? item(i) : i;
        node(i) = {box(from), from, last(from)};
      },
      10);
  for (int level = 1; level < view_.levels; ++level) {
    const int below = view_.begin[level - 1], here = view_.begin[level];
    parallel_for(
        "tree_level", view_.begin[level + 1] - here,
        KOKKOS_LAMBDA(int i) {
          const int end = here < below + kFanOut * (i + 1) ? here : below + kFanOut * (i + 1);
          BoxNode whole = node(below + kFanOut * i);
          for (int k = below + kFanOut * i + 1; k < end; ++k) {
            unite(whole.box, node(k).box);
            if (node(k).last > whole.last) whole.last = node(k).last;
          }
          whole.item = -1;
          node(here + i) = whole;
        },
        10 * kFanOut);
  }
  return view_;
}

}  // namespace clarke
