#!/usr/bin/python3
"""What overlaps beside what the contacts say, in falling piles whose steps are solved: a table for docs/theory.md, N7.

    scripts/penetration_table.py [--scenes NAME ...] [--manifolds NAME ...] [--program build/clarke] [-o FILE.md]
                                 [--keep DIR] [-- -option value ...]

Every scene is run with -preset robust and -manifold clipped and features, each with -detect_again 0, and features with
-detect_again 30, as -preset robust has it, to the time of SCENES below (the sizes there keep a run at some two minutes
on one core). Of the steps that converged, the table has the largest geometric penetration with its pair (steps.csv,
from the poses), the largest of the law's, from the gaps of the contacts, and how many overlap by more than 1e-6 m.
--keep: runs that are there already with the same command are not done again. Options after "--" go to all runs. The
exit code is 1 when a run failed or ended before its time.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

from table_of_runs import ROOT, parse_runs

DEEP = 1e-6  # [m] what the contacts of a converged step should leave at most

MANIFOLDS = {  # what the table calls it, and its options
    "clipped": ("clipped", "-manifold clipped -detect_again 0"),
    "features": ("features", "-manifold features -detect_again 0"),
    "again": ("features `-detect_again 30`", "-manifold features -detect_again 30"),
}
# Options of the command line win over those of a scene: table_pile has four Newton iterations of its own.
SCENES = {
    "box_pile, tilt 0": ("box_pile", "-box_pile_count 40 -box_pile_tilt 0 -time_end 0.8"),
    "box_pile, tilt 3": ("box_pile", "-box_pile_count 40 -box_pile_tilt 3 -time_end 0.8"),
    "box_pile, tilt 0.26": ("box_pile", "-box_pile_count 40 -box_pile_tilt 0.26 -time_end 0.8"),
    "table_pile": ("table_pile", "-table_pile_count 24 -snes_max_it 1000 -time_end 1.5"),
    "wall_of_bricks": ("wall_of_bricks", "-time_end 0.1"),
    "domino_run": ("domino_run", "-time_end 1.2"),
    "mixed_shapes": ("mixed_shapes", "-mixed_shapes_count 20 -time_end 1"),
    "bowls": ("bowls", "-time_end 0.3"),
}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--scenes", nargs="+", choices=list(SCENES), default=list(SCENES))
    parser.add_argument("--manifolds", nargs="+", choices=list(MANIFOLDS), default=list(MANIFOLDS))
    return parse_runs(parser)


def run(program, scene, options, directory):
    """Whether the run came to its end; not done again where `directory` has it."""
    command = ["run", f"cases/{scene}.yaml", "-preset", "robust", *options, "-output_every", "0",
               "-check_expectations", "false"]
    record = os.path.join(directory, "command.txt")
    if os.path.exists(record):
        with open(record, encoding="utf-8") as file:
            if file.read() == " ".join(command):
                return True
    print("clarke " + " ".join(command), file=sys.stderr, flush=True)
    done = subprocess.run([program, *command, "-output_dir", directory], cwd=ROOT, stdout=subprocess.DEVNULL,
                          check=False)
    if done.returncode == 0:
        with open(record, "w", encoding="utf-8") as file:
            file.write(" ".join(command))
    return done.returncode == 0


def measure(directory):
    with open(os.path.join(directory, "steps.csv"), encoding="utf-8", newline="") as file:
        steps = list(csv.DictReader(file))
    with open(os.path.join(directory, "summary.json"), encoding="utf-8") as file:
        seconds = json.load(file)["seconds_total"]
    converged = [s for s in steps if s["reason"] == "converged"]
    worst = max(converged, key=lambda s: float(s["geometric_penetration"]))
    return {"steps": len(steps), "converged": len(converged), "poses": float(worst["geometric_penetration"]),
            "pair": worst["geometric_penetration_pair"], "at": int(worst["step"]),
            "deep": sum(float(s["geometric_penetration"]) > DEEP for s in converged),
            "law": max(float(s["penetration"]) for s in converged),
            "all": max(float(s["geometric_penetration"]) for s in steps),
            "contacts": max(int(s["contacts"]) for s in steps),
            "newton": sum(int(s["newton_iterations"]) for s in steps) / len(steps), "seconds": seconds}


def length(value):
    return f"{value * 1e3:.2g} mm" if value >= 1e-4 else f"{value:.1e} m"


def main():
    arguments = parse()
    base = arguments.keep or tempfile.mkdtemp(prefix="penetration_table")
    lines = ["| scene | `-manifold` | converged | poses | more than 1e-6 m | worst pair, step | contacts say "
             "| all steps, poses | contacts | Newton | seconds |", "|---|---|---|---|---|---|---|---|---|---|---|"]
    failed = False
    for name in arguments.scenes:
        scene, options = SCENES[name]
        for manifold in arguments.manifolds:
            directory = os.path.join(base, name.replace(", ", "_").replace(" ", "_") + "_" + manifold)
            done = run(arguments.program, scene, options.split() + MANIFOLDS[manifold][1].split() + arguments.options,
                       directory)
            failed = failed or not done
            m = measure(directory)
            lines.append(f"| {name} | {MANIFOLDS[manifold][0]} | {m['converged']} of {m['steps']}"
                         f"{'' if done else ' (failed)'} | {length(m['poses'])} | {m['deep']} | {m['pair']}, {m['at']} "
                         f"| {length(m['law'])} | {length(m['all'])} | {m['contacts']} | {m['newton']:.1f} "
                         f"| {m['seconds']:.0f} |")
            print(lines[-1], file=sys.stderr, flush=True)
    text = "\n".join(lines) + "\n"
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
    if not arguments.keep:
        shutil.rmtree(base)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
