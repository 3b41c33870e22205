#!/usr/bin/python3
"""What a step costs as a scene grows: runs a builder's case at several sizes and prints a table for docs/performance/.

    scripts/scaling.py [--case box_pile] [--sizes 100 400 1000 10000] [--time-end T] [--program build/clarke]
                       [-o FILE.md] [--keep DIR] [-- -option value ...]

Each size is one run without frames, with -<builder>_count and the options after "--" (-preset interactive: at a budget).
Seconds are means per step over the whole run; "last tenth" is the same over its last tenth, when the pile rests. Overlaps
are those at the poses. The slopes are least squares of log(seconds per step) against log(contacts): 1 is linear. Peak
memory is that of the process (ru_maxrss). What the scene expects is not judged: it speaks of its own size. The exit code
is 1 when a run failed. Use OMP_NUM_THREADS, and a quiet machine.
"""

import argparse
import csv
import json
import math
import os
import platform
import shutil
import subprocess
import sys
import tempfile

from table_of_runs import ROOT, parse_runs

PHASES = ["detect", "assemble", "solve", "verdict", "output"]


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--case", default="box_pile", help="a scene of cases/ with a builder of the same name")
    parser.add_argument("--sizes", type=int, nargs="+", default=[100, 400, 1000])
    parser.add_argument("--time-end", type=float, metavar="T", help="simulated time [s]; default: as the scene says")
    return parse_runs(parser)


def run(arguments, size, directory):
    """One run; its peak memory [byte] and exit code."""
    command = [arguments.program, "run", os.path.join(ROOT, "cases", arguments.case + ".yaml"),
               f"-{arguments.case}_count", str(size), "-output_dir", directory, "-output_every", "0", "-progress", "lines",
               "-check_expectations", "false"]
    if arguments.time_end:
        command += ["-time_end", str(arguments.time_end)]
    print(" ".join(command + arguments.options), file=sys.stderr, flush=True)
    child = subprocess.Popen(command + arguments.options, stdout=sys.stderr)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss * 1024, child.returncode


def measure(size, directory, memory, code):
    with open(os.path.join(directory, "steps.csv"), encoding="utf-8", newline="") as file:
        steps = list(csv.DictReader(file))
    if not steps:
        sys.exit(f"scaling.py: {directory}: no step was done")

    def mean(name, rows):
        return sum(float(row[name]) for row in rows) / len(rows)

    def overlap(row):
        return float(row["geometric_penetration"] or "nan")

    last = steps[-max(1, len(steps) // 10):]
    row = {"size": size, "steps": len(steps), "code": code, "memory": memory,
           "contacts": mean("contacts", steps), "contacts_last": float(steps[-1]["contacts"]),
           "newton": mean("newton_iterations", steps), "linear": mean("linear_iterations", steps),
           "newton_last": mean("newton_iterations", last), "newton_most": max(int(s["newton_iterations"]) for s in steps),
           "overlap_most": max(overlap(s) for s in steps), "overlap": overlap(steps[-1]),
           "energy": float(steps[-1]["kinetic_energy"]), "converged": sum(s["reason"] == "converged" for s in steps),
           "reason": steps[-1]["reason"]}
    for phase in PHASES:
        row[phase] = mean("seconds_" + phase, steps)
        row[phase + "_last"] = mean("seconds_" + phase, last)
    row["step"] = sum(row[phase] for phase in PHASES)
    row["step_last"] = sum(row[phase + "_last"] for phase in PHASES)
    return row


def slope(rows, seconds, contacts):
    points = [(math.log(row[contacts]), math.log(row[seconds])) for row in rows if row[contacts] > 0 and row[seconds] > 0]
    if len(points) < 2:
        return None
    x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    spread = sum((p[0] - x) ** 2 for p in points)
    return sum((p[0] - x) * (p[1] - y) for p in points) / spread if spread > 0 else None


def digits(value):
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "–"
    size = math.floor(math.log10(abs(value)))
    return f"{value:.1e}" if size < -3 or size > 5 else f"{value:.{max(0, 2 - size)}f}"


def table(head, rows):
    lines = [head, ["--:"] * len(head)] + rows
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def slopes(rows, names, contacts):
    """A line over all sizes, and one over the last two: small piles may come to rest in fewer iterations."""
    lines = []
    for label, part in (("slope", rows), ("slope, last two", rows[-2:])):
        values = [slope(part, name, contacts) for name in names]
        lines.append([label, ""] + ["" if value is None else f"**{value:.2f}**" for value in values])
    return lines[:1] if len(rows) < 3 else lines


def document(arguments, rows, record):
    ms = 1e3
    names = ["step"] + PHASES
    whole = [[str(row["size"]), f"{row['contacts']:.0f}"] + [digits(row[name] * ms) for name in names] for row in rows]
    rest = [[str(row["size"]), f"{row['contacts_last']:.0f}"] + [digits(row[name + "_last"] * ms) for name in names]
            for row in rows]
    outcome = [[str(row["size"]), f"{row['converged']} of {row['steps']}", f"{row['newton']:.1f}", str(row["newton_most"]),
                f"{row['newton_last']:.1f}", f"{row['linear']:.0f}", digits(row["overlap_most"]), digits(row["overlap"]),
                digits(row["energy"]), f"{row['memory'] / 1e6:.0f}", str(row["code"])] for row in rows]
    provenance = record["provenance"]
    threads = os.environ.get("OMP_NUM_THREADS", "all")
    return (f"# Scaling of `{arguments.case}`\n\n"
            f"`{os.path.basename(sys.argv[0])} {' '.join(sys.argv[1:])}`: Clarke {provenance['git_hash']}, "
            f"{provenance['build_type']}, {provenance['backends']}, {platform.machine()}, OMP_NUM_THREADS={threads}; "
            f"{rows[0]['steps']} steps of {digits(record['dt'])} s.\n\n"
            "Milliseconds per step, mean of the whole run; slopes of log(ms) against log(contacts).\n\n"
            + table(["count", "contacts, mean"] + names, whole + slopes(rows, names, "contacts"))
            + "\nThe same over the last tenth of the run, when most of it rests.\n\n"
            + table(["count", "contacts, end"] + names,
                    rest + slopes(rows, [name + "_last" for name in names], "contacts_last"))
            + "\nSteps that converged, iterations per step, overlap at the poses [m], kinetic energy at the end [J], peak memory.\n\n"
            + table(["count", "converged", "Newton", "most in a step", "last tenth", "linear", "overlap, largest", "overlap, end",
                     "energy, end", "memory [MB]", "exit code"], outcome))


def main():
    arguments = parse()
    if not os.access(arguments.program, os.X_OK) or os.path.isdir(arguments.program):
        sys.exit(f"scaling.py: there is no program {arguments.program}: scripts/build.sh makes it, or give --program")
    scene = os.path.join(ROOT, "cases", arguments.case + ".yaml")
    if not os.path.exists(scene):
        sys.exit(f"scaling.py: there is no scene {scene}")
    rows, record = [], None
    scratch = arguments.keep or tempfile.mkdtemp(prefix="clarke_scaling_")
    try:
        for size in arguments.sizes:
            directory = os.path.join(scratch, f"{arguments.case}_{size}")
            memory, code = run(arguments, size, directory)
            if not os.path.exists(os.path.join(directory, "summary.json")):
                sys.exit(f"scaling.py: the run of {size} ended with exit code {code} and no summary")
            rows.append(measure(size, directory, memory, code))
            with open(os.path.join(directory, "summary.json"), encoding="utf-8") as file:
                record = json.load(file)
            text = document(arguments, rows, record)  # what is there is kept, should a larger run not end
            if arguments.output:
                os.makedirs(os.path.dirname(os.path.abspath(arguments.output)), exist_ok=True)
                with open(arguments.output, "w", encoding="utf-8") as file:
                    file.write(text)
    finally:
        if not arguments.keep:
            shutil.rmtree(scratch, ignore_errors=True)
    if not arguments.output:
        print(text)
    failed = [row for row in rows if row["code"] != 0]
    for row in failed:
        print(f"scaling.py: the run of {row['size']} ended with exit code {row['code']}: {row['reason']}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
