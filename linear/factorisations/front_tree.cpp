#include "linear/factorisations/front_tree.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

namespace clarke {

namespace {

/// Zeros among the entries of a front's pivot rows and columns up to which it is taken into its parent, by the pivots
/// that both then have.
struct Slack {
  int pivots;
  double zeros;
};
constexpr Slack kSlack[] = {{12, 0.3}, {64, 0.1}};
constexpr double kMostZeros = 0.05;
constexpr int kShares = 4;             // of a thread: no branch is larger, so that none waits long for another
constexpr double kWorthSharing = 2e6;  // flops: a few hundred microseconds

/// The matrix between variables.
struct Variables {
  struct Entry {
    int row, column;     // variables
    int value;           // of the row variable's first unknown: after the start of its row
    int first, columns;  // unknowns of the column variable
  };
  int count = 0;
  std::vector<int> first;              // unknown; count + 1
  std::vector<Entry> entries;          // by row
  std::vector<int> row;                // first entry; count + 1
  std::vector<int> column, by_column;  // the same by column: entries
  int width(int v) const { return first[v + 1] - first[v]; }
};

bool same_columns(const SparsePattern& a, int r, int q) {
  const int n = a.start[r + 1] - a.start[r];
  return n == a.start[q + 1] - a.start[q] &&
         std::memcmp(a.column + a.start[r], a.column + a.start[q], n * sizeof(int)) == 0;
}

Variables find_variables(const SparsePattern& a) {
  Variables v;
  std::vector<int> of(a.size);
  for (int r = 0; r < a.size; ++r) {
    if (r == 0 || !same_columns(a, r, r - 1)) {
      v.first.push_back(r);
      ++v.count;
    }
    of[r] = v.count - 1;
  }
  v.first.push_back(a.size);
  v.column.assign(v.count + 1, 0);
  for (int i = 0; i < v.count; ++i) {
    v.row.push_back(static_cast<int>(v.entries.size()));
    const int begin = a.start[v.first[i]], end = a.start[v.first[i] + 1];
    for (int k = begin; k < end;) {
      const int j = of[a.column[k]], first = k;
      while (k < end && of[a.column[k]] == j && a.column[k] == a.column[first] + k - first) ++k;
      v.entries.push_back({i, j, first - begin, a.column[first] - v.first[j], k - first});
      ++v.column[j + 1];
    }
  }
  v.row.push_back(static_cast<int>(v.entries.size()));
  for (int j = 0; j < v.count; ++j) v.column[j + 1] += v.column[j];
  v.by_column.resize(v.entries.size());
  std::vector<int> next = v.column;
  for (std::size_t e = 0; e < v.entries.size(); ++e) v.by_column[next[v.entries[e].column]++] = static_cast<int>(e);
  return v;
}

/// Variables in the order in which the first of their unknowns is eliminated.
std::vector<int> order_of(const Variables& v, const SparsePattern& a, const int* order) {
  std::vector<int> of(a.size), out;
  for (int i = 0; i < v.count; ++i)
    for (int r = v.first[i]; r < v.first[i + 1]; ++r) of[r] = i;
  std::vector<char> seen(v.count, 0);
  out.reserve(v.count);
  for (int k = 0; k < a.size; ++k)
    if (const int i = of[order[k]]; !seen[i]) {
      seen[i] = 1;
      out.push_back(i);
    }
  return out;
}

/// Fronts as they come to be: each variable one at first, by its place in the order.
struct Elimination {
  struct Node {
    std::vector<int> pivots, update;  // places
    std::vector<int> children;
    int parent = -1, pivot_size = 0, size = 0;
    double zeros = 0;
    bool taken = false;  // into its parent
  };
  std::vector<Node> nodes;
};

double entries_of(double pivots, double size) { return size * size - (size - pivots) * (size - pivots); }

/// Takes child c into node n, where that makes few zeros.
bool take_in(Elimination& e, int n, int c) {
  Elimination::Node &node = e.nodes[n], &child = e.nodes[c];
  const double pivots = node.pivot_size + child.pivot_size, size = node.size + child.pivot_size;
  const double fresh = 2.0 * child.pivot_size * (node.size - (child.size - child.pivot_size));
  const double zeros = node.zeros + child.zeros + fresh;
  double most = kMostZeros;
  for (const Slack& s : kSlack)
    if (pivots <= s.pivots) {
      most = s.zeros;
      break;
    }
  if (fresh > 0 && zeros > most * entries_of(pivots, size)) return false;
  node.pivot_size += child.pivot_size;
  node.size += child.pivot_size;
  node.zeros = zeros;
  child.taken = true;
  return true;
}

Elimination eliminate(const Variables& v, const std::vector<int>& order) {
  const int n = v.count;
  std::vector<int> place(n), mark(n, -1);
  for (int k = 0; k < n; ++k) place[order[k]] = k;
  Elimination e;
  e.nodes.resize(n);
  for (int k = 0; k < n; ++k) {
    Elimination::Node& node = e.nodes[k];
    const int i = order[k];
    mark[k] = k;
    const auto add = [&](int j) {
      if (j > k && mark[j] != k) {
        mark[j] = k;
        node.update.push_back(j);
      }
    };
    for (int m = v.row[i]; m < v.row[i + 1]; ++m) add(place[v.entries[m].column]);
    for (int m = v.column[i]; m < v.column[i + 1]; ++m) add(place[v.entries[v.by_column[m]].row]);
    for (int c : node.children)
      for (int j : e.nodes[c].update) add(j);
    node.pivot_size = node.size = v.width(i);
    for (int j : node.update) node.size += v.width(order[j]);
    if (!node.update.empty()) {
      node.parent = *std::min_element(node.update.begin(), node.update.end());
      e.nodes[node.parent].children.push_back(k);
    }
    std::vector<int> children;
    for (int c : node.children) {
      Elimination::Node& child = e.nodes[c];
      if (!take_in(e, k, c)) {
        children.push_back(c);
        continue;
      }
      node.pivots.insert(node.pivots.end(), child.pivots.begin(), child.pivots.end());
      for (int g : child.children) {
        e.nodes[g].parent = k;
        children.push_back(g);
      }
      child = {};
      child.taken = true;
    }
    node.pivots.push_back(k);
    node.children = std::move(children);
  }
  return e;
}

/// Nodes that are fronts, each after those below it.
std::vector<int> after_children(const Elimination& e) {
  std::vector<int> out, stack;
  const int n = static_cast<int>(e.nodes.size());
  for (int root = n - 1; root >= 0; --root)  // reversed: a node before what is below it, the last of these first
    if (!e.nodes[root].taken && e.nodes[root].parent < 0) {
      stack.push_back(root);
      while (!stack.empty()) {
        const int k = stack.back();
        stack.pop_back();
        out.push_back(k);
        for (int c : e.nodes[k].children) stack.push_back(c);
      }
    }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace

FrontTree::FrontTree(const SparsePattern& a, const int* order, int threads) : size_(a.size) {
  const Variables v = find_variables(a);
  first_ = v.first;
  const std::vector<int> sequence = order_of(v, a, order);
  Elimination e = eliminate(v, sequence);
  const std::vector<int> nodes = after_children(e);
  const int fronts = static_cast<int>(nodes.size());
  // Numbers of variables in the order of elimination, and the front that each is a pivot of.
  std::vector<int> number(v.count), front_of(v.count), front_of_node(v.count, -1);
  int next = 0;
  for (int f = 0; f < fronts; ++f) {
    front_of_node[nodes[f]] = f;
    for (int k : e.nodes[nodes[f]].pivots) {
      number[sequence[k]] = next++;
      front_of[sequence[k]] = f;
    }
  }
  fronts_.resize(fronts + 1);
  children_.resize(fronts);
  std::vector<int> place(v.count);  // of variables in the front at hand
  for (int f = 0; f < fronts; ++f) {
    Elimination::Node& node = e.nodes[nodes[f]];
    Front& front = fronts_[f];
    front.variable = variables_.size();
    front.entry = entries_.size();
    front.pivots = node.pivot_size;
    front.size = node.size;
    front.pivot_variables = static_cast<int>(node.pivots.size());
    front.parent = node.parent < 0 ? -1 : front_of_node[node.parent];
    if (front.parent >= 0) children_[front.parent].push_back(f);
    for (int k : node.pivots) variables_.push_back(sequence[k]);
    for (int k : node.update) variables_.push_back(sequence[k]);
    const auto begin = variables_.begin() + static_cast<std::ptrdiff_t>(front.variable);
    std::sort(begin + front.pivot_variables, variables_.end(), [&](int i, int j) { return number[i] < number[j]; });
    node = {};
    const auto end = variables_.end();
    for (auto i = begin; i != end; ++i) place[*i] = static_cast<int>(i - begin);
    const auto add = [&](const Variables::Entry& n) {
      const int r = v.first[n.row];
      entries_.push_back({a.start[r] + n.value, a.start[r + 1] - a.start[r], v.width(n.row), n.columns, place[n.row],
                          place[n.column], n.first});
    };
    for (auto i = begin; i != begin + front.pivot_variables; ++i) {
      for (int k = v.row[*i]; k < v.row[*i + 1]; ++k)
        if (const Variables::Entry& n = v.entries[k]; front_of[n.column] >= f) add(n);
      for (int k = v.column[*i]; k < v.column[*i + 1]; ++k)
        if (const Variables::Entry& n = v.entries[v.by_column[k]]; front_of[n.row] > f) add(n);
    }
  }
  fronts_[fronts] = {};
  fronts_[fronts].variable = variables_.size();
  fronts_[fronts].entry = entries_.size();
  place_in_parent_.resize(variables_.size());
  for (int f = 0; f < fronts; ++f) {
    const std::size_t begin = fronts_[f].variable, end = fronts_[f + 1].variable;
    for (std::size_t i = begin; i < end; ++i) place[variables_[i]] = static_cast<int>(i - begin);
    for (int c : children_[f])
      for (std::size_t i = fronts_[c].variable + fronts_[c].pivot_variables; i < fronts_[c + 1].variable; ++i)
        place_in_parent_[i] = place[variables_[i]];
  }
  find_branches(threads);
  lay_out();
}

void FrontTree::find_branches(int threads) {
  const int fronts = count();
  std::vector<Branch> below(fronts);  // each front with all that is below it
  std::vector<Branch> left;           // by flops, a heap
  const auto smaller = [](const Branch& a, const Branch& b) {
    return a.flops != b.flops ? a.flops < b.flops : a.first > b.first;
  };
  double all = 0;
  for (int f = 0; f < fronts; ++f) {
    below[f] = {f, f + 1, fronts_[f].flops()};
    for (int c : children_[f]) {
      below[f].first = std::min(below[f].first, below[c].first);
      below[f].flops += below[c].flops;
    }
    if (fronts_[f].parent < 0) {
      left.push_back(below[f]);
      all += below[f].flops;
    }
  }
  if (threads <= 1 || all < kWorthSharing) {
    for (int f = 0; f < fronts; ++f) trunk_.push_back(f);
    return;
  }
  std::make_heap(left.begin(), left.end(), smaller);
  while (!left.empty() && left.front().flops > all / (kShares * threads)) {
    std::pop_heap(left.begin(), left.end(), smaller);
    const int f = left.back().end - 1;
    left.pop_back();
    trunk_.push_back(f);
    for (int c : children_[f]) {
      left.push_back(below[c]);
      std::push_heap(left.begin(), left.end(), smaller);
    }
  }
  std::sort(left.begin(), left.end(), [&](const Branch& a, const Branch& b) { return smaller(b, a); });
  branches_ = std::move(left);
  std::sort(trunk_.begin(), trunk_.end());
}

// Updates live in two stacks, by depth: those below a front are in the other one, and on top of it. Those of branches,
// which are eliminated at any time, have places of their own.
template <class Fronts>
void FrontTree::stack_updates(const Fronts& fronts, std::size_t (&top)[2]) {
  const std::size_t begin[2] = {top[0], top[1]};
  std::size_t used[2] = {top[0], top[1]};
  for (int f : fronts) {
    Front& front = fronts_[f];
    const int other = (front.depth + 1) % 2;
    for (int c : children_[f])
      if (fronts_[c].update >= begin[other]) used[other] = std::min(used[other], fronts_[c].update);
    front.update = used[front.depth % 2];
    used[front.depth % 2] += static_cast<std::size_t>(front.update_size()) * stride(front.update_size());
    top[front.depth % 2] = std::max(top[front.depth % 2], used[front.depth % 2]);
  }
}

void FrontTree::lay_out() {
  const int fronts = count();
  for (int f = fronts - 1; f >= 0; --f) {
    Front& front = fronts_[f];
    front.depth = front.parent < 0 ? 0 : fronts_[front.parent].depth + 1;
  }
  int pivot = 0;
  std::size_t unknown = 0, factors = 0;
  for (int f = 0; f < fronts; ++f) {
    Front& front = fronts_[f];
    front.pivot = pivot;
    front.unknown = unknown;
    front.panel = factors;
    front.lower = factors + static_cast<std::size_t>(front.pivots) * panel_stride(front.size);
    factors = front.lower + static_cast<std::size_t>(front.pivots) * stride(front.update_size());
    pivot += front.pivots;
    unknown += front.size;
    largest_ = std::max(largest_, front.size);
    most_variables_ = std::max(most_variables_, static_cast<int>(fronts_[f + 1].variable - front.variable));
  }
  fronts_[fronts].pivot = pivot;
  fronts_[fronts].unknown = unknown;
  fronts_[fronts].panel = factors;
  std::vector<int> run;
  for (const Branch& b : branches_) {
    run.resize(b.end - b.first);
    std::iota(run.begin(), run.end(), b.first);
    stack_updates(run, workspace_);
  }
  stack_updates(trunk_, workspace_);
}

}  // namespace clarke
