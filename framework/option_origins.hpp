#pragma once
// PETSc takes options from more places than the command line: ~/.petscrc, .petscrc, petscrc and the variable
// PETSC_OPTIONS. What they set is easily forgotten, so the record names them.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace clarke {

/// Right after PETSc has started, with the words it got from the command line: what else is in its database came from
/// those places.
void note_option_origins(const std::vector<std::string>& command_line);

/// {option: place} of the options from such a place, without '-'; "option_origins" of the provenance.
nlohmann::json option_origins_record();

}  // namespace clarke
