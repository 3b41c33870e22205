"""Siconos' own solvers and `clarke solve` on the same contact problems in the same run: residual, time, performance profile.

Usage: siconos_problems.py PROGRAM SCRATCH_DIR [--problems DIR] [--seconds S] [--tolerance T] [--solvers A,B] [--plot FILE.svg]

Without --problems, those of the directory CLARKE_PROBLEMS, or small ones made here. Every solver gets every problem in a process of
its own, with a limit of S seconds of wall time (a crash or a hang is a result); what is timed is the call of the solver, after
reading. Global problems are given to Siconos condensed, W = H' M^-1 H, as FCLIB's own comparison does; condensing is not timed. Matrices are
compressed columns, for which Siconos' NSGS is slower than with the block storage of its simulations: no fair race for that one.
The residual of both is computed here, from Siconos' impulses and by `clarke solve` itself, and the two must agree.

Exit code 0: Clarke's default solves all, and both residuals mean the same; 1: not so; 77: no Siconos in this Python.
"""

import argparse
import csv
import multiprocessing
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
try:
    import h5py
    import numpy as np
    import problem_files
    import scipy.sparse as sparse
    import scipy.sparse.linalg as sparse_linalg
    import siconos.numerics as siconos
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

# Name in the table, name of the solver, settings (index, value) of its integer parameters.
SOLVERS = [
    ("PROX", "PROX", []),
    ("NSN_AC", "NSN_AC", []),
    ("NSN_AC JM", "NSN_AC", [("SICONOS_FRICTION_3D_NSN_FORMULATION", "SICONOS_FRICTION_3D_NSN_FORMULATION_JEANMOREAU_STD")]),
    ("NSN_FB", "NSN_FB", []),
    ("NSN_NM", "NSN_NM", []),
    ("NSGS", "NSGS", []),
    ("EG", "EG", []),
    ("VI_EG", "VI_EG", []),
    ("TFP", "TFP", []),
    ("ACLMFP", "ACLMFP", []),
    ("ADMM", "ADMM", []),
]
CLARKE = [
    ("clarke (default)", []),
    ("clarke NSGS", ["-snes_type", "nsgs", "-newton_start_sweeps", "0", "-snes_max_it", "1000"]),
]


def matrix(group):
    m, n, nz = (int(group[key][0]) for key in ("m", "n", "nz"))
    p, i, x = group["p"][()], group["i"][()], group["x"][()]
    if nz >= 0:
        return sparse.csc_matrix((x[:nz], (i[:nz], p[:nz])), (m, n))
    return sparse.csc_matrix((sparse.csc_matrix if nz == -1 else sparse.csr_matrix)((x[:p[-1]], i[:p[-1]], p), (m, n)))


def read_local(path):
    """W, q, mu, of a global problem condensed."""
    with h5py.File(path, "r") as f:
        if "fclib_local" in f and "fclib_global" not in f:
            root = f["fclib_local"]
            return matrix(root["W"]), root["vectors/q"][()], root["vectors/mu"][()]
        root = f["fclib_global"]
        if "G" in root or "clarke" in f and "contact_compliance" in f["clarke"]:
            raise ValueError("joints or compliance: no problem for Siconos' fc3d")
        H = matrix(root["H"])
        solve = sparse_linalg.splu(sparse.csc_matrix(matrix(root["M"]))).solve
        return (sparse.csc_matrix(H.T @ solve(H.toarray())), H.T @ solve(root["vectors/f"][()]) + root["vectors/w"][()],
                root["vectors/mu"][()])


def project(p, mu):
    """On the cones |t| <= mu n."""
    t = np.hypot(p[:, 1], p[:, 2])
    n = (p[:, 0] + mu * t) / (1 + mu**2)
    s = np.where(t > 0, mu * n / np.where(t > 0, t, 1), 0)
    out = np.column_stack([n, s * p[:, 1], s * p[:, 2]])
    out[t <= mu * p[:, 0]] = p[t <= mu * p[:, 0]]
    out[mu * t <= -p[:, 0]] = 0
    return out


def residual(W, q, mu, r):
    """The natural map with unit weight, over max(|q|, |r|, |u|)."""
    u = W @ r + q
    impulse, v = r.reshape(-1, 3), u.reshape(-1, 3).copy()
    v[:, 0] += mu * np.hypot(v[:, 1], v[:, 2])
    return np.linalg.norm(impulse - project(impulse - v, mu)) / max(np.linalg.norm(x) for x in (q, r, u))


def siconos_solve(connection, problem, solver, settings, tolerance):
    W, q, mu = problem
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    task = siconos.FrictionContactProblem(3, len(mu), W, q, mu)
    options = siconos.SolverOptions(getattr(siconos, "SICONOS_FRICTION_3D_" + solver))
    options.iparam[siconos.SICONOS_IPARAM_MAX_ITER] = 1000000  # the limit is the time
    options.dparam[siconos.SICONOS_DPARAM_TOL] = tolerance
    for index, value in settings:
        options.iparam[getattr(siconos, index)] = getattr(siconos, value)
    r, u = np.zeros(3 * len(mu)), np.zeros(3 * len(mu))
    start = time.perf_counter()
    siconos.fc3d_driver(task, r, u, options)
    connection.send((time.perf_counter() - start, r))


def limited(seconds, function, *arguments):
    """What function(connection, *arguments) sends from a process of its own, or "time" or "crash"."""
    here, there = multiprocessing.Pipe(False)
    child = multiprocessing.Process(target=function, args=(there, *arguments))
    child.start()
    there.close()
    answer = "time"
    try:
        if here.poll(seconds + 1):  # a second for the fork and the set-up
            answer = here.recv()
    except EOFError:
        answer = "crash"
    if child.is_alive() and answer == "time":
        child.kill()
    child.join()
    return answer


def in_process(problem, solver, settings, tolerance, seconds):
    """(seconds, impulses, "") or (None, None, what happened)."""
    answer = limited(seconds, siconos_solve, problem, solver, settings, tolerance)
    return (None, None, answer) if isinstance(answer, str) else (*answer, "")


def clarke_solve(program, files, options, directory, seconds):
    """Rows of problems.csv by name, each problem in a process of its own."""
    rows = {}
    for path in files:
        try:
            subprocess.run([program, "solve", str(path), "-output_dir", str(directory), *options], capture_output=True,
                           timeout=seconds + 5, env={**os.environ, "OMP_NUM_THREADS": "1"})
            with open(directory / "problems.csv") as table:
                rows[path.stem] = next(csv.DictReader(table))
            (directory / "problems.csv").unlink()
        except (subprocess.TimeoutExpired, FileNotFoundError):
            pass
    return rows


def plot(times, names, file):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    best = np.nanmin(np.array([times[s] for s in names]), axis=0)
    figure, axes = plt.subplots(figsize=(7, 4.5))
    for s in names:
        ratio = np.sort(np.nan_to_num(np.array(times[s]) / best, nan=np.inf))
        share = np.arange(1, len(ratio) + 1) / len(ratio)
        inside = np.isfinite(ratio)
        axes.step(np.append(ratio[inside], 1e5), np.append(share[inside], share[inside][-1] if inside.any() else 0),
                  where="post", label=s, linewidth=2.2 if s.startswith("clarke") else 1.1)
    axes.set(xscale="log", xlim=(1, 1e4), ylim=(0, 1.02), xlabel="time / time of the fastest",
             ylabel="share of problems solved")
    axes.legend(fontsize=7, ncol=2)
    figure.tight_layout()
    figure.savefig(file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--problems", type=pathlib.Path, default=os.environ.get("CLARKE_PROBLEMS"))
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--tolerance", type=float, default=1e-8)
    parser.add_argument("--solvers", help="names from the first column, separated by commas")
    parser.add_argument("--plot", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.scratch.mkdir(parents=True, exist_ok=True)
    if arguments.problems:
        files = sorted(pathlib.Path(arguments.problems).glob("*.hdf5"))
    else:
        files = [pathlib.Path(f) for f in problem_files.shipped(arguments.scratch)]
    wanted = arguments.solvers.split(",") if arguments.solvers else [name for name, _, _ in SOLVERS]
    problems, good = {}, []
    for path in files:
        try:
            problems[path.stem] = read_local(path)
            good.append(path)
        except (ValueError, KeyError) as error:
            print(path.name, "left out:", error)
    times, errors, what = {}, {}, {}
    reference = {}  # best impulses of Siconos per problem
    for name, options in CLARKE:
        rows = clarke_solve(arguments.program, good, [*options, "-solve_tolerance", str(arguments.tolerance)],
                            arguments.scratch / "clarke", arguments.seconds)
        errors[name] = [float(rows[p.stem]["siconos_residual"]) if p.stem in rows else np.nan for p in good]
        spent = [float(rows[p.stem]["seconds"]) if p.stem in rows else np.nan for p in good]
        times[name] = [t if e <= arguments.tolerance and t <= arguments.seconds else np.nan
                       for t, e in zip(spent, errors[name])]
        what[name] = ["" if p.stem in rows else "time" for p in good]
    for name, solver, settings in SOLVERS:
        if name not in wanted:
            continue
        times[name], errors[name], what[name] = [], [], []
        for path in good:
            seconds, r, why = in_process(problems[path.stem], solver, settings, arguments.tolerance, arguments.seconds)
            error = residual(*problems[path.stem], r) if r is not None else np.nan
            if error <= reference.get(path.stem, (np.inf, None))[0]:
                reference[path.stem] = (error, r)
            errors[name].append(error)
            times[name].append(seconds if error <= arguments.tolerance and seconds <= arguments.seconds else np.nan)
            what[name].append(why)
    names = list(times)
    width = max(len(p.stem) for p in good)
    print(f"seconds, or the residual where it is above {arguments.tolerance:g}\n")
    print(" " * width, *(f"{s[:16]:>16}" for s in names))
    for k, path in enumerate(good):
        cells = [f"{times[s][k]:16.3g}" if np.isfinite(times[s][k])
                 else f"{what[s][k] or f'({errors[s][k]:.1e})':>16}" for s in names]
        print(f"{path.stem:{width}}", *cells)
    print(f"{'solved of ' + str(len(good)):{width}}", *(f"{np.isfinite(times[s]).sum():16d}" for s in names))
    print(f"{'seconds in all, of those solved':{width}}", *(f"{np.nansum(times[s]):16.3g}" for s in names))
    if arguments.plot:
        plot(times, names, arguments.plot)

    failed = not np.isfinite(times[CLARKE[0][0]]).all()
    failed |= not check_verdict(arguments, good, problems, reference)
    return 1 if failed else 0


def check_verdict(arguments, files, problems, reference):
    """Siconos' solutions as guesses, no iteration: `clarke solve` must find the residual that is found here."""
    fine = True
    for path in files:
        if path.stem not in reference:
            continue
        W, q, mu = problems[path.stem]
        error, r = reference[path.stem]
        guess = arguments.scratch / f"guess_{path.stem}.hdf5"
        problem_files.local(guess, W.toarray(), q, mu, guess=r)
        rows = clarke_solve(arguments.program, [guess],
                            ["-newton_start", "warm", "-newton_start_sweeps", "0", "-snes_max_it", "0"],
                            arguments.scratch / "clarke", 60)
        found = float(rows[guess.stem]["siconos_residual"]) if guess.stem in rows else np.nan
        # Both are rounded sums of terms of order 1; the map itself may be as small as rounding.
        if not abs(found - error) <= 1e-6 * error + 1e-14:
            print(f"FAILED: {path.stem}: residual {error:g} here, {found:g} by clarke solve")
            fine = False
    return fine


if __name__ == "__main__":
    sys.exit(main())
