#include "verdict/geometry/geometric_verdict.hpp"

#include "verdict/geometry/penetration_depth.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

GeometricVerdict::GeometricVerdict(GeometricScene scene)
    : scene_(std::move(scene)), placed_(scene_.parts.size() + scene_.faces.size()) {
  for (int i = 0; i < static_cast<int>(placed_.size()); ++i) {
    const bool plane = i < static_cast<int>(scene_.parts.size()) && scene_.parts[i].solid.kind == Solid::Kind::plane;
    (plane ? planes_ : yields(i) ? yielding_ : others_).push_back(i);
  }
}

bool GeometricVerdict::yields(int solid) const {
  const int parts = static_cast<int>(scene_.parts.size());
  if (solid < parts) return scene_.yields[scene_.parts[solid].entity] != 0;
  const auto& node = scene_.faces[solid - parts].node;
  return std::any_of(node.begin(), node.end(), [this](int e) { return scene_.yields[e] != 0; });
}

const std::string& GeometricVerdict::name(int solid) const {
  const int parts = static_cast<int>(scene_.parts.size());
  return solid < parts ? scene_.parts[solid].name : scene_.faces[solid - parts].name;
}

void GeometricVerdict::place_all(const std::vector<Vec3>& x, const std::vector<Quat>& orientation) {
  const int parts = static_cast<int>(scene_.parts.size());
  bool others_moved = !placed_once_;
  for (int i = 0; i < parts; ++i) {
    const int e = scene_.parts[i].entity;
    if (placed_once_ && scene_.moves[e] == 0) continue;
    place(scene_.parts[i].solid, x[e], e < scene_.bodies ? orientation[e] : Quat{}, placed_[i]);
    others_moved = others_moved || scene_.yields[e] == 0;
  }
  for (std::size_t f = 0; f < scene_.faces.size(); ++f) {
    const DeformingFace& face = scene_.faces[f];
    place_triangle({x[face.node[0]], x[face.node[1]], x[face.node[2]]}, face.thickness, placed_[parts + f]);
  }
  placed_once_ = true;
  sort(yielding_);
  if (!others_moved) return;
  sort(others_);
  longest_ = 0;
  for (const int i : others_) longest_ = std::max(longest_, placed_[i].high.x - placed_[i].low.x);
}

void GeometricVerdict::sort(std::vector<int>& list) const {
  const auto low = [this](int i) { return placed_[i].low.x; };
  std::sort(list.begin(), list.end(), [&](int a, int b) { return low(a) < low(b) || (low(a) == low(b) && a < b); });
}

bool GeometricVerdict::may_touch(int a, int b) const {
  if (!yields(a) && !yields(b)) return false;
  const int parts = static_cast<int>(scene_.parts.size());
  const auto entities = [&](int s) -> std::pair<const int*, int> {
    if (s < parts) return {&scene_.parts[s].entity, 1};
    return {scene_.faces[s - parts].node.data(), 3};
  };
  const auto [ea, na] = entities(a);
  const auto [eb, nb] = entities(b);
  for (int i = 0; i < na; ++i)
    for (int j = 0; j < nb; ++j)
      if (ea[i] == eb[j] || scene_.apart(ea[i], eb[j])) return false;
  return true;
}

void GeometricVerdict::examine(int a, int b, Residual& worst) {
  if (!may_touch(a, b)) return;
  ++pairs_;
  note(a, b, penetration_depth(placed_[a], placed_[b]), worst);
}

void GeometricVerdict::note(int a, int b, double depth, Residual& worst) {
  if (depth <= 0) return;
  overlaps_.push_back({a, b, depth});
  if (!(depth <= worst.value)) worst = {depth, name_of(overlaps_.back())};  // NaN wins
}

std::vector<SolidOverlap> GeometricVerdict::overlaps() const {
  std::vector<SolidOverlap> out = overlaps_;
  // NaN first: nothing is worse.
  const auto deeper = [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a > b; };
  std::stable_sort(out.begin(), out.end(),
                   [&](const SolidOverlap& p, const SolidOverlap& q) { return deeper(p.depth, q.depth); });
  return out;
}

std::vector<int> GeometricVerdict::entities_of(int solid) const {
  const int parts = static_cast<int>(scene_.parts.size());
  if (solid < parts) return {scene_.parts[solid].entity};
  const auto& node = scene_.faces[solid - parts].node;
  return {node.begin(), node.end()};
}

std::map<std::pair<int, int>, double> GeometricVerdict::depth_of_entities() const {
  std::map<std::pair<int, int>, double> out;
  for (const SolidOverlap& overlap : overlaps_)
    for (const int a : entities_of(overlap.a))
      for (const int b : entities_of(overlap.b)) {
        double& deepest = out[{std::min(a, b), std::max(a, b)}];
        if (!(overlap.depth <= deepest)) deepest = overlap.depth;
      }
  return out;
}

namespace {

bool beside(const PlacedSolid& a, const PlacedSolid& b) {
  return a.low.y > b.high.y || b.low.y > a.high.y || a.low.z > b.high.z || b.low.z > a.high.z;
}

}  // namespace

void GeometricVerdict::sweep_yielding(Residual& worst) {
  for (std::size_t k = 0; k < yielding_.size(); ++k) {
    const PlacedSolid& a = placed_[yielding_[k]];
    for (std::size_t m = k + 1; m < yielding_.size() && placed_[yielding_[m]].low.x <= a.high.x; ++m)
      if (!beside(a, placed_[yielding_[m]])) examine(yielding_[k], yielding_[m], worst);
  }
}

void GeometricVerdict::sweep_others(Residual& worst) {
  for (const int i : yielding_) {
    const PlacedSolid& a = placed_[i];
    auto other = std::lower_bound(others_.begin(), others_.end(), a.low.x - longest_,
                                  [this](int b, double x) { return placed_[b].low.x < x; });
    for (; other != others_.end() && placed_[*other].low.x <= a.high.x; ++other)
      if (a.low.x <= placed_[*other].high.x && !beside(a, placed_[*other])) examine(i, *other, worst);
  }
}

void GeometricVerdict::examine_planes(const std::vector<Vec3>& x, const std::vector<Quat>& orientation,
                                      Residual& worst) {
  PlacedSolid points;
  for (const int plane : planes_)
    for (const std::vector<int>* list : {&yielding_, &others_})
      for (const int i : *list) {
        if (i >= static_cast<int>(scene_.parts.size()) || scene_.parts[i].plane_points.empty()) {
          examine(i, plane, worst);
          continue;
        }
        if (!may_touch(i, plane)) continue;
        const int e = scene_.parts[i].entity;
        Solid touching;
        touching.points = scene_.parts[i].plane_points;
        touching.radius = scene_.parts[i].solid.radius;
        place(touching, x[e], orientation[e], points);
        ++pairs_;
        note(i, plane, penetration_depth(points, placed_[plane]), worst);
      }
}

Residual GeometricVerdict::penetration(const std::vector<Vec3>& x, const std::vector<Quat>& orientation) {
  pairs_ = 0;
  overlaps_.clear();
  for (std::size_t e = 0; e < x.size(); ++e)
    if (const double size = norm2(x[e]); !std::isfinite(size)) return {size, "entity " + std::to_string(e)};
  place_all(x, orientation);
  Residual worst;
  sweep_yielding(worst);
  sweep_others(worst);
  examine_planes(x, orientation, worst);
  return worst;
}

}  // namespace clarke
