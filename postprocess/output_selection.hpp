#pragma once
// What of a frame goes into files. Long runs of many bodies are bound by what they write: contacts, fields that nobody
// looks at, and the surface of every body anew in each frame can all be left out.

#include <string>
#include <vector>

namespace clarke {

struct OutputSelection {
  bool contacts = true;  // contacts_*.vtp
  bool poses = false;    // bodies as points with orientations, their surfaces once in surfaces.vtp
  bool all_fields = true;
  std::vector<std::string> fields;  // otherwise these, beside the ones that say what is what (see output_fields())

  bool wants(const std::string& field) const;
};

/// The arrays that can be left out, in alphabetical order. Always there are names, TimeValue, body, surface, mass,
/// radius, orientation, type, body_a, body_b: without them a reader does not know what it reads.
const std::vector<std::string>& output_fields();

/// Which fields "all", "none" or "speed,gap" mean. Throws InputError with the nearest name.
void select_fields(OutputSelection& selection, const std::string& text);

}  // namespace clarke
