"""Where the time goes: detection, assembly, solve, verdict and output, a stacked bar per run.

With a baseline the bars are ratios to the baseline's total of the same case; without, seconds. Figures of runs that had company
on the machine are no timings: use `timing: true` or -study_timing.
"""

import numpy as np

from study.plots.plot import COLOURS, NothingToPlot, Plot, cases_of, chosen, labels_of, legend_below, panels

PHASES = ("detect", "assemble", "solve", "verdict", "output")


def _seconds(results, case, label):
    """Median over the repetitions of the sum over the steps, per phase."""
    found = [[float(np.sum(r.steps.get("seconds_" + phase, 0.0))) for phase in PHASES]
             for r in results if (r.case, r.label) == (case, label) and r.steps]
    return np.median(found, axis=0) if found else np.zeros(len(PHASES))


def draw(study, results, parameters):
    results = chosen(results, parameters)
    labels, cases = labels_of(results), cases_of(results)
    figure, axes = panels(len(cases), columns=2, width=4.6, height=0.24 * len(labels) + 1.0)
    if not any(np.any(_seconds(results, case, label)) for case in cases for label in labels):
        raise NothingToPlot("no run has times in steps.csv")
    for axis, case in zip(axes, cases):
        base = np.sum(_seconds(results, case, study.baseline)) if study.baseline in labels else 0
        left = np.zeros(len(labels))
        bars = np.array([_seconds(results, case, label) for label in labels]) / (base or 1)
        for k, phase in enumerate(PHASES):
            axis.barh(range(len(labels)), bars[:, k], left=left, color=COLOURS[k], label=phase, height=0.7)
            left += bars[:, k]
        axis.set_yticks(range(len(labels)), labels)
        axis.invert_yaxis()
        axis.grid(axis="y", visible=False)
        axis.set_title(case)
        axis.set_xlabel(f"time over that of {study.baseline}" if base else "seconds")
    legend_below(figure, axes)
    return [figure]


PLOT = Plot("phase_bars", "time per phase", {"runs": ("",), "cases": ("",)}, draw)
