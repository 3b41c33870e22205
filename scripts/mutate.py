#!/usr/bin/python3
"""Cases that bite: every scene is altered to be wrong, and one of its own expectations must notice.

  scripts/mutate.py [CASE ...] [--jobs N] [--seconds S] [--program PROGRAM] [--output DIR] [--list]

tests/mutations.yaml has the mutations, at least five for each case; a mutation is one or more of

  gravity: F                 gravity times F
  scale: {KEY: F}            every number behind `KEY:` times F: friction, density, mass, young ...
  set: {KEY: V}              every number behind `KEY:` becomes V
  isotropic: MU              cones with a grain become discs of friction MU
  replace: [OLD, NEW, ...]   texts of the scene, in pairs
  options: {NAME: VALUE}     on the command line; solver: NAME takes a set of them from `solvers`
  survives: REASON           what cannot be felt, and why; it is reported, and no failure

A mutation is caught when the run ends with exit code 1: an expectation or a step failed. Survivors without a reason, scenes that do
not hold as they are, and mutations that the program refuses end this with 1. A run longer than S seconds (120) is caught by the
clock, and counted apart.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "cases"
LEAST = 5  # mutations of a case
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
KINDS = ("gravity", "scale", "set", "isotropic", "replace", "options", "solver", "survives")


def body_of(text):
    """(what can be altered, expect and what follows): expectations stay as they are."""
    at = re.search(r"^expect:", text, flags=re.M).start()
    return text[:at], text[at:]


def change_numbers(text, key, change):
    pattern = re.compile(rf"(?<![\w.])({re.escape(key)}:\s*)({NUMBER})(?=\s*[,}}\n])")
    if not pattern.search(text):
        raise ValueError(f"no number behind '{key}:'")
    return pattern.sub(lambda m: m.group(1) + repr(change(float(m.group(2)))), text)


def change_gravity(text, factor):
    line = re.search(r"^gravity: \[([^\]]*)\].*$", text, flags=re.M)
    if not line:
        return f"gravity: [0, 0, {-9.81 * factor!r}]\n" + text
    parts = [part.strip().strip('"') for part in line.group(1).split(",")]
    try:
        parts = [repr(float(part) * factor) for part in parts]
    except ValueError:
        raise ValueError("gravity is no three numbers: use replace") from None
    return text.replace(line.group(0), f"gravity: [{', '.join(parts)}]")


def mutated(text, mutation):
    text, rest = body_of(text)
    if "gravity" in mutation:
        text = change_gravity(text, mutation["gravity"])
    for key, factor in mutation.get("scale", {}).items():
        text = change_numbers(text, key, lambda x, f=factor: x * f)
    for key, value in mutation.get("set", {}).items():
        text = change_numbers(text, key, lambda x, v=value: float(v))
    if "isotropic" in mutation:
        text, count = re.subn(r"cone: \{\w+: \{[^}]*\}\}", "friction_of_all_directions", text)
        if not count:
            raise ValueError("no cone with a grain")
        text = re.sub(r"friction: [\d.]+, friction_of_all_directions", "friction_of_all_directions", text)
        text = text.replace("friction_of_all_directions", f"friction: {mutation['isotropic']}")
        text = re.sub(r"^ *structure: .*\n|, structure: \{constant: \{[^}]*\}\}", "", text, flags=re.M)
    pairs = mutation.get("replace", [])
    for old, new in zip(pairs[::2], pairs[1::2]):
        if old not in text:
            raise ValueError(f"no '{old}'")
        text = text.replace(old, new)
    return text + rest


def name_of(mutation):
    parts = []
    for kind, value in mutation.items():
        if kind == "survives":
            continue
        if isinstance(value, dict):
            value = ", ".join(f"{k} {v}" for k, v in value.items())
        elif isinstance(value, list):
            value = ", ".join(f"{old} -> {new}" for old, new in zip(value[::2], value[1::2]))
        parts.append(f"{kind} {value}")
    return "; ".join(parts)


def read_mutations(file=ROOT / "tests" / "mutations.yaml"):
    """(option sets by name, case -> mutations), checked against the scenes."""
    table = yaml.safe_load(file.read_text(encoding="utf-8"))
    solvers, problems = table.pop("solvers"), []
    scenes = {path.stem for path in CASES.glob("[!.]*.yaml")}
    for case in sorted(scenes - set(table)):
        problems.append(f"{case}: no mutations")
    for case, mutations in table.items():
        if case not in scenes:
            problems.append(f"{case}: no such case")
            continue
        if len(mutations) < LEAST:
            problems.append(f"{case}: {len(mutations)} mutations, expected at least {LEAST}")
        text = (CASES / f"{case}.yaml").read_text(encoding="utf-8")
        for mutation in mutations:
            problems += [f"{case}: unknown kind '{kind}'" for kind in mutation if kind not in KINDS]
            if mutation.get("solver", "weak") not in solvers:
                problems.append(f"{case}: unknown solver '{mutation['solver']}'")
            try:
                if mutated(text, mutation) == text and not {"options", "solver"} & set(mutation):
                    problems.append(f"{case}: {name_of(mutation)}: changes nothing")
            except ValueError as error:
                problems.append(f"{case}: {name_of(mutation)}: {error}")
    return solvers, table, problems


def run(job):
    """(case, mutation or None, result): held, caught, clock, or refused with what the program said."""
    case, mutation, folder, solvers, arguments = job
    text = (CASES / f"{case}.yaml").read_text(encoding="utf-8")
    options = {}
    if mutation:
        text = mutated(text, mutation)
        options = {**solvers.get(mutation.get("solver"), {}), **mutation.get("options", {})}
    scene = folder.parent / "scenes" / f"{folder.name}.yaml"
    scene.write_text(text, encoding="utf-8")
    words = [arguments.program, "run", scene, "-output_dir", folder, "-output_every", "0", "-progress", "none"]
    words += [word for name, value in options.items() for word in (f"-{name}", str(value))]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "OPENBLAS_NUM_THREADS": "1"}
    try:
        ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=arguments.seconds, env=environment)
    except subprocess.TimeoutExpired:
        return case, mutation, "clock", ""
    if ended.returncode not in (0, 1):
        lines = (ended.stderr or ended.stdout).strip().splitlines()
        return case, mutation, "refused", f"exit code {ended.returncode}: {lines[-1] if lines else ''}"
    return case, mutation, "held" if ended.returncode == 0 else "caught", lost_by(folder)


def lost_by(folder):
    """Which expectations did not hold."""
    try:
        summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "no summary"
    lost = [e["quantity"] + (f" of {e['of']}" if "of" in e else "") for e in summary.get("expectations", []) if not e["held"]]
    return ", ".join(dict.fromkeys(lost)) or ("failed step" if "failure" in summary else "")


def report(results):
    failed, explained, caught, clock = 0, 0, 0, 0
    for case, mutation, result, said in results:
        if mutation is None:
            if result != "held":
                print(f"{case}: does not hold as it is ({result}: {said})")
                failed += 1
        elif result == "refused":
            print(f"{case}: {name_of(mutation)}: {said}")
            failed += 1
        elif result == "held" and "survives" in mutation:
            print(f"{case}: {name_of(mutation)}: survives, as expected: {mutation['survives']}")
            explained += 1
        elif result == "held":
            print(f"{case}: {name_of(mutation)}: SURVIVES")
            failed += 1
        elif result == "clock":
            print(f"{case}: {name_of(mutation)}: stopped by the clock")
            clock += 1
        else:
            caught += 1
    survivors = sum(m is not None and r == "held" and "survives" not in m for _, m, r, _ in results)
    print(f"{caught} mutations caught, {clock} stopped by the clock, {explained} survivors explained, {survivors} survivors not explained")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--program", default=str(ROOT / "build" / "clarke"))
    parser.add_argument("--output", default=str(ROOT / "out" / "mutations"))
    parser.add_argument("--list", action="store_true", help="only check the list")
    arguments = parser.parse_args()
    solvers, table, problems = read_mutations()
    for problem in problems:
        print(f"tests/mutations.yaml: {problem}")
    unknown = [case for case in arguments.cases if case not in table]
    if unknown:
        print(f"mutate.py: no mutations of {', '.join(unknown)}", file=sys.stderr)
    if problems or unknown or arguments.list:
        print(f"{sum(len(m) for m in table.values())} mutations of {len(table)} cases")
        return 1 if problems or unknown else 0
    output = pathlib.Path(arguments.output)
    shutil.rmtree(output, ignore_errors=True)
    (output / "scenes").mkdir(parents=True)
    for entry in CASES.iterdir():  # files that a scene names are beside it
        if entry.suffix != ".yaml":
            (output / "scenes" / entry.name).symlink_to(entry)
    jobs = [(case, mutation, output / f"{case}_{i}", solvers, arguments)
            for case in arguments.cases or table for i, mutation in enumerate([None, *table[case]])]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = []
        for case, mutation, result, said in pool.map(run, jobs):
            results.append((case, mutation, result, said))
            print(f"[{len(results)}/{len(jobs)}] {case}: {name_of(mutation) if mutation else 'as it is'}: {result}"
                  + (f" ({said})" if said else ""), flush=True)
    print()
    return 1 if report(results) else 0


if __name__ == "__main__":
    sys.exit(main())
