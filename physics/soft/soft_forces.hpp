#pragma once
// Elements of soft bodies in stiffness form (-soft_form stiffness): the same energies as soft_pool.hpp, but as forces
// in the momentum residual and stiffness in H instead of rows [docs/theory.md, eq. E15; framework/force_items.hpp].
//
//   f_a  = h V P b_a,   P = ∂Ψ/∂F + β [∂²Ψ⁻]₊ : Ḟ + ∂D/∂F                       per node, F at q⁺      [N s]
//   T_ac = h V b_aᵀ (b [∂²Ψ/∂F²] + β [∂²Ψ⁻]₊ + b ∂²D/∂F²) b_c                   per pair of nodes      [kg]
//   -soft_mass consistent:  f_a += Σ_c ΔM_ac w_c,  T_ac += (1 + θ α h) ΔM_ac,   ΔM_ac = ρ V/20 (1 − 4 δ_ac)
//
// w = (1 + θ α h) u⁺ − (1 − (1 − θ) α h) u⁻ − h g (−h g where a node is fixed; α: mass_damping.hpp) is what loads and
// forces change, so loads act on nodes as with lumped mass. ΔM is the consistent mass less the lumped one that the
// particles have: its rows sum to zero, so it has no part in momentum or weight. [∂²Ψ/∂F²] is projected as
// -soft_projection says. It differs from the compliance form in Newton's unknowns only: the converged step is the same,
// and without viscosity and damping so are the iterates of nine rows.
//
// Bytes per element and evaluation: 280 read (element, four nodes), 96 written; with linearisation 1,152 more.

#include "physics/rigid/mass_damping.hpp"
#include "physics/soft/element_contributor.hpp"
#include "physics/soft/rows/deformation_gradient.hpp"
#include "physics/soft/soft_batch.hpp"

namespace clarke {

template <class M>
class SoftForces final : public ElementForces<SoftBatch<M>, 4> {
  using Base = ElementForces<SoftBatch<M>, 4>;
  using Base::batch_, Base::at_, Base::slice_;

 public:
  using Form = DeformationGradientRows<Activated<M>>;

  SoftForces(const Entities& entities, const World& world, const std::vector<int>& bodies, const SoftOptions& options)
      : Base("soft", {entities, world, bodies}),
        options_(row_options(options)),
        projection_none_(options_.exact),
        consistent_(options.mass == "consistent"),
        gravity_(world.gravity) {
    batch_.keep_spectra();
  }

  /// w V b_aᵀ b_c 1, of materials whose energy is w/2 times a squared distance of F.
  bool set_majorant(bool on) override {
    if constexpr (Projective<M>) majorant_ = on && batch_.projective();
    return majorant_ == on;
  }

  void set_exact_tangents(bool on) override { options_.exact = on || projection_none_; }

  std::string kind() const override { return "soft"; }

  void begin_step(const StepContext& context, const State& state) override {
    Base::begin_step(context, state);
    before_ = state.u;
    gravity_now_ = gravity_(context.stage_time());
  }

  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override {
    const SoftElementViews<M> all = batch_.views();
    const SystemSlice& s = slice;
    const StepPoint at = point;
    const SoftRowOptions options = options_;
    const bool consistent = consistent_, majorant = majorant_;
    const View<Vec3> before = before_;
    const Vec3 fall = context.h * gravity_now_;
    const double h = context.h, b = context.b, theta = context.implicitness();
    at_ = point;
    slice_ = slice;
    parallel_for(
        "soft_forces", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = all.elements(i);
          const Activated<M> material = all.material(e);
          const Mat3 F = deformation_gradient(e, at.x);
          const Viscosity viscosity = all.viscosity(e, i);
          const int item = s.first_item + i, slot = s.pattern.item_slot(item);
          const int k = s.pattern.item_slot(item + 1) - slot;
          s.slip_frame(2 * i) = 1;
          s.slip_frame(2 * i + 1) = 0;
          Mat3 P = material.stress(F);
          if (e.viscosity > 0) P = P + strain_rate_stress(viscosity, F);
          if (e.damping > 0) {
            Mat3 rate{};
            for (int a = 0; a < 4; ++a)
              if (e.column[a] >= 0) rate = rate + outer(at.u(s.pattern.slot_block(slot + e.column[a])), e.b[a]);
            double along[kEntries], viscous[kEntries];
            for (int n = 0; n < kEntries; ++n) along[n] = rate(n / 3, n % 3);
            Form::viscous_stress(all.damped(i), along, viscous);
            for (int n = 0; n < kEntries; ++n) P(n / 3, n % 3) += e.damping * viscous[n];
          }
          for (int a = 0; a < 4; ++a)
            if (e.column[a] >= 0) s.force(slot + e.column[a]) = (h * e.volume) * (P * e.b[a]);
          if (consistent) {
            const MassDamping damped = mass_damping(e.mass_damping, h, theta);
            Vec3 w[4], sum{};
            for (int a = 0; a < 4; ++a) {
              const int block = e.column[a] < 0 ? -1 : s.pattern.slot_block(slot + e.column[a]);
              w[a] = (block < 0 ? Vec3{} : damped.change(at.u(block), before(block))) - fall;
              sum += w[a];
            }
            for (int a = 0; a < 4; ++a)
              if (e.column[a] >= 0) s.force(slot + e.column[a]) += (e.mass / 20) * (sum - 4.0 * w[a]);
          }
          if (!linearise) return;

          double H[kEntries * kEntries];
          if (majorant)
            for (int n = 0; n < kEntries * kEntries; ++n)
              H[n] = n % (kEntries + 1) == 0 ? b * projection_weight(all.materials(e.material)) : 0;
          else
            assemble_spectrum(
                material.spectrum(F),
                [&options, &material, b](double v) { return b * options.projected(v, material.mu); }, H);
          if (e.damping > 0) {
            double damped[kEntries * kEntries];
            assemble_spectrum(
                all.damped(i), [&e](double v) { return e.damping * std::fmax(v, 0.0); }, damped);
            for (int n = 0; n < kEntries * kEntries; ++n) H[n] += damped[n];
          }
          if (e.viscosity > 0) add_strain_rate_stiffness(viscosity, F, options.exact, b, H);
          const int tangent = s.item_tangent(item);
          for (int c = 0; c < 4; ++c) {
            if (e.column[c] < 0) continue;
            double G[kEntries * 3];  // (H b_c)_ij,k
            for (int n = 0; n < kEntries; ++n)
              for (int m = 0; m < 3; ++m)
                G[3 * n + m] = H[kEntries * n + 3 * m] * e.b[c].x + H[kEntries * n + 3 * m + 1] * e.b[c].y +
                               H[kEntries * n + 3 * m + 2] * e.b[c].z;
            for (int a = 0; a < 4; ++a) {
              if (e.column[a] < 0) continue;
              Mat3 T{};
              for (int n = 0; n < 3; ++n)
                for (int m = 0; m < 3; ++m)
                  T(n, m) = h * e.volume *
                            (e.b[a].x * G[3 * (3 * n) + m] + e.b[a].y * G[3 * (3 * n + 1) + m] +
                             e.b[a].z * G[3 * (3 * n + 2) + m]);
              if (consistent) {
                const double m = e.mass / 20 * mass_damping(e.mass_damping, h, theta).after * (a == c ? -3.0 : 1.0);
                T = T + Mat3::diagonal(m, m, m);
              }
              s.tangent(tangent + k * e.column[a] + e.column[c]) = T;
            }
          }
        },
        3000);
  }

  bool force_along(const StepContext& context, const StepPoint& point, const SystemSlice& slice, const View<Vec3>& du,
                   const View<Vec3>& along) override {
    const SoftElementViews<M> all = batch_.views();
    const SystemSlice& s = slice;
    const View<Vec3> x = point.x, change = du, out = along;
    const double h = context.h, b = context.b, theta = context.implicitness();
    const bool consistent = consistent_;
    parallel_for(
        "soft_force_along", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = all.elements(i);
          const Activated<M> material = all.material(e);
          const int slot = s.pattern.item_slot(s.first_item + i);
          Vec3 dv[4];
          Mat3 rate{};
          for (int a = 0; a < 4; ++a) {
            dv[a] = e.column[a] < 0 ? Vec3{} : change(s.pattern.slot_block(slot + e.column[a]));
            rate = rate + outer(dv[a], e.b[a]);
          }
          const Mat3T<Dual> F = dual(deformation_gradient(e, x), b * rate);
          Mat3T<Dual> stress = material.stress(F);
          if (e.viscosity > 0) stress = stress + strain_rate_stress(all.viscosity(e, i), F);
          Mat3 P = derivative_of(stress);
          if (e.damping > 0) {  // linear in Ḟ
            double turning[kEntries], viscous[kEntries];
            for (int n = 0; n < kEntries; ++n) turning[n] = rate(n / 3, n % 3);
            Form::viscous_stress(all.damped(i), turning, viscous);
            for (int n = 0; n < kEntries; ++n) P(n / 3, n % 3) += e.damping * viscous[n];
          }
          const double mass =
              consistent ? e.mass / 20 * mass_damping(e.mass_damping, h, theta).after : 0;  // linear in u
          const Vec3 sum = dv[0] + dv[1] + dv[2] + dv[3];
          for (int a = 0; a < 4; ++a)
            if (e.column[a] >= 0) out(slot + e.column[a]) = (h * e.volume) * (P * e.b[a]) + mass * (sum - 4.0 * dv[a]);
        },
        3000);
    return true;
  }

  double step_potential(const StepContext& context) const override {
    const SoftElementViews<M> all = batch_.views();
    const StepPoint at = at_;
    const SystemSlice& s = slice_;
    const bool consistent = consistent_;
    const View<Vec3> before = before_;
    const Vec3 fall = context.h * gravity_now_;
    const double h = context.h, b = context.b, theta = context.implicitness();
    double sum[1];
    deterministic_sum<1>(
        "soft_potential", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = all.elements(i);
          const Activated<M> material = all.material(e);
          const Mat3 F = deformation_gradient(e, at.x);
          const Viscosity viscosity = all.viscosity(e, i);
          double out =
              h / b * e.volume * (material.energy(F) + (e.viscosity > 0 ? strain_rate_energy(viscosity, F) : 0.0));
          if (e.damping <= 0 && !consistent) return Kokkos::Array<double, 1>{out};
          const int slot = s.pattern.item_slot(s.first_item + i);
          Mat3 rate{};
          const MassDamping damped = mass_damping(e.mass_damping, h, theta);
          Vec3 w[4], total{};
          for (int a = 0; a < 4; ++a) {
            const int block = e.column[a] < 0 ? -1 : s.pattern.slot_block(slot + e.column[a]);
            if (block >= 0) rate = rate + outer(at.u(block), e.b[a]);
            w[a] = (block < 0 ? Vec3{} : damped.change(at.u(block), before(block))) - fall;
            total += w[a];
          }
          if (e.damping > 0) {
            double along[kEntries], viscous[kEntries], work = 0;
            for (int n = 0; n < kEntries; ++n) along[n] = rate(n / 3, n % 3);
            Form::viscous_stress(all.damped(i), along, viscous);
            for (int n = 0; n < kEntries; ++n) work += along[n] * viscous[n];
            out += 0.5 * h * e.volume * e.damping * work;
          }
          for (int a = 0; consistent && a < 4; ++a) out += e.mass / (40 * damped.after) * dot(w[a], total - 4.0 * w[a]);
          return Kokkos::Array<double, 1>{out};
        },
        scratch_, sum);
    return sum[0];
  }

  /// What the consistent mass adds to the energy and angular momentum of the particles: Σ ½ ΔM_ac u_a·u_c, Σ ΔM_ac x_a
  /// × u_c.
  MechanicalState mechanical_state(const State& state) const override {
    if (!consistent_) return {};
    const View<TetElement> elements = batch_.views().elements;
    const View<Vec3> x = state.x, u = state.u;
    const SystemSlice& s = slice_;
    double sum[4];
    deterministic_sum<4>(
        "soft_inertia", batch_.count(),
        KOKKOS_LAMBDA(int i) {
          const TetElement e = elements(i);
          const int slot = s.pattern.item_slot(s.first_item + i);
          Vec3 v[4], total{};
          for (int a = 0; a < 4; ++a) {
            v[a] = e.column[a] < 0 ? Vec3{} : u(s.pattern.slot_block(slot + e.column[a]));
            total += v[a];
          }
          double kinetic = 0;
          Vec3 angular{};
          for (int a = 0; a < 4; ++a) {
            const Vec3 p = (e.mass / 20) * (total - 4.0 * v[a]);
            kinetic += 0.5 * dot(v[a], p);
            if (e.column[a] >= 0) angular += cross(x(e.node[a]), p);
          }
          return Kokkos::Array<double, 4>{kinetic, angular.x, angular.y, angular.z};
        },
        inertia_scratch_, sum);
    return {.kinetic = sum[0], .angular = {sum[1], sum[2], sum[3]}};
  }

 private:
  SoftRowOptions options_;
  bool projection_none_, consistent_ = false, majorant_ = false;
  VectorFunction gravity_;
  Vec3 gravity_now_{};
  View<Vec3> before_;
  mutable SumScratch<1> scratch_;
  mutable SumScratch<4> inertia_scratch_;
};

}  // namespace clarke
