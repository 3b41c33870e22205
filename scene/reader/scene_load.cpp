// Loads of a scene file.

#include "framework/error.hpp"
#include "scene/reader/scene_model.hpp"

#include <algorithm>

namespace clarke {
namespace {

/// Which of a load's keys are there.
struct MatrixKeys {
  bool force = false, torque = false, point = false, frame = false;
};

void check_target(SceneVisitor& v, const SceneNames& names, const std::string& name, const MatrixKeys& given) {
  if (name == "world" || !names.taken(name))
    v.refuse("body", "unknown body or particle '" + name + "'" + suggestion(name, names.things()));
  if (!names.can_move(name)) v.refuse("body", "'" + name + "' is static or prescribed and takes no load");
  if (!names.particle(name)) return;
  for (const auto& [key, there] : {std::pair{"torque", given.torque}, {"point", given.point}, {"frame", given.frame}}) {
    if (there) v.refuse(key, "'" + name + "' is a particle, which takes a `force` only");
  }
}

}  // namespace

void describe_load(SceneVisitor& v, World& world, const SceneNames& names) {
  LoadDescription load;
  std::string frame = "world";
  MatrixKeys given;
  v.text("name", load.name, {.help = "unique among loads", .required = true});
  v.text("body", load.body, {.help = "a body or particle that can move", .required = true});
  given.force = v.time_vector("force", load.force, {.unit = "N"});
  given.torque = v.time_vector("torque", load.torque, {.help = "bodies only", .unit = "N m"});
  given.point =
      v.vector("point", load.point,
               {.help = "where the force acts: frame of the body, relative to its centre of mass", .unit = "m"});
  given.frame = v.choice("frame", frame, {"world", "body"},
                         {.help = "of force and torque; in the frame of the body they turn with it"});
  if (!v.reading()) return;

  if (std::any_of(world.loads.begin(), world.loads.end(),
                  [&](const LoadDescription& other) { return other.name == load.name; }))
    v.refuse("name", "the name '" + load.name + "' is used twice");
  if (!given.force && !given.torque) v.refuse("", "expected `force`, `torque`, or both");
  if (given.point && !given.force) v.refuse("point", "belongs to `force`, which is missing");
  check_target(v, names, load.body, given);
  load.body_frame = frame == "body";
  world.loads.push_back(load);
}

}  // namespace clarke
