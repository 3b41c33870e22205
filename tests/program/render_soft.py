"""A soft body in a picture: by body, by a field over its scale; a field that is not there is refused with those that are.

Usage: render_soft.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import pathlib
import subprocess
import sys

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)
run, picture = scratch / "run", scratch / "picture.png"
subprocess.run([program, "run", source / "cases" / "cantilever.yaml", "-output_dir", run, "-progress", "none"], check=True)


def render(*words):
    picture.unlink(missing_ok=True)
    return subprocess.run(["/usr/bin/python3", source / "postprocess" / "render.py", run, "-o", picture, *words],
                          capture_output=True, text=True)


pictures = set()
for words in ((), ("--colour", "von_mises"), ("--colour", "displacement")):
    result = render(*words)
    if result.returncode == 77:
        print(f"skipped: {result.stderr.strip()}")
        sys.exit(77)
    assert result.returncode == 0, result.stderr
    assert picture.stat().st_size > 10000, words
    pictures.add(picture.read_bytes())
assert len(pictures) == 3, "the colours do not tell the fields apart"
result = render("--colour", "von_mise")
assert result.returncode == 2 and "'von_mise'" in result.stderr and "von_mises" in result.stderr, result.stderr
assert not picture.exists()
