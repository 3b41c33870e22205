#include "physics/matrix_problem/matrix_contributors.hpp"

#include "framework/row_assembly.hpp"

#include <limits>
#include <span>
#include <stdexcept>

namespace clarke {
namespace {

std::vector<double> or_filled(const std::vector<double>& given, int size, double value) {
  return given.empty() ? std::vector<double>(size, value) : given;
}

void start_from(const std::vector<double>& guess, const View<double>& impulse) {
  if (guess.empty()) {
    fill(impulse, 0.0);
  } else {
    to_device(guess, impulse);
  }
}

}  // namespace

MatrixMass::MatrixMass(const MatrixProblem& problem)
    : mass_(to_device("matrix_mass", problem.mass())),
      inverse_("matrix_mass_inverse", problem.mass().size()),
      free_velocity_(to_device("matrix_velocity", problem.free_velocity())) {
  std::vector<Mat3> inverses;
  for (const Mat3& m : problem.mass()) inverses.push_back(inverse(m));
  to_device(inverses, inverse_);
}

void MatrixMass::fill_mass(const StepContext&, const State&, SaddlePointSystem& system) {
  Kokkos::deep_copy(system.mass.view(), mass_);
  Kokkos::deep_copy(system.mass_inverse.view(), inverse_);
  Kokkos::deep_copy(system.u_tilde.view(), free_velocity_);
}

MatrixCoefficients::MatrixCoefficients(const MatrixRows& rows)
    : value_(to_device("matrix_J", rows.value)),
      right_(to_device("matrix_R", rows.right)),
      offset_(to_device("matrix_offset", rows.offset)) {
  host_.rows = rows.rows;
  host_.slot = rows.slot;
  host_.block = rows.block;
}

void MatrixCoefficients::pattern(PatternBuilder& builder) const {
  for (int i = 0; i < host_.items(); ++i)
    builder.add_item(host_.rows, std::span<const int>(host_.block.data() + host_.slot[i],
                                                      static_cast<std::size_t>(host_.slot[i + 1] - host_.slot[i])));
}

void MatrixCoefficients::evaluate(const StepPoint& point, const SystemSlice& slice, const View<double>& compliance,
                                  const View<double>& velocity) const {
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const View<Vec3> value = value_, right = right_;
  const View<double> offset = offset_, gamma = compliance, v = velocity;
  const bool own = separate();
  const int m = host_.rows;
  parallel_for(
      "matrix_rows", host_.items(),
      KOKKOS_LAMBDA(int i) {
        const int item = s.first_item + i, v0 = s.pattern.item_value(item), v1 = s.pattern.item_value(item + 1);
        const int from = s.pattern.item_value(s.first_item);
        for (int e = v0; e < v1; ++e) {
          s.jacobian(e) = value(e - from);
          if (own) s.right(e) = right(e - from);
        }
        for (int r = 0; r < m; ++r) {
          const int row = i * m + r;
          v(row) = row_product(s.pattern, s.jacobian, at.u, item, r) + offset(row) +
                   gamma(row) * at.impulse(s.first_row + row);
        }
      },
      60);
}

MatrixContacts::MatrixContacts(const MatrixRows& rows, const std::vector<double>& friction,
                               const std::vector<double>& compliance, std::vector<std::string> names,
                               std::unique_ptr<RowLaw> law, bool symmetric_delassus)
    : coefficients_(rows),
      names_(std::move(names)),
      law_(std::move(law)),
      symmetric_delassus_(symmetric_delassus),
      compliant_(!compliance.empty()) {
  const int n = rows.items();
  rows_.kind = SetKind::cone;
  rows_.items = n;
  rows_.rows = 3 * n;
  rows_.gap = View<double>("matrix_gap", n);  // zero
  rows_.velocity = View<double>("matrix_contact_velocity", 3 * n);
  rows_.r_normal = View<double>("matrix_r_n", n);
  rows_.r_friction = View<double>("matrix_r_f", n);
  compliance_ = to_device("matrix_compliance", or_filled(compliance, 3 * n, 0));
  rows_.compliance = compliance_;
  rows_.friction = to_device("matrix_friction", friction);
  compliant_diagonal_ = View<double>("matrix_delassus_diagonal", 3 * n);
}

void MatrixContacts::count_law_safeguards(std::map<std::string, long>& counts) const {
  count_safeguard(*law_, rows_, counts);
}

void MatrixContacts::begin_step(const StepContext&, const State&) {
  // W is not known yet; the first evaluation of a step only wants J.
  fill(rows_.r_normal, 1.0);
  fill(rows_.r_friction, 1.0);
}

void MatrixContacts::evaluate(const StepContext&, const StepPoint& point, const SystemSlice& slice, bool linearise) {
  coefficients_.evaluate(point, slice, compliance_, rows_.velocity);
  bind_rows(rows_, point, slice);
  if (compliant_) rows_.out.delassus_diagonal = compliant_diagonal_;
  rows_.compliance = compliance_;
  evaluate_cones(*law_, rows_, point, compliant_, linearise);
}

void MatrixContacts::delassus_diagonal_known(const StepContext& context, const SystemSlice& slice) {
  rows_.out = slice;
  if (compliant_) add_compliance_to_diagonal(rows_, slice, compliant_diagonal_);
  law_->compute_r_factors(rows_, context.h);
}

void MatrixContacts::warm_start(const View<double>& impulse) { start_from(guess_, impulse); }

std::string MatrixContacts::item_name(int item) const {
  return names_.empty() ? "contact " + std::to_string(item) : names_[item];
}

MatrixJoints::MatrixJoints(const MatrixRows& rows, const ContactProblem& problem, std::shared_ptr<RowLaw> law)
    : coefficients_(rows), names_(problem.joint_row_names), law_(std::move(law)) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const int n = rows.items();
  rows_.items = rows_.rows = n;
  const std::vector<double> lower = or_filled(problem.joint_lower, n, -kInf),
                            upper = or_filled(problem.joint_upper, n, kInf),
                            compliance = or_filled(problem.joint_compliance, n, 0);
  std::vector<int> rigid(n, 0);
  for (int r = 0; r < n; ++r) {
    const bool bounded = lower[r] > -kInf || upper[r] < kInf;
    rows_.bounded = rows_.bounded || bounded;
    rigid[r] = !bounded && compliance[r] == 0;
  }
  if (rows_.bounded && !law_) throw std::logic_error("given joints: bounded rows without a joint law");
  rows_.violation = View<double>("matrix_violation", n);  // zero: positions are not known
  rows_.velocity = View<double>("matrix_velocity", n);
  rows_.lower = to_device("matrix_lower", lower);
  rows_.upper = to_device("matrix_upper", upper);
  rows_.compliance = to_device("matrix_row_compliance", compliance);
  rows_.rigid = to_device("matrix_rigid", rigid);
}

void MatrixJoints::evaluate(const StepContext&, const StepPoint& point, const SystemSlice& slice, bool linearise) {
  coefficients_.evaluate(point, slice, rows_.compliance, rows_.velocity);
  const RowSet rows = rows_;
  const SystemSlice& s = slice;
  parallel_for(
      "matrix_joints", rows.rows,
      KOKKOS_LAMBDA(int r) {
        s.residual(r) = rows.velocity(r);
        s.a(r) = 1;
        s.b(r) = rows.compliance(r);
        s.slip_frame(2 * r) = 1;
        s.slip_frame(2 * r + 1) = 0;
      },
      8);
  bind_rows(rows_, point, slice);
  evaluate_bounds(law_.get(), rows_, point, linearise);
}

void MatrixJoints::warm_start(const View<double>& impulse) { start_from(guess_, impulse); }

std::string MatrixJoints::item_name(int item) const {
  return names_.empty() ? "joint row " + std::to_string(item) : names_[item];
}

}  // namespace clarke
