#!/usr/bin/python3
"""Meshes that others made, as soft bodies: each file is dropped on a plane at full length, and a table says how it ended.

    scripts/settle_meshes.py [FILE.msh ...] [--program build/clarke] [--form stiffness | compliance] [--height M] [--end T]
                             [--step H] [--damping S] [--budget S] [--scratch DIR] [-o FILE.md]

Without files: all of ../shared/data/tetmeshes. Every mesh is scaled to a length of 0.3 m, turned so that its y points up, and let
fall from `--height` [m]; a run ends when it is at rest, after `--end` [s] of simulated time, or with its `--budget` [s] of processor time.
Rows are printed as they come. The exit code is 1 when a mesh did not load, a step failed, or one was not at rest at its end; what
the budget cut off is said, and is no failure.

tests/program/tetmeshes.py uses the same scene and settings on the small ones.
"""

import argparse
import csv
import json
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data" / "tetmeshes"

# The meshes come in units of their own and sizes from 1 to 10. Lengths are along x, heights along y.
LENGTH = 0.3
YOUNG, POISSON = 2e5, 0.4
# Below this kinetic energy for a quarter of a second a body of some kilograms is at rest: millimetres per second.
REST_ENERGY = 1e-5

# Direct solves of a matrix of the size of the velocities; the friction map that knows how the radius of the cone depends on the normal
# impulse, without which nodes of a soft body flip between sticking and sliding (docs/theory.md, "Which friction map"); and the last
# step's velocity as a start, because elements of 1e5 Pa are stiff beside their mass.
SCENE = """case: {name}
time: {{step: {step}, end: {end}}}
bodies:
  - {{name: floor, shape: {{plane: {{}}}}, static: true}}
soft:
  - name: s
    mesh: {{file: {{path: "{path}", scale: {scale}}}}}
    orientation: {{axis: [1, 0, 0], angle_deg: 90}}
    position: [0, 0, {height}]
    young: {young}
    poisson: {poisson}
    damping: {damping}
options:
  preset: interactive
  soft_form: {form}
  system_form: stiffness
  ksp_type: preonly
  pc_type: lu
  pc_factor_mat_solver_type: mumps
  friction_map: disc_projection_coupled
  newton_damping: 1
  newton_start: previous
  snes_max_it: 30
  snes_atol: 1e-6
"""


def bounds(path):
    """Of the nodes of a Gmsh 4.1 file, how many elements and how many nodes: read here by other code than the program's."""
    lines = path.read_text().split("\n")
    at = lines.index("$Nodes")
    count = int(lines[at + 1].split()[1])
    nodes = [[float(x) for x in line.split()] for line in lines[at + 3 + count:at + 3 + 2 * count]]
    elements = int(lines[lines.index("$Elements") + 1].split()[1])
    return [(min(p[k] for p in nodes), max(p[k] for p in nodes)) for k in range(3)], elements, count


def write_scene(path, scratch, form="stiffness", height=0.05, end=5, step=0.01, damping=1e-3):
    """The scene of one mesh, and its name."""
    box, _, _ = bounds(path)
    scale = LENGTH / max(high - low for low, high in box)
    name = path.stem.replace(".", "_")
    scene = scratch / f"{name}.yaml"
    scene.write_text(SCENE.format(name=name, path=path, scale=scale, end=end, step=step, form=form, young=YOUNG, poisson=POISSON, damping=damping,
                                  height=height - box[1][0] * scale))
    return scene


def drop(program, path, scratch, form="stiffness", height=0.05, end=5, step=0.01, budget=600, damping=1e-3):
    """One run: a row of the table, as a dictionary; `verdict` says how it ended and `good` whether that is what is wanted."""
    scene = write_scene(path, scratch, form, height, end, step, damping)
    _, elements, nodes = bounds(path)
    output = scratch / f"{scene.stem}_{form}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.run([program, "run", str(scene), "-progress", "none", "-output_every", "100000", "-output_dir", str(output),
                            "-until_rest", "-rest_energy", str(REST_ENERGY)], capture_output=True, text=True,
                           preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (budget, budget + 20)))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    row = {"mesh": path.name, "elements": elements, "nodes": nodes,
           "seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, "good": False, "said": child.stdout + child.stderr}
    try:
        with (output / "steps.csv").open() as table:
            steps = [step for step in csv.DictReader(table) if step.get("recipe") is not None]
    except FileNotFoundError:
        steps = []
    if not steps:
        return {**row, "verdict": "refused: " + (row["said"].strip().split("\n") or [""])[0]}
    iterations = [int(step["newton_iterations"]) for step in steps]
    row.update(steps=len(steps), time=float(steps[-1]["time"]), iterations=sum(iterations) / len(steps), most=max(iterations),
               budgets=sum(step["reason"] == "budget" for step in steps), contacts=max(int(step["contacts"]) for step in steps),
               contacts_last=int(steps[-1]["contacts"]), penetration=max(float(step["penetration"]) for step in steps),
               kinetic=float(steps[-1]["kinetic_energy"]))
    if child.returncode == -signal.SIGXCPU:
        return {**row, "good": True, "verdict": f"cut off by the budget at t = {row['time']:.2f} s"}
    if child.returncode != 0:
        return {**row, "verdict": f"failed, exit code {child.returncode}"}
    summary = json.loads((output / "summary.json").read_text())
    if not summary["at_rest"]:
        return {**row, "verdict": f"not at rest after {row['time']:g} s"}
    return {**row, "good": True, "verdict": f"at rest after {summary['at_rest_since']:.2f} s"}


HEADER = ("| mesh | elements | nodes | steps | contacts: most, at the end | Newton its per step: mean, most | steps not converged | penetration [m] | "
          "kinetic energy at the end [J] | processor [s] | verdict |\n|---|---|---|---|---|---|---|---|---|---|---|")


def line(row):
    if "steps" not in row:
        return f"| `{row['mesh']}` | {row['elements']} | {row['nodes']} | | | | | | | {row['seconds']:.1f} | {row['verdict']} |"
    return (f"| `{row['mesh']}` | {row['elements']} | {row['nodes']} | {row['steps']} | {row['contacts']}, {row['contacts_last']} | "
            f"{row['iterations']:.1f}, {row['most']} | {row['budgets']} | {row['penetration']:.0e} | {row['kinetic']:.0e} | {row['seconds']:.1f} | {row['verdict']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    parser.add_argument("--program", default=str(ROOT / "build" / "clarke"))
    parser.add_argument("--form", choices=["stiffness", "compliance"], default="stiffness")
    parser.add_argument("--height", type=float, default=0.05, help="[m] of the lowest point, default 0.05")
    parser.add_argument("--end", type=float, default=5, help="[s] of simulated time at most, default 5")
    parser.add_argument("--step", type=float, default=0.01, help="[s] of a step, default 0.01")
    parser.add_argument("--damping", type=float, default=1e-3, help="[s] Rayleigh's beta, default 0.001")
    parser.add_argument("--budget", type=int, default=600, help="[s] of processor time for each mesh, default 600")
    parser.add_argument("--scratch", type=pathlib.Path, help="keep scenes and results here")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE.md", help="default: standard output only")
    arguments = parser.parse_args()
    files = arguments.files or sorted(DATA.rglob("*.msh"))
    if not files:
        sys.exit(f"settle_meshes.py: no meshes in {DATA}")
    with tempfile.TemporaryDirectory() as temporary:
        scratch = arguments.scratch or pathlib.Path(temporary)
        scratch.mkdir(parents=True, exist_ok=True)
        rows = []
        print(HEADER, flush=True)
        for path in sorted(files, key=lambda path: bounds(path)[1]):
            rows.append(drop(arguments.program, path.resolve(), scratch, arguments.form, arguments.height, arguments.end, arguments.step,
                             arguments.budget, arguments.damping))
            print(line(rows[-1]), flush=True)
            if not rows[-1]["good"]:
                print(rows[-1]["said"], file=sys.stderr)
    if arguments.output:
        arguments.output.write_text("\n".join([HEADER, *map(line, rows)]) + "\n")
    return 0 if all(row["good"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
