#include "physics/contact/contact_contributor.hpp"

#include "framework/error.hpp"
#include "framework/row_assembly.hpp"
#include "framework/sets/relaxed_law.hpp"
#include "physics/contact/penalty_contacts.hpp"

#include <span>

namespace clarke {

ContactContributor::ContactContributor(const Entities& entities, std::unique_ptr<ContactDetection> detection,
                                       std::unique_ptr<RowLaw> law, WarmStartOptions options, ContactSlop slop,
                                       NearRigidOptions near_rigid, Restitution restitution,
                                       ContactCompliance compliance, ContactFriction cones,
                                       std::unique_ptr<PenaltyContacts> penalty)
    : entities_(entities),
      options_(options),
      detection_(std::move(detection)),
      law_(std::move(law)),
      slop_(slop),
      near_rigid_(near_rigid),
      restitution_(std::move(restitution)),
      cones_(std::move(cones)),
      last_look_(entities),
      penalty_(std::move(penalty)),
      compliance_(std::move(compliance)) {
  if (!penalty_) check_law(*law_);
}

ContactContributor::~ContactContributor() = default;

const char* ContactContributor::again() { return penalty_ ? penalty_->again(contacts_) : nullptr; }

std::unique_ptr<RowLaw> ContactContributor::exchange_law(std::unique_ptr<RowLaw> law) {
  if (penalty_)
    penalty_->read_slope();
  else
    check_law(*law);
  std::swap(law, law_);
  return law;
}

void ContactContributor::set_whole_stiffness(bool whole) {
  whole_stiffness_ = whole;
  if (penalty_) penalty_->set_whole_stiffness(whole);
}

void ContactContributor::check_law(const RowLaw& law) const {
  if (cones_.sections() && !law.takes_sections())
    throw InputError(
        "-contact_law, -friction_map: this one takes friction cones that are discs or ellipses, and some "
        "surface here has another: expected " +
        law.laws_with_sections());
}

void ContactContributor::count_law_safeguards(std::map<std::string, long>& counts) const {
  if (!penalty_) count_safeguard(*law_, rows_, counts);
}

void ContactContributor::count_safeguards(std::map<std::string, long>& counts) const {
  if (const int left_out = detection_->reduced(); left_out > 0) counts["contact_reduction"] += left_out;
  if (kept_again_ > 0) counts["detect_again_normals"] += kept_again_;
  if (turning_again_ > 0) counts["detect_again_turning"] += turning_again_;
}

void ContactContributor::begin_step(const StepContext& context, const State& state) {
  again_found_ = false;
  known_again_.clear();
  kept_again_ = turning_again_ = 0;
  turning_ = {};
  detection_->detect(state, context.h, contacts_);
  if (context.level.velocity && contacts_.barycentric_a.extent(0) > 0)
    throw InputError(
        "contact of deforming surfaces needs laws of positions: expected -integrator implicit_euler, or "
        "`contact: points` or `none` for soft bodies");
  if (context.level.velocity && penalty_)
    throw InputError(
        "-contact_penalty is a force of positions, and -integrator moreau_jean has laws of velocities: expected "
        "-integrator implicit_euler or one of stages");
  if (context.level.velocity) select_active_set(context, state);
  lay_contacts(context, state);
}

/// Everything that hangs on which contacts there are, at the start of the step.
void ContactContributor::lay_contacts(const StepContext& context, const State& state) {
  const int n = contacts_.count;
  note_items();
  rows_.kind = SetKind::cone;
  if (penalty_) return begin_penalty(state);
  rows_.items = n;
  rows_.rows = 3 * n;
  rows_.gap = gap_.resize(n);
  rows_.velocity = velocity_.resize(3 * n);
  rows_.r_normal = r_normal_.resize(n);
  rows_.r_friction = r_friction_.resize(n);
  cones_.begin_step(contacts_, entities_, state);
  rows_.friction = cones_.rows().friction;
  rows_.tangent_scale = cones_.rows().scale;
  rows_.section = cones_.rows().section;
  rows_.relaxed = compliance_.any ? compliance_.relaxed : RelaxedContact{};
  lag_compliance(context);
  lag_slop(state);
  lag_friction_arms(context, state);
  // W is not known yet; the first evaluation of a step only wants J.
  fill(rows_.r_normal, 1.0);
  fill(rows_.r_friction, 1.0);
}

/// The same of contacts without multipliers.
void ContactContributor::begin_penalty(const State& state) {
  cones_.begin_step(contacts_, entities_, state);
  rows_.friction = cones_.rows().friction;
  rows_.tangent_scale = cones_.rows().scale;
  rows_.items = contacts_.count;
  rows_.rows = 3 * contacts_.count;
  penalty_->begin_step(contacts_, compliance_, cones_.rows(), state, [this](int i) { return item_name(i); });
  penalty_->read(rows_);
}

int ContactContributor::detect_again(const StepContext& context, const State& start, const State& now,
                                     const View<double>& impulse, double tolerance) {
  if (context.level.velocity || last_look_.covers(now, detection_->reach(), tolerance)) return 0;
  // The detection writes where the present set may be: that one is set aside first.
  ContactStorage& present = again_[again_now_];
  contacts_ = present.copy(contacts_, turning_);
  ContactSet found;
  constexpr bool kFlatEdges = true;  // only what overlaps is taken, so what is redundant is not
  detection_->detect(now, 0, found, kFlatEdges);
  if (!(present.overlap(found, entities_, now) > tolerance)) {
    last_look_.remember(now);
    return 0;
  }
  MergedCounts counts;
  ContactStorage& next = again_[1 - again_now_];
  std::vector<TurningNormal> touching(found.count);
  if (may_turn_ && !penalty_)
    to_host(next.touching_features(detection_->shapes(), found, entities_, now, tolerance), touching);
  const ContactSet all =
      next.merged(present, contacts_, found, entities_, now, tolerance, std::move(touching), known_again_, counts);
  kept_again_ += counts.kept;
  if (counts.taken == 0) return 0;
  if (!penalty_)
    remember_impulses(impulse, within_);  // by id; what was accepted stays what it is, should this step fail
  again_found_ = true;
  contacts_ = all;
  again_now_ = 1 - again_now_;
  turning_ = next.turning();
  turning_again_ += counts.turning;
  lay_contacts(context, start);
  return counts.taken;
}

/// Which blocks contacts touch, and whether that is what it was.
void ContactContributor::note_items() {
  const ContactSet c = contacts_;
  const bool places = c.barycentric_a.extent(0) > 0;
  constexpr int kSides = 2, kKeys = 3, kNodes = 3;
  const View<TurningNormal> turning = turning_;
  pattern_changed_ = keys_.take(
      "contact_keys", c.count, places ? kKeys + kSides * kNodes : kKeys, KOKKOS_LAMBDA(int i, int k) {
        if (k < kKeys) return k == 0 ? c.a(i) : k == 1 ? c.b(i) : static_cast<int>(turns(turning, i));
        const int n = k - kKeys;
        return n < kNodes ? c.barycentric_a(i).node[n] : c.barycentric_b(i).node[n - kNodes];
      });
  if (!pattern_changed_) return;
  constexpr int kMostBlocks = 6;  // three nodes on either side
  const View<int> count = block_count_.resize(c.count), block = block_.resize(kMostBlocks * c.count);
  const View<EntityBlocks> block_of = entities_.block_of;
  parallel_for(
      "contact_blocks", c.count,
      KOKKOS_LAMBDA(int i) {
        int k = kMostBlocks * i;
        add_side_blocks(c.barycentric_a, i, c.a(i), block_of, block, k);
        add_side_blocks(c.barycentric_b, i, c.b(i), block_of, block, k);
        count(i) = k - kMostBlocks * i;
      },
      16);
  items_ = {c.count, 3, kMostBlocks, count, block};
}

/// Friction has no potential.
double ContactContributor::step_potential(const StepContext& context) const {
  if (!penalty_) return 0;
  const auto friction = host_copy(cones_.rows().friction);
  for (int i = 0; i < contacts_.count; ++i)
    if (friction(i) > 0) return NAN;
  return context.h / context.b * penalty_->energy();
}

double ContactContributor::elastic_energy(const View<double>& impulse, double h) const {
  if (penalty_) return penalty_->energy();
  if (!gives_way() || contacts_.count == 0) return 0;
  const View<double> E = elasticity_, tau = relaxation_, gap = rows_.gap, x = impulse, near_rigid = rows_.near_rigid;
  const bool gives = near_rigid.extent(0) > 0;
  const double fold = rows_.near_rigid_fold, b = near_rigid_.depth / fold;
  const double p = compliance_.relaxed.exponent;
  double energy[1];
  deterministic_sum<1>(
      "contact_elastic_energy", contacts_.count,
      KOKKOS_LAMBDA(int i) {
        const double force = x(3 * i) / h, depth = gap(i) < 0 ? -gap(i) : 0.0;
        const double spring = force * (p == 2 ? E(i) * force : std::pow(E(i) * force, 1 / (p - 1))) / p;
        if (gives && near_rigid(i) > 0)
          return Kokkos::Array<double, 1>{near_rigid_energy(near_rigid(i), fold, x(3 * i), h, b)};
        return Kokkos::Array<double, 1>{!(E(i) > 0) ? 0 : tau(i) > 0 ? 0.5 * depth * depth / E(i) : spring};
      },
      energy_scratch_, energy);
  return energy[0];
}

/// Contacts whose gap half a step of the present motion closes: the others have no row at velocity level. Compliant
/// contacts are laws of positions there too, without restitution, and all stay.
void ContactContributor::select_active_set(const StepContext& context, const State& state) {
  const ContactSet c = contacts_;
  const View<int> keep = keep_.resize(c.count);
  const View<double> rebound = rebound_.resize(c.count);
  const Entities& all = entities_;
  const State s = state;
  const double h = context.h;
  const View<SurfaceCompliance> surface = compliance_.surface;
  const Restitution restitution = restitution_;
  parallel_for(
      "contact_predict", c.count,
      KOKKOS_LAMBDA(int i) {
        const int a = c.a(i), b = c.b(i);
        const ContactGeometry g =
            contact_geometry(pose_of(a, all.bodies, s.x, s.orientation), pose_of(b, all.bodies, s.x, s.orientation),
                             c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), c.normal(i));
        const double v = normal_velocity(twist_of(a, all.block_of, all.prescribed, s.u),
                                         twist_of(b, all.block_of, all.prescribed, s.u), g.arm_a, g.arm_b, c.normal(i));
        const bool compliant = pair_compliance(surface(a), surface(b)).normal > 0;  // whatever p
        keep(i) = compliant || g.gap + 0.5 * h * v <= 0;
        rebound(i) = compliant ? 0.0 : restitution(a, b) * v;
      },
      100);
  const View<int> first = kept_first_.resize(c.count);
  const int count = prefix_sum(
      "contact_keep", c.count, first, KOKKOS_LAMBDA(int i) { return keep(i); });
  const ContactSet kept = kept_.resize(count, c.barycentric_a.extent(0) > 0);
  const View<double> kept_rebound = kept_rebound_.resize(count);
  parallel_for(
      "contact_pack_closing", c.count,
      KOKKOS_LAMBDA(int i) {
        if (!keep(i)) return;
        copy_contact(c, i, kept, first(i));
        kept_rebound(first(i)) = rebound(i);
      },
      16);
  contacts_ = kept;
}

void ContactContributor::pattern(PatternBuilder& builder) const {
  const bool turning = turning_.extent(0) > 0 && whole_stiffness_;
  if (!penalty_ && !turning) return builder.add_items(items_);
  // What has a share in H is found on the host: forces, and impulses along normals that turn.
  const auto count = host_copy(items_.count), block = host_copy(items_.block);
  const auto with = host_copy(turning_);
  for (int i = 0; i < items_.items; ++i) {
    const std::span<const int> blocks(block.data() + items_.stride * i, static_cast<std::size_t>(count(i)));
    builder.add_item(penalty_ ? 0 : 3, blocks, penalty_ || with(i).with != TurnsWith::nothing);
  }
}

void ContactContributor::evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                                  bool linearise) {
  if (penalty_) return penalty_->evaluate(context, point, slice, contacts_, cones_, linearise);
  const ContactSet c = contacts_;
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<Twist> prescribed = entities_.prescribed;
  const int bodies = entities_.bodies;
  const double b = context.b;
  const bool velocity_level = context.level.velocity;
  const View<double> gap = rows_.gap, v_at = rows_.velocity, rebound = kept_rebound_, gamma = row_compliance_,
                     relaxation = relaxation_, kept = kept_gap_, near_rigid = rows_.near_rigid;
  const bool compliant = gives_way(), implicit = cones_.implicit(), sections = rows_.sections();
  const RelaxedContact relaxed = rows_.relaxed;
  const bool gives = near_rigid.extent(0) > 0;
  const double fold = rows_.near_rigid_fold;
  const View<Vec3> arm_a_at = friction_arm_a_, arm_b_at = friction_arm_b_;
  const double of_end = arm_of_end_;
  const ConeRows cone = cones_.rows();
  const ContactFriction::SpeedFactor factor = cones_.speed_factor();
  const View<TurningNormal> turning = turning_;
  parallel_for(
      "contact_geometry", c.count,
      KOKKOS_LAMBDA(int i) {
        const int ea = c.a(i), eb = c.b(i);
        const Pose pa = side_pose(c.barycentric_a, i, ea, bodies, at.x, at.orientation);
        const Pose pb = side_pose(c.barycentric_b, i, eb, bodies, at.x, at.orientation);
        Vec3 n = c.normal(i);
        ContactGeometry geo;
        const bool turned = turns(turning, i);
        if (turned) {
          geo = turning_geometry(turning(i), pa, pb, c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), n);
          c.normal(i) = n;
        }
        const TurningPoints p = turning_points(turning, c, i);
        const ContactGeometry of_points = contact_geometry(pa, pb, p.a, p.b, p.rho_a, p.rho_b, n);
        if (!turned) geo = of_points;
        const Vec3 t1 = cone.d1(i), t2 = cone.d2(i);
        const Twist ta = side_twist(c.barycentric_a, i, ea, block_of, prescribed, at.u);
        const Twist tb = side_twist(c.barycentric_b, i, eb, block_of, prescribed, at.u);
        const Vec3 arm_a = of_end * of_points.arm_a + arm_a_at(i), arm_b = of_end * of_points.arm_b + arm_b_at(i);
        const Vec3 slip = ta.v + cross(ta.w, arm_a) - tb.v - cross(tb.w, arm_b);
        const double v_n = normal_velocity(ta, tb, geo.arm_a, geo.arm_b, n);
        gap(i) = geo.gap;
        v_at(3 * i) = velocity_level ? v_n + rebound(i) : (geo.gap + kept(i)) / b;
        v_at(3 * i + 1) = dot(t1, slip);
        v_at(3 * i + 2) = dot(t2, slip);
        if (implicit) cone.friction(i) = cone.sliding(i, factor(ea, eb, norm(slip - dot(n, slip) * n)));
        if (compliant) {
          const int row = s.first_row + 3 * i;
          const double tau = relaxation(i);
          const bool rigid = gives && near_rigid(i) > 0;
          if (rigid) gamma(3 * i) = 0;
          if (gamma(3 * i) > 0) v_at(3 * i) = (geo.gap + tau * v_n) / (b + tau);
          add_compliance(relaxed, sections ? &cone.section(i) : nullptr, cone.friction(i), gamma.data() + 3 * i,
                         at.impulse.data() + row, v_at.data() + 3 * i);
          if (rigid) {
            const NearRigidGive give = near_rigid_give(near_rigid(i), fold, at.impulse(row));
            v_at(3 * i) += give.velocity;
            gamma(3 * i) = give.slope;
          }
        }
        int v = s.pattern.item_value(s.first_item + i);
        for (int r = 0; r < 3; ++r) {
          const Vec3 d = r == 0 ? n : (r == 1 ? t1 : t2);
          write_side(c.barycentric_a, i, ea, block_of, d, r == 0 ? geo.arm_a : arm_a, s.jacobian, v);
          write_side(c.barycentric_b, i, eb, block_of, -d, r == 0 ? geo.arm_b : arm_b, s.jacobian, v);
        }
      },
      100);
  bind_rows(rows_, point, slice);
  if (gives_way() && rows_.relaxed.linear()) rows_.out.delassus_diagonal = compliant_diagonal_;
  rows_.compliance = row_compliance_;
  evaluate_cones(*law_, rows_, point, gives_way(), linearise);
}

std::string ContactContributor::item_name(int item) const { return detection_->contact_name(contacts_, item); }

}  // namespace clarke
