#pragma once

#include "linear/partition.hpp"
#include "linear/reduced_system.hpp"

namespace clarke {

/// Islands as a Partition of the rows of a Schur form; the last group holds rows in no island. Made anew with the
/// layout.
class RowPartition {
 public:
  /// nullptr where islands are not to be solved each on its own, or there are no rows.
  const Partition* of(const ReducedSystem& reduced);

 private:
  Partition partition_;
  std::uint64_t stamp_ = 0;
};

}  // namespace clarke
