"""Meshes that others made: every file of ../shared/data/tetmeshes becomes a soft body, the small ones drop on a plane and settle,
and the 25 stones of the arch stand as rigid bodies. Skipped where the files are absent.

Usage: tetmeshes.py PROGRAM SOURCE_DIR SCRATCH_DIR [FILE ...]
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
data = source.parent / "shared" / "data" / "tetmeshes"
if not data.is_dir():
    print(f"skipped: {data} is absent")
    sys.exit(77)
scratch.mkdir(parents=True, exist_ok=True)

# Above this many elements a drop takes longer than a test may: those are read and set up.
MOST_ELEMENTS = 200
# The meshes come in units of their own and sizes from 1 to 10: all become 0.3 m long. Lengths are along x, heights along y.
LENGTH = 0.3

SCENE = """case: {name}
time: {{step: 0.01, end: {end}}}
bodies:
  - {{name: floor, shape: {{plane: {{}}}}, static: true}}
soft:
  - name: s
    mesh: {{file: {{path: "{path}", scale: {scale}}}}}
    orientation: {{axis: [1, 0, 0], angle_deg: 90}}
    position: [0, 0, {height}]
    young: 2e5
    poisson: 0.4
    damping: 1e-3
options: {{newton_start: zero, snes_max_it: 30, snes_atol: 1e-6, system_form: stiffness, ksp_type: preonly, pc_type: cholesky}}
expect:
  - {{quantity: velocity_error, at: end, max: 1e-4}}
"""


def bounds(path):
    """Of the nodes, and how many elements: read here by other code than the program's."""
    lines = path.read_text().split("\n")
    at = lines.index("$Nodes")
    count = int(lines[at + 1].split()[1])
    nodes = [[float(x) for x in line.split()] for line in lines[at + 3 + count:at + 3 + 2 * count]]
    elements = int(lines[lines.index("$Elements") + 1].split()[1])
    return [(min(p[k] for p in nodes), max(p[k] for p in nodes)) for k in range(3)], elements, count


def drop(path):
    box, elements, nodes = bounds(path)
    scale = LENGTH / max(high - low for low, high in box)
    small = elements <= MOST_ELEMENTS
    name = path.stem.replace(".", "_")
    scene, output = scratch / f"{name}.yaml", scratch / name
    scene.write_text(SCENE.format(name=name, path=path, scale=scale, end=5,
                                  height=0.01 - box[1][0] * scale))
    options = ["-until_rest", "-rest_energy", "1e-5"]
    if not small:
        result = subprocess.run([program, "check", str(scene)], capture_output=True, text=True, timeout=100)
        assert result.returncode == 0 and re.search(rf"particles +{nodes}\b", result.stdout), (path.name, result)
        print(f"{path.name}: {nodes} nodes, {elements} elements, read")
        return
    result = subprocess.run([program, "run", str(scene), "-progress", "none", "-output_every", "1000", "-output_dir",
                             str(output), *options], capture_output=True, text=True, timeout=280)
    said = result.stdout + result.stderr
    assert result.returncode == 0, (path.name, said)
    summary = json.loads((output / "summary.json").read_text())
    assert summary["at_rest"], (path.name, "not at rest", said)
    # Where many nodes land at once a step may use up its iterations; what counts is where it ends.
    with (output / "steps.csv").open() as table:
        used_up = sum(int(row["newton_iterations"]) >= 30 for row in csv.DictReader(table))
    print(f"{path.name}: {nodes} nodes, {elements} elements, " +
          f"at rest after {summary['at_rest_since']:.2f} s" +
          (f"; {used_up} steps used up their iterations" if used_up else ""))


ARCH = """case: arch_of_stones
gravity: [0, -9.81, 0]
time: {step: 0.01, end: 1}
materials: {stone: {density: 2000, friction: 0.6}}
bodies:
"""


def arch():
    """The stones as rigid bodies, each at its place in the file; the lowest two are the ground. Joints gape by some hundredths of a
    stone in the files: the arch settles by that, and stands."""
    scene, output = scratch / "arch_of_stones.yaml", scratch / "arch_of_stones"
    text = ARCH
    for k in range(1, 26):
        fixed = ", static: true" if k in (1, 25) else ""
        text += (f"  - {{name: stone_{k}, shape: {{tetrahedra: {{path: \"{data}/arch/largeArch.{k:02}.msh\", scale: 0.1}}}}, "
                 f"position_of: origin, material: stone{fixed}}}\n")
    text += "options: {snes_max_it: 20, ksp_max_it: 200}\nexpect:\n"
    text += "  - {quantity: kinetic_energy, at: end, max: 1e-6}\n  - {quantity: position.y, of: stone_13, at: end, min: 5.5}\n"
    scene.write_text(text)
    result = subprocess.run([program, "run", str(scene), "-progress", "none", "-output_every", "1000", "-output_dir",
                             str(output)], capture_output=True, text=True, timeout=280)
    assert result.returncode == 0, (result.stdout, result.stderr)
    print("arch: stands as 25 rigid bodies")


for file in [pathlib.Path(f) for f in sys.argv[4:]] or sorted(data.rglob("*.msh")):
    drop(file)
if not sys.argv[4:]:
    arch()
