"""What is Clarke's own gives the same bits whichever kernels a BLAS library picks for a processor.

Usage: blas_kernels.py PROGRAM SOURCE_DIR SCRATCH_DIR

Presets without a solver of PETSc's that asks BLAS (docs/architecture.md, "Kokkos and determinism"), under several kernels of
OpenBLAS. Where another BLAS is in use OPENBLAS_CORETYPE means nothing, and the runs are the same all the more.
"""

import csv
import os
import pathlib
import shutil
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
KERNELS = ("Prescott", "Haswell", "SkylakeX")  # without fused products and sums, with them, and twice as wide
RUNS = {
    "robust": ["arch.yaml", "-preset", "robust", "-time_end", "0.05"],
    "interactive": ["arch.yaml", "-preset", "interactive", "-time_end", "0.05"],
    "paper": ["arch.yaml", "-preset", "paper", "-time_end", "0.05"],
    "chain": ["chain.yaml", "-time_end", "0.1"],
    "soft": ["soft_drop.yaml", "-time_end", "0.03"],
    "line search": ["arch.yaml", "-preset", "interactive", "-newton_line_search", "gll", "-time_end", "0.03"],
}
shutil.rmtree(scratch, ignore_errors=True)


def columns(path):
    with open(path, newline="") as file:
        return [{k: v for k, v in row.items() if not k.startswith("seconds")} for row in csv.DictReader(file)]


def run(name, kernel):
    file, *options = RUNS[name]
    output = scratch / name.replace(" ", "_") / kernel
    environment = dict(os.environ, OPENBLAS_CORETYPE=kernel, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    done = subprocess.run([program, "run", str(source / "cases" / file), *options, "-progress", "none", "-output_every", "0",
                           "-check_expectations", "false", "-output_dir", str(output)], env=environment, capture_output=True,
                          text=True, timeout=280, check=False)
    if done.returncode < 0:
        return None  # a kernel that this processor cannot run
    assert done.returncode == 0, done.stderr
    return [columns(output / table) for table in ("steps.csv", "newton.csv")]


for name in RUNS:
    results = {kernel: run(name, kernel) for kernel in KERNELS}
    known = {kernel: result for kernel, result in results.items() if result is not None}
    assert known, f"{name}: no kernel runs here"
    first = next(iter(known))
    for kernel, result in known.items():
        assert result == known[first], f"{name}: {kernel} and {first} differ"
    print(f"{name}: the same under {', '.join(known)}")
