#include "ncp/strategies/primal_matrix.hpp"

namespace clarke {

namespace {

/// Appends the indices of the nine entries of a block.
void add_block(int row, int column, std::vector<PetscInt>& i, std::vector<PetscInt>& j) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      i.push_back(3 * row + r);
      j.push_back(3 * column + c);
    }
}

/// S_a B S_b, and 1 − S_a where a block is on the diagonal.
Mat3 filtered(const HostView<Mat3>& keep, int a, int b, const Mat3& block, bool diagonal) {
  Mat3 out = keep(a) * block * keep(b);
  if (diagonal) out = out + Mat3::identity() - keep(a);
  return out;
}

void put_block(const Mat3& block, PetscScalar* at) {
  for (int e = 0; e < 9; ++e) at[e] = block(e / 3, e % 3);
}

/// Six for a body, whose ω follows its v, three for a particle.
std::vector<PetscInt> block_sizes(const StepProblem& problem) {
  const auto blocks = host_copy(problem.entities().block_of);
  std::vector<PetscInt> size(problem.system().blocks, 3);
  for (std::size_t e = 0; e < blocks.extent(0); ++e)
    if (blocks(e).w >= 0) size[blocks(e).v] = 6, size[blocks(e).w] = 0;
  std::vector<PetscInt> out;
  for (const PetscInt s : size)
    if (s > 0) out.push_back(s);
  return out;
}

}  // namespace

PetscErrorCode PrimalMatrix::set_up(const StepProblem& problem, bool* made) {
  const SaddlePointSystem& s = problem.system();
  PetscFunctionBegin;
  *made = layout_ != s.layout_stamp;
  if (!*made) PetscFunctionReturn(0);
  layout_ = s.layout_stamp;
  const auto p = host_copy(s.pattern);
  std::vector<PetscInt> i, j;
  for (int b = 0; b < s.blocks; ++b) add_block(b, b, i, j);
  if (s.forces.off.entries > 0) {
    const auto first = host_copy(s.forces.off.first), column = host_copy(s.forces.off.column);
    for (int b = 0; b < s.blocks; ++b)
      for (int e = first(b); e < first(b + 1); ++e) add_block(b, column(e), i, j);
  }
  item_entry_.clear();
  for (int item = 0; item < p.items; ++item) {
    item_entry_.push_back(static_cast<int>(i.size()) / 9);
    if (p.item_row(item + 1) == p.item_row(item)) continue;
    for (int a = p.item_slot(item); a < p.item_slot(item + 1); ++a)
      for (int b = p.item_slot(item); b < p.item_slot(item + 1); ++b) add_block(p.slot_block(a), p.slot_block(b), i, j);
  }
  values_.assign(i.size(), 0);
  const PetscInt n = s.velocity_size();
  PetscCall(MatDestroy(&mat_));
  PetscCall(MatCreate(s.communicator, &mat_));
  PetscCall(MatSetSizes(mat_, n, n, n, n));
  PetscCall(MatSetType(mat_, MATSEQAIJ));
  PetscCall(MatSetPreallocationCOO(mat_, static_cast<PetscCount>(i.size()), i.data(), j.data()));
  std::vector<PetscInt> sizes = block_sizes(problem);
  PetscCall(MatSetVariableBlockSizes(mat_, static_cast<PetscInt>(sizes.size()), sizes.data()));
  PetscFunctionReturn(0);
}

/// The filter goes with the matrix where it is kept; it is only referenced.
PetscErrorCode PrimalMatrix::attach_filter(const VelocityFilter& filter) {
  PetscFunctionBegin;
  // The start is as prescribed (PrimalStep::satisfy), and increments keep it so.
  if (filter_.keep.data() != filter.keep.data()) filter_.given = View<Vec3>("primal_no_given", filter.keep.extent(0));
  filter_.keep = filter.keep;
  PetscContainer container = nullptr;
  if (keep_prescribed_ && !filter_.empty()) {
    PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
    PetscCall(PetscContainerSetPointer(container, &filter_));
  }
  PetscCall(PetscObjectCompose((PetscObject)mat_, kVelocityFilter, (PetscObject)container));
  PetscCall(PetscContainerDestroy(&container));
  PetscFunctionReturn(0);
}

PetscErrorCode PrimalMatrix::fill(const SaddlePointSystem& s, PrimalStep& step, PrimalTangent kind) {
  PetscFunctionBegin;
  const auto p = host_copy(s.pattern);
  const auto J = host_copy(s.jacobian.view());
  const auto T = host_copy(step.tangents(s, kind));
  const auto diagonal = host_copy(step.diagonal());
  const auto pair_first = host_copy(step.pairs().first);
  const auto pair = host_copy(step.pairs().block);
  const bool out = !step.filter().empty() && !keep_prescribed_;
  const auto keep = host_copy(step.filter().keep);
  PetscCall(attach_filter(step.filter()));
  for (int b = 0; b < s.blocks; ++b)
    put_block(out ? filtered(keep, b, b, diagonal(b), true) : diagonal(b), &values_[9 * b]);
  if (s.forces.off.entries > 0) {
    const auto off = host_copy(s.forces.off.value);
    const auto first = host_copy(s.forces.off.first), column = host_copy(s.forces.off.column);
    for (int b = 0; b < s.blocks; ++b)
      for (int e = first(b); e < first(b + 1); ++e)
        put_block(out ? filtered(keep, b, column(e), off(e), false) : off(e), &values_[9 * (s.blocks + e)]);
  }
  for (int item = 0; item < p.items; ++item) {
    const int m = p.item_row(item + 1) - p.item_row(item), k = p.item_slot(item + 1) - p.item_slot(item);
    if (m == 0) continue;
    const bool paired = pair_first(item + 1) > pair_first(item);
    for (int a = 0; a < k; ++a)
      for (int b = 0; b < k; ++b) {
        Mat3 block = paired ? pair(pair_first(item) + a * k + b) : Mat3{};
        for (int r = 0; r < m; ++r)
          for (int e = 0; e < m; ++e)
            if (const double t = T(p.item_square(item) + r * m + e); t != 0)
              block = block + t * outer(J(p.item_value(item) + r * k + a), J(p.item_value(item) + e * k + b));
        if (out)
          block =
              filtered(keep, p.slot_block(p.item_slot(item) + a), p.slot_block(p.item_slot(item) + b), block, false);
        put_block(block, &values_[9 * (item_entry_[item] + a * k + b)]);
      }
  }
  PetscCall(MatSetValuesCOO(mat_, values_.data(), INSERT_VALUES));
  PetscFunctionReturn(0);
}

}  // namespace clarke
