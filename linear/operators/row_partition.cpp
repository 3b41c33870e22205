#include "linear/operators/row_partition.hpp"

namespace clarke {

const Partition* RowPartition::of(const ReducedSystem& reduced) {
  const int rows = reduced.pattern().rows;
  if (!reduced.islands().separate || rows == 0) return nullptr;
  if (stamp_ == reduced.layout_stamp()) return &partition_;
  const auto row_item = host_copy(reduced.pattern().row_item);
  const auto island = host_copy(reduced.islands().of_item);
  std::vector<int> group(rows);
  for (int r = 0; r < rows; ++r) {
    const int of_row = island(row_item(r));
    group[r] = of_row == kNoIsland ? reduced.islands().count : of_row;
  }
  partition_ = make_partition(group, reduced.islands().count + 1);
  stamp_ = reduced.layout_stamp();
  return &partition_;
}

}  // namespace clarke
