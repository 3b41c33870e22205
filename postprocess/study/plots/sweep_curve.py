"""A measure against the value of an option that was swept, a panel per case; `line` names what tells the lines apart."""

import numpy as np

from study.plots.plot import NothingToPlot, Plot, cases_of, chosen, legend_below, panels, style, visible


def draw(study, results, parameters):
    results = chosen(results, parameters)
    x, measures = parameters["x"], [name for name in parameters["y"] if name]
    lines = list(dict.fromkeys(_line(r, x, parameters["line"]) for r in results))
    pairs = [(case, y) for case in cases_of(results) for y in measures]
    figure, axes = panels(len(pairs))
    drawn = 0
    for axis, (case, y) in zip(axes, pairs):
        all_y = []
        for i, line in enumerate(lines):
            points = {}
            for r in results:
                at, value = r.value(x), r.value(y)
                if r.case == case and _line(r, x, parameters["line"]) == line and isinstance(at, float) and value is not None:
                    points.setdefault(at, []).append(value)
            if not points:
                continue
            across = sorted(points)
            up = [float(np.median(points[at])) for at in across]
            axis.plot(across, visible(up), marker="o", markersize=4, label=line, linewidth=1.2, **style(i))
            all_y += up
            drawn += 1
        if all_y and min(all_y) >= 0 and max(all_y) > 50 * max(min(all_y), 1e-300):
            axis.set_yscale("log")
        axis.set_xscale("log")
        axis.set_title(case)
        axis.set_xlabel(x.replace("_", " "))
        axis.set_ylabel(y.replace("_", " "))
    if not drawn:
        raise NothingToPlot(f"no run has a number for the option '{x}' and the measures {', '.join(measures)}")
    legend_below(figure, axes)
    return [figure]


def _line(result, x, line):
    if line:
        return str(result.run.options.get(line, "default"))
    names = result.label.split(", ")
    return ", ".join(n for n in names if not n.startswith(x + " ")) or "all"


PLOT = Plot("sweep_curve", "a measure against the value of a swept option",
            {"x": "", "y": ("newton_iterations_mean",), "line": "", "runs": ("",), "cases": ("",)}, draw)
