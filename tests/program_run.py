"""One short run of the program for tests of what it prints: no frames, no progress, no expectations."""

import os
import subprocess

TIMEOUT = 300 * int(os.environ.get("CLARKE_PATIENCE", 1))  # [s]: a build with sanitizers is ten times as slow
LONG = 400  # characters: a line that a terminal shows as one or two


def runner(program, source, scratch, *always):
    """run(case, name, *options): the finished process, with the options `always` too; what it writes is in scratch/case/name."""
    scratch.mkdir(parents=True, exist_ok=True)

    def run(case, name, *options):
        return subprocess.run([program, "run", str(source / "cases" / f"{case}.yaml"), "-check_expectations", "false",
                               "-progress", "none", "-output_every", "0", "-output_dir", str(scratch / case / name),
                               *always, *options], capture_output=True, text=True, check=False, timeout=TIMEOUT)

    return run
