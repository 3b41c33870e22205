#!/usr/bin/python3
"""The path of solutions as compliance falls solves captured steps, one of which nothing else does; and begun at every step of scenes with
soft bodies, cloth and gas it comes to the solutions of proximal steps.

Usage: compliance_path_test.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import csv
import pathlib
import re
import subprocess
import sys

import random_scenes

MOST = 2000  # Newton steps, of a path and what follows it; the longest takes some 500
SPENT = 3000  # that do not solve wedged-32 without it: 20,000 do not
DEFORMING = "soft-12 soft_pile-7 attached-12 cloth-1 balloon-1".split()
LEAST = 5  # of twelve steps on a path that leads on; 11 and 12 are: what begins solved has none
LEAST_FROM_START = 10  # of them all; 20 begin where half of the rows obey their laws
FEWER = 0.9  # of the changes of pieces, these paths and the others together; 379 of 474 were found
SAME = 1e-6  # of the energy after twelve steps, each within 1e-9 m/s; 7e-9 and less were found


def captured(program, scene, step, options, scratch):
    subprocess.run([program, "run", str(scene), "-capture_step", str(step), "-output_every", "0", "-output_dir", str(scratch),
                    *options], check=True, capture_output=True)
    files = list((scratch / "problems").glob(f"*step{step:06}*.hdf5"))
    assert len(files) == 1, files
    return files[0]


def solve(program, file, *options):
    """Whether a captured step is solved, and Newton steps."""
    said = subprocess.run([program, "solve", str(file), *options], capture_output=True, text=True).stdout
    row = next(line for line in said.splitlines() if line.startswith(file.stem)).split()
    return "1 of 1 solved" in said, int(row[3])


def end_of(program, scene, scratch, *options):
    """Energy in motion and strain at the end of a run, all of whose steps converge, how many paths led on, how many of them from
    where the solve began, and changes of pieces of all paths."""
    command = [program, "run", str(scene), "-fail_unconverged", "true", "-output_every", "0", "-output_dir", str(scratch), *options]
    said = subprocess.run([*command, "-info", ":snes"], check=True, capture_output=True, text=True).stdout
    with (scratch / "steps.csv").open() as table:
        last = list(csv.DictReader(table))[-1]
    energy = float(last["kinetic_energy"]) + float(last["elastic_energy"])
    ends = re.findall(r"path (from the start|without impulses): (leads on|ends) at eps \S+ after (\d+) changes", said)
    led = [where for where, how, _ in ends if how == "leads on"]
    return energy, len(led), led.count("from the start"), sum(int(changes) for _, _, changes in ends)


def main():
    program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    ends = {}
    for name, step in (("stack-56", 2), ("wedged-32", 1)):
        text, facts = random_scenes.make(name)
        (scratch / f"{name}.yaml").write_text(text, encoding="utf-8")
        ends[name] = ["-time_end", str(step * facts["h"])]
    # The last has joints with bounds, and its path turns; its rows are linearised where 20,000 Newton steps have led.
    for scene, step, options in ((source / "cases" / "table_drop.yaml", 81, []), (scratch / "stack-56.yaml", 2, ends["stack-56"]),
                                 (scratch / "wedged-32.yaml", 1, [*ends["wedged-32"], "-ssnal_path", "0"])):
        file = captured(program, scene, step, options, scratch / scene.stem)
        solved, steps = solve(program, file, "-ssnal_path_begins", "first")
        assert solved and steps < MOST, (scene, solved, steps)
    solved, steps = solve(program, file, "-ssnal_path", "0", "-snes_max_it", str(SPENT))
    assert not solved, (scene, steps)
    from_start, changes = 0, [0, 0]
    for name in DEFORMING:
        scene = scratch / f"{name}.yaml"
        scene.write_text(random_scenes.make(name)[0], encoding="utf-8")
        expected, none, _, _ = end_of(program, scene, scratch / name)
        at_once = ["-ssnal_path_begins", "first", "-ssnal_path_from"]
        long = end_of(program, scene, scratch / name, *at_once, "unconstrained")
        short = end_of(program, scene, scratch / name, *at_once, "start")
        for energy, paths, _, _ in (long, short):
            assert none == 0 and paths >= LEAST, (name, none, paths)
            assert abs(energy - expected) <= SAME * expected, (name, energy, expected)
        from_start += short[2]
        changes[0] += short[3]
        changes[1] += long[3]
    assert from_start >= LEAST_FROM_START and changes[0] <= FEWER * changes[1], (from_start, changes)


if __name__ == "__main__":
    main()
