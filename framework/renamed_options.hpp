#pragma once
// Names that options and their values had before version 0.2. They are accepted for one release, with a warning that
// says the new name; what reads or records options sees new names only.

#include <string>

namespace clarke {

/// Gives `name` (without '-') and `value` their present names. Returns the warning, or "" where nothing was renamed.
std::string rename_old_option(std::string& name, std::string& value);

/// The same for everything in PETSc's options database; warnings go to standard error. Called once, before options are
/// read.
void rename_old_options();

}  // namespace clarke
