"""Every SNES type that PETSc lists, and ours: it runs, ends with a reason, or is refused in one line; nothing crashes.

Usage: snes_types.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)
PETSC = ("anderson aspin composite fas ksponly ksptransposeonly ms nasm ncg newtonls newtontr newtontrdc ngmres ngs "
         "nrichardson patch qn shell vinewtonrsls vinewtonssls").split()
OURS = "nonsmooth_newton nsgs admm proximal_point desaxce".split()
REFUSED = "aspin composite fas nasm ngs patch qn shell newtontrdc vinewtonssls ksptransposeonly anderson ngmres".split()
RUN = "newtonls newtontr nonsmooth_newton".split()
wrong = []
for case, end in (("slope", "0.04"), ("vibrating_bar", "0.01")):
    for name in PETSC + OURS:
        done = subprocess.run([program, "run", str(source / "cases" / f"{case}.yaml"), "-snes_type", name, "-time_end", end,
                               "-check_expectations", "false", "-progress", "none", "-output_every", "0", "-output_dir",
                               str(scratch / case / name)], capture_output=True, text=True, check=False, timeout=120)
        said = done.stderr.strip().splitlines()
        if done.returncode not in (0, 1, 2) or "PETSC ERROR" in done.stderr:
            wrong.append(f"{case} {name}: exit code {done.returncode}: {done.stderr[-300:]}")
        if done.returncode == 2 and (len(said) != 1 or name not in said[0]):
            wrong.append(f"{case} {name}: not refused in one line: {done.stderr[-300:]}")
        if name in REFUSED and done.returncode != 2:
            wrong.append(f"{case} {name}: exit code {done.returncode}, expected a refusal")
        if name in RUN and done.returncode != 0:
            wrong.append(f"{case} {name}: exit code {done.returncode}: {done.stderr[-300:]}")
print("\n".join(wrong) or f"{len(PETSC + OURS)} SNES types on two cases")
sys.exit(bool(wrong))
