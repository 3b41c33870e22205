#pragma once
// Which elements of a soft body are made of what, and which are under pressure: its regions, resolved.
//
// Regions may overlap; but no element gets its material from two of them, nor its pressure from two.

#include "physics/description/soft_description.hpp"
#include "physics/soft/material.hpp"

namespace clarke {

/// What elements are made of.
struct SoftElastic {
  std::string model;
  double young, poisson, density, damping, viscosity;  // [Pa], -, [kg/m³], [s], [Pa s]
};

struct SoftParts {
  std::vector<SoftElastic> materials;  // [0] that of the body, [1 + r] that of region r
  std::vector<int> material;           // per element
  std::vector<int> pressure;           // per element: region whose pressure it is under, -1 none
};

/// Throws InputError naming the body: a region that has no elements, or elements the mesh does not have; an element
/// with two.
SoftParts soft_parts(const SoftDescription& body);

/// Models some element of the body is of, sorted.
std::vector<std::string> soft_models(const SoftDescription& body);

}  // namespace clarke
