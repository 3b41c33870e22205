// Prescribed velocities of a primal step: rows that are taken out [docs/theory.md, eq. D11].

#include "framework/error.hpp"
#include "ncp/strategies/primal_step.hpp"

#include <algorithm>
#include <set>

namespace clarke {

namespace {

/// Kinds of rows that are linear in the velocity of a particle, with an orthonormal J.
const std::set<std::string> kPrescribing{"ball", "pin", "point_on_line", "point_on_plane"};

}  // namespace

std::vector<int> prescribed_items(const StepProblem& problem) {
  const auto p = host_copy(problem.system().pattern);
  std::vector<int> out(p.items, 0), held(problem.system().blocks, -1);
  for (int c = 0; c < problem.contributors(); ++c) {
    const RowSet* rows = problem.contributor(c).rows();
    if (!rows || rows->items == 0 || kPrescribing.count(problem.contributor(c).kind()) == 0) continue;
    const auto gamma = host_copy(rows->compliance);
    const int m = rows->rows / rows->items, first = problem.slice(c).first_item;
    for (int i = 0; i < rows->items; ++i) {
      bool rigid = p.item_slot(first + i + 1) - p.item_slot(first + i) == 1;  // a body has two blocks
      for (int r = i * m; r < (i + 1) * m; ++r) rigid = rigid && gamma(r) == 0;
      if (!rigid) continue;
      int& other = held[p.slot_block(p.item_slot(first + i))];
      if (other >= 0)
        throw InputError("'" + problem.row_name(p.item_row(other)) + "' and '" +
                         problem.row_name(p.item_row(first + i)) +
                         "' hold the same particle: expected one of them, or -joint_relaxation");
      other = first + i;
      out[first + i] = 1;
    }
  }
  return out;
}

void PrimalStep::find_prescribed(const StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  const std::vector<int> prescribed = prescribed_items(problem);
  prescribed_ = to_device("primal_prescribed", prescribed);
  filter_ = {};
  if (std::find(prescribed.begin(), prescribed.end(), 1) == prescribed.end()) return;
  filter_.keep = View<Mat3>("primal_keep", s.blocks);
  filter_.given = View<Vec3>("primal_given", s.blocks);
}

/// S of all blocks.
void PrimalStep::keep_free(const SaddlePointSystem& s) {
  const Pattern& p = s.pattern;
  const View<Vec3> J = s.jacobian;
  const View<int> prescribed = prescribed_;
  const View<Mat3> keep = filter_.keep;
  parallel_for(
      "primal_keep", s.blocks, KOKKOS_LAMBDA(int b) {
        Mat3 S = Mat3::identity();
        for (int g = p.gather(b); g < p.gather(b + 1); ++g) {
          const int item = p.gather_item(g), m = p.item_row(item + 1) - p.item_row(item);
          for (int r = 0; prescribed(item) && r < m; ++r)
            S = S - outer(J(p.item_value(item) + r), J(p.item_value(item) + r));
        }
        keep(b) = S;
      });
}

/// Λ of prescribed rows, which balance R where they are, and what u lacks of them.
void PrimalStep::take_out(const SaddlePointSystem& s, const View<double>& impulse) {
  const Pattern& p = s.pattern;
  const View<Vec3> J = s.jacobian, R = s.momentum_residual, given = filter_.given;
  const View<int> prescribed = prescribed_;
  const View<double> out = impulse, v = rows_.rows().velocity;
  parallel_for(
      "primal_take_out", p.items, KOKKOS_LAMBDA(int i) {
        if (!prescribed(i)) return;
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, b = p.slot_block(p.item_slot(i));
        Vec3 lacks{};
        for (int r = 0; r < m; ++r) {
          const Vec3 n = J(p.item_value(i) + r);
          out(row + r) = dot(n, R(b));
          lacks = lacks - v(row + r) * n;
        }
        given(b) = lacks;
      });
  filter_.apply(R);
}

void PrimalStep::satisfy(StepProblem& problem, const View<Vec3>& velocity) {
  if (filter_.empty()) return;
  evaluate(problem, velocity, start_impulse_.resize(problem.system().pattern.rows));
  const View<Vec3> u = velocity, given = filter_.given;
  parallel_for(
      "primal_satisfy", static_cast<int>(u.extent(0)), KOKKOS_LAMBDA(int b) { u(b) += given(b); });
}

}  // namespace clarke
