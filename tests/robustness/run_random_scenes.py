#!/usr/bin/env python3
"""How many random scenes does the preset `robust` solve, every step of them, with no other option?

Usage: run_random_scenes.py PROGRAM SCRATCH_DIR [NAME ...] [--count N] [--first K] [--families A,B]
                            [--seconds S] [--table FILE.csv] [--least SHARE] [--capture] [-option value ...]

A scene is solved when its run ends, in S seconds of wall time, and every step of steps.csv has converged to a relative natural map
of 1e-8 and a velocity error of 1e-9 m/s, or of what rounding leaves, where the step says so. Prints a line per failure, which its name makes again (random_scenes.py), and a table by
family, friction, step, ratio of masses and number of contacts. What takes longer than S is a failure.

--table    a row per scene
--least    the share that must be solved for exit code 0 (default 1)
--capture  failed scenes run once more with -capture_problems: SCRATCH_DIR/NAME/problems/*.hdf5
Options with one dash go to `clarke run`: the tests weaken the solver with them.
"""

import argparse
import csv
import math
import pathlib
import shutil
import subprocess
import sys
import time

from random_scenes import make, names

GRACE = 2  # s that a step may go on once its run has been asked to end
NATURAL_MAP, VELOCITY = 1e-8, 1e-9  # [1], [m/s]: what the preset promises
BANDS = [("friction", "mu", [1e-12, 0.3, 1, 2, 5]), ("step [s]", "h", [1e-3, 1e-2, 0.05]),
         ("masses 1 :", "ratio", [10, 1e3, 1e5, 1e6]), ("contacts", "contacts", [0, 8, 32, 128, 1000]),
         ("half-extents a step", "motion", [0.03, 0.1, 0.3, 1, math.inf])]


def worst(rows, key):
    return max((float(row[key]) if row[key] else 0.0 for row in rows), default=math.nan)


def judge(rows, steps):
    """What is wrong with the steps of a run; nothing: solved."""
    for row in rows:
        if row["reason"] not in ("converged", "budget"):
            return f"step {row['step']}: {row['reason']}"
    # of stiff elements, rounding of positions leaves more, and the row says how much at most
    bad = [row for row in rows if not (row["reason"] == "converged" and float(row["natural_map_relative"]) <= NATURAL_MAP
                                       and float(row["velocity_error"]) <= max(VELOCITY, float(row["velocity_rounding"])))]
    if bad:
        return f"{len(bad)} steps not converged, first {bad[0]['step']}"
    return "" if len(rows) == steps else f"{len(rows)} of {steps} steps"


def run(arguments, name, *more):
    """A row of the table for a scene."""
    text, facts = make(name)
    scratch = arguments.scratch / name
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    scene = scratch / f"{name}.yaml"
    scene.write_text(text, encoding="utf-8")
    command = [arguments.program, "run", str(scene), "-preset", "robust", "-progress", "none", "-output_every", "0",
               "-output_dir", str(scratch), *arguments.options, *more]
    started = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        said = process.communicate(timeout=arguments.seconds)[1].strip()
        symptom = f"exit code {process.returncode}: {said[:300]}" if process.returncode else ""
    except subprocess.TimeoutExpired:
        process.terminate()  # which ends the step, and writes what there is
        try:
            process.communicate(timeout=GRACE)
        except subprocess.TimeoutExpired:
            process.terminate()  # at once
            process.communicate()
        symptom = f"longer than {arguments.seconds:g} s"
    wall = time.monotonic() - started
    table = scratch / "steps.csv"
    rows = [row for row in csv.DictReader(table.open())] if table.exists() else []
    rows = [row for row in rows if None not in row.values()]  # the last one may be half written
    wrong = judge(rows, facts["steps"])
    symptom = "; ".join(filter(None, [symptom, wrong]))
    if not (symptom and arguments.capture):
        shutil.rmtree(scratch)
    iterations = [int(row["newton_iterations"]) for row in rows]
    return {"name": name, "family": name.rpartition("-")[0], **facts, "solved": int(not symptom), "symptom": symptom,
            "contacts": int(worst(rows, "contacts")) if rows else 0, "newton_iterations": sum(iterations),
            "newton_worst": max(iterations, default=0), "seconds_solve": sum(float(row["seconds_solve"]) for row in rows),
            "seconds": wall, "natural_map_relative": worst(rows, "natural_map_relative"),
            "velocity_error": worst(rows, "velocity_error"), "overlap": worst(rows, "geometric_penetration")}


def groups(results):
    for family in dict.fromkeys(r["family"] for r in results):
        yield family, [r for r in results if r["family"] == family]
    for title, key, ends in BANDS:
        low = -math.inf
        for end in ends:
            here = [r for r in results if low < r[key] <= end]
            if here:
                yield f"{title} {'0' if end == 1e-12 else f'up to {end:g}'}", here
            low = end
    yield "all", results


def report(results):
    print(f"| {'scenes':22} | solved | steps | iterations per step, median, worst | s per scene, median, worst |")
    print("|---|---|---|---|---|")
    for title, of in groups(results):
        solved = sum(r["solved"] for r in of)
        per_step = sorted(r["newton_iterations"] / r["steps"] for r in of)
        seconds = sorted(r["seconds_solve"] for r in of)
        print(f"| {title:22} | {solved} of {len(of)} | {sum(r['steps'] for r in of)} | {per_step[len(of) // 2]:.1f}, "
              f"{max(r['newton_worst'] for r in of)} | {seconds[len(of) // 2]:.3g}, {seconds[-1]:.3g} |")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("program")
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--families", type=lambda text: text.split(","))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--least", type=float, default=1)
    parser.add_argument("--capture", action="store_true")
    words, options = sys.argv[1:], []
    for k, word in enumerate(words):
        if word.startswith("-") and not word.startswith("--") and not word[1:2].isdigit():
            words, options = words[:k], words[k:]
            break
    arguments = parser.parse_args(words)
    arguments.options = options
    return arguments


def main():
    arguments = parse()
    results = []
    for name in arguments.names + names(arguments.count, arguments.first, arguments.families):
        results.append(run(arguments, name))
        if not results[-1]["solved"]:
            r = results[-1]
            print(f"{name}: {r['symptom']}; {r['contacts']} contacts, friction {r['mu']:.3g}, step {r['h']:.2g} s, masses 1 : "
                  f"{r['ratio']:.2g}, natural map {r['natural_map_relative']:.1e}, {r['velocity_error']:.1e} m/s", flush=True)
            if arguments.capture:
                run(arguments, name, "-capture_problems", "3")
        if arguments.table:
            with arguments.table.open("w", newline="") as file:
                table = csv.DictWriter(file, results[0].keys())
                table.writeheader()
                table.writerows(results)
    report(results)
    return 0 if sum(r["solved"] for r in results) >= arguments.least * len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
