"""-dump_system writes Newton's system whole: its pieces make its matrices, and both formats hold the same numbers.

Usage: system_dump.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import shutil
import subprocess
import sys

import numpy

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
shutil.rmtree(scratch, ignore_errors=True)
scratch.mkdir(parents=True)
failures = []
MAT_ID, VEC_ID = 1211216, 1211214  # PETSc's file format


def require(good, text):
    if not good:
        failures.append(text)
        print(text)


def matrix_market(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    numbers = [line.split() for line in lines[1:]]
    if "array" in lines[0]:
        return numpy.array([float(row[0]) for row in numbers[1:]])
    matrix = numpy.zeros([int(numbers[0][0]), int(numbers[0][1])])
    require(len(numbers) - 1 == int(numbers[0][2]), f"{path.name}: number of entries")
    for i, j, value in numbers[1:]:
        matrix[int(i) - 1, int(j) - 1] = float(value)
    return matrix


def petsc_binary(path):
    data = path.read_bytes()
    kind, rows = numpy.frombuffer(data, ">i4", 2)
    if kind == VEC_ID:
        return numpy.frombuffer(data, ">f8", rows, 8)
    require(kind == MAT_ID, f"{path.name}: not PETSc's")
    columns, count = numpy.frombuffer(data, ">i4", 2, 8)
    lengths = numpy.frombuffer(data, ">i4", rows, 16)
    where = numpy.frombuffer(data, ">i4", count, 16 + 4 * rows)
    values = numpy.frombuffer(data, ">f8", count, 16 + 4 * rows + 4 * count)
    matrix = numpy.zeros([rows, columns])
    matrix[numpy.repeat(numpy.arange(rows), lengths), where] = values
    return matrix


folder = scratch / "system"
result = subprocess.run([program, "run", str(source / "cases" / "box_pile.yaml"), "-box_pile_count", "8", "-time_end", "0.3", "-preset", "interactive",
                         "-progress", "lines", "-output_every", "0", "-output_dir", str(scratch / "run"), "-check_expectations", "false",
                         "-dump_system", str(folder), "-dump_step", "30", "-dump_iteration", "1"],
                        capture_output=True, text=True, timeout=250)
require(result.returncode == 0, f"exit code {result.returncode}: {result.stderr}")
names = ["M", "H", "J", "A", "B", "g", "F", "newton", "newton_rhs", "schur", "schur_rhs"]
expected = sorted([f"{name}.{kind}" for name in names for kind in ("mtx", "petsc")] + ["README.md", "rows.txt"])
require(sorted(p.name for p in folder.glob("*")) == expected, f"files {sorted(p.name for p in folder.glob('*'))}")
if failures:
    sys.exit(1)
system = {name: matrix_market(folder / f"{name}.mtx") for name in names}
for name in names:
    require(numpy.array_equal(system[name], petsc_binary(folder / f"{name}.petsc")), f"{name}: the two formats differ")
readme = (folder / "README.md").read_text(encoding="utf-8")
require("step 30" in readme and "iteration 1" in readme and all(f"`{name}`" in readme for name in names), "README.md")

H, J, A, B, g, F = (system[name] for name in ("H", "J", "A", "B", "g", "F"))
require(len((folder / "rows.txt").read_text(encoding="utf-8").splitlines()) == len(J), "rows.txt: a name for every row")


def equal(what, left, right):
    scale = max(1e-300, numpy.abs(right).max())
    error = numpy.abs(left - right).max() / scale
    require(error <= 1e-12, f"{what} is off by {error:.1e}")  # rounding of a few dozen products


equal("newton", system["newton"], numpy.block([[H, -J.T], [-A @ J, -B]]))
equal("newton_rhs", system["newton_rhs"], numpy.concatenate([-g, F]))
inverse = numpy.linalg.inv(H)
equal("schur", system["schur"], A @ J @ inverse @ J.T + B)
equal("schur_rhs", system["schur_rhs"], A @ J @ inverse @ g - F)
equal("M, without geometric stiffness", system["M"], H)
sys.exit(1 if failures else 0)
