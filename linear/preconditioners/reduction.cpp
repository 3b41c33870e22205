#include "linear/preconditioners/reduction.hpp"

#include "framework/error.hpp"
#include "framework/linear_exchange.hpp"
#include "framework/petsc_views.hpp"
#include "linear/krylov/krylov_method.hpp"
#include "linear/layout_change.hpp"
#include "linear/mumps_room.hpp"
#include "linear/operators/form.hpp"
#include "linear/operators/hessian_solver.hpp"
#include "linear/preconditioners/admissible.hpp"
#include "linear/preconditioners/assembled_matrix.hpp"
#include "linear/preconditioners/inner_solve.hpp"
#include "linear/preconditioners/pc_needs.hpp"
#include "linear/scaled_vectors.hpp"

#include <petsc/private/pcimpl.h>

namespace clarke {

namespace {
constexpr const char* kCheckKey = "ClarkeReductionCheck_C";
PetscLogEvent reduce_event, inner_event;

struct Reduction {
  SystemOptions options;
  KSP inner = nullptr;
  ReducedSystem reduced;
  HessianSolver hessian;  // outlives layouts: H knows nothing of contacts
  std::unique_ptr<Form> form;
  std::string refusal;  // why the present linearisation cannot be solved in this form
  AssembledMatrix assembled;
  Mat shell = nullptr;
  Vec b = nullptr, z = nullptr;
  int size = -1, entries = -1;  // of the matrices: size, and which coordinates they have
  std::uint64_t layout_stamp = 0, linearisation_stamp = 0;
  int step = 0;  // of the run, for which the inner solver was set up anew
  bool view_ksp = false, view_pc = false;
  Buffer<Vec3> r_u{"r_u"}, y_u{"y_u"};
  Buffer<double> s{"s"}, sigma{"sigma"}, y_rotated{"y_rotated"}, y_impulse{"y_impulse"};
};

PetscErrorCode check_reduction(PC pc, const SaddlePointSystem* system, char* message, std::size_t size) {
  auto* r = static_cast<Reduction*>(pc->data);
  const auto* exchange = static_cast<const LinearExchange*>(pc->user);
  PetscFunctionBegin;
  const bool solves = r->options.form == "schur" && system->sparse_hessian();
  if (solves) PetscCall(r->hessian.configure(system->traits.symmetric_hessian));
  const std::string reason = inadmissible(r->options, r->inner, solves ? r->hessian.ksp() : nullptr, *system,
                                          exchange ? exchange->row_writer : "");
  PetscCall(PetscStrncpy(message, reason.c_str(), size));
  PetscFunctionReturn(0);
}

PetscErrorCode destroy_vectors(Reduction& r) {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&r.shell));
  PetscCall(VecDestroy(&r.b));
  PetscCall(VecDestroy(&r.z));
  r.size = -1;
  PetscFunctionReturn(0);
}

/// The system is another one now. What depends on its matrix alone stays until that is seen to differ.
PetscErrorCode reset(PC pc) {
  auto* r = static_cast<Reduction*>(pc->data);
  PetscFunctionBegin;
  PetscCall(destroy_vectors(*r));
  r->form.reset();
  r->layout_stamp = 0;
  PetscFunctionReturn(0);
}

/// What is added to C: nothing where the strategy has seen to it that the matrix is regular.
RegularisationOptions shift_of(const Reduction& r, const LinearExchange& exchange) {
  RegularisationOptions shift = r.options.shift;
  if (!exchange.row_writer.empty()) {
    shift.rule = "fixed";
    shift.relative = shift.absolute = 0;
  }
  return shift;
}

MatrixStorage storage_of(const Reduction& r) {
  return r.form->size() <= r.options.dense_size && factorises_dense(r.inner) ? MatrixStorage::dense
                                                                             : MatrixStorage::sparse;
}

/// Matrices and vectors for the form's present size.
PetscErrorCode set_up_matrices(Reduction& r, const SaddlePointSystem& system) {
  bool fresh = true;
  PC inner_pc = nullptr;
  PetscFunctionBegin;
  PetscCall(destroy_vectors(r));
  PetscCall(create_operator_shell(r.form.get(), &r.shell));
  PetscCall(MatSetOption(r.shell, MAT_SYMMETRIC, r.form->symmetric() ? PETSC_TRUE : PETSC_FALSE));
  PetscCall(MatCreateVecs(r.shell, &r.b, &r.z));
  r.size = r.form->size();
  r.entries = r.form->entries();
  if (needs_assembled(r.options, r.inner)) PetscCall(r.assembled.create(*r.form, storage_of(r), &fresh));
  if (!fresh) PetscFunctionReturn(0);
  PetscCall(KSPReset(r.inner));
  PetscCall(KSPGetPC(r.inner, &inner_pc));
  PetscCall(prepare_for_layout(inner_pc, system.velocity_size(), r.options.form == "saddle" ? system.pattern.rows : 0));
  PetscFunctionReturn(0);
}

PetscErrorCode forget_matrices(Reduction& r) {
  PetscFunctionBegin;
  PetscCall(destroy_vectors(r));
  PetscCall(r.assembled.destroy());
  PetscCall(KSPReset(r.inner));
  r.form.reset();
  PetscFunctionReturn(0);
}

PetscErrorCode set_up_now(PC pc) {
  auto* r = static_cast<Reduction*>(pc->data);
  const auto* exchange = static_cast<const LinearExchange*>(pc->user);
  PetscFunctionBegin;
  PetscCheck(exchange && exchange->system, PETSC_COMM_SELF, PETSC_ERR_ORDER, "PC reduction has no system");
  const SaddlePointSystem* system = exchange->system;
  PetscCall(PetscLogEventBegin(reduce_event, 0, 0, 0, 0));
  PC inner_pc = nullptr;
  PetscCall(KSPGetPC(r->inner, &inner_pc));
  if (r->step != exchange->step && keeps_memory(inner_pc)) PetscCall(forget_matrices(*r));
  if (r->step != exchange->step && r->form) r->form->begin_step();
  r->step = exchange->step;
  const bool new_layout = r->layout_stamp != system->layout_stamp || !r->form;
  const bool in_place = r->options.form == "stiffness" && !exchange->row_writer.empty();
  r->reduced.reduce(*system, shift_of(*r, *exchange), exchange->residual_measure, in_place);
  if (new_layout) {
    r->form = create_form(r->options.form, r->reduced, &r->hessian, r->options.schur_diagonal == "exact");
    r->layout_stamp = system->layout_stamp;
  }
  r->refusal = r->form->update();
  r->linearisation_stamp = system->linearisation_stamp;
  const bool new_matrices = new_layout || r->form->size() != r->size || r->form->entries() != r->entries;
  if (new_matrices) PetscCall(set_up_matrices(*r, *system));
  PetscCall(MatAssemblyBegin(r->shell, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(r->shell, MAT_FINAL_ASSEMBLY));
  Mat op = r->shell;
  if (r->assembled.mat()) {
    PetscCall(r->assembled.update(*r->form));
    op = r->assembled.mat();
  }
  PetscCall(KSPSetOperators(r->inner, op, op));
  if (new_matrices && r->assembled.mat()) PetscCall(give_mumps_room(r->inner));
  PetscCall(PetscLogEventEnd(reduce_event, 0, 0, 0, 0));
  PetscFunctionReturn(0);
}

PetscErrorCode set_up(PC pc) {
  PetscFunctionBegin;
  PetscCall(PCSetFailedReason(pc, PC_NOERROR));  // PETSc keeps that of the last matrix
  try {
    PetscCall(set_up_now(pc));
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

PetscErrorCode record(PC pc, LinearExchange& exchange, const Reduction& r) {
  KSPConvergedReason reason;
  PetscInt iterations = 0, length = 0;
  const PetscReal* history = nullptr;
  PetscReal last = 0;
  PetscFunctionBegin;
  PetscCall(KSPGetConvergedReason(r.inner, &reason));
  PetscCall(KSPGetIterationNumber(r.inner, &iterations));
  PetscCall(KSPGetResidualHistory(r.inner, &history, &length));
  PetscCall(KSPGetResidualNorm(r.inner, &last));
  LinearReport& report = exchange.report;
  report.iterations += static_cast<int>(iterations);
  const Partition* partition = r.form->partition();
  const KrylovMethod* method = krylov_method_of(r.inner);
  const bool by_island = partition && method && method->by_island() && !r.assembled.mat();
  report.row_iterations +=
      by_island ? partition->row_iterations : static_cast<long>(iterations) * exchange.system->pattern.rows;
  report.relative_residual = length > 0 && history[0] > 0 ? last / history[0] : 0;
  for (PetscInt i = 0; report.keep_history && i < length; ++i)
    report.history.emplace_back(static_cast<int>(i), history[i]);
  report.reason = reason == KSP_DIVERGED_ITS ? "budget" : KSPConvergedReasons[reason];
  report.failed = false;
  if (reason < 0 && reason != KSP_DIVERGED_ITS) {
    const bool indefinite = reason == KSP_DIVERGED_INDEFINITE_PC || reason == KSP_DIVERGED_INDEFINITE_MAT;
    if (indefinite && report.relative_residual < kIndefiniteAtRounding) {
      ++report.safeguards["indefinite_at_rounding"];
    } else {
      report.failed = true;
      if (r.form->kept_rows() > 0 && indefinite)
        report.reason += " (" + std::to_string(r.form->kept_rows()) +
                         " rigid items keep the stiffness form indefinite: use minres, or "
                         "-regularisation_relative above 0)";
      PetscCall(PCSetFailedReason(pc, PC_SUBPC_ERROR));
    }
  }
  PetscFunctionReturn(0);
}

/// What the solves with H have to say, after the last of them.
PetscErrorCode record_hessian(PC pc, LinearReport& report, Reduction& r) {
  PetscFunctionBegin;
  const HessianSolver::Count count = r.hessian.take_count();
  if (count.solves > 0) report.safeguards["hessian_solves"] += count.solves;
  if (count.iterations > count.solves) report.safeguards["hessian_iterations"] += count.iterations;
  if (count.budgets > 0) report.safeguards["hessian_budget"] += count.budgets;
  if (r.refusal.empty()) r.refusal = r.hessian.failure();
  if (r.refusal.empty()) PetscFunctionReturn(0);
  report.failed = true;
  report.reason = r.refusal;
  PetscCall(PCSetFailedReason(pc, PC_SUBPC_ERROR));
  PetscFunctionReturn(0);
}

/// -snes_ksp_ew sets the relative tolerance of the outer KSP, which has no use for it: it is the inner one's.
PetscErrorCode take_forcing(PC pc, KSP outer, Vec, Vec) {
  auto* r = static_cast<Reduction*>(pc->data);
  const auto* exchange = static_cast<const LinearExchange*>(pc->user);
  PetscReal rtol = 0;
  PetscFunctionBegin;
  if (!exchange || !exchange->forcing) PetscFunctionReturn(0);
  PetscCall(KSPGetTolerances(outer, &rtol, nullptr, nullptr, nullptr));
  PetscCall(KSPSetTolerances(r->inner, rtol, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscFunctionReturn(0);
}

/// -ksp_view and -pc_view after every solve: by itself PETSc shows nothing of this KSP.
PetscErrorCode view_inner(const Reduction& r) {
  PC pc = nullptr;
  PetscFunctionBegin;
  if (r.view_ksp) PetscCall(KSPViewFromOptions(r.inner, nullptr, "-ksp_view"));
  PetscCall(KSPGetPC(r.inner, &pc));
  if (r.view_pc) PetscCall(PCViewFromOptions(pc, nullptr, "-pc_view"));
  PetscFunctionReturn(0);
}

/// The form's system, b and z of it.
PetscErrorCode solve_form(PC pc, Reduction& r, LinearExchange& exchange) {
  PetscFunctionBegin;
  if (r.form->size() == 0 || !r.refusal.empty()) PetscFunctionReturn(0);  // a Schur form without rows
  PetscCall(PetscLogEventBegin(inner_event, 0, 0, 0, 0));
  PetscCall(inner_solve(r.inner, r.b, r.z));
  PetscCall(PetscLogEventEnd(inner_event, 0, 0, 0, 0));
  PetscCall(record(pc, exchange, r));
  if (r.view_ksp || r.view_pc) PetscCall(view_inner(r));
  PetscFunctionReturn(0);
}

/// For a strategy that writes all rows itself, in a form whose unknowns are the velocities: that is all it asks for.
PetscErrorCode apply_to_velocities(PC pc, Reduction& r, LinearExchange& exchange, Vec x, Vec y) {
  const SaddlePointSystem& system = *exchange.system;
  PetscFunctionBegin;
  {
    const VecRead in(x);
    VecWrite b(r.b);
    unscale_momentum(system, in.view(), as_vec3(b.view(), 0, system.blocks));
  }
  PetscCall(solve_form(pc, r, exchange));
  PetscCall(record_hessian(pc, exchange.report, r));
  const VecRead z(r.z);
  VecWrite out(y);
  motion_to_velocity(system, as_vec3(z.view(), 0, system.blocks), as_vec3(out.view(), 0, system.blocks));
  const View<double> impulses = Kokkos::subview(out.view(), Kokkos::make_pair(system.velocity_size(), system.size()));
  fill(impulses, 0.0);
  PetscFunctionReturn(0);
}

PetscErrorCode apply(PC pc, Vec x, Vec y) {
  auto* r = static_cast<Reduction*>(pc->data);
  auto* exchange = static_cast<LinearExchange*>(pc->user);
  const SaddlePointSystem* system = exchange->system;
  PetscFunctionBegin;
  if (r->linearisation_stamp != system->linearisation_stamp) PetscCall(set_up(pc));
  if (!exchange->row_writer.empty() && r->form->only_velocities()) {
    PetscCall(apply_to_velocities(pc, *r, *exchange, x, y));
    PetscFunctionReturn(0);
  }
  const View<Vec3> r_u = r->r_u.resize(system->blocks), y_u = r->y_u.resize(system->blocks);
  const int rows = system->pattern.rows;
  const View<double> s = r->s.resize(rows), sigma = r->sigma.resize(rows), y_rotated = r->y_rotated.resize(rows),
                     y_impulse = r->y_impulse.resize(rows);
  {
    const VecRead in(x);
    unscale_momentum(*system, in.view(), r_u);
    unscale_rows(*system, in.view(), s);
  }
  r->reduced.right_hand_side(r_u, s, sigma);
  Kokkos::deep_copy(exchange->fixed_multiplier_step.resize(rows), r->reduced.fixed_multiplier_step());
  {
    VecWrite b(r->b);
    r->form->right_hand_side(r_u, sigma, b.view());
  }
  PetscCall(solve_form(pc, *r, *exchange));
  {
    const VecRead z(r->z);
    r->form->solution(z.view(), r_u, sigma, y_rotated, y_u);
  }
  PetscCall(record_hessian(pc, exchange->report, *r));
  r->reduced.expand(y_rotated, y_impulse);
  VecWrite out(y);
  motion_to_velocity(*system, y_u, as_vec3(out.view(), 0, system->blocks));
  Kokkos::deep_copy(Kokkos::subview(out.view(), Kokkos::make_pair(system->velocity_size(), system->size())), y_impulse);
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
  PetscBool view_ksp = PETSC_FALSE, view_pc = PETSC_FALSE;
  PetscCall(PetscOptionsHasName(nullptr, nullptr, "-ksp_view", &view_ksp));
  PetscCall(PetscOptionsHasName(nullptr, nullptr, "-pc_view", &view_pc));
  r->view_ksp = view_ksp;
  r->view_pc = view_pc;
  PetscFunctionReturn(0);
}

PetscErrorCode view(PC pc, PetscViewer viewer) {
  auto* r = static_cast<Reduction*>(pc->data);
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIPrintf(viewer, "  form %s, relative shift %g; inner solver:\n", r->options.form.c_str(),
                                   r->reduced.shift()));
  PetscCall(PetscViewerASCIIPushTab(viewer));
  PetscCall(KSPView(r->inner, viewer));
  if (r->hessian.ksp()) PetscCall(KSPView(r->hessian.ksp(), viewer));
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
  PetscCall(KSPCreate(PetscObjectComm((PetscObject)pc), &r->inner));
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

KSP reduction_hessian(PC pc) {
  return reduction_inner(pc) ? static_cast<const Reduction*>(pc->data)->hessian.ksp() : nullptr;
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
