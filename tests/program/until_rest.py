"""-until_rest ends a run when nothing moves any more, and says so; time.end stays the latest end.

Usage: until_rest.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import json
import pathlib
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)

SCENE = """case: probe
time: {step: 0.01, end: 2}
bodies:
  - {name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, static: true}
  - {name: b, shape: {box: {half: [0.5, 0.5, 0.5]}}, mass: 10, position: [0, 0, 0.6]}
options: {preset: accurate}
sensors: [{name: height, quantity: position.z, of: b}, {name: load, quantity: normal_force, of: b, with: floor}]
expect:
  - {quantity: normal_force, of: b, with: floor, at: end, equals: 98.1, tolerance: 1e-6}
"""


def run(what, text, options, code):
    scene, output = scratch / "probe.yaml", scratch / "out"
    scene.write_text(text)
    result = subprocess.run([program, "run", str(scene), "-progress", "none", "-output_every", "50", "-output_dir",
                             str(output), *options], capture_output=True, text=True, timeout=120)
    assert result.returncode == code, (what, result.returncode, result.stdout, result.stderr)
    rows = (output / "sensors.csv").read_text().splitlines()
    assert rows[0] == "step,time,height,load", rows[0]
    summary = json.loads((output / "summary.json").read_text())
    assert len(rows) - 1 == summary["steps"], (len(rows), summary["steps"])
    return summary, result.stdout + result.stderr, rows


# Free fall through 0.1 m takes 0.143 s: the box lies still from the step at 0.15 s on, or the one after it.
summary, said, rows = run("rest", SCENE, ["-until_rest"], 0)
assert summary["at_rest"] is True and 0.13 < summary["at_rest_since"] < 0.2, summary["at_rest_since"]
assert abs(summary["time_end"] - summary["at_rest_since"] - 0.25) < 1e-9
assert f"at rest since {summary['at_rest_since']} s" in said, said
last = rows[-1].split(",")
assert abs(float(last[2]) - 0.5) < 1e-6 and abs(float(last[3]) - 98.1) < 1e-6, last
assert (scratch / "out" / f"bodies_{summary['steps']:06}.vtp").exists(), "no frame of the last step"

summary, said, _ = run("not asked for", SCENE, [], 0)
assert summary["steps"] == 200 and summary["at_rest"] is True

summary, said, _ = run("longer", SCENE, ["-until_rest", "-rest_duration", "0.5"], 0)
assert abs(summary["time_end"] - summary["at_rest_since"] - 0.5) < 1e-9

summary, said, _ = run("no rest", SCENE.replace("at: end", "at: 0.1").replace("equals: 98.1", "equals: 0"),
                       ["-until_rest", "-time_end", "0.2"], 0)
assert summary["steps"] == 20 and summary["at_rest"] is False and summary["at_rest_since"] is None
assert "not at rest" in said, said

summary, said, _ = run("expected later", SCENE.replace("at: end", "at: 1.5"), ["-until_rest"], 1)
assert "did not get there" in said, said
assert summary["expectations"][0]["value"] is None
