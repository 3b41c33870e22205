#!/usr/bin/env python3
"""With k factorisations or n products, which strategy leaves the smallest natural map? A study on twenty impacts that it captures itself.

Usage: budget_study.py PROGRAM SOURCE_DIR OUTPUT_DIR [--problems N] [--seconds S] [--figure FILE.svg]

The hardest steps of six scenes in their first half second (-capture_problems, run with -preset interactive) become OUTPUT_DIR/captured,
unless they are there already; at most N of them are used, by turns from the scenes. OUTPUT_DIR/budget.yaml is then an ordinary study
(docs/studies.md), and its report is OUTPUT_DIR/report.html: medians of the strict residual against seconds and against linear
iterations, each a factorisation, a product or a sweep. Every run is one of `clarke solve` from nothing, ended by its budget or after S
seconds, with the best iterate as its answer. Which steps are captured depends on last digits. --figure is the report's figure.
"""

import argparse
import itertools
import os
import pathlib
import re
import subprocess
import sys

import yaml

IMPACTS = {"box_pile": 4, "table_pile": 4, "wall_of_bricks": 4, "card_house": 3, "mixed_shapes": 3, "domino_run": 2}
TIME_END = 0.5
# name: options of the strategy, and of its budgets; of `budget` sweeps and factorisations
STRATEGIES = {
    "default": ({}, [{"snes_max_it": k} for k in (5, 10, 20, 50, 100, 200)]),
    "budget": ({"preset": "budget"}, [{"newton_start_sweeps": n, "snes_max_it": k}
                                      for n, k in ((20, 1), (50, 2), (100, 5), (100, 10), (100, 20), (200, 50))]),
    "admm": ({"snes_type": "admm", "snes_max_it": 1}, [{"admm_iterations": n} for n in (5, 20, 50, 100, 200, 1000)]),
    "nsgs": ({"snes_type": "nsgs", "snes_max_it": 1}, [{"nsgs_sweeps": n} for n in (5, 20, 50, 100, 200, 1000)]),
    "interactive": ({"preset": "interactive"}, [{"snes_max_it": k} for k in (1, 3, 6, 20, 60)]),
    "problem": ({"preset": "problem"}, [{"snes_max_it": k} for k in (2, 5, 20)]),
}
COMMON = {"certify_infeasible": "false", "keep_best_iterate": "true", "accept_velocity_error": "1e300"}
THREAD = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def captured(arguments):
    """Problem files, the first of every scene, then the second of every scene, and so on."""
    found = []
    for name, count in IMPACTS.items():
        place = arguments.output / "captured" / name
        if not list(place.glob("problems/*.hdf5")):
            subprocess.run([arguments.program, "run", str(arguments.source / "cases" / (name + ".yaml")), "-preset", "interactive",
                            "-capture_problems", str(count), "-time_end", str(TIME_END), "-output_every", "0", "-progress", "none",
                            "-check_expectations", "false", "-output_dir", str(place)], env=THREAD, check=False, stdout=subprocess.DEVNULL)
        found.append(sorted(place.glob("problems/*.hdf5")))
    turns = [file for turn in itertools.zip_longest(*found) for file in turn if file]
    if not turns:
        sys.exit("nothing was captured")
    return turns[:arguments.problems]


def expectations():
    """Medians over the problems: at no cost in products or factorisations anybody leaves less than `budget` does. Factors of two are
    what another choice of twenty steps may do."""
    def left(name, run, **bounds):
        return {"name": name, "quantity": "last:strict_residual", "of": run, "together": True, **bounds}

    return [
        left("less_than_sweeps_alone", "budget, 100 + 10", below="nsgs, 200", factor=2),
        left("a_third_of_sweeps_alone", "budget, 200 + 50", below="nsgs, 1000", factor=0.33),
        left("less_than_alternating_directions", "budget, 100 + 10", below="admm, 200", factor=2),
        left("a_third_of_alternating_directions", "budget, 200 + 50", below="admm, 1000", factor=0.33),
        left("less_than_factorisations_alone", "budget, 100 + 10", below="default, 20", factor=0.5),
        left("less_than_pcr", "budget, 100 + 10", below="interactive, 20", factor=0.5),
        left("more_is_better", "budget, 100 + 20", below="budget, 100 + 5", factor=0.5),
        left("solved_with_two_hundred", "default, 200", max=1e-7),
        {"name": "a_budget_is_kept", "quantity": "matrix_products", "of": "budget, 100 + 10", "min": 1, "max": 110},
    ]


def study(arguments, problems):
    runs = [{"label": f"{name}, {' + '.join(map(str, budget.values()))}", "options": {**options, **budget, **COMMON}}
            for name, (options, budgets) in STRATEGIES.items() for budget in budgets]
    return {"study": "budget", "question": "Which strategy leaves the smallest natural map, with a budget of factorisations or products?",
            "problems": [os.path.relpath(file, arguments.output) for file in problems], "sweep": {"list": runs},
            "timing": True, "baseline": "default, 50", "limits": {"seconds": arguments.seconds},
            "measures": ["last:strict_residual", "matrix_products", "seconds_solve"],
            "expect": expectations(),
            "plots": [{"work_precision": {"error": "last:strict_residual", "line": "label", "together": True,
                                          "title": "Strict residual for a budget, medians"}}]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("program")
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--problems", type=int, default=sum(IMPACTS.values()))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--figure", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.program = str(pathlib.Path(arguments.program).resolve())
    arguments.output.mkdir(parents=True, exist_ok=True)
    file = arguments.output / "budget.yaml"
    file.write_text(yaml.safe_dump(study(arguments, captured(arguments)), sort_keys=False))
    code = subprocess.run([arguments.program, "study", str(file), "-output_dir", str(arguments.output)], check=False).returncode
    if arguments.figure:
        arguments.figure.write_text(re.search("<svg.*?</svg>", (arguments.output / "report.html").read_text(), re.DOTALL)[0] + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
