#pragma once
// Matrices to be factorised: dense blocks that are coupled at random, and orders of elimination.

#include "linear/factorisations/front_tree.hpp"
#include "tests/sparse_operator.hpp"

#include <algorithm>
#include <numeric>
#include <ostream>
#include <random>
#include <vector>

namespace clarke::test {

struct Blocks {
  int bodies;
  std::vector<int> widths;  // of blocks, one after another
  double neighbours;        // how many each has, on average
  double zeros = 0;         // share of blocks in the pattern that are zero
  bool one_sided = false;   // some blocks without a transposed one
};
inline std::ostream& operator<<(std::ostream& out, const Blocks& b) {
  return out << b.bodies << " blocks, " << b.neighbours << " neighbours, " << b.zeros << " zeros";
}

/// A matrix of blocks that are coupled at random, unsymmetric, its diagonal blocks large enough for any order.
inline Rows coupled_blocks(const Blocks& blocks, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1), value(-1, 1);
  const int n = blocks.bodies;
  std::vector<int> first(n + 1, 0);
  for (int i = 0; i < n; ++i) first[i + 1] = first[i] + blocks.widths[i % blocks.widths.size()];
  std::vector<std::vector<int>> coupled(n, std::vector<int>(n, 0));  // 1: an entry, 2: zero
  for (int i = 0; i < n; ++i) {
    coupled[i][i] = 1;
    for (int j = 0; j < i; ++j) {
      if (unit(random) * n > blocks.neighbours) continue;
      coupled[i][j] = coupled[j][i] = unit(random) < blocks.zeros ? 2 : 1;
      if (blocks.one_sided && unit(random) < 0.5) coupled[j][i] = 0;
    }
  }
  Rows a;
  for (int i = 0; i < n; ++i)
    for (int r = first[i]; r < first[i + 1]; ++r) {
      for (int j = 0; j < n; ++j)
        for (int c = first[j]; coupled[i][j] && c < first[j + 1]; ++c)
          a.add(c, coupled[i][j] == 2 ? 0 : value(random) + (r == c ? 3 + 2 * blocks.neighbours : 0));
      a.end_row();
    }
  return a;
}

inline SparsePattern pattern_of(const Rows& a) { return {a.size(), a.start.data(), a.column.data()}; }

inline std::vector<int> natural(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

inline std::vector<int> shuffled(int n, unsigned seed) {
  std::vector<int> order = natural(n);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

}  // namespace clarke::test
