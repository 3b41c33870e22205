#include "ncp/strategies/row_arguments.hpp"

#include "framework/error.hpp"

namespace clarke {

void RowArguments::gather(StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  const int rows = s.pattern.rows;
  const View<double> v = velocity.resize(rows), gamma = compliance.resize(rows), low = lower.resize(rows),
                     high = upper.resize(rows), mu = friction.resize(s.pattern.items);
  const View<int> how_of = kind.resize(s.pattern.items);
  for (int i = 0; i < problem.contributors(); ++i) {
    const SystemSlice slice = problem.slice(i);
    if (slice.items == 0) continue;
    const int first = slice.first_row, item = slice.first_item;
    const Pattern p = slice.pattern;
    if (const ContactRows* found = problem.contributor(i).contact_rows()) {
      const ContactRows c = *found;
      const bool sections = c.section.extent(0) > 0;
      const View<FrictionSection> cone = section.resize(sections ? s.pattern.items : 0);
      parallel_for(
          "gather_contacts", c.count,
          KOKKOS_LAMBDA(int k) {
            how_of(item + k) = kContact;
            mu(item + k) = c.friction(k);
            v(first + 3 * k) = c.gap_velocity(k);
            v(first + 3 * k + 1) = c.slip(2 * k);
            v(first + 3 * k + 2) = c.slip(2 * k + 1);
            for (int r = 0; r < 3; ++r) gamma(first + 3 * k + r) = c.compliance(3 * k + r);
            if (sections) cone(item + k) = c.section(k);
          },
          8);
    } else if (const JointRows* joints = problem.contributor(i).joint_rows()) {
      const JointRows c = *joints;
      parallel_for(
          "gather_joints", slice.items,
          KOKKOS_LAMBDA(int k) {
            constexpr double kLarge = 1e300;
            int how = kBlock;
            for (int row = p.item_row(item + k); row < p.item_row(item + k + 1); ++row) {
              const int r = row - first;
              v(row) = c.velocity(r);
              gamma(row) = c.compliance(r);
              low(row) = c.lower(r);
              high(row) = c.upper(r);
              if (low(row) > -kLarge || high(row) < kLarge) how = kRowByRow;
            }
            how_of(item + k) = c.discs ? kDisc : how;
          },
          12);
    } else {
      throw InputError(
          "-snes_type nsgs and admm, and -newton_start_sweeps, know contacts and joints, not the rows of '" +
          problem.contributor(i).item_name(0) + "'");
    }
  }
}

}  // namespace clarke
