#include "framework/force_items.hpp"

#include <algorithm>

namespace clarke {

namespace {

void store(Buffer<int>& buffer, const std::vector<int>& host) {
  to_device(host, buffer.resize(static_cast<int>(host.size())));
}

}  // namespace

void assemble_tangents(const ForceItems& items, const View<Mat3>& mass) {
  const ForceItems f = items;
  const View<Mat3> M = mass;
  parallel_for(
      "assemble_diagonal", static_cast<int>(M.extent(0)),
      KOKKOS_LAMBDA(int b) {
        Mat3 sum = M(b);
        for (int s = f.diagonal_first(b); s < f.diagonal_first(b + 1); ++s) sum = sum + f.tangent(f.diagonal_source(s));
        f.diagonal(b) = sum;
      },
      100);
  parallel_for(
      "assemble_off_diagonal", f.off.entries,
      KOKKOS_LAMBDA(int e) {
        Mat3 sum{};
        for (int s = f.off_first(e); s < f.off_first(e + 1); ++s) sum = sum + f.tangent(f.off_source(s));
        f.off.value(e) = sum;
      },
      30);
}

/// Where the blocks of T fall, from touched_: sources of each block of H in the order of the items.
void ForceItemStorage::place(int blocks) {
  struct Source {
    int column, tangent;
  };
  std::vector<std::vector<Source>> of_row(blocks);
  int tangent = 0;
  for (std::size_t at = 0; at < touched_.size(); at += touched_[at] + 1) {
    const int k = touched_[at];
    const int* block = &touched_[at + 1];
    for (int s = 0; s < k; ++s)
      for (int t = 0; t < k; ++t) of_row[block[s]].push_back({block[t], tangent++});
  }
  for (auto* list : {&first_, &off_first_, &diagonal_first_}) list->assign(1, 0);
  for (auto* list : {&column_, &off_source_, &diagonal_source_}) list->clear();
  for (int b = 0; b < blocks; ++b) {
    std::vector<Source>& row = of_row[b];
    std::stable_sort(row.begin(), row.end(), [](const Source& a, const Source& c) { return a.column < c.column; });
    for (std::size_t s = 0; s < row.size(); ++s) {
      if (row[s].column == b) {
        diagonal_source_.push_back(row[s].tangent);
        continue;
      }
      if (s == 0 || row[s].column != row[s - 1].column) {
        column_.push_back(row[s].column);
        off_first_.push_back(off_first_.back());
      }
      off_source_.push_back(row[s].tangent);
      ++off_first_.back();
    }
    diagonal_first_.push_back(static_cast<int>(diagonal_source_.size()));
    first_.push_back(static_cast<int>(column_.size()));
  }
  store(first_view_, first_);
  store(column_view_, column_);
  store(off_first_view_, off_first_);
  store(off_source_view_, off_source_);
  store(diagonal_first_view_, diagonal_first_);
  store(diagonal_source_view_, diagonal_source_);
  value_.resize(static_cast<int>(column_.size()));
  tangent_view_.resize(tangent);
  diagonal_.resize(blocks);
}

ForceItems ForceItemStorage::build(const PatternBuilder& b, const Pattern& pattern) {
  ForceItems out;
  const int blocks = pattern.blocks;
  touched_.clear();
  tangent_.assign(1, 0);
  std::size_t next = 0;
  const auto skip_found = [&](int listed) {
    for (; next < b.found.size() && b.found[next].after == listed; ++next)
      tangent_.insert(tangent_.end(), static_cast<std::size_t>(b.found[next].items.items), tangent_.back());
  };
  for (int i = 0; i < b.listed(); ++i) {
    skip_found(i);
    const int k = b.item_slot[i + 1] - b.item_slot[i];
    tangent_.push_back(tangent_.back() + (b.item_tangent[i] ? k * k : 0));
    if (!b.item_tangent[i]) continue;
    ++out.tangents;
    out.items += b.item_row[i] == b.item_row[i + 1];
    touched_.push_back(k);
    touched_.insert(touched_.end(), b.slot_block.begin() + b.item_slot[i], b.slot_block.begin() + b.item_slot[i + 1]);
  }
  skip_found(b.listed());
  if (out.tangents == 0) return out;
  if (touched_ != previous_ || blocks != blocks_) place(blocks);
  previous_ = touched_;
  blocks_ = blocks;
  store(item_tangent_, tangent_);
  out.item_tangent = item_tangent_;
  out.force = force_.resize(pattern.slots);
  out.tangent = tangent_view_;
  out.diagonal = diagonal_;
  out.off = {static_cast<int>(column_.size()), first_view_, column_view_, value_};
  out.diagonal_first = diagonal_first_view_;
  out.diagonal_source = diagonal_source_view_;
  out.off_first = off_first_view_;
  out.off_source = off_source_view_;
  return out;
}

}  // namespace clarke
