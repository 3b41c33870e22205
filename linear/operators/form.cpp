#include "linear/operators/form.hpp"

#include "framework/error.hpp"
#include "linear/operators/saddle.hpp"
#include "linear/operators/schur.hpp"
#include "linear/operators/stiffness.hpp"

namespace clarke {

std::unique_ptr<Form> create_form(const std::string& name, const ReducedSystem& reduced) {
  if (name == "schur") return std::make_unique<SchurForm>(reduced);
  if (name == "saddle") return std::make_unique<SaddleForm>(reduced);
  if (name == "stiffness") return std::make_unique<StiffnessForm>(reduced);
  throw InputError("-system_form: unknown '" + name + "'" +
                   suggestion(name, {"schur", "saddle", "stiffness"}));
}

}  // namespace clarke
