#!/usr/bin/python3
"""The arch of 25 stones that somebody else meshed, as rigid bodies and as stiff soft ones: does it stand, and by how much does it sag?

    scripts/arch_of_stones.py [--young PA ...] [--end T] [--program build/clarke] [--scratch DIR] [-o FILE.md]

Stones are those of ../shared/data/tetmeshes/arch, at a tenth of their size: a span of 5.6 m between the feet of the arch, some 0.7 m each, six
tetrahedra each, 2000 kg/m³, friction 0.6. Nothing but contact holds them; the feet of the first and the last stone are fixed. Joints gape
by some hundredths of a stone in the files, so the arch settles when it is let go. A table compares the sag of the key stone, the largest
von Mises stress, and the work of the solver. The exit code is 1 when an arch fell or a step did not converge.

tests/program/arch_of_stones.py runs the same scenes for a shorter time.
"""

import argparse
import csv
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

ROOT = pathlib.Path(__file__).resolve().parent.parent
STONES = ROOT.parent / "shared" / "data" / "tetmeshes" / "arch"
COUNT, KEY = 25, 13

HEAD = """case: arch_of_stones
gravity: [0, -9.81, 0]
time: {{step: 0.01, end: {end}}}
materials: {{stone: {{density: 2000, friction: 0.6}}}}
sensors:
  - {{name: key, quantity: displacement, of: "{key}"}}
"""
RIGID = """  - {{name: stone_{k}, shape: {{tetrahedra: {{path: "{path}", scale: 0.1}}}}, position_of: origin, material: stone{fixed}}}
"""
SOFT = """  - {{name: stone_{k}, mesh: {{file: {{path: "{path}", scale: 0.1}}}}, young: {young}, poisson: 0.25, density: 2000, damping: 1e-2, material: stone{fixed}}}
"""
# Direct solves and the coupled friction map, as for every soft body that others push (docs/scenes.md). Joints open and close by a few
# nodes at a time, and full Newton steps may cycle there: those steps are repeated by the recipes of the fallback sequence, and counted.
OPTIONS = ("options: {{preset: interactive, {form}ksp_type: preonly, pc_type: lu, pc_factor_mat_solver_type: mumps, friction_map: disc_projection_coupled, newton_damping: 1, "
           "newton_start: {start}, snes_max_it: 50, snes_atol: 1e-6, accept_budget: false, fallback_sequence: 'damped,schur_lu'}}\n")


def write_scene(scratch, young=None, end=4):
    """Soft with Young's modulus `young` [Pa], rigid without."""
    text = HEAD.format(end=end, key=f"stone_{KEY}:0" if young else f"stone_{KEY}") + ("soft:\n" if young else "bodies:\n")
    for k in range(1, COUNT + 1):
        ground = k in (1, COUNT)
        fixed = (", fixed: [y_min]" if young else ", static: true") if ground else ""
        text += (SOFT if young else RIGID).format(k=k, path=STONES / f"largeArch.{k:02}.msh", young=young, fixed=fixed)
    text += OPTIONS.format(form="system_form: stiffness, " if young else "", start="previous" if young else "warm")
    scene = scratch / ("arch_rigid.yaml" if young is None else f"arch_{young:.0e}.yaml")
    scene.write_text(text)
    return scene


# The key stone lies 0.7 m high on its neighbours: one that sags by more than a fifth of that is falling.
FALLEN = 0.15


def column(path, name, kind=float):
    with path.open() as table:
        return [kind(row[name]) for row in csv.DictReader(table)]


def largest_stress(output):
    """[Pa] of the last frame."""
    reader = vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(sorted(output.glob("soft*.vtu"))[-1]))
    reader.Update()
    return reader.GetOutput().GetCellData().GetArray("von_mises").GetRange()[1]


def stand(program, scratch, young=None, end=4):
    """One run: a row of the table, as a dictionary."""
    scene = write_scene(scratch, young, end)
    output = scratch / scene.stem
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    child = subprocess.run([program, "run", str(scene), "-progress", "none", "-output_every", str(round(end / 0.01)), "-output_dir", str(output)],
                           capture_output=True, text=True)
    row = {"young": young, "said": child.stdout + child.stderr, "failed": child.returncode != 0,
           "seconds": resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before}
    if row["failed"]:
        return row
    summary, steps = json.loads((output / "summary.json").read_text()), output / "steps.csv"
    row.update(sag=column(output / "sensors.csv", "key"), kinetic=column(steps, "kinetic_energy"), most=max(column(steps, "newton_iterations")),
               iterations=summary["newton_iterations_mean"], contacts=summary["contacts_last"], penetration=summary["penetration_max"],
               repeated=sum(recipe != "" for recipe in column(steps, "recipe", str)))
    if young:
        row["stress"] = largest_stress(output)
    return row


HEADER = ("| stones | sag of the key stone: most, at the end [mm] | kinetic energy: most, at the end [J] | von Mises stress [Pa] | contacts | Newton its per step: mean, most | steps repeated | "
          "penetration [m] | processor [s] | |\n|---|---|---|---|---|---|---|---|---|---|")


def stands(row):
    return not row["failed"] and max(row["sag"]) < FALLEN


def line(row):
    name = f"{row['young']:.0e} Pa" if row["young"] else "rigid"
    if row["failed"]:
        return f"| {name} | | | | | | | | {row['seconds']:.1f} | a step failed |"
    stress = f"{row['stress']:.2e}" if row["young"] else ""
    return (f"| {name} | {1e3 * max(row['sag']):.2f}, {1e3 * row['sag'][-1]:.2f} | {max(row['kinetic']):.0e}, {row['kinetic'][-1]:.0e} | {stress} | {row['contacts']} | "
            f"{row['iterations']:.1f}, {row['most']:.0f} | {row['repeated']} | {row['penetration']:.0e} | {row['seconds']:.1f} | {'stands' if stands(row) else 'falls'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--young", type=float, nargs="+", default=[1e8, 1e9, 1e10], help="[Pa] of the soft ones")
    parser.add_argument("--end", type=float, default=4, help="[s] of simulated time, default 4")
    parser.add_argument("--program", default=str(ROOT / "build" / "clarke"))
    parser.add_argument("--scratch", type=pathlib.Path, help="keep scenes and results here")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="FILE.md", help="default: standard output only")
    arguments = parser.parse_args()
    if not STONES.is_dir():
        sys.exit(f"arch_of_stones.py: {STONES} is absent")
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        scratch = arguments.scratch or pathlib.Path(temporary)
        scratch.mkdir(parents=True, exist_ok=True)
        print(HEADER, flush=True)
        for young in [None, *arguments.young]:
            rows.append(stand(arguments.program, scratch, young, arguments.end))
            print(line(rows[-1]), flush=True)
            if not stands(rows[-1]):
                print(rows[-1]["said"], file=sys.stderr)
    if arguments.output:
        arguments.output.write_text("\n".join([HEADER, *map(line, rows)]) + "\n")
    return 0 if all(stands(row) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
