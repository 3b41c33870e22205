#include "physics/contact/contacts_found_again.hpp"

#include "physics/collision/contact_side.hpp"

#include <algorithm>

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
void gather(const std::vector<From>& from, std::vector<T> HostContacts::*member, Buffer<T>& out) {
  std::vector<T> values;
  values.reserve(from.size());
  for (const From& f : from) values.push_back((f.set->*member)[f.index]);
  to_device(values, out.resize(values.size()));
}

/// C of the contacts of a set at the poses of `now` [m].
std::vector<double> gaps_at(const ContactSet& set, const Entities& entities, const State& now) {
  const View<double> gap("again_gap", set.count);
  const ContactSet c = set;
  const State at = now;
  const int bodies = entities.bodies;
  parallel_for(
      "again_gap", c.count,
      KOKKOS_LAMBDA(int i) {
        const Pose a = side_pose(c.barycentric_a, i, c.a(i), bodies, at.x, at.orientation),
                   b = side_pose(c.barycentric_b, i, c.b(i), bodies, at.x, at.orientation);
        gap(i) = dot(c.normal(i), a.x + rotate(a.q, c.point_a(i)) - b.x - rotate(b.q, c.point_b(i))) - c.radius_a(i) -
                 c.radius_b(i);
      },
      30);
  std::vector<double> gaps;
  to_host(gap, gaps);
  return gaps;
}

}  // namespace

ContactSet ContactStorage::merged(const ContactSet& first, const ContactSet& second, const Entities& entities,
                                  const State& now, double tolerance, std::map<std::uint64_t, double>& depths,
                                  int& taken) {
  const std::vector<double> gaps = gaps_at(second, entities, now), of_known = gaps_at(first, entities, now);
  constexpr double kReduced = 0.5;  // of its depth when it was found before: less is progress
  const HostContacts known(first);
  HostContacts found(second);
  std::vector<From> all;
  taken = 0;
  int k = 0;
  for (int i = 0; i < second.count; ++i) {
    if (!(gaps[i] < -tolerance)) continue;
    for (; k < first.count && known.id[k] < found.id[i]; ++k) all.push_back({&known, k});
    const bool is_known = k < first.count && known.id[k] == found.id[i];
    if (is_known && gaps[i] >= of_known[k] - tolerance)
      continue;  // as deep as it says itself: compliant, or not solved
    ++taken;
    const auto [before, first_time] = depths.try_emplace(found.id[i], -gaps[i]);
    const bool stays = !first_time && -gaps[i] > kReduced * before->second;
    before->second = -gaps[i];
    if (is_known) {
      if (stays && dot(known.normal[k], found.normal[i]) > 0)
        found.normal[i] = normalized(known.normal[k] + found.normal[i]);
      ++k;
    }
    all.push_back({&found, i});
  }
  for (; k < first.count; ++k) all.push_back({&known, k});

  ContactSet out;
  out.count = static_cast<int>(all.size());
  gather(all, &HostContacts::a, a_);
  gather(all, &HostContacts::b, b_);
  gather(all, &HostContacts::point_a, point_a_);
  gather(all, &HostContacts::point_b, point_b_);
  gather(all, &HostContacts::normal, normal_);
  gather(all, &HostContacts::radius_a, radius_a_);
  gather(all, &HostContacts::radius_b, radius_b_);
  gather(all, &HostContacts::id, id_);
  out.a = a_, out.b = b_, out.point_a = point_a_, out.point_b = point_b_, out.normal = normal_;
  out.radius_a = radius_a_, out.radius_b = radius_b_, out.id = id_;
  if (first.barycentric_a.extent(0) == 0 && second.barycentric_a.extent(0) == 0) return out;
  gather(all, &HostContacts::barycentric_a, barycentric_a_);
  gather(all, &HostContacts::barycentric_b, barycentric_b_);
  out.barycentric_a = barycentric_a_, out.barycentric_b = barycentric_b_;
  return out;
}

}  // namespace clarke
