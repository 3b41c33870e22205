#include "assembly/solver_record.hpp"

#include "linear/krylov/krylov_method.hpp"
#include "linear/preconditioners/reduction.hpp"
#include "ncp/strategies/nonsmooth_newton.hpp"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace clarke {

namespace {

void petsc_check(PetscErrorCode error) {
  if (error) throw std::runtime_error("PETSc does not tell its settings");
}

const char* text(const char* value) { return value ? value : ""; }

void add_linear(KSP ksp, const std::string& prefix, nlohmann::json& out) {
  KSPType type = nullptr;
  PC pc = nullptr;
  PCType pc_type = nullptr;
  PetscReal rtol, atol;
  PetscInt max_it;
  PetscBool factorises = PETSC_FALSE;
  petsc_check(KSPGetType(ksp, &type));
  petsc_check(KSPGetTolerances(ksp, &rtol, &atol, nullptr, &max_it));
  petsc_check(KSPGetPC(ksp, &pc));
  petsc_check(PCGetType(pc, &pc_type));
  out[prefix + "ksp_type"] = text(type);
  out[prefix + "ksp_rtol"] = rtol;
  out[prefix + "ksp_atol"] = atol;
  out[prefix + "ksp_max_it"] = static_cast<int>(max_it);
  out[prefix + "pc_type"] = text(pc_type);
  if (KrylovMethod* method = krylov_method_of(ksp))
    out.update(options_record([method](OptionVisitor& v) { method->describe(v); }));
  petsc_check(PetscObjectTypeCompareAny((PetscObject)pc, &factorises, PCLU, PCCHOLESKY, PCILU, PCICC, ""));
  if (!factorises) return;
  MatSolverType package = nullptr;
  petsc_check(PCFactorGetMatSolverType(pc, &package));
  out[prefix + "pc_factor_mat_solver_type"] = text(package);
}

}  // namespace

nlohmann::json solver_record(SNES snes) {
  nlohmann::json out;
  SNESType type = nullptr;
  KSP outer = nullptr;
  PC pc = nullptr;
  PetscReal atol, rtol, stol;
  PetscInt max_it;
  petsc_check(SNESGetType(snes, &type));
  petsc_check(SNESGetTolerances(snes, &atol, &rtol, &stol, &max_it, nullptr));
  out["snes_type"] = text(type);
  out["snes_atol"] = atol;
  out["snes_rtol"] = rtol;
  out["snes_max_it"] = static_cast<int>(max_it);
  PetscBool nested = PETSC_FALSE;
  SNES worker = snes;  // who takes Newton's steps
  petsc_check(SNESHasNPC(snes, &nested));
  if (nested) {
    petsc_check(SNESGetNPC(snes, &worker));
    petsc_check(SNESGetType(worker, &type));
    out["npc_snes_type"] = text(type);
  }
  out["newton_damping"] = newton_damping(worker);
  petsc_check(SNESGetKSP(worker, &outer));
  petsc_check(KSPGetPC(outer, &pc));
  if (KSP inner = reduction_inner(pc)) {
    add_linear(inner, "", out);
    if (KSP hessian = reduction_hessian(pc)) add_linear(hessian, "hessian_", out);
    SystemOptions system;
    read_options(system);
    out.update(options_record([&system](OptionVisitor& v) { system.describe(v); }));
  }
  return out;
}

}  // namespace clarke
