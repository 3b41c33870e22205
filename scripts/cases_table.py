#!/usr/bin/env python3
"""Every shipped case with the default alone, beside the settings that were once picked by hand for it: what it costs, and what converges.

Usage: cases_table.py PROGRAM SOURCE_DIR SCRATCH_DIR [--tuned DIR] [--time_end T] [--repeat N] [--seconds S] [--cases A,B] [--table FILE.csv]

Each case runs N times for at most T seconds of its time, by turns: first with -preset robust and without the solver options that its
file still has, then as its file in DIR says, in which the options of the time before the default converged are. Without --tuned these
are taken from the history (commit TUNED). Of the runs of one setting the fastest counts. Expectations are not checked.

A step has converged when its own run says so: with the default that means 1e-9 m/s and a relative natural map of 1e-8, with most of
the old settings a budget that was used up does not. A row has the steps that converged of those made, factorisations or products (linear
iterations) per step, and seconds of all the run less its output, of the default and of the old settings; the ratio is that of seconds.
"rest" is the same over the last tenth of the steps where kinetic energy is then below 1e-9 J per body; otherwise empty.

Exit code 0: all steps of all cases converged with the default.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tarfile

TUNED = "6d79b0c"  # the last commit at which cases carried their options
# What is a property of the model and not of its solver.
PHYSICS = {"contact_margin", "friction_pairing", "integrator", "gyroscopic", "manifold"}
RESTING = 1e-9  # [J] per body
TENTH = 10
THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def without_solver_options(text):
    """The scene with those options only that are physics."""
    def kept(match):
        items = [item.strip() for item in match.group(1).split(",")]
        items = [item for item in items if item.split(":")[0].strip() in PHYSICS]
        return f"options: {{{', '.join(items)}}}" if items else ""
    return re.sub(r"^options: *\{(.*?)\}", kept, text, flags=re.M | re.S)


def copy_of_cases(source, place):
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(source / "cases", place / "cases")
    return place / "cases"


def tuned_cases(arguments):
    if arguments.tuned:
        return arguments.tuned
    place = arguments.scratch / "tuned"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    archive = subprocess.Popen(["git", "-C", str(arguments.source), "archive", TUNED, "cases"], stdout=subprocess.PIPE)
    with tarfile.open(fileobj=archive.stdout, mode="r|") as tar:
        tar.extractall(place)
    if archive.wait():
        sys.exit(f"no commit {TUNED} in {arguments.source}: give the old cases with --tuned")
    return place / "cases"


def run(arguments, scene, preset, out):
    """The steps of a run as a table, and its summary; none where it did not end."""
    shutil.rmtree(out, ignore_errors=True)
    command = [arguments.program, "run", str(scene), "-output_every", "0", "-progress", "none", "-check_expectations", "false",
               "-output_dir", str(out)]
    if preset:
        command += ["-preset", preset]
    end = re.search(r"^time:.*?\bend: *([0-9.e+-]+)", scene.read_text(), re.M)
    if end is None or float(end.group(1)) > arguments.time_end:
        command += ["-time_end", str(arguments.time_end)]
    try:
        subprocess.run(command, capture_output=True, env=THREAD, timeout=arguments.seconds, check=False)
    except subprocess.TimeoutExpired:
        return None
    if not (out / "summary.json").exists():
        return None
    with (out / "steps.csv").open() as table:
        steps = list(csv.DictReader(table))
    return steps, json.loads((out / "summary.json").read_text())


PARTS = ("detect", "assemble", "solve", "verdict", "geometry")


def seconds_of(steps):
    return sum(float(step["seconds_" + part]) for step in steps for part in PARTS)


def last_tenth(found):
    """The steps of the end, where everything rests."""
    steps, summary = found
    tail = steps[-max(1, len(steps) // TENTH):]
    resting = all(float(step["kinetic_energy"] or 0) <= RESTING * max(1, summary["bodies"]) for step in tail)
    return tail if resting and len(steps) >= TENTH else []


def fastest(runs):
    runs = [found for found in runs if found and found[0]]
    return min(runs, key=lambda found: seconds_of(found[0])) if runs else None


def row_of(name, robust, tuned):
    row = {"case": name}
    for label, found in (("default", robust), ("tuned", tuned)):
        if not found:
            row.update({f"{label}_{key}": "" for key in ("converged", "steps", "work", "seconds")})
            continue
        steps = found[0]
        row[f"{label}_converged"] = sum(step["reason"] == "converged" for step in steps)
        row[f"{label}_steps"] = len(steps)
        row[f"{label}_work"] = sum(int(step["linear_iterations"]) for step in steps) / len(steps)
        row[f"{label}_seconds"] = seconds_of(steps)
    row["ratio"] = row["rest"] = ""
    if robust and tuned and len(robust[0]) == len(tuned[0]):
        row["ratio"] = row["default_seconds"] / row["tuned_seconds"]
        ours, theirs = last_tenth(robust), last_tenth(tuned)
        if ours and theirs:
            row["rest"] = seconds_of(ours) / seconds_of(theirs)
    return row


def figure(value, form):
    return format(value, form) if value != "" else "–"


def line(row):
    cells = [row["case"]]
    for label in ("default", "tuned"):
        cells += [f"{figure(row[label + '_converged'], 'd')} of {figure(row[label + '_steps'], 'd')}", figure(row[label + "_work"], ".1f"),
                  figure(row[label + "_seconds"], ".2g")]
    return f"| {' | '.join(cells)} | {figure(row['ratio'], '.2g')} | {figure(row['rest'], '.2g')} |"


def summary(rows):
    for key, title in (("ratio", "seconds, default over old settings"), ("rest", "the same at rest")):
        values = sorted(row[key] for row in rows if row[key] != "")
        if values:
            print(f"{title}: {len(values)} cases, median {statistics.median(values):.2g}, largest {values[-1]:.2g}; above 2 "
                  f"{sum(v > 2 for v in values)}, above 10 {sum(v > 10 for v in values)}")
    left = [row["case"] for row in rows if row["default_converged"] != row["default_steps"] or row["default_steps"] == ""]
    print(f"steps that did not converge with the default in {len(left)} of {len(rows)} cases" + (": " + ", ".join(left) if left else ""))
    return left


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("program")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--tuned", type=pathlib.Path)
    parser.add_argument("--time_end", type=float, default=1)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--cases", type=lambda text: text.split(","))
    parser.add_argument("--table", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.program = str(pathlib.Path(arguments.program).resolve())
    arguments.scratch.mkdir(parents=True, exist_ok=True)
    before, now = tuned_cases(arguments), copy_of_cases(arguments.source, arguments.scratch / "default")
    rows = []
    print("| case | converged | products a step | seconds | old settings: converged | products | seconds | ratio | at rest |\n"
          "|---|---|---|---|---|---|---|---|---|")
    for scene in sorted(now.glob("*.yaml")):
        if arguments.cases and scene.stem not in arguments.cases:
            continue
        scene.write_text(without_solver_options(scene.read_text()))
        ours, theirs = [], []
        for _ in range(arguments.repeat):
            ours.append(run(arguments, scene, "robust", arguments.scratch / "run" / "default"))
            if (before / scene.name).exists():
                text = (before / scene.name).read_text()
                theirs.append(run(arguments, before / scene.name, "" if "preset:" in text else "interactive",
                                  arguments.scratch / "run" / "tuned"))
        rows.append(row_of(scene.stem, fastest(ours), fastest(theirs)))
        print(line(rows[-1]), flush=True)
    if not rows:
        return 2
    left = summary(rows)
    if arguments.table:
        with arguments.table.open("w", newline="") as file:
            table = csv.DictWriter(file, rows[0].keys())
            table.writeheader()
            table.writerows(rows)
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
