#!/usr/bin/python3
"""Does a solver option help on piles of boxes? One pile does not say: which of its steps become long walks hangs on last digits.

Usage: pile_ensemble.py PROGRAM SOURCE_DIR SCRATCH_DIR [--count N] [--tilts T,T,...] [--time_end S] [--jobs N] [--table FILE.csv]
                        [--setting "-option value ..."] ...

Piles of N boxes (cases/box_pile) with tilts T [rad] run for S seconds with the default alone and with each further setting. Prints
per setting the Newton steps of all piles, with and without the longest time step of each pile, the longest, time steps that have
not converged, seconds of the solver, in how many piles it takes fewer Newton steps than the default, and how likely at least as
uneven a count were if neither was better (sign test, two-sided). An option that was chosen on some tilts is judged on others.

It is a study (docs/studies.md), SCRATCH_DIR/piles.yaml: what has run is not run again. Exit code 0 when every run ended, whatever it
says.
"""

import argparse
import csv
import itertools
import json
import math
import pathlib
import subprocess
import sys


def options_of(setting):
    """{option: value} of "-option value -option value"."""
    words = setting.split()
    if len(words) % 2 or any(not name.startswith("-") for name in words[::2]):
        raise argparse.ArgumentTypeError(f'"{setting}": expected "-option value -option value"')
    return {name[1:]: value for name, value in zip(words[::2], words[1::2])}


def study(arguments, tilts, settings):
    """{(setting, tilt): (Newton steps of each time step, of them not converged, seconds)}, by `clarke study`."""
    arguments.scratch.mkdir(parents=True, exist_ok=True)
    file, output = arguments.scratch / "piles.yaml", arguments.scratch / "piles"
    file.write_text(json.dumps({
        "study": "piles",
        "question": "Does an option help on piles of boxes?",
        "scenes": [str(arguments.source.resolve() / "cases" / "box_pile.yaml")],
        "options": {"box_pile_count": arguments.count, "time_end": arguments.time_end, "output_every": 0},
        "sweep": {"product": {"box_pile_tilt": tilts}, "list": [{"label": s or "default", "options": options_of(s)} for s in settings]}
    }))
    done = subprocess.run([arguments.program, "study", str(file), "-study_jobs", str(arguments.jobs), "-output_dir", str(output)],
                          stderr=subprocess.PIPE, stdout=sys.stderr, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"pile_ensemble.py: {done.stderr}")
    with (output / "runs.csv").open() as table:
        runs = {row["run"]: row for row in csv.DictReader(table)}
    found = {}
    for s, t in itertools.product(settings, tilts):
        run = runs[f"{s or 'default'}, box_pile_tilt {t}"]
        # ended: without all that the scene expects, which is of its own size
        if run["outcome"] not in ("ok", "ended", "failed step"):
            said = (output / "runs" / run["directory"] / "output.txt").read_text()
            sys.exit(f"pile_ensemble.py: {run['run']}: {run['outcome']}\n{said}")
        with (output / "runs" / run["directory"] / "steps.csv").open() as table:
            steps = list(csv.DictReader(table))
        found[s, t] = ([int(step["newton_iterations"]) for step in steps], sum(step["reason"] != "converged" for step in steps),
                       float(run["seconds_solve"]))
    most = max(len(newton) for newton, _, _ in found.values())  # a step that failed ends a run
    return {key: (newton, bad + most - len(newton), seconds) for key, (newton, bad, seconds) in found.items()}


def sign_test(fewer, more):
    """Two-sided: as uneven a count of n tosses of a coin, or a more uneven one."""
    n = fewer + more
    return min(1.0, 2 * sum(math.comb(n, k) for k in range(min(fewer, more) + 1)) / 2**n)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--tilts", default="0.01,0.03,0.08,0.12,0.2,0.35")
    parser.add_argument("--time_end", type=float, default=0.5)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--setting", action="append", default=[], type=lambda s: options_of(s) and s)
    arguments = parser.parse_args()
    settings, tilts = ["", *arguments.setting], arguments.tilts.split(",")
    found = study(arguments, tilts, settings)
    print("| setting | Newton steps | without the longest time step of each pile | longest | not converged | seconds | fewer in | by chance |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for setting in settings:
        mine = [found[setting, t] for t in tilts]
        total, longest = sum(sum(newton) for newton, _, _ in mine), [max(newton) for newton, _, _ in mine]
        pairs = [(sum(found[setting, t][0]), sum(found["", t][0])) for t in tilts]
        fewer, more = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
        last = [f"{fewer} of {len(tilts)}", f"{sign_test(fewer, more):.2g}"] if setting else ["–", "–"]
        print("| " + " | ".join([f"`{setting}`" if setting else "default", str(total), str(total - sum(longest)), str(max(longest)),
                                 str(sum(bad for _, bad, _ in mine)), f"{sum(t for _, _, t in mine):.3g}", *last]) + " |")
    if arguments.table:
        with arguments.table.open("w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["setting", "tilt", "newton_iterations", "newton_worst", "not_converged", "seconds_solve"])
            for (s, t), (newton, bad, seconds) in found.items():
                table.writerow([s, t, sum(newton), max(newton), bad, seconds])


if __name__ == "__main__":
    main()
