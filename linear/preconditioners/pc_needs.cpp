#include "linear/preconditioners/pc_needs.hpp"

#include "framework/option_database.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace clarke {

namespace {

struct Need {
  std::string_view type, what;
};
constexpr std::string_view kGrid = "a structured grid of the unknowns";
constexpr std::string_view kParts = "a matrix made of subdomains";
constexpr Need kNeeds[] = {
    {"bddc", kParts},
    {"deflation", "a space to deflate"},
    {"exotic", "a mesh of the unknowns"},
    {"galerkin", "a coarse operator"},
    {"lmvm", "a quasi-Newton matrix"},
    {"lsc", "a Schur complement made by PETSc"},
    {"nn", kParts},
    {"patch", "a mesh of the unknowns"},
    {"pfmg", kGrid},
    {"shell", "a function of a program's own"},
    {"smg", kGrid},
    {"syspfmg", kGrid},
    {"tfs", "a matrix that is spread over processes"},
    {"vpbjacobi", "blocks of sizes given by a program"},
};
constexpr std::string_view kUnsymmetric[] = {"cp", "kaczmarz"};
constexpr std::string_view kMemory[] = {"bddc", "composite", "fieldsplit", "galerkin", "gamg",
                                        "hmg",  "ksp",       "mg",         "ml"};

}  // namespace

std::string missing_for(PC pc) {
  PCType type = nullptr;
  const char* prefix = nullptr;
  if (PCGetType(pc, &type) || !type || PCGetOptionsPrefix(pc, &prefix)) return "";
  // As it was asked for: some types make themselves another (`exotic` is an `mg` once it is created).
  const std::string before = prefix ? prefix : "", asked = database_value(before + "pc_type").value_or(type),
                    option = "-" + before + "pc_type " + asked;
  if (asked == PCCOMPOSITE && !database_value(before + "pc_composite_pcs"))
    return option + " is made of others: add -" + before + "pc_composite_pcs jacobi,sor, for instance";
  const auto* need = std::find_if(std::begin(kNeeds), std::end(kNeeds), [&](const Need& n) { return n.type == asked; });
  if (need == std::end(kNeeds)) return "";
  return option + " needs " + std::string(need->what) +
         ", which a time step has not: use block_jacobi, jacobi, gamg, cholesky or lu (which types run: "
         "docs/compatibility.md)";
}

bool is_unsymmetric_pc(const std::string& type) {
  return std::find(std::begin(kUnsymmetric), std::end(kUnsymmetric), type) != std::end(kUnsymmetric);
}

bool keeps_memory(PC pc) {
  PCType type = nullptr;
  if (PCGetType(pc, &type) || !type) return false;
  return std::find(std::begin(kMemory), std::end(kMemory), type) != std::end(kMemory);
}

}  // namespace clarke
