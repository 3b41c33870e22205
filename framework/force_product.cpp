// Products with the tangents of items as a derivative of their forces along a direction [docs/theory.md, eq. L8], and
// the easier problems that a contributor may put before a step's own.

#include "framework/step_problem.hpp"

#include <algorithm>

namespace clarke {

const View<Vec3>& StepProblem::force_along(const View<Vec3>& du, const View<Vec3>& motion) {
  force_along_.resize(system_.pattern.slots);
  for (int i = 0; i < contributors(); ++i)
    if (!contributors_[i]->force_along(context(i), point_, slice(i), du, force_along_.view()))
      tangents_along(i, motion);
  return force_along_.view();
}

/// T du of the items of one contributor.
void StepProblem::tangents_along(int contributor, const View<Vec3>& motion) {
  const Pattern& p = system_.pattern;
  const View<int> first = system_.forces.item_tangent;
  const View<Mat3> T = system_.forces.tangent;
  const View<Vec3> du = motion, out = force_along_;
  const int from = ranges_[contributor].first_item;
  parallel_for(
      "tangents_along", ranges_[contributor].items,
      KOKKOS_LAMBDA(int n) {
        const int i = from + n, slot = p.item_slot(i), k = p.item_slot(i + 1) - slot;
        const bool has = first(i + 1) > first(i);
        for (int j = 0; j < k; ++j) {
          Vec3 sum{};
          for (int l = 0; has && l < k; ++l) sum += T(first(i) + k * j + l) * du(p.slot_block(slot + l));
          out(slot + j) = sum;
        }
      },
      40);
}

int StepProblem::continuation_steps() const {
  int most = 0;
  for (const auto& c : contributors_) most = std::max(most, c->continuation_steps());
  return most;
}

void StepProblem::set_continuation(int k) {
  for (auto& c : contributors_) c->set_continuation(k);
}

}  // namespace clarke
