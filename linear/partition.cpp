#include "linear/partition.hpp"

namespace clarke {

Partition make_partition(const std::vector<int>& group, int groups) {
  Partition p;
  p.groups = groups;
  p.size.assign(groups, 0);
  for (int g : group) ++p.size[g];
  std::vector<int> next(groups), begin{0}, chunk_group, group_chunk{0}, unknown(group.size());
  int first = 0;
  for (int g = 0; g < groups; ++g) {
    next[g] = first;
    for (int done = 0; done < p.size[g]; done += kSumChunk) {
      chunk_group.push_back(g);
      begin.push_back(first + (p.size[g] - done < kSumChunk ? p.size[g] : done + kSumChunk));
    }
    first += p.size[g];
    group_chunk.push_back(static_cast<int>(chunk_group.size()));
  }
  for (std::size_t i = 0; i < group.size(); ++i) unknown[next[group[i]]++] = static_cast<int>(i);
  p.chunks = static_cast<int>(chunk_group.size());
  p.group = to_device("partition_group", group);
  p.unknown = to_device("partition_unknown", unknown);
  p.chunk_begin = to_device("partition_chunk_begin", begin);
  p.chunk_group = to_device("partition_chunk_group", chunk_group);
  p.group_chunk = to_device("partition_group_chunk", group_chunk);
  return p;
}

}  // namespace clarke
