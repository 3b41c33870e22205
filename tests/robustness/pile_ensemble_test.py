"""pile_ensemble.py tells a setting that solves its piles from one that does not, and refuses an option that there is not. A pile that
walks does not begin anew by descent, which leads no further than it has come.

Usage: pile_ensemble_test.py PROGRAM SOURCE_DIR SCRATCH_DIR
"""

import csv
import json
import pathlib
import subprocess
import sys

WEAK = "-snes_max_it 3 -ssnal_sweeps 0"  # Newton steps: an impact takes ten and more


def main():
    program, source, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
    ensemble = [sys.executable, str(pathlib.Path(__file__).resolve().parent / "pile_ensemble.py"), program, source, str(scratch),
                "--count", "8", "--time_end", "0.3"]
    scratch.mkdir(parents=True, exist_ok=True)
    table = scratch / "table.csv"
    done = subprocess.run([*ensemble, "--tilts", "0,0.2", "--setting", WEAK, "--table", str(table)], capture_output=True, text=True,
                          check=False)
    assert done.returncode == 0, done.stderr
    with table.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4, rows
    unsolved = {setting: sum(int(row["not_converged"]) for row in rows if row["setting"] == setting) for setting in ("", WEAK)}
    assert unsolved[""] == 0 < unsolved[WEAK], unsolved
    lines = [line for line in done.stdout.splitlines() if line.startswith(("| default", f"| `{WEAK}`"))]
    totals = [int(line.split("|")[2]) for line in lines]
    assert totals == [sum(int(row["newton_iterations"]) for row in rows if row["setting"] == s) for s in ("", WEAK)], done.stdout
    refused = subprocess.run([*ensemble, "--tilts", "0", "--setting", "-ssnal_patiense 0"], capture_output=True, text=True, check=False)
    assert refused.returncode == 1 and "did you mean '-ssnal_patience'" in refused.stderr, refused.stderr
    pile = scratch / "walk"
    subprocess.run([program, "run", str(pathlib.Path(source) / "cases" / "box_pile.yaml"), "-box_pile_count", "100", "-box_pile_tilt", "0.06",
                    "-time_end", "0.32", "-output_every", "0", "-output_dir", str(pile)], capture_output=True, check=False)
    counted = json.loads((pile / "summary.json").read_text())["safeguards"]
    assert counted["detect_again"] > 0 and "ssnal_descent" not in counted, counted


if __name__ == "__main__":
    main()
