#include "assembly/presets.hpp"

#include "framework/error.hpp"

namespace clarke {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

/// Newton's matrix in velocities, with all of its stiffness, factorised front by front, the fastest of all packages
/// (docs/theory.md, Multifrontal).
Settings factorised_in_velocities(Settings more) {
  more.insert(more.end(), {{"soft_form", "stiffness"},
                           {"keep_best_iterate", "true"},
                           {"geometric_stiffness", "full"},
                           {"system_form", "stiffness"},
                           {"ksp_type", "preonly"},
                           {"pc_type", "lu"},
                           {"pc_factor_mat_solver_type", "multifrontal"},
                           {"pc_factor_mat_ordering_type", "amd"},
                           {"pc_factor_zeropivot", "1e-100"}});  // an absolute one: bodies may be light
  return more;
}

}  // namespace

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      // The damping is measured: over forty seconds of `arch` at this budget 0.8 to 0.97 settle to rounding, 1 excites
      // a slow oscillation of the truncated solves; six steps of 0.95 leave 2e-8 of the first error, of 0.75 2e-4
      // (docs/comparisons.md).
      {"interactive",
       "fixed iteration budgets of interactive use: 6 Newton by 20 linear iterations, warm start; steps need not "
       "converge",
       "",
       {{"contact_law", "decoupled"},
        {"ncp_function", "fischer_burmeister"},
        {"ncp_corner", "active"},
        {"friction_map", "disc_projection"},
        {"r_factor", "delassus_diagonal"},
        {"newton_damping", "0.95"},
        {"newton_start", "warm"},
        {"regularisation_relative", "1e-6"},
        {"snes_max_it", "6"},
        {"ksp_type", "pcr"},
        {"ksp_max_it", "20"}},
       {}},
      {"accurate",
       "full steps, as many iterations as it takes to 1e-10 m/s; a step that does not get there fails",
       "",
       {{"newton_damping", "1"},
        {"snes_max_it", "100"},
        {"snes_atol", "1e-10"},
        {"accept_budget", "false"},
        {"ksp_max_it", "1000"},
        {"ksp_rtol", "1e-10"}},
       {}},
      // Its parameters are measured on captured steps (docs/theory.md, D5).
      {"robust",
       "proximal steps with a semismooth Newton inside and sparse factorisations in velocities, to 1e-9 m/s and a "
       "relative natural map of 1e-8, with the contacts of the end of a step: converges where other settings stall; "
       "the default",
       "Rockafellar 1976; Li Sun Toh 2018",
       factorised_in_velocities({{"snes_type", "ssnal"},
                                 {"snes_atol", "1e-9"},
                                 {"natural_map_tolerance", "1e-8"},
                                 {"snes_max_it", "20000"},
                                 {"newton_start", "nearest"},
                                 {"cloth_form", "automatic"},
                                 {"soft_projection", "automatic"},
                                 {"ssnal_sweeps", "50"},
                                 {"ssnal_sweep_gain", "0.1"},
                                 {"contact_slop", "1e-10"},
                                 {"near_rigid_compliance", "1e-4"},
                                 {"detect_again", "30"}}),
       // The tolerance is -solve_tolerance, so the velocity error is off; a solution in the file is no start. From
       // there sweeps that gain less lead to walks (D5).
       {{"snes_atol", "0"},
        {"newton_start", "unconstrained"},
        {"ssnal_sweep_gain", "1e-2"},
        {"snes_max_it", "20000"},
        {"accept_velocity_error", "1e300"}}},
      // Sweeps are the most for a small budget and factorisations for a large one, and sweeps before factorisations are
      // more than either alone (docs/studies.md, "Budgets").
      {"budget",
       "for real time: at most 100 sweeps (-newton_start_sweeps) and then 10 Newton steps, each a factorisation "
       "(-snes_max_it), and the best of what they came to; as `robust` where that is enough; steps need not converge",
       "Rockafellar 1976; Moreau 1999",
       factorised_in_velocities({{"snes_type", "ssnal"},
                                 {"snes_atol", "1e-9"},
                                 {"natural_map_tolerance", "1e-8"},
                                 {"newton_start_sweeps", "100"},
                                 {"snes_max_it", "10"},
                                 {"newton_start", "warm"},
                                 {"cloth_form", "automatic"},
                                 {"soft_projection", "automatic"},
                                 {"contact_slop", "1e-10"}}),
       {{"snes_atol", "0"}, {"newton_start", "unconstrained"}, {"accept_velocity_error", "1e300"}}},
      // For steps without multipliers at contacts, whose strategies for rows have nothing to hold on to there
      // (docs/theory.md, F10).
      {"smooth",
       "PETSc's Newton method with a line search on the smooth equations of -contact_penalty, factorised, to 1e-8 m/s; "
       "the default beside a penalty",
       "Larionov Longva Ascher Bender Pai 2021",
       factorised_in_velocities(
           {{"snes_type", "newtonls"},
            {"snes_atol", "1e-8"},
            {"snes_max_it", "100"},
            {"newton_start", "sticking"},
            {"cloth_form", "stiffness"}}),
       {}},
      // For `solve` (docs/problems.md has the measurements). The law and the shift are what solves most contact
      // problems; sweeps as a start cost little and are needed by the hardest. The tolerance is -solve_tolerance, so
      // the velocity error is off.
      {"problem",
       "second-order cone law, full steps, direct solution, shift proportional to the residual: for `clarke solve`",
       "De Saxcé Feng 1998; Fukushima Luo Tseng 2002",
       {{"contact_law", "soc_fischer_burmeister"},
        {"r_factor", "delassus_trace"},
        {"newton_damping", "1"},
        {"newton_start", "unconstrained"},
        {"newton_start_sweeps", "100"},
        {"accept_velocity_error", "1e300"},
        {"keep_best_iterate", "true"},
        {"snes_max_it", "300"},
        {"snes_atol", "0"},
        {"regularisation_rule", "residual"},
        {"regularisation_gain", "0.3"},
        {"regularisation_power", "1"},
        {"regularisation_min", "1e-7"},
        {"regularisation_max", "1e-2"},
        {"ksp_type", "preonly"},
        {"pc_type", "lu"},
        {"pc_factor_mat_solver_type", "mumps"}},
       {}},
      // What games use, as settings of one strategy: their bias is a property of `fast` (docs/theory.md, D9).
      {"xpbd",
       "XPBD: impulses of compliant rows one after the other, each applied where it was made; 20 iterations from the "
       "unconstrained velocity; ends beside the solution",
       "Macklin Mueller Chentanez 2016",
       {{"snes_type", "dual_ascent"},
        {"dual_update", "fast"},
        {"dual_sweep", "gauss_seidel"},
        {"newton_start", "unconstrained"},
        {"accept_velocity_error", "1e300"},
        {"snes_max_it", "20"}},
       {}},
      {"fast_projection",
       "fast projection by Jacobi sweeps with shared masses; 20 iterations from the unconstrained velocity; ends "
       "beside the solution",
       "Goldenthal Harmon Fattal Bercovier Grinspun 2007",
       {{"snes_type", "dual_ascent"},
        {"dual_update", "fast"},
        {"dual_sweep", "jacobi"},
        {"newton_start", "unconstrained"},
        {"accept_velocity_error", "1e300"},
        {"snes_max_it", "20"}},
       {}},
      {"paper",
       "friction by the fixed point W, damped steps from zero, absolute shift, 6 Newton by 20 linear iterations",
       "Macklin Erleben Mueller Chentanez Jeschke Makoviychuk 2019",
       {{"friction_map", "fixed_point"},
        {"ncp_corner", "inactive"},
        {"newton_damping", "0.75"},
        {"newton_start", "zero"},
        {"regularisation_relative", "0"},
        {"regularisation_absolute", "1e-6"},
        {"snes_max_it", "6"},
        {"ksp_type", "pcr"},
        {"ksp_max_it", "20"}},
       {}},
  };
  return all;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

const Preset& find_preset(const std::string& name) {
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
  }
  throw InputError("-preset: unknown preset '" + name + "'" + suggestion(name, preset_names()));
}

}  // namespace clarke
