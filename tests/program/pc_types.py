"""Every PC type that the program lists: it runs, a step ends with a reason, or it is refused in one line that says what to
take instead; none ends in an error of PETSc's own.

The list is that of `clarke run -help`. docs/compatibility.md says which are refused, and is compared with what happens.

Usage: pc_types.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from program_run import LONG, runner  # noqa: E402

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
run = runner(program, source, scratch, "-preset", "accurate")  # the default's matrix is unsymmetric, and takes fewer
wrong = []

listed = re.search(r"-pc_type <[^>]*>[^(]*\(one of\) (.*) \(PCSetType\)", run("slope", "help", "-help").stdout)
types = [name for name in (listed.group(1).split() if listed else []) if name != "reduction"]  # the outer solver's own
if not {"jacobi", "gamg", "lu", "block_jacobi"} <= set(types):
    wrong.append(f"-help lists no PC types: {types}")
text = (source / "docs/compatibility.md").read_text()
section = re.search(r"^## PC types$(.*)", text, re.M | re.S)
rows = re.findall(r"^\| (`.*`) \| (?:refused|`-system_form saddle`) \|", section.group(1) if section else "", re.M)
refused = set(re.findall(r"`(\w+)`", " ".join(rows)))  # with the default form
for name in sorted(refused - set(types) - {"pfmg", "smg", "syspfmg"}):  # those come with hypre
    wrong.append(f"{name}: refused in docs/compatibility.md, and no PC type")

for name in types:
    done = run("slope", name, "-pc_type", name, "-ksp_type", "gmres", "-time_end", "0.02")
    lines = done.stderr.strip().splitlines()
    if done.returncode not in (0, 1, 2) or "PETSc:" in done.stderr or "PETSC ERROR" in done.stderr:
        wrong.append(f"{name}: exit code {done.returncode}: {done.stderr[-300:]}")
    elif (done.returncode == 2) != (name in refused):
        wrong.append(f"{name}: refused in the docs: {name in refused}, exit code {done.returncode}: {done.stderr[-300:]}")
    elif done.returncode == 2 and not (len(lines) == 1 and f"-pc_type {name}" in lines[0] and len(lines[0]) <= LONG and
                                       re.search(r"\b(use|add)\b", lines[0])):
        wrong.append(f"{name}: not refused in one line that helps: {done.stderr[-600:]}")
    if name in ("jacobi", "block_jacobi", "gamg", "lu") and done.returncode:
        wrong.append(f"{name}: exit code {done.returncode}: {done.stderr[-300:]}")

parts = run("slope", "parts", "-pc_type", "composite", "-pc_composite_pcs", "jacobi,sor", "-time_end", "0.02")
if parts.returncode:
    wrong.append(f"composite of parts: exit code {parts.returncode}: {parts.stderr[-300:]}")
crooked = run("slope", "crooked", "-pc_type", "kaczmarz", "-ksp_type", "pcr")
if crooked.returncode != 2 or "symmetric" not in crooked.stderr:
    wrong.append(f"kaczmarz under pcr: exit code {crooked.returncode}: {crooked.stderr[-300:]}")

# What our tables do not foresee, here a PC inside a PC, still ends in one line that says what to take.
inside = run("slope", "inside", "-pc_type", "bjacobi", "-sub_pc_type", "bddc")
if inside.returncode != 2 or len(inside.stderr.strip().splitlines()) != 1 or "take another" not in inside.stderr:
    wrong.append(f"-sub_pc_type bddc: exit code {inside.returncode}: {inside.stderr[-600:]}")

print("\n".join(wrong) or f"{len(types)} PC types, {len(refused)} refused")
sys.exit(bool(wrong))
