#include "physics/contact/contact_contributor.hpp"

#include "framework/contact_compliance.hpp"
#include "framework/contact_shift.hpp"
#include "framework/error.hpp"
#include "framework/math/symmetric_eigen.hpp"

#include <Kokkos_Timer.hpp>

#include <span>

namespace clarke {

ContactContributor::ContactContributor(const Entities& entities,
                                       std::unique_ptr<ContactDetection> detection,
                                       std::unique_ptr<ContactLaw> law, WarmStartOptions options,
                                       ContactCompliance compliance, ContactCones cones)
    : entities_(entities),
      options_(options),
      detection_(std::move(detection)),
      law_(std::move(law)),
      cones_(std::move(cones)),
      block_of_host_(
          Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.block_of)),
      compliance_(std::move(compliance)) {
  check_law(*law_);
}

void ContactContributor::check_law(const ContactLaw& law) const {
  if (cones_.sections() && !law.takes_sections())
    throw InputError("-contact_law, -friction_map: an asymmetric or polygon friction cone needs its own projection: expected "
                     "-contact_law scalar with -friction_map tangent, or -contact_law alart_curnier or jean_moreau");
}

void ContactContributor::begin_step(const StepContext& context, const State& state) {
  Kokkos::Timer timer;
  detection_->detect(state, context.h, contacts_);
  if (context.velocity_level) keep_closing(context, state);
  seconds_detect_ = timer.seconds();
  const int n = contacts_.count;
  const auto a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), contacts_.a);
  const auto b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), contacts_.b);
  pattern_changed_ = n != static_cast<int>(last_a_.size()) ||
                     !std::equal(last_a_.begin(), last_a_.end(), a.data()) ||
                     !std::equal(last_b_.begin(), last_b_.end(), b.data());
  if (pattern_changed_) {
    last_a_.assign(a.data(), a.data() + n);
    last_b_.assign(b.data(), b.data() + n);
  }
  rows_.count = n;
  rows_.gap = gap_.resize(n);
  rows_.gap_velocity = gap_velocity_.resize(n);
  rows_.slip = slip_.resize(2 * n);
  rows_.r_normal = r_normal_.resize(n);
  rows_.r_friction = r_friction_.resize(n);
  cones_.begin_step(contacts_, entities_, state);
  rows_.friction = cones_.rows().friction;
  rows_.tangent_scale = cones_.rows().scale;
  rows_.section = cones_.rows().section;
  lag_compliance(context);
  // No effective mass is known yet; the first evaluation of a step only wants J.
  fill(rows_.r_normal, 1.0);
  fill(rows_.r_friction, 1.0);
}

/// γ and what belongs to it, fixed in the step.
void ContactContributor::lag_compliance(const StepContext& context) {
  const ContactSet c = contacts_;
  const View<double> gamma = rows_.compliance = row_compliance_.resize(3 * c.count);
  const View<double> elasticity = elasticity_.resize(c.count), relaxation = relaxation_.resize(c.count);
  shifted_mass_.resize(3 * c.count);
  if (!compliance_.any) {
    fill(gamma, 0.0);
    return;
  }
  const ContactCompliance all = compliance_;
  const double h = context.h, b = context.b;
  parallel_for(
      "contact_row_compliance", c.count,
      KOKKOS_LAMBDA(int i) {
        const SurfaceCompliance pair = pair_compliance(all.surface(c.a(i)), all.surface(c.b(i)));
        const RowCompliance row = row_compliance(pair, all.viscous, h, b);
        elasticity(i) = pair.normal;
        relaxation(i) = row.relaxation;
        gamma(3 * i) = row.normal;
        gamma(3 * i + 1) = gamma(3 * i + 2) = row.friction;
      },
      16);
}

double ContactContributor::elastic_energy(const View<double>& impulse, double h) const {
  if (!compliance_.any || contacts_.count == 0) return 0;
  const View<double> E = elasticity_, tau = relaxation_, gap = rows_.gap, x = impulse;
  double energy[1];
  deterministic_sum<1>(
      "contact_elastic_energy", contacts_.count,
      KOKKOS_LAMBDA(int i) {
        const double force = x(3 * i) / h, depth = gap(i) < 0 ? -gap(i) : 0.0;
        double e = 0;
        if (E(i) > 0) e = tau(i) > 0 ? 0.5 * depth * depth / E(i) : 0.5 * E(i) * force * force;
        return Kokkos::Array<double, 1>{e};
      },
      energy_scratch_, energy);
  return energy[0];
}

/// Contacts whose gap half a step of the present motion closes: the others have no row at velocity level. Compliant contacts
/// are laws of positions there too, without restitution, and all stay.
void ContactContributor::keep_closing(const StepContext& context, const State& state) {
  const ContactSet c = contacts_;
  const View<int> keep = keep_.resize(c.count);
  const View<double> rebound = rebound_.resize(c.count);
  const Entities all = entities_;
  const State s = state;
  const double h = context.h;
  const View<SurfaceCompliance> surface = compliance_.surface;
  parallel_for(
      "contact_predict", c.count,
      KOKKOS_LAMBDA(int i) {
        const int a = c.a(i), b = c.b(i);
        const ContactGeometry g = contact_geometry(
            pose_of(a, all.bodies, s.x, s.orientation), pose_of(b, all.bodies, s.x, s.orientation),
            c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), c.normal(i));
        const double v = normal_velocity(twist_of(a, all.block_of, all.prescribed, s.u),
                                         twist_of(b, all.block_of, all.prescribed, s.u), g.arm_a,
                                         g.arm_b, c.normal(i));
        const bool compliant = pair_compliance(surface(a), surface(b)).normal > 0;
        keep(i) = compliant || g.gap + 0.5 * h * v <= 0;
        rebound(i) = compliant ? 0.0 : c.restitution(i) * v;
      },
      100);
  ContactSet out;
  const View<int> first = kept_first_.resize(c.count);
  out.count = prefix_sum("contact_keep", c.count, first, KOKKOS_LAMBDA(int i) { return keep(i); });
  out.a = kept_a_.resize(out.count);
  out.b = kept_b_.resize(out.count);
  out.point_a = kept_point_a_.resize(out.count);
  out.point_b = kept_point_b_.resize(out.count);
  out.radius_a = kept_radius_a_.resize(out.count);
  out.radius_b = kept_radius_b_.resize(out.count);
  out.normal = kept_normal_.resize(out.count);
  out.friction = kept_friction_.resize(out.count);
  out.restitution = kept_restitution_.resize(out.count);
  out.id = kept_id_.resize(out.count);
  const ContactSet kept = out;
  const View<double> kept_rebound = kept_rebound_.resize(out.count);
  parallel_for(
      "contact_pack_closing", c.count,
      KOKKOS_LAMBDA(int i) {
        if (!keep(i)) return;
        const int k = first(i);
        kept.a(k) = c.a(i);
        kept.b(k) = c.b(i);
        kept.point_a(k) = c.point_a(i);
        kept.point_b(k) = c.point_b(i);
        kept.radius_a(k) = c.radius_a(i);
        kept.radius_b(k) = c.radius_b(i);
        kept.normal(k) = c.normal(i);
        kept.friction(k) = c.friction(i);
        kept.restitution(k) = c.restitution(i);
        kept_rebound(k) = rebound(i);
        kept.id(k) = c.id(i);
      },
      16);
  contacts_ = out;
}

void ContactContributor::pattern(PatternBuilder& builder) const {
  for (std::size_t i = 0; i < last_a_.size(); ++i) {
    int blocks[4], k = 0;
    for (int e : {last_a_[i], last_b_[i]}) {
      const EntityBlocks b = block_of_host_(e);
      if (b.v >= 0) blocks[k++] = b.v;
      if (b.w >= 0) blocks[k++] = b.w;
    }
    builder.add_item(3, std::span<const int>(blocks, static_cast<std::size_t>(k)));
  }
}

void ContactContributor::evaluate(const StepContext& context, const StepPoint& point,
                                  const SystemSlice& slice, bool linearise) {
  const ContactSet c = contacts_;
  const SystemSlice s = slice;
  const StepPoint at = point;
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<Twist> prescribed = entities_.prescribed;
  const int bodies = entities_.bodies;
  const double b = context.b;
  const bool velocity_level = context.velocity_level;
  const View<double> gap = rows_.gap, gap_velocity = rows_.gap_velocity, slip = rows_.slip,
                     rebound = kept_rebound_, gamma = rows_.compliance, relaxation = relaxation_;
  const bool compliant = compliance_.any, implicit = cones_.implicit();
  const ConeRows cone = cones_.rows();
  const ContactCones::SpeedFactor factor = cones_.speed_factor();
  parallel_for(
      "contact_geometry", c.count,
      KOKKOS_LAMBDA(int i) {
        const int ea = c.a(i), eb = c.b(i);
        const Pose pa = pose_of(ea, bodies, at.x, at.orientation);
        const Pose pb = pose_of(eb, bodies, at.x, at.orientation);
        const Vec3 n = c.normal(i);
        const ContactGeometry geo = contact_geometry(pa, pb, c.point_a(i), c.point_b(i),
                                                     c.radius_a(i), c.radius_b(i), n);
        const Vec3 t1 = cone.d1(i), t2 = cone.d2(i);
        const Twist ta = twist_of(ea, block_of, prescribed, at.u);
        const Twist tb = twist_of(eb, block_of, prescribed, at.u);
        const Vec3 dv = ta.v + cross(ta.w, geo.arm_a) - tb.v - cross(tb.w, geo.arm_b);
        gap(i) = geo.gap;
        gap_velocity(i) = velocity_level ? dot(n, dv) + rebound(i) : geo.gap / b;
        slip(2 * i) = dot(t1, dv);
        slip(2 * i + 1) = dot(t2, dv);
        if (implicit) cone.friction(i) = cone.at_rest(i) * factor(ea, eb, norm(dv - dot(n, dv) * n));
        if (compliant) {
          const int row = s.first_row + 3 * i;
          const double tau = relaxation(i);
          if (gamma(3 * i) > 0)
            gap_velocity(i) = (geo.gap + tau * dot(n, dv)) / (b + tau) + gamma(3 * i) * at.impulse(row);
          slip(2 * i) += gamma(3 * i + 1) * at.impulse(row + 1);
          slip(2 * i + 1) += gamma(3 * i + 2) * at.impulse(row + 2);
        }
        const EntityBlocks ba = block_of(ea), bb = block_of(eb);
        int v = s.pattern.item_value(s.first_item + i);
        for (int r = 0; r < 3; ++r) {
          const Vec3 d = r == 0 ? n : (r == 1 ? t1 : t2);
          if (ba.v >= 0) s.jacobian(v++) = d;
          if (ba.w >= 0) s.jacobian(v++) = cross(geo.arm_a, d);
          if (bb.v >= 0) s.jacobian(v++) = -d;
          if (bb.w >= 0) s.jacobian(v++) = -cross(geo.arm_b, d);
        }
      },
      100);
  rows_.impulse = Kokkos::subview(point.impulse,
                                  Kokkos::make_pair(slice.first_row, slice.first_row + slice.rows));
  rows_.out = slice;
  if (compliance_.any) rows_.out.effective_mass = shifted_mass_;
  rows_.compliance = row_compliance_;
  if (at.shift) shift_arguments(rows_, *at.shift);
  law_->evaluate(rows_, linearise);
  if (!linearise) return;
  if (at.shift) shift_slopes(rows_, *at.shift);
  if (compliance_.any || at.shift) add_compliance(rows_);
}

/// The arm turns with its body: ∂(r × p)/∂ω = r pᵀ − (r·p) 1 for the impulse p on the point r (no arm on a round surface).
void ContactContributor::geometric_stiffness(const StepContext& context, const StepPoint& point,
                                             const SystemSlice& slice, const View<Mat3>& stiffness) {
  const ContactSet c = contacts_;
  const SystemSlice s = slice;
  const StepPoint at = point;
  const Entities all = entities_;
  const View<Mat3> out = stiffness;
  const double b = context.b;
  const ConeRows cone = cones_.rows();
  parallel_for(
      "contact_geometric_stiffness", c.count,
      KOKKOS_LAMBDA(int i) {
        const int row = s.first_row + 3 * i;
        const Vec3 p = at.impulse(row) * c.normal(i) + at.impulse(row + 1) * cone.d1(i) + at.impulse(row + 2) * cone.d2(i);
        int slot = s.pattern.item_slot(s.first_item + i);
        for (int side = 0; side < 2; ++side) {
          const int e = side == 0 ? c.a(i) : c.b(i);
          const EntityBlocks blocks = all.block_of(e);
          if (blocks.v >= 0) ++slot;
          if (blocks.w < 0) continue;
          const Vec3 r = rotate(pose_of(e, all.bodies, at.x, at.orientation).q,
                                side == 0 ? c.point_a(i) : c.point_b(i));
          const Vec3 f = side == 0 ? p : -p;
          const double rf = dot(r, f);
          const Mat3 K = outer(r, f) - Mat3::diagonal(rf, rf, rf);
          out(slot) = out(slot) + positive_part(-b * K);
          ++slot;
        }
      },
      400);
}

void ContactContributor::effective_mass_known(const StepContext& context,
                                              const SystemSlice& slice) {
  rows_.out = slice;
  if (compliance_.any) {
    const View<double> w = slice.effective_mass, gamma = rows_.compliance, shifted = shifted_mass_;
    parallel_for(
        "contact_effective_mass", slice.rows,
        KOKKOS_LAMBDA(int r) { shifted(r) = w(r) + gamma(r); });
    rows_.out.effective_mass = shifted_mass_;
  }
  law_->compute_r_factors(rows_, context.h);
}

namespace {

/// Index of `id` in the sorted list, or -1.
KOKKOS_INLINE_FUNCTION int find_id(const View<std::uint64_t>& list, int count, std::uint64_t id) {
  int lo = 0, hi = count;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (list(mid) < id) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  return lo < count && list(lo) == id ? lo : -1;
}

/// Range of the contacts of id's pair in a sorted list: ids differ in the feature bits only.
KOKKOS_INLINE_FUNCTION void pair_range(const View<std::uint64_t>& list, int count, std::uint64_t id,
                                       int& begin, int& end) {
  const std::uint64_t pair = id >> kFeatureBits;
  int lo = 0, hi = count;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if ((list(mid) >> kFeatureBits) < pair) {
      lo = mid + 1;
    } else {
      hi = mid;
    }
  }
  begin = lo;
  for (end = lo; end < count && (list(end) >> kFeatureBits) == pair;) ++end;
}

/// Of list[begin, end) without partner in `other`, the one whose point is nearest to p and within `radius`; -1 if none.
KOKKOS_INLINE_FUNCTION int nearest_unmatched(const View<std::uint64_t>& list, const View<Vec3>& point,
                                             int begin, int end, const View<std::uint64_t>& other,
                                             int other_count, const Vec3& p, double radius) {
  int best = -1;
  double best2 = radius * radius;
  for (int j = begin; j < end; ++j) {
    const double d2 = norm2(point(j) - p);
    if (d2 > best2 || (best >= 0 && d2 == best2)) continue;
    if (find_id(other, other_count, list(j)) >= 0) continue;
    best = j;
    best2 = d2;
  }
  return best;
}

}  // namespace

void ContactContributor::warm_start(const View<double>& impulse) {
  const ContactSet c = contacts_;
  const int last = last_count_;
  const View<std::uint64_t> last_id = last_id_;
  const View<Vec3> last_impulse = last_world_impulse_, last_point = last_point_;
  const double radius = options_.match_radius;
  const ConeRows cone = cones_.rows();
  parallel_for(
      "contact_warm_start", c.count,
      KOKKOS_LAMBDA(int i) {
        int j = find_id(last_id, last, c.id(i));
        if (j < 0) {
          // A corner lying on an edge changes its feature with rounding: take the old contact of this pair that is nearest,
          // if that one's nearest new contact is this one.
          int begin, end;
          pair_range(last_id, last, c.id(i), begin, end);
          j = nearest_unmatched(last_id, last_point, begin, end, c.id, c.count, c.point_a(i), radius);
          if (j >= 0) {
            pair_range(c.id, c.count, c.id(i), begin, end);
            if (nearest_unmatched(c.id, c.point_a, begin, end, last_id, last, last_point(j), radius) != i)
              j = -1;
          }
        }
        const Vec3 p = j >= 0 ? last_impulse(j) : Vec3{};
        impulse(3 * i) = dot(c.normal(i), p);
        for (int k = 0; k < 2; ++k) {
          const double scale = cone.scale(2 * i + k);  // |d| is the scale: d·p/s²
          impulse(3 * i + 1 + k) = dot(k == 0 ? cone.d1(i) : cone.d2(i), p) / (scale * scale);
        }
      },
      64);
}

void ContactContributor::end_step(const View<double>& impulse) {
  const ContactSet c = contacts_;
  const ConeRows cone = cones_.rows();
  last_count_ = c.count;
  const View<std::uint64_t> id = last_id_.resize(c.count);
  const View<Vec3> world = last_world_impulse_.resize(c.count), point = last_point_.resize(c.count);
  parallel_for(
      "contact_remember", c.count,
      KOKKOS_LAMBDA(int i) {
        id(i) = c.id(i);
        point(i) = c.point_a(i);
        world(i) = impulse(3 * i) * c.normal(i) + impulse(3 * i + 1) * cone.d1(i) + impulse(3 * i + 2) * cone.d2(i);
      },
      32);
}

std::string ContactContributor::item_name(int item) const {
  return detection_->contact_name(contacts_, item);
}

}  // namespace clarke
