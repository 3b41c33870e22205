// Enclosed volumes of a scene: which closed surface, what is inside.

#include "physics/volumes/closed_surface.hpp"
#include "physics/volumes/volume_law.hpp"
#include "scene/meshes/scene_mesh.hpp"
#include "scene/reader/scene_model.hpp"

#include <algorithm>

namespace clarke {

void describe_volume(SceneVisitor& v, World& world) {
  VolumeDescription volume;
  std::string of;
  bool cavity = false;
  std::optional<double> gauge_pressure;
  v.text("name", volume.name, {.help = "unique among volumes", .required = true});
  v.text("of", of, {.help = "a cloth or soft body with a closed surface", .required = true});
  v.flag("cavity", cavity, {.help = "the hollows inside of a soft body, not all of it"});
  v.choice("law", volume.law, volume_law_registry().names(), {.help = "what is inside"});
  const bool has_ambient = v.real(
      "ambient_pressure", volume.ambient_pressure,
      {.help = "of an ideal gas: outside, and inside at an amount of 1", .unit = "Pa", .min = 0, .open_min = true});
  const bool has_compressibility = v.real("compressibility", volume.compressibility,
                                          {.help = "of the other laws; 0 keeps the volume", .unit = "1/Pa", .min = 0});
  const bool has_amount = v.time_function(
      "amount", volume.amount,
      {.help = "of what is inside, as a function of time: 1 fills the surface at its start without pressure"});
  v.optional_real("gauge_pressure", gauge_pressure,
                  {.help = "at the start, in place of `amount`: inside less outside", .unit = "Pa"});
  if (!v.reading()) return;

  if (std::any_of(world.volumes.begin(), world.volumes.end(), [&](const auto& o) { return o.name == volume.name; }))
    v.refuse("name", "the name '" + volume.name + "' is used twice");
  const bool gas = volume_law_registry().create(volume.law)->gas();
  if (has_ambient && !gas) v.refuse("ambient_pressure", "is of law ideal_gas, not of '" + volume.law + "'");
  if (has_compressibility && gas)
    v.refuse("compressibility", "follows from ambient_pressure; expected with law incompressible or linear");
  if (has_amount && gauge_pressure) v.refuse("gauge_pressure", "expected either amount or gauge_pressure");
  if (!v.reading()) return;
  or_refuse(v, "", [&] {
    volume.triangles = closed_surface(world, of, cavity, "volume '" + volume.name + "'");
    add_volume(world, volume, gauge_pressure);
  });
}

}  // namespace clarke
