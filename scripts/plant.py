#!/usr/bin/python3
"""Defects, planted one at a time into a copy of the sources: which tests, cases and studies catch each?

  scripts/plant.py [DEFECT ...] [--work DIR] [--tests REGEX] [--jobs N] [--list]

For each defect the copy in DIR (build/defects) is patched, built and put through unit, property and verification tests that match
REGEX, through the cases and through the studies that are named with it; what fails is reported. Ends with 1 when a defect
is caught by no case or by no study. docs/verification/planted_defects.md has what came of it.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STUDY_SECONDS = 1800

# name: (what is wrong, file, right text, wrong text, cases, studies, tests)
DEFECTS = {
    "law": ("Fischer-Burmeister's value has a root beside the right one", "ncp/functions/fischer_burmeister.hpp",
            "a * b / (a + b + n) :", "a * b / (a + b + n) - T(0.1) * b :",
            ["arch", "heavy_stack", "box_pile"], ["corner", "ncp_function"],
            "ncp_functions|corner|fischer|arch"),
    "shift": ("the relative shift of the diagonal is a thousand times too large", "linear/reduced_item.hpp",
              "c + shift.relative * (w[r] + c)", "c + 1e3 * shift.relative * (w[r] + c)",
              ["arch", "heavy_stack", "box_pile", "domino_run", "wall_of_bricks"], ["mass_ratio", "linear_solver"],
              "reduced|regularisation|shift"),
    "geometric_stiffness": ("the secant has the sign of the printed eq. 94", "ncp/strategies/geometric_stiffness.cpp",
                            "if (c < 0) h(e, e) -= c;", "if (c > 0) h(e, e) += c;",
                            ["chain_secant", "chain", "soft_link"], ["geometric_stiffness"],
                            "geometric|secant|chain"),
    "material": ("the stress has J - 1 for J - a, as appendix B prints it", "physics/materials/stable_neo_hookean.hpp",
                 "return T(kappa) * (J - T(1)) - T(mu);", "return T(kappa) * (J - T(1));",
                 ["stretch_bar", "material_extension", "cantilever", "soft_drop", "twist"], ["rubber"],
                 "soft|material"),
    "cone": ("both rows of a cone are scaled by the coefficient along the grain", "physics/friction/contact_friction.cpp",
             "r.d2(i) = cone.s2 * cone.t2;", "r.d2(i) = cone.s1 * cone.t2;",
             ["aniso_slide", "matchstick_pair", "slalom", "log_slide_around", "gel_stroke"], ["grain"],
             "friction|cone"),
}


def run(words, **keywords):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **keywords)


def copy_sources(work):
    """A copy that keeps what has been built in it."""
    files = run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT).stdout.split("\0")
    for name in filter(None, files):
        source, target = ROOT / name, work / name
        if not source.is_file():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def patch(work, defect):
    _, file, right, wrong, *_ = DEFECTS[defect]
    text = (work / file).read_text(encoding="utf-8")
    if text.count(right) != 1:
        raise SystemExit(f"plant.py: {defect}: '{right}' is {text.count(right)} times in {file}, expected once")
    (work / file).write_text(text.replace(right, wrong), encoding="utf-8")


def caught(work, defect, arguments):
    """(tests, cases, studies) that fail."""
    what, _, _, _, cases, studies, own_tests = DEFECTS[defect]
    build, lost = work / "build", ([], [], [])
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "OPENBLAS_NUM_THREADS": "1"}
    targets = ["clarke"] + (["tests_unit", "tests_property", "tests_verification"] if arguments.tests else [])
    built = run(["ninja", "-C", build, f"-j{arguments.jobs}", *targets])
    if built.returncode:
        raise SystemExit(f"plant.py: {defect} does not build:\n{built.stdout[-2000:]}")
    if arguments.tests:
        regex = own_tests if arguments.tests == "own" else arguments.tests
        text = run(["ctest", "--test-dir", build, "-L", "unit|property|verification", "-R", regex, f"-j{arguments.jobs}"]).stdout
        lost[0].extend(re.findall(r"\d+ - (\S+) \((?:Failed|Timeout|SEGFAULT)", text))
    for case in cases:
        ended = run([build / "clarke", "run", ROOT / "cases" / f"{case}.yaml", "-output_every", "0", "-progress", "none",
                     "-output_dir", work / "out" / defect / case], env=environment)
        if ended.returncode:
            lost[1].append(case)
    for study in studies:
        ended = run([build / "clarke", "study", ROOT / "cases" / "studies" / f"{study}.yaml",
                     "-study_jobs", arguments.jobs, "-output_dir", work / "out" / defect / f"study_{study}"], timeout=STUDY_SECONDS)
        names = re.findall(r"FAILED: (\w+):", ended.stderr)
        if names:
            lost[2].append(f"{study} ({', '.join(names)})")
    print(f"{defect}: {what}\n  tests:   {', '.join(lost[0]) or '-'}\n  cases:   {', '.join(lost[1]) or '-'}\n"
          f"  studies: {', '.join(lost[2]) or '-'}", flush=True)
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("defects", nargs="*")
    parser.add_argument("--work", default=str(ROOT / "build" / "defects"))
    parser.add_argument("--tests", default="own", help="a pattern for ctest; 'own': those of the defect; '': none")
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(f"{name}: {defect[0]}" for name, defect in DEFECTS.items()))
        return 0
    unknown = [name for name in arguments.defects if name not in DEFECTS]
    if unknown:
        raise SystemExit(f"plant.py: unknown defect {', '.join(unknown)}; known: {', '.join(DEFECTS)}")
    work, missed = pathlib.Path(arguments.work), []
    work.mkdir(parents=True, exist_ok=True)
    for defect in arguments.defects or DEFECTS:
        copy_sources(work)
        if not (work / "build" / "build.ninja").exists():
            configured = run(["cmake", "-S", work, "-B", work / "build", "-G", "Ninja", "--log-level=WARNING"])
            if configured.returncode:
                raise SystemExit(f"plant.py: {configured.stderr[-2000:]}")
        patch(work, defect)
        lost = caught(work, defect, arguments)
        if not (lost[1] and lost[2]):
            missed.append(defect)
    copy_sources(work)
    if missed:
        print(f"caught by no case or by no study: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
