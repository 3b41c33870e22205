#include "measure/quantities.hpp"

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
  void run(const char* name, const char* unit, const char* help, std::function<double(const StepReport&)> value) {
    all.push_back({name, unit, help, QuantitySubject::run, std::move(value)});
  }
  void scalar(const char* name, const char* unit, const char* help, QuantitySubject subject, const Scalar& value) {
    all.push_back({name, unit, help, subject, nullptr, value});
  }
  void vector(const char* name, const char* unit, const char* help, Vec3 ThingSample::*member) {
    for (int k = 0; k < 3; ++k) {
      const std::string component(1, "xyz"[k]);
      all.push_back({std::string(name) + "." + component, unit, help, QuantitySubject::thing, nullptr,
                     [member, k](const ThingSample& now, const ThingSample&) { return (now.*member)[k]; }});
    }
  }
  void run_vector(const char* name, const char* unit, const char* help, std::array<double, 3> Verdict::*member) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string component(1, "xyz"[k]);
      all.push_back({std::string(name) + "." + component, unit, help, QuantitySubject::run,
                     [member, k](const StepReport& r) { return (r.verdict.*member)[k]; }});
    }
  }
  void joint(const std::string& name, const char* unit, const char* help, int coordinates,
             std::function<double(const FrameJoint&)> value) {
    Quantity quantity{name, unit, help, QuantitySubject::joint};
    quantity.of_joint = std::move(value);
    quantity.coordinates = coordinates;
    all.push_back(std::move(quantity));
  }
  void volume(const char* name, const char* unit, const char* help,
              std::function<double(const FrameVolume&, const FrameVolume&)> value) {
    Quantity quantity{name, unit, help, QuantitySubject::volume};
    quantity.of_volume = std::move(value);
    all.push_back(std::move(quantity));
  }
  void joint_vector(const std::string& name, const char* unit, const char* help, Vec3 FrameJoint::*member) {
    joint(name, unit, help, 0, [member](const FrameJoint& j) { return norm(j.*member); });
    for (int k = 0; k < 3; ++k)
      joint(name + "." + "xyz"[k], unit, help, 0, [member, k](const FrameJoint& j) { return (j.*member)[k]; });
  }
};

/// Angle [rad] of the turn from `start` to `now`, in [0, π].
double turned_angle(const ThingSample& now, const ThingSample& start) {
  const Quat d = now.orientation * conjugate(start.orientation);
  return 2 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::fabs(d.w));
}

void add_verdict(QuantityList& list) {
  list.figure("momentum_residual", "J^0.5", "momentum balance",
              [](const Verdict& v) { return v.momentum_residual.value; });
  list.figure("bilateral_violation", "m or rad", "of the joints",
              [](const Verdict& v) { return v.bilateral_violation.value; });
  list.figure("penetration", "m", "of surfaces", [](const Verdict& v) { return v.penetration.value; });
  list.figure("geometric_penetration", "m", "of solids at their poses, as -verdict_geometry finds it",
              [](const Verdict& v) { return v.geometric_penetration ? v.geometric_penetration->value : 0.0; });
  list.figure("complementarity", "m/s", "gap against normal force",
              [](const Verdict& v) { return v.complementarity.value; });
  list.figure("cone_excess", "N s", "friction impulse outside its cone",
              [](const Verdict& v) { return v.cone_excess.value; });
  list.figure("desaxce_gap", "J", "energy mismatch of the contact law",
              [](const Verdict& v) { return v.desaxce_gap.value; });
  list.figure("natural_map", "N s", "of the contacts", [](const Verdict& v) { return v.natural_map.value; });
  list.figure("natural_map_relative", "", "natural map against the size of the impulses",
              [](const Verdict& v) { return v.natural_map_relative; });
  list.figure("scaled_residual", "", "natural map against velocities and impulses, in equal units",
              [](const Verdict& v) { return v.scaled_residual; });
  list.figure("strict_residual", "", "natural map against what is asked for, which large impulses do not flatter",
              [](const Verdict& v) { return v.strict_residual; });
  list.figure("impulse_growth", "", "impulses against what is asked for, in equal units",
              [](const Verdict& v) { return v.impulse_growth; });
  list.figure("velocity_error", "m/s", "the largest residual as a velocity",
              [](const Verdict& v) { return v.velocity_error.value; });
  list.figure("kinetic_energy", "J", "", [](const Verdict& v) { return v.kinetic_energy; });
  list.figure("potential_energy", "J", "0 at the origin", [](const Verdict& v) { return v.potential_energy; });
  list.figure("elastic_energy", "J", "", [](const Verdict& v) { return v.elastic_energy; });
  list.figure("total_energy", "J", "kinetic, potential and elastic",
              [](const Verdict& v) { return v.kinetic_energy + v.potential_energy + v.elastic_energy; });
  list.run_vector("linear_momentum", "N s", "", &Verdict::linear_momentum);
  list.run_vector("angular_momentum", "N m s", "about the origin", &Verdict::angular_momentum);
}

void add_counts(QuantityList& list) {
  list.run("contacts", "", "contact points", [](const StepReport& r) { return static_cast<double>(r.contacts); });
  list.run("newton_iterations", "", "of the step",
           [](const StepReport& r) { return static_cast<double>(r.newton_iterations); });
  list.run("linear_iterations", "", "of the step",
           [](const StepReport& r) { return static_cast<double>(r.linear_iterations); });
  list.run("step_repeats", "", "solves of the step beyond the first: by stiffening and passes of lagged friction",
           [](const StepReport& r) {
             double repeats = 0;
             for (const char* option : {"contact_stiffening", "friction_passes"})
               if (const auto at = r.safeguards.find(option); at != r.safeguards.end())
                 repeats += static_cast<double>(at->second);
             return repeats;
           });
  list.run("unconverged_steps", "", "steps so far that were accepted without converging",
           [](const StepReport& r) { return static_cast<double>(r.unconverged_steps); });
  list.run("islands", "", "groups of bodies that touch or are joined",
           [](const StepReport& r) { return static_cast<double>(r.islands); });
}

/// w, x, y, z of a quaternion, of the two that mean the same turn the one with w >= 0.
double orientation_part(const Quat& q, int part) {
  const double parts[4] = {q.w, q.x, q.y, q.z};
  return q.w < 0 ? -parts[part] : parts[part];
}

void add_orientation(QuantityList& list) {
  for (int k = 0; k < 4; ++k)
    list.scalar(("orientation." + std::string(1, "wxyz"[k])).c_str(), "",
                "unit quaternion, frame of the body to world, w >= 0", QuantitySubject::body,
                [k](const ThingSample& now, const ThingSample&) { return orientation_part(now.orientation, k); });
}

void add_contact_forces(QuantityList& list) {
  const std::size_t first = list.all.size();
  list.vector("contact_force", "N", "sum over its contacts, normal and friction", &ThingSample::contact_force);
  list.scalar("normal_force", "N", "sum of the magnitudes of its normal forces", QuantitySubject::thing,
              [](const ThingSample& now, const ThingSample&) { return now.normal_force; });
  for (std::size_t i = first; i < list.all.size(); ++i) list.all[i].pairwise = true;
}

void add_joints(QuantityList& list) {
  for (const std::size_t k : {0, 1}) {
    const std::string suffix = k == 0 ? "" : "_2";
    const int needed = static_cast<int>(k) + 1;
    list.joint("coordinate" + suffix, "rad or m", "angle or displacement", needed,
               [k](const FrameJoint& j) { return j.coordinate.at(k); });
    list.joint("coordinate_rate" + suffix, "rad/s or m/s", "of the coordinate", needed,
               [k](const FrameJoint& j) { return j.rate.at(k); });
    list.joint("effort" + suffix, "N m or N", "of drive, limits, friction and prescribed motion along the coordinate",
               needed, [k](const FrameJoint& j) { return j.effort.at(k); });
  }
  list.joint("joint_violation", "m or rad", "largest of its rows", 0, [](const FrameJoint& j) { return j.violation; });
  list.joint_vector("reaction_force", "N", "on a, of all rows; mean over the step", &FrameJoint::force);
  list.joint_vector("reaction_torque", "N m", "on a about the anchor; mean over the step", &FrameJoint::torque);
}

void add_volumes(QuantityList& list) {
  using V = FrameVolume;
  list.volume("volume", "m^3", "that the surface encloses", [](const V& now, const V&) { return now.volume; });
  list.volume("volume_ratio", "", "to the volume at the start",
              [](const V& now, const V& start) { return now.volume / start.volume; });
  list.volume("gauge_pressure", "Pa", "inside less outside", [](const V& now, const V&) { return now.pressure; });
}

void add_motion(QuantityList& list) {
  const QuantitySubject largest = QuantitySubject::thing_or_largest;
  list.vector("position", "m", "of the centre of mass", &ThingSample::position);
  list.vector("velocity", "m/s", "of the centre of mass", &ThingSample::velocity);
  list.vector("angular_velocity", "rad/s", "world frame", &ThingSample::angular_velocity);
  list.scalar("displacement", "m", "distance from the position at the start", largest,
              [](const ThingSample& now, const ThingSample& start) { return norm(now.position - start.position); });
  list.scalar("rotation", "rad", "angle turned since the start, at most pi", largest, turned_angle);
  list.scalar("speed", "m/s", "magnitude of the velocity", largest,
              [](const ThingSample& now, const ThingSample&) { return norm(now.velocity); });
}

}  // namespace

const std::vector<Quantity>& quantities() {
  static const std::vector<Quantity> all = [] {
    QuantityList list;
    add_verdict(list);
    add_counts(list);
    add_motion(list);
    add_orientation(list);
    add_contact_forces(list);
    add_joints(list);
    add_volumes(list);
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
