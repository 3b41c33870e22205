#pragma once
// A SNES type of ours from its solve function: everything else that PETSc wants of a type is the same for all of them.
//
//   struct S { kName; kSummary; kCitation;
//              Options options;                        read from the database, described once; where the type is
//                                                      S::Options, it is in the options reference without another line
//              static constexpr StrategyTraits kTraits;  what it asks of a step and of others (strategy_traits.hpp)
//              void carry_over(StateArchive&); keep(); take_back();
//                                                      only where it remembers something from step to step
//              PetscErrorCode solve(SNES); }

#include "framework/options.hpp"
#include "framework/registry.hpp"
#include "ncp/strategies/snes_iterate.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "ncp/strategies/strategy_traits.hpp"

#include <petsc/private/snesimpl.h>

#include <stdexcept>

namespace clarke {

/// Whose callbacks the SNES has: an inner one has those of its outer one.
inline SnesStepSolver* step_solver_of(SNES snes) {
  void* context = nullptr;
  if (SNESGetFunction(snes, nullptr, nullptr, &context)) return nullptr;
  return static_cast<SnesStepSolver*>(context);
}

template <class S>
struct SnesType {
  static void describe(SNES snes, OptionVisitor& visitor) { static_cast<S*>(snes->data)->options.describe(visitor); }
  static SnesMemory memory() {
    if constexpr (requires(S s, StateArchive & archive) { s.carry_over(archive); })
      return {[](SNES snes, StateArchive& archive) { static_cast<S*>(snes->data)->carry_over(archive); },
              [](SNES snes) { static_cast<S*>(snes->data)->keep(); },
              [](SNES snes) { static_cast<S*>(snes->data)->take_back(); }};
    return {};
  }
  static PetscErrorCode set_up(SNES snes) {
    PetscFunctionBegin;
    snes->alwayscomputesfinalresidual = PETSC_TRUE;  // SNESReset clears it
    if (S::kTraits.linear) PetscCall(SNESSetUpMatrices(snes));
    if (S::kTraits.inner) PetscCall(SNESSetWorkVecs(snes, 1));
    PetscFunctionReturn(0);
  }
  static PetscErrorCode set_from_options(SNES snes, PetscOptionItems* PetscOptionsObject) {
    PetscFunctionBegin;
    (void)PetscOptionsObject;
    try {
      read_options(static_cast<S*>(snes->data)->options);
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER_INPUT, "%s", e.what());
    }
    PetscFunctionReturn(0);
  }
  static PetscErrorCode solve(SNES snes) {
    PetscFunctionBegin;
    try {
      PetscCall(static_cast<S*>(snes->data)->solve(snes));
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    PetscFunctionReturn(0);
  }
  static PetscErrorCode reset(SNES) { return 0; }
  static PetscErrorCode destroy(SNES snes) {
    PetscFunctionBegin;
    delete static_cast<S*>(snes->data);
    snes->data = nullptr;
    PetscFunctionReturn(0);
  }
  static PetscErrorCode create(SNES snes) {
    PetscFunctionBegin;
    snes->ops->setup = set_up;
    snes->ops->solve = solve;
    snes->ops->setfromoptions = set_from_options;
    snes->ops->reset = reset;
    snes->ops->destroy = destroy;
    snes->usesksp = S::kTraits.linear ? PETSC_TRUE : PETSC_FALSE;
    snes->usesnpc = S::kTraits.inner ? PETSC_TRUE : PETSC_FALSE;
    snes->alwayscomputesfinalresidual = PETSC_TRUE;
    snes->data = new S;
    if (S::kTraits.inner) {
      SNES inner = nullptr;
      PetscCall(SNESGetNPC(snes, &inner));
      PetscCall(SNESSetType(inner, "nonsmooth_newton"));
    }
    PetscFunctionReturn(0);
  }
};

template <class S>
void register_snes_type() {
  if (SNESRegister(S::kName, SnesType<S>::create))
    throw std::runtime_error(std::string("PETSc refused to register ") + S::kName);
  add_strategy(S::kName, S::kTraits, SnesType<S>::describe, SnesType<S>::memory());
  registrations().push_back({"snes_type", S::kName, S::kSummary, S::kCitation});
  if constexpr (requires { typename S::Options; })
    add_option_group<typename S::Options>(S::kName, std::string("SNES type `") + S::kName + "`");
}

}  // namespace clarke
