#!/usr/bin/python3
"""compliance_path.py comes to the solution of captured steps: its error falls with eps, and is no solution of another step.

Usage: compliance_path_test.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import subprocess
import sys

import compliance_path
import random_scenes

FALLS = 20  # at least; eps falls a hundredfold, and the error with it, but for where rows change their pieces


def captured(program, scene, step, options, scratch):
    subprocess.run([program, "run", str(scene), "-capture_step", str(step), "-output_every", "0", "-output_dir", str(scratch),
                    *options], check=True, capture_output=True)
    files = list((scratch / "problems").glob(f"*step{step:06}*.hdf5"))
    assert len(files) == 1, files
    return compliance_path.Problem(str(files[0]))


def main():
    program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    ends = {}
    for name, step in (("stack-56", 2), ("wedged-32", 1)):
        text, facts = random_scenes.make(name)
        (scratch / f"{name}.yaml").write_text(text, encoding="utf-8")
        ends[name] = ["-time_end", str(step * facts["h"])]
    # The last has joints with bounds, and its path turns; where its rows are linearised does not matter, so any iterate will do.
    for scene, step, options, changes, turns in (
            (source / "cases" / "table_drop.yaml", 81, [], 0, 0), (scratch / "stack-56.yaml", 2, ends["stack-56"], 5, 0),
            (scratch / "wedged-32.yaml", 1, [*ends["wedged-32"], "-snes_max_it", "20"], 30, 2)):
        problem = captured(program, scene, step, options, scratch / scene.stem)
        errors = []
        for least in (1e-4, 1e-6):
            path = compliance_path.Path(problem, 5000)
            ended, eps, impulse = path.follow(100.0, least)
            assert ended == "end" and eps < least, (scene, ended, eps)
            assert path.changes >= changes and path.turns >= turns, (scene, path.changes, path.turns)
            errors.append(problem.error(*impulse))
        assert errors[1] * FALLS < errors[0], (scene, errors)
        problem.free = 1.1 * problem.free  # another step than the one that was solved
        assert problem.error(*impulse) > FALLS * errors[1], (scene, problem.error(*impulse), errors)


if __name__ == "__main__":
    main()
