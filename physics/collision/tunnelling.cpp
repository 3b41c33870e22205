#include "physics/collision/tunnelling.hpp"

#include "framework/error.hpp"
#include "framework/state_archive.hpp"
#include "physics/collision/soft_faces.hpp"

#include <algorithm>
#include <limits>

namespace clarke {
namespace {

/// ρ of every collider, on the host. (Device lambdas may not live in constructors.)
std::vector<double> inscribed_radii(const ShapeSet& shapes) {
  const View<double> radius("tunnelling_radius", shapes.count);
  const ShapeSet all = shapes;
  parallel_for(
      "tunnelling_radius", shapes.count, KOKKOS_LAMBDA(int c) { radius(c) = inscribed_radius(all, c); }, 20);
  fence();
  std::vector<double> out;
  to_host(radius, out);
  return out;
}

}  // namespace

TunnellingWatch::TunnellingWatch(const ShapeSet& shapes, const Entities& entities, const ContactMargin& margin)
    : entities_(entities),
      margin_(margin),
      allowed_("tunnelling_allowed", entities.count),
      endangered_("tunnelling_endangered", entities.count),
      named_(entities.count, 0) {
  const auto entity = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.entity);
  const auto centre = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.centre);
  const auto radius = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.radius);
  const auto blocks = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.block_of);
  const std::vector<double> ball = inscribed_radii(shapes);
  std::vector<double> reach(entities.count, 0.0), inscribed(entities.count, std::numeric_limits<double>::infinity());
  const auto thickness = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes.thickness);
  std::vector<FaceNodes> soft_node;
  to_host(shapes.soft_node, soft_node);
  for (int c = 0; c < shapes.count; ++c) {
    if (is_soft(shapes, c)) {
      for (const int node : soft_node[c - shapes.soft_begin].node)
        if (blocks(node).v >= 0) inscribed[node] = std::min(inscribed[node], thickness(c));
      continue;
    }
    const int e = entity(c);
    if (blocks(e).v < 0) continue;
    reach[e] = std::max(reach[e], norm(centre(c)) + radius(c));
    inscribed[e] = std::min(inscribed[e], ball[c]);
  }
  reach_ = to_device("tunnelling_reach", reach);
  inscribed_ = to_device("tunnelling_inscribed", inscribed);
}

void TunnellingWatch::begin_step(const State& state, double h) {
  const Entities& entities = entities_;
  const ContactMargin margin = margin_;
  const View<double> allowed = allowed_, reach = reach_;
  const View<Vec3> u = state.u;
  parallel_for(
      "tunnelling_allowed", entities.count,
      KOKKOS_LAMBDA(int e) {
        const Twist t = twist_of(e, entities.block_of, entities.prescribed, u);
        allowed(e) = margin.base + margin.speed * h * (norm(t.v) + norm(t.w) * reach(e));
      },
      10);
}

int TunnellingWatch::end_step(const State& state, double h) {
  const Entities& entities = entities_;
  const View<double> allowed = allowed_, reach = reach_, inscribed = inscribed_;
  const View<int> endangered = endangered_;
  const View<Vec3> u = state.u;
  newly_.clear();
  parallel_for(
      "tunnelling_moved", entities.count,
      KOKKOS_LAMBDA(int e) {
        const Twist t = twist_of(e, entities.block_of, entities.prescribed, u);
        const double rim = reach(e) > inscribed(e) ? reach(e) - inscribed(e) : 0.0;
        endangered(e) = h * (norm(t.v) + norm(t.w) * rim) - allowed(e) > inscribed(e) ? 1 : 0;
      },
      10);
  const double any = largest_of(
      "tunnelling_any", entities.count, KOKKOS_LAMBDA(int e) { return static_cast<double>(endangered(e)); });
  if (!(any > 0)) return 0;
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), endangered);
  int count = 0;
  for (int e = 0; e < entities.count; ++e) {
    if (!host(e)) continue;
    ++count;
    if (!named_[e]) newly_.push_back(e);
    named_[e] = 1;
  }
  return count;
}

bool TunnellingWatch::first() const {
  return !newly_.empty() && std::count(named_.begin(), named_.end(), 1) == static_cast<std::ptrdiff_t>(newly_.size());
}

void TunnellingWatch::carry_over(StateArchive& archive) {
  std::vector<std::int64_t> named(named_.begin(), named_.end());
  archive.integers("named", named);
  if (named.size() != named_.size()) throw InputError("checkpoint: another number of entities");
  named_.assign(named.begin(), named.end());
}

}  // namespace clarke
