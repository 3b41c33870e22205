#include "linear/preconditioners/admissible.hpp"

#include "linear/krylov/krylov_method.hpp"
#include "linear/preconditioners/pc_needs.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace clarke {

namespace {

/// What makes H unsymmetric.
std::string unsymmetric_hessian(const SaddlePointSystem& system) {
  return system.turn.view().extent(0) > 0 ? "-geometric_stiffness full" : "smooth friction (-contact_penalty)";
}

template <std::size_t N>
bool among(const std::string& name, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Of PETSc's types, which cannot be asked; ours can (KrylovMethod::needs).
constexpr std::array<std::string_view, 9> kDefiniteOnly{"cr",  "cg",   "pipecg", "pipecr", "groppcg",
                                                        "fcg", "nash", "stcg",   "gltr"};
constexpr std::array<std::string_view, 2> kSymmetricOnly{"minres", "symmlq"};
constexpr std::array<std::string_view, 3> kMatrixFreePc{"none", "jacobi", "block_jacobi"};
constexpr std::array<std::string_view, 2> kSymmetricPc{"cholesky", "icc"};

constexpr std::array<std::string_view, 2> kCountsPivots{MATSOLVERPETSC, MATSOLVERMUMPS};
constexpr std::array<std::string_view, 2> kWithoutPivoting{MATSOLVERPETSC, "multifrontal"};
constexpr std::array<std::string_view, 2> kOperatorPc{"block_jacobi", "reduction"};

KrylovNeeds needs_of(KSP ksp) {
  if (const KrylovMethod* method = krylov_method_of(ksp)) return method->needs();
  KSPType type = nullptr;
  if (KSPGetType(ksp, &type) || !type) return {};
  const bool definite = among(type, kDefiniteOnly);
  return {.symmetric = definite || among(type, kSymmetricOnly), .definite = definite};
}

/// The Schur form of a block-sparse H is a product and nothing else; H itself is a matrix and no operator of ours.
std::string inadmissible_with_hessian(const std::string& ksp, const KrylovNeeds& needs, const std::string& pc_type,
                                      const SystemOptions& options, KSP hessian, const SaddlePointSystem& system) {
  const bool symmetric = system.traits.symmetric_hessian;
  const std::string because = std::string("-system_form schur with ") +
                              (symmetric ? "-soft_form stiffness" : unsymmetric_hessian(system)) +
                              " solves with H and has no entries: ";
  if (!among(pc_type, kMatrixFreePc))
    return because + "-pc_type " + pc_type +
           " needs them; use none, jacobi or block_jacobi, or -system_form stiffness or saddle";
  if (options.assembled == "true")
    return because + "leave out -system_assembled true, or use -system_form stiffness or saddle";
  if (needs.schur_rows || ksp == "preonly")
    return because + "-ksp_type " + ksp + " needs them; use a Krylov method, or -system_form stiffness or saddle";
  KSPType type = nullptr;
  PCType inner = nullptr;
  PC pc = nullptr;
  if (KSPGetType(hessian, &type) || KSPGetPC(hessian, &pc) || PCGetType(pc, &inner))
    return "the solver of H has no type";
  if (inner && among(inner, kOperatorPc))
    return std::string("-hessian_pc_type ") + inner +
           " is for the constraint system: use cholesky, lu, icc or pbjacobi";
  MatSolverType package = nullptr;
  if (PCFactorGetMatSolverType(pc, &package)) return "PCFactorGetMatSolverType failed";
  if (inner && std::string(inner) == "cholesky" && package && !among(package, kCountsPivots))
    return std::string("-hessian_pc_factor_mat_solver_type ") + package +
           " factorises an indefinite H without a word: use petsc or mumps";
  if (!symmetric && (needs_of(hessian).symmetric || (inner && among(inner, kSymmetricPc))))
    return unsymmetric_hessian(system) + " makes H unsymmetric: add -hessian_pc_type lu, or use -system_form stiffness";
  if (type && needs_of(hessian).schur_rows)
    return std::string("-hessian_ksp_type ") + type + " is for the constraint system: use preonly or cg";
  return "";
}

}  // namespace

bool needs_assembled(const SystemOptions& options, KSP inner) {
  PCType pc_type = nullptr;
  PC pc = nullptr;
  if (KSPGetPC(inner, &pc) || PCGetType(pc, &pc_type)) return false;
  if (options.assembled != "auto") return options.assembled == "true";
  return !pc_type || !among(pc_type, kMatrixFreePc);
}

bool factorises_dense(KSP inner) {
  PC pc = nullptr;
  PetscBool factorises = PETSC_FALSE;
  MatSolverType package = nullptr;
  if (KSPGetPC(inner, &pc)) return false;
  if (PetscObjectTypeCompareAny((PetscObject)pc, &factorises, PCLU, PCCHOLESKY, "") || !factorises) return false;
  return !PCFactorGetMatSolverType(pc, &package) && (!package || std::string_view(package) == MATSOLVERPETSC);
}

std::string inadmissible(const SystemOptions& options, KSP inner, KSP hessian, const SaddlePointSystem& system,
                         const std::string& row_writer) {
  KSPType ksp = nullptr;
  PCType pc_type = nullptr;
  PC pc = nullptr;
  if (KSPGetType(inner, &ksp) || KSPGetPC(inner, &pc) || PCGetType(pc, &pc_type)) return "the inner solver has no type";
  const std::string k = ksp ? ksp : "", p = pc_type ? pc_type : "";
  const std::string& form = options.form;
  const bool schur = form == "schur";
  const KrylovNeeds needs = needs_of(inner);
  if (std::string reason = missing_for(pc); !reason.empty()) return reason;
  if (needs.symmetric && is_unsymmetric_pc(p))
    return "-ksp_type " + k + " needs a symmetric preconditioner, which -pc_type " + p +
           " is not: use block_jacobi, jacobi or gamg, or -ksp_type gmres";
  if (hessian) {
    std::string reason = inadmissible_with_hessian(k, needs, p, options, hessian, system);
    if (!reason.empty()) return reason;
  }
  const bool symmetric = system.traits.symmetric && system.traits.symmetric_hessian &&
                         (schur ? system.traits.symmetric_delassus : !system.traits.separate_transpose);
  const std::string because = !row_writer.empty()        ? "the matrix of -snes_type " + row_writer + " is unsymmetric"
                              : !system.traits.symmetric ? "the contact law is unsymmetric"
                              : !system.traits.symmetric_hessian ? unsymmetric_hessian(system) + " makes H unsymmetric"
                              : schur                            ? "the given Delassus operator is unsymmetric"
                                      : "-system_form " + form + " of a given Delassus operator is unsymmetric";
  if (!symmetric && needs.symmetric)
    return "-ksp_type " + k + " needs a symmetric system, but " + because + ": use gmres, or preonly with -pc_type lu";
  if (p == PCQR) {
    MatSolverType package = nullptr;
    if (PCFactorGetMatSolverType(pc, &package)) return "PCFactorGetMatSolverType failed";
    if (package && std::string_view(package) == MATSOLVERPETSC)
      return "-pc_type qr is none of PETSc's own: add -pc_factor_mat_solver_type spqr";
  }
  if (!symmetric && among(p, kSymmetricPc))
    return "-pc_type " + p + " needs a symmetric system, but " + because + ": use lu";
  if (form == "saddle" && needs.definite)
    return "-ksp_type " + k +
           " needs a definite system, but -system_form saddle is indefinite: use "
           "minres, gmres, or preonly with -pc_type cholesky or lu";
  if (p == "fieldsplit" && form != "saddle")
    return "-pc_type fieldsplit needs two fields: use -system_form saddle, which has velocities and impulses";
  if (needs.schur_rows && (form != "schur" || needs_assembled(options, inner)))
    return "-ksp_type " + k + " works on -system_form schur, matrix-free";
  if (form == "saddle" && p == "jacobi") {
    PetscBool absolute = PETSC_FALSE;
    if (PCJacobiGetUseAbs(pc, &absolute)) return "PCJacobiGetUseAbs failed";
    if (!absolute)
      return "-pc_type jacobi of -system_form saddle is indefinite, and almost zero where rows are rigid: "
             "use -pc_type block_jacobi";
  }
  if (options.assembled == "false" && !among(p, kMatrixFreePc))
    return "-pc_type " + p + " needs matrix entries, but -system_assembled is false";
  if (options.assembled == "true" && p == "block_jacobi")
    return "-pc_type block_jacobi is matrix-free: leave out -system_assembled true, or use pbjacobi";
  // PETSc's own sparse factorisations do not pivot, so they break down on the saddle form's zero diagonal.
  if (form == "saddle" && (p == "cholesky" || p == "lu")) {
    MatSolverType package = nullptr;
    if (PCFactorGetMatSolverType(pc, &package)) return "PCFactorGetMatSolverType failed";
    if (!package || among(package, kWithoutPivoting))
      return "-pc_type " + p +
             " of PETSc, or multifrontal, does not pivot, and -system_form saddle needs it: add "
             "-pc_factor_mat_solver_type mumps";
  }
  return "";
}

}  // namespace clarke
