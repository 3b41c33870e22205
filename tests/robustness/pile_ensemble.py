#!/usr/bin/python3
"""Does a solver option help on piles of boxes? One pile does not say: which of its steps become long walks hangs on last digits.

Usage: pile_ensemble.py PROGRAM SOURCE_DIR SCRATCH_DIR [--count N] [--tilts T,T,...] [--time_end S] [--jobs N] [--table FILE.csv]
                        [--setting "-option value ..."] ...

Piles of N boxes (cases/box_pile) with tilts T [rad] run for S seconds with the default alone and with each further setting. Prints
per setting the Newton steps of all piles, with and without the longest time step of each pile, the longest, time steps that have
not converged, seconds of the solver, in how many piles it takes fewer Newton steps than the default, and how likely at least as
uneven a count were if neither was better (sign test, two-sided). An option that was chosen on some tilts is judged on others.

Exit code 0 when every run ended, whatever it says.
"""

import argparse
import concurrent.futures
import csv
import math
import os
import pathlib
import subprocess
import sys

THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def pile(program, source, directory, count, tilt, end, setting):
    """What a run says of itself: (Newton steps of each time step, of them not converged, seconds)."""
    directory.mkdir(parents=True, exist_ok=True)
    command = [program, "run", str(source / "cases" / "box_pile.yaml"), "-box_pile_count", str(count), "-box_pile_tilt", tilt,
               "-time_end", str(end), "-output_every", "0", "-output_dir", str(directory), *setting.split()]
    done = subprocess.run(command, capture_output=True, text=True, env=THREAD, check=False)
    if done.returncode not in (0, 1):  # 1: an expectation of the scene, which is of its own size
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    with (directory / "steps.csv").open() as table:
        steps = list(csv.DictReader(table))
    if not steps:
        raise RuntimeError(f"{' '.join(command)}\nno time step was made\n{done.stderr}")
    return ([int(step["newton_iterations"]) for step in steps], sum(step["reason"] != "converged" for step in steps),
            sum(float(step["seconds_solve"]) for step in steps))


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
    parser.add_argument("--setting", action="append", default=[])
    arguments = parser.parse_args()
    settings, tilts = ["", *arguments.setting], arguments.tilts.split(",")
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        runs = {(s, t): pool.submit(pile, arguments.program, arguments.source, arguments.scratch / f"{s}_{t}", arguments.count, t,
                                    arguments.time_end, settings[s]) for t in tilts for s in range(len(settings))}
        try:
            found = {key: run.result() for key, run in runs.items()}
        except RuntimeError as error:
            for run in runs.values():
                run.cancel()
            sys.exit(f"pile_ensemble.py: {error}")
    print("| setting | Newton steps | without the longest time step of each pile | longest | not converged | seconds | fewer in | by chance |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for s, setting in enumerate(settings):
        mine = [found[s, t] for t in tilts]
        total, longest = sum(sum(newton) for newton, _, _ in mine), [max(newton) for newton, _, _ in mine]
        pairs = [(sum(found[s, t][0]), sum(found[0, t][0])) for t in tilts]
        fewer, more = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
        last = [f"{fewer} of {len(tilts)}", f"{sign_test(fewer, more):.2g}"] if s > 0 else ["–", "–"]
        print("| " + " | ".join([f"`{setting}`" if setting else "default", str(total), str(total - sum(longest)), str(max(longest)),
                                 str(sum(bad for _, bad, _ in mine)), f"{sum(t for _, _, t in mine):.3g}", *last]) + " |")
    if arguments.table:
        with arguments.table.open("w", newline="") as file:
            table = csv.writer(file)
            table.writerow(["setting", "tilt", "newton_iterations", "newton_worst", "not_converged", "seconds_solve"])
            for (s, t), (newton, bad, seconds) in found.items():
                table.writerow([settings[s], t, sum(newton), max(newton), bad, seconds])


if __name__ == "__main__":
    main()
