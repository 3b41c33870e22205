#include "ncp/strategies/snes_needs.hpp"

#include "framework/error.hpp"
#include "framework/option_database.hpp"

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
    {"composite", "solvers of its own, which no option of a step sets up"},
    {"shell", "a solve function of a program's own"},
    {"ngs", "a matrix with entries to colour; sweeps over contacts and joints are -snes_type nsgs"},
    {"qn", "matrices that PETSc loses when the contacts of a step change"},
    {"newtontrdc", kTransposed},
    {"vinewtonssls", kTransposed},
    {"ksptransposeonly", kTransposed},
};

}  // namespace

void check_snes_needs() {
  for (const char* option : {"snes_type", "npc_snes_type"}) {
    const std::string type = database_value(option).value_or("");
    for (const Need& need : kNeeds)
      if (type == need.type)
        throw InputError("-" + std::string(option) + " " + type + " needs " + need.what +
                         ": use nonsmooth_newton, newtonls, newtontr, nsgs or another of `clarke list snes_type`");
  }
}

}  // namespace clarke
