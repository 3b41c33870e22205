#pragma once
// The options of the program itself, beside those of the solvers. Values of a scene are the defaults here.

#include "assembly/presets.hpp"
#include "framework/options.hpp"

namespace clarke {

struct RunOptions {
  std::string preset = "robust";
  std::string recipe;
  std::string output_dir = "out/<case>";
  int output_every = 1;  // steps
  bool output_contacts = false;
  std::string output_bodies = "surfaces";
  std::string output_fields = "all";
  double time_step = 1. / 120;  // [s]
  double time_end = 1;          // [s]
  bool until_rest = false;
  double rest_energy = 1e-6;    // [J]
  double rest_duration = 0.25;  // [s]
  bool check_expectations = true;
  bool fail_unconverged = false;
  bool conditioning = false;
  std::string progress = "auto";
  std::string checkpoint_every = "600s";
  std::string restart;

  void describe(OptionVisitor& v) {
    v.choice("preset", preset, preset_names(),
             {"", "set of options that everything else overrides; with -contact_penalty `smooth` is the default"});
    v.text("recipe", recipe,
           {"",
            "solver options from a file: the name of one that comes with the program, or a path; the command line "
            "overrides it, it overrides the scene"});
    v.text("output_dir", output_dir, {"", "where the results go; default: as the scene says"});
    v.integer("output_every", output_every,
              {"1", "steps from frame to frame, 0 for none; default: as the scene says", 0.0});
    v.flag("output_contacts", output_contacts,
           {"", "write contact points and forces beside the bodies; default: as the scene says"});
    v.choice("output_bodies", output_bodies, {"surfaces", "poses"},
             {"",
              "surfaces: of every body, in every frame; poses: a point and an orientation for each, and the "
              "surfaces once; default: as the scene says"});
    v.text("output_fields", output_fields,
           {"",
            "which arrays the frames have: all, none, or a list like speed,normal_force,gap; default: as the "
            "scene says"});
    v.real("time_step", time_step, {"s", "length of a step; default: as the scene says", 1e-12});
    v.real("time_end", time_end, {"s", "end of the run; default: as the scene says", 1e-12});
    v.flag("until_rest", until_rest, {"", "end the run, before time_end, when the model has come to rest"});
    v.real("rest_energy", rest_energy, {"J", "a model rests while its kinetic energy is below this", 0.0});
    v.real("rest_duration", rest_duration, {"s", "how long it must stay there to count as at rest", 0.0});
    v.flag(
        "check_expectations", check_expectations,
        {"", "judge what the scene expects; off for runs that are shorter, larger or otherwise not what it speaks of"});
    v.flag("fail_unconverged", fail_unconverged,
           {"", "exit code 1 when any step was accepted without converging (see -accept_budget, -snes_atol)"});
    v.flag("conditioning", conditioning,
           {"", "write conditioning.csv: density, rank, eigenvalues, status, mass ratio, islands of every step"});
    v.text("checkpoint_every", checkpoint_every,
           {"", "write <output_dir>/checkpoint.hdf5 after so many steps (100), or seconds (600s); 0: never"});
    v.text("restart", restart,
           {"", "go on from this checkpoint, in the directory that it lies in unless -output_dir says another"});
    v.choice("progress", progress, {"auto", "bar", "lines", "none"},
             {"", "auto: a bar on a terminal, about ten lines elsewhere"});
  }
};

}  // namespace clarke
