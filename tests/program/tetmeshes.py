"""Meshes that others made: every file of ../shared/data/tetmeshes becomes a soft body, and those of up to 700 elements drop on a plane and
come to rest. The large ones do so too, but take longer than a test may: `scripts/settle_meshes.py` drops them all (docs/verification/meshes.md).
Skipped where the files are absent.

Usage: tetmeshes.py PROGRAM SOURCE_DIR SCRATCH_DIR [FILE ...]
"""

import pathlib
import re
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
sys.path.insert(0, str(source / "scripts"))
import settle_meshes  # noqa: E402

data = source.parent / "shared" / "data" / "tetmeshes"
if not data.is_dir():
    print(f"skipped: {data} is absent")
    sys.exit(77)
scratch.mkdir(parents=True, exist_ok=True)

# A drop costs a second per 500 elements, and what stands on an edge first falls over. Up to a few elements by rows, so that both forms land.
MOST_ELEMENTS, MOST_AS_ROWS = 700, 10
# Processor seconds of one drop: ten times what the slowest takes.
BUDGET = 100

for path in [pathlib.Path(f) for f in sys.argv[4:]] or sorted(data.rglob("*.msh")):
    _, elements, nodes = settle_meshes.bounds(path)
    if elements > MOST_ELEMENTS:
        scene = settle_meshes.write_scene(path, scratch)
        result = subprocess.run([program, "check", str(scene)], capture_output=True, text=True, timeout=200)
        assert result.returncode == 0 and re.search(rf"particles +{nodes}\b", result.stdout), (path.name, result)
        print(f"{path.name}: {nodes} nodes, {elements} elements, read")
        continue
    form = "compliance" if elements <= MOST_AS_ROWS else "stiffness"
    row = settle_meshes.drop(program, path, scratch, form=form, budget=BUDGET)
    print(settle_meshes.line(row))
    assert row["good"] and row["verdict"].startswith("at rest"), (path.name, row)
    assert row["budgets"] == 0, (path.name, "steps were not converged", row["budgets"])
    # Something under its own weight on a plane: penetration is a residual of the solver's 1e-6 m/s, times the step.
    assert row["penetration"] < 1e-7, (path.name, row["penetration"])
    assert row["contacts_last"] >= 3, (path.name, row["contacts_last"])
