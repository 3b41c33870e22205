#pragma once
// SNES type `ssnal`: semismooth Newton in the velocity inside proximal steps on the impulses, whose weight ε adapts
// [Rockafellar 1976; Li Sun Toh 2018; docs/theory.md, eq. D5].
//
//   repeat  r = Λ;  solve g(u) = 0 (proximal_rows.hpp) by Newton, from u, to M⁻¹ g ≤ -ssnal_reduction × e:
//             H du = −g, unsymmetric where contacts slide; u += a du, a ≤ 1 where g·du is nearly gone
//             (-ssnal_slope_search), or, where du does not descend, 1, ½ … 1/64 until |g| in M⁻¹ is below the largest
//             of the last -ssnal_history
//           solved: Λ = p(u); u stays
//             in ≤ -ssnal_easy Newton steps     ε ← ε × -ssnal_decrease, or stays where that has failed
//                                               (proximal_patience.hpp)
//             in > -ssnal_hard                  ε ← ε × 2
//             linearisation at the tolerance,   ε ← ε × true natural map / that of the linearisation
//             and more than twice that off
//           failed: no step length lowers |g|, or -ssnal_inner steps do not lower it tenfold:
//             ε ← ε × -ssnal_increase; (u, Λ) as before
//
//   e  largest natural map at (u(Λ), Λ), of cones also what the verdict measures [m/s]; of rows alone, where only the
//      momentum is wrong
//
// The unknown is the change du since the last proximal step, whose rounding goes with its size.
// Before all that, contacts that are far from the solution get up to -ssnal_sweeps sweeps of D1, which cost a tenth of
// a Newton step each and open and close contacts one by one.
// What rests is left as near as one proximal step more takes it, and so is a step that begins solved after one that was
// not: the impulses of the latter would move what it stopped the other way.
// Where proximal steps lead nowhere for 200 Newton steps, or one for every eight contacts if that is more, the step
// begins anew with another first ε, -ssnal_retries times, the first time from the velocity without impulses; where rows
// turn, between these times -ssnal_descents times by descent on the potential of the proximal problem as it is
// (proximal_descent.hpp), without joints only from further off than a descent leads; or, with -newton_continuation, by
// continuation in the length of the step. Then the path of solutions as compliance falls is followed (-ssnal_path,
// compliance_path.hpp), in place of all that where there are forces beside rows. A proximal step that fails at the
// largest ε is not made twice.
// Nonlinear rows are linearised between proximal steps. Where that leads away for -ssnal_watchdog Newton steps, or from
// within -ssnal_follow to a thousand times as far, they are linearised at every Newton step, from the best point on,
// until the natural map is a tenth, or -ssnal_follow.
// Forces beside rows keep one linearisation, too, as long as a new one lowers the natural map (-ssnal_settle). Else,
// and without rows, the step follows its forces (proximal_rows.hpp) until a proximal step halves the natural map: a
// length that lowers the potential of the proximal problem is taken, too; radii of friction are held in it. What
// elements tie together turns where a step turns it (-ssnal_turn, turning_parts.hpp).
//
// At a fixed point Λ = r, so the solution is the step's own whatever ε was. With radii of friction held each inner
// problem of rows is convex; where they follow little is proven, and much is measured (docs/theory.md). -snes_max_it
// counts Newton steps, each one linear solve. All kinds of rows take part, and no contact law. The linear system is
// regular by ε alone: -regularisation_* have no effect. It is unsymmetric: -ksp_type preonly -pc_type lu, or gmres;
// -system_form stiffness has a size of velocities.

#include "framework/options.hpp"

namespace clarke {

inline constexpr int kLongestHistory = 16;

struct SsnalOptions {
  double epsilon = 0.1, reduction = 0.3, decrease = 0.1, increase = 5;
  int easy = 4, hard = 8, patience = 64, inner = 12, history = 4;
  double rounding = 4, follow = 1e-2, stall = 1e-8;
  int watchdog = 20, retries = 2, descents = 2, path = 5000, sweeps = 0;
  double sweep_from = 1e-3, sweep_progress = 0.5, sweep_gain = 1e-2;
  std::string path_begins = "last", path_from = "start";
  bool remember = true, polish = true, settle = true, exact = true, slope_search = true, turn = true;
  void describe(OptionVisitor& v) {
    v.real("ssnal_epsilon", epsilon, {"1", "first ε, as a fraction of the row's inverse mass", 1e-8, 10.0});
    v.real("ssnal_reduction", reduction, {"1", "Newton ends at this fraction of the natural map", 1e-12, 0.999});
    v.real("ssnal_decrease", decrease, {"1", "by what ε is multiplied after an easy proximal step", 1e-6, 1.0});
    v.real("ssnal_increase", increase, {"1", "by what ε is multiplied after a failed one", 1.0, 1e6});
    v.integer("ssnal_easy", easy, {"1", "Newton steps of a proximal step that counts as easy", 0});
    v.integer("ssnal_patience", patience,
              {"1",
               "after a lowered ε that failed, the one that leads on is kept for 2 easy proximal steps, for twice as "
               "many after each further one, at most for so many; 0: not at all",
               0});
    v.integer("ssnal_hard", hard, {"1", "Newton steps beyond which ε is doubled", 0});
    v.integer("ssnal_inner", inner, {"1", "Newton steps that have to lower |g| tenfold", 1});
    v.integer("ssnal_history", history,
              {"1", "Newton steps of rows lower the largest |g| of the last so many; 1: that of the last", 1,
               kLongestHistory});
    v.flag("ssnal_slope_search", slope_search,
           {"",
            "a step of linearised rows ends where the momentum no longer opposes it, instead of where |g| has fallen, "
            "which it need not do on the way to the minimum of a potential"});
    v.real("ssnal_rounding", rounding,
           {"1",
            "with stiff forces, a step whose natural map is up to this many times their rounding, and no longer "
            "halves, has converged, once rows are at the tolerance or eight proximal steps have not halved theirs; "
            "counted",
            0.0});
    v.integer("ssnal_watchdog", watchdog,
              {"1",
               "with -geometric_stiffness full: after this many Newton steps of linearisations that did not halve the "
               "natural map, or, from within -ssnal_follow, made it a thousand times the least, rows are linearised at "
               "every Newton step, from the best point on; counted",
               1});
    v.real("ssnal_follow", follow,
           {"1", "and no longer than until the natural map is this fraction of the largest speed", 0.0});
    v.real(
        "ssnal_stall", stall,
        {"m/s",
         "a velocity error up to this, that 5,000 Newton steps have not halved, or 500 after a step that ended so, is "
         "what rows that contradict each other leave: the step ends, `stalled`; counted",
         0.0});
    v.integer("ssnal_retries", retries,
              {"1",
               "how often a step of rows begins anew, with another first ε and the first time without impulses, where "
               "200 Newton steps (500 within 1e3 -ssnal_stall), or one for every eight contacts if that is more, have "
               "not halved the velocity error; counted",
               0});
    v.integer(
        "ssnal_descents", descents,
        {"1",
         "how often, after the first of -ssnal_retries, it begins anew without impulses and descends on the "
         "potential of the step as it is, where linearisations of rows that turn have led nowhere; without joints only "
         "while the velocity error is above 1e-3 of the largest speed; counted",
         0});
    v.integer("ssnal_path", path,
              {"1",
               "where proximal steps lead nowhere the path of solutions as compliance falls is followed, once, over at "
               "most so many changes of pieces (a contact opens, sticks, slides; a row is at a bound or not), and they "
               "begin where it has come to; not where half of the Newton steps that are left are fewer than 15 for "
               "each contact and joint; counted; 0: never",
               0});
    v.choice("ssnal_path_begins", path_begins, {"last", "retry", "first"},
             {"",
              "when: after -ssnal_retries and -ssnal_descents, which steps with forces beside rows have not got, after "
              "the first of these, or at once, of every step that does not begin solved"});
    v.choice(
        "ssnal_path_from", path_from, {"start", "unconstrained"},
        {"",
         "from where: with forces beside rows from where the solve began, or the last round of contacts ended, if "
         "half of the contacts and joints obey their laws there, which are kept while the compliance of the others "
         "falls, and from the velocity without impulses only where that path ends or comes back; or always from "
         "that velocity"});
    v.integer("ssnal_sweeps", sweeps,
              {"1",
               "at most so many Gauss-Seidel sweeps (-snes_type nsgs) on the first iterate of a step with contacts and "
               "without elements as forces, unless its natural map is within 1e3 -snes_atol; counted. They are undone, "
               "counted, where -ssnal_sweep_gain says so, or 200 Newton steps after them do not halve the velocity "
               "error",
               0});
    v.real("ssnal_sweep_gain", sweep_gain,
           {"1", "sweeps that do not bring the natural map to this fraction of what it was are undone", 0.0});
    v.real("ssnal_sweep_from", sweep_from,
           {"1", "no sweeps where the natural map is this fraction of the largest speed or less", 0.0});
    v.real("ssnal_sweep_progress", sweep_progress,
           {"1", "they end where ten of them have not brought what a sweep changes below this fraction", 1e-6, 1.0});
    v.flag("ssnal_polish", polish,
           {"",
            "what rests is solved by one proximal step more, kept where it is nearer, and so is a step that begins "
            "solved after one that took Newton steps: the next ones have less to do"});
    v.flag("ssnal_settle", settle,
           {"",
            "stiff forces keep one linearisation, as rows do, as long as the natural map falls: beside rows from the "
            "start, and from where a proximal step halves it; one that leads ten times further away is undone, "
            "counted. Rounding of gaps is then no longer divided by ε"});
    v.flag("ssnal_turn", turn,
           {"",
            "elements that are tied together turn as a whole where a Newton step turns them, instead of straight on, "
            "which stretches them: where forces keep one linearisation, and where a straight step of followed ones is "
            "too long; counted"});
    v.flag("ssnal_exact", exact, {"", "and there their stiffness is as it is, with its negative eigenvalues"});
    v.flag("ssnal_remember", remember,
           {"", "ε begins with what led on from a natural map as large in the last time step, if that is less"});
  }
};

/// Registers the type; called by register_ncp().
void register_ssnal();

}  // namespace clarke
