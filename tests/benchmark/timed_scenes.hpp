#pragma once
// The scenes that are timed, small and large.

#include "assembly/model.hpp"

#include <string>
#include <vector>

namespace clarke::benchmark {

struct TimedScene {
  std::string name;
  std::vector<int> sizes;    // in bodies that can move, roughly
  World (*world)(int size);  // called when the benchmark runs
  double time_step;          // [s]
};

/// arch   cases/arch.yaml: 20 stones, 84 contacts, 252 rows; fits into a core's own cache
/// wall   brick on brick in running bond, four contacts at every overlap; the largest fits into no cache
const std::vector<TimedScene>& timed_scenes();

/// A model of the scene under the preset `interactive` and `options` ("-a 1 -b 2"), after a few steps. Kept until
/// another is asked for, so that repetitions do not start anew.
Model& model_of(const TimedScene& scene, int size, const std::string& options = "");

/// Where a model stands, and its system linearised there.
struct Standing {
  View<Vec3> u;
  View<double> impulse;
};
Standing linearise(Model& model);

/// Calls register_one(scene, size, "name/size") for all scenes and sizes.
template <class Register>
bool for_timed_scenes(Register register_one) {
  for (const TimedScene& scene : timed_scenes())
    for (int size : scene.sizes) register_one(scene, size, scene.name + "/" + std::to_string(size));
  return true;
}

}  // namespace clarke::benchmark
