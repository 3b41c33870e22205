#pragma once
// All joints of one element type as a structure of arrays: evaluates the pure element per item and writes its rows.
//
//   F = c(q⁺)/h + E/h² Λ  [m/s, rad/s],   A = 1,   B = E/h²      with compliance E [m/N] (0: rigid)   [eq. B1]

#include "framework/contributor.hpp"
#include "physics/constraints/constraint_element.hpp"

namespace clarke {

/// Entities by name with their initial poses, for turning descriptions into parameters. "world" is entity -1.
struct EntityLookup {
  std::map<std::string, int> index;
  std::vector<Pose> pose;
  int find(const std::string& name, const std::string& joint) const;
  Pose pose_at(int entity) const { return entity < 0 ? Pose{} : pose[entity]; }
};

template <ConstraintElement E>
class ConstraintPool final : public Contributor {
 public:
  static constexpr int m = E::kRows;

  ConstraintPool(const Entities& entities, const std::vector<JointDescription>& joints,
                 const EntityLookup& lookup)
      : entities_(entities),
        count_(static_cast<int>(joints.size())),
        element_("element", count_),
        a_("a", count_),
        b_("b", count_),
        compliance_("compliance", count_),
        last_impulse_("last_impulse", m * count_) {
    const auto element = Kokkos::create_mirror_view(element_);
    const auto a = Kokkos::create_mirror_view(a_), b = Kokkos::create_mirror_view(b_);
    const auto compliance = Kokkos::create_mirror_view(compliance_);
    const auto block_of =
        Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entities.block_of);
    for (int i = 0; i < count_; ++i) {
      const JointDescription& d = joints[i];
      a(i) = lookup.find(d.a, d.name);
      b(i) = lookup.find(d.b, d.name);
      require_anchor_on_particle(a(i), d.anchor_a, d, lookup);
      require_anchor_on_particle(b(i), d.anchor_b, d, lookup);
      element(i) = E::from_description(d, lookup.pose_at(a(i)), lookup.pose_at(b(i)));
      compliance(i) = d.compliance.empty() ? 0 : d.compliance[0];
      names_.push_back(std::string(E::kName) + " " + d.name);
      std::vector<int> blocks;
      for (int e : {a(i), b(i)}) {
        if (e < 0 || block_of(e).v < 0) continue;
        blocks.push_back(block_of(e).v);
        if (block_of(e).w >= 0) blocks.push_back(block_of(e).w);
      }
      if (blocks.empty() || a(i) == b(i))
        throw InputError("joint '" + d.name + "': needs two different ends, one of which can move");
      blocks_.push_back(blocks);
    }
    Kokkos::deep_copy(element_, element);
    Kokkos::deep_copy(a_, a);
    Kokkos::deep_copy(b_, b);
    Kokkos::deep_copy(compliance_, compliance);
  }

  std::string kind() const override { return E::kName; }
  void begin_step(const StepContext&, const State&) override {}
  void pattern(PatternBuilder& builder) const override {
    for (const auto& blocks : blocks_) builder.add_item(m, blocks);
  }
  std::string item_name(int item) const override { return names_[item]; }
  void warm_start(const View<double>& impulse) override {
    Kokkos::deep_copy(impulse, last_impulse_);
  }
  void end_step(const View<double>& impulse) override { Kokkos::deep_copy(last_impulse_, impulse); }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                bool /*linearise*/) override {
    const auto element = element_;
    const View<int> entity_a = a_, entity_b = b_;
    const View<double> compliance = compliance_;
    const View<EntityBlocks> block_of = entities_.block_of;
    const int bodies = entities_.bodies;
    const SystemSlice s = slice;
    const StepPoint at = point;
    const double h = context.h;
    parallel_for(
        E::kName, count_,
        KOKKOS_LAMBDA(int i) {
          const int ea = entity_a(i), eb = entity_b(i);
          double c[m];
          Vec3 J[m][kConstraintSlots];
          element(i).evaluate(ea < 0 ? Pose{} : pose_of(ea, bodies, at.x, at.orientation),
                              eb < 0 ? Pose{} : pose_of(eb, bodies, at.x, at.orientation), c, J);
          // Slots without a velocity block (world, static bodies, particles' rotation) have no column.
          const EntityBlocks ba = ea < 0 ? EntityBlocks{} : block_of(ea);
          const EntityBlocks bb = eb < 0 ? EntityBlocks{} : block_of(eb);
          const bool present[kConstraintSlots] = {ba.v >= 0, ba.w >= 0, bb.v >= 0, bb.w >= 0};
          int v = s.pattern.item_value(s.first_item + i);
          const double stiffness_inverse = compliance(i) / (h * h);
          for (int r = 0; r < m; ++r) {
            for (int k = 0; k < kConstraintSlots; ++k)
              if (present[k]) s.jacobian(v++) = J[r][k];
            const int row = i * m + r;
            s.residual(row) =
                c[r] / h + stiffness_inverse * at.impulse(s.first_row + row);
            s.a(row) = 1;
            s.b(row) = stiffness_inverse;
          }
          s.turn(2 * i) = 1;
          s.turn(2 * i + 1) = 0;
          s.safeguard_bits(i) = 0;
          if (s.A.extent(0) > 0) {
            const int q = s.pattern.item_square(s.first_item + i);
            for (int e = 0; e < m * m; ++e) {
              s.A(q + e) = e % (m + 1) == 0;
              s.B(q + e) = e % (m + 1) == 0 ? stiffness_inverse : 0;
            }
          }
        },
        64);
  }

  double elastic_energy(const View<double>& impulse, double h) const override {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), impulse);
    const auto compliance = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), compliance_);
    double energy = 0;  // ½ λᵀ E λ
    for (int i = 0; i < m * count_; ++i)
      energy += 0.5 * compliance(i / m) * host(i) * host(i) / (h * h);
    return energy;
  }

 private:
  /// A particle has no orientation to carry an anchor that lies away from it: the force there would have a torque nobody takes.
  void require_anchor_on_particle(int entity, const Vec3& anchor, const JointDescription& d,
                                  const EntityLookup& lookup) const {
    constexpr double kRounding = 1e-9;  // of the distance from the origin
    if (entity < entities_.bodies) return;
    const Vec3 x = lookup.pose_at(entity).x;
    if (norm(anchor - x) > kRounding * (norm(x) + norm(anchor)))
      throw InputError("joint '" + d.name + "': the anchor on particle '" +
                       (entity == lookup.find(d.a, d.name) ? d.a : d.b) + "' is not at its position");
  }

  Entities entities_;
  int count_ = 0;
  View<E> element_;
  View<int> a_, b_;
  View<double> compliance_;
  View<double> last_impulse_;
  std::vector<std::vector<int>> blocks_;
  std::vector<std::string> names_;
};

/// Builds the pool of one registered constraint type.
class ConstraintType {
 public:
  virtual ~ConstraintType() = default;
  virtual std::unique_ptr<Contributor> build(const Entities& entities,
                                             const std::vector<JointDescription>& joints,
                                             const EntityLookup& lookup) const = 0;
};

template <ConstraintElement E>
class ConstraintTypeOf final : public ConstraintType {
 public:
  std::unique_ptr<Contributor> build(const Entities& entities,
                                     const std::vector<JointDescription>& joints,
                                     const EntityLookup& lookup) const override {
    return std::make_unique<ConstraintPool<E>>(entities, joints, lookup);
  }
};

}  // namespace clarke
