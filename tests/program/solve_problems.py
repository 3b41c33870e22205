"""`clarke solve`: good problems in every storage are solved and tabulated; bad ones end with exit code 2 and one line.

Usage: solve_problems.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import csv
import json
import os
import pathlib
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)
sys.path.insert(0, str(source / "tests"))
try:
    import h5py
    import numpy as np
    import problem_files as pf
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)

failures = []


def solve(*words):
    return subprocess.run([program, "solve", *map(str, words)], capture_output=True, text=True)


def check(what, condition, result=None):
    if not condition:
        failures.append(what)
        print("FAILED:", what)
        if result is not None:
            print("  exit code", result.returncode, "\n ", result.stdout[-500:], "\n ", result.stderr[-500:])


# --- good ones ---
M, H, f, w, mu = pf.pile()
W, q, _ = pf.condense(M, H, f, w, mu)
good = []
for storage, name in ((-1, "columns"), (-2, "rows"), (0, "triplets")):
    good.append(pf.local(scratch / f"local_{name}.hdf5", W, q, mu, storage))
    good.append(pf.global_(scratch / f"global_{name}.hdf5", M, H, f, w, mu, storage=storage))
out = scratch / "out"
result = solve(*good, "-output_dir", out)
check("good problems", result.returncode == 0 and "6 of 6 solved" in result.stdout, result)
with open(out / "problems.csv") as table:
    rows = list(csv.DictReader(table))
check("a row per problem", [r["name"] for r in rows] == [p.stem for p in good])
check("solved to 1e-8", all(float(r["siconos_residual"]) <= 1e-8 for r in rows))
# The storage of the same numbers must not matter at all.
for form in ("local", "global"):
    figures = {(r["newton_iterations"], r["siconos_residual"], r["scaled_residual"]) for r in rows if r["form"] == form}
    check(f"{form}: the same in every storage", len(figures) == 1)
with open(out / "newton.csv") as table:
    newton = list(csv.DictReader(table))
check("the last row has all iterations",
      all([n for n in newton if n["step"] == str(k + 1)][-1]["iteration"] == r["newton_iterations"] for k, r in enumerate(rows)))
last = [r for r in newton if r["step"] == "1"][-1]
check("the history ends with the residual", last["siconos_residual"] == rows[0]["siconos_residual"])
summary = json.loads((out / "summary.json").read_text())
check("summary", summary["solved"] == 6 and len(summary["provenance"]["problems"][0]["sha256"]) == 64)
check("options in the summary", summary["provenance"]["options"]["snes_type"] == "ssnal")

# --- written back: with the solution reached, from which a warm start has nothing to do ---
again = scratch / "again.hdf5"
check("written back", solve(good[0], "-o", again).returncode == 0)
result = solve(again, "-newton_start", "warm", "-newton_start_sweeps", 0, "-output_dir", out)
with open(out / "problems.csv") as table:
    warm = list(csv.DictReader(table))
check("a warm start has nothing to do", result.returncode == 0 and warm[0]["newton_iterations"] == "0", result)
with h5py.File(again) as file, h5py.File(good[0]) as before:
    check("the problem is the same", np.array_equal(file["fclib_local/vectors/q"], before["fclib_local/vectors/q"]))
    r = file["solution/r"][()]
    check("the guess is the solution", np.array_equal(file["guesses/1/r"], r) and file["guesses/number_of_guesses"][0] == 1)
    check("u = W r + q", np.abs(W @ r + q - file["solution/u"][()]).max() <= 1e-12)  # rounding of sums of a hundred terms
    check("provenance", json.loads(file["clarke/provenance"][()])["solution"]["solved"] is True)
check("onto itself", solve(again, "-o", again).returncode == 0)
with h5py.File(again) as file:
    check("a second guess", file["guesses/number_of_guesses"][0] == 2)
folder = scratch / "all"
result = solve(good[0], good[1], "-o", folder)
check("several", result.returncode == 0 and sorted(p.name for p in folder.glob("*")) == sorted(p.name for p in good[:2]), result)
with h5py.File(folder / good[1].name) as file:
    v, r = file["solution/v"][()], file["solution/r"][()]
    check("M v = H r + f", np.abs(M @ v - H @ r - f).max() <= 1e-11)
result = solve(good[0], "-o", folder)
check("one problem into a folder", result.returncode == 2 and "expected a file" in result.stderr, result)
result = solve(good[0], good[0], "-o", folder)
check("two of one name", result.returncode == 2 and "two problems are called" in result.stderr, result)

# --- how hard they are: the matrices and W alone say the same ---
result = solve(good[0], good[1], "-conditioning", "true", "-output_dir", out)
with open(out / "problems.csv") as table:
    rows = list(csv.DictReader(table))
check("conditioning table", result.returncode == 0 and "rank/row" in result.stdout, result)
rank = np.linalg.matrix_rank(H)
check("rank", {r["rank"] for r in rows} == {str(rank)})
check("density", abs(float(rows[1]["contact_density"]) - 3 * len(mu) / len(f)) <= 1e-12 and rows[0]["contact_density"] == "nan")
diagonal = np.sqrt(np.diag(W))
largest = np.linalg.eigvalsh(W / np.outer(diagonal, diagonal))[-1]
# Thirty Lanczos steps for a few dozen rows: the largest eigenvalue from below, to a percent.
check("eigenvalues", all(0.99 * largest <= float(r["eigenvalue_max"]) <= largest * (1 + 1e-10) for r in rows))
check("in the summary", json.loads((out / "summary.json").read_text())["problems"][0]["rank"] == rank)

# --- Newton's system of one problem among several ---
dump = scratch / "dump"
result = solve(good[0], good[1], "-dump_system", dump, "-dump_step", 1, "-newton_start_sweeps", 0)
check("dump", result.returncode == 0 and (dump / "R.mtx").exists() and "step 1" in (dump / "README.md").read_text(), result)
result = solve(good[0], "-dump_system", scratch / "no_dump", "-dump_step", 2)
check("no such problem to dump", result.returncode == 0 and "warning: -dump_system" in result.stderr, result)

# A budget too small: 1, and the table says so.
result = solve(good[0], "-snes_max_it", 1, "-newton_start_sweeps", 0)
check("not solved", result.returncode == 1 and "NOT SOLVED" in result.stdout, result)

# --- fallbacks: what is not solved is tried again, the best try is the answer, and nothing leaks to the next problem ---
(scratch / "solves.options").write_text("-snes_max_it 200\n")
(scratch / "worse.options").write_text("-snes_type nonsmooth_newton\n-newton_damping 0.001\n-snes_max_it 1\n")
(scratch / "measure.options").write_text("-snes_max_it 200\n-solve_tolerance 1\n")
(scratch / "law.options").write_text("-contact_law soc_fischer_burmeister\n-snes_type nonsmooth_newton\n-newton_damping 1\n"
                                     "-snes_max_it 200\n-system_form schur\n-geometric_stiffness none\n")


def with_fallbacks(names, *more):
    sequence = ["-fallback_sequence", ",".join(str(scratch / (name + ".options")) for name in names)] if names else []
    result = solve(good[0], good[1], "-output_dir", out, *sequence, *more)
    return result, json.loads((out / "summary.json").read_text())["problems"]


result, rows = with_fallbacks(["worse", "solves"], "-snes_max_it", 2)
check("solved by the second", result.returncode == 0 and result.stdout.count("2 tried; this is by recipe") == 2, result)
check("counted, for each problem anew", [r["safeguards"].get("fallback_sequence") for r in rows] == [2, 2])
check("named", all(r["recipe"].endswith("solves.options") and r["solved"] for r in rows))
_, plain = with_fallbacks(["worse"], "-snes_max_it", 200)
check("as its options alone solve it", [r["strict_residual"] for r in rows] == [r["strict_residual"] for r in plain])
check("not used without need", all("fallback_sequence" not in r["safeguards"] and r["recipe"] == "" for r in plain))
_, alone = with_fallbacks([], "-snes_max_it", 12, "-ssnal_sweeps", 0)
result, rows = with_fallbacks(["worse"], "-snes_max_it", 12, "-ssnal_sweeps", 0)
check("the best try is the answer, not the last", result.returncode == 1 and "without a recipe" in result.stdout, result)
check("with its figures", [r["strict_residual"] for r in rows] == [r["strict_residual"] for r in alone])
result, rows = with_fallbacks(["law"], "-snes_max_it", 2)
check("with a law of its own", result.returncode == 0 and all(r["recipe"] for r in rows), result)
result = solve(good[0], "-fallback_sequence", scratch / "measure.options")
check("a recipe does not say what is solved", result.returncode == 2 and "measure.options:2" in result.stderr, result)
result = solve(good[0], "-fallback_sequence", "schur_lv")
check("an unknown recipe", result.returncode == 2 and "schur_lu" in result.stderr, result)
result = solve(good[0], "-recipe", scratch / "solves.options", "-output_dir", out)
check("a recipe of options", json.loads((out / "summary.json").read_text())["provenance"]["options"]["snes_max_it"] == 200, result)

# Files that may only be read.
os.chmod(good[0], 0o444)
check("read only", solve(good[0]).returncode == 0)
os.chmod(good[0], 0o644)


# --- bad ones: each from a good one by one change ---
def changed(base, name, change):
    path = scratch / f"bad_{name}.hdf5"
    path.write_bytes(base.read_bytes())
    with h5py.File(path, "r+") as file:
        change(file)
    return path


def replace(path, value):
    def change(file):
        del file[path]
        if value is not None:
            file[path] = value

    return change


def edit(path, at, value):
    def change(file):
        file[path][at] = value

    return change


L, G = good[0], good[5]  # local by columns, global by triplets
l_, g_ = "fclib_local/", "fclib_global/"
n = len(mu)
text = scratch / "bad_text.hdf5"
text.write_text("no problem at all\n")
cut = scratch / "bad_cut.hdf5"
cut.write_bytes(L.read_bytes()[: L.stat().st_size // 2])
empty = scratch / "bad_empty.hdf5"
h5py.File(empty, "w").close()

unsymmetric_M = M.copy()
unsymmetric_M[0, 1] = 0.3
indefinite_M = M.copy()
indefinite_M[0, 0] = -1
G_rows = np.eye(len(f))[:, :2]
limits = {"joint_lower": np.array([0.0, 1.0]), "joint_upper": np.array([np.inf, 0.0])}
idle_H = H.copy()
idle_H[:, 3:6] = 0
BAD = [
    ("no file", scratch / "nowhere.hdf5", ["no such file"]),
    ("a directory", scratch, ["directory"]),
    ("a text file", text, ["not an HDF5 file"]),
    ("a truncated file", cut, ["bad_cut"]),
    ("nothing in it", empty, ["fclib_local or fclib_global"]),
    ("in the plane", changed(L, "plane", edit(l_ + "spacedim", 0, 2)), ["spacedim", "expected 3, got 2"]),
    ("without W", changed(L, "no_W", replace(l_ + "W", None)), ["fclib_local/W", "missing"]),
    ("without x of W", changed(L, "no_x", replace(l_ + "W/x", None)), ["fclib_local/W/x", "missing"]),
    ("without q", changed(L, "no_q", replace(l_ + "vectors/q", None)), ["vectors/q", "missing"]),
    ("without mu", changed(L, "no_mu", replace(l_ + "vectors/mu", None)), ["vectors/mu", "missing"]),
    ("without spacedim", changed(L, "no_dim", replace(l_ + "spacedim", None)), ["spacedim", "missing"]),
    ("without M", changed(G, "no_M", replace(g_ + "M", None)), ["fclib_global/M", "missing"]),
    ("without H", changed(G, "no_H", replace(g_ + "H", None)), ["fclib_global/H", "missing"]),
    ("q too short", changed(L, "short_q", replace(l_ + "vectors/q", q[:-1])), ["vectors/q", f"expected {3 * n} entries"]),
    ("mu too long", changed(L, "long_mu", replace(l_ + "vectors/mu", np.append(mu, 0.1))), ["W", "expected"]),
    ("f too short", changed(G, "short_f", replace(g_ + "vectors/f", f[:-3])), ["vectors/f", "entries"]),
    ("NaN in q", changed(L, "nan_q", edit(l_ + "vectors/q", 4, np.nan)), ["vectors/q", "entry 4 is nan"]),
    ("infinite W", changed(L, "inf_W", edit(l_ + "W/x", 7, np.inf)), ["W/x", "entry 7 is inf"]),
    ("negative mu", changed(L, "neg_mu", edit(l_ + "vectors/mu", 1, -0.1)), ["vectors/mu", "at least 0, got -0.1"]),
    ("row out of range", changed(L, "row", edit(l_ + "W/i", 5, 3 * n)), ["W/i", "entry 5", f"not in [0, {3 * n})"]),
    ("negative column", changed(G, "column", edit(g_ + "H/p", 2, -1)), ["H/p", "entry 2: -1"]),
    ("pointers that decrease", changed(L, "pointer", edit(l_ + "W/p", 3, 0)), ["W/p", "decreases"]),
    ("fewer entries than stated", changed(L, "few", replace(l_ + "W/x", np.ones(3))), ["W/x", "expected"]),
    ("unknown storage", changed(L, "storage", edit(l_ + "W/nz", 0, -3)), ["W/nz", "-3"]),
    ("texts for numbers", changed(L, "texts", replace(l_ + "vectors/q", np.array([b"a"] * 3 * n))), ["vectors/q", "numbers"]),
    ("reals for indices", changed(L, "reals", replace(l_ + "W/i", np.ones(9))), ["W/i", "whole numbers"]),
    ("a contact without mass", pf.local(scratch / "bad_zero.hdf5", np.diag([1, 1, 1, 0, 0, 0.0]), np.ones(6), [0.1, 0.1]),
     ["contact 1", "trace"]),
    ("unsymmetric M", pf.global_(scratch / "bad_M1.hdf5", unsymmetric_M, H, f, w, mu), ["/M", "not symmetric"]),
    ("indefinite M", pf.global_(scratch / "bad_M2.hdf5", indefinite_M, H, f, w, mu), ["/M", "not positive definite"]),
    ("a contact of nothing", pf.global_(scratch / "bad_H.hdf5", M, idle_H, f, w, mu), ["/H", "contact 1"]),
    ("bounds crossed", pf.global_(scratch / "bad_l.hdf5", M, H, f, w, mu, G_rows, np.zeros(2), more=limits),
     ["joint_lower", "row 1", "lower <= upper"]),
    ("one bound only", pf.global_(scratch / "bad_u.hdf5", M, H, f, w, mu, G_rows, np.zeros(2),
                                  more={"joint_lower": np.zeros(2)}), ["joint_upper", "missing"]),
    ("negative compliance", pf.global_(scratch / "bad_c.hdf5", M, H, f, w, mu,
                                       more={"contact_compliance": np.full(3 * n, -1.0)}), ["contact_compliance", "at least 0"]),
    ("a good one before it", None, ["nowhere"]),
]
for what, path, texts in BAD:
    files = [L, scratch / "nowhere.hdf5"] if path is None else [path]
    result = solve(*files)
    lines = result.stderr.strip().splitlines()
    check(what, result.returncode == 2 and len(lines) == 1 and result.stdout == "" and all(t in lines[0] for t in texts),
          result)

# Finite, and beyond all arithmetic: impulses of 1e80 make every relative residual small.
result = solve(changed(G, "huge_H", edit(g_ + "H/x", 0, 1e100)))
check("overflow is not solved", result.returncode == 1 and "NOT SOLVED" in result.stdout and "0 of 1 solved" in result.stdout, result)

# --- options ---
result = solve(L, "-contact_lw", "scalar")
check("misspelt option", result.returncode == 2 and "contact_law" in result.stderr, result)
result = solve(L, "-integrator", "moreau_jean")
check("an option of scenes", result.returncode == 0 and "warning" in result.stderr, result)
result = solve(L, "-preset", "problem", "-contact_law", "decoupled", "-friction_map", "disc_projection", "-ksp_type", "pcr", "-pc_type", "jacobi", "-ksp_max_it", 500,
               "-newton_damping", 0.75)
check("another strategy", result.returncode == 0, result)
skew = W + 1e-4 * np.triu(np.ones_like(W), 1) * (W != 0)
unsymmetric = pf.local(scratch / "unsymmetric.hdf5", skew, q, mu)
check("unsymmetric W", solve(unsymmetric).returncode == 0)
result = solve(unsymmetric, "-preset", "problem", "-contact_law", "decoupled", "-ksp_type", "pcr", "-pc_type", "jacobi")
check("unsymmetric W under pcr", result.returncode == 2 and "Delassus operator is unsymmetric" in result.stderr, result)

print(len(failures), "failures")
sys.exit(1 if failures else 0)
