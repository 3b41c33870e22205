#include "verdict/conditioning.hpp"

#include "framework/row_law.hpp"
#include "framework/text.hpp"
#include "verdict/contact_residuals.hpp"
#include "verdict/row_space.hpp"
#include "verdict/step_matrices.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <map>

namespace clarke {
namespace {

constexpr std::size_t kRedundantShown = 12;

/// γ of every row.
Eigen::VectorXd compliance_of(const StepProblem& problem) {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(problem.system().pattern.rows);
  for (int i = 0; i < problem.contributors(); ++i) {
    const Contributor& c = problem.contributor(i);
    const RowSet* rows = c.rows();
    if (!rows || rows->items == 0) continue;
    const auto host = host_copy(rows->dense() ? rows->out.b : rows->compliance);  // a = 1: b is the diagonal of E
    const int first = problem.slice(i).first_row;
    for (std::size_t r = 0; r < host.extent(0); ++r) out(first + static_cast<int>(r)) = host(r);
  }
  return out;
}

/// Extreme Ritz values of a symmetric product(x) of n rows, with full reorthogonalisation.
template <class Product>
std::pair<double, double> extreme_eigenvalues(Eigen::Index n, const Product& product) {
  const Eigen::Index steps = std::min<Eigen::Index>(n, kLanczosSteps);
  constexpr double kGolden = 0.6180339887498949;  // a start with something of every vector, the same in every run
  Eigen::MatrixXd Q(n, steps);
  Eigen::MatrixXd T = Eigen::MatrixXd::Zero(steps, steps);
  Eigen::VectorXd q(n);
  for (Eigen::Index i = 0; i < n; ++i) q(i) = std::fmod(kGolden * static_cast<double>(i + 1), 1.0) - 0.5;
  q.normalize();
  Eigen::Index k = 0;
  while (k < steps) {
    Q.col(k) = q;
    Eigen::VectorXd w = product(q);
    T(k, k) = q.dot(w);
    for (int twice = 0; twice < 2; ++twice) w -= Q.leftCols(k + 1) * (Q.leftCols(k + 1).transpose() * w);
    const double norm = w.norm();
    ++k;
    constexpr double kDone = 1e-12;  // of eigenvalues of order 1: what is left is rounding
    if (k == steps || norm < kDone) break;
    T(k, k - 1) = T(k - 1, k) = norm;
    q = w / norm;
  }
  const Eigen::VectorXd ritz =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(T.topLeftCorner(k, k), Eigen::EigenvaluesOnly).eigenvalues();
  return {ritz(0), ritz(k - 1)};
}

/// Extreme eigenvalues of a symmetric product(x) of n rows: exact where it is small.
template <class Product>
std::pair<double, double> extremes(Eigen::Index n, const Product& product) {
  if (n > kDenseSize) return extreme_eigenvalues(n, product);
  Eigen::MatrixXd whole(n, n);
  for (Eigen::Index i = 0; i < n; ++i) whole.col(i) = product(Eigen::VectorXd::Unit(n, i));
  const Eigen::VectorXd found =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (whole + whole.transpose()), Eigen::EigenvaluesOnly)
          .eigenvalues();
  return {found(0), found(n - 1)};
}

/// Columns of the velocities that something touches.
std::vector<int> touched_columns(const StepProblem& problem) {
  const std::vector<int>& island = problem.islands().of_block();
  std::vector<int> out;
  for (int b = 0; b < problem.system().blocks; ++b)
    for (int k = 0; island[b] != kNoIsland && k < 3; ++k) out.push_back(3 * b + k);
  return out;
}

/// H + Jᵀ γ⁻¹ J.
void find_primal(const StepProblem& problem, const RowMatrix& J, const Eigen::VectorXd& gamma, ConditioningCard& card) {
  bool relaxed = gamma.size() > 0 && gamma.minCoeff() > 0 && !problem.system().traits.separate_transpose;
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* rows = problem.contributor(i).rows(); rows && rows->items > 0) relaxed &= !rows->dense();
  if (!relaxed) {
    card.primal_min = card.primal_max = card.primal_scaled_min = card.primal_scaled_max = NAN;
    return;
  }
  const RowMatrix weighed = gamma.cwiseInverse().asDiagonal() * J;
  const RowMatrix A = step_hessian(problem.system()) + RowMatrix(RowMatrix(J.transpose()) * weighed);
  const std::vector<int> columns = touched_columns(problem);
  const Eigen::Index n = static_cast<Eigen::Index>(columns.size());
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i) scale(i) = 1 / std::sqrt(A.coeff(columns[i], columns[i]));
  const auto product = [&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
    Eigen::VectorXd all = Eigen::VectorXd::Zero(A.rows());
    for (Eigen::Index i = 0; i < n; ++i) all(columns[i]) = q(i);
    const Eigen::VectorXd image = A * all;
    Eigen::VectorXd out(n);
    for (Eigen::Index i = 0; i < n; ++i) out(i) = image(columns[i]);
    return out;
  };
  std::tie(card.primal_min, card.primal_max) = extremes(n, product);
  std::tie(card.primal_scaled_min, card.primal_scaled_max) = extremes(
      n, [&](const Eigen::VectorXd& q) { return Eigen::VectorXd(scale.cwiseProduct(product(scale.cwiseProduct(q)))); });
}

void find_redundant(const StepProblem& problem, const RowMatrix& rows, double tolerance, ConditioningCard& card) {
  const RowSpace space(rows, tolerance);
  card.rank = space.rank();
  card.rank_ratio = static_cast<double>(card.rank) / card.rows;
  const auto p = host_copy(problem.system().pattern);
  std::map<int, int> dependent;  // item -> rows
  for (const DependentRow& d : space.dependent()) ++dependent[p.row_item(d.row)];
  for (const auto& [item, count] : dependent) {
    const int first = p.item_row(item), of = p.item_row(item + 1) - first;
    card.redundant.push_back(problem.row_name(first) + " (" + std::to_string(count) + " of " + std::to_string(of) +
                             " rows)");
    if (card.redundant.size() < kRedundantShown) continue;
    if (const std::size_t more = dependent.size() - kRedundantShown; more > 0)
      card.redundant.push_back("and " + std::to_string(more) + " more");
    break;
  }
}

void count_contacts(const RowSet& rows, ConditioningCard& card) {
  const auto v = host_copy(rows.velocity), impulse = host_copy(rows.impulse), mu = host_copy(rows.friction),
             w = host_copy(rows.out.delassus_diagonal);
  const auto section = host_copy(rows.section);
  for (int i = 0; i < rows.items; ++i) {
    const ContactQuantities q{v(3 * i),           v(3 * i + 1), v(3 * i + 2), impulse(3 * i), impulse(3 * i + 1),
                              impulse(3 * i + 2), mu(i),        w(3 * i),     w(3 * i + 1),   w(3 * i + 2)};
    const ContactResiduals r = section.extent(0) > 0 ? section_residuals(q, section(i)) : contact_residuals(q);
    (r.status == ContactStatus::open ? card.open : r.status == ContactStatus::slip ? card.sliding : card.sticking) += 1;
  }
  card.contacts += rows.items;
}

/// Of the velocity blocks that something touches.
void weigh(const StepProblem& problem, ConditioningCard& card) {
  const std::vector<int>& island = problem.islands().of_block();
  const auto mass = host_copy(problem.system().mass.view());
  const auto block_of = host_copy(problem.entities().block_of);
  double least = INFINITY, most = 0;
  for (std::size_t e = 0; e < block_of.extent(0); ++e) {
    const EntityBlocks b = block_of(e);
    if (b.v < 0 || island[b.v] == kNoIsland) continue;
    card.velocities += b.w < 0 ? 3 : 6;
    least = std::min(least, mass(b.v)(0, 0));
    most = std::max(most, mass(b.v)(0, 0));
  }
  if (most > 0) card.mass_ratio = most / least;
  if (card.velocities > 0) card.contact_density = 3.0 * card.contacts / card.velocities;
}

/// S = A J M⁻¹ Jᵀ + B
double schur_asymmetry_of(const SaddlePointSystem& system, const RowMatrix& J, const RowMatrix& mass_inverse) {
  if (system.traits.symmetric) return 0;
  const RowBlocks blocks = row_blocks(system);
  const RowMatrix left = blocks.A * J, spread = mass_inverse * RowMatrix(step_transpose(system).transpose());
  const RowMatrix S = RowMatrix(left * spread) + blocks.B;
  const double norm = S.norm();
  return norm > 0 ? RowMatrix(S - RowMatrix(S.transpose())).norm() / norm : 0;
}

}  // namespace

ConditioningCard conditioning_card(const StepProblem& problem, double tolerance) {
  const SaddlePointSystem& system = problem.system();
  ConditioningCard card;
  card.rows = system.pattern.rows;
  card.islands = system.islands.count;
  card.island_rows_max = system.islands.largest_rows;
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* rows = problem.contributor(i).rows(); rows && rows->kind == SetKind::cone)
      count_contacts(*rows, card);
  weigh(problem, card);
  if (card.rows == 0) return card;

  const RowMatrix J = step_jacobian(system);
  const MassRoots roots = mass_roots(system);
  RowMatrix B = J * roots.root;
  if (!std::isfinite(B.norm())) {  // a step that ended with NaN has no rank
    card.rank_ratio = card.eigenvalue_min = card.eigenvalue_max = card.schur_asymmetry = NAN;
    card.dual_min = card.dual_max = card.primal_min = card.primal_max = NAN;
    card.primal_scaled_min = card.primal_scaled_max = NAN;
    return card;
  }
  RowMatrix given;  // ½ (W + Wᵀ), where W is given
  if (system.traits.separate_transpose) {
    const RowMatrix W = J * RowMatrix(roots.inverse * RowMatrix(step_transpose(system).transpose()));
    given = 0.5 * (W + RowMatrix(W.transpose()));
    constexpr double kRounding = 1e-11;  // of W as files have it, with some room
    find_redundant(problem, given, std::max(tolerance * tolerance, kRounding), card);
  } else {
    find_redundant(problem, B, tolerance, card);
  }
  const Eigen::VectorXd gamma = compliance_of(problem);
  Eigen::VectorXd scale(card.rows), shift(card.rows);
  for (int r = 0; r < card.rows; ++r) {
    const double diagonal = (given.rows() > 0 ? given.coeff(r, r) : B.row(r).squaredNorm()) + gamma(r);
    scale(r) = diagonal > 0 ? 1 / std::sqrt(diagonal) : 0;  // a row between things that cannot move
    shift(r) = gamma(r) * scale(r) * scale(r);
  }
  std::tie(card.dual_min, card.dual_max) = extremes(card.rows, [&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
    const Eigen::VectorXd shifted = gamma.cwiseProduct(q);
    if (given.rows() > 0) return given * q + shifted;
    const Eigen::VectorXd spread = B.transpose() * q;
    return B * spread + shifted;
  });
  find_primal(problem, J, gamma, card);
  B = scale.asDiagonal() * B;
  if (given.rows() > 0) given = RowMatrix(scale.asDiagonal() * given) * scale.asDiagonal();
  std::tie(card.eigenvalue_min, card.eigenvalue_max) =
      extremes(card.rows, [&](const Eigen::VectorXd& q) -> Eigen::VectorXd {
        const Eigen::VectorXd shifted = shift.cwiseProduct(q);
        if (given.rows() > 0) return given * q + shifted;
        const Eigen::VectorXd spread = B.transpose() * q;
        return B * spread + shifted;
      });
  card.schur_asymmetry = schur_asymmetry_of(system, J, roots.inverse);
  return card;
}

std::vector<std::string> ConditioningCard::columns() {
  return {"contacts",
          "velocities",
          "contact_density",
          "rows",
          "rank",
          "rank_ratio",
          "eigenvalue_min",
          "eigenvalue_max",
          "schur_asymmetry",
          "sticking",
          "sliding",
          "open",
          "mass_ratio",
          "islands",
          "island_rows_max",
          "dual_min",
          "dual_max",
          "primal_min",
          "primal_max",
          "primal_scaled_min",
          "primal_scaled_max",
          "condition",
          "dual_condition",
          "primal_condition",
          "primal_scaled_condition",
          "redundant"};
}

std::vector<std::string> ConditioningCard::values() const {
  std::string names;
  for (const std::string& name : redundant) names += (names.empty() ? "" : "; ") + name;
  const auto whole = [](int value) { return std::to_string(value); };
  return {whole(contacts),
          whole(velocities),
          format_real(contact_density),
          whole(rows),
          whole(rank),
          format_real(rank_ratio),
          format_real(eigenvalue_min),
          format_real(eigenvalue_max),
          format_real(schur_asymmetry),
          whole(sticking),
          whole(sliding),
          whole(open),
          format_real(mass_ratio),
          whole(islands),
          whole(island_rows_max),
          format_real(dual_min),
          format_real(dual_max),
          format_real(primal_min),
          format_real(primal_max),
          format_real(primal_scaled_min),
          format_real(primal_scaled_max),
          format_real(eigenvalue_max / eigenvalue_min),
          format_real(dual_max / dual_min),
          format_real(primal_max / primal_min),
          format_real(primal_scaled_max / primal_scaled_min),
          names};
}

}  // namespace clarke
