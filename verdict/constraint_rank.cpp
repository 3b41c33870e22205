#include "verdict/constraint_rank.hpp"

#include "framework/error.hpp"
#include "verdict/row_space.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <set>

namespace clarke {
namespace {

constexpr double kSecondOrder = 0.05;  // of the largest violation: with violations up to 5 % of the lengths
constexpr std::size_t kNamesShown = 24;

struct Found {
  std::set<int> by;  // items
  int rows = 0;
  double length2 = 0, angle2 = 0;
};

DependentJoint joint(int item, const Found& found, const RigidRows& rows, const std::vector<int>& rows_of) {
  DependentJoint out;
  out.name = rows.names[item];
  out.rows = found.rows;
  out.of = rows_of[item];
  for (int by : found.by) out.implied_by.push_back(rows.names[by]);
  out.length = std::sqrt(found.length2);
  out.angle = std::sqrt(found.angle2);
  return out;
}

std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kNamesShown; ++i) out += (i ? ", " : "") + names[i];
  if (names.size() > kNamesShown) out += " and " + std::to_string(names.size() - kNamesShown) + " more";
  return out;
}

}  // namespace

std::string violation_text(double value, bool is_angle) {
  char text[64];
  std::snprintf(text, sizeof text, is_angle ? "%.3g deg" : "%.3g mm",
                is_angle ? value * 180 / std::numbers::pi : 1e3 * value);
  return text;
}

std::string DependentJoint::text() const {
  const bool contradicts = length > 0 || angle > 0;
  std::string out = name;
  if (implied_by.empty())
    out += contradicts ? " can never hold: violated" : " acts on nothing that can move";
  else
    out += (contradicts ? " contradicts " : " is implied by ") + list(implied_by);
  if (length > 0) out += " by " + violation_text(length, false);
  if (angle > 0) out += (length > 0 ? " and " : " by ") + violation_text(angle, true);
  if (!contradicts) out += " (" + std::to_string(rows) + " of " + std::to_string(of) + " rows)";
  return out;
}

std::vector<std::string> ConstraintRank::lines() const {
  std::vector<std::string> out{"constraints: " + std::to_string(rank) + " of " + std::to_string(rows) +
                               " rows of rigid joints are independent"};
  for (const DependentJoint& j : contradictory) out.push_back(j.text());
  for (const DependentJoint& j : redundant) out.push_back(j.text());
  return out;
}

nlohmann::json ConstraintRank::record() const {
  const auto texts = [](const std::vector<DependentJoint>& joints) {
    nlohmann::json out = nlohmann::json::array();
    for (const DependentJoint& j : joints) out.push_back(j.text());
    return out;
  };
  return {{"rows", rows}, {"rank", rank}, {"redundant", texts(redundant)}, {"contradictory", texts(contradictory)}};
}

ConstraintRank constraint_rank(const RigidRows& rows, const ConstraintRankOptions& options, double contradiction) {
  if (!rows.finite()) throw InputError("the rank of the constraints needs a finite configuration, mass and targets");
  ConstraintRank out;
  out.rows = rows.count();
  const RowSpace space(rows.scaled_jacobian(), options.tolerance);
  out.rank = space.rank();
  const double threshold = std::fmax(contradiction, kSecondOrder * rows.largest_violation());
  std::vector<int> rows_of(rows.names.size(), 0);
  for (int item : rows.item) ++rows_of[item];
  std::map<int, Found> redundant, contradictory;
  for (const DependentRow& d : space.dependent()) {
    double left = rows.violation(d.row);
    for (const auto& [row, y] : d.of) left -= y * rows.violation(row);
    const int item = rows.item[d.row];
    const bool contradicts = std::fabs(left) > threshold;
    Found& found = (contradicts ? contradictory : redundant)[item];
    ++found.rows;
    if (contradicts) (rows.is_angle[d.row] ? found.angle2 : found.length2) += left * left;
    bool by_others = false;
    for (const auto& [row, y] : d.of) by_others = by_others || rows.item[row] != item;
    for (const auto& [row, y] : d.of)
      if (rows.item[row] != item || !by_others) found.by.insert(rows.item[row]);
  }
  for (const auto& [item, found] : redundant) out.redundant.push_back(joint(item, found, rows, rows_of));
  for (const auto& [item, found] : contradictory) out.contradictory.push_back(joint(item, found, rows, rows_of));
  return out;
}

}  // namespace clarke
