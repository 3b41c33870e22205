#include "linear/register.hpp"

#include "framework/options.hpp"
#include "framework/registry.hpp"
#include "linear/factorisations/multifrontal.hpp"
#include "linear/krylov/gauss_seidel.hpp"
#include "linear/krylov/jacobi.hpp"
#include "linear/krylov/krylov_method.hpp"
#include "linear/krylov/krylov_support.hpp"
#include "linear/krylov/mpcg.hpp"
#include "linear/krylov/pcg.hpp"
#include "linear/krylov/pcr.hpp"
#include "linear/preconditioners/block_jacobi.hpp"
#include "linear/preconditioners/reduction.hpp"

#include <stdexcept>
#include <string>

namespace clarke {
namespace {

void require(PetscErrorCode error, const char* name) {
  if (error) throw std::runtime_error(std::string("PETSc refused to register ") + name);
}

void add_ksp(const char* name, PetscErrorCode (*create)(KSP), const char* summary, const char* citation) {
  require(KSPRegister(name, create), name);
  registrations().push_back({"ksp_type", name, summary, citation});
}

void add_pc(const char* name, PetscErrorCode (*create)(PC), const char* summary, const char* citation) {
  require(PCRegister(name, create), name);
  registrations().push_back({"pc_type", name, summary, citation});
}

}  // namespace

void register_linear() {
  add_ksp("pcr", create_pcr, "preconditioned conjugate residuals: the residual never grows, safe on singular systems",
          "Stiefel 1955; Saad 2003, alg. 6.20; Macklin et al. 2019");
  add_ksp("pcg", create_pcg, "preconditioned conjugate gradients", "Hestenes Stiefel 1952");
  add_ksp("jacobi", create_jacobi, "Jacobi relaxation damped by 1/λ_max", "Saad 2003, sec. 4.1");
  add_ksp("gauss_seidel", create_gauss_seidel, "Gauss-Seidel relaxation over the rows of the Schur form",
          "Saad 2003, sec. 4.1");
  add_krylov_method<Mpcg>();
  add_pc("block_jacobi", create_block_jacobi, "inverse of the point blocks of joints and contacts",
         "Saad 2003, sec. 4.1.1");

  require(register_multifrontal(), "multifrontal");
  registrations().push_back({"pc_factor_mat_solver_type", "multifrontal",
                             "LU front by front in dense blocks, for matrices of bodies and nodes in velocities",
                             "Duff Reid 1983"});
  require(register_reduction(), "reduction");
  registrations().push_back({"pc_type", "reduction", "condenses Newton's system to one form and one inner solver", ""});

  add_option_group<SystemOptions>("system", "the linear system of a Newton step (-outer_pc_type reduction)");
  add_option_group<PcrOptions>("pcr", "preconditioned conjugate residuals (-ksp_type pcr)");
  add_option_group<PcgOptions>("pcg", "preconditioned conjugate gradients (-ksp_type pcg)");
  add_option_group<JacobiOptions>("jacobi", "damped Jacobi relaxation (-ksp_type jacobi)");
}

}  // namespace clarke
