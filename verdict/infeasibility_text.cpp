#include "verdict/infeasibility.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace clarke {
namespace {

constexpr std::size_t kBlamedShown = 12;

/// Points of one pair of bodies are one contact: "contact a/b (4 points)"; a joint whose motion is named is named by
/// that.
std::vector<std::string> grouped(const std::vector<BlamedItem>& items) {
  std::vector<std::string> order;
  std::map<std::string, int> count;
  for (const BlamedItem& item : items) {
    const std::size_t colon = item.name.find('/') == std::string::npos ? std::string::npos : item.name.rfind(':');
    const std::string name = item.name.rfind("contact ", 0) == 0 ? item.name.substr(0, colon) : item.name;
    if (count[name]++ == 0) order.push_back(name);
  }
  std::erase_if(order, [&](const std::string& name) { return count.contains(name + ": motion"); });
  for (std::string& name : order)
    if (const int n = count[name]; n > 1 && name.rfind("contact ", 0) == 0)
      name += " (" + std::to_string(n) + " points)";
  return order;
}

std::string names_of(const Infeasibility& found) {
  std::vector<std::string> names = grouped(found.items);
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kBlamedShown; ++i) out += (i ? ", " : "") + names[i];
  if (names.size() > kBlamedShown) out += " and " + std::to_string(names.size() - kBlamedShown) + " more";
  for (const std::string& motion : found.motions) out += ", " + motion;
  return out;
}

std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace

std::string Infeasibility::text() const {
  const std::string unit = angles ? " rad/s" : " m/s";
  if (finding == Finding::impossible)
    return "no motion satisfies " + names_of(*this) + ": they contradict each other by " + figure(amount) + unit +
           ", and every motion misses one of them by " + figure(margin) + unit + " or more";
  if (finding == Finding::friction)
    return "friction may leave no solution: no motion keeps " + names_of(*this) +
           " open as fast as they would slip by " + "their coefficients (existence margin " + figure(existence.upper) +
           " m/s at most); what jams often moves on with an effort for motors, or contact_stiffness";
  if (finding == Finding::solvable)
    return "a solution exists (existence margin " +
           (std::isfinite(existence.lower) ? figure(existence.lower) + " m/s or more" : std::string("unbounded")) +
           "): it was not found";
  return "";
}

nlohmann::json Infeasibility::record() const {
  constexpr const char* kNames[] = {"impossible", "friction", "solvable", "undecided", "not examined"};
  const auto number = [](double x) { return std::isfinite(x) ? nlohmann::json(x) : nlohmann::json(); };
  nlohmann::json names = nlohmann::json::array();
  for (const BlamedItem& item : items) names.push_back(item.name);
  return {{"finding", kNames[static_cast<int>(finding)]},
          {"text", text()},
          {"items", std::move(names)},
          {"motions", motions},
          {"amount", amount},
          {"margin", margin},
          {"existence_margin", {{"lower", number(existence.lower)}, {"upper", number(existence.upper)}}}};
}

}  // namespace clarke
