#pragma once
// Test support: patterns as those of piles, of items between blocks that are nearly neighbours.

#include "framework/row_assembly.hpp"
#include "tests/property/random.hpp"

#include <cstdint>
#include <vector>

namespace clarke::test {

/// Items of one to `most_rows` rows that touch one to four of `blocks` blocks, each once.
inline PatternBuilder random_pattern(int items, int blocks, int most_rows, std::uint64_t seed) {
  Random random(seed);
  PatternBuilder builder;
  for (int i = 0; i < items; ++i) {
    const int slots = static_cast<int>(random.uniform(1, 5)), first = static_cast<int>(random.uniform(0, blocks));
    std::vector<int> list;
    for (int k = 0; k < slots; ++k) list.push_back((first + k * (1 + blocks / 7)) % blocks);
    builder.add_item(static_cast<int>(random.uniform(1, most_rows + 1)), list);
  }
  return builder;
}

}  // namespace clarke::test
