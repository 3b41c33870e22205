"""Every case takes the same first steps on a device as on the host. Skipped (77) with a message where there is no device.

Usage: device_parity.py PROGRAM SOURCE_DIR SCRATCH_DIR

PROGRAM is the one built with CUDA, or with fenced memory (preset fence): then cases run as they are, and every figure of
steps.csv and newton.csv is the same to the last bit. The reference is a program built without: CLARKE_REFERENCE, else
build/clarke.
Environment: PARITY_STEPS (20), PARITY_CASES (names; all of cases/), PARITY_PRESET (accurate; none for what the scenes say),
PARITY_JOBS (1; runs of PROGRAM side by side; those of the reference are as many as there are processors, when it is more than
one), PARITY_SECONDS (600; of one run).
"""

import concurrent.futures
import csv
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
REFUSED = 2  # exit code of bad input
STEPS = int(os.environ.get("PARITY_STEPS", "20"))
JOBS = int(os.environ.get("PARITY_JOBS", "1"))
PRESET = os.environ.get("PARITY_PRESET", "accurate")
SECONDS = float(os.environ.get("PARITY_SECONDS", "600"))
# On a device solves are converged (PARITY_PRESET) to 1e-10 m/s or better, and both sides add in the same order without
# fused multiply-add. What differs is the last bit of hypot, sin and cos, which twenty steps of contact may enlarge.
RELATIVE = 1e-6   # of the largest energy of the run
LENGTH = 1e-7     # [m, rad] penetration, violation of joints

program, source, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
reference = pathlib.Path(os.environ.get("CLARKE_REFERENCE", source / "build" / "clarke"))


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def backends(path):
    text = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    return text.split("backends:")[1].split()[0]


def run(path, scene, output, time_step, options):
    """The exit code and the rows of the tables; None when the program found no device."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_PROC_BIND="false", OPENBLAS_NUM_THREADS="1")
    shutil.rmtree(output, ignore_errors=True)
    result = subprocess.run([path, "run", str(scene), "-progress", "none", "-output_every", "0", "-check_expectations", "false",
                             "-time_end", str(STEPS * time_step), "-output_dir", str(output), *options],
                            env=environment, capture_output=True, text=True, timeout=SECONDS, check=False)
    if "no CUDA device was found" in result.stderr:
        return None
    if result.returncode == REFUSED:
        return REFUSED, {}
    if result.returncode < 0 or not (output / "steps.csv").exists():
        raise RuntimeError(f"{path} ended with {result.returncode}: {result.stderr.strip()[-500:]}")
    tables = {}
    for name in ("steps", "newton"):
        if (output / f"{name}.csv").exists():
            with open(output / f"{name}.csv", newline="", encoding="utf-8") as file:
                tables[name] = list(csv.DictReader(file))
    return result.returncode, tables


def differences(here, there):
    """What the two runs do not agree on."""
    if here[0] != there[0]:
        return [f"exit code {here[0]} against {there[0]}"]
    here, there = here[1], there[1]
    # What rounds in its own way may take a Newton step more.
    for name in there if fenced else ("steps",):
        if len(here[name]) != len(there[name]):
            return [f"{len(here[name])} rows of {name}.csv against {len(there[name])}"]
    if fenced:
        return [f"step {a['step']}: {key} {a[key]} against {b[key]}" for name in there
                for a, b in zip(here[name], there[name]) for key in a
                if not key.startswith("seconds") and a[key] != b[key]][:3]
    here, there = here["steps"], there["steps"]
    energies = ("kinetic_energy", "potential_energy", "elastic_energy")
    numbers = [abs(float(row[key])) for row in there for key in energies]
    largest = max(filter(math.isfinite, numbers), default=0)
    bounds = {key: RELATIVE * largest for key in energies}
    bounds |= {"penetration": LENGTH, "bilateral_violation": LENGTH}
    found = []
    for a, b in zip(here, there):
        found += [f"step {a['step']}: {key} {a[key]} against {b[key]}" for key, bound in bounds.items()
                  if a[key] != b[key] and not abs(float(a[key]) - float(b[key])) <= bound]  # both nan in a failed step: the same
    return found[:3]


def time_step_of(scene):
    text = subprocess.run([reference, "check", str(scene)], capture_output=True, text=True, check=True).stdout
    return float(re.search(r"steps of (\S+) s", text)[1])


fenced = "Fence" in backends(program)
if "Cuda" not in backends(program) and not fenced:
    skip("this program has no backend for a device")
if not reference.exists():
    skip(f"no reference: {reference} is not there; build it, or set CLARKE_REFERENCE")
scratch.mkdir(parents=True, exist_ok=True)


def host_run(scene):
    """Options and result of the reference; what a preset has need not go with the scene's own."""
    time_step = time_step_of(scene)
    options = [] if fenced or PRESET == "none" else ["-preset", PRESET]
    result = run(reference, scene, scratch / "host" / scene.stem, time_step, options)
    if options and result[0] == REFUSED:
        options = []
        result = run(reference, scene, scratch / "host" / scene.stem, time_step, options)
    return time_step, options, result


def judge(scene, host):
    """What device and host do not agree on, a run that dies or does not end included."""
    try:
        time_step, options, there = host.result()
        here = run(program, scene, scratch / "device" / scene.stem, time_step, options)
    except subprocess.TimeoutExpired as error:
        return [f"{error.cmd[0]} did not end in {SECONDS:.0f} s"]
    except (RuntimeError, subprocess.SubprocessError) as error:
        return [str(error)]
    return differences(here, there)


failed = 0
wanted = os.environ.get("PARITY_CASES", "").split()
scenes = [scene for scene in sorted((source / "cases").glob("*.yaml")) if not wanted or scene.stem in wanted]
# Asked of one step, before the runs of the reference are under way.
if not fenced and run(program, scenes[0], scratch / "asked", time_step_of(scenes[0]) / STEPS, []) is None:
    skip("no CUDA device was found")
with (concurrent.futures.ThreadPoolExecutor(1 if JOBS == 1 else os.cpu_count()) as hosts,
      concurrent.futures.ThreadPoolExecutor(JOBS) as devices):
    started = [hosts.submit(host_run, scene) for scene in scenes]
    for scene, problems in zip(scenes, devices.map(judge, scenes, started)):
        failed += bool(problems)
        print(f"{scene.stem}: {'; '.join(problems) or 'same'}", flush=True)
print(f"{len(scenes) - failed} of {len(scenes)} cases take the same {STEPS} steps on the device")
sys.exit(1 if failed else 0)
