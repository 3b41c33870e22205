#include "ncp/strategies/snes_needs.hpp"

#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/petsc_names.hpp"
#include "framework/text.hpp"

#include <string>

namespace clarke {

namespace {

struct Need {
  const char *type, *what;
};
constexpr const char* kTransposed = "products with the transpose of Newton's matrix";
constexpr const char* kSubdomains = "subdomains of the unknowns";
constexpr Need kNeeds[] = {
    {"aspin", kSubdomains},
    {"nasm", kSubdomains},
    {"patch", "a mesh of the unknowns"},
    {"fas", "a hierarchy of grids"},
    {"composite", "solvers set up by a program"},
    {"shell", "a solve function of a program's own"},
    {"ngs", "a matrix with entries to colour (its sweeps over contacts and joints are nsgs)"},
    {"qn", "one size for the whole run: PETSc's type does not survive a change of the contacts"},
    {"newtontrdc", kTransposed},
    {"vinewtonssls", kTransposed},
    {"ksptransposeonly", kTransposed},
};

}  // namespace

StrategyTraits petsc_traits(const std::string& type) {
  StrategyTraits out;
  out.combines = type == SNESANDERSON || type == SNESNGMRES;
  return out;
}

void check_snes_needs() {
  for (const DatabaseOption& option : database_options()) {
    if (!has_base_name(lower_case(option.name), "snes_type")) continue;
    if (lower_case(option.name) == "primal_snes_type") continue;  // has one size, and a matrix with entries
    for (const Need& need : kNeeds)
      if (option.value == need.type)
        throw InputError("-" + option.name + " " + option.value + " needs " + need.what +
                         ", which a time step has not: take ssnal, nonsmooth_newton, newtonls, newtontr or nsgs (which "
                         "types run: docs/compatibility.md)");
  }
}

}  // namespace clarke
