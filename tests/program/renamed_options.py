"""Old names of options and values work for one release: they give the run of the new names, and one warning each.

Usage: renamed_options.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)
PRESET = ["-preset", "accurate"]  # which has these options; the default has none of them
OLD = ["-contact_law", "scalar", "-friction_map", "tangent", "-r_factor", "effective_mass", "-shift_relative", "1e-7"]
NEW = ["-contact_law", "decoupled", "-friction_map", "disc_projection", "-r_factor", "delassus_diagonal",
       "-regularisation_relative", "1e-7"]


def run(scene, output, options):
    done = subprocess.run([program, "run", str(scene), "-time_end", "0.1", "-check_expectations", "false", "-progress",
                           "none", "-output_every", "0", "-output_dir", str(scratch / output), *PRESET, *options],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = (scratch / output / "newton.csv").read_text()
    return rows, done.stderr


slope = source / "cases" / "slope.yaml"
old, warnings = run(slope, "old", OLD)
new, silent = run(slope, "new", NEW)
assert old == new, "old names gave another run"
assert warnings.count("warning: ") == 4, warnings
for name in ("decoupled", "disc_projection", "delassus_diagonal", "-regularisation_relative"):
    assert name in warnings, warnings
assert "called" not in silent, silent

# In a scene the warning says where.
text = slope.read_text()
at = len(text.splitlines()) + 1
changed = scratch / "old_names.yaml"
changed.write_text(text + "options: {shift_relative: 1e-7}\n")
scene, warnings = run(changed, "scene", [])
assert f"old_names.yaml:{at}: -shift_relative" in warnings, warnings
other, _ = run(slope, "other", ["-regularisation_relative", "1e-7"])
assert scene == other, "the scene's old name gave another run"
print("old names of options are accepted, with a warning each")
