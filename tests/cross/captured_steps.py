#!/usr/bin/env python3
"""The hardest steps of all cases as contact problems: are they solved by the default of `clarke solve`, and at what cost?

Usage: captured_steps.py PROGRAM SOURCE_DIR SCRATCH_DIR [--cases A,B] [--steps N] [--time_end T] [--seconds S] [--table FILE.csv]
                         [-option value ...]

Every case that has contacts runs for T seconds of its time with -preset interactive (its own options stay in force), and leaves the
N steps that took most Newton iterations, of equal ones those with the largest error (-capture_problems), in SCRATCH_DIR/CASE/problems. Each is then
solved from nothing by `clarke solve`, in a process of its own and S seconds at most, by its default or by the options given. Which steps are
captured depends on last digits. Cases that no file has a place for (friction cones that are no discs) are left out, and named.

Exit code 0 when all are solved to -solve_tolerance (10⁻⁸ of the strict residual).
"""

import argparse
import csv
import os
import pathlib
import shutil
import subprocess
import sys

RUN_SECONDS = 120  # a run is interrupted then, and leaves what it has captured
THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def ended(command, seconds):
    """(exit code, standard error) of a process that is asked to end after so many seconds; None: it was."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=THREAD)
    try:
        said = process.communicate(timeout=seconds)[1]
        return process.returncode, said
    except subprocess.TimeoutExpired:
        process.terminate()
        try:
            process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        return None, ""


def capture(arguments, scene):
    """Problem files of a case."""
    out = arguments.scratch / scene.stem
    shutil.rmtree(out, ignore_errors=True)
    code, said = ended([arguments.program, "run", str(scene), "-preset", "interactive", "-capture_problems", str(arguments.steps),
                        "-time_end", str(arguments.time_end), "-output_every", "0", "-progress", "none", "-check_expectations",
                        "false", "-output_dir", str(out)], RUN_SECONDS)
    if code == 2:
        print(f"{scene.stem}: left out: {said.strip().splitlines()[-1]}", flush=True)
    return sorted((out / "problems").glob("*.hdf5"))


def solve(arguments, file):
    """A row of problems.csv, or none when time was up."""
    out = file.parent.parent / "solved"
    shutil.rmtree(out, ignore_errors=True)
    ended([arguments.program, "solve", str(file), "-output_dir", str(out), *arguments.options], arguments.seconds)
    table = out / "problems.csv"
    if not table.exists():
        return {"problem": file.stem, "solved": "0", "contacts": file.stem.rpartition("-c")[2], "strict_residual": "nan",
                "newton_iterations": "0", "seconds": str(arguments.seconds)}
    with table.open() as rows:
        return {**next(csv.DictReader(rows)), "problem": file.stem}


def line(title, rows):
    count = [int(row["newton_iterations"]) for row in rows]
    seconds = sorted(float(row["seconds"]) for row in rows)
    solved = sum(row["solved"] in ("1", "true") for row in rows)
    return (f"| {title:24} | {solved} of {len(rows)} | {min(int(row['contacts']) for row in rows)} to "
            f"{max(int(row['contacts']) for row in rows)} | {sorted(count)[len(rows) // 2]}, {max(count)} | "
            f"{seconds[len(rows) // 2]:.2g}, {seconds[-1]:.2g} |")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("program")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--cases", type=lambda text: text.split(","))
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--time_end", type=float, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--table", type=pathlib.Path)
    words = sys.argv[1:]
    first = next((k for k, word in enumerate(words) if word[:1] == "-" and word[:2] != "--"), len(words))
    arguments = parser.parse_args(words[:first])
    arguments.options = words[first:]
    return arguments


def main():
    arguments = parse()
    arguments.scratch.mkdir(parents=True, exist_ok=True)
    scenes = [s for s in sorted((arguments.source / "cases").glob("*.yaml")) if not arguments.cases or s.stem in arguments.cases]
    print("| case | solved | contacts | Newton steps, median, worst | seconds, median, worst |\n|---|---|---|---|---|")
    everything = []
    for scene in scenes:
        rows = [{"case": scene.stem, **solve(arguments, file)} for file in capture(arguments, scene)]
        if rows:
            print(line(scene.stem, rows), flush=True)
        everything += rows
    if not everything:
        return 2
    print(line("all", everything))
    for row in everything:
        if row["solved"] not in ("1", "true"):
            print(f"not solved: {row['problem']}: strict residual {row['strict_residual']}, {row['newton_iterations']} Newton steps, "
                  f"{row['seconds']} s")
    if arguments.table:
        with arguments.table.open("w", newline="") as file:
            table = csv.DictWriter(file, list(dict.fromkeys(key for row in everything for key in row)))
            table.writeheader()
            table.writerows(everything)
    return 0 if all(row["solved"] in ("1", "true") for row in everything) else 1


if __name__ == "__main__":
    sys.exit(main())
