// Every pair of choices of NCP function, r-factor, friction law, linear solver, form, assembly and SNES type, by
// options alone, on five small models. A combination that cannot work is refused by name; every other one runs, and
// what it says of itself is what the verdict says. Those that do not converge are listed below with the reason.

#include "ncp/contact_laws/decoupled.hpp"
#include "tests/cross/small_models.hpp"

#include <boost/test/unit_test.hpp>

#include <iomanip>
#include <map>
#include <set>
#include <sstream>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(covering_set)

namespace {

constexpr double kTolerance = 1e-8;  // [m/s] -snes_atol
constexpr int kSteps = 5;
constexpr double kStep = 1.0 / 120;

/// One choice: how it is called here, and its options.
struct Choice {
  std::string name, options;
};
struct Factor {
  std::string name;
  std::vector<Choice> choices;
};
enum FactorIndex { kNcp, kRFactor, kFriction, kSolver, kForm, kAssembled, kSnes, kFactors };
using Combination = std::array<int, kFactors>;

/// Choices of one option; the default comes first, so that what the covering set fills in freely is the default.
std::vector<Choice> named(std::vector<std::string> names, const std::string& option, const std::string& preferred) {
  std::stable_partition(names.begin(), names.end(), [&](const std::string& name) { return name == preferred; });
  std::vector<Choice> out;
  for (const std::string& name : names) out.push_back({name, option + " " + name});
  return out;
}

std::vector<Factor> make_factors() {
  const DecoupledLawOptions defaults;
  std::vector<Choice> friction = named(friction_map_registry().names(), "-friction_map", defaults.friction_map);
  for (const std::string& law : contact_law_registry().names())
    if (law != "decoupled") friction.push_back({law, "-contact_law " + law});
  std::vector<Choice> solver = named({"pcr", "pcg", "cr", "cg"}, "-ksp_max_it 500 -ksp_type", "pcr");
  for (const char* relaxation : {"jacobi", "gauss_seidel"})
    solver.push_back({relaxation, std::string("-ksp_max_it 1000 -ksp_type ") + relaxation});
  // Jacobi is no preconditioner for the saddle form, whose diagonal is almost zero.
  solver.push_back({"gmres",
                    "-ksp_max_it 500 -ksp_gmres_restart 100 -ksp_gmres_cgs_refinement_type "
                    "refine_always -ksp_type gmres -pc_type none"});
  solver.push_back({"minres", "-ksp_max_it 1000 -ksp_type minres -pc_type jacobi -pc_jacobi_abs"});
  for (const char* factorisation : {"cholesky", "lu"})
    solver.push_back(
        {factorisation, std::string("-ksp_type preonly -pc_factor_mat_solver_type mumps -pc_type ") + factorisation});
  return {{"ncp_function", named(ncp_function_registry().names(), "-ncp_function", defaults.ncp.ncp_function)},
          {"r_factor", named(r_factor_registry().names(), "-r_factor", defaults.r_factor)},
          {"friction", friction},
          {"solver", solver},
          {"form", named({"schur", "saddle", "stiffness"}, "-system_form", "schur")},
          {"assembled", named({"auto", "true"}, "-system_assembled", "auto")},
          {"snes", named({"nonsmooth_newton", "newtonls"}, "-snes_type", "nonsmooth_newton")}};
}

const std::vector<Factor>& factors() {
  static const std::vector<Factor> list = make_factors();
  return list;
}

const std::string& name_of(const Combination& c, int factor) { return factors()[factor].choices[c[factor]].name; }

std::string options_of(const Combination& c) {
  std::string out = "-snes_atol 1e-8 -snes_max_it 30 -ksp_rtol 1e-10";
  for (int f = 0; f < kFactors; ++f) out += " " + factors()[f].choices[c[f]].options;
  return out;
}

std::string text_of(const Combination& c) {
  std::string out;
  for (int f = 0; f < kFactors; ++f) out += (f ? " " : "") + name_of(c, f);
  return out;
}

/// The option a refusal has to name; "" for a combination that can work.
std::string refusal(const Combination& c) {
  static const std::set<std::string> definite{"pcr", "pcg", "jacobi", "gauss_seidel", "cr", "cg"};
  const std::string& solver = name_of(c, kSolver);
  const std::string& friction = name_of(c, kFriction);
  const auto& maps = friction_map_registry().names();
  const bool scalar = std::find(maps.begin(), maps.end(), friction) != maps.end();
  const bool symmetric = scalar && friction_map_registry().create(friction)->symmetric();
  if (solver == "gauss_seidel" && (name_of(c, kForm) != "schur" || name_of(c, kAssembled) == "true"))
    return "-ksp_type";
  if (name_of(c, kForm) == "saddle" && definite.count(solver)) return "-ksp_type";
  if (symmetric || solver == "gauss_seidel")
    return "";  // relaxation asks for no symmetry, only PETSc's Krylov methods do
  if (definite.count(solver) || solver == "minres") return "-ksp_type";
  return solver == "cholesky" ? "-pc_type" : "";
}

using Pair = std::array<int, 4>;  // factor, choice, factor, choice
template <class F>
void for_pairs(const Combination& c, F f) {
  for (int i = 0; i < kFactors; ++i)
    for (int k = i + 1; k < kFactors; ++k) f(Pair{i, c[i], k, c[k]});
}

std::vector<Combination> all_combinations() {
  std::vector<Combination> out;
  Combination c{};
  for (;;) {
    out.push_back(c);
    int f = 0;
    while (f < kFactors && ++c[f] == static_cast<int>(factors()[f].choices.size())) c[f++] = 0;
    if (f == kFactors) return out;
  }
}

/// Choices that were there when the covering set was first made. The others are covered one after another, each on top
/// of what was there before it: a new registration adds combinations, and changes none of those there are.
bool founding(int factor, const std::string& name) {
  static const std::map<int, std::set<std::string>> names{
      {kNcp, {"fischer_burmeister", "minimum_map"}},
      {kRFactor, {"delassus_diagonal", "identity", "dt_squared", "delassus_trace"}},
      {kFriction, {"disc_projection", "fixed_point", "disc_projection_coupled", "soc_fischer_burmeister"}}};
  const auto found = names.find(factor);
  return found == names.end() || found->second.count(name) > 0;
}

/// 0 for founding choices, then 1, 2, … in the order of factors and registration; of a combination the largest of its
/// choices.
int stage_of(const Combination& combination) {
  static const std::map<std::array<int, 2>, int> stages = [] {
    std::map<std::array<int, 2>, int> out;
    int next = 0;
    for (int f = 0; f < kFactors; ++f)
      for (int k = 0; k < static_cast<int>(factors()[f].choices.size()); ++k)
        out[{f, k}] = founding(f, factors()[f].choices[k].name) ? 0 : ++next;
    return out;
  }();
  int stage = 0;
  for (int f = 0; f < kFactors; ++f) stage = std::max(stage, stages.at({f, combination[f]}));
  return stage;
}

/// Greedily, in a fixed order, stage by stage: combinations that together contain every pair of `wanted` some candidate
/// contains.
std::vector<Combination> cover(const std::vector<Combination>& candidates, std::set<Pair> wanted) {
  std::vector<Combination> out;
  std::map<int, std::vector<Combination>> by_stage;
  for (const Combination& c : candidates) by_stage[stage_of(c)].push_back(c);
  for (const auto& [stage, list] : by_stage) {
    for (;;) {
      int best_count = 0;
      Combination best{};
      for (const Combination& c : list) {
        int count = 0;
        for_pairs(c, [&](const Pair& p) { count += wanted.count(p); });
        if (count > best_count) best_count = count, best = c;
      }
      if (best_count == 0) break;
      out.push_back(best);
      for_pairs(best, [&](const Pair& p) { wanted.erase(p); });
    }
  }
  return out;
}

std::set<Pair> pairs_of(const std::vector<Combination>& list) {
  std::set<Pair> out;
  for (const Combination& c : list) for_pairs(c, [&](const Pair& p) { out.insert(p); });
  return out;
}

void split(std::vector<Combination>& admissible, std::vector<Combination>& inadmissible) {
  for (const Combination& c : all_combinations()) (refusal(c).empty() ? admissible : inadmissible).push_back(c);
}

// Why combinations do not converge in 30 Newton iterations.
const char* const kIdentity = "identity ignores mass and step: φ sees multipliers 10⁴ times too large";
const char* const kWeight =
    "the lagged weight stalls near the cone where contacts share a body (docs/theory.md, eq. F1)";
const char* const kLineSearch =
    "backtracking on a nonsmooth F: the lagged or one-sided Jacobian gives no descent at an impact";
const char* const kJacobi = "the stiffness form's condition, 1/shift, is too much for relaxation";
const char* const kRelaxation =
    "relaxation diverges: in slip the disc's slope in Λ_n outweighs the diagonal of the unsymmetric system";
const char* const kElements = "a thousand sweeps do not solve the rows of elements: Newton creeps";
const char* const kOneKilogram = "dt_squared is right for one kilogram: stick and slip alternate at the impact";

/// A combination, the cases in which it does not converge, and why.
struct Expected {
  const char *combination, *cases, *reason;
  bool either = false;  // whether it converges depends on the last digits, as two BLAS libraries have shown
};
const Expected kNotConverging[] = {
    {"minimum_map identity fixed_point gmres saddle true nonsmooth_newton", "particle slope jelly", kIdentity},
    {"minimum_map dt_squared disc_projection_coupled lu stiffness auto newtonls", "pendulum jelly", kLineSearch},
    {"fischer_burmeister delassus_trace fixed_point pcg schur true newtonls", "particle pendulum jelly", kLineSearch},
    {"fischer_burmeister identity tangent minres saddle auto newtonls", "particle slope pendulum jelly", kLineSearch},
    {"minimum_map delassus_diagonal fixed_point cg stiffness auto nonsmooth_newton", "slope jelly", kWeight},
    {"fischer_burmeister dt_squared fixed_point jacobi schur auto nonsmooth_newton", "slope jelly", kWeight},
    {"minimum_map identity tangent pcg stiffness auto nonsmooth_newton", "slope jelly", kIdentity},
    {"minimum_map delassus_trace fixed_point minres stiffness true nonsmooth_newton", "slope jelly", kWeight},
    {"minimum_map identity fixed_point cr schur auto newtonls", "particle slope pendulum jelly", kLineSearch},
    {"fischer_burmeister identity tangent cg schur true newtonls", "particle slope pendulum jelly", kLineSearch},
    {"fischer_burmeister delassus_diagonal fixed_point cholesky schur true newtonls", "particle slope pendulum jelly",
     kLineSearch},
    {"minimum_map identity fixed_point pcr stiffness true newtonls", "particle slope pendulum jelly", kLineSearch},
    {"minimum_map delassus_diagonal tangent jacobi stiffness true newtonls", "slope pendulum jelly", kJacobi},
    {"fischer_burmeister delassus_diagonal tangent gauss_seidel schur auto newtonls", "pendulum jelly", kLineSearch},
    {"fischer_burmeister identity fixed_point gauss_seidel schur auto nonsmooth_newton", "particle slope jelly",
     kIdentity},
    {"fischer_burmeister identity tangent cholesky stiffness auto nonsmooth_newton", "slope jelly", kIdentity},
    {"fischer_burmeister identity tangent jacobi schur auto nonsmooth_newton", "slope jelly", kIdentity},
    {"fischer_burmeister identity soc_fischer_burmeister gauss_seidel schur auto nonsmooth_newton",
     "particle slope pendulum jelly", kIdentity},
    {"fischer_burmeister delassus_diagonal fixed_point lu schur auto nonsmooth_newton", "slope jelly", kWeight},
    // penalized_fischer_burmeister, then global
    {"penalized_fischer_burmeister identity fixed_point gmres saddle true newtonls", "particle slope pendulum jelly",
     kLineSearch},
    {"minimum_map global fixed_point gmres saddle true newtonls", "particle pendulum jelly", kLineSearch},
    // natural_map, alart_curnier, jean_moreau
    {"minimum_map identity natural_map gmres saddle true newtonls", "pendulum jelly", kLineSearch},
    {"minimum_map identity alart_curnier gmres saddle true newtonls", "pendulum jelly", kLineSearch},
    {"fischer_burmeister delassus_diagonal jean_moreau gauss_seidel schur auto nonsmooth_newton", "pendulum",
     kRelaxation},
    {"minimum_map identity jean_moreau gmres saddle true newtonls", "pendulum jelly", kLineSearch},
    {"penalized_fischer_burmeister dt_squared jean_moreau lu stiffness auto nonsmooth_newton", "pendulum jelly",
     kOneKilogram, true},
    {"fischer_burmeister delassus_trace jean_moreau gauss_seidel schur auto nonsmooth_newton", "pendulum", kRelaxation},
    {"fischer_burmeister global jean_moreau gauss_seidel schur auto nonsmooth_newton", "pendulum", kRelaxation},
    // jelly
    {"fischer_burmeister dt_squared tangent cr stiffness true nonsmooth_newton", "jelly", kOneKilogram},
    {"fischer_burmeister dt_squared soc_fischer_burmeister gmres stiffness auto newtonls", "jelly", kLineSearch},
    {"fischer_burmeister dt_squared disc_projection_coupled gauss_seidel schur auto nonsmooth_newton", "jelly",
     kElements},
    {"fischer_burmeister dt_squared tangent gmres saddle auto nonsmooth_newton", "jelly", kOneKilogram},
    {"fischer_burmeister dt_squared tangent pcr schur auto nonsmooth_newton", "jelly", kOneKilogram},
    {"fischer_burmeister dt_squared tangent pcg schur auto nonsmooth_newton", "jelly", kOneKilogram},
    {"fischer_burmeister dt_squared tangent cg schur auto nonsmooth_newton", "jelly", kOneKilogram},
    {"fischer_burmeister delassus_trace tangent jacobi schur auto nonsmooth_newton", "jelly", kElements},
    {"fischer_burmeister dt_squared tangent minres schur auto nonsmooth_newton", "jelly", kOneKilogram},
    {"fischer_burmeister dt_squared tangent cholesky schur auto nonsmooth_newton", "jelly", kOneKilogram},
    {"penalized_fischer_burmeister dt_squared disc_projection_coupled lu stiffness auto nonsmooth_newton", "jelly",
     kOneKilogram},
    {"penalized_fischer_burmeister delassus_diagonal tangent jacobi schur auto nonsmooth_newton", "jelly", kElements},
    {"fischer_burmeister global tangent jacobi schur auto nonsmooth_newton", "jelly", kElements},
};

/// How the combination is expected not to converge on a case, or nullptr.
const Expected* expected_failure(const Combination& c, const std::string& name) {
  for (const Expected& e : kNotConverging) {
    std::istringstream words(e.cases);
    if (text_of(c) != e.combination) continue;
    for (std::string word; words >> word;)
      if (word == name) return &e;
  }
  return nullptr;
}

struct Outcome {
  int converged = 0, contacts = 0;
  double newton = 0, linear = 0, error = 0;
  std::string reason = "converged";  // of the first step that did not
};

/// Runs a case and checks that every report says what the verdict says.
Outcome run_case(const World& world, const Combination& c) {
  const ScopedOptions scoped(options_of(c));
  Model model(world, kStep);
  Outcome o;
  for (int i = 0; i < kSteps; ++i) {
    const StepReport r = model.step();
    const bool solved = r.verdict.velocity_error.value <= kTolerance;
    BOOST_TEST((r.reason == "converged") == solved,
               "step " << i << ": reason " << r.reason << ", velocity error " << r.verdict.velocity_error.value);
    o.converged += solved;
    o.contacts = std::max(o.contacts, r.contacts);
    o.newton += r.newton_iterations / double(kSteps);
    o.linear += r.linear_iterations / double(kSteps);
    o.error = std::fmax(o.error, r.verdict.velocity_error.value);
    if (!solved && o.reason == "converged") o.reason = r.reason;
    if (r.failed) break;
  }
  return o;
}

}  // namespace

BOOST_AUTO_TEST_CASE(all_pairs_appear) {
  std::vector<Combination> admissible, inadmissible;
  split(admissible, inadmissible);
  const std::set<Pair> wanted = pairs_of(admissible);
  BOOST_TEST((pairs_of(cover(admissible, wanted)) == wanted));
}

BOOST_AUTO_TEST_CASE(what_cannot_work_is_refused_by_name) {
  std::vector<Combination> admissible, inadmissible;
  split(admissible, inadmissible);
  const World world = slope();
  const std::vector<Combination> list = cover(inadmissible, pairs_of(inadmissible));
  for (const Combination& c : list) {
    BOOST_TEST_CONTEXT(text_of(c)) {
      std::string message = "not refused";
      const ScopedOptions scoped(options_of(c));
      try {
        Model model(world, kStep);
        model.step();
      } catch (const InputError& e) {
        message = e.what();
      }
      BOOST_TEST_MESSAGE(text_of(c) << ": " << message);
      BOOST_TEST(message.find(refusal(c)) != std::string::npos);
    }
  }
  BOOST_TEST(list.size() > 20u);
}

BOOST_AUTO_TEST_CASE(what_can_work_says_how_it_went) {
  std::vector<Combination> admissible, inadmissible;
  split(admissible, inadmissible);
  const std::vector<Combination> list = cover(admissible, pairs_of(admissible));
  std::ostringstream table;
  table << list.size() << " combinations; steps converged of " << kSteps
        << ", mean Newton and linear iterations, largest velocity error\n";
  for (const Combination& c : list) {
    for (const SmallModel& k : small_models()) {
      BOOST_TEST_CONTEXT(text_of(c) << " on " << k.name) {
        const Outcome o = run_case(k.world, c);
        table << std::setw(9) << k.name << " " << std::left << std::setw(86) << text_of(c) << std::right << o.converged
              << std::setw(6) << o.newton << std::setw(8) << o.linear << std::setw(12) << o.error << " " << o.reason
              << "\n";
        BOOST_TEST((o.contacts > 0 || o.converged < kSteps));
        const Expected* const why = expected_failure(c, k.name);
        if (why) table << "          expected: " << why->reason << "\n";
        BOOST_TEST((!why || why->either || o.converged < kSteps),
                   "listed as not converging (" << (why ? why->reason : "") << "), but it does");
        BOOST_TEST((why || o.converged == kSteps),
                   "does not converge and is not listed: " << o.reason << ", velocity error " << o.error);
      }
    }
  }
  BOOST_TEST_MESSAGE(table.str());
  for (const Expected& e : kNotConverging)
    BOOST_TEST(std::any_of(list.begin(), list.end(), [&](const Combination& c) { return text_of(c) == e.combination; }),
               "listed, but not in the covering set: " << e.combination);
}

BOOST_AUTO_TEST_SUITE_END()
