#!/usr/bin/python3
"""Prints the main figures of several runs side by side, and the options in which they differ.

    compare.py OUTPUT_DIR [OUTPUT_DIR ...] [--all]

Reads summary.json of each. Options that only some of the runs have, those of the strategy they chose, are counted; --all
prints them, too. A star marks the smallest value of a row where smaller is better and the runs differ; runs that
ended at different times are not compared by stars.
"""

import argparse
import signal

import run_record

FIGURES = (  # key, unit, smaller is better
    ("steps", "", False),
    ("dt", "s", False),
    ("time_end", "s", False),
    ("bodies", "", False),
    ("particles", "", False),
    ("tetrahedra", "", False),
    ("joints", "", False),
    ("contacts_max", "", False),
    ("contacts_last", "", False),
    None,
    ("converged_steps", "", False),
    ("failed_steps", "", True),
    ("newton_iterations_mean", "", True),
    ("linear_iterations_mean", "", True),
    ("newton_iterations_per_row_mean", "", True),
    ("linear_iterations_per_row_mean", "", True),
    None,
    ("natural_map_relative_max", "", True),
    ("momentum_residual_max", "sqrt(J)", True),
    ("bilateral_violation_max", "m, rad", True),
    ("penetration_max", "m", True),
    ("complementarity_max", "m/s", True),
    ("cone_excess_max", "N s", True),
    ("kinetic_energy_last", "J", False),
    None,
    ("seconds_total", "s", True),
    ("seconds_solve", "s", True),
    ("seconds_detect", "s", True),
    ("seconds_assemble", "s", True),
    ("seconds_output", "s", False),
)


def text_of(value):
    if value is None:
        return "-"
    if isinstance(value, bool) or isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    return str(value)


def table(rows):
    """Rows of texts as lines, the first column to the left, the others to the right; None is an empty line."""
    widths = [max(len(row[i]) for row in rows if row) for i in range(len(next(row for row in rows if row)))]
    lines = []
    for row in rows:
        cells = [] if row is None else [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        lines.append("   ".join(cells).rstrip())
    return "\n".join(lines)


def marked(values, smaller_is_better):
    texts = [text_of(value) for value in values]
    numbers = [value for value in values if isinstance(value, (int, float))]
    if not smaller_is_better or len(set(texts)) < 2 or not numbers:
        return [text + "  " for text in texts]
    return [text + (" *" if value == min(numbers) else "  ") for text, value in zip(texts, values)]


def expectations_of(results):
    return f"{sum(r['held'] for r in results)}/{len(results)}" if results else "-"


def main():
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `compare.py ... | head` ends quietly
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("directories", nargs="+", metavar="OUTPUT_DIR")
    parser.add_argument("--all", action="store_true", help="also the options that only some of the runs have")
    arguments = parser.parse_args()
    records = run_record.open_or_exit("compare.py", arguments.directories)
    for record in records:
        if not record.summary:
            run_record.leave("compare.py", f"{record.path('summary.json')} is not there: the run has not ended")
    names = [record.name for record in records]
    if len(set(names)) < len(names):
        names = [record.directory for record in records]
    same_end = len({text_of(record.summary.get("time_end")) for record in records}) == 1
    rows = [["case"] + [record.case + "  " for record in records], None]
    for figure in FIGURES:
        if figure is None:
            rows.append(None)
            continue
        key, unit, smaller_is_better = figure
        values = [record.summary.get(key) for record in records]
        if key == "tetrahedra" and not any(values):
            continue
        rows.append([f"{key} [{unit}]" if unit else key] + marked(values, smaller_is_better and same_end))
    held = [record.summary.get("expectations") for record in records]
    if any(held):
        rows.append(["expectations held"] + [expectations_of(results) + "  " for results in held])
    if any(record.summary.get("interrupted") or record.summary.get("failure") for record in records):
        rows.append(["ended"] + [("interrupted" if record.summary.get("interrupted") else "failed"
                                  if record.summary.get("failure") else "as asked") + "  " for record in records])
    acted = sorted(set().union(*(record.summary.get("safeguards") or {} for record in records)))
    if acted:
        rows.append(None)
    for name in acted:
        counts = [(record.summary.get("safeguards") or {}).get(name, 0) for record in records]
        rows.append([f"safeguard {name}"] + marked(counts, same_end))
    differing = run_record.differing_options(records)
    built = set().union(*(record.build_options for record in records))
    shown = {name: values for name, values in differing.items() if arguments.all or None not in values or name in built}
    if shown:
        rows.append(None)
    for name, values in shown.items():
        rows.append(["-" + name] + [text_of(value) + "  " for value in values])
    print(table([[""] + [name + "  " for name in names]] + rows))
    if any(cell.endswith(" *") for row in rows if row for cell in row[1:]):
        print("\n* the smallest of its row, where smaller is better")
    scenes = {((record.summary.get("provenance") or {}).get("scene") or {}).get("sha256") for record in records}
    if len(scenes) > 1:
        print("\nThe scenes differ.")
    if len(shown) < len(differing):
        hidden = len(differing) - len(shown)
        print(f"\n{hidden} option{'s' if hidden > 1 else ''} that only some of the runs have: --all")
    if len(records) > 1 and not differing:
        print("\nAll options are the same.")


if __name__ == "__main__":
    main()
