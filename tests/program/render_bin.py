"""A picture of a bin shows what is in it: walls that stand before it are glass; what hides nothing stays as it was.

Usage: render_bin.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)

# How much of the picture has the colours of moving bodies, which are warm while all that stands is grey or blue.
COUNT = """
import sys
import matplotlib.image
image = matplotlib.image.imread(sys.argv[1])
print(((image[..., 0] - image[..., 2]) > 0.04).mean())
"""


# Share of the pixels that differ by more than a shade: threads of a software renderer may round differently.
DIFFER = """
import sys
import matplotlib.image
one, other = (matplotlib.image.imread(name)[..., :3] for name in sys.argv[1:])
print((abs(one - other).max(axis=-1) > 0.02).mean())
"""


def picture(case, name, *words):
    path = scratch / f"{name}.png"
    done = subprocess.run(["/usr/bin/python3", source / "postprocess" / "render.py", scratch / case, "-o", path, *words],
                          capture_output=True, text=True)
    if done.returncode == 77:
        print(f"skipped: {done.stderr.strip()}")
        sys.exit(77)
    assert done.returncode == 0, done.stderr
    return path


def warm(path):
    return float(subprocess.run(["/usr/bin/python3", "-c", COUNT, path], capture_output=True, text=True, check=True).stdout)


for case, end in (("box_pile", "0.1"), ("slope", "0.1")):
    subprocess.run([program, "run", source / "cases" / f"{case}.yaml", "-output_dir", scratch / case, "-progress", "none",
                    "-time_end", end, "-check_expectations", "false"], check=True)
glass, opaque = warm(picture("box_pile", "glass")), warm(picture("box_pile", "opaque", "--opaque"))
hidden = warm(picture("box_pile", "hidden", "--hide", "*_left", "*_front", "*_right"))
print(f"bodies in the picture: {glass:.3f} through glass, {opaque:.3f} with walls, {hidden:.3f} without them")
assert glass > 3 * opaque, "the walls still hide what is in the bin"
assert glass > 0.5 * hidden, "the glass is too thick"
differ = float(subprocess.run(["/usr/bin/python3", "-c", DIFFER, picture("slope", "as_is"), picture("slope", "solid", "--opaque")],
                              capture_output=True, text=True, check=True).stdout)
assert differ < 1e-3, f"nothing is in the way on a slope, and yet {differ} of the picture differs"
