#include "cases/quantities.hpp"

#include <cmath>

namespace clarke {
namespace {

using Verdicts = std::function<double(const Verdict&)>;
using Scalar = std::function<double(const ThingSample&, const ThingSample&)>;

class QuantityList {
 public:
  std::vector<Quantity> all;

  void figure(const char* name, const char* unit, const char* help, const Verdicts& value) {
    run(name, unit, help, [value](const StepReport& r) { return value(r.verdict); });
  }
  void run(const char* name, const char* unit, const char* help,
           std::function<double(const StepReport&)> value) {
    all.push_back({name, unit, help, QuantitySubject::run, std::move(value), nullptr});
  }
  void scalar(const char* name, const char* unit, const char* help, QuantitySubject subject,
              const Scalar& value) {
    all.push_back({name, unit, help, subject, nullptr, value});
  }
  void vector(const char* name, const char* unit, const char* help, Vec3 ThingSample::*member) {
    for (int k = 0; k < 3; ++k) {
      const std::string component(1, "xyz"[k]);
      all.push_back(
          {std::string(name) + "." + component, unit, help, QuantitySubject::thing, nullptr,
           [member, k](const ThingSample& now, const ThingSample&) { return (now.*member)[k]; }});
    }
  }
  void run_vector(const char* name, const char* unit, const char* help,
                  std::array<double, 3> Verdict::*member) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string component(1, "xyz"[k]);
      all.push_back({std::string(name) + "." + component, unit, help, QuantitySubject::run,
                     [member, k](const StepReport& r) { return (r.verdict.*member)[k]; }, nullptr});
    }
  }
};

/// Angle [rad] of the turn from `start` to `now`, in [0, π].
double turned_angle(const ThingSample& now, const ThingSample& start) {
  const Quat d = now.orientation * conjugate(start.orientation);
  return 2 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::fabs(d.w));
}

void add_verdict(QuantityList& list) {
  list.figure("momentum_residual", "J^0.5", "momentum balance",
              [](const Verdict& v) { return v.momentum.value; });
  list.figure("bilateral_violation", "m or rad", "of the joints",
              [](const Verdict& v) { return v.bilateral_violation.value; });
  list.figure("penetration", "m", "of surfaces",
              [](const Verdict& v) { return v.penetration.value; });
  list.figure("complementarity", "m/s", "gap against normal force",
              [](const Verdict& v) { return v.complementarity.value; });
  list.figure("cone_excess", "N s", "friction impulse outside its cone",
              [](const Verdict& v) { return v.cone_excess.value; });
  list.figure("desaxce_gap", "J", "energy mismatch of the contact law",
              [](const Verdict& v) { return v.desaxce_gap.value; });
  list.figure("natural_map", "N s", "of the contacts",
              [](const Verdict& v) { return v.natural_map.value; });
  list.figure("natural_map_relative", "", "natural map against the size of the impulses",
              [](const Verdict& v) { return v.natural_map_relative; });
  list.figure("velocity_error", "m/s", "the largest residual as a velocity",
              [](const Verdict& v) { return v.velocity_error.value; });
  list.figure("kinetic_energy", "J", "", [](const Verdict& v) { return v.kinetic_energy; });
  list.figure("potential_energy", "J", "0 at the origin",
              [](const Verdict& v) { return v.potential_energy; });
  list.figure("elastic_energy", "J", "", [](const Verdict& v) { return v.elastic_energy; });
  list.figure("total_energy", "J", "kinetic, potential and elastic", [](const Verdict& v) {
    return v.kinetic_energy + v.potential_energy + v.elastic_energy;
  });
  list.run_vector("linear_momentum", "N s", "", &Verdict::linear_momentum);
  list.run_vector("angular_momentum", "N m s", "about the origin", &Verdict::angular_momentum);
}

void add_counts(QuantityList& list) {
  list.run("contacts", "", "contact points",
           [](const StepReport& r) { return static_cast<double>(r.contacts); });
  list.run("newton_iterations", "", "of the step",
           [](const StepReport& r) { return static_cast<double>(r.newton_iterations); });
  list.run("linear_iterations", "", "of the step",
           [](const StepReport& r) { return static_cast<double>(r.linear_iterations); });
}

void add_motion(QuantityList& list) {
  const QuantitySubject largest = QuantitySubject::thing_or_largest;
  list.vector("position", "m", "of the centre of mass", &ThingSample::position);
  list.vector("velocity", "m/s", "of the centre of mass", &ThingSample::velocity);
  list.vector("angular_velocity", "rad/s", "world frame", &ThingSample::angular_velocity);
  list.scalar("displacement", "m", "distance from the position at the start", largest,
              [](const ThingSample& now, const ThingSample& start) {
                return norm(now.position - start.position);
              });
  list.scalar("rotation", "rad", "angle turned since the start, at most pi", largest, turned_angle);
  list.scalar("speed", "m/s", "magnitude of the velocity", largest,
              [](const ThingSample& now, const ThingSample&) { return norm(now.velocity); });
  list.vector("contact_force", "N", "sum over its contacts, normal and friction",
              &ThingSample::contact_force);
  list.scalar("normal_force", "N", "sum of the magnitudes of its normal forces",
              QuantitySubject::thing,
              [](const ThingSample& now, const ThingSample&) { return now.normal_force; });
}

}  // namespace

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = [] {
    QuantityList list;
    add_verdict(list);
    add_counts(list);
    add_motion(list);
    return list.all;
  }();
  return all;
}

const Quantity* find_quantity(const std::string& name) {
  for (const Quantity& quantity : quantities()) {
    if (quantity.name == name) return &quantity;
  }
  return nullptr;
}

std::vector<std::string> quantity_names() {
  std::vector<std::string> names;
  for (const Quantity& quantity : quantities()) names.push_back(quantity.name);
  return names;
}

}  // namespace clarke
