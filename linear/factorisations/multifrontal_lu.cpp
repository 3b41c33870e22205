#include "linear/factorisations/multifrontal_lu.hpp"

#include "linear/factorisations/shared_front.hpp"

#include <algorithm>
#include <utility>

namespace clarke {

namespace {

using Front = FrontTree::Front;

bool any_nonzero(const double* values, const FrontTree::Entries& e) {
  for (int r = 0; r < e.rows; ++r, values += e.stride)
    for (int c = 0; c < e.columns; ++c)
      if (values[c] != 0) return true;
  return false;
}

}  // namespace

MultifrontalLu::MultifrontalLu(const SparsePattern& a, const int* order, int threads) : tree_(a, order, threads) {
  factors_.resize(tree_.factor_size() + 4);  // what lies behind the last row is read (front_kernels.hpp)
  for (int parity : {0, 1}) update_[parity].resize(tree_.workspace(parity));
  active_.resize(tree_.count());
  offset_.resize(tree_.variables().size());
  taking_part_.resize(tree_.variables().size());
  unknowns_.resize(tree_.front(tree_.count()).unknown);
  scratch_.resize(tree_.branches().empty() ? 1 : threads);
  for (Scratch& s : scratch_) {
    s.runs.resize(tree_.most_variables());
    s.gathered.resize(tree_.largest());
  }
  failed_.resize(tree_.branches().size());
  if (scratch_.size() > 1) room_.resize(shared_front_room(tree_.largest()));
  inverse_.resize(tree_.size());
  swap_.resize(tree_.size());
  work_.resize(tree_.size());
}

void MultifrontalLu::activate(int f, const double* values) {
  const Front &front = tree_.front(f), &next = tree_.front(f + 1);
  const int* const variable = tree_.variables().data() + front.variable;
  int* const offset = offset_.data() + front.variable;
  int* const taking_part = taking_part_.data() + front.variable;
  int* unknown = unknowns_.data() + front.unknown;
  const int variables = static_cast<int>(next.variable - front.variable);
  std::fill(offset, offset + variables, -1);
  for (int c : tree_.children(f)) {
    const std::size_t begin = tree_.front(c).variable;
    for (int k = 0; k < active_[c].variables; ++k) offset[tree_.place_in_parent()[begin + taking_part_[begin + k]]] = 0;
  }
  for (std::size_t n = front.entry; n < next.entry; ++n) {
    const FrontTree::Entries& e = tree_.entries()[n];
    const int outer = std::max(e.row, e.column);
    if (outer >= front.pivot_variables && offset[outer] < 0 && any_nonzero(values + e.value, e)) offset[outer] = 0;
  }
  Active& active = active_[f];
  active.size = active.variables = 0;
  for (int i = 0; i < variables; ++i) {
    if (i >= front.pivot_variables) {
      if (offset[i] < 0) continue;
      taking_part[active.variables++] = i;
    }
    offset[i] = active.size;
    const int width = tree_.width(variable[i]);
    for (int r = 0; r < width; ++r) *unknown++ = tree_.first_unknown(variable[i]) + r;
    active.size += width;
  }
  active.panel_stride = FrontTree::panel_stride(active.size);
  active.update_stride = FrontTree::stride(active.size - front.pivots);
}

void MultifrontalLu::assemble(int f, const double* values) {
  const Front &front = tree_.front(f), &next = tree_.front(f + 1);
  const Active& active = active_[f];
  const int* const offset = offset_.data() + front.variable;
  double *const P = panel(f), *const X = lower(f), *const S = update(f);
  const std::size_t below = active.size - front.pivots;
  std::fill(P, P + static_cast<std::size_t>(front.pivots) * active.panel_stride, 0.0);
  std::fill(X, X + static_cast<std::size_t>(front.pivots) * active.update_stride, 0.0);
  std::fill(S, S + below * active.update_stride, 0.0);
  for (std::size_t n = front.entry; n < next.entry; ++n) {
    const FrontTree::Entries& e = tree_.entries()[n];
    const int row = offset[e.row], column = offset[e.column];
    if (row < 0 || column < 0) continue;
    // Of X, which is column after column, the way from row to row is 1.
    const bool pivots = row < front.pivots;
    const std::ptrdiff_t down = pivots ? active.panel_stride : 1, right = pivots ? 1 : active.update_stride;
    double* to = (pivots ? P + row * down : X + row - front.pivots) + (column + e.first) * right;
    const double* from = values + e.value;
    for (int r = 0; r < e.rows; ++r, to += down, from += e.stride)
      for (int c = 0; c < e.columns; ++c) to[c * right] += from[c];
  }
}

void MultifrontalLu::add_update(int child, Scratch& scratch) {
  const int parent = tree_.front(child).parent;
  const Front &c = tree_.front(child), &front = tree_.front(parent);
  const Active& active = active_[parent];
  const int* const offset = offset_.data() + front.variable;
  Run* const runs = scratch.runs.data();
  Run* end = runs;
  int from = 0;
  for (int k = 0; k < active_[child].variables; ++k) {
    const std::size_t i = c.variable + taking_part_[c.variable + k];
    const int to = offset[tree_.place_in_parent()[i]], width = tree_.width(tree_.variables()[i]);
    if (end > runs && end[-1].to + end[-1].length == to && to != front.pivots)
      end[-1].length += width;
    else
      *end++ = {from, to, width};
    from += width;
  }
  double *const P = panel(parent), *const X = lower(parent), *const S = update(parent);
  for (const Run* r = runs; r < end; ++r)
    for (int i = 0; i < r->length; ++i) {
      const double* const row = update(child) + static_cast<std::size_t>(r->from + i) * active_[child].update_stride;
      const std::ptrdiff_t to = r->to + i, below = to - front.pivots;
      double* const out = below < 0 ? P + to * active.panel_stride : S + below * active.update_stride - front.pivots;
      for (const Run* s = runs; s < end; ++s) {
        const double* const in = row + s->from;
        if (below >= 0 && s->to < front.pivots)
          for (int j = 0; j < s->length; ++j) X[(s->to + j) * std::ptrdiff_t{active.update_stride} + below] += in[j];
        else
          for (int j = 0; j < s->length; ++j) out[s->to + j] += in[j];
      }
    }
}

int MultifrontalLu::unknown_of_row(int f, int row) const {
  const Front& front = tree_.front(f);
  std::vector<int> rows(unknowns_.begin() + static_cast<std::ptrdiff_t>(front.unknown),
                        unknowns_.begin() + static_cast<std::ptrdiff_t>(front.unknown) + front.pivots);
  for (int k = 0; k <= row; ++k) std::swap(rows[k], rows[swap_[front.pivot + k]]);
  return rows[row];
}

PivotFailure MultifrontalLu::eliminate(int f, const double* values, double zero, int threads, Scratch& scratch) {
  activate(f, values);
  assemble(f, values);
  for (int c : tree_.children(f)) add_update(c, scratch);
  const Front& front = tree_.front(f);
  const Active& active = active_[f];
  return eliminate_front({panel(f), lower(f), update(f), active.panel_stride, active.update_stride, front.pivots,
                          active.size - front.pivots, swap_.data() + front.pivot, inverse_.data() + front.pivot},
                         zero, threads, room_.data());
}

PivotFailure MultifrontalLu::factorise(const double* values, double zero) {
  const auto& branches = tree_.branches();
  const int threads = static_cast<int>(scratch_.size());
  share(static_cast<int>(branches.size()), threads, [&](int b, int t) {
    failed_[b] = {tree_.count(), {}};
    for (int f = branches[b].first; f < branches[b].end; ++f)
      if (const PivotFailure failure = eliminate(f, values, zero, 1, scratch_[t]); failure.row >= 0) {
        failed_[b] = {f, failure};
        return;
      }
  });
  // What one thread would meet first; the fronts before it are whole.
  Failure first = {tree_.count(), {}};
  for (const Failure& f : failed_)
    if (f.front < first.front) first = f;
  for (int f : tree_.trunk()) {
    if (f > first.front) break;
    if (const PivotFailure failure = eliminate(f, values, zero, threads, scratch_[0]); failure.row >= 0)
      first = {f, failure};
  }
  if (first.front < tree_.count()) return {unknown_of_row(first.front, first.pivot.row), first.pivot.value};
  flops_ = 0;
  for (int f = 0; f < tree_.count(); ++f)
    flops_ += FrontTree::flops_of(tree_.front(f).pivots, active_[f].size - tree_.front(f).pivots);
  return {};
}

void MultifrontalLu::solve(const double* b, double* x) {
  std::copy(b, b + tree_.size(), work_.begin());
  double* const y = scratch_[0].gathered.data();
  for (int f = 0; f < tree_.count(); ++f) {
    const Front& front = tree_.front(f);
    const Active& active = active_[f];
    const int* const unknown = unknowns_.data() + front.unknown;
    const double *P = panel(f), *X = lower(f);
    const int p = front.pivots, below = active.size - p;
    double* const rest = y + p;
    for (int k = 0; k < p; ++k) y[k] = work_[unknown[k]];
    std::fill(rest, rest + below, 0.0);
    for (int k = 0; k < p; ++k, P += active.panel_stride, X += active.update_stride) {
      std::swap(y[k], y[swap_[front.pivot + k]]);
      y[k] -= dot_product(P, y, k);
      work_[unknown[k]] = y[k];
      for (int i = 0; i < below; ++i) rest[i] += X[i] * y[k];
    }
    for (int i = 0; i < below; ++i) work_[unknown[p + i]] -= rest[i];
  }
  const auto& trunk = tree_.trunk();
  for (auto f = trunk.rbegin(); f != trunk.rend(); ++f) substitute_back(*f, scratch_[0]);
  const auto& branches = tree_.branches();
  share(static_cast<int>(branches.size()), static_cast<int>(scratch_.size()), [&](int k, int t) {
    for (int f = branches[k].end - 1; f >= branches[k].first; --f) substitute_back(f, scratch_[t]);
  });
  std::copy(work_.begin(), work_.end(), x);
}

void MultifrontalLu::substitute_back(int f, Scratch& scratch) {
  const Front& front = tree_.front(f);
  const Active& active = active_[f];
  const int* const unknown = unknowns_.data() + front.unknown;
  double* const y = scratch.gathered.data();
  for (int k = 0; k < active.size; ++k) y[k] = work_[unknown[k]];
  for (int k = front.pivots - 1; k >= 0; --k) {
    const double* const P = panel(f) + static_cast<std::size_t>(k) * active.panel_stride;
    y[k] = (y[k] - dot_product(P + k + 1, y + k + 1, active.size - k - 1)) * inverse_[front.pivot + k];
    work_[unknown[k]] = y[k];
  }
}

void MultifrontalLu::solve_transposed(const double* b, double* x) {
  std::copy(b, b + tree_.size(), work_.begin());
  double* const y = scratch_[0].gathered.data();
  for (int f = 0; f < tree_.count(); ++f) {
    const Front& front = tree_.front(f);
    const Active& active = active_[f];
    const int* const unknown = unknowns_.data() + front.unknown;
    const double* P = panel(f);
    for (int k = 0; k < active.size; ++k) y[k] = work_[unknown[k]];
    for (int k = 0; k < front.pivots; ++k, P += active.panel_stride) {
      y[k] *= inverse_[front.pivot + k];
      for (int j = k + 1; j < active.size; ++j) y[j] -= P[j] * y[k];
    }
    for (int k = 0; k < active.size; ++k) work_[unknown[k]] = y[k];
  }
  for (int f = tree_.count() - 1; f >= 0; --f) {
    const Front& front = tree_.front(f);
    const Active& active = active_[f];
    const int* const unknown = unknowns_.data() + front.unknown;
    const int p = front.pivots;
    for (int k = 0; k < active.size; ++k) y[k] = work_[unknown[k]];
    for (int k = p - 1; k >= 0; --k) {
      const double* const P = panel(f) + static_cast<std::size_t>(k) * active.panel_stride;
      y[k] -= dot_product(lower(f) + static_cast<std::size_t>(k) * active.update_stride, y + p, active.size - p);
      for (int j = 0; j < k; ++j) y[j] -= P[j] * y[k];
    }
    for (int k = p - 1; k >= 0; --k) std::swap(y[k], y[swap_[front.pivot + k]]);
    for (int k = 0; k < p; ++k) work_[unknown[k]] = y[k];
  }
  std::copy(work_.begin(), work_.end(), x);
}

}  // namespace clarke
