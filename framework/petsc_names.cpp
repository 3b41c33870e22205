#include "framework/petsc_names.hpp"

#include "framework/error.hpp"
#include "framework/registry.hpp"
#include "framework/text.hpp"

#include <petscsnes.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <stdexcept>

namespace clarke {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

struct NumberOption {
  const char* name;
  bool whole;
  double min, max;
};

// -1 means "no limit" or "never again" to PETSc where it is allowed here.
constexpr NumberOption kNumbers[] = {
    {"ksp_max_it", true, 0, kInf},
    {"ksp_rtol", false, 0, 1},
    {"ksp_atol", false, 0, kInf},
    {"ksp_divtol", false, 0, kInf},
    {"ksp_gmres_restart", true, 1, kInf},
    {"ksp_check_norm_iteration", true, -1, kInf},
    {"ksp_richardson_scale", false, -kInf, kInf},
    {"snes_max_it", true, 0, kInf},
    {"snes_max_funcs", true, -1, kInf},
    {"snes_rtol", false, 0, 1},
    {"snes_atol", false, 0, kInf},
    {"snes_stol", false, 0, kInf},
    {"snes_divergence_tolerance", false, -1, kInf},
    {"snes_max_fail", true, -1, kInf},
    {"snes_max_linear_solve_fail", true, -1, kInf},
    {"snes_lag_jacobian", true, -2, kInf},
    {"snes_lag_preconditioner", true, -2, kInf},
    {"snes_ksp_ew_version", true, 1, 4},
    {"snes_ksp_ew_rtol0", false, 0, 1},
    {"snes_ksp_ew_rtolmax", false, 0, 1},
    {"snes_ksp_ew_gamma", false, 0, 1},
    {"snes_ksp_ew_alpha", false, 1, 2},
    {"snes_ksp_ew_alpha2", false, 1, 2},
    {"snes_ksp_ew_threshold", false, 0, 1},
    {"snes_linesearch_damping", false, 0, kInf},
    {"snes_linesearch_max_it", true, 0, kInf},
    {"snes_linesearch_order", true, 1, 3},
    {"pc_factor_levels", true, 0, kInf},
    {"pc_factor_fill", false, 1, kInf},
    {"pc_factor_shift_amount", false, 0, kInf},
    {"pc_sor_omega", false, 0, 2},
    {"pc_sor_its", true, 1, kInf},
};

struct WordOption {
  const char* name;
  std::vector<std::string> allowed;
};

const std::vector<WordOption>& word_options() {
  static const std::vector<WordOption> options = {
      {"ksp_norm_type", {"none", "preconditioned", "unpreconditioned", "natural"}},
      {"ksp_convergence_test", {"default", "lsqr", "skip"}},
      {"ksp_pc_side", {"left", "right", "symmetric"}},
      {"snes_convergence_test", {"default", "skip"}},
      {"pc_factor_shift_type", {"none", "nonzero", "positive_definite", "inblocks"}},
      {"pc_fieldsplit_type", {"additive", "multiplicative", "symmetric_multiplicative", "special", "schur", "gkb"}},
      {"pc_fieldsplit_schur_fact_type", {"diag", "lower", "upper", "full"}},
      {"pc_mg_type", {"multiplicative", "additive", "full", "kaskade"}},
  };
  return options;
}

void check_list(PetscErrorCode code) {
  if (code) throw std::runtime_error("PETSc failed while listing its types (code " + std::to_string(code) + ")");
}

std::vector<std::string> names_in(PetscFunctionList list) {
  const char** names = nullptr;
  int count = 0;
  check_list(PetscFunctionListGet(list, &names, &count));
  std::vector<std::string> result;
  for (int i = 0; i < count; ++i) {
    if (names[i]) result.emplace_back(names[i]);  // the count includes a null at the end
  }
  check_list(PetscFree(names));
  return result;
}

/// PETSc turns "aij" into "seqaij" or "mpiaij"; such roots are in no list that can be asked for.
std::vector<std::string> matrix_types() {
  std::vector<std::string> names = names_in(MatList);
  const std::set<std::string> known(names.begin(), names.end());
  for (const std::string& name : known) {
    if (name.rfind("seq", 0) != 0) continue;
    const std::string root = name.substr(3);
    if (known.count("mpi" + root) && !known.count(root)) names.push_back(root);
  }
  return names;
}

struct Selector {
  const char* name;    // ending of the option
  const char* family;  // beginning of the options that belong to one type
};
constexpr Selector kSelectors[] = {{"snes_type", "snes_"},
                                   {"ksp_type", "ksp_"},
                                   {"pc_type", "pc_"},
                                   {"snes_linesearch_type", "snes_linesearch_"},
                                   {"mat_type", "mat_"}};

std::vector<std::string> registered_types(const std::string& selector) {
  check_list(SNESInitializePackage());
  check_list(KSPInitializePackage());
  check_list(PCInitializePackage());
  check_list(MatInitializePackage());
  if (selector == "snes_type") return names_in(SNESList);
  if (selector == "ksp_type") return names_in(KSPList);
  if (selector == "pc_type") return names_in(PCList);
  if (selector == "snes_linesearch_type") return names_in(SNESLineSearchList);
  return matrix_types();
}

[[noreturn]] void unknown_value(const std::string& option, const std::string& what, const std::string& value,
                                const std::vector<std::string>& allowed) {
  if (value.empty()) throw InputError("-" + option + ": expected " + what + ", got nothing");
  std::string near = suggestion(value, allowed);
  for (const Registration& r : registrations())
    if (near.empty() && has_base_name(option, r.kind)) near = "; see clarke list " + r.kind + " for Clarke's own";
  throw InputError("-" + option + ": unknown " + what + " '" + value + "'" + near);
}

/// Whether PETSc was built with the package, and whether the package has the factorisation.
struct FactorSupport {
  bool package = false, factorisation = false;
};
FactorSupport factor_support(const std::string& package, MatFactorType type) {
  check_list(MatInitializePackage());
  PetscBool found_package = PETSC_FALSE, found_matrix = PETSC_FALSE;
  PetscErrorCode (*create)(Mat, MatFactorType, Mat*) = nullptr;
  check_list(MatSolverTypeGet(package.c_str(), MATSEQAIJ, type, &found_package, &found_matrix, &create));
  return {found_package == PETSC_TRUE, create != nullptr};
}

void check_factor_package(const std::string& option, const std::string& value, const std::string& pc_type) {
  const std::string what = "factorisation package";
  std::vector<std::string> there;
  for (const char* name : {"petsc", "multifrontal", "mumps", "superlu", "superlu_dist", "umfpack", "cholmod", "klu",
                           "pastix", "strumpack", "mkl_pardiso", "spqr"}) {
    if (factor_support(name, MAT_FACTOR_LU).package) there.emplace_back(name);
  }
  const FactorSupport lu = factor_support(value, MAT_FACTOR_LU);
  if (value.empty() || !lu.package) unknown_value(option, what, value, there);
  const bool cholesky = factor_support(value, MAT_FACTOR_CHOLESKY).factorisation;
  const bool missing = pc_type == "cholesky" ? !cholesky : pc_type == "lu" && !lu.factorisation;
  if (missing)
    throw InputError("-" + option + ": the package '" + value + "' has no factorisation for -pc_type " + pc_type);
}

bool is_petsc_default(const std::string& value) {
  const std::string word = lower_case(value);
  return word == "default" || word == "petsc_default";
}

void check_number(const std::string& option, const std::string& value, const NumberOption& known) {
  if (is_petsc_default(value)) return;
  const std::string noun = known.whole ? "a whole number" : "a number";
  std::optional<double> number = parse_real(value);
  const double max = known.whole ? std::min(known.max, 2147483647.0) : known.max;
  if (known.whole && !parse_integer(value)) number.reset();
  if (number && in_range(*number, known.min, max)) return;
  throw InputError("-" + option + ": expected " + describe_range(noun, known.min, known.max) + ", got " +
                   (value.empty() ? "nothing" : "'" + value + "'"));
}

}  // namespace

bool has_base_name(const std::string& option, const std::string& base) {
  if (option == base) return true;
  const std::string ending = "_" + base;
  return option.size() > ending.size() && option.compare(option.size() - ending.size(), ending.size(), ending) == 0;
}

bool is_petsc_family(const std::string& option) {
  static const std::array<const char*, 31> prefixes = {
      "ksp_",       "snes_",     "pc_",    "outer_",     "hessian_",    "mat_",        "vec_",         "log_",
      "options_",   "malloc_",   "mg_",    "sub_",       "fieldsplit_", "on_error_",   "primal_snes_", "primal_ksp_",
      "primal_pc_", "npc_",      "inner_", "is_",        "viewer_",     "vecscatter_", "sf_",          "prefix_",
      "check_",     "debugger_", "petsc_", "redundant_", "telescope_",  "esteig_",     "blas_"};
  static const std::set<std::string> names = {"help",
                                              "version",
                                              "info",
                                              "memory_view",
                                              "malloc",
                                              "fp_trap",
                                              "objects_dump",
                                              "no_signal_handler",
                                              "skip_petscrc",
                                              "checkstack",
                                              "citations",
                                              "get_total_flops",
                                              "mpidump",
                                              "textbelt",
                                              "nox",
                                              "display",
                                              "start_in_debugger",
                                              "stop_for_debugger",
                                              "tmp",
                                              "shared_tmp",
                                              "not_shared_tmp",
                                              "use_gpu_aware_mpi",
                                              "history",
                                              "error_output_stdout",
                                              "error_output_none",
                                              "stack_view",
                                              "saws_options",
                                              "threads_view",
                                              "get_resident_set_size"};
  if (names.count(option)) return true;
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const char* prefix) { return option.rfind(prefix, 0) == 0; });
}

bool is_read_elsewhere(const std::string& option) {
  static const std::set<std::string> names = {"options_left",
                                              "options_view",
                                              "get_total_flops",
                                              "citations",
                                              "malloc_info",
                                              "log_mpe",
                                              "mpidump",
                                              "textbelt",
                                              "options_file",
                                              "options_file_yaml",
                                              "options_string_yaml",
                                              "no_signal_handler",
                                              "skip_petscrc"};
  return names.count(option) > 0;
}

void check_petsc_value(const std::string& option, const std::string& value, const std::string& pc_type) {
  if (has_base_name(option, "pc_factor_mat_solver_type")) return check_factor_package(option, value, pc_type);
  for (const Selector& selector : kSelectors) {
    if (!has_base_name(option, selector.name)) continue;
    const std::vector<std::string> types = registered_types(selector.name);
    if (std::find(types.begin(), types.end(), value) == types.end()) unknown_value(option, "type", value, types);
    return;
  }
  for (const NumberOption& known : kNumbers) {
    if (has_base_name(option, known.name)) return check_number(option, value, known);
  }
  for (const WordOption& known : word_options()) {
    if (!has_base_name(option, known.name)) continue;
    const std::string word = lower_case(value);
    if (std::find(known.allowed.begin(), known.allowed.end(), word) == known.allowed.end())
      unknown_value(option, "value", value, known.allowed);
    return;
  }
}

std::optional<TypeOwner> type_owner(const std::string& option) {
  for (const Selector& selector : kSelectors) {
    const std::string family = selector.family;
    const std::size_t start = option.rfind(family, 0) == 0 ? 0 : option.find("_" + family);
    if (start == std::string::npos) continue;
    const std::string rest = option.substr(start + (start ? 1 : 0) + family.size());
    for (const std::string& type : registered_types(selector.name)) {
      if (rest.rfind(type + "_", 0) == 0) return TypeOwner{selector.name, type};
    }
  }
  return std::nullopt;
}

std::vector<std::string> known_petsc_names() {
  std::vector<std::string> names = {"pc_factor_mat_solver_type",
                                    "ksp_monitor",
                                    "snes_monitor",
                                    "ksp_view",
                                    "snes_view",
                                    "ksp_converged_reason",
                                    "snes_converged_reason",
                                    "log_view",
                                    "options_left",
                                    "ksp_monitor_true_residual",
                                    "snes_test_jacobian",
                                    "snes_fd",
                                    "snes_ksp_ew",
                                    "snes_mf",
                                    "snes_mf_operator"};
  for (const Selector& selector : kSelectors) names.emplace_back(selector.name);
  for (const NumberOption& known : kNumbers) names.emplace_back(known.name);
  for (const WordOption& known : word_options()) names.emplace_back(known.name);
  return names;
}

}  // namespace clarke
