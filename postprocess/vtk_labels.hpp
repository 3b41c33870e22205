#pragma once
// What the arrays of a frame say of themselves: names beside indices, and units.

#include "framework/frame.hpp"

#include <string>
#include <vector>

class vtkDataSet;
class vtkFieldData;

namespace clarke {

/// Names of the entities of a frame by their index: bodies, then particles.
std::vector<std::string> entity_names(const Frame& frame);

/// Adds the array of texts `name`: names[i] for each i of the integer array `index` in `data`, "world" for a negative
/// one.
void add_names_of(vtkFieldData* data, const char* name, const char* index, const std::vector<std::string>& names);

/// Adds `name_a` and `name_b`, the names of the entities body_a and body_b.
void add_names_of_ends(vtkFieldData* data, const Frame& frame);

/// Adds `overlaps` ("a/b") and `overlap_depths` [m] of a frame.
void list_overlaps(vtkFieldData* data, const Frame& frame);

/// Gives every array of the model its unit (VTK's information key UNITS_LABEL), and lists them in the field array
/// `units`, a text "gap [m]" each, which viewers show that do not show the key.
void label_units(vtkDataSet& model);

}  // namespace clarke
