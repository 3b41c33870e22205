#include "linear/gathered_rows.hpp"

namespace clarke {

GatheredRows::Rows GatheredRows::of(const Pattern& p, const View<Vec3>& right, const View<int>& is_live,
                                    std::uint64_t layout_stamp, std::uint64_t reduction_stamp) {
  const View<int> begin = begin_.resize(p.slots), row = row_.resize(p.slots);
  const View<Vec3> value = value_.resize(p.values), from = right;
  const View<int>&item = p.gather_item, &first_row = p.item_row, &live = is_live;
  if (layout_stamp_ != layout_stamp) {
    parallel_for(
        "gathered_row", p.slots, KOKKOS_LAMBDA(int e) { row(e) = first_row(item(e)); });
    layout_stamp_ = layout_stamp;
  }
  if (reduction_stamp_ != reduction_stamp) {
    const Pattern pattern = p;
    values_ = prefix_sum(
        "gathered_begin", p.slots, begin,
        KOKKOS_LAMBDA(int e) { return live(item(e)) ? first_row(item(e) + 1) - first_row(item(e)) : 0; });
    parallel_for(
        "gathered_rows", p.slots,
        KOKKOS_LAMBDA(int e) {
          const int i = pattern.gather_item(e);
          if (!live(i)) return;
          const int k = pattern.item_slot(i + 1) - pattern.item_slot(i);
          const int m = pattern.item_row(i + 1) - pattern.item_row(i),
                    v0 = pattern.item_value(i) + pattern.gather_slot(e), to = begin(e);
          for (int r = 0; r < m; ++r) value(to + r) = from(v0 + r * k);
        },
        6);
    reduction_stamp_ = reduction_stamp;
  }
  return {value, begin, row, p.slots, values_};
}

}  // namespace clarke
