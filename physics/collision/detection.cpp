#include "physics/collision/detection.hpp"

#include "framework/error.hpp"
#include "framework/jacobian.hpp"
#include "physics/collision/manifold_reduction.hpp"
#include "physics/collision/shared_points.hpp"
#include "physics/collision/soft_faces.hpp"

#include <algorithm>
#include <limits>

namespace clarke {
namespace {

/// Rough work of a pair in the narrow phase, in units of parallel_for.
constexpr int kPairCost = 500;

/// Most points of a pair; a soft face is side a.
KOKKOS_INLINE_FUNCTION int pair_capacity(const ShapeSet& s, const PairSides& sides, bool features) {
  return is_soft(s, sides.a) ? face_capacity(s, sides.b) : manifold_capacity(s, sides.a, sides.b, features);
}

template <class T>
T host_value(const View<T>& view, int i) {
  T value;
  Kokkos::deep_copy(value, Kokkos::subview(view, i));
  return value;
}

/// Largest distance of a point of each body from its origin [m].
std::vector<double> body_reach(std::size_t bodies, const ShapeSet& s) {
  std::vector<double> reach(bodies, 0.0);
  const auto entity = host_copy(s.entity);
  const auto centre = host_copy(s.centre);
  const auto radius = host_copy(s.radius), thickness = host_copy(s.thickness);
  const auto kind = host_copy(s.kind);
  for (int c = 0; c < std::min(s.count, s.soft_begin); ++c) {
    if (entity(c) >= static_cast<int>(bodies)) continue;
    const double own = kind(c) == ShapeKind::plane ? std::numeric_limits<double>::infinity()
                                                   : norm(centre(c)) + radius(c) + thickness(c);
    reach[entity(c)] = std::max(reach[entity(c)], own);
  }
  return reach;
}

}  // namespace

std::string feature_name(std::uint32_t feature) {
  constexpr std::uint32_t kMask = (1U << kFeatureIndexBits) - 1;
  const std::string on_a = std::to_string((feature >> kFeatureIndexBits) & kMask);
  const std::string on_b = std::to_string(feature & kMask);
  switch (static_cast<FeatureKind>(feature >> (2 * kFeatureIndexBits))) {
    case FeatureKind::vertex_face:
      return "v" + on_a + "/f" + on_b;
    case FeatureKind::face_vertex:
      return "f" + on_a + "/v" + on_b;
    case FeatureKind::edge_edge:
      return "e" + on_a + "/e" + on_b;
    case FeatureKind::point:
      break;
  }
  const int joined = kLastPoint - static_cast<int>(feature);
  return joined < kMostJoined ? "joined" + std::to_string(joined) : std::to_string(feature);
}

ContactDetection::ContactDetection(const World& world, const Entities& entities, const ContactOptions& options,
                                   std::vector<EntityPair> excluded)
    : entities_(entities),
      margin_{options.margin, options.margin_speed},
      features_(options.manifold == "features"),
      reduce_(options.reduction == "hull"),
      shapes_(build_shapes(world)),
      broad_phase_(shapes_, entities, CollisionFilter(world, std::move(excluded))),
      reach_(to_device("body_reach", body_reach(world.bodies.size(), shapes_))) {
  for (const BodyDescription& body : world.bodies) name_.push_back(body.name);
  for (const ParticleDescription& particle : world.particles) name_.push_back(particle.name);

  const auto entity = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), shapes_.entity);
  first_collider_.assign(name_.size() + 1, 0);
  for (int c = 0; c < std::min(shapes_.count, shapes_.soft_begin); ++c) ++first_collider_[entity(c) + 1];
  for (std::size_t e = 0; e < name_.size(); ++e) first_collider_[e + 1] += first_collider_[e];
  first_face_.assign(1, shapes_.soft_begin);
  for (const SurfaceDescription& surface : world.surfaces) {
    surface_name_.push_back(surface.name);
    first_face_.push_back(first_face_.back() + static_cast<int>(surface.triangles.size()));
  }
  for (int c = shapes_.soft_begin; c < shapes_.count; ++c) face_entity_.push_back(entity(c));
}

void ContactDetection::detect(const State& state, double h, ContactSet& out, bool flat_edges) {
  if (shapes_.count > shapes_.soft_begin) refresh_soft_faces(shapes_, entities_, state);
  const CandidatePairs candidates = broad_phase_.find_pairs(state, h, margin_);
  const int pairs = static_cast<int>(candidates.extent(0));

  const ShapeSet shapes = shapes_;
  const Entities& entities = entities_;
  const View<PairSides> sides = sides_.resize(pairs);
  parallel_for(
      "order_sides", pairs,
      KOKKOS_LAMBDA(int i) {
        const ColliderPair pair = candidates(i);
        const bool first_is_a = is_soft(shapes, pair.second) ? is_soft(shapes, pair.first)
                                                             : entities.block_of(shapes.entity(pair.first)).v >= 0;
        sides(i) = first_is_a ? PairSides{pair.first, pair.second} : PairSides{pair.second, pair.first};
      },
      4);
  const bool features = features_;
  const View<int> slice = slice_.resize(pairs);
  const int capacity = prefix_sum(
      "contact_capacity", pairs, slice, KOKKOS_LAMBDA(int i) { return pair_capacity(shapes, sides(i), features); });

  const View<ManifoldPoint> points = points_.resize(capacity);
  const bool soft = shapes.count > shapes.soft_begin;
  const View<Vec3> point_normals = point_normals_.resize(soft || features ? capacity : 0);
  const View<PairResult> results = results_.resize(pairs);
  const View<Vec3> x = state.x, u = state.u;
  const View<Quat> orientation = state.orientation;
  const ContactMargin margin = margin_;
  const bool reduce = reduce_;
  const double sharp = flat_edges ? 0 : kSharp;
  parallel_for(
      "narrow_phase", pairs,
      KOKKOS_LAMBDA(int i) {
        PlacedShape placed[2];
        Twist twist[2];
        double spin = 0;  // [m/s] largest speed of a surface point by rotation, summed
        for (int side = 0; side < 2; ++side) {
          const int c = side == 0 ? sides(i).a : sides(i).b;
          const Twist t = owner_twist(shapes, c, entities, u);
          const Pose pose = owner_pose(shapes, c, entities, x, orientation);
          const Pose next{pose.x + h * t.v, advance(pose.q, t.w, h)};
          placed[side] = {c, collider_pose(shapes, c, pose), collider_pose(shapes, c, next)};
          twist[side] = t;
          spin += own_spread(shapes, c, t);
        }
        const double speed = norm(twist[0].v - twist[1].v) + spin;
        Manifold m{points.data() + slice(i), pair_capacity(shapes, sides(i), features)};
        const double reach = margin.base + margin.speed * h * speed;
        if (is_soft(shapes, sides(i).a)) {
          m.normals = point_normals.data() + slice(i);
          find_face_contacts(shapes, placed[0], placed[1], reach, sharp, m);
          keep_movable(shapes, sides(i).a, sides(i).b, entities.block_of, m);
          results(i) = {{}, m.radius_a, m.radius_b, m.count, placed[1].pose.q, reach + m.radii(), 0};
          return;
        }
        if (features) m.normals = point_normals.data() + slice(i);
        find_contacts(shapes, placed[0], placed[1], reach, m);
        const int all = m.count;
        if (reduce) reduce_manifold(m, placed[0].pose, placed[1].pose);
        results(i) = {m.normal, m.radius_a, m.radius_b, m.count, placed[1].pose.q, reach + m.radii(), all - m.count};
      },
      kPairCost);

  const View<int> packed = packed_.resize(pairs);
  if (reduce)
    reduced_ = prefix_sum(
        "contact_reduced", pairs, packed, KOKKOS_LAMBDA(int i) { return results(i).reduced; });
  const bool surfaces = shapes.neighbour.extent(0) > 0;
  const View<std::uint32_t> own = own_.resize(surfaces ? pairs : 0);
  if (surfaces) {
    const PairPoints found{shapes, candidates, sides, slice, points, results, features ? point_normals : View<Vec3>()};
    parallel_for(
        "shared_points", pairs,
        KOKKOS_LAMBDA(int i) { own(i) = is_soft(shapes, sides(i).a) ? 0 : points_of_own(found, i); }, 50);
  }
  const int count = prefix_sum(
      "contact_count", pairs, packed, KOKKOS_LAMBDA(int i) {
        const bool some = surfaces && !is_soft(shapes, sides(i).a) && shapes.neighbour_begin(sides(i).b) >= 0;
        return some ? bit_count(own(i)) : results(i).count;
      });
  out = contacts_.resize(count, soft);
  const ContactSet set = out;
  parallel_for(
      "pack_contacts", pairs,
      KOKKOS_LAMBDA(int i) {
        const PairResult& r = results(i);
        const int a = sides(i).a, b = sides(i).b;
        const int ea = shapes.entity(a), eb = shapes.entity(b);
        const bool soft_a = is_soft(shapes, a), soft_b = is_soft(shapes, b);
        const bool some = surfaces && !soft_a && shapes.neighbour_begin(b) >= 0;
        int c = packed(i) - 1;
        for (int k = 0; k < r.count; ++k) {
          if (some && !(own(i) >> k & 1)) continue;
          const ManifoldPoint& p = points(slice(i) + k);
          ++c;
          set.a(c) = ea;
          set.b(c) = eb;
          set.point_a(c) = soft_a ? Vec3{} : shapes.centre(a) + p.point_a;
          set.point_b(c) = soft_b ? Vec3{} : shapes.centre(b) + p.point_b;
          const bool shell = soft_a && !soft_b;  // its thickness is the other side's
          set.radius_a(c) = shell ? 0.0 : r.radius_a;
          set.radius_b(c) = shell ? r.radius_a + r.radius_b : r.radius_b;
          set.normal(c) = soft_a || features ? point_normals(slice(i) + k) : r.normal;
          if (soft) {
            set.barycentric_a(c) = soft_a ? barycentric_point(shapes, a, p.point_a) : BarycentricPoint{};
            set.barycentric_b(c) = soft_b ? barycentric_point(shapes, b, p.point_b) : BarycentricPoint{};
          }
          set.id(c) = contact_id(a < b ? a : b, a < b ? b : a, p.feature);
        }
      },
      16);
  fence();
}

int ContactDetection::entity_of(int c) const {
  if (c >= shapes_.soft_begin) return face_entity_[c - shapes_.soft_begin];
  return static_cast<int>(std::upper_bound(first_collider_.begin(), first_collider_.end(), c) -
                          first_collider_.begin()) -
         1;
}

std::string ContactDetection::collider_name(int c) const {
  if (c >= shapes_.soft_begin) {
    const auto next = std::upper_bound(first_face_.begin(), first_face_.end(), c);
    return surface_name_[next - first_face_.begin() - 1] + "[" + std::to_string(c - *(next - 1)) + "]";
  }
  const int e = entity_of(c), first = first_collider_[e];
  if (first_collider_[e + 1] - first == 1) return name_[e];
  return name_[e] + "[" + std::to_string(c - first) + "]";
}

std::string ContactDetection::contact_name(const ContactSet& contacts, int i) const {
  const std::uint64_t id = host_value(contacts.id, i);
  const auto feature = static_cast<std::uint32_t>(id & ((std::uint64_t{1} << kFeatureBits) - 1));
  const std::uint64_t pair = id >> kFeatureBits;
  auto a = static_cast<int>(pair >> kColliderBits), b = static_cast<int>(pair & (kMaxColliders - 1));
  if (entity_of(a) != host_value(contacts.a, i)) std::swap(a, b);
  return collider_name(a) + "/" + collider_name(b) + ":" + feature_name(feature);
}

}  // namespace clarke
