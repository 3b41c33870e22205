#pragma once
// What PETSc's own options are called and which values they take, as far as a mistake in them would otherwise end in
// PETSc's traceback or pass without a word. Everything else of PETSc's is recognised by the prefix of its family and
// left to PETSc.

#include <optional>
#include <string>
#include <vector>

namespace clarke {

/// "ksp_max_it", "outer_ksp_max_it" and "mg_levels_ksp_max_it" all end in the name "ksp_max_it".
bool has_base_name(const std::string& option, const std::string& base);

/// Whether PETSc may own an option of this name (ksp_…, snes_…, log_…, …).
bool is_petsc_family(const std::string& option);

/// Options PETSc reads only when it ends, or that its start has consumed in a way it does not record.
bool is_read_elsewhere(const std::string& option);

/// Throws InputError when the option selects a PETSc type (…snes_type, …ksp_type, …pc_type, …snes_linesearch_type,
/// …mat_type, …pc_factor_mat_solver_type) that is not registered, or is a well-known PETSc option with a value that is
/// not of its kind. `pc_type` is the value of the pc_type beside a factor package, "" when not given.
void check_petsc_value(const std::string& option, const std::string& value, const std::string& pc_type);

/// The PETSc type an option belongs to, e.g. {"ksp_type", "gmres"} for "ksp_gmres_restart".
struct TypeOwner {
  std::string selector, type;
};
std::optional<TypeOwner> type_owner(const std::string& option);

/// Names of the PETSc options known here, without prefixes, for suggestions.
std::vector<std::string> known_petsc_names();

}  // namespace clarke
