#pragma once
// What an expectation of a scene can ask for, by name: figures of the verdict, energies, counts, the motion of and the
// forces on a body or particle, coordinates and forces of a joint, size and pressure of a volume. SI units. Sensors ask
// for the same.

#include "framework/frame.hpp"
#include "framework/report.hpp"

#include <functional>
#include <string>
#include <vector>

namespace clarke {

/// A body or particle at one moment.
struct ThingSample {
  Vec3 position{}, velocity{}, angular_velocity{};  // [m], [m/s], [rad/s]
  Quat orientation{};
  Vec3 contact_force{};     // [N] sum over its contacts, normal and friction
  double normal_force = 0;  // [N] sum of the magnitudes of the normal forces
};

enum class QuantitySubject {
  run,               // of the whole model
  thing,             // `of` names a body or particle
  thing_or_largest,  // without `of`: the largest over everything that can move
  body,              // `of` names a body
  joint,             // `of` names a joint
  volume,            // `of` names a volume
};

struct Quantity {
  std::string name, unit, help;
  QuantitySubject subject = QuantitySubject::run;
  // one of these four
  std::function<double(const StepReport&)> of_run = nullptr;
  std::function<double(const ThingSample& now, const ThingSample& start)> of_thing = nullptr;
  std::function<double(const FrameJoint&)> of_joint = nullptr;
  std::function<double(const FrameVolume& now, const FrameVolume& start)> of_volume = nullptr;
  int coordinates = 0;    // of a joint: how many it must have
  bool pairwise = false;  // takes `with`: from contacts with that thing only
};

/// All quantities. Vectors have an entry for each component, "position.x".
const std::vector<Quantity>& quantities();
/// nullptr when there is none.
const Quantity* find_quantity(const std::string& name);
std::vector<std::string> quantity_names();

}  // namespace clarke
