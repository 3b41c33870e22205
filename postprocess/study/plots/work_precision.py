"""Work-precision: the error reached against time and against matrix products, a point per run.

Runs that differ only in other options than `line` are joined by a line: `line: ksp_type` gives one per linear solver, `line: label` one
per beginning of a label, up to its last comma. `together` draws one pair of panels for all cases: medians over them.
"""

import numpy as np

from study.plots.plot import NothingToPlot, Plot, cases_of, chosen, legend_below, panels, style, visible

WORK = (("seconds_solve", "solve time [s]"), ("matrix_products", "linear iterations of the run"))


def draw(study, results, parameters):
    results = chosen(results, parameters)
    line, error = parameters["line"], parameters["error"]
    cases = [""] if parameters["together"] else cases_of(results)
    figure, axes = panels(2 * len(cases), columns=2)
    names = list(dict.fromkeys(_name(r, line) for r in results))
    drawn = 0
    for k, case in enumerate(cases):
        for axis, (work, title) in zip(axes[2 * k:2 * k + 2], WORK):
            for i, name in enumerate(names):
                points = {}
                for r in results:
                    if case in ("", r.case) and _name(r, line) == name and None not in (r.value(work), r.value(error)):
                        points.setdefault(r.label, []).append((r.value(work), r.value(error)))
                points = [tuple(np.median(p, axis=0)) for p in points.values()]  # in the order of the sweep
                if not points:
                    continue
                x, y = zip(*points)
                axis.loglog(visible(x), visible(y), marker="o", markersize=4, label=name, linewidth=1.2, **style(i))
                drawn += 1
            axis.set_title(case or f"medians of {len(cases_of(results))}")
            axis.set_xlabel(title)
            axis.set_ylabel(error.replace("_", " "))
    if not drawn:
        raise NothingToPlot(f"no run has the measure '{error}'")
    legend_below(figure, axes)
    return [figure]


def _name(result, line):
    if line == "label":
        return result.label.rpartition(", ")[0] or result.label
    return result.run.options.get(line, "default") if line else result.label


PLOT = Plot("work_precision", "error against time and against matrix products",
            {"error": "velocity_error_last", "line": "", "together": False, "runs": ("",), "cases": ("",)}, draw)
