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


def captured(program, scene, step, scratch):
    subprocess.run([program, "run", str(scene), "-capture_step", str(step), "-output_every", "0", "-output_dir", str(scratch)],
                   check=True, capture_output=True)
    files = list((scratch / "problems").glob(f"*step{step:06}*.hdf5"))
    assert len(files) == 1, files
    return compliance_path.Problem(str(files[0]))


def main():
    program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    scratch.mkdir(parents=True, exist_ok=True)
    stack = scratch / "stack-56.yaml"
    stack.write_text(random_scenes.make("stack-56")[0], encoding="utf-8")
    for scene, step, changes in ((source / "cases" / "table_drop.yaml", 81, 0), (stack, 2, 5)):
        problem = captured(program, scene, step, scratch / scene.stem)
        errors = []
        for least in (1e-4, 1e-6):
            path = compliance_path.Path(problem, 2000)
            ended, eps, impulse = path.follow(100.0, least)
            assert ended == "end" and eps < least, (scene, ended, eps)
            assert path.changes >= changes, (scene, path.changes)
            errors.append(problem.error(*impulse))
        assert errors[1] * FALLS < errors[0], (scene, errors)
        problem.free = 1.1 * problem.free  # another step than the one that was solved
        assert problem.error(*impulse) > FALLS * errors[1], (scene, problem.error(*impulse), errors)


if __name__ == "__main__":
    main()
