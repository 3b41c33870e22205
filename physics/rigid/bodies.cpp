#include "physics/rigid/bodies.hpp"

#include "physics/rigid/gyroscopic.hpp"
#include "physics/rigid/mass_damping.hpp"

namespace clarke {

namespace {

enum class Gyroscopic { none, explicit_term, implicit_term };

}  // namespace

Bodies::Bodies(const Entities& entities, const std::vector<double>& mass, const std::vector<Mat3>& inertia,
               const std::vector<double>& damping, VectorFunction gravity, Loads loads, BodyOptions options)
    : entities_(entities),
      mass_(to_device("mass", mass)),
      damping_(to_device("mass_damping", damping)),
      inertia_(to_device("inertia", inertia)),
      gravity_(std::move(gravity)),
      loads_(std::move(loads)),
      options_(std::move(options)) {}

void Bodies::begin_step(const StepContext& context, const State&) {
  const double t = context.stage_time();
  gravity_now_ = gravity_(t);
  loads_.evaluate(t);
}

void Bodies::inverse_mass(const State& state, const View<Mat3>& inverse_mass) const {
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<double> mass = mass_;
  const View<Mat3> inertia = inertia_, out = inverse_mass;
  const View<Quat> orientation = state.orientation;
  parallel_for(
      "inverse_mass", entities_.count,
      KOKKOS_LAMBDA(int e) {
        const EntityBlocks b = block_of(e);
        if (b.v < 0) return;
        out(b.v) = Mat3::diagonal(1 / mass(e), 1 / mass(e), 1 / mass(e));
        if (b.w < 0) return;
        const Mat3 R = rotation_matrix(orientation(e));
        out(b.w) = R * inverse(inertia(e)) * transpose(R);
      },
      64);
}

void Bodies::fill_mass(const StepContext& context, const State& state, SaddlePointSystem& system) {
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<double> mass = mass_, damping = damping_;
  const View<Mat3> inertia = inertia_;
  const View<Quat> orientation = state.orientation;
  const View<Vec3> u = state.u;  // at which the gyroscopic term is taken
  const View<Mat3> M = system.mass, Minv = system.mass_inverse;
  const View<Vec3> u_tilde = system.u_tilde;
  const Vec3 gravity = gravity_now_;
  const double h = context.h, theta = context.implicitness();
  const Gyroscopic term = options_.gyroscopic == "none"       ? Gyroscopic::none
                          : options_.gyroscopic == "explicit" ? Gyroscopic::explicit_term
                                                              : Gyroscopic::implicit_term;
  parallel_for(
      "fill_mass", entities_.count,
      KOKKOS_LAMBDA(int e) {
        const EntityBlocks b = block_of(e);
        if (b.v < 0) return;
        const MassDamping damped = mass_damping(damping(e), h, theta);
        const double m = mass(e) * damped.after;
        M(b.v) = Mat3::diagonal(m, m, m);
        Minv(b.v) = Mat3::diagonal(1 / m, 1 / m, 1 / m);
        u_tilde(b.v) = (damped.before * u_tilde(b.v) + h * gravity) / damped.after;
        if (b.w < 0) return;
        const Mat3 R = rotation_matrix(orientation(e)), Rt = transpose(R);
        M(b.w) = R * inertia(e) * Rt;
        Minv(b.w) = R * inverse(inertia(e)) * Rt;
        if (term == Gyroscopic::none) return;
        const Vec3 w = Rt * u(b.w);
        u_tilde(b.w) += R * (term == Gyroscopic::implicit_term ? gyroscopic_implicit(inertia(e), w, h)
                                                               : gyroscopic_explicit(inertia(e), w, h));
      },
      128);
  loads_.add_to(context, state, system);
}

MechanicalState Bodies::mechanical_state(const State& state) const {
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<double> mass = mass_;
  const View<Mat3> inertia = inertia_;
  const View<Quat> orientation = state.orientation;
  const View<Vec3> x = state.x, u = state.u;
  const Vec3 g = gravity_(state.t);
  double s[8];
  deterministic_sum<8>(
      "mechanical_state", entities_.count,
      KOKKOS_LAMBDA(int e) {
        Kokkos::Array<double, 8> out{};
        const EntityBlocks b = block_of(e);
        if (b.v < 0) return out;
        const double m = mass(e);
        const Vec3 p = m * u(b.v);
        Vec3 L = cross(x(e), p);
        double kinetic = 0.5 * dot(p, u(b.v));
        if (b.w >= 0) {
          const Mat3 R = rotation_matrix(orientation(e));
          const Vec3 Lw = R * (inertia(e) * transpose_times(R, u(b.w)));
          kinetic += 0.5 * dot(Lw, u(b.w));
          L += Lw;
        }
        out[0] = kinetic;
        out[1] = -m * dot(g, x(e));
        for (int k = 0; k < 3; ++k) {
          out[2 + k] = p[k];
          out[5 + k] = L[k];
        }
        return out;
      },
      scratch_, s);
  return {s[0], s[1], {s[2], s[3], s[4]}, {s[5], s[6], s[7]}};
}

}  // namespace clarke
