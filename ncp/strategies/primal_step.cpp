#include "ncp/strategies/primal_step.hpp"

#include "framework/error.hpp"
#include "framework/math/small_solve.hpp"

#include <algorithm>

namespace clarke {

namespace {

/// Relative rounding of what a gap is made of: positions, arms, their sums.
constexpr double kRounding = 4e-16;
/// [m/s] What is larger than this is no rounding, but an iteration that has gone far away.
constexpr double kMostRounding = 1e-6;

/// Block (j, l) of an item's Jᵀ W J.
KOKKOS_INLINE_FUNCTION Mat3 stiffness_block(const Pattern& p, const View<Vec3>& J, const View<double>& weight, int item,
                                            int j, int l) {
  const int k = p.item_slot(item + 1) - p.item_slot(item), row = p.item_row(item), m = p.item_row(item + 1) - row;
  Mat3 out{};
  for (int r = 0; r < m; ++r) {
    const int v = p.item_value(item) + r * k;
    out = out + weight(row + r) * outer(J(v + j), J(v + l));
  }
  return out;
}

/// The blocks of H of one mover.
struct MoverBlock {
  Mat3 vv, vw, ww;
};

/// Inverse of a mover's block; NaN where it is singular.
KOKKOS_INLINE_FUNCTION MoverInverse inverse_of(const MoverBlock& h, bool body) {
  MoverInverse out{};
  double a[36] = {};
  const int n = body ? 6 : 3;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      a[i * n + j] = h.vv(i, j);
      if (!body) continue;
      a[i * n + 3 + j] = h.vw(i, j);
      a[(3 + j) * n + i] = h.vw(i, j);
      a[(3 + i) * n + 3 + j] = h.ww(i, j);
    }
  const bool regular = invert_small(a, n);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      out.vv(i, j) = regular ? a[i * n + j] : NAN;
      if (!body) continue;
      out.vw(i, j) = a[i * n + 3 + j];
      out.ww(i, j) = a[(3 + i) * n + 3 + j];
    }
  return out;
}

}  // namespace

void refuse_rigid_rows(const StepProblem& problem, const std::string& who) {
  const std::string wants = who + " eliminates the impulses, of rows that give way: ";
  if (problem.system().traits.separate_transpose)
    throw InputError(wants + "expected a problem with J and M, and this one gives the Delassus operator");
  const std::vector<int> prescribed = prescribed_items(problem);
  for (int c = 0; c < problem.contributors(); ++c) {
    const RowSet* rows = problem.contributor(c).rows();
    if (!rows || rows->items == 0) continue;
    const auto name = [&](int row) { return "'" + problem.row_name(problem.slice(c).first_row + row) + "'"; };
    if (rows->dense())
      throw InputError(wants + name(0) + " is an element in row form: expected " +
                       (problem.contributor(c).kind() == "cloth" ? "-cloth_form" : "-soft_form") + " stiffness");
    if (rows->kind == SetKind::disc)
      throw InputError(wants + name(0) + " is rolling resistance, which has none: expected another -snes_type");
    if (rows->sections() && rows->relaxed.smoothing != FrictionSmoothing::huber) {
      const auto section = host_copy(rows->section);
      for (int i = 0; i < rows->items; ++i)
        if (section(i).kind == SectionKind::polygon)
          throw InputError("-friction_smoothing: the friction cone of " + name(3 * i) +
                           " has corners, which no smoothing takes: expected huber");
    }
    const std::vector<double> gamma = softness(*rows);
    const int m = rows->rows / rows->items;
    int row = 0;
    while (row < rows->rows && (gamma[row] > 0 || prescribed[problem.slice(c).first_item + row / m])) ++row;
    if (row == rows->rows) continue;
    if (rows->kind == SetKind::cone)
      throw InputError(wants + name(row) +
                       " is hard: expected -contact_stiffness and -friction_stiffness, or those of materials, and "
                       "-contact_relaxation compliant");
    throw InputError(wants + name(row) + " is rigid: expected -joint_relaxation, or a compliance of its own");
  }
}

void refuse_nonlinear_rows(const StepProblem& problem, const std::string& who) {
  for (int c = 0; c < problem.contributors(); ++c) {
    const RowSet* rows = problem.contributor(c).rows();
    if (!rows || rows->items == 0 || rows->relaxed.linear()) continue;
    const std::string option = rows->relaxed.exponent != 2 ? "-contact_exponent 2" : "-friction_smoothing huber";
    throw InputError(who + " takes contacts with a linear compliance: expected " + option +
                     ", or -snes_type primal or primal_descent");
  }
}

void PrimalStep::begin(StepProblem& problem, bool body_blocks, bool majorant) {
  const SaddlePointSystem& s = problem.system();
  set_majorant(problem, majorant);
  majorant_ = majorant;
  touches_ = false;
  for (int c = 0; c < problem.contributors(); ++c)
    if (const RowSet* rows = problem.contributor(c).rows(); rows && rows->items > 0 && rows->kind == SetKind::cone)
      touches_ = true;
  if (layout_ != s.layout_stamp || body_blocks != body_blocks_) {
    layout_ = s.layout_stamp;
    find_movers(problem, body_blocks);
    find_pairs(problem);
    find_prescribed(problem);
  }
  if (!filter_.empty()) keep_free(s);  // by J of this step
}

void PrimalStep::set_majorant(StepProblem& problem, bool on) {
  for (int c = 0; c < problem.contributors(); ++c)
    if (!problem.contributor(c).set_majorant(on) && problem.slice(c).items > 0)
      throw InputError("-primal_tangent majorant: '" + problem.contributor(c).item_name(0) +
                       "' is no distance to a set of positions: expected springs between particles, contacts, or soft "
                       "bodies of the model corotational with poisson 0 and without damping");
}

void PrimalStep::find_movers(const StepProblem& problem, bool body_blocks) {
  body_blocks_ = body_blocks;
  const auto blocks = host_copy(problem.entities().block_of);
  std::vector<MoverBlocks> movers;
  for (std::size_t e = 0; e < blocks.extent(0); ++e) {
    if (blocks(e).v < 0) continue;
    if (body_blocks || blocks(e).w < 0)
      movers.push_back({blocks(e).v, blocks(e).w});
    else
      movers.push_back({blocks(e).v, -1}), movers.push_back({blocks(e).w, -1});
  }
  bodies_ = std::any_of(movers.begin(), movers.end(), [](const MoverBlocks& m) { return m.second >= 0; });
  movers_ = to_device("primal_movers", movers);
  inverse_.resize(static_cast<int>(movers.size()));
}

/// Where the geometric stiffness of items is that couple their blocks.
void PrimalStep::find_pairs(const StepProblem& problem) {
  const Pattern p = problem.system().pattern;
  const auto item_slot = host_copy(p.item_slot);
  std::vector<int> first(p.items + 1, 0);
  for (int c = 0; c < problem.contributors(); ++c) {
    if (!problem.contributor(c).couples_blocks()) continue;
    const SystemSlice s = problem.slice(c);
    for (int i = s.first_item; i < s.first_item + s.items; ++i) {
      const int k = item_slot(i + 1) - item_slot(i);
      first[i + 1] = k * k;
    }
  }
  for (int i = 0; i < p.items; ++i) first[i + 1] += first[i];
  pairs_.first = pair_first_.resize(p.items + 1);
  Kokkos::deep_copy(pairs_.first, to_device("pair_first", first));
  pairs_.block = pair_block_.resize(first.back());
}

void PrimalStep::evaluate(StepProblem& problem, const View<Vec3>& u, const View<double>& impulse) {
  SaddlePointSystem& s = problem.system();
  impulse_ = impulse;
  fill(impulse, 0.0);  // what rows then have for v is without compliance
  problem.evaluate(u, impulse, s.sparse_hessian());
  const StepRows rows = rows_.gather(problem);
  const View<double> p = impulse, weight = weight_.resize(s.pattern.rows),
                     energy = item_energy_.resize(s.pattern.items);
  const RelaxedContact law = rows.relaxed;
  const View<int> prescribed = prescribed_;
  parallel_for(
      "primal_law", s.pattern.items,
      KOKKOS_LAMBDA(int i) {
        const int row = rows.pattern.item_row(i), m = rows.pattern.item_row(i + 1) - row;
        energy(i) = 0;
        for (int r = row; prescribed(i) && r < row + m; ++r) p(r) = weight(r) = 0;
        if (m == 0 || prescribed(i)) return;
        energy(i) = relaxed_law(admissible_set(rows, i), law, rows.velocity.data() + row, rows.compliance.data() + row,
                                p.data() + row, weight.data() + row);
      },
      40);
  compute_momentum(s, u, impulse);
  if (!filter_.empty()) take_out(s, impulse);
}

const View<double>& PrimalStep::tangents(const SaddlePointSystem& s, PrimalTangent kind) {
  const StepRows& rows = rows_.rows();
  const View<double> T = tangent_.resize(s.pattern.squares), p = impulse_, weight = weight_;
  const RelaxedContact law = rows.relaxed;
  parallel_for(
      "primal_tangent", s.pattern.items,
      KOKKOS_LAMBDA(int i) {
        const int row = rows.pattern.item_row(i), m = rows.pattern.item_row(i + 1) - row,
                  q = rows.pattern.item_square(i);
        if (m == 0) return;
        if (kind != PrimalTangent::weight) {
          relaxed_tangent(admissible_set(rows, i), law, rows.velocity.data() + row, rows.compliance.data() + row,
                          p.data() + row, weight.data() + row, T.data() + q);
          if (kind == PrimalTangent::lagged && rows.kind(i) == SetKind::cone) T(q + 3) = T(q + 6) = 0;
          return;
        }
        for (int e = 0; e < m * m; ++e) T(q + e) = e % (m + 1) == 0 ? weight(row + e / m) : 0;
      },
      40);
  return tangent_.view();
}

/// Weights that no point of the level set of Φ exceeds.
void PrimalStep::majorise(const StepProblem& problem) {
  const StepRows& rows = rows_.rows();
  const RelaxedContact law = rows.relaxed;
  const double level = law.exponent == 2 ? 0 : energy(problem);
  const View<double> weight = weight_;
  const View<int> prescribed = prescribed_;
  parallel_for(
      "primal_majorant", rows.pattern.items,
      KOKKOS_LAMBDA(int i) {
        if (prescribed(i)) return;
        const int row = rows.pattern.item_row(i), m = rows.pattern.item_row(i + 1) - row;
        for (int r = 0; r < m; ++r) weight(row + r) = 1 / rows.compliance(row + r);
        if (m > 0 && rows.kind(i) == SetKind::cone)
          majorising_weights(admissible_set(rows, i), law, level, weight.data() + row);
      },
      10);
}

void PrimalStep::linearise(StepProblem& problem) {
  if (majorant_) majorise(problem);
  const SaddlePointSystem& s = problem.system();
  problem.add_geometric_stiffness(pairs_);
  const View<Mat3> diagonal = diagonal_.resize(s.blocks);
  Kokkos::deep_copy(diagonal, s.hessian.view());
  const Pattern& p = s.pattern;
  const View<Vec3> J = s.jacobian;
  const View<double> weight = weight_;
  const GeometricPairs pairs = pairs_;
  const View<MoverBlocks> movers = movers_;
  const View<MoverInverse> inverse = inverse_;
  parallel_for(
      "primal_blocks", static_cast<int>(movers.extent(0)),
      KOKKOS_LAMBDA(int e) {
        const MoverBlocks at = movers(e);
        MoverBlock h{};
        const auto block = [&](int item, int j, int l) {
          Mat3 out = stiffness_block(p, J, weight, item, j, l);
          const int first = pairs.first(item), k = p.item_slot(item + 1) - p.item_slot(item);
          if (pairs.first(item + 1) > first) out = out + pairs.block(first + j * k + l);
          return out;
        };
        h.vv = diagonal(at.first);
        if (at.second >= 0) h.ww = diagonal(at.second);
        for (int g = p.gather(at.first); g < p.gather(at.first + 1); ++g) {
          const int item = p.gather_item(g), j = p.gather_slot(g);
          h.vv = h.vv + block(item, j, j);
          for (int slot = p.item_slot(item); at.second >= 0 && slot < p.item_slot(item + 1); ++slot)
            if (p.slot_block(slot) == at.second) h.vw = h.vw + block(item, j, slot - p.item_slot(item));
        }
        for (int g = at.second >= 0 ? p.gather(at.second) : 0; at.second >= 0 && g < p.gather(at.second + 1); ++g)
          h.ww = h.ww + block(p.gather_item(g), p.gather_slot(g), p.gather_slot(g));
        inverse(e) = inverse_of(h, at.second >= 0);
      },
      600);
}

double PrimalStep::rounding(const StepProblem& problem, const View<Vec3>& u) const {
  const SaddlePointSystem& s = problem.system();
  const Pattern& p = s.pattern;
  const View<Vec3> J = s.jacobian, position = problem.point().x, velocity = u;
  const View<Mat3> inverse = s.mass_inverse, diagonal = diagonal_;
  const View<double> weight = weight_;
  const double stiffest = largest_of(
      "primal_stiffest", s.blocks, KOKKOS_LAMBDA(int b) {
        double sum = trace(inverse(b) * diagonal(b));
        for (int g = p.gather(b); g < p.gather(b + 1); ++g) {
          const int j = p.gather_slot(g);
          sum += trace(inverse(b) * stiffness_block(p, J, weight, p.gather_item(g), j, j));
        }
        return sum;
      });
  const double farthest = largest_of(
      "primal_farthest", static_cast<int>(position.extent(0)), KOKKOS_LAMBDA(int i) { return norm(position(i)); });
  const double fastest = largest_of(
      "primal_fastest", s.blocks, KOKKOS_LAMBDA(int b) { return norm(velocity(b)); });
  return std::fmin(kMostRounding, kRounding * stiffest * (fastest + farthest / problem.context().h));
}

void PrimalStep::precondition(const View<Vec3>& r, const View<Vec3>& z) const {
  const View<MoverBlocks> movers = movers_;
  const View<MoverInverse> inverse = inverse_;
  const View<Vec3> in = r, out = z;
  parallel_for(
      "primal_precondition", static_cast<int>(movers.extent(0)),
      KOKKOS_LAMBDA(int e) {
        const MoverBlocks at = movers(e);
        const MoverInverse P = inverse(e);
        if (at.second < 0) {
          out(at.first) = P.vv * in(at.first);
          return;
        }
        const Vec3 v = in(at.first), w = in(at.second);
        out(at.first) = P.vv * v + P.vw * w;
        out(at.second) = transpose(P.vw) * v + P.ww * w;
      },
      20);
  if (!filter_.empty()) filter_.apply(z);
}

void PrimalStep::apply(const SaddlePointSystem& s, const View<Vec3>& x, const View<Vec3>& y) {
  const Pattern& p = s.pattern;
  const View<Vec3> J = s.jacobian, in = x, out = y, paired = pair_product_.resize(p.slots);
  const View<Mat3> diagonal = diagonal_;
  const View<double> weight = weight_, t = product_.resize(p.rows);
  const GeometricPairs pairs = pairs_;
  const OffDiagonal& off = s.forces.off;
  parallel_for(
      "primal_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, slot = p.item_slot(i), first = pairs.first(i),
                  k = p.item_slot(i + 1) - slot;
        for (int r = 0; r < m; ++r) t(row + r) = weight(row + r) * row_product(p, J, in, i, r);
        const bool coupled = pairs.first(i + 1) > first;
        for (int j = 0; j < k; ++j) {
          Vec3 sum{};
          for (int l = 0; coupled && l < k; ++l) sum += pairs.block(first + j * k + l) * in(p.slot_block(slot + l));
          paired(slot + j) = sum;
        }
      },
      40);
  parallel_for(
      "primal_product", s.blocks,
      KOKKOS_LAMBDA(int b) {
        Vec3 sum = diagonal(b) * in(b) + block_gather(p, J, t, b) + off_diagonal_product(off, in, b);
        for (int g = p.gather(b); g < p.gather(b + 1); ++g)
          sum += paired(p.item_slot(p.gather_item(g)) + p.gather_slot(g));
        out(b) = sum;
      },
      40);
}

}  // namespace clarke
