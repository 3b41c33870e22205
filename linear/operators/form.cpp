#include "linear/operators/form.hpp"

#include "framework/error.hpp"
#include "linear/operators/saddle.hpp"
#include "linear/operators/schur.hpp"
#include "linear/operators/solved_schur.hpp"
#include "linear/operators/stiffness.hpp"

#include <stdexcept>

namespace clarke {

void add_hessian_coordinates(const ReducedSystem& reduced, std::vector<int>& rows, std::vector<int>& columns) {
  add_hessian_blocks(reduced, [&](int b, int c) {
    for (int e = 0; e < 9; ++e) {
      rows.push_back(3 * b + e / 3);
      columns.push_back(3 * c + e % 3);
    }
  });
}

std::unique_ptr<Form> create_form(const std::string& name, const ReducedSystem& reduced, HessianSolver* hessian,
                                  bool exact_diagonal) {
  if (name == "schur" && reduced.off_diagonal().entries > 0) {
    if (!hessian) throw std::logic_error("Schur form: H has no explicit inverse, and nothing solves with it");
    return std::make_unique<SolvedSchurForm>(reduced, *hessian, exact_diagonal);
  }
  if (name == "schur") return std::make_unique<SchurForm>(reduced);
  if (name == "saddle") return std::make_unique<SaddleForm>(reduced);
  if (name == "stiffness") return std::make_unique<StiffnessForm>(reduced);
  throw InputError("-system_form: unknown '" + name + "'" + suggestion(name, {"schur", "saddle", "stiffness"}));
}

}  // namespace clarke
