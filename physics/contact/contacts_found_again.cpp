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
  std::vector<TurningNormal> turning;

  HostContacts(const ContactSet& set, std::vector<TurningNormal> with) : turning(std::move(with)) {
    turning.resize(set.count);
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

/// The sides of contact i, of two bodies, detected at the poses of `at`; for kernels.
KOKKOS_INLINE_FUNCTION TouchingPair touching_pair(const ShapeSet& s, const ContactSet& c, int i, int bodies,
                                                  const State& at) {
  constexpr std::uint64_t kCollider = (std::uint64_t{1} << kColliderBits) - 1;
  const int first = static_cast<int>(c.id(i) >> (kFeatureBits + kColliderBits)),
            second = static_cast<int>(c.id(i) >> kFeatureBits & kCollider);
  const bool in_order = s.entity(first) == c.a(i);
  const PlacedSide a{in_order ? first : second, pose_of(c.a(i), bodies, at.x, at.orientation), c.point_a(i),
                     c.radius_a(i)},
      b{in_order ? second : first, pose_of(c.b(i), bodies, at.x, at.orientation), c.point_b(i), c.radius_b(i)};
  return {s, a, b, c.normal(i)};
}

template <class T>
std::vector<T> host_vector(const View<T>& from) {
  std::vector<T> out;
  to_host(from, out);
  return out;
}

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

ContactSet ContactStorage::copy(const ContactSet& set, const View<TurningNormal>& turning) {
  if (set.count == 0 || set.a.data() == own_.data()) return set;
  const ContactSet from = set, to = contacts_.resize(set.count, set.barycentric_a.extent(0) > 0);
  parallel_for(
      "again_copy", set.count, KOKKOS_LAMBDA(int i) { copy_contact(from, i, to, i); }, 20);
  own_ = to.a;
  turning_now_ = turning;
  return to;
}

View<TurningNormal> ContactStorage::touching_features(const ShapeSet& shapes, const ContactSet& found,
                                                      const Entities& entities, const State& now, double tolerance) {
  const View<TurningNormal> out = touching_.resize(found.count);
  const ShapeSet s = shapes;
  const ContactSet c = found;
  const State at = now;
  const int bodies = entities.bodies;
  parallel_for(
      "again_touching", c.count,
      KOKKOS_LAMBDA(int i) {
        out(i) = {};
        if (c.a(i) < bodies && c.b(i) < bodies && contact_gap(c, i, bodies, at) < -tolerance)
          out(i) = clarke::touching_features(touching_pair(s, c, i, bodies, at));
      },
      400);
  return out;
}

ContactSet ContactStorage::merged(ContactStorage& present, const ContactSet& first, const ContactSet& second,
                                  const Entities& entities, const State& now, double tolerance,
                                  std::vector<TurningNormal> touching, std::map<std::uint64_t, FoundAgain>& again,
                                  MergedCounts& counts) {
  std::vector<double> gaps, of_known;
  to_host(this->gaps(second, entities, now), gaps);
  to_host(present.gaps(first, entities, now), of_known);
  constexpr double kReduced = 0.5;  // of its depth when it was found before: less is progress
  const HostContacts known(first, host_vector(present.turning()));
  HostContacts found(second, std::move(touching));
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
    const bool turns = found.turning[i].with != TurnsWith::nothing;
    const bool turned = there != number.end() && known.turning[there->second].with != TurnsWith::nothing;
    const bool stays = as_deep && there != number.end() && (turned || !turns);
    FoundAgain& f = again[id];
    f.depth = -gaps[i];
    if (stays) {
      found.id[i] = joined_id(id, joined[id >> kFeatureBits]++);
      f.beside.push_back(found.id[i]);
      ++counts.kept;
    } else {
      counts.turning += turns;
      in_its_place[id] = i;
    }
    all.push_back({&found, i});
  }
  for (int k = 0; k < first.count; ++k)
    if (!in_its_place.count(known.id[k])) all.push_back({&known, k});
  std::sort(all.begin(), all.end(), [](const From& x, const From& y) { return x.id() < y.id(); });
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
  turning_now_ = {};
  const auto turn = [](const From& f) { return f.set->turning[f.index].with != TurnsWith::nothing; };
  if (std::any_of(all.begin(), all.end(), turn)) {
    turning_now_ = turning_.resize(out.count);
    gather(all, &HostContacts::turning, turning_now_);
  }
  if (!places) return out;
  gather(all, &HostContacts::barycentric_a, out.barycentric_a);
  gather(all, &HostContacts::barycentric_b, out.barycentric_b);
  return out;
}

}  // namespace clarke
