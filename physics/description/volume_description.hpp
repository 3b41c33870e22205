#pragma once
// An enclosed volume as plain host data: a closed surface of particles, and what is inside of it.

#include "framework/time_function.hpp"

#include <array>
#include <string>
#include <vector>

namespace clarke {

struct VolumeDescription {
  std::string name;
  std::vector<std::array<int, 3>> triangles;  // in World::particles, counter-clockwise seen from outside; closed
  std::string law = "ideal_gas";              // registered volume_law
  double ambient_pressure = 101325;           // P₀ [Pa] of an ideal gas: inside and outside at an amount of 1
  double compressibility = 0;                 // k_v [1/Pa] of the other laws; 0 is rigid
  TimeFunction amount = 1;                    // of what is inside, 1 fills the surface at its start without pressure
};

}  // namespace clarke
