"""Two runs of one command, and runs on one and two threads, give the same bytes: VTK files and all columns but the seconds.

Usage: thread_parity.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import csv
import os
import pathlib
import shutil
import subprocess
import sys

program, source, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])


def scene(path):
    """Big enough for threads to be used at all (kGrain in framework/device.hpp): 40 stacks of 8 boxes, 8 chains of 100 links."""
    lines = ["case: thread_parity", "time: {step: 0.008333333333333333, end: 0.1}", "bodies:",
             "  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, static: true}", "build:"]
    lines += [f"  - stack: {{count: 8, half: [0.5, 0.4, 0.3], mass: 10, mass_ratio: 1.5, position: [{2 * i}, 0, 0], name: s{i}}}"
              for i in range(40)]
    lines += [f"  - chain: {{links: 100, weight: 10, position: [0, {5 + i}, 30], direction: [1, 0, -0.5], name: c{i}}}"
              for i in range(8)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


parity_scene = scene(scratch / "thread_parity.yaml")


PRESETS = {"interactive": ["-preset", "interactive", "-ksp_type", "pcr", "-geometric_stiffness", "exact"],
           "robust": ["-preset", "robust", "-snes_max_it", "20", "-time_end", "0.05"]}


def run(preset, name, threads):
    output = scratch / preset / name
    shutil.rmtree(output, ignore_errors=True)
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="false", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run([program, "run", str(parity_scene), *PRESETS[preset], "-output_every", "1", "-progress", "none",
                           "-output_dir", str(output)], env=environment, check=False, timeout=300, capture_output=True, text=True)
    assert (output / "summary.json").exists(), done.stderr
    return output


def columns(path):
    with open(path, newline="") as file:
        return [{k: v for k, v in row.items() if not k.startswith("seconds")} for row in csv.DictReader(file)]


for preset in PRESETS:
    first = run(preset, "one_thread", 1)
    files = sorted(p.name for p in first.glob("*.vtp")) + sorted(p.name for p in first.glob("*.pvd"))
    assert len(files) > 10, files
    for other in (run(preset, "one_thread_again", 1), run(preset, "two_threads", 2)):
        assert sorted(p.name for p in other.glob("*.vtp")) + sorted(p.name for p in other.glob("*.pvd")) == files
        for name in files:
            assert (first / name).read_bytes() == (other / name).read_bytes(), f"{preset}: {other.name}/{name} differs"
        for table in ("steps.csv", "newton.csv"):
            assert columns(first / table) == columns(other / table), f"{preset}: {other.name}/{table} differs"
    print(f"{preset}: {len(files)} files and two tables are the same in three runs")
