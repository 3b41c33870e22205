#!/usr/bin/env python3
"""The first steps of a scene, its expectations aside: for builds that are many times slower, as those with sanitizers.

    tests/short_case.py PROGRAM SCENE OUTPUT [STEPS]
"""
import subprocess
import sys

import yaml

program, scene, output = sys.argv[1:4]
steps = int(sys.argv[4]) if len(sys.argv) > 4 else 30
with open(scene, encoding="utf-8") as file:
    time = yaml.safe_load(file).get("time", {})
options = ["-check_expectations", "false", "-progress", "none", "-output_dir", output]
try:  # some scenes give expressions, or leave the end to the builder
    options += ["-time_end", str(min(float(time["end"]), steps * float(time["step"])))]
except (KeyError, ValueError):
    pass
sys.exit(subprocess.run([program, "run", scene, *options], check=False).returncode)
