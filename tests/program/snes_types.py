"""Every SNES type that the program lists: it runs, ends with a reason, or is refused in one line; nothing crashes.

The list is that of `clarke run -help`, so a type that a newer PETSc brings is tried, too. docs/compatibility.md says what
becomes of each, and is compared with what happens here.

Usage: snes_types.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from program_run import LONG, runner  # noqa: E402

BUDGET = "200"  # iterations: some types use up any, and how they end is all that is asked

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
run = runner(program, source, scratch)
wrong = []


def refused(done, name):
    lines = done.stderr.strip().splitlines()
    return done.returncode == 2 and len(lines) == 1 and name in lines[0] and len(lines[0]) <= LONG


listed = re.search(r"-snes_type <[^>]*>[^(]*\(one of\) (.*) \(SNESSetType\)", run("slope", "help", "-help").stdout)
types = listed.group(1).split() if listed else []
if not {"newtonls", "qn", "nonsmooth_newton", "admm"} <= set(types):
    wrong.append(f"-help lists no SNES types: {types}")

text = (source / "docs/compatibility.md").read_text().split("\n## SNES types\n")[1].split("\n## ")[0]
# | `aspin`, `nasm` | refused | subdomains of the unknowns |
rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (runs where|runs|refused)\b", text, re.M)
documented = {name: end for names, end in rows for name in re.findall(r"\w+", names)}
for name in sorted(set(types) ^ set(documented)):
    wrong.append(f"{name}: has to be in -help and in the table of SNES types in docs/compatibility.md, and is in one of them only")

for case, end in (("slope", "0.04"), ("vibrating_bar", "0.01")):
    for name in types:
        done = run(case, name, "-snes_type", name, "-time_end", end, "-snes_max_it", BUDGET)
        if done.returncode not in (0, 1, 2) or "PETSC ERROR" in done.stderr:
            wrong.append(f"{case} {name}: exit code {done.returncode}: {done.stderr[-300:]}")
        elif done.returncode == 2 and not refused(done, name):
            wrong.append(f"{case} {name}: not refused in one line: {done.stderr[-600:]}")
        elif (done.returncode == 2) != (documented.get(name) == "refused") and documented.get(name) != "runs where":
            wrong.append(f"{case} {name}: docs say {documented.get(name)}, exit code {done.returncode}: {done.stderr[-600:]}")
        if name in ("newtonls", "newtontr", "nonsmooth_newton") and done.returncode:
            wrong.append(f"{case} {name}: exit code {done.returncode}: {done.stderr[-300:]}")

# Inner solvers of inner solvers: PETSc would make them before anyone is asked.
for prefix in ("npc_", "npc_npc_"):
    outer = [x for depth in range(prefix.count("npc_")) for x in (f"-{'npc_' * depth}snes_type", "ngmres")]
    done = run("slope", prefix, *outer, f"-{prefix}snes_type", "aspin")
    if not refused(done, f"-{prefix}snes_type aspin"):
        wrong.append(f"-{prefix}snes_type aspin: exit code {done.returncode}: {done.stderr[-300:]}")

# Types that solve one linear system and ask no convergence test: the end of the step is judged all the same.
loose = ["-snes_type", "ksponly", "-accept_budget", "true", "-time_end", "0.04"]
done = run("slope", "judged", *loose, "-accept_velocity_error", "1e-9")
failed = json.loads((scratch / "slope/judged/summary.json").read_text())["failed_steps"]
if done.returncode != 1 or failed < 1:
    wrong.append(f"ksponly beyond -accept_velocity_error: exit code {done.returncode}, failed steps {failed}")

print("\n".join(wrong) or f"{len(types)} SNES types on two cases")
sys.exit(bool(wrong))
