"""Every case gives the same bytes wherever and however it is run.

Usage: same_everywhere.py PROGRAM SOURCE_DIR SCRATCH_DIR [--steps N] [--cases NAME,NAME]

The first steps of each case, twice. Once in one go, on one thread, in the C locale. Then on two threads, in another
locale, time zone and working directory, at other addresses, and interrupted in the middle: half of the steps, and the rest
from the checkpoint. Frames and tables (but for their seconds) have to be the same.
"""

import concurrent.futures
import csv
import os
import pathlib
import shutil
import subprocess
import sys

import yaml

program, source, scratch = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
rest = dict(zip(sys.argv[4::2], sys.argv[5::2]))
STEPS = int(rest.get("--steps", 4))
wanted = rest.get("--cases", "").split(",") if "--cases" in rest else None

HERE = {"LC_ALL": "C", "TZ": "UTC", "OMP_NUM_THREADS": "1"}
locales = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout.split()
comma = [name for name in locales if name.split(".")[0] in ("de_DE", "fr_FR", "es_ES")]
ELSEWHERE = {"LC_ALL": (comma or ["C.UTF-8"])[0], "TZ": "Asia/Kathmandu", "OMP_NUM_THREADS": "2"}


def run(words, place, where, fixed_addresses=False):
    environment = dict(os.environ, OMP_PROC_BIND="false", OMP_WAIT_POLICY="passive", OPENBLAS_NUM_THREADS="1", **place)
    shift = ["setarch", "-R"] if fixed_addresses and shutil.which("setarch") else []
    done = subprocess.run([*shift, str(program), "run", *words, "-progress", "none", "-check_expectations", "false",
                           "-output_every", "2", "-output_contacts", "true", "-checkpoint_every", str(STEPS // 2)],
                          cwd=where, env=environment, capture_output=True, text=True, timeout=max(280, 30 * STEPS), check=False)
    return done


def step_of(scene):
    try:
        return float(yaml.safe_load(scene.read_text())["time"]["step"])
    except (KeyError, ValueError, TypeError):
        return 1 / 120


def columns(path):
    with open(path, newline="") as file:
        return [{k: v for k, v in row.items() if not k.startswith("seconds")} for row in csv.DictReader(file)]


def check(scene):
    name = scene.stem
    one, two = scratch / name / "here", scratch / name / "elsewhere"
    shutil.rmtree(scratch / name, ignore_errors=True)
    two.mkdir(parents=True)
    step = step_of(scene)
    end, half = repr(STEPS * step), repr(STEPS // 2 * step)
    here = run([str(scene), "-time_end", end, "-output_dir", str(one)], HERE, source, fixed_addresses=True)
    if not (one / "summary.json").exists():
        return f"{name}: {here.stderr}"
    relative = os.path.relpath(scene, two)
    there = run([relative, "-time_end", half, "-output_dir", "."], ELSEWHERE, two)
    if here.returncode == there.returncode == 0:
        there = run(["-restart", "checkpoint.hdf5", "-time_end", end], ELSEWHERE, two)
    else:  # a case that fails early does so everywhere
        there = run([relative, "-time_end", end, "-output_dir", "."], ELSEWHERE, two)
    if here.returncode != there.returncode:
        return f"{name}: exit codes {here.returncode} and {there.returncode}: {here.stderr} {there.stderr}"
    skip = ("checkpoint.hdf5", "summary.json")
    names = [sorted(p.name for p in d.iterdir() if p.is_file() and p.name not in skip) for d in (one, two)]
    if names[0] != names[1]:
        return f"{name}: other files: {set(names[0]) ^ set(names[1])}"
    for file in names[0]:
        a, b = one / file, two / file
        if (columns(a) != columns(b)) if file.endswith(".csv") else (a.read_bytes() != b.read_bytes()):
            return f"{name}: {file} differs"
    return ""


scenes = sorted((source / "cases").glob("*.yaml"))
if wanted:
    scenes = [scene for scene in scenes if scene.stem in wanted]
assert scenes
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    problems = [problem for problem in pool.map(check, scenes) if problem]
print("\n".join(problems) if problems else f"{len(scenes)} cases, {STEPS} steps: the same bytes")
sys.exit(1 if problems else 0)
