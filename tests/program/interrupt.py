"""SIGINT finishes the step and leaves a valid summary and whole rows.

Usage: interrupt.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import json
import pathlib
import signal
import subprocess
import sys
import time

program, source, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
scratch.mkdir(parents=True, exist_ok=True)
output = scratch / "out"
for old in output.glob("*"):
    old.unlink()
run = subprocess.Popen([program, "run", f"{source}/cases/arch.yaml", "-time_end", "10000", "-output_every", "0",
                        "-progress", "none", "-output_dir", str(output)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
steps = output / "steps.csv"
deadline = time.monotonic() + 60
while not (steps.exists() and len(steps.read_text().splitlines()) > 5):
    assert run.poll() is None and time.monotonic() < deadline, "the run never got going"
    time.sleep(0.05)
run.send_signal(signal.SIGINT)
out, err = run.communicate(timeout=60)
assert run.returncode == 1, (run.returncode, out, err)
summary = json.loads((output / "summary.json").read_text())
rows = steps.read_text().splitlines()
assert summary["interrupted"] is True
assert summary["steps"] == len(rows) - 1, (summary["steps"], len(rows) - 1)
assert len(set(row.count(",") for row in rows)) == 1, "a torn row"
print(f"interrupted after {summary['steps']} steps")
