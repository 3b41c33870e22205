#include "assembly/initial_overlaps.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "verdict/constraint_rank.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

namespace clarke {
namespace {

/// Pairs that are named in a message.
constexpr std::size_t kNamed = 10;
/// Projections of every contact between two detections.
constexpr int kPasses = 20;
/// [m] The square of more than this, or its product with another, is no number any more.
constexpr double kFar = 1e150;

/// A contact on the host: C = gap + n·(shift_a − shift_b) while its normal holds.
struct HostContact {
  int a, b;
  BarycentricPoint barycentric_a, barycentric_b;  // one particle or body of weight 1 where the side is an entity
  Vec3 normal;
  double gap;  // [m] where the contact was found
};

/// A side as a sum over entities.
BarycentricPoint place_or(const std::vector<BarycentricPoint>& places, int i, int entity) {
  if (!places.empty() && places[i].node[0] >= 0) return places[i];
  return {{entity, -1, -1}, {1, 0, 0}};
}

std::vector<HostContact> host_contacts(ContactDetection& detection, const Entities& entities, const State& state) {
  ContactSet set;
  detection.detect(state, 0, set);
  std::vector<int> a, b;
  std::vector<Vec3> point_a, point_b, normal, x;
  std::vector<double> radius_a, radius_b;
  std::vector<Quat> q;
  to_host(set.a, a);
  to_host(set.b, b);
  to_host(set.point_a, point_a);
  to_host(set.point_b, point_b);
  to_host(set.normal, normal);
  to_host(set.radius_a, radius_a);
  to_host(set.radius_b, radius_b);
  to_host(state.x, x);
  to_host(state.orientation, q);
  std::vector<BarycentricPoint> barycentric_points_a, barycentric_points_b;
  to_host(set.barycentric_a, barycentric_points_a);
  to_host(set.barycentric_b, barycentric_points_b);
  const auto pose = [&](const BarycentricPoint& p) {
    Pose sum{{}, p.node[0] < entities.bodies ? q[p.node[0]] : Quat{}};
    for (int k = 0; k < 3 && p.node[k] >= 0; ++k) sum.x += p.weight[k] * x[p.node[k]];
    return sum;
  };
  std::vector<HostContact> out;
  for (int i = 0; i < set.count; ++i) {
    const BarycentricPoint pa = place_or(barycentric_points_a, i, a[i]), pb = place_or(barycentric_points_b, i, b[i]);
    out.push_back(
        {a[i], b[i], pa, pb, normal[i],
         contact_geometry(pose(pa), pose(pb), point_a[i], point_b[i], radius_a[i], radius_b[i], normal[i]).gap});
  }
  return out;
}

/// Displacements [m] per entity that take the contacts apart, as far as kPasses passes get.
std::vector<Vec3> pushes(const std::vector<HostContact>& contacts, const std::vector<double>& weight) {
  std::vector<Vec3> shift(weight.size());
  for (int pass = 0; pass < kPasses; ++pass)
    for (const HostContact& c : contacts) {
      double w = 0, gap = c.gap;
      for (int k = 0; k < 3; ++k) {
        if (const int e = c.barycentric_a.node[k]; e >= 0) {
          w += c.barycentric_a.weight[k] * c.barycentric_a.weight[k] * weight[e];
          gap += c.barycentric_a.weight[k] * dot(c.normal, shift[e]);
        }
        if (const int e = c.barycentric_b.node[k]; e >= 0) {
          w += c.barycentric_b.weight[k] * c.barycentric_b.weight[k] * weight[e];
          gap -= c.barycentric_b.weight[k] * dot(c.normal, shift[e]);
        }
      }
      if (!(gap < 0) || !(w > 0)) continue;
      for (int k = 0; k < 3; ++k) {
        if (const int e = c.barycentric_a.node[k]; e >= 0)
          shift[e] -= (c.barycentric_a.weight[k] * weight[e] * gap / w) * c.normal;
        if (const int e = c.barycentric_b.node[k]; e >= 0)
          shift[e] += (c.barycentric_b.weight[k] * weight[e] * gap / w) * c.normal;
      }
    }
  return shift;
}

}  // namespace

void OverlapOptions::describe(OptionVisitor& v) {
  v.real("initial_overlap_tolerance", tolerance,
         {"m", "pairs that overlap by more at the start of a run are reported", 0.0});
  v.flag("resolve_overlaps", resolve, {"", "push overlapping bodies apart before the first step"});
  v.integer("resolve_overlaps_sweeps", sweeps,
            {"1", "most detections of -resolve_overlaps; overlaps that are left then are an error", 1.0});
}

InitialOverlaps::InitialOverlaps() { read_options(options_); }

std::vector<InitialOverlaps::Overlap> InitialOverlaps::find(ContactDetection& detection, const Entities& entities,
                                                            const State& state) const {
  std::map<EntityPair, double> depth;
  for (const HostContact& c : host_contacts(detection, entities, state)) {
    double& deepest = depth[{std::min(c.a, c.b), std::max(c.a, c.b)}];
    deepest = std::abs(c.gap) < kFar ? std::max(deepest, -c.gap) : std::numeric_limits<double>::infinity();
  }
  std::vector<Overlap> out;
  for (const auto& [pair, value] : depth)
    if (value > options_.tolerance) out.push_back({pair.first, pair.second, value});
  std::stable_sort(out.begin(), out.end(), [](const Overlap& a, const Overlap& b) { return a.depth > b.depth; });
  return out;
}

void InitialOverlaps::settle(ContactDetection& detection, const Entities& entities, State& state,
                             const std::vector<double>& mass, const std::vector<char>& stays,
                             const std::vector<std::string>& names) {
  names_ = names;
  before_ = find(detection, entities, state);
  if (!before_.empty() && !std::isfinite(before_[0].depth))
    throw InputError("'" + names_[before_[0].a] + "' and '" + names_[before_[0].b] +
                     "': the distance between them is not finite; a position or a size is too large");
  if (!options_.resolve || before_.empty()) return;
  std::vector<double> weight(mass.size(), 0.0);
  for (std::size_t e = 0; e < mass.size(); ++e)
    if (mass[e] > 0 && !stays[e]) weight[e] = 1 / mass[e];
  std::vector<Vec3> start, x;
  to_host(state.x, start);
  x = start;
  std::vector<Overlap> left = before_;
  while (!left.empty() && sweeps_ < options_.sweeps) {
    const std::vector<Vec3> shift = pushes(host_contacts(detection, entities, state), weight);
    for (std::size_t e = 0; e < x.size(); ++e) x[e] += shift[e];
    to_device(x, state.x);
    ++sweeps_;
    left = find(detection, entities, state);
  }
  if (!left.empty())
    throw InputError(text(left[0]) + " after " + std::to_string(sweeps_) +
                     " sweeps of -resolve_overlaps, which began with " + violation_text(before_[0].depth, false) +
                     "; bodies that cannot move and those with joints stay where they are");
  for (std::size_t e = 0; e < x.size(); ++e) {
    if (!(norm(x[e] - start[e]) > moved_)) continue;
    moved_ = norm(x[e] - start[e]);
    moved_entity_ = static_cast<int>(e);
  }
  for (const HostContact& c : host_contacts(detection, entities, state)) after_ = std::max(after_, -c.gap);
}

std::string InitialOverlaps::text(const Overlap& overlap) const {
  return "'" + names_[overlap.a] + "' and '" + names_[overlap.b] + "' overlap by " +
         violation_text(overlap.depth, false);
}

std::vector<std::string> InitialOverlaps::lines(double step) const {
  std::vector<std::string> out;
  if (before_.empty()) return out;
  char speed[32];
  std::snprintf(speed, sizeof speed, "%.3g", before_[0].depth / step);
  out.push_back((options_.resolve ? "initial overlaps: " : "warning: initial overlaps: ") +
                std::to_string(before_.size()) + (before_.size() == 1 ? " pair" : " pairs") + " by more than " +
                format_real(options_.tolerance) + " m" +
                (options_.resolve ? ""
                                  : "; the first step parts what is hard, at up to " + std::string(speed) +
                                        " m/s; -resolve_overlaps pushes them apart before it"));
  for (std::size_t i = 0; i < std::min(before_.size(), kNamed); ++i) out.push_back("  " + text(before_[i]));
  if (before_.size() > kNamed) out.push_back("  and " + std::to_string(before_.size() - kNamed) + " more");
  if (sweeps_ > 0)
    out.push_back("resolve_overlaps: largest overlap " + violation_text(before_[0].depth, false) + " -> " +
                  violation_text(after_, false) + " in " + std::to_string(sweeps_) + " sweeps, moved '" +
                  names_[moved_entity_] + "' by " + violation_text(moved_, false) + " (largest)");
  return out;
}

nlohmann::json InitialOverlaps::record() const {
  if (before_.empty()) return nlohmann::json::object();
  nlohmann::json out = {
      {"pairs", before_.size()}, {"largest", before_[0].depth}, {"of", {names_[before_[0].a], names_[before_[0].b]}}};
  if (sweeps_ > 0)
    out["resolved"] = {
        {"sweeps", sweeps_}, {"largest_after", after_}, {"moved", {{"of", names_[moved_entity_]}, {"value", moved_}}}};
  return {{"initial_overlaps", out}};
}

}  // namespace clarke
