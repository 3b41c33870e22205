#include "physics/contact/rolling_resistance.hpp"

#include "framework/error.hpp"
#include "framework/row_assembly.hpp"
#include "framework/state_archive.hpp"

namespace clarke {

std::unique_ptr<RollingResistance> RollingResistance::of(const World& world, const Entities& entities,
                                                         const ContactContributor& contacts) {
  std::vector<double> rolling, torsional;
  bool any = false;
  const FrictionDescription plain;
  const auto add = [&](const std::string& material) {
    const auto found = world.materials.find(material);
    const FrictionDescription& s = found == world.materials.end() ? plain : found->second.surface;
    rolling.push_back(s.rolling);
    torsional.push_back(s.torsional);
    any = any || s.rolling > 0 || s.torsional > 0;
  };
  for (const BodyDescription& body : world.bodies) add(body.material);
  for (const ParticleDescription& particle : world.particles) add(particle.material);
  if (!any) return nullptr;
  if (contacts.penalty())
    throw InputError(
        "-contact_penalty: rolling and torsional friction hang on the impulses of contacts, which have none: "
        "expected -contact_penalty none, or materials without them");
  return std::make_unique<RollingResistance>(entities, contacts, rolling, torsional);
}

RollingResistance::RollingResistance(const Entities& entities, const ContactContributor& contacts,
                                     const std::vector<double>& rolling, const std::vector<double>& torsional)
    : entities_(entities),
      contacts_(contacts),
      rolling_(to_device("rolling_friction", rolling)),
      torsional_(to_device("torsional_friction", torsional)) {}

void RollingResistance::begin_step(const StepContext&, const State&) {
  select_contacts();
  note_items();
  const int n = items_.items;
  rows_.kind = SetKind::disc;
  rows_.items = n;
  rows_.rows = 3 * n;
  rows_.bounded = true;
  rows_.velocity = velocity_.resize(3 * n);
  rows_.lower = lower_.resize(3 * n);
  rows_.upper = upper_.resize(3 * n);
  rows_.compliance = compliance_.resize(3 * n);
  rows_.violation = violation_.resize(3 * n);
  rows_.rigid = rigid_.resize(3 * n);
  fill(rows_.compliance, 0.0);
  fill(rows_.violation, 0.0);
  fill(rows_.rigid, 0);
  set_axes();
}

/// The contacts that resist, in order.
void RollingResistance::select_contacts() {
  const ContactSet c = contacts_.contacts();
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<double> rolling = rolling_, torsional = torsional_;
  const auto resists = KOKKOS_LAMBDA(int i) {
    const int a = c.a(i), b = c.b(i);
    const bool turns = block_of(a).w >= 0 || block_of(b).w >= 0;
    return int(turns && (rolling(a) > 0 || rolling(b) > 0 || torsional(a) > 0 || torsional(b) > 0));
  };
  const View<int> before = before_.resize(c.count);
  const View<int> contact = contact_of_.resize(prefix_sum("resisting_contacts", c.count, before, resists));
  parallel_for(
      "resisting_contacts", c.count, KOKKOS_LAMBDA(int i) {
        if (resists(i)) contact(before(i)) = i;
      });
}

/// Which blocks they touch, and whether that is what it was.
void RollingResistance::note_items() {
  const ContactSet c = contacts_.contacts();
  const View<int> contact = contact_of_;
  const int n = static_cast<int>(contact.extent(0));
  pattern_changed_ = keys_.take(
      "resisting_keys", n, 2, KOKKOS_LAMBDA(int k, int side) { return side == 0 ? c.a(contact(k)) : c.b(contact(k)); });
  if (!pattern_changed_) return;
  const View<int> count = block_count_.resize(n), block = block_.resize(2 * n);
  const View<EntityBlocks> block_of = entities_.block_of;
  parallel_for(
      "resisting_blocks", n,
      KOKKOS_LAMBDA(int k) {
        const int a = block_of(c.a(contact(k))).w, b = block_of(c.b(contact(k))).w;
        count(k) = (a >= 0) + (b >= 0);
        block(2 * k) = a >= 0 ? a : b;
        block(2 * k + 1) = b;
      },
      4);
  items_ = {n, 3, 2, count, block};
}

/// Normal and two tangents. The law knows no direction of its own: any two will do.
void RollingResistance::set_axes() {
  const int n = items_.items;
  const ContactSet c = contacts_.contacts();
  const View<int> contact = contact_of_;
  const View<Vec3> axis = axis_.resize(3 * n);
  parallel_for(
      "resistance_axes", n,
      KOKKOS_LAMBDA(int k) {
        const Vec3 normal = c.normal(contact(k));
        Vec3 e1, e2;
        tangent_frame(normal, e1, e2);
        axis(3 * k) = normal;
        axis(3 * k + 1) = e1;
        axis(3 * k + 2) = e2;
      },
      20);
}

void RollingResistance::pattern(PatternBuilder& builder) const { builder.add_items(items_); }

void RollingResistance::evaluate(const StepContext&, const StepPoint& point, const SystemSlice& slice, bool linearise) {
  const int n = items_.items;
  const ContactSet c = contacts_.contacts();
  const int first_contact_row = contacts_.rows()->out.first_row;  // evaluated before this one
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const Entities& all = entities_;
  const View<int> contact = contact_of_;
  const View<Vec3> axis = axis_;
  const View<double> rolling = rolling_, torsional = torsional_, velocity = velocity_, lower = lower_, upper = upper_;
  parallel_for(
      "rolling_resistance", n,
      KOKKOS_LAMBDA(int k) {
        const int i = contact(k), a = c.a(i), b = c.b(i);
        const Vec3 w =
            twist_of(a, all.block_of, all.prescribed, at.u).w - twist_of(b, all.block_of, all.prescribed, at.u).w;
        const double impulse = at.impulse(first_contact_row + 3 * i), normal = impulse > 0 ? impulse : 0.0;
        const bool a_turns = all.block_of(a).w >= 0, b_turns = all.block_of(b).w >= 0;
        int v = s.pattern.item_value(s.first_item + k);
        for (int r = 0; r < 3; ++r) {
          const Vec3 e = axis(3 * k + r);
          const double bound =
              normal * (r == 0 ? std::fmax(torsional(a), torsional(b)) : std::fmax(rolling(a), rolling(b)));
          velocity(3 * k + r) = dot(e, w);
          lower(3 * k + r) = -bound;
          upper(3 * k + r) = bound;
          if (a_turns) s.jacobian(v++) = e;
          if (b_turns) s.jacobian(v++) = -e;
          s.residual(3 * k + r) = velocity(3 * k + r);
          if (!linearise) continue;
          s.a(3 * k + r) = 1;
          s.b(3 * k + r) = 0;
        }
        if (!linearise) return;
        s.slip_frame(2 * k) = 1;
        s.slip_frame(2 * k + 1) = 0;
      },
      40);
  bind_rows(rows_, point, slice);
  evaluate_bounds(law_.get(), rows_, point, linearise);
}

void RollingResistance::warm_start(const View<double>& impulse) {
  const ContactSet c = contacts_.contacts();
  const View<int> contact = contact_of_;
  const View<Vec3> axis = axis_, last_impulse = last_impulse_;
  const View<std::uint64_t> last_id = last_id_;
  const int last = last_count_;
  parallel_for(
      "resistance_warm_start", items_.items,
      KOKKOS_LAMBDA(int k) {
        const int j = find_id(last_id, last, c.id(contact(k)));
        const Vec3 p = j >= 0 ? last_impulse(j) : Vec3{};
        for (int r = 0; r < 3; ++r) impulse(3 * k + r) = dot(axis(3 * k + r), p);
      },
      40);
}

void RollingResistance::end_step(const View<double>& impulse) {
  const ContactSet c = contacts_.contacts();
  const View<int> contact = contact_of_;
  const View<Vec3> axis = axis_;
  last_count_ = items_.items;
  const View<std::uint64_t> id = last_id_.resize(last_count_);
  const View<Vec3> world = last_impulse_.resize(last_count_);
  parallel_for(
      "resistance_remember", last_count_,
      KOKKOS_LAMBDA(int k) {
        id(k) = c.id(contact(k));
        world(k) =
            impulse(3 * k) * axis(3 * k) + impulse(3 * k + 1) * axis(3 * k + 1) + impulse(3 * k + 2) * axis(3 * k + 2);
      },
      20);
}

std::string RollingResistance::item_name(int item) const {
  return contacts_.item_name(host_copy(contact_of_.view())(item)) + " rolling";
}

void RollingResistance::carry_over(StateArchive& archive) {
  archive.buffer("id", last_id_, last_count_);
  archive.buffer("impulse", last_impulse_, last_count_);
}

}  // namespace clarke
