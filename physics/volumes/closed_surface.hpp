#pragma once
// The closed surface of a cloth, of a soft body, or of the cavities in one, as triangles that look outwards from what
// they enclose.

#include "physics/description/world.hpp"

namespace clarke {

/// V at the start [m³] of the particles of the world.
double volume_at_start(const World& world, const std::vector<std::array<int, 3>>& triangles);

/// The triangles of the cloth or soft body `of`, in particles of the world. `cavity`: those around hollows inside of a
/// soft body, else those around everything. Throws InputError, naming `owner`, for what is neither, for a surface that
/// is not closed, and where there is no such part.
std::vector<std::array<int, 3>> closed_surface(const World& world, const std::string& of, bool cavity,
                                               const std::string& owner);

/// Adds the volume to the world. With a gauge pressure [Pa] the amount is the one that has it at the start. Throws
/// InputError for a law whose numbers cannot be.
void add_volume(World& world, VolumeDescription volume, std::optional<double> gauge_pressure);

}  // namespace clarke
