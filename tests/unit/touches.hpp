#pragma once
// Test support: the contacts of deforming surfaces in a world, on the host.

#include "physics/collision/detection.hpp"
#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

namespace clarke::test {

/// Positions below a metre, areas and distances of some of them: a hundred roundings.
inline constexpr double kTouchRounding = 1e-13;

/// A contact on the host, its points in the world.
struct Touch {
  std::string name;
  Vec3 on_face, on_other, normal;
  double gap, weights;
};

inline std::vector<Touch> touches(const World& world, double margin) {
  const Entities entities = make_entities(world);
  const State state = make_state(world, entities);
  ContactOptions options;
  options.margin = margin;
  ContactDetection detection(world, entities, options);
  ContactSet set;
  detection.detect(state, 0, set);
  std::vector<int> a, b;
  std::vector<Vec3> point_b, normal, x;
  std::vector<Quat> q;
  std::vector<double> radius_a, radius_b;
  std::vector<BarycentricPoint> barycentric_a, barycentric_b;
  std::vector<std::uint64_t> id;
  to_host(set.a, a), to_host(set.b, b), to_host(set.point_b, point_b), to_host(set.normal, normal), to_host(set.id, id);
  to_host(state.x, x), to_host(state.orientation, q), to_host(set.radius_a, radius_a), to_host(set.radius_b, radius_b);
  to_host(set.barycentric_a, barycentric_a), to_host(set.barycentric_b, barycentric_b);
  BOOST_TEST(std::is_sorted(id.begin(), id.end()));
  BOOST_TEST(std::set<std::uint64_t>(id.begin(), id.end()).size() == id.size());
  const auto at = [&](const BarycentricPoint& p, int entity, const Vec3& point) {
    if (p.node[0] < 0) return x[entity] + rotate(entity < entities.bodies ? q[entity] : Quat{}, point);
    Vec3 sum{};
    for (int k = 0; k < 3 && p.node[k] >= 0; ++k) sum += p.weight[k] * x[p.node[k]];
    return sum;
  };
  std::vector<Touch> out;
  for (int i = 0; i < set.count; ++i) {
    const Vec3 pa = at(barycentric_a[i], a[i], {}), pb = at(barycentric_b[i], b[i], point_b[i]);
    const double weights = barycentric_a[i].weight[0] + barycentric_a[i].weight[1] + barycentric_a[i].weight[2];
    out.push_back({detection.contact_name(set, i), pa, pb, normal[i],
                   dot(normal[i], pa - pb) - radius_a[i] - radius_b[i], weights});
  }
  return out;
}

}  // namespace clarke::test
