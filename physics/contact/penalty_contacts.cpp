#include "physics/contact/penalty_contacts.hpp"

#include "framework/error.hpp"
#include "framework/state_archive.hpp"
#include "physics/contact/contact_geometry.hpp"

#include <algorithm>

namespace clarke {

namespace {

constexpr int kMostSlots = 6;       // two bodies have four, two faces of three nodes six
constexpr double kRestShare = 0.5;  // of δ: the gap that stiffening aims at

/// One velocity block of a contact: what its velocity is to the contact, and what its force is to it.
struct PenaltySlot {
  double weight = 0;  // signed; of a rotation the sign
  bool turns = false;
  Vec3 arm;      // r [m]
  Vec3 closing;  // Nᵀ [s, m s]
  Mat3 motion;   // G
  Mat3 turned;   // [c]× E [m s]
  Mat3 unturn;   // b E⁻¹

  KOKKOS_INLINE_FUNCTION Vec3 lever(const Vec3& f) const { return turns ? weight * cross(arm, f) : weight * f; }
  KOKKOS_INLINE_FUNCTION Mat3 lever(const Mat3& m) const {
    return turns ? weight * (cross_matrix(arm) * m) : weight * m;
  }
};

/// The slots of one side, in the order of the pattern.
KOKKOS_INLINE_FUNCTION void add_slots(const View<BarycentricPoint>& place, int i, int entity,
                                      const View<EntityBlocks>& block_of, double sign, double b, const Vec3& n,
                                      const Vec3& arm, const Vec3& core, const Vec3& w, PenaltySlot* slots,
                                      int& count) {
  const auto add = [&](double weight) {
    PenaltySlot s;
    s.weight = weight;
    s.closing = (b * weight) * n;
    s.motion = Mat3::diagonal(weight, weight, weight);
    slots[count++] = s;
  };
  if (is_barycentric(place, i)) {
    const BarycentricPoint& p = place(i);
    for (int k = 0; k < 3 && p.node[k] >= 0; ++k)
      if (block_of(p.node[k]).v >= 0) add(sign * p.weight[k]);
    return;
  }
  const EntityBlocks blocks = block_of(entity);
  if (blocks.v >= 0) add(sign);
  if (blocks.w < 0) return;
  PenaltySlot s;
  const Vec3 tau = (0.5 * b) * w;
  const Mat3 E = (b / (1 + norm2(tau))) * (Mat3::identity() + cross_matrix(tau));
  s.weight = sign;
  s.turns = true;
  s.arm = arm;
  s.closing = sign * transpose_times(E, cross(core, n));
  s.turned = cross_matrix(core) * E;
  s.unturn = Mat3::identity() - cross_matrix(tau) + outer(tau, tau);
  s.motion = (-sign) * (cross_matrix(arm) + cross_matrix(w) * s.turned);
  slots[count++] = s;
}

}  // namespace

void PenaltyOptions::describe(OptionVisitor& v) {
  std::vector<std::string> penalties{"none"};
  for (const std::string& name : contact_penalty_names()) penalties.push_back(name);
  v.choice("contact_penalty", penalty, penalties,
           {"",
            "contacts as forces without multipliers, of a penalty and of smooth friction; none: as rows with "
            "multipliers"});
  v.real("contact_penalty_distance", distance,
         {"m", "δ: the gap below which the penalty acts", 0.0, std::numeric_limits<double>::infinity(), true});
  v.integer("contact_stiffening", stiffening,
            {"1",
             "how often at most a step is repeated with a stiffer penalty of the pairs that it left overlapping; "
             "counted",
             0});
  v.choice("smooth_friction", friction, smooth_friction_names(), {"", "friction law beside a penalty"});
  v.real("smooth_friction_epsilon", epsilon,
         {"m/s", "ε: the speed from which friction is whole; what sticks creeps below it", 0.0,
          std::numeric_limits<double>::infinity(), true});
  v.choice("friction_evaluation", evaluation, {"implicit", "lagged"},
           {"", "normal force that smooth friction is made of: of the end of the step, or of its start"});
  v.integer("friction_passes", passes,
            {"1", "lagged friction: solves of a step, each with the normal forces of the one before", 1});
  v.integer(
      "smooth_friction_continuation", continuation,
      {"1",
       "easier problems before that of a step, with 10^n ε, …, 10 ε, each solved from where the one before ended; "
       "counted",
       0});
  v.choice("smooth_friction_slope", slope, {"newton", "picard"},
           {"", "derivative of smooth friction by the slip: as it is, or its secant, which damps more"});
}

PenaltyContacts::PenaltyContacts(const World& world, const Entities& entities, const PenaltyOptions& options,
                                 const ContactFriction& cones)
    : entities_(entities),
      options_(options),
      law_(options.penalty == "cubic" ? ContactPenalty::cubic : ContactPenalty::log_barrier),
      stribeck_(options.friction == "stribeck_smooth"),
      lagged_(options.evaluation == "lagged") {
  const std::string who = "-contact_penalty " + options.penalty + ": ";
  if (cones.implicit())
    throw InputError(who +
                     "-friction_state implicit is of friction with multipliers: expected -smooth_friction "
                     "stribeck_smooth");
  still_ = View<Twist>("penalty_still", entities.count);
  if (!lagged_ && options.passes > 1)
    throw InputError("-friction_passes is of friction that lags: expected -friction_evaluation lagged");
  for (const auto& [name, material] : world.materials)
    if (material.contact_damping > 0)
      throw InputError(who + "material '" + name + "' has a contact_damping, which a penalty has not: expected 0");
}

void PenaltyContacts::read_slope() {
  PenaltyOptions now;
  read_options(now);
  options_.slope = now.slope;
}

View<double> PenaltyContacts::stiffness_of(const ContactSet& contacts, const ContactCompliance& compliance,
                                           const std::function<std::string(int)>& name) {
  const auto a = host_copy(contacts.a), b = host_copy(contacts.b);
  const auto surface = host_copy(compliance.surface);
  std::vector<double> host(contacts.count);
  for (int i = 0; i < contacts.count; ++i) {
    const double give = pair_compliance(surface(a(i)), surface(b(i))).normal;
    if (!(give > 0))
      throw InputError("-contact_penalty " + options_.penalty + ": '" + name(i) +
                       "' is hard: expected -contact_stiffness, or that of a material, and -contact_relaxation "
                       "compliant");
    const auto at = factor_.find({a(i), b(i)});
    host[i] = (at == factor_.end() ? 1.0 : at->second) / give;
  }
  const View<double> out = stiffness_.resize(contacts.count);
  to_device(host, out);
  return out;
}

/// A force at a corner of a polygon jumps from one corner to the next.
void PenaltyContacts::refuse_polygons(const ConeRows& cone, const std::function<std::string(int)>& name) const {
  const auto section = host_copy(cone.section);
  for (int i = 0; i < count_ && i < static_cast<int>(section.extent(0)); ++i)
    if (section(i).kind == SectionKind::polygon)
      throw InputError("-contact_penalty " + options_.penalty + ": '" + name(i) +
                       "' has a cone with corners, at which smooth friction would jump: expected another cone, or "
                       "-contact_penalty none");
}

void PenaltyContacts::begin_step(const ContactSet& contacts, const ContactCompliance& compliance, const ConeRows& cone,
                                 const State& state, const std::function<std::string(int)>& name) {
  count_ = contacts.count;
  pass_ = 1;
  stiffened_ = 0;
  (void)stiffness_of(contacts, compliance, name);
  refuse_polygons(cone, name);
  for (auto* values : {&gap_, &energy_}) fill(values->resize(count_), 0.0);
  for (auto* values : {&velocity_, &impulse_, &compliance_}) fill(values->resize(3 * count_), 0.0);
  if (!lagged_) return;
  find_gaps(contacts, state);
  freeze(gap_start_);
}

/// Gaps at the start of the step.
void PenaltyContacts::find_gaps(const ContactSet& contacts, const State& state) {
  const ContactSet c = contacts;
  const State s = state;
  const int bodies = entities_.bodies;
  const View<double> gap = gap_start_.resize(c.count);
  parallel_for(
      "penalty_gap_start", c.count,
      KOKKOS_LAMBDA(int i) {
        const Pose a = side_pose(c.barycentric_a, i, c.a(i), bodies, s.x, s.orientation);
        const Pose b = side_pose(c.barycentric_b, i, c.b(i), bodies, s.x, s.orientation);
        gap(i) = contact_geometry(a, b, c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), c.normal(i)).gap;
      },
      60);
}

/// λ_f of these gaps.
void PenaltyContacts::freeze(const View<double>& at) {
  const View<double> gap = at, stiffness = stiffness_, lagged = lagged_normal_.resize(count_);
  const ContactPenalty law = law_;
  const double distance = options_.distance;
  parallel_for(
      "penalty_freeze", count_,
      KOKKOS_LAMBDA(int i) { lagged(i) = contact_penalty(law, gap(i), distance, stiffness(i)).force; }, 20);
}

void PenaltyContacts::evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                               const ContactSet& contacts, const ContactFriction& cones, bool linearise) {
  const bool whole = whole_stiffness_;
  const ContactSet c = contacts;
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<Twist> prescribed = entities_.prescribed;
  const int bodies = entities_.bodies;
  const double h = context.h, step = context.b, distance = options_.distance,
               epsilon = epsilon_factor_ * options_.epsilon;
  const View<double> gap = gap_, velocity = velocity_, impulse = impulse_, energy = energy_, stiffness = stiffness_,
                     frozen = lagged_normal_;
  const ConeRows cone = cones.rows();
  const ContactFriction::SpeedFactor pair = cones.speed_factor();
  const ContactPenalty law = law_;
  const bool lags = lagged_, picard = options_.slope == "picard", sections = cones.sections(),
             stribeck = stribeck_ && cone.at_rest.extent(0) > 0;
  parallel_for(
      "penalty_contacts", c.count,
      KOKKOS_LAMBDA(int i) {
        const int ea = c.a(i), eb = c.b(i);
        const Pose pa = side_pose(c.barycentric_a, i, ea, bodies, at.x, at.orientation);
        const Pose pb = side_pose(c.barycentric_b, i, eb, bodies, at.x, at.orientation);
        const ContactFrame frame{c.normal(i), cone.d1(i), cone.d2(i), sections ? cone.section.data() + i : nullptr};
        const ContactGeometry geo =
            contact_geometry(pa, pb, c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), frame.n);
        const Twist ta = side_twist(c.barycentric_a, i, ea, block_of, prescribed, at.u);
        const Twist tb = side_twist(c.barycentric_b, i, eb, block_of, prescribed, at.u);
        const Vec3 V = ta.v + cross(ta.w, geo.arm_a) - tb.v - cross(tb.w, geo.arm_b);
        const PenaltyValue value = contact_penalty(law, geo.gap, distance, stiffness(i));
        const ContactSlip slip = contact_slip(frame, V);
        const FrictionWeight m =
            stribeck ? stribeck_smooth(slip.speed, pair.rule, pair.surface(ea).speed, pair.surface(eb).speed)
                     : coulomb_smooth();
        const double mu = stribeck ? cone.at_rest(i) : cone.friction(i);
        const SmoothContact f = smooth_contact(value, frame, slip, mu, epsilon, m, lags ? frozen(i) : -1.0, picard);
        gap(i) = geo.gap;
        energy(i) = value.energy;
        velocity(3 * i) = geo.gap / step;
        velocity(3 * i + 1) = slip.w1;
        velocity(3 * i + 2) = slip.w2;
        impulse(3 * i) = h * f.normal;
        impulse(3 * i + 1) = h * f.f1;
        impulse(3 * i + 2) = h * f.f2;

        PenaltySlot slots[kMostSlots];
        int k = 0;
        add_slots(c.barycentric_a, i, ea, block_of, 1, step, frame.n, geo.arm_a, geo.arm_a + c.radius_a(i) * frame.n,
                  ta.w, slots, k);
        add_slots(c.barycentric_b, i, eb, block_of, -1, step, frame.n, geo.arm_b, geo.arm_b - c.radius_b(i) * frame.n,
                  tb.w, slots, k);
        const int item = s.first_item + i, first = s.pattern.item_slot(item);
        s.slip_frame(2 * i) = 1;
        s.slip_frame(2 * i + 1) = 0;
        for (int j = 0; j < k; ++j) s.force(first + j) = -h * slots[j].lever(f.force);
        if (!linearise) return;
        const int tangent = s.item_tangent(item);
        for (int l = 0; l < k; ++l) {
          const Mat3 dF = outer(f.along_gap, slots[l].closing) + f.along_velocity * slots[l].motion;
          for (int j = 0; j < k; ++j) {
            Mat3 T = slots[j].lever(dF);
            if (j == l && slots[j].turns) T = T + slots[j].weight * (cross_matrix(f.force) * slots[j].turned);
            if (whole && slots[l].turns) T = T * slots[l].unturn;
            s.tangent(tangent + k * j + l) = -h * T;
          }
        }
      },
      800);
}

void PenaltyContacts::read(RowSet& rows) const {
  rows.gap = gap_;
  rows.velocity = velocity_;
  rows.impulse = impulse_;
  rows.compliance = compliance_;
}

/// κ of the pairs that ended in each other; whether there was one.
bool PenaltyContacts::stiffen(const ContactSet& contacts) {
  const auto a = host_copy(contacts.a), b = host_copy(contacts.b);
  const auto gap = host_copy(gap_.view()), energy = host_copy(stiffness_.view());
  std::map<std::pair<int, int>, double> deepest;
  for (int i = 0; i < contacts.count; ++i)
    if (gap(i) < 0) {
      double& d = deepest[{a(i), b(i)}];
      d = std::fmin(d, gap(i));
    }
  const double rest =
      contact_penalty(ContactPenalty::cubic, kRestShare * options_.distance, options_.distance, 1).force;
  for (const auto& [pair, d] : deepest) {
    const double wanted = contact_penalty(ContactPenalty::cubic, d, options_.distance, 1).force / rest;
    factor_.try_emplace(pair, 1.0).first->second *= wanted;
    for (int i = 0; i < contacts.count; ++i)
      if (a(i) == pair.first && b(i) == pair.second) energy(i) *= wanted;
  }
  if (deepest.empty()) return false;
  Kokkos::deep_copy(stiffness_.view(), energy);
  return true;
}

const char* PenaltyContacts::again(const ContactSet& contacts) {
  if (stiffened_ < options_.stiffening && stiffen(contacts)) {
    ++stiffened_;
    pass_ = 1;
    if (lagged_) freeze(gap_start_);
    return "contact_stiffening";
  }
  if (!lagged_ || pass_ >= options_.passes) return nullptr;
  ++pass_;
  freeze(gap_);
  return "friction_passes";
}

double PenaltyContacts::energy() const {
  const View<double> each = energy_;
  double sum[1];
  deterministic_sum<1>(
      "penalty_energy", count_, KOKKOS_LAMBDA(int i) { return Kokkos::Array<double, 1>{each(i)}; }, scratch_, sum);
  return sum[0];
}

void PenaltyContacts::carry_over(StateArchive& archive) {
  std::vector<std::int64_t> pairs;
  std::vector<double> factors;
  for (const auto& [pair, factor] : factor_) {
    pairs.push_back(pair.first);
    pairs.push_back(pair.second);
    factors.push_back(factor);
  }
  archive.integers("stiffened_pairs", pairs);
  archive.reals("stiffening", factors);
  factor_.clear();
  for (std::size_t k = 0; k < factors.size(); ++k)
    factor_[{static_cast<int>(pairs[2 * k]), static_cast<int>(pairs[2 * k + 1])}] = factors[k];
}

}  // namespace clarke
