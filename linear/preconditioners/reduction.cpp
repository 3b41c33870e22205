#include "linear/preconditioners/reduction.hpp"

#include "framework/error.hpp"
#include "framework/petsc_views.hpp"
#include "linear/operators/form.hpp"
#include "linear/preconditioners/assembled_matrix.hpp"
#include "linear/preconditioners/inner_solve.hpp"
#include "linear/preconditioners/layout_change.hpp"

#include <petsc/private/pcimpl.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace clarke {

namespace {
constexpr const char* kCheckKey = "ClarkeReductionCheck_C";
PetscLogEvent reduce_event, inner_event;

struct Reduction {
  SystemOptions options;
  KSP inner = nullptr;
  ReducedSystem reduced;
  std::unique_ptr<Form> form;
  AssembledMatrix assembled;
  Mat shell = nullptr;
  Vec b = nullptr, z = nullptr;
  std::uint64_t layout_stamp = 0, linearisation_stamp = 0;
  Buffer<Vec3> r_u{"r_u"}, y_u{"y_u"};
  Buffer<double> s{"s"}, sigma{"sigma"}, y_turned{"y_turned"}, y_impulse{"y_impulse"};
};

template <std::size_t N>
bool among(const char* name, const std::array<std::string_view, N>& list) {
  return name && std::find(list.begin(), list.end(), name) != list.end();
}

constexpr std::array<std::string_view, 13> kDefiniteOnly{
    "pcr",     "pcg",     "jacobi", "gauss_seidel", "cr",   "cg",  "pipecg",
    "pipecr",  "groppcg", "fcg",    "nash",         "stcg", "gltr"};
constexpr const char* kNoSchur = "-system_form schur: -soft_form stiffness gives H no explicit inverse: use -system_form stiffness or saddle";
/// Solve the islands of a Partition each on its own.
constexpr std::array<std::string_view, 2> kByIsland{"pcr", "pcg"};
constexpr std::array<std::string_view, 2> kSymmetricOnly{"minres", "symmlq"};
constexpr std::array<std::string_view, 3> kMatrixFreePc{"none", "jacobi", "block_jacobi"};
constexpr std::array<std::string_view, 2> kSymmetricPc{"cholesky", "icc"};

bool needs_assembled(const Reduction& r) {
  PCType pc_type = nullptr;
  PC pc = nullptr;
  if (KSPGetPC(r.inner, &pc) || PCGetType(pc, &pc_type)) return false;
  if (r.options.assembled != "auto") return r.options.assembled == "true";
  return !among(pc_type, kMatrixFreePc);
}

/// Why this combination of law, form, KSP and PC is inadmissible; "" when it is fine.
std::string inadmissible(const Reduction& r, const SaddlePointSystem& system) {
  KSPType ksp = nullptr;
  PCType pc_type = nullptr;
  PC pc = nullptr;
  if (KSPGetType(r.inner, &ksp) || KSPGetPC(r.inner, &pc) || PCGetType(pc, &pc_type))
    return "the inner solver has no type";
  const std::string k = ksp ? ksp : "", p = pc_type ? pc_type : "";
  const std::string& form = r.options.form;
  const bool schur = form == "schur";
  if (schur && system.sparse_hessian()) return kNoSchur;
  const bool symmetric = system.symmetric && (schur ? system.symmetric_delassus : !system.separate_transpose);
  const std::string because = !system.symmetric ? "the contact law is unsymmetric"
                              : schur           ? "the given Delassus operator is unsymmetric"
                                                : "-system_form " + form +
                                           " of a given Delassus operator is unsymmetric";
  const bool definite_only = among(ksp, kDefiniteOnly);
  if (!symmetric && definite_only && k != "gauss_seidel")
    return "-ksp_type " + k + " needs a symmetric system, but " + because +
           ": use gmres, or preonly with -pc_type lu";
  if (!symmetric && among(ksp, kSymmetricOnly))
    return "-ksp_type " + k + " needs a symmetric system, but " + because + ": use gmres";
  if (!symmetric && among(pc_type, kSymmetricPc))
    return "-pc_type " + p + " needs a symmetric system, but " + because + ": use lu";
  if (form == "saddle" && definite_only)
    return "-ksp_type " + k + " needs a definite system, but -system_form saddle is indefinite: use "
           "minres, gmres, or preonly with -pc_type cholesky or lu";
  if (p == "fieldsplit" && form != "saddle")
    return "-pc_type fieldsplit needs two fields: only -system_form saddle has velocities and impulses";
  if (k == "gauss_seidel" && (form != "schur" || needs_assembled(r)))
    return "-ksp_type gauss_seidel works on -system_form schur, matrix-free";
  if (form == "saddle" && p == "jacobi") {
    PetscBool absolute = PETSC_FALSE;
    if (PCJacobiGetUseAbs(pc, &absolute)) return "PCJacobiGetUseAbs failed";
    if (!absolute)
      return "-pc_type jacobi of -system_form saddle is indefinite, and almost zero where rows are rigid: "
             "use -pc_type block_jacobi";
  }
  if (r.options.assembled == "false" && !among(pc_type, kMatrixFreePc))
    return "-pc_type " + p + " needs matrix entries, but -system_assembled is false";
  if (r.options.assembled == "true" && p == "block_jacobi")
    return "-pc_type block_jacobi is matrix-free: leave out -system_assembled true, or use pbjacobi";
  // PETSc's own sparse factorisations do not pivot, so they break down on the saddle form's zero diagonal.
  if (form == "saddle" && (p == "cholesky" || p == "lu")) {
    MatSolverType package = nullptr;
    if (PCFactorGetMatSolverType(pc, &package)) return "PCFactorGetMatSolverType failed";
    if (!package || std::string(package) == MATSOLVERPETSC)
      return "-pc_type " + p + " of PETSc does not pivot, and -system_form saddle needs it: add "
             "-pc_factor_mat_solver_type mumps";
  }
  return "";
}

PetscErrorCode check_reduction(PC pc, const SaddlePointSystem* system, char* message, std::size_t size) {
  auto* r = static_cast<Reduction*>(pc->data);
  PetscFunctionBegin;
  const std::string reason = inadmissible(*r, *system);
  PetscCall(PetscStrncpy(message, reason.c_str(), size));
  PetscFunctionReturn(0);
}

PetscErrorCode reset(PC pc) {
  auto* r = static_cast<Reduction*>(pc->data);
  PetscFunctionBegin;
  PetscCall(KSPReset(r->inner));
  PetscCall(r->assembled.destroy());
  PetscCall(MatDestroy(&r->shell));
  PetscCall(VecDestroy(&r->b));
  PetscCall(VecDestroy(&r->z));
  r->form.reset();
  r->layout_stamp = 0;
  PetscFunctionReturn(0);
}

PetscErrorCode set_up_layout(PC pc, const SaddlePointSystem& system) {
  auto* r = static_cast<Reduction*>(pc->data);
  PetscFunctionBegin;
  PetscCall(reset(pc));
  r->reduced.reduce(system, r->options.shift);
  r->form = create_form(r->options.form, r->reduced);
  PetscCall(create_operator_shell(r->form.get(), &r->shell));
  PetscCall(MatSetOption(r->shell, MAT_SYMMETRIC, r->form->symmetric() ? PETSC_TRUE : PETSC_FALSE));
  PetscCall(MatCreateVecs(r->shell, &r->b, &r->z));
  if (needs_assembled(*r)) PetscCall(r->assembled.create(*r->form));
  PC inner_pc = nullptr;
  PetscCall(KSPGetPC(r->inner, &inner_pc));
  PetscCall(prepare_for_layout(inner_pc, system.velocity_size(), r->options.form == "saddle" ? system.pattern.rows : 0));
  r->layout_stamp = system.layout_stamp;
  PetscFunctionReturn(0);
}

/// MUMPS sizes its workspace from the pattern, without the fill that pivoting on an indefinite matrix brings, and gives up when it
/// runs out: room for three times the estimate instead of 1.2 times. -mat_mumps_icntl_14 wins over it.
constexpr PetscInt kMumpsWorkspacePercent = 200;

PetscErrorCode give_mumps_room(KSP inner) {
  PC pc = nullptr;
  MatSolverType package = nullptr;
  PetscBool factorises = PETSC_FALSE;
  Mat factor = nullptr;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(inner, &pc));
  PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, &factorises, PCLU, PCCHOLESKY, ""));
  if (!factorises) PetscFunctionReturn(0);
  PetscCall(PCFactorGetMatSolverType(pc, &package));
  if (!package || std::string(package) != MATSOLVERMUMPS) PetscFunctionReturn(0);
  PetscCall(PCFactorSetUpMatSolverType(pc));
  PetscCall(PCFactorGetMatrix(pc, &factor));
  PetscCall(MatMumpsSetIcntl(factor, 14, kMumpsWorkspacePercent));
  PetscFunctionReturn(0);
}

PetscErrorCode set_up_now(PC pc) {
  auto* r = static_cast<Reduction*>(pc->data);
  auto* system = static_cast<SaddlePointSystem*>(pc->user);
  PetscFunctionBegin;
  PetscCheck(system, PETSC_COMM_SELF, PETSC_ERR_ORDER, "PC reduction has no system");
  PetscCall(PetscLogEventBegin(reduce_event, 0, 0, 0, 0));
  const bool new_layout = r->layout_stamp != system->layout_stamp || !r->form;
  if (new_layout) {
    PetscCall(set_up_layout(pc, *system));
  } else {
    r->reduced.reduce(*system, r->options.shift);
  }
  (void)r->form->update();
  r->linearisation_stamp = system->linearisation_stamp;
  PetscCall(MatAssemblyBegin(r->shell, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(r->shell, MAT_FINAL_ASSEMBLY));
  Mat op = r->shell;
  if (r->assembled.mat()) {
    PetscCall(r->assembled.update(*r->form));
    op = r->assembled.mat();
  }
  PetscCall(KSPSetOperators(r->inner, op, op));
  if (new_layout && r->assembled.mat()) PetscCall(give_mumps_room(r->inner));
  PetscCall(PetscLogEventEnd(reduce_event, 0, 0, 0, 0));
  PetscFunctionReturn(0);
}

PetscErrorCode set_up(PC pc) {
  PetscFunctionBegin;
  try {
    PetscCall(set_up_now(pc));
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

/// (r_u, s) of reduced_system.hpp from PETSc's scaled right-hand side.
void unscale(const SaddlePointSystem& system, const View<double>& x, const View<Vec3>& r_u,
             const View<double>& s) {
  const int nu = system.velocity_size();
  const View<double> su = system.momentum_scale, sh = system.row_scale;
  const View<Vec3> xu = as_vec3(x, 0, system.blocks);
  parallel_for(
      "unscale_momentum", system.blocks, KOKKOS_LAMBDA(int b) { r_u(b) = xu(b) / su(b); }, 3);
  parallel_for(
      "unscale_rows", system.pattern.rows, KOKKOS_LAMBDA(int r) { s(r) = -x(nu + r) / sh(r); }, 2);
  if (!system.islands.separate) return;
  // Islands on which Newton has ended take no step: nothing on the right, nothing comes out.
  const View<int> of_block = system.islands.of_block, of_item = system.islands.of_item,
                  ended = system.islands.ended, row_item = system.pattern.row_item;
  parallel_for(
      "rest_ended_momentum", system.blocks,
      KOKKOS_LAMBDA(int b) {
        if (of_block(b) >= 0 && ended(of_block(b))) r_u(b) = Vec3{};
      });
  parallel_for(
      "rest_ended_rows", system.pattern.rows,
      KOKKOS_LAMBDA(int r) {
        const int island = of_item(row_item(r));
        if (island >= 0 && ended(island)) s(r) = 0;
      },
      2);
}

PetscErrorCode record(PC pc, SaddlePointSystem& system, const Reduction& r) {
  KSPConvergedReason reason;
  PetscInt iterations = 0, length = 0;
  const PetscReal* history = nullptr;
  PetscReal last = 0;
  PetscFunctionBegin;
  PetscCall(KSPGetConvergedReason(r.inner, &reason));
  PetscCall(KSPGetIterationNumber(r.inner, &iterations));
  PetscCall(KSPGetResidualHistory(r.inner, &history, &length));
  PetscCall(KSPGetResidualNorm(r.inner, &last));
  LinearReport& report = system.linear;
  report.iterations += static_cast<int>(iterations);
  const Partition* partition = r.form->partition();
  KSPType type = nullptr;
  PetscCall(KSPGetType(r.inner, &type));
  const bool by_island = partition && among(type, kByIsland) && !r.assembled.mat();
  report.row_iterations += by_island ? partition->row_iterations
                                     : static_cast<long>(iterations) * system.pattern.rows;
  report.relative_residual = length > 0 && history[0] > 0 ? last / history[0] : 0;
  for (PetscInt i = 0; report.keep_history && i < length; ++i) report.history.emplace_back(static_cast<int>(i), history[i]);
  report.reason = reason == KSP_DIVERGED_ITS ? "budget" : KSPConvergedReasons[reason];
  report.failed = false;
  if (reason < 0 && reason != KSP_DIVERGED_ITS) {
    const bool indefinite =
        reason == KSP_DIVERGED_INDEFINITE_PC || reason == KSP_DIVERGED_INDEFINITE_MAT;
    if (indefinite && report.relative_residual < kIndefiniteAtRounding) {
      ++report.safeguards["indefinite_at_rounding"];
    } else {
      report.failed = true;
      if (r.form->kept_rows() > 0 && indefinite)
        report.reason += " (" + std::to_string(r.form->kept_rows()) +
                         " rigid items keep the stiffness form indefinite: use minres, or "
                         "-shift_relative above 0)";
      PetscCall(PCSetFailedReason(pc, PC_SUBPC_ERROR));
    }
  }
  PetscFunctionReturn(0);
}

/// -snes_ksp_ew sets the relative tolerance of the outer KSP, which has no use for it: it is the inner one's.
PetscErrorCode take_forcing(PC pc, KSP outer, Vec, Vec) {
  auto* r = static_cast<Reduction*>(pc->data);
  const auto* system = static_cast<const SaddlePointSystem*>(pc->user);
  PetscReal rtol = 0;
  PetscFunctionBegin;
  if (!system || !system->forcing) PetscFunctionReturn(0);
  PetscCall(KSPGetTolerances(outer, &rtol, nullptr, nullptr, nullptr));
  PetscCall(KSPSetTolerances(r->inner, rtol, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscFunctionReturn(0);
}

PetscErrorCode apply(PC pc, Vec x, Vec y) {
  auto* r = static_cast<Reduction*>(pc->data);
  auto* system = static_cast<SaddlePointSystem*>(pc->user);
  PetscFunctionBegin;
  if (r->linearisation_stamp != system->linearisation_stamp) PetscCall(set_up(pc));
  const View<Vec3> r_u = r->r_u.resize(system->blocks), y_u = r->y_u.resize(system->blocks);
  const int rows = system->pattern.rows;
  const View<double> s = r->s.resize(rows), sigma = r->sigma.resize(rows),
                     y_turned = r->y_turned.resize(rows), y_impulse = r->y_impulse.resize(rows);
  {
    const VecRead in(x);
    unscale(*system, in.view(), r_u, s);
  }
  r->reduced.right_hand_side(r_u, s, sigma);
  Kokkos::deep_copy(system->known_step.view(), r->reduced.known_step());
  {
    VecWrite b(r->b);
    r->form->right_hand_side(r_u, sigma, b.view());
  }
  if (r->form->size() > 0) {  // nothing to solve for a Schur form without rows
    PetscCall(PetscLogEventBegin(inner_event, 0, 0, 0, 0));
    PetscCall(inner_solve(r->inner, r->b, r->z));
    PetscCall(PetscLogEventEnd(inner_event, 0, 0, 0, 0));
    PetscCall(record(pc, *system, *r));
  }
  {
    const VecRead z(r->z);
    r->form->solution(z.view(), r_u, sigma, y_turned, y_u);
  }
  r->reduced.expand(y_turned, y_impulse);
  VecWrite out(y);
  Kokkos::deep_copy(as_vec3(out.view(), 0, system->blocks), y_u);
  Kokkos::deep_copy(
      Kokkos::subview(out.view(), Kokkos::make_pair(system->velocity_size(), system->size())),
      y_impulse);
  PetscFunctionReturn(0);
}

PetscErrorCode set_from_options(PC pc, PetscOptionItems* PetscOptionsObject) {
  auto* r = static_cast<Reduction*>(pc->data);
  PetscFunctionBegin;
  (void)PetscOptionsObject;
  try {
    read_options(r->options);
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER_INPUT, "%s", e.what());
  }
  PetscCall(KSPSetFromOptions(r->inner));
  PetscFunctionReturn(0);
}

PetscErrorCode view(PC pc, PetscViewer viewer) {
  auto* r = static_cast<Reduction*>(pc->data);
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIPrintf(viewer, "  form %s, relative shift %g; inner solver:\n",
                                   r->options.form.c_str(), r->reduced.shift()));
  PetscCall(PetscViewerASCIIPushTab(viewer));
  PetscCall(KSPView(r->inner, viewer));
  PetscCall(PetscViewerASCIIPopTab(viewer));
  PetscFunctionReturn(0);
}

PetscErrorCode destroy(PC pc) {
  auto* r = static_cast<Reduction*>(pc->data);
  PetscFunctionBegin;
  PetscCall(reset(pc));
  PetscCall(KSPDestroy(&r->inner));
  delete r;
  pc->data = nullptr;
  PetscFunctionReturn(0);
}

PetscErrorCode create(PC pc) {
  PC inner_pc = nullptr;
  PetscFunctionBegin;
  auto* r = new Reduction;
  pc->data = r;
  PetscCall(KSPCreate(PETSC_COMM_SELF, &r->inner));
  PetscCall(PetscObjectIncrementTabLevel((PetscObject)r->inner, (PetscObject)pc, 1));
  PetscCall(KSPSetType(r->inner, "pcr"));
  PetscCall(KSPGetPC(r->inner, &inner_pc));
  PetscCall(PCSetType(inner_pc, PCJACOBI));
  // The interactive budget: twenty iterations, or ten digits when that comes first.
  PetscCall(KSPSetTolerances(r->inner, 1e-10, 1e-50, PETSC_DEFAULT, 20));
  PetscCall(KSPSetResidualHistory(r->inner, nullptr, PETSC_DECIDE, PETSC_TRUE));
  pc->ops->setup = set_up;
  pc->ops->apply = apply;
  pc->ops->presolve = take_forcing;
  pc->ops->setfromoptions = set_from_options;
  pc->ops->view = view;
  pc->ops->reset = reset;
  pc->ops->destroy = destroy;
  PetscCall(PetscObjectComposeFunction((PetscObject)pc, kCheckKey, check_reduction));
  PetscFunctionReturn(0);
}

}  // namespace

KSP reduction_inner(PC pc) {
  PetscBool ours = PETSC_FALSE;
  if (PetscObjectTypeCompare((PetscObject)pc, "reduction", &ours) || !ours) return nullptr;
  return static_cast<const Reduction*>(pc->data)->inner;
}

PetscErrorCode register_reduction() {
  PetscClassId class_id;
  PetscFunctionBegin;
  PetscCall(PCRegister("reduction", create));
  PetscCall(PetscClassIdRegister("Clarke linear", &class_id));
  PetscCall(PetscLogEventRegister("ClarkeReduce", class_id, &reduce_event));
  PetscCall(PetscLogEventRegister("ClarkeInnerKSP", class_id, &inner_event));
  PetscFunctionReturn(0);
}

}  // namespace clarke
