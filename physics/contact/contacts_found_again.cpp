#include "physics/contact/contacts_found_again.hpp"

#include "physics/collision/narrow_phase/manifold.hpp"
#include "physics/contact/contact_gaps.hpp"
#include "physics/contact/touching_features.hpp"

#include <algorithm>
#include <limits>

namespace clarke {

namespace {

/// A set on the host.
struct HostContacts {
  std::vector<int> a, b;
  std::vector<Vec3> point_a, point_b, normal;
  std::vector<double> radius_a, radius_b;
  std::vector<BarycentricPoint> barycentric_a, barycentric_b;
  std::vector<std::uint64_t> id;

  explicit HostContacts(const ContactSet& set) {
    to_host(set.a, a), to_host(set.b, b);
    to_host(set.point_a, point_a), to_host(set.point_b, point_b), to_host(set.normal, normal);
    to_host(set.radius_a, radius_a), to_host(set.radius_b, radius_b);
    to_host(set.barycentric_a, barycentric_a), to_host(set.barycentric_b, barycentric_b);
    to_host(set.id, id);
  }
};

/// One contact, from either set.
struct From {
  const HostContacts* set;
  int index;
  std::uint64_t id() const { return set->id[index]; }
};

template <class T>
void gather(const std::vector<From>& from, std::vector<T> HostContacts::*member, const View<T>& out) {
  std::vector<T> values;
  values.reserve(from.size());
  for (const From& f : from) values.push_back((f.set->*member)[f.index]);
  to_device(values, out);
}

}  // namespace

std::uint64_t joined_id(std::uint64_t id, int k) {
  return id >> kFeatureBits << kFeatureBits | feature_key(FeatureKind::point, kLastPoint - k);
}

View<double> ContactStorage::gaps(const ContactSet& set, const Entities& entities, const State& now) {
  const View<double> gap = gap_.resize(set.count);
  const ContactSet c = set;
  const State at = now;
  const int bodies = entities.bodies;
  const View<TurningNormal> turning = set.a.data() == own_.data() ? turning_now_ : View<TurningNormal>();
  parallel_for(
      "again_gap", c.count, KOKKOS_LAMBDA(int i) { gap(i) = contact_gap(c, i, bodies, at, turning); }, 30);
  return gap;
}

double ContactStorage::overlap(const ContactSet& set, const Entities& entities, const State& now) {
  const View<double> gap = gaps(set, entities, now);
  return largest_of(
      "again_overlap", set.count, KOKKOS_LAMBDA(int i) { return -gap(i); });
}

ContactSet ContactStorage::copy(const ContactSet& set) {
  if (set.count == 0 || set.a.data() == own_.data()) return set;
  const ContactSet from = set, to = contacts_.resize(set.count, set.barycentric_a.extent(0) > 0);
  parallel_for(
      "again_copy", set.count, KOKKOS_LAMBDA(int i) { copy_contact(from, i, to, i); }, 20);
  own_ = to.a;
  turning_now_ = {};
  return to;
}

View<TurningNormal> ContactStorage::touching_features(const ShapeSet& shapes, const ContactSet& found,
                                                      const Entities& entities, const State& now) {
  const View<TurningNormal> out = touching_.resize(found.count);
  const ShapeSet s = shapes;
  const ContactSet c = found;
  const State at = now;
  const int bodies = entities.bodies;
  parallel_for(
      "again_touching", c.count,
      KOKKOS_LAMBDA(int i) {
        out(i) = {};
        if (c.a(i) >= bodies || c.b(i) >= bodies) return;
        constexpr std::uint64_t kCollider = (std::uint64_t{1} << kColliderBits) - 1;
        const int first = static_cast<int>(c.id(i) >> (kFeatureBits + kColliderBits)),
                  second = static_cast<int>(c.id(i) >> kFeatureBits & kCollider);
        const bool in_order = s.entity(first) == c.a(i);
        const PlacedSide a{in_order ? first : second, pose_of(c.a(i), bodies, at.x, at.orientation), c.point_a(i),
                           c.radius_a(i)},
            b{in_order ? second : first, pose_of(c.b(i), bodies, at.x, at.orientation), c.point_b(i), c.radius_b(i)};
        out(i) = clarke::touching_features(s, a, b, c.normal(i));
      },
      400);
  return out;
}

ContactSet ContactStorage::merged(ContactStorage& present, const ContactSet& first, const ContactSet& second,
                                  const Entities& entities, const State& now, double tolerance,
                                  const std::vector<TurningNormal>& touching,
                                  std::map<std::uint64_t, FoundAgain>& again, MergedCounts& counts) {
  std::vector<double> gaps, of_known;
  to_host(this->gaps(second, entities, now), gaps);
  to_host(present.gaps(first, entities, now), of_known);
  constexpr double kReduced = 0.5;  // of its depth when it was found before: less is progress
  const HostContacts known(first);
  HostContacts found(second);
  std::map<std::uint64_t, int> number;  // of the contacts of the step
  std::map<std::uint64_t, int> joined;  // how many of a pair have joined others
  for (int k = 0; k < first.count; ++k) number[known.id[k]] = k;
  for (const auto& [id, f] : again) joined[id >> kFeatureBits] += static_cast<int>(f.beside.size());
  const auto says = [&](std::uint64_t id) { return of_known[number.at(id)]; };  // what it reads at these poses
  std::map<std::uint64_t, int> in_its_place;
  std::vector<From> all;
  counts = {};
  for (int i = 0; i < second.count; ++i) {
    if (!(gaps[i] < -tolerance)) continue;
    const std::uint64_t id = found.id[i];
    const auto it = again.find(id), none = again.end();
    const auto there = number.find(id);
    double deepest = std::numeric_limits<double>::infinity();
    if (there != number.end()) deepest = of_known[there->second];
    if (it != none)
      for (const std::uint64_t beside : it->second.beside) deepest = std::min(deepest, says(beside));
    if (gaps[i] >= deepest - tolerance) continue;  // as deep as they say themselves: compliant, or not solved
    ++counts.taken;
    const bool as_deep = it != none && -gaps[i] > kReduced * it->second.depth;
    const TurningNormal& turning = touching[i];
    const bool turned = it != none && it->second.turning.with != TurnsWith::nothing;
    const bool stays = as_deep && there != number.end() && (turned || turning.with == TurnsWith::nothing);
    FoundAgain& f = again[id];
    f.depth = -gaps[i];
    if (stays) {
      found.id[i] = joined_id(id, joined[id >> kFeatureBits]++);
      f.beside.push_back(found.id[i]);
      again[found.id[i]].turning = turning;
      ++counts.kept;
    } else {
      f.turning = turning;
      counts.turning += turning.with != TurnsWith::nothing;
      in_its_place[id] = i;
    }
    all.push_back({&found, i});
  }
  for (int k = 0; k < first.count; ++k)
    if (!in_its_place.count(known.id[k])) all.push_back({&known, k});
  std::sort(all.begin(), all.end(), [](const From& x, const From& y) { return x.id() < y.id(); });
  std::vector<std::uint64_t> ids;
  for (const From& f : all) ids.push_back(f.id());
  keep_turning(ids, again);

  const bool places = first.barycentric_a.extent(0) > 0 || second.barycentric_a.extent(0) > 0;
  const ContactSet out = contacts_.resize(static_cast<int>(all.size()), places);
  own_ = out.a;
  gather(all, &HostContacts::a, out.a);
  gather(all, &HostContacts::b, out.b);
  gather(all, &HostContacts::point_a, out.point_a);
  gather(all, &HostContacts::point_b, out.point_b);
  gather(all, &HostContacts::normal, out.normal);
  gather(all, &HostContacts::radius_a, out.radius_a);
  gather(all, &HostContacts::radius_b, out.radius_b);
  gather(all, &HostContacts::id, out.id);
  if (!places) return out;
  gather(all, &HostContacts::barycentric_a, out.barycentric_a);
  gather(all, &HostContacts::barycentric_b, out.barycentric_b);
  return out;
}

void ContactStorage::keep_turning(const std::vector<std::uint64_t>& ids,
                                  const std::map<std::uint64_t, FoundAgain>& again) {
  std::vector<TurningNormal> turning(ids.size());
  bool any = false;
  for (std::size_t k = 0; k < ids.size(); ++k)
    if (const auto it = again.find(ids[k]); it != again.end()) {
      turning[k] = it->second.turning;
      any = any || turning[k].with != TurnsWith::nothing;
    }
  turning_now_ = {};
  if (!any) return;
  turning_now_ = turning_.resize(static_cast<int>(ids.size()));
  to_device(turning, turning_now_);
}

}  // namespace clarke
