"""How a run ends: its last line, summary.json and exit code say the same of the steps that did not converge, of the worst
natural map and of the overlap at the poses, and none of them hides one.

Usage: last_line.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)

CRUSHED = """time: {step: 0.01, end: 0.05}
materials: {stone: {friction: 0.5}}
bodies:
  - {name: floor, static: true, material: stone, shape: {plane: {}}}
  - {name: ball, material: stone, mass: 1, position: [0, 0, 0.1], shape: {sphere: {radius: 0.1}}}
  - {name: top, material: stone, mass: 1.0e12, position: [0, 0, 0.31], velocity: [0, 0, -10], shape: {sphere: {radius: 0.1}}}
"""
CONTRADICTION = """time: {step: 0.01, end: 0.05}
bodies:
  - {name: sledge, mass: 1, shape: {box: {half: [0.1, 0.1, 0.1]}}}
joints:
  - slider: {name: one, bodies: [world, sledge], anchor: [0, 0, 0], axis: [0, 0, 1], motion: t}
  - slider: {name: other, bodies: [world, sledge], anchor: [0, 0, 0], axis: [0, 0, 1], motion: 2 * t}
"""
LINE = re.compile(r"^\w+: (\d+) of (\d+) steps converged(?:, error up to \S+ m/s \((step \d+[^)]*)\))?"
                  r"(?:, natural map up to (\S+)(?: \(step \d+, ([^)]+)\))?)?"
                  r"(?:, joint violation up to (\S+) m or rad(?: \(step \d+, ([^)]+)\))?)?(?:, overlap up to (\S+) m \(step \d+, ([^)]+)\)|, (no overlap))?"
                  r"(?:, (?:not )?at rest[^,]*)?(?:, \d+ of \d+ expectations held)?, results in ", re.M)


def run(what, scene, *options):
    output = scratch / what
    done = subprocess.run([program, "run", str(scene), "-progress", "none", "-output_every", "0", "-output_dir", str(output), *options],
                          capture_output=True, text=True, check=False, timeout=300)
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
    found = LINE.match(last)
    assert found, (what, done.stdout[-400:], done.stderr)
    summary = json.loads((output / "summary.json").read_text())
    converged, steps, error, worst_map, _, open_by, joint, overlap, pair, none = found.groups()
    assert (int(converged), int(steps)) == (summary["converged_steps"], summary["steps"]), (what, last)
    unconverged = summary["unconverged_steps"]
    assert (error is not None) == (unconverged > 0), (what, last)
    if unconverged + int(converged) == summary["steps"]:  # a failed step has figures of its own
        for figure, shown in (("natural_map_relative_max", worst_map), ("bilateral_violation_max", open_by)):
            assert shown == (f"{summary[figure]:.1e}" if summary[figure] > 0 else None), (what, figure, last)
        assert joint is None or joint == summary["worst"]["bilateral_violation"]["where"], (what, last)
        deepest = summary["geometric_penetration_max"]
        assert none if deepest <= 1e-9 else f"{deepest:.1e}" == overlap, (what, last, deepest)
    if pair:
        assert pair == summary["worst"]["geometric_penetration"]["where"], (what, last)
        rows = list(csv.DictReader((output / "steps.csv").open()))
        assert pair in {row["geometric_penetration_pair"] for row in rows}, (what, pair)
    return done, last, summary


def written(name, text):
    (scratch / f"{name}.yaml").write_text(text)
    return scratch / f"{name}.yaml"


slope = source / "cases" / "slope.yaml"
for what, options in (("slope", ()), ("trust_region", ("-snes_type", "newtontr"))):
    done, last, summary = run(what, slope, "-near_rigid_compliance", "0", *options)
    assert done.returncode == 0 and summary["unconverged_steps"] == 0 and "no overlap" in last, last

# 10^12 kg on 1 kg: a millimetre or a metre, nothing of it may look solved that is not.
crushed = written("crushed", CRUSHED)
for what, options in (("crushed", ()), ("crushed_trust_region", ("-snes_type", "newtontr")), ("crushed_search", ("-snes_type", "newtonls"))):
    done, last, summary = run(what, crushed, *options)
    solved = summary["converged_steps"] == summary["steps"]
    deep = summary["geometric_penetration_max"] > 1e-3
    assert not (solved and deep), (what, "all converged, and they overlap", last)
    assert (summary["geometric_penetration_max"] > 1e-9) == ("overlap up to" in last), (what, last)
    assert done.returncode == (1 if summary["failed_steps"] else 0), (what, done.returncode)
    done, last, summary = run(what + "_strict", crushed, *options, "-fail_unconverged", "true")
    assert done.returncode == (0 if summary["converged_steps"] == summary["steps"] else 1), (what, done.returncode)

# Two motions of one coordinate: no solver can hold both, and none says that it did.
contradiction = written("contradiction", CONTRADICTION)
for what, options in (("contradiction", ()), ("contradiction_trust_region", ("-snes_type", "newtontr")),
                      ("contradiction_lu", ("-ksp_type", "preonly", "-pc_type", "lu"))):
    done, last, summary = run(what, contradiction, *options)
    assert summary["converged_steps"] == 0, (what, last)
    expecting = written("expecting", CONTRADICTION + "expect: [{quantity: unconverged_steps, max: 0}]\n")
    assert run(what + "_expecting", expecting, *options)[0].returncode == 1, what
    assert run(what + "_strict", contradiction, *options, "-fail_unconverged", "true")[0].returncode == 1, what

# Joints, and nothing that touches.
done, last, summary = run("jointed", source / "cases" / "double_pendulum.yaml")
assert "joint violation up to" in last and "natural map" not in last, last

# A run whose step fails has the same last line, and its advice is of that failure.
done, last, summary = run("failing", slope, "-snes_max_it", "1", "-snes_atol", "0", "-accept_budget", "false")
assert done.returncode == 1 and last.startswith("slope: 0 of 1 steps converged") and "failed" in done.stderr, last
