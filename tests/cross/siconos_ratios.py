#!/usr/bin/python3
"""How much faster or slower is the default of `clarke solve` than the best of Siconos' solvers, at the same accuracy?

Usage: siconos_ratios.py PROGRAM SCRATCH_DIR FILE.hdf5 ... [--seconds S] [--repeat N] [--table FILE.csv]

Accuracy is the strict residual (docs/problems.md), at most 1e-8 for both, computed here from the impulses of either. Siconos' own
tolerance means something else, so its solvers get 1e-8, 1e-9, 1e-10, 1e-12 and 1e-14 of it in turn, and the first call that is
accurate enough counts, alone. Matrices are given as compressed columns (NSGS: as blocks of three), small ones as dense ones too, and
the faster one counts. Each call is in a process of its own, with S seconds at most; below a tenth of a second it is the fastest of N
(of Clarke's, in one process). Timed is the call of the solver alone, as Clarke's `seconds` are the solve without reading and
preparing. Global problems are condensed for Siconos, bilateral rows (without bounds) eliminated with them, and that is not in its
time. What either takes for that is in two columns of their own: Clarke's layout, objects and first factorisation, and the condensing
by SciPy's SuperLU. A second summary counts both: what a program that has a step to solve waits for.

Exit code 77: no Siconos in this Python.
"""

import argparse
import csv
import multiprocessing
import os
import pathlib
import subprocess
import sys
import time

from siconos_problems import h5py, limited, matrix, np, project, siconos, sparse, sparse_linalg

SOLVERS = ["NSGS", "PROX", "NSN_AC", "ADMM"]
TOLERANCES = [1e-8, 1e-9, 1e-10, 1e-12, 1e-14]
STRICT = 1e-8
DENSE_CONTACTS = 150  # beyond, dense matrices are no help
SHORT = 0.1  # [s]: repeated
SECOND_CHANCE = 1  # [s] with another storage, where the first took too long


def read(path):
    """((W, q, mu), seconds that condensing took); bilateral rows and compliance are in them."""
    with h5py.File(path, "r") as f:
        if "fclib_global" not in f:
            root = f["fclib_local"]
            if "V" in root:
                raise ValueError("bilateral rows of a local problem")
            return (matrix(root["W"]), root["vectors/q"][()], root["vectors/mu"][()]), np.nan
        root = f["fclib_global"]
        M, H, load, w = (matrix(root["M"]), matrix(root["H"]), root["vectors/f"][()], root["vectors/w"][()])
        ours, mu = f["clarke"] if "clarke" in f else {}, root["vectors/mu"][()]
        if "joint_lower" in ours:
            raise ValueError("bounded joint rows")
        rows = 0
        if "G" in root:
            G, b = matrix(root["G"]), root["vectors/b"][()]
            rows = G.shape[1]
            E = sparse.diags(ours["joint_compliance"][()] if "joint_compliance" in ours else np.zeros(rows))
            M = sparse.bmat([[M, -G], [G.T, E]])
            H = sparse.vstack([H, sparse.csc_matrix((rows, H.shape[1]))])
            load = np.concatenate([load, -b])
        M, dense = sparse.csc_matrix(M), H.toarray()
        start = time.perf_counter()
        inverse = sparse_linalg.splu(M).solve
        W, q = H.T @ inverse(dense), H.T @ inverse(load) + w
        taken = time.perf_counter() - start
        if "contact_compliance" in ours:
            W = W + np.diag(ours["contact_compliance"][()])
        W = np.where(np.abs(W) > 1e-15 * np.abs(W).max(), W, 0)
        return (sparse.csc_matrix((W + W.T) / 2), q, mu), taken


def strict(W, q, mu, r):
    """docs/problems.md, "The figures"."""
    s = 1 / np.sqrt(W.diagonal().reshape(-1, 3).sum(1) / 3)[:, None]
    u = (W @ r + q).reshape(-1, 3) * s
    impulse = r.reshape(-1, 3) / s
    u[:, 0] += mu * np.hypot(u[:, 1], u[:, 2])
    error = impulse - project(impulse - u, mu)
    free = q.reshape(-1, 3)
    return max(np.linalg.norm(error) / np.linalg.norm(free * s),
               (np.linalg.norm(error, axis=1) / s[:, 0]).max() / np.linalg.norm(free, axis=1).max())


def call(connection, problem, storage, solver, tolerance):
    W, q, mu = problem
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    M = W.toarray() if storage == "dense" else W if storage == "columns" else siconos.SBM_from_csparse(3, W)[1]
    task = siconos.FrictionContactProblem(3, len(mu), M, q, mu)
    options = siconos.SolverOptions(getattr(siconos, "SICONOS_FRICTION_3D_" + solver))
    options.iparam[siconos.SICONOS_IPARAM_MAX_ITER] = 1000000
    options.dparam[siconos.SICONOS_DPARAM_TOL] = tolerance
    r, u = np.zeros(3 * len(mu)), np.zeros(3 * len(mu))
    start = time.perf_counter()
    siconos.fc3d_driver(task, r, u, options)
    connection.send((time.perf_counter() - start, r))


def best_of(problem, solver, seconds, repeat):
    """The least time of a solver that gets there, or NaN."""
    least, limit = np.nan, seconds
    more = ["dense"] if len(problem[2]) <= DENSE_CONTACTS else []
    for storage in (["blocks"] if solver == "NSGS" else ["columns"]) + more:
        for tolerance in TOLERANCES:
            answer = limited(limit, call, problem, storage, solver, tolerance)
            if isinstance(answer, str):  # crashed, or longer than that
                limit = min(SECOND_CHANCE, seconds)
                break  # tighter tolerances take longer
            if np.abs(answer[1]).max() < 1e100 and strict(*problem, answer[1]) <= STRICT:  # some diverge
                again = repeat - 1 if answer[0] < SHORT else 0
                others = [limited(limit, call, problem, storage, solver, tolerance) for _ in range(again)]
                least = np.nanmin([least, answer[0], *(a[0] for a in others if not isinstance(a, str))])
                break
    return float(least)


def clarke(program, path, problem, scratch, seconds, repeat):
    """(seconds, seconds of preparing, strict residual, Newton steps) of the default. The first problem of a process also pays for
    setting up PETSc, so short ones are solved again behind it."""
    scratch.mkdir(parents=True, exist_ok=True)
    found = []
    for count in (1, 1 + repeat):
        options = ["-o", str(scratch / "solved.hdf5")] if count == 1 else []
        try:
            subprocess.run([program, "solve", *[str(path)] * count, "-output_dir", str(scratch), *options], capture_output=True,
                           timeout=seconds + 5 if count == 1 else None, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False)
        except subprocess.TimeoutExpired:
            return np.nan, np.nan, np.nan, 0
        with (scratch / "problems.csv").open() as table:
            found += [(float(row["seconds"]), float(row["seconds_prepare"]), int(row["newton_iterations"]))
                      for row in csv.DictReader(table)]
        if found[0][0] > SHORT:
            break
    with h5py.File(scratch / "solved.hdf5", "r") as file:
        error = strict(*problem, file["solution/r"][()])
    t, _, count = min(found)
    return t if error <= STRICT and t <= seconds else np.nan, min(row[1] for row in found), error, count


def summary(rows):
    both = [row for row in rows if np.isfinite(row["clarke"]) and np.isfinite(row["best"])]
    ratio = sorted(row["best"] / row["clarke"] for row in both)
    print(f"\nsolved of {len(rows)}: Clarke {sum(np.isfinite(row['clarke']) for row in rows)}, "
          + ", ".join(f"{s} {sum(np.isfinite(row[s]) for row in rows)}" for s in SOLVERS)
          + f", any of Siconos' {sum(np.isfinite(row['best']) for row in rows)}")
    if ratio:
        print(f"Siconos' best over Clarke, where both solve ({len(ratio)}): median {np.median(ratio):.2g}, least {ratio[0]:.2g}, "
              f"largest {ratio[-1]:.2g}; Clarke slower by more than 1.5 on {sum(x < 1 / 1.5 for x in ratio)}")
        for name, large in (("below 50 contacts", False), ("50 contacts and more", True)):
            part = [row["best"] / row["clarke"] for row in both if (row["contacts"] >= 50) == large]
            if part:
                print(f"  {name}: {len(part)}, median {np.median(part):.2g}, {min(part):.2g} to {max(part):.2g}")
        whole = sorted((row["best"] + np.nan_to_num(row["condense"])) / (row["clarke"] + row["prepare"]) for row in both)
        print(f"the same with what either prepares first: median {np.median(whole):.2g}, least {whole[0]:.2g}, largest "
              f"{whole[-1]:.2g}; Clarke slower by more than 1.5 on {sum(x < 1 / 1.5 for x in whole)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--table", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.scratch.mkdir(parents=True, exist_ok=True)
    if not pathlib.Path(arguments.program).exists():
        parser.error(f"{arguments.program}: no such program")
    arguments.program = str(pathlib.Path(arguments.program).resolve())
    rows = []
    print(f"| problem | contacts | Newton steps | Clarke [ms] | {' | '.join(SOLVERS)} | best/Clarke | prepare [ms] | condense [ms] |")
    print("|---|---|---|---|" + "---|" * len(SOLVERS) + "---|---|---|")
    for path in arguments.files:
        try:
            problem, condense = read(path)
            condense = min([condense] + [read(path)[1] for _ in range(arguments.repeat - 1)])
        except (ValueError, KeyError, RuntimeError) as error:
            print(f"{path.name}: left out: {error}", flush=True)
            continue
        t, prepare, error, count = clarke(arguments.program, path, problem, arguments.scratch, arguments.seconds, arguments.repeat)
        row = {"problem": path.stem, "contacts": len(problem[2]), "newton": count, "clarke": t, "prepare": prepare,
               "condense": condense, "strict": error}
        row.update({s: best_of(problem, s, arguments.seconds, arguments.repeat) for s in SOLVERS})
        row["best"] = float(np.nanmin([row[s] for s in SOLVERS])) if any(np.isfinite(row[s]) for s in SOLVERS) else np.nan
        rows.append(row)
        cells = [f"{1e3 * row[s]:.3g}" if np.isfinite(row[s]) else "–" for s in ("clarke", *SOLVERS, "prepare", "condense")]
        ratio = f"{row['best'] / t:.2g}" if np.isfinite(row["best"] / t) else "–"
        print(f"| {path.stem} | {row['contacts']} | {count} | {' | '.join(cells[:-2])} | {ratio} | {' | '.join(cells[-2:])} |", flush=True)
    summary(rows)
    if arguments.table:
        with arguments.table.open("w", newline="") as file:
            table = csv.DictWriter(file, rows[0].keys())
            table.writeheader()
            table.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
